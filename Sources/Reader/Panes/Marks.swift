internal import News

/// Marks of articles: read, starred, and many at once. A mark is visible in all panes before it is stored.
extension ReaderState {
  // MARK: Of one article

  /// Marks as read; the article stays in a list that hides what is read until the list is left.
  mutating func setRead(_ id: ArticleID, _ isRead: Bool) -> [Effect] {
    var effects: [Effect] = []
    if list.query.hidesRead, isRead, !list.query.keeping.contains(id) {
      list.query.keeping.insert(id)
      list.snapshot?.query = list.query
      effects.append(.observe(list.query))
    }
    return effects + [apply(.setRead([id], isRead))]
  }

  mutating func setStarred(_ id: ArticleID, _ isStarred: Bool) -> [Effect] {
    [apply(.setStarred([id], isStarred))]
  }

  /// Shows a mark in the list and in the open article.
  private mutating func mark(_ id: ArticleID, _ change: (inout ArticleStatus) -> Void) {
    guard var snapshot = list.snapshot else { return }
    for index in snapshot.slice.rows.indices {
      guard case .article(var row) = snapshot.slice.rows[index], row.id == id else { continue }
      change(&row.status)
      snapshot.slice.rows[index] = .article(row)
    }
    list.snapshot = snapshot
    if article?.id == id { article?.change(change) }
  }

  /// The open article has the marks that its row has.
  mutating func takeStatus(from rows: [TimelineRow]) {
    guard let id = article?.id else { return }
    for case .article(let row) in rows where row.id == id { article?.take(row) }
  }

  // MARK: Of many

  mutating func askToMarkAllRead() -> [Effect] {
    let waiting = unreadAbove
    guard let unread = list.snapshot?.counts.unread, unread > waiting else {
      return tell("nothing is unread here")
    }
    // What arrives while the user decides stays unread, and so does what waits above the screen.
    let hasNewer = list.snapshot?.slice.hasNewer == true
    let newest = hasNewer ? nil : list.rows.first?.position
    let unseen = hasNewer || waiting > 0 ? unseenRegion : nil
    // One feed can be taken back with a key; everything is asked about first.
    if case .feed = list.query.timeline {
      return markAllRead(list.query.timeline, notNewerThan: newest, except: unseen)
    }
    ask(
      .markAllRead(
        list.query.timeline, count: unread - waiting, notNewerThan: newest, except: unseen))
    return []
  }

  mutating func markAllRead(
    _ timeline: Timeline, notNewerThan newest: TimelinePosition?, except unseen: UnseenRegion?
  ) -> [Effect] {
    if var snapshot = list.snapshot {
      for case .article(let row) in snapshot.slice.rows where list.query.hidesRead {
        list.query.keeping.insert(row.id)
      }
      snapshot.query = list.query
      list.snapshot = snapshot
    }
    let effects: [Effect] = list.query.hidesRead ? [.observe(list.query)] : []
    return effects + [apply(.markAllRead(timeline, notNewerThan: newest, except: unseen))]
  }

  /// How many of the articles that wait above the screen are unread, as far as the rows tell.
  private var unreadAbove: Int {
    let read = Set(
      list.rows.prefix(firstVisibleRow).compactMap { row -> Int64? in
        guard case .article(let article) = row, article.status.isRead else { return nil }
        return article.id.rawValue
      })
    return waitingAbove.count { !read.contains($0.position.id) }
  }

  // MARK: On the way to the store

  /// Shows a change of marks and stores it. All changes go through here.
  mutating func apply(_ intent: Intent) -> Effect {
    pendingMarks.make(intent, over: shownStatus)
    for (id, change) in intent.markChanges { mark(id) { $0.set(change) } }
    return .apply(intent)
  }

  /// Takes a mark back that the store could not write.
  mutating func takeBack(_ intent: Intent) {
    for (id, change) in intent.markChanges {
      let before = pendingMarks.revoke(change, of: id)
      mark(id) { $0.set(before) }
    }
  }

  /// The visible marks of an article; nil where it is not visible.
  private func shownStatus(of id: ArticleID) -> ArticleStatus? {
    for case .article(let row) in list.rows where row.id == id { return row.status }
    guard let article, article.id == id else { return nil }
    return article.row?.status ?? article.page?.article.status
  }
}

extension Intent {
  /// The changes of the articles that it names.
  fileprivate var markChanges: [(ArticleID, MarkChange)] {
    switch self {
    case .setRead(let articles, let isRead): articles.map { ($0, .read(isRead)) }
    case .setStarred(let articles, let isStarred): articles.map { ($0, .starred(isStarred)) }
    case .markAllRead, .undo: []
    }
  }
}
