internal import News

/// Marks of articles: read, starred, and many at once. A mark is visible in all panes before it is stored.
enum Marking {
  /// Marks as read, and the whole story that its row stands for; the article stays in a list that hides what is read until the list is left.
  ///
  /// - Parameter isUndoable: whether the user asked for just this.
  static func setRead(
    _ id: ArticleID, _ isRead: Bool, isUndoable: Bool = false, in state: inout ReaderState
  ) -> [Effect] {
    let effects = isRead ? state.list.keep([id]) : []
    let ids = [id] + state.list.folded(behind: id)
    return effects + [state.apply(.mark(ids, .read(isRead), isUndoable: isUndoable))]
  }

  /// Shows the marks of the rows in the open article.
  static func updateArticle(in state: inout ReaderState) {
    state.article?.updateStatus(from: state.list.rows)
  }

  static func setStarred(
    _ id: ArticleID, _ isStarred: Bool, in state: inout ReaderState
  ) -> [Effect] {
    [state.apply(.mark([id], .starred(isStarred), isUndoable: true))]
  }

  static func askToMarkAllRead(in state: inout ReaderState) -> [Effect] {
    guard let unread = state.list.seenUnread else { return state.notify(MarksStrings.noUnreadHere) }
    // One feed can be taken back with a key; everything is asked about first.
    if case .feed = unread.timeline { return markRead(unread, in: &state) }
    state.ask(.markAllRead(unread))
    return []
  }

  /// Asks whether to mark every feed read, except for articles that have come since a list was read
  /// last.
  static func askToMarkAllFeedsRead(in state: inout ReaderState) -> [Effect] {
    // Feeds that stay out of the list of all articles are left as they are.
    let count = state.subscriptions.counts.unreadArticles
    guard count > 0 else { return state.notify(MarksStrings.noUnread) }
    state.ask(
      .markAllRead(SeenUnread(timeline: .all, count: count, except: unseenRegion(in: state))))
    return []
  }

  static func markRead(_ unread: SeenUnread, in state: inout ReaderState) -> [Effect] {
    let intent = Intent.markAllRead(
      unread.timeline, notNewerThan: unread.notNewerThan, except: unread.except)
    return state.list.keepAll() + [state.apply(intent)]
  }

  /// Marks feeds as read, except for articles that have come since a list was read last.
  static func markRead(feeds ids: [FeedID], in state: inout ReaderState) -> [Effect] {
    let counts = ids.compactMap(state.feed).reduce(ArticleCounts()) { $0 + $1.counts }
    guard counts.unread > 0, let query = try? ArticleQuery(ids.queryText) else {
      return state.notify(MarksStrings.noUnreadInSelectedFeeds)
    }
    let intent = Intent.markAllRead(
      .matching(query, in: .all), notNewerThan: nil, except: unseenRegion(in: state))
    return state.list.keepAll() + [state.apply(intent)]
  }

  /// Articles that have come since a list was read last.
  private static func unseenRegion(in state: ReaderState) -> UnseenRegion? {
    state.lastArticle.map { UnseenRegion(above: TimelinePosition(date: .min, id: .min), since: $0) }
  }

  // MARK: Several articles

  /// The selected articles, while the list has the focus; nil for none.
  private static func picked(in state: ReaderState) -> [ArticleID]? {
    state.focus == .list && !state.list.picked.isEmpty ? state.list.picked.ids : nil
  }

  /// - Returns: nil where nothing is picked, or the command is about one article at a time.
  static func performOnPicked(_ command: Command, in state: inout ReaderState) -> [Effect]? {
    guard let ids = picked(in: state) else { return nil }
    var effects: [Effect]
    switch command {
    case .toggleRead, .markRead, .markUnread:
      // One that is unread makes all of them read.
      let isRead =
        command == .toggleRead
        ? ids.contains { state.list.status(of: $0)?.isRead == false } : command == .markRead
      effects = isRead ? state.list.keep(ids) : []
      let all = ids + ids.flatMap(state.list.folded)
      effects.append(state.apply(.mark(all, .read(isRead), isUndoable: true)))
      effects += state.notify(
        MarksStrings.marked(ids.count, isRead: isRead, undo: state.key(.undo)))
    case .toggleStar:
      let isStarred = ids.contains { state.list.status(of: $0)?.isStarred == false }
      effects = [state.apply(.mark(ids, .starred(isStarred), isUndoable: true))]
      effects += state.notify(
        MarksStrings.starred(ids.count, isStarred: isStarred, undo: state.key(.undo)))
    case .later: effects = [state.apply(.setLater(ids, nil))]
    case .remove: effects = delete(ids, in: &state)
    case .openInBackground:
      guard ids.count <= Self.mostOpened else {
        return state.notify(MarksStrings.tooManyToOpen(ids.count, most: Self.mostOpened))
      }
      effects = ids.map { .opening(.openArticleLink($0, inBackground: true)) }
    case .tag:
      state.ask(.tagsOfSeveral(ids))
      return []
    default: return nil
    }
    state.list.picked = MultipleSelection()
    return effects
  }

