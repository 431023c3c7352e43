internal import News
internal import Screen

/// Steps from one article or feed to another.
enum Stepping {
  // MARK: Feeds

  /// Shows the next feed of the sidebar that has unread articles, those in closed folders too, and begins again at
  /// the other end.
  static func goToUnreadFeed(_ delta: Int, in state: inout ReaderState) -> [Effect] {
    guard !state.subscriptions.feeds.isEmpty else {
      return state.notify(SubscriptionsStrings.noFeeds(state.key(.add)))
    }
    guard let timeline = state.sidebar.unreadFeed(delta, in: state.subscriptions) else {
      return state.notify(ReadingStrings.noOtherUnreadFeed)
    }
    return state.focus == .sidebar ? state.show(timeline) : state.goToList(of: timeline)
  }

  /// Shows the feed of the selected or open article, with the article selected.
  static func goToFeedOfCurrent(in state: inout ReaderState) -> [Effect] {
    let row =
      state.focus == .article
      ? state.article.flatMap { state.list.row(of: $0.id) } : state.list.selectedArticle
    let open = state.focus == .article ? state.article?.page?.article : nil
    guard let feed = row?.feedID ?? open?.feedID, let id = row?.id ?? open?.id
    else { return state.notify(CoreStrings.noArticleSelected) }
    let position = state.list.query.order == .newest ? row?.position ?? open?.position : nil
    guard state.shownTimeline != .feed(feed) else { return state.notify(ReadingStrings.feedShown) }
    state.focus = .list
    // One snapshot is asked for: that around the article.
    let effects = state.show(.feed(feed)).filter {
      if case .list(.observe) = $0 { false } else { true }
    }
    return effects + [state.list.seek(id, at: state.list.query.order == .newest ? position : nil)]
  }

  // MARK: Articles

  static func find(_ step: ArticleStep, in state: inout ReaderState) -> [Effect] {
    [
      .list(
        .find(
          step, in: state.shownTimeline, state.list.query.order, from: state.list.selectedPosition))
    ]
  }

  /// Selects the article that a step has led to; where one is open, or any was asked for, opens it.
  static func receive(
    _ step: ArticleStep, to position: TimelinePosition?, of timeline: Timeline,
    in state: inout ReaderState
  ) -> [Effect] {
    guard timeline == state.shownTimeline else { return [] }
    guard let position else {
      switch step {
      case .nextStarred: return state.notify(ReadingStrings.noStarredBelow)
      case .previousStarred: return state.notify(ReadingStrings.noStarredAbove)
      case .randomUnread: return state.notify(MarksStrings.noUnreadHere)
      }
    }
    let effects = [state.list.seek(position)]
    guard state.focus == .article || step == .randomUnread else {
      state.focus = .list
      return effects
    }
    return effects + state.open(position.article)
  }

  /// Shows what was written today, from wherever it is asked for.
  static func showToday(in state: inout ReaderState) -> [Effect] {
    guard let today = try? ArticleQuery("on:today") else { return [] }
    let timeline = Timeline.matching(today, in: .all)
    if state.shownTimeline == timeline, state.list.isLimited { return state.leaveSearch() }
    state.focus = .list
    return state.show(timeline, isLimited: true)
  }

  static func openComments(in state: inout ReaderState) -> [Effect] {
    let id = state.focus == .article ? state.article?.id : state.list.selectedArticle?.id
    guard let id else { return state.notify(CoreStrings.noArticleSelected) }
    state.conversationWanted = id
    return [.conversation(.follow(id))]
  }

  // MARK: The next article

  /// Goes to the article after or before: opens it where one is open.
  static func goToArticle(_ delta: Int, in state: inout ReaderState) -> [Effect] {
    guard state.article != nil, state.focus == .article else {
      let isAtEnd = state.list.isAtEnd(delta)
      let effects = state.list.move(by: delta)
      return isAtEnd ? effects + notifyEnd(delta, in: &state) : effects
    }
    guard let selected = state.list.selectedIndex else { return [] }
    if delta > 0, isOpenArticleGone(in: state), !state.list.rows[selected].isGap {
      return openRow(at: selected, in: &state)
    }
    guard let index = state.list.indexOfArticle(delta) else { return notifyEnd(delta, in: &state) }
    return openRow(at: index, in: &state)
  }

