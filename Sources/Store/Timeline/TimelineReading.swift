internal import GRDB
package import News

/// Keyset pagination: a page is a range of an index, not an offset. Every row costs the same, and
/// none is skipped or repeated when others come and go.
extension TimelineView {
  package func slice(_ query: TimelineQuery) throws -> TimelineSlice {
    guard let selection = try ArticleSelection(query.predicate, in: view) else {
      return TimelineSlice()
    }
    let reader = SliceReader(
      view: view, selection: selection, order: query.order, kept: try keptRows(query, selection))
    let order = reader.order
    var anchor = query.anchor
    if case .article(let article) = anchor {
      anchor = try position(of: article, in: order, selection).map { .around($0) } ?? .newest
    }
    switch anchor {
    case .newest, .article:
      let older = try reader.rows(.older(than: nil), limit: query.olderCount)
      return try completed(
        TimelineSlice(rows: older.rows.map(TimelineRow.article), hasOlder: older.hasMore),
        of: query, selection)
    case .oldest:
      let newer = try reader.rows(.newer(than: nil), limit: query.olderCount)
      return try completed(
        TimelineSlice(
          rows: newer.rows.reversed().map(TimelineRow.article), hasNewer: newer.hasMore),
        of: query, selection)
    case .around(let position):
      let newer = try reader.rows(.newer(than: position), limit: query.newerCount)
      // The anchor itself belongs to the older half.
      let below = TimelinePosition(date: position.date, id: position.id + 1, text: position.text)
      let older = try reader.rows(.older(than: below), limit: query.olderCount)
      return try completed(
        TimelineSlice(
          rows: (newer.rows.reversed() + older.rows).map(TimelineRow.article),
          hasNewer: newer.hasMore, hasOlder: older.hasMore), of: query, selection)
    }
  }

  /// Adds what stands between the articles of a list: gaps, and what stories are unfolded into.
  private func completed(
    _ slice: TimelineSlice, of query: TimelineQuery, _ selection: ArticleSelection
  ) throws -> TimelineSlice {
    try view.stories.withStories(query, selection, withGaps(query, slice))
  }

  /// Positions of articles that a search finds, newest first, with one query of the index, as a
  /// page costs as much.
  ///
  /// - Parameter position: for older articles only; nil for all.
  package func positions(
    ofSearch words: String, after position: TimelinePosition?, limit: Int
  ) throws -> [TimelinePosition] {
    guard let expression = try SearchExpression.of(words, in: view) else { return [] }
    let newest = position ?? TimelinePosition(date: .max, id: .max)
    return try db.rows(
      """
      SELECT sortDate, articleID FROM articleStatus
      WHERE articleID IN (SELECT rowid FROM search WHERE search MATCH ?)
        AND (sortDate, articleID) < (?, ?)
      ORDER BY sortDate DESC, articleID DESC LIMIT ?
      """, [expression.text, newest.date, newest.id, limit]
    ).map { TimelinePosition(date: $0[0], id: $0[1]) }
  }

  /// The articles at some positions, newest first, without those that were removed.
  package func rows(at positions: some Sequence<TimelinePosition>) throws -> [ArticleRow] {
    try rows(
      from: """
        SELECT \(Self.columnsOfRow) FROM articleStatus
        WHERE articleID IN (SELECT value FROM json_each(?))
        """, arguments: [jsonList(positions.map(\.id))])
  }

  /// The place of an article in lists of an order; nil where there is no such article.
  ///
  /// - Parameter selection: of the list, by whose words it may be ordered.
  func position(
    of article: ArticleID, in order: ListOrder, _ selection: ArticleSelection? = nil
  ) throws -> TimelinePosition? {
    let text = SortText.ofStatus(order, selection)
    return try rows(
      from: """
        SELECT \(Self.columnsOfRow),
          \(text.sql) AS sortText FROM articleStatus
        WHERE articleID = ?
        """, arguments: text.arguments + [article.rawValue], in: order
    ).first?.position
  }

