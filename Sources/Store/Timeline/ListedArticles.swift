internal import Foundation
internal import GRDB
package import News

/// Details for verbs and exports: three queries for a page of rows.
extension TimelineView {
  /// Details of rows in their order, without removed ones.
  ///
  /// - Parameter withText: whether bodies, or shown full texts, and summaries are read.
  package func listed(_ rows: [ArticleRow], withText: Bool = false) throws -> [ListedArticle] {
    guard !rows.isEmpty else { return [] }
    let ids = jsonList(rows.map(\.id.rawValue))
    let tags = try tagNames(of: ids)
    let folders = try folders(of: jsonList(Set(rows.map(\.feedID.rawValue)).sorted()))
    let accounts = try view.accounts.all()
    let found = try db.cursor(
      """
      SELECT article.id, article.entryID, article.url, article.title, article.authors,
        article.published, article.updated, article.firstSeen, feed.url, feed.account,
        articleBody.details, \(withText ? Self.texts : "NULL, NULL")
      FROM json_each(?) AS wanted CROSS JOIN article ON article.id = wanted.value
        CROSS JOIN articleBody ON articleBody.articleID = article.id
        CROSS JOIN feed ON feed.id = article.feedID
        \(withText ? "LEFT JOIN fullText ON fullText.articleID = article.id" : "")
      """, [ids])
    var entries: [Int64: ListedArticle] = [:]
    let places = Dictionary(rows.map { ($0.id.rawValue, $0) }) { first, _ in first }
    // By number, for the speed of lists.
    while let row = try found.next() {
      guard let place = places[row[0]] else { continue }
      var entry = Entry(
        id: row[1], url: StoredText.link(row[2] as String?),
        title: StoredText.line(row[3] as String?), authors: AuthorList.decode(row[4]),
        published: date(row[5]), updated: date(row[6]),
        contentHTML: StoredText.markup(BodyCodec.decode(row[11])),
        summary: StoredText.line(BodyCodec.decode(row[12])))
      EntryDetails.decode(row[10]).add(to: &entry)
      let account = AccountID(row[9])
      entries[row[0]] = ListedArticle(
        row: place, entry: entry, feedURL: StoredText.link(row[8] as String),
        account: account == .local ? nil : accounts.first { $0.id == account }?.base,
        folders: folders[place.feedID] ?? [], tags: tags[row[0]] ?? [],
        arrived: Date(seconds: row[7]))
    }
    return rows.compactMap { entries[$0.id.rawValue] }
  }

  /// SQL for what the user reads, which may be the full text, and for the summary.
  private static let texts = """
    coalesce(iif(fullText.isShown, fullText.content, NULL), articleBody.content), articleBody.summary
    """

  /// Rows of a feed from its oldest article on.
  ///
  /// - Parameter position: that of the article before the first one that is wanted; nil for the oldest.
  package func rows(
    of feed: FeedID, newerThan position: TimelinePosition?, limit: Int
  ) throws -> [ArticleRow] {
    let last = position ?? TimelinePosition(date: .min, id: .min)
    let positions = try db.rows(
      """
      SELECT sortDate, articleID FROM articleStatus INDEXED BY statusByFeed
      WHERE feedID = ? AND (sortDate, articleID) > (?, ?)
      ORDER BY sortDate, articleID LIMIT ?
      """, [feed, last.date, last.id, limit]
    ).map { TimelinePosition(date: $0[0], id: $0[1]) }
    return try rows(at: positions).reversed()
  }

  private func tagNames(of articles: String) throws -> [Int64: [String]] {
    try db.cursor(
      """
      SELECT DISTINCT articleTag.articleID, tag.name
      FROM json_each(?) AS wanted
        CROSS JOIN articleTag INDEXED BY articleTagByArticle
          ON articleTag.articleID = wanted.value
        CROSS JOIN tag ON tag.id = articleTag.tag
      ORDER BY articleTag.articleID, tag.name
      """, [articles]
    ).reduce(into: [:]) { $0[$1[0], default: []].append(StoredText.name($1[1])) }
  }

  private func folders(of feeds: String) throws -> [FeedID: [String]] {
    try db.cursor(
      """
      SELECT feedID, folder FROM feedFolder
      WHERE feedID IN (SELECT value FROM json_each(?)) ORDER BY feedID, folder
      """, [feeds]
    ).reduce(into: [:]) { $0[$1[0], default: []].append(StoredText.name($1[1])) }
  }
}
