internal import News
internal import Screen

extension Command {
  static let nextUnreadFeed = Command("next-unread-feed")
  static let previousUnreadFeed = Command("previous-unread-feed")
  static let nextStarred = Command("next-starred")
  static let previousStarred = Command("previous-starred")
  static let randomUnread = Command("random-unread")
  static let goToFeed = Command("go-to-feed")
  static let openComments = Command("open-comments")
  static let today = Command("today")
  static let markAboveRead = Command("mark-above-read")
  static let markBelowRead = Command("mark-below-read")
  static let markOlderRead = Command("mark-older-read")
}

extension KeyBinding {
  /// Ways from the article or the feed that shows to another one, in all panes.
  static let steps: [KeyBinding] = [
    KeyBinding(.nextUnreadFeed, [.character(")")], "the next feed with unread articles", .read),
    KeyBinding(
      .previousUnreadFeed, [.character("(")], "the feed before that has unread articles", .read),
    KeyBinding(.today, [.character("@")], "the articles of today, and back", .read),
    KeyBinding(.randomUnread, [.character("~")], "any unread article of this list", .read),
  ]

  /// Ways from the selected article, where one can be.
  static let articleSteps: [KeyBinding] = [
    KeyBinding(.nextStarred, [.character("'")], "the next starred article", .read),
    KeyBinding(.previousStarred, [.character("\"")], "the starred article before", .read),
    KeyBinding(.goToFeed, [.character("i")], "go to the feed of this article", .read),
    KeyBinding(.openComments, [.character("C")], "its comments or the page of them", .read),
  ]

  static let markAboveRead = KeyBinding(
    .markAboveRead, [.character("{")], "mark all above this one read", .read)
  static let markBelowRead = KeyBinding(
    .markBelowRead, [.character("}")], "mark all below this one read", .read)
  static let markOlderRead = KeyBinding(
    .markOlderRead, [.character("_")], "mark what is older than a time read", .read)
}

/// Steps from one article or feed to another, and marks of what lies on one side of an article.
extension ReaderState {
  // MARK: Feeds

  /// Shows the next feed of the sidebar that has unread articles, those in closed folders too, and begins again at
  /// the other end.
  mutating func goToUnreadFeed(_ delta: Int) -> [Effect] {
    guard !subscriptions.feeds.isEmpty else {
      return notify("no feeds yet; \(key(.addFeed)) adds one")
    }
    guard let timeline = sidebar.unreadFeed(delta, in: subscriptions) else {
      return notify("no other feed has unread articles")
    }
    return focus == .sidebar ? show(timeline) : goToList(of: timeline)
  }

  /// Shows the feed of the selected or open article, with the article selected.
  mutating func goToFeedOfCurrent() -> [Effect] {
    let row = focus == .article ? article.flatMap { list.row(of: $0.id) } : list.selectedArticle
    let open = focus == .article ? article?.page?.article : nil
    guard let feed = row?.feedID ?? open?.feedID, let id = row?.id ?? open?.id
    else { return notify("no article is selected") }
    let position = list.query.order == .newest ? row?.position ?? open?.position : nil
    guard shownTimeline != .feed(feed) else { return notify("this is its feed already") }
    focus = .list
    // One snapshot is asked for: that around the article.
    let effects = show(.feed(feed)).filter { if case .list(.observe) = $0 { false } else { true } }
    return effects + [list.seek(id, at: list.query.order == .newest ? position : nil)]
  }

  // MARK: Articles

  mutating func find(_ step: ArticleStep) -> [Effect] {
    [.list(.find(step, in: shownTimeline, list.query.order, from: list.selectedPosition))]
  }

  /// Selects the article that a step has led to; where one is open, or any was asked for, opens it.
  mutating func receive(
    _ step: ArticleStep, to position: TimelinePosition?, of timeline: Timeline
  ) -> [Effect] {
    guard timeline == shownTimeline else { return [] }
    guard let position else {
      switch step {
      case .nextStarred: return notify("no starred article below")
      case .previousStarred: return notify("no starred article above")
      case .randomUnread: return notify("nothing is unread here")
      }
    }
    let effects = [list.seek(position)]
    guard focus == .article || step == .randomUnread else {
      focus = .list
      return effects
    }
    return effects + open(position.article)
  }

  /// Shows what was written today, from wherever it is asked for.
  mutating func showToday() -> [Effect] {
    guard let today = try? ArticleQuery("on:today") else { return [] }
    let timeline = Timeline.matching(today, in: .all)
    if shownTimeline == timeline, list.isLimited { return leaveSearch() }
    focus = .list
    return show(timeline, isLimited: true)
  }

  mutating func openComments() -> [Effect] {
    let id = focus == .article ? article?.id : list.selectedArticle?.id
    guard let id else { return notify("no article is selected") }
    conversationWanted = id
    return [.conversation(.follow(id))]
  }

  // MARK: Marks

  enum Side { case above, below }

  /// Marks what lies on one side of the selected article, and the article not.
  mutating func markRead(_ side: Side) -> [Effect] {
    guard var position = list.selectedPosition else { return notify("no article is selected") }
    guard let seen = list.seenUnread else { return notify("nothing is unread here") }
    guard list.query.order.isByDate else {
      return notify(
        "above and below are times, and this list is \(list.query.order.name); \(key(.changeOrder)) sorts it by date"
      )
    }
    var side = side
    if list.query.order == .oldest {
      position = position.mirrored
      side = side == .above ? .below : .above
    }
    let below = TimelinePosition(date: position.date, id: position.id - 1)
    let intent =
      side == .above
      ? Intent.markAllRead(
        seen.timeline, notNewerThan: seen.notNewerThan, except: seen.except, newerThan: position)
      : Intent.markAllRead(
        seen.timeline, notNewerThan: below,
        except: list.query.order == .oldest ? seen.except : nil)
    return list.keepAll() + [apply(intent)]
  }

  /// Offers the verb with the list that shows; the time can be changed before it is done.
  ///
  /// - Parameter query: the articles in the place of that list.
  mutating func askToMarkOlderRead(within query: String? = nil) -> [Effect] {
    let scope =
      (query ?? subscriptions.queryText(of: shownTimeline)).map {
        TypedWords.quoted("(\($0))") + " "
      } ?? ""
    return openCommandLine(with: "read \(scope)before:1w")
  }
}