  /// Whether the open article has left the list, as one does that was removed: what came after it is selected then.
  private static func isOpenArticleGone(in state: ReaderState) -> Bool {
    guard let id = state.article?.id, state.list.selectedArticle?.id != id else { return false }
    return !state.list.rows.contains { $0.position.id == id.rawValue && !$0.isGap }
  }

  private static func notifyEnd(_ delta: Int, in state: inout ReaderState) -> [Effect] {
    state.notify(delta > 0 ? ReadingStrings.lastArticle : ReadingStrings.firstArticle)
  }

  /// Opens the next unread article below this one; where the list has none left, the next feed's.
  static func goToNextUnread(in state: inout ReaderState) -> [Effect] {
    let includesSelected = state.focus != .article || isOpenArticleGone(in: state)
    if let index = state.list.indexOfUnread(includesSelected: includesSelected) {
      return openRow(at: index, in: &state)
    }
    state.nextFeedAsked = nil
    return [
      .list(
        .findNextUnread(
          state.shownTimeline, state.list.query.order, after: state.list.selectedPosition))
    ]
  }

  /// The feed that is read after the one that shows, or after the folder; nil where another list shows.
  private static func nextFeedAfterThis(in state: ReaderState) -> Timeline? {
    switch state.shownTimeline {
    case .feed, .folder: state.sidebar.unreadFeed(1, in: state.subscriptions)
    default: nil
    }
  }

  static func openRow(at index: Int, in state: inout ReaderState) -> [Effect] {
    guard case .article(let row) = state.list.rows[index] else { return [] }
    return state.list.move(by: index - (state.list.selectedIndex ?? index)) + state.open(row)
  }

  /// Opens the unread article that was found.
  static func goToUnread(
    _ position: TimelinePosition?, of timeline: Timeline, in state: inout ReaderState
  ) -> [Effect] {
    guard let position else { return state.notify(MarksStrings.noUnread) }
    let asked = state.nextFeedAsked
    state.nextFeedAsked = nil
    // Its count may be of before: where it has none left either, the newest of all it is.
    if timeline == .unread, let next = nextFeedAfterThis(in: state), next != asked {
      state.nextFeedAsked = next
      return [.list(.findNextUnread(next, state.habits.shown(next).order ?? .newest, after: nil))]
    }
    guard timeline != state.shownTimeline else {
      return [state.list.seek(position)] + state.open(position.article)
    }
    let effects = state.show(timeline).filter {
      if case .list(.observe) = $0 { false } else { true }
    }
    // It was looked for among the newest, but for that of the next feed.
    let isInPlace = state.list.query.order == .newest || timeline != .unread
    return effects + [state.list.seek(position.article, at: isInPlace ? position : nil)]
      + state.open(position.article)
  }

  /// Goes to the next hit in the article, to the next article of a search, or to the next unread one, whichever shows; or
  /// to the one before.
  static func goToNext(_ step: Int, in state: inout ReaderState) -> [Effect] {
    if state.focus == .article, let find = state.article?.find {
      guard !find.hits.isEmpty else { return Finding.notifyMissing(find.words, in: &state) }
      let isAround = state.article?.goToHit(step) ?? false
      guard isAround else { return [] }
      return state.notify(
        step > 0 ? ReadingStrings.continuedFromTop : ReadingStrings.continuedFromEnd)
    }
    if state.list.isSearch, state.focus != .sidebar { return goToArticle(step, in: &state) }
    return step > 0 ? goToNextUnread(in: &state) : goToPreviousUnread(in: &state)
  }

  /// Opens the unread article above this one, as far as the list has been read.
  private static func goToPreviousUnread(in state: inout ReaderState) -> [Effect] {
    guard let selected = state.list.selectedIndex,
      let index = state.list.rows[..<selected].lastIndex(where: \.isUnread)
    else { return state.notify(ReadingStrings.noUnreadAbove) }
    return openRow(at: index, in: &state)
  }
}