  /// The counts of a timeline.
  ///
  /// - Parameters:
  ///   - isMerged: whether duplicates count once.
  ///   - limit: of articles that are counted one by one: in a search, and among starred ones of
  ///     some feeds.
  package func counts(
    of timeline: Timeline, isMerged: Bool = false, limit: Int = ArticleCounts.searchLimit
  ) throws -> ArticleCounts {
    let predicate = timeline.predicate
    let isCounted = predicate.conditions.isEmpty && timeline.limit == nil
    if !isCounted || predicate.words != nil || (predicate.isStarred && predicate.source != .all) {
      return try countsByRows(predicate, isMerged: isMerged, limit: limit)
    }
    if predicate.isStarred {
      var counts = try countsByRows(predicate, isMerged: isMerged, limit: .max)
      counts.starred = counts.total
      return counts
    }
    let counts: ArticleCounts
    if let feeds = FeedSelection(predicate.source) {
      counts = try self.counts(of: feeds)
    } else {
      counts = try view.articles.countsOfShown(isMerged: isMerged)
    }
    guard predicate.isUnread else { return counts }
    var unread = ArticleCounts(total: counts.unread, unread: counts.unread, starred: 0)
    unread.unreadBehind = counts.unreadBehind
    return unread
  }

  private func countsByRows(
    _ predicate: ArticlePredicate, isMerged: Bool, limit: Int
  ) throws -> ArticleCounts {
    var predicate = predicate
    (predicate.isDistinct, predicate.joinsStories) = (isMerged, isMerged)
    guard let selection = try ArticleSelection(predicate, in: view) else { return ArticleCounts() }
    if predicate.words != nil, let hits = selection.hits?.all {
      return try counts(of: hits, in: selection, limit: limit)
    }
    let rows = selection.hasRow(isUnread: predicate.isUnread)
    let unread = selection.hasRow(isUnread: true)
    var found = "(\(selection.ids)) AS found CROSS JOIN articleStatus ON articleID = found.id"
    if predicate.words == nil {
      // Rows by date lie all over the table: a scan is quicker where many are looked at.
      let all = try view.articles.counts()
      let looksAtMany = !predicate.isUnread || all.unread * 8 > all.total
      let from = selection.isByDate && looksAtMany ? "articleStatus NOT INDEXED" : selection.from
      found = "\(from) WHERE \(selection.scope)"
      if predicate.isUnread { found += " AND isRead = 0" }
    }
    // The limit is on what is counted, not on what is found: a total below it has to be exact.
    let row = try db.row(
      """
      SELECT count(*), coalesce(sum(hasRow), 0), coalesce(sum(isUnread), 0) FROM (
        SELECT * FROM (
          SELECT \(rows.sql) AS hasRow, isRead = 0 AND \(unread.sql) AS isUnread
          FROM \(found))
        WHERE hasRow OR isUnread LIMIT ?)
      """, rows.arguments + unread.arguments + selection.scopeArguments + [limit])
    guard let row else { return ArticleCounts() }
    // An unread article has no row of its own where the first of its story was read: it counts as unread alone.
    return ArticleCounts(total: row[0] == limit ? limit : row[1], unread: row[2])
  }

  /// In the order of ids, as SQLite finds them.
  private func counts(
    of hits: PrefixHits, in selection: ArticleSelection, limit: Int
  ) throws -> ArticleCounts {
    let statement = try db.cachedStatement(
      sql: """
        SELECT articleID, isRead, duplicateOf, storyOf FROM json_each(?) AS found
          CROSS JOIN articleStatus ON articleID = found.value
        """)
    var counts = ArticleCounts()
    var counted = 0
    var first: Int64 = 0
    while counted < limit {
      let ids = hits.ids(from: first, limit: 10_000)
      guard let last = ids.last else { break }
      first = last + 1
      let rows = try Row.fetchCursor(statement, arguments: [jsonList(ids)])
      while counted < limit, let row = try rows.next() {
        if selection.hidesDuplicates, try isDuplicate(row[0], of: row[2], within: hits) { continue }
        let teller =
          try selection.joinsStories ? view.stories.firstTeller(of: row[3], in: selection) : nil
        let hasRow = teller == nil || teller?.id == row[0]
        let isUnread = row[1] == false && (hasRow || teller?.isRead == true)
        if hasRow { counts.total += 1 }
        if isUnread { counts.unread += 1 }
        if hasRow || isUnread { counted += 1 }
      }
    }
    if counted == limit { counts.total = limit }
    return counts
  }

