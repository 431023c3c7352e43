internal import News

/// Marks of articles: read, starred, and many at once. A mark is visible in all panes before it is stored.
extension ReaderState {
  /// Marks as read, and the whole story that its row stands for; the article stays in a list that hides what is read until the list is left.
  ///
  /// - Parameter isUndoable: whether the user asked for just this.
  mutating func setRead(
    _ id: ArticleID, _ isRead: Bool, isUndoable: Bool = false
  ) -> [Effect] {
    let effects = isRead ? list.keep([id]) : []
    let ids = [id] + list.folded(behind: id)
    return effects + [apply(.mark(ids, .read(isRead), isUndoable: isUndoable))]
  }

  mutating func setStarred(_ id: ArticleID, _ isStarred: Bool) -> [Effect] {
    [apply(.mark([id], .starred(isStarred), isUndoable: true))]
  }

  mutating func askToMarkAllRead() -> [Effect] {
    guard let unread = list.seenUnread else { return notify("nothing is unread here") }
    // One feed can be taken back with a key; everything is asked about first.
    if case .feed = unread.timeline { return markRead(unread) }
    ask(.markAllRead(unread))
    return []
  }

  /// Asks whether what every feed has is to be read, but for what has come since a list was read last.
  mutating func askToMarkAllFeedsRead() -> [Effect] {
    // Feeds that stay out of the list of all articles are left as they are.
    let count = subscriptions.counts.unreadArticles
    guard count > 0 else { return notify("nothing is unread") }
    ask(.markAllRead(SeenUnread(timeline: .all, count: count, except: unseenRegion)))
    return []
  }

  mutating func markRead(_ unread: SeenUnread) -> [Effect] {
    let intent = Intent.markAllRead(
      unread.timeline, notNewerThan: unread.notNewerThan, except: unread.except)
    return list.keepAll() + [apply(intent)]
  }

  /// Marks what feeds have as read, but for what has come since a list was read last.
  mutating func markRead(feeds ids: [FeedID]) -> [Effect] {
    let counts = ids.compactMap(feed).reduce(ArticleCounts()) { $0 + $1.counts }
    guard counts.unread > 0, let query = try? ArticleQuery(ids.queryText) else {
      return notify("nothing is unread here")
    }
    let intent = Intent.markAllRead(
      .matching(query, in: .all), notNewerThan: nil, except: unseenRegion)
    return list.keepAll() + [apply(intent)]
  }

  /// What has come since a list was read last.
  private var unseenRegion: UnseenRegion? {
    lastArticle.map { UnseenRegion(above: TimelinePosition(date: .min, id: .min), since: $0) }
  }

  /// Shows a change of marks and stores it. All changes go through here.
  mutating func apply(_ intent: Intent) -> Effect {
    pendingMarks.make(intent, over: shownStatus)
    for (id, mark) in intent.marks { show(mark, of: id) }
    return .apply(intent)
  }

  /// Takes a mark back that the store could not write.
  mutating func revert(_ intent: Intent) {
    for (id, mark) in intent.marks { show(pendingMarks.revoke(mark, of: id), of: id) }
  }

  /// Shows a mark in the list and in the open article.
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
  /// The changes of the articles that it names.
  fileprivate var marks: [(ArticleID, Mark)] {
    guard case .mark(let articles, let mark, _) = self else { return [] }
    return articles.map { ($0, mark) }
  }
}
