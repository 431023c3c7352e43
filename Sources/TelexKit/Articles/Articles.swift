package import Foundation
package import News
internal import Repository
internal import Store
internal import Syndication

/// The articles of a store: what a front end lists, finds, shows and marks.
package struct Articles: Sendable {
  let composition: Composition

  package init(_ composition: Composition) { self.composition = composition }

  /// Warns where the search index of a list lacks articles.
  func warnOfIncompleteIndex(_ timeline: Timeline) throws {
    guard !timeline.soughtWords.isEmpty,
      let progress = try composition.store.viewNow({ try $0.search.indexProgress() })
    else { return }
    composition.tell(.incompleteIndex(progress))
  }

  static let pageSize = 200

  /// Reads a timeline page by page: a long list is never held as a whole, and no transaction lasts
  /// while somebody looks at a row.
  ///
  /// - Parameters:
  ///   - order: nil for that of the timeline.
  ///   - position: of the article before the first one; nil for the newest.
  ///   - limit: nil for all.
  package func forEachRow(
    of timeline: Timeline, in order: ListOrder? = nil, unreadOnly: Bool = false,
    after position: TimelinePosition? = nil, limit: Int? = nil, pageSize: Int = pageSize,
    _ body: (ArticleRow) throws -> Void
  ) throws {
    try forEachPage(
      of: timeline, in: order, unreadOnly: unreadOnly, after: position, limit: limit,
      pageSize: pageSize,
      reading: { _, rows in rows }
    ) { for row in $0 { try body(row) } }
  }

  /// - Parameter read: reads values of the rows of a page, in the transaction that has found them.
  func forEachPage<Value>(
    of timeline: Timeline, in order: ListOrder? = nil, unreadOnly: Bool = false,
    after position: TimelinePosition? = nil,
    limit: Int? = nil, pageSize: Int,
    reading read: (StoreView, [ArticleRow]) throws -> [Value],
    _ body: ([Value]) throws -> Void
  ) throws {
    var left = limit ?? .max
    var last = position
    while left > 0 {
      var query = TimelineQuery(
        timeline, unreadOnly: unreadOnly,
        anchor: last.map {
          .around(TimelinePosition(date: $0.date, id: $0.id - 1, text: $0.text))
        } ?? .newest,
        olderCount: min(left, pageSize))
      query.order = order ?? timeline.ownOrder
      let (rows, values, hasOlder) = try composition.store.viewNow { view in
        let slice = try view.timeline.slice(query)
        let rows = slice.rows.compactMap { row -> ArticleRow? in
          if case .article(let row) = row { row } else { nil }
        }
        return (rows, try read(view, rows), slice.hasOlder)
      }
      try body(values)
      left -= rows.count
      last = rows.last?.position ?? last
      if !hasOlder || rows.isEmpty { return }
    }
  }

  /// The first unread articles of a timeline as its list shows them. Waits for the store without
  /// holding a thread.
  package func firstUnread(
    of timeline: Timeline, in order: ListOrder, limit: Int
  ) async throws -> [ArticleRow] {
    var query = TimelineQuery(
      timeline, unreadOnly: true, mergesDuplicates: true, anchor: .newest, olderCount: limit)
    query.order = order
    let slice = try await composition.store.view { [query] in try $0.timeline.slice(query) }
    return slice.rows.compactMap { if case .article(let row) = $0 { row } else { nil } }
  }

  package func ids(of timeline: Timeline) throws -> [ArticleID] {
    var ids: [ArticleID] = []
    // A query may look at every article: it is asked as seldom as may be.
    try forEachRow(of: timeline, in: .newest, pageSize: 20_000) { ids.append($0.id) }
    return ids
  }

  /// Reads the results of a search, newest first: the index has all positions at once, and the rows
  /// are read page by page.
  func forEachPage<Value>(
    ofSearch words: String, after position: TimelinePosition?, limit: Int?,
    pageSize: Int,
    reading read: (StoreView, [ArticleRow]) throws -> [Value],
    _ body: ([Value]) throws -> Void
  ) throws {
    let store = composition.store
    let positions = try store.viewNow {
      try $0.timeline.positions(ofSearch: words, after: position, limit: limit ?? .max)
    }
    for page in stride(from: 0, to: positions.count, by: pageSize) {
      let stretch = positions[page..<min(page + pageSize, positions.count)]
      try body(store.viewNow { try read($0, $0.timeline.rows(at: stretch)) })
    }
  }

  /// Reads all articles of a feed whole, newest first, in one transaction of the store.
  package func forEachArticle(of feed: FeedID, _ body: (Article) throws -> Void) throws {
    try composition.store.viewNow { try $0.articles.forEach(of: feed, body) }
  }

  /// An article, read beside other work; nil once it is gone.
  package func find(_ id: ArticleID) async throws -> Article? {
    try await composition.store.view { try $0.articles.article(id) }
  }

  package func isAnyThere(_ ids: [ArticleID]) async throws -> Bool {
    try await composition.store.view { view in
      try ids.contains { try view.articles.position(of: $0) != nil }
    }
  }

  /// - Throws: `SourceError` of stage `.arguments` where there is no such article.
  package func article(_ id: ArticleID) throws -> Article {
    guard let article = try composition.store.viewNow({ try $0.articles.article(id) }) else {
      throw Self.missing(id)
    }
    return article
  }

  /// Marks articles as read or unread; none where one of them does not exist.
  package func setRead(_ ids: [ArticleID], _ isRead: Bool) async throws {
    try await apply(.mark(ids, .read(isRead), isUndoable: true), to: ids)
  }

  /// Stars articles, or takes their stars away; none where one of them does not exist.
  package func setStarred(_ ids: [ArticleID], _ isStarred: Bool) async throws {
    try await apply(.mark(ids, .starred(isStarred), isUndoable: true), to: ids)
  }

  /// Deletes articles; none where one of them does not exist.
  ///
  /// - Returns: how many are gone; those of accounts at servers stay.
  package func delete(_ ids: [ArticleID]) async throws -> Int {
    try await apply(.delete(ids), to: ids).count
  }

  /// Undoes the last action of the user; nil for none.
  package func undo() async throws -> JournalEntry? {
    if case .turned(let entry) = try await apply(.undo) { entry } else { nil }
  }

  /// Redoes the action that was undone last; nil for none.
  package func redo() async throws -> JournalEntry? {
    if case .turned(let entry) = try await apply(.redo) { entry } else { nil }
  }

  package func journal(
    limit: Int, kinds: [UserActionKind]? = nil
  ) throws -> [JournalEntry] {
    try composition.store.viewNow { try $0.journal.entries(limit: limit, kinds: kinds) }
  }

  /// Empties the journal, and erases from the files what was removed.
  package func clearJournal() async throws {
    try await composition.forgettingRemoved {
      try await composition.store.edit { try $0.journal.clear() }
    }
    await composition.repository.secrets.forgetDiscarded()
    try await composition.eraseRemoved()
  }

  /// Gives articles a tag, or takes it away; none where one of them does not exist.
  package func setTag(_ ids: [ArticleID], _ name: String, _ isSet: Bool) async throws {
    try await apply(.setTag(ids, name, isSet), to: ids)
  }

  /// Adds articles to Later, or removes them; none where one of them does not exist.
  ///
  /// - Parameter due: when they come back to Later; nil for at once.
  package func setLater(
    _ ids: [ArticleID], _ isAdded: Bool, until due: Date? = nil
  ) async throws -> Later.Change {
    let outcome = try await apply(.setLater(ids, isAdded, until: due), to: ids)
    guard case .later(let change) = outcome else {
      return Later.Change(isAdded: isAdded, articles: [])
    }
    return change
  }

  package func tags() throws -> [TagSummary] {
    try composition.store.viewNow { try $0.tags.summaries() }
  }

  /// Stores a change by the user, with its outbox entry.
  ///
  /// - Returns: the number of articles that a batch changed, 0 for single marks; or the undone
  ///   action.
  @discardableResult
  package func apply(_ intent: Intent) async throws -> IntentOutcome {
    let outcome = try await composition.repository.apply(intent)
    if case .turned(let entry?) = outcome, entry.kind == .setProxy, let id = entry.feed,
      let feed = try await composition.store.view({ try $0.feeds.feed(id) })
    {
      // Nothing is sent to a proxy that the feed has no more. One that cannot be deleted now is for that proxy alone.
      try? await composition.vault.forgetProxyPassword(entry.replacedProxy, of: feed)
    }
    return outcome
  }

  /// Stores the reading position in an article; nil for its top.
  package func keepPlace(_ place: ReadingPosition?, in id: ArticleID) async throws {
    try await composition.store.edit { try $0.marks.setReadingPosition(id, place) }
  }

  /// Stores how far a file of an article has been played.
  package func keepPlayback(
    _ playback: Playback, of file: String, in id: ArticleID
  ) async throws {
    try await composition.store.edit { try $0.playback.set(playback, of: file, in: id) }
  }

  /// The next unread article below `position`; else the first unread one of the timeline, else the
  /// newest of all.
  package func nextUnread(
    in timeline: Timeline, _ order: ListOrder = .newest, after position: TimelinePosition?
  ) async throws -> (timeline: Timeline, position: TimelinePosition)? {
    try await composition.store.view {
      try $0.nextUnread(in: timeline, order, after: position)
    }
  }

  /// The position after a step from an article; nil for none.
  package func find(
    _ step: ArticleStep, in timeline: Timeline, _ order: ListOrder = .newest,
    from position: TimelinePosition?
  ) async throws -> TimelinePosition? {
    try await composition.store.view {
      try $0.timeline.find(step, in: timeline, order, from: position)
    }
  }

  /// Fetches the next older page of the feeds in a timeline. Cancelling the task closes the
  /// connections.
  package func loadOlder(_ timeline: Timeline) async throws {
    try await composition.repository.pages.load(timeline)
  }

  package func fill(_ gap: Gap) async throws { try await composition.repository.pages.fill(gap) }

  @discardableResult
  private func apply(_ intent: Intent, to ids: [ArticleID]) async throws -> IntentOutcome {
    try composition.store.viewNow { view in
      for id in ids where try view.articles.position(of: id) == nil { throw Self.missing(id) }
    }
    return try await composition.repository.apply(intent)
  }

  static func missing(_ id: ArticleID) -> SourceError {
    SourceError(
      .store, stage: .arguments, subject: "\(id.rawValue)", message: "there is no such article",
      next: "telex articles prints the numbers")
  }
}