  /// Whether another article that is a hit stands for this one.
  ///
  /// - Parameter original: nil for an article that is no duplicate.
  func isDuplicate(_ id: Int64, of original: Int64?, within hits: PrefixHits) throws -> Bool {
    guard let original else { return false }
    if hits.contains(original) { return true }
    let others: [Int64] = try db.values(
      """
      SELECT articleID FROM articleStatus INDEXED BY statusDuplicate
      WHERE duplicateOf IS NOT NULL AND duplicateOf = ? AND articleID < ?
      """, [original, id])
    return others.contains(where: hits.contains)
  }

  private func counts(of feeds: FeedSelection) throws -> ArticleCounts {
    let row = try db.row(
      """
      SELECT coalesce(sum(total), 0), coalesce(sum(unread), 0), coalesce(sum(starred), 0)
      FROM feedCount WHERE \(feeds.condition(on: "feedID"))
      """, feeds.arguments)
    guard let row else { return ArticleCounts() }
    return ArticleCounts(total: row[0], unread: row[1], starred: row[2])
  }

  /// The nearest unread article strictly below `position` in the timeline, or the first for nil.
  package func nextUnread(
    in timeline: Timeline, _ order: ListOrder = .newest, after position: TimelinePosition?
  ) throws -> TimelinePosition? {
    let query = TimelineQuery(timeline, unreadOnly: true, mergesDuplicates: true)
    guard let selection = try ArticleSelection(query.predicate, in: view) else { return nil }
    let reader = SliceReader(view: view, selection: selection, order: order)
    return try reader.rows(.older(than: position), limit: 1).rows.first?.position
  }

  package func find(
    _ step: ArticleStep, in timeline: Timeline, _ order: ListOrder = .newest,
    from position: TimelinePosition?
  ) throws -> TimelinePosition? {
    guard step != .randomUnread else { return try randomUnread(in: timeline, order) }
    let starred = Timeline.matching(try ArticleQuery("starred"), in: timeline)
    // A starred article is found wherever it stands.
    let query = TimelineQuery(starred)
    guard let selection = try ArticleSelection(query.predicate, in: view) else { return nil }
    let reader = SliceReader(view: view, selection: selection, order: order)
    let direction: SliceReader.Direction =
      step == .nextStarred ? .older(than: position) : .newer(than: position)
    return try reader.rows(direction, limit: 1).rows.first?.position
  }

  private func randomUnread(in timeline: Timeline, _ order: ListOrder) throws -> TimelinePosition? {
    let query = TimelineQuery(timeline, unreadOnly: true, mergesDuplicates: true)
    guard let selection = try ArticleSelection(query.predicate, in: view) else { return nil }
    let found = "FROM \(selection.from) WHERE \(selection.filter) AND \(selection.scope)"
    let arguments = selection.filterArguments + selection.scopeArguments
    let count =
      query.isWhole
      ? try counts(of: timeline, isMerged: true).unread
      : try db.value("SELECT count(*) \(found)", arguments) ?? 0
    guard count > 0 else { return nil }
    let row = try db.row(
      "SELECT sortDate, articleID \(found) LIMIT 1 OFFSET ?",
      arguments + [Int.random(in: 0..<count)])
    guard let id: Int64 = row?[1] else { return nil }
    return try position(of: ArticleID(id), in: selection.order(order), selection)
  }

  /// The articles of `query.keeping` that stay in a list of unread articles after they were read.
  private func keptRows(
    _ query: TimelineQuery, _ selection: ArticleSelection
  ) throws -> [ArticleRow] {
    guard query.hidesRead, !query.keeping.isEmpty else { return [] }
    let ids = query.keeping.map { String($0.rawValue) }.joined(separator: ",")
    let order = selection.order(query.order)
    let text = SortText.ofStatus(order, selection)
    return try rows(
      from: """
        SELECT \(Self.columnsOfRow),
          \(text.sql) AS sortText FROM articleStatus
        WHERE articleID IN (\(ids)) AND isRead = 1 AND \(selection.scope)
        """, arguments: text.arguments + selection.scopeArguments, in: order)
  }