  /// Puts the selected articles into Later, out of sight until a time as the user has typed it.
  static func hideUntil(_ time: String, in state: inout ReaderState) -> [Effect] {
    let ids = picked(in: state) ?? state.current.map { [$0.0] } ?? []
    guard !ids.isEmpty else { return state.notify(CoreStrings.noArticleSelected) }
    state.list.picked = MultipleSelection()
    return ProgramRuns.run(
      verb: ["later"] + ids.map { "\($0.rawValue)" } + ["--until", time], in: &state)
  }

  /// So many pages are opened at once.
  static let mostOpened = 20

  /// Asks for tags to add and remove: a row does not know the tags of its article.
  static func askForTagsOfRow(in state: inout ReaderState) -> [Effect] {
    guard let row = state.list.selectedArticle else {
      return state.notify(CoreStrings.noArticleSelected)
    }
    state.ask(.tagsOfSeveral([row.id]))
    return []
  }

  /// Puts tags on articles; those with a minus before them are taken off.
  static func tagSeveral(
    _ ids: [ArticleID], _ typed: String, in state: inout ReaderState
  ) -> [Effect] {
    let changes = TypedTags(typed)
    guard !changes.added.isEmpty || !changes.removed.isEmpty else { return [] }
    state.list.picked = MultipleSelection()
    return [state.apply(.changeTags(ids, added: changes.added, removed: changes.removed))]
      + state.notify(MarksStrings.tagged(ids.count, changes.summary))
  }

  // MARK: One side of an article

  enum Side { case above, below }

  /// Marks what lies on one side of the selected article, and the article not.
  static func markRead(_ side: Side, in state: inout ReaderState) -> [Effect] {
    guard var position = state.list.selectedPosition else {
      return state.notify(CoreStrings.noArticleSelected)
    }
    guard let seen = state.list.seenUnread else { return state.notify(MarksStrings.noUnreadHere) }
    guard state.list.query.order.isByDate else {
      return state.notify(
        MarksStrings.noSides(order: state.list.query.order.name, sort: state.key(.sort)))
    }
    var side = side
    if state.list.query.order == .oldest {
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
        except: state.list.query.order == .oldest ? seen.except : nil)
    return state.list.keepAll() + [state.apply(intent)]
  }
}

extension ReaderState {
  /// Shows a change of marks and stores it. All changes go through here.
  mutating func apply(_ intent: Intent) -> Effect {
    pendingMarks.make(intent, over: shownStatus)
    for (id, mark) in intent.marks { show(mark, of: id) }
    return .apply(intent)
  }

  mutating func revert(_ intent: Intent) {
    for (id, mark) in intent.marks { show(pendingMarks.revoke(mark, of: id), of: id) }
  }

  private mutating func show(_ mark: Mark, of id: ArticleID) {
    guard list.snapshot != nil else { return }
    list.mark(id, mark)
    if article?.id == id { article?.mark(mark) }
  }

  /// The visible marks of an article; nil where it is not visible.
  private func shownStatus(of id: ArticleID) -> ArticleStatus? {
    list.row(of: id)?.status ?? (article?.id == id ? article?.status : nil)
  }
}

extension Intent {
  fileprivate var marks: [(ArticleID, Mark)] {
    guard case .mark(let articles, let mark, _) = self else { return [] }
    return articles.map { ($0, mark) }
  }
}

/// The unread articles that the user has seen in a list.
struct SeenUnread: Hashable, Sendable {
  var timeline: Timeline
  /// In articles: those of a story that stand behind its first one are marked with it.
  var count: Int
  /// The newest one; nil where the rows do not reach the top of the timeline.
  var notNewerThan: TimelinePosition?
  /// Where articles have arrived above the screen.
  var except: UnseenRegion?
}