/// Changes of an article by its feed.
package struct ArticleChanges: Hashable, Sendable {
  /// HTML in which removed lines stand in `<del>` with a minus before them, and added ones in `<ins>` with a plus.
  package var html: String
  /// When the first change was stored since the user last saw the article.
  package var since: Date
}

extension Articles {
  /// Compares an article with its former version, title and text, up to 4,000 lines and 256 KiB.
  ///
  /// - Throws: `SourceError` of stage `.arguments` where there is no such article or version.
  package func changes(in id: ArticleID) async throws -> ArticleChanges {
    let (article, former) = try await composition.store.view { view in
      (try view.articles.article(id), try view.formerTexts.text(of: id))
    }
    guard let article else { throw Self.missing(id) }
    guard let former else {
      throw SourceError(
        .store, stage: .arguments, subject: "\(id.rawValue)",
        message: "no earlier version of this article is kept",
        next: "telex set FEED --update changed keeps versions from now on")
    }
    let entry = article.entry
    guard former.isWhole else {
      return ArticleChanges(
        html: TextChanges.html(from: [former.title ?? ""], to: [entry.title ?? ""])
          + "<p>The former text was too long to be kept.</p>", since: former.changed)
    }
    let html = TextChanges.html(
      from: Self.lines(former.title, former.contentHTML, former.summary),
      to: Self.lines(entry.title, entry.contentHTML, entry.summary))
    return ArticleChanges(
      html: html.isEmpty ? "<p>The article says again what it said before.</p>" : html,
      since: former.changed)
  }

  /// Removes the mark of a changed article.
  package func clearChanged(_ id: ArticleID) async throws {
    try await composition.store.edit { try $0.formerTexts.clearChanged(id) }
  }

  private static func lines(_ title: String?, _ html: String?, _ summary: String?) -> [String] {
    let text = html.map(TextChanges.lines(ofHTML:)) ?? []
    return (title.map { [$0] } ?? []) + (text.isEmpty ? summary.map { [$0] } ?? [] : text)
  }
}