  /// The columns of `articleStatus` that a row of a list is made of.
  static let columnsOfRow =
    "articleID, feedID, sortDate, isRead, isStarred, duplicateOf, score, isChanged, storyOf"

  /// Rows with their places in lists of an order, the first ones first.
  ///
  /// - Parameter isReversed: the last ones first.
  func rows(
    from status: String, arguments: StatementArguments, in order: ListOrder = .newest,
    isReversed: Bool = false
  ) throws -> [ArticleRow] {
    let cursor = try db.cursor(
      """
      SELECT status.articleID, status.feedID, coalesce(feed.ownTitle, feed.title, feed.url),
        coalesce(article.title, article.excerpt, article.url, article.entryID),
        status.isRead, status.isStarred, status.sortDate, status.duplicateOf,
        coalesce(article.published, article.updated), \(SortText.ofJoined(order)) AS sortText,
        status.score, status.isChanged, status.storyOf
      FROM (\(status)) AS status
        CROSS JOIN article ON article.id = status.articleID
        CROSS JOIN feed ON feed.id = status.feedID
      ORDER BY \(order.columns(of: "status.", isReversed: isReversed))
      """, arguments)
    var result: [ArticleRow] = []
    // By number, for the speed of lists.
    while let row = try cursor.next() {
      var article = ArticleRow(
        id: ArticleID(row[0]), feedID: FeedID(row[1]),
        feedTitle: StoredText.title(row[2] as String), title: StoredText.title(row[3] as String),
        status: ArticleStatus(isRead: row[4], isStarred: row[5]),
        position: order.position(date: row[6], id: row[0], text: row[9]), written: row[8],
        duplicateOf: (row[7] as Int64?).map { ArticleID($0) }, score: row[10], isChanged: row[11])
      if view.tellsStories { article.storyOf = (row[12] as Int64?).map { ArticleID($0) } }
      result.append(article)
    }
    return result
  }

  /// Inserts the gaps of the feeds of a timeline between its articles.
  private func withGaps(_ query: TimelineQuery, _ slice: TimelineSlice) throws -> TimelineSlice {
    // They lie between dates, the later one above.
    guard query.order == .newest, let first = slice.rows.first, let last = slice.rows.last,
      let feeds = try feedsWithGaps(in: query.timeline)
    else { return slice }
    // The article above a gap may be one that the list leaves out.
    let newest = slice.hasNewer ? first.position : TimelinePosition(date: .max, id: .max)
    let oldest = slice.hasOlder ? last.position : TimelinePosition(date: .min, id: .min)
    let gaps = try db.rows(
      """
      SELECT * FROM gap
      WHERE \(feeds.condition) AND (newerDate, newerID) BETWEEN (?, ?) AND (?, ?)
      """, feeds.arguments + [oldest.date, oldest.id, newest.date, newest.id]
    ).map { view.feeds.gap(row: $0) }
    guard !gaps.isEmpty else { return slice }
    var slice = slice
    slice.rows = (slice.rows + gaps.map(TimelineRow.gap)).sorted { one, other in
      guard one.position == other.position else { return one.position > other.position }
      // Within one second the article below a gap may stand at its position.
      return if case .gap = one { true } else { false }
    }
    return slice
  }

  /// The condition for the feeds whose gaps are shown; nil for lists of single articles.
  private func feedsWithGaps(
    in timeline: Timeline
  ) throws -> (condition: String, arguments: StatementArguments)? {
    switch timeline {
    case .starred, .search, .matching: return nil
    case .all, .unread, .folder, .feed: break
    }
    if let feeds = FeedSelection(timeline.predicate.source) {
      return (feeds.condition(on: "feedID"), feeds.arguments)
    }
    return ("feedID NOT IN (\(StoredSettings.hiddenFeeds))", [])
  }
}
