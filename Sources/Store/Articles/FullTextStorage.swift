package import Foundation
internal import GRDB
package import News

// Full texts from the pages of articles. A row without a text is a failed attempt, with the time of
// the next one.

package struct WantedFullText: Hashable, Sendable {
  package let article: ArticleID
  package let feed: FeedID
  package let url: String
  /// Whether the user has typed the address, so that any host is allowed.
  package var isTyped: Bool

  package init(article: ArticleID, feed: FeedID, url: String, isTyped: Bool = false) {
    self.article = article
    self.feed = feed
    self.url = url
    self.isTyped = isTyped
  }
}

extension FullTextsView {
  /// The full text of an article; nil where there is none yet.
  package func text(of article: ArticleID) throws -> FullText? {
    let row = try db.row(
      """
      SELECT page, content, details, isShown, fetchedAt FROM fullText
      WHERE articleID = ? AND content IS NOT NULL
      """, [article])
    guard let row, let html = BodyCodec.decode(row["content"]) else { return nil }
    var text = FullText(
      url: StoredText.link(row["page"] as String), html: StoredText.markup(html),
      fetched: Date(seconds: row["fetchedAt"]), isShown: row["isShown"])
    FullTextDetails.decode(row["details"])?.add(to: &text)
    return text
  }

  /// The address of an article's page that the user has typed; nil for any other.
  package func typedPage(of article: ArticleID) throws -> String? {
    guard let details = try details(of: article.rawValue), details.isTyped == true else {
      return nil
    }
    return StoredText.link(details.asked)
  }

  fileprivate func details(of article: Int64) throws -> FullTextDetails? {
    FullTextDetails.decode(
      try db.value("SELECT details FROM fullText WHERE articleID = ?", [article]))
  }

  /// Unread articles without a full text whose first or next attempt is due, the newest first.
  package func wanted(of feeds: [FeedID], limit: Int, now: Date) throws -> [WantedFullText] {
    var wanted: [WantedFullText] = []
    let statement = try db.cachedStatement(
      sql: """
        SELECT article.id, article.feedID, article.url FROM articleStatus AS status
            INDEXED BY statusUnreadByFeed
          JOIN article ON article.id = status.articleID
          LEFT JOIN fullText ON fullText.articleID = article.id
        WHERE status.isRead = 0 AND status.feedID = ?1 AND article.url IS NOT NULL
          AND (fullText.articleID IS NULL OR (fullText.content IS NULL
            AND (fullText.nextAttempt <= ?2 OR fullText.nextAttempt > ?4)))
        ORDER BY status.sortDate DESC, article.id DESC LIMIT ?3
        """)
    for feed in feeds {
      let rows = try Row.fetchAll(
        statement,
        arguments: [
          feed, seconds(now), limit, seconds(FullTextsEdit.latestAttempt(after: now)),
        ])
      wanted += rows.map {
        WantedFullText(
          article: $0["id"], feed: $0["feedID"], url: StoredText.link($0["url"] as String))
      }
    }
    return wanted
  }
}

extension FullTextsEdit {
  /// Attempts after which only the user asks for a page.
  package static let mostAttempts = 5

  /// Bound of attempts: a later one was set before the clock was set back.
  static func latestAttempt(after now: Date) -> Date { now.addingTimeInterval(longestWait) }

  private static let longestWait: Double = 4 * 86_400

  /// Keeps the full text of an article, and replaces an earlier one.
  ///
  /// - Parameter page: the address that was requested; the text stays as long as the feed gives
  ///   this one.
  /// - Returns: whether the article is there with this address.
  @discardableResult
  package func keep(
    _ text: FullText, of article: ArticleID, page: String, now: Date
  ) throws -> Bool {
    let id = article.rawValue
    let url: String? = try db.value("SELECT url FROM article WHERE id = ?", [id])
    guard let url, StoredText.link(url) == page || url == page else { return false }
    var details = FullTextDetails(text, asked: url)
    details.isTyped = try view.fullTexts.details(of: id)?.isTyped
    try edit.indexing.remove(id, in: db)
    try db.run(
      """
      INSERT OR REPLACE INTO fullText (articleID, page, content, details, isShown, fetchedAt,
        failures, nextAttempt, error) VALUES (?, ?, ?, ?, ?, ?, 0, NULL, NULL)
      """,
      [
        id, text.url, BodyEncoder().encode(text.html), StoredJSON.encode(details), text.isShown,
        seconds(text.fetched),
      ])
    try edit.indexing.add(id, in: db)
    try StoryJoining(edit: edit, now: now).join(article, at: text.url)
    return true
  }

  package func show(_ isShown: Bool, of article: ArticleID) throws {
    try db.run(
      "UPDATE fullText SET isShown = ?2 WHERE articleID = ?1 AND isShown <> ?2", [article, isShown])
  }

  /// Notes a failed fetch of a page. An earlier text stays. The waits between attempts are an hour,
  /// four, sixteen.
  package func noteFailure(
    _ error: SourceError, of article: ArticleID, page: String, now: Date
  ) throws {
    let id = article.rawValue
    guard try view.articles.contains(article) else { return }
    let failures =
      1 + (try db.value("SELECT failures FROM fullText WHERE articleID = ?", [id]) ?? 0)
    let wait = 3_600 << Int64(2 * min(failures - 1, 4))
    let next =
      failures < Self.mostAttempts
      ? max((seconds(now) ?? 0) + Int64(wait), seconds(error.nextAttempt) ?? 0) : nil
    try db.run(
      """
      INSERT INTO fullText (articleID, page, isShown, fetchedAt, failures, nextAttempt, error)
      VALUES (?1, ?2, 0, ?3, ?4, ?5, ?6)
      ON CONFLICT (articleID) DO UPDATE SET failures = ?4,
        nextAttempt = iif(content IS NULL, ?5, NULL), error = ?6
      """, [id, page, seconds(now), failures, next, StoredError.encode(error)])
  }

  /// Whether a changed article keeps its full text: not with a new address.
  func keepsText(of id: Int64) throws -> Bool {
    let row = try db.row(
      """
      SELECT article.url, fullText.page, fullText.details, fullText.content IS NOT NULL
      FROM fullText JOIN article ON article.id = fullText.articleID WHERE articleID = ?
      """, [id])
    guard let row else { return false }
    let asked = FullTextDetails.decode(row[2])?.asked ?? (row[1] as String)
    if asked == row[0] as String? { return row[3] }
    try db.run("DELETE FROM fullText WHERE articleID = ?", [id])
    return false
  }

  func copy(of article: Int64, to other: Int64) throws {
    try edit.indexing.remove(other, in: db)
    try db.run(
      """
      INSERT OR REPLACE INTO fullText (articleID, page, content, details, isShown, fetchedAt,
          failures, nextAttempt, error)
        SELECT ?2, page, content, details, isShown, fetchedAt, failures, nextAttempt, error
        FROM fullText WHERE articleID = ?1
      """, [article, other])
    try edit.indexing.add(other, in: db)
  }
}

/// Metadata of a page, as JSON in one column.
struct FullTextDetails: Codable {
  var asked: String?
  var title: String?
  var byline: String?
  var siteName: String?
  var picture: String?
  var language: String?
  var published: Int64?
  var pages: Int?
  var isTyped: Bool?

  init(asked: String, isTyped: Bool) {
    self.asked = asked
    self.isTyped = isTyped ? true : nil
  }

  init(_ text: FullText, asked: String) {
    (self.asked, title, byline) = (asked, text.title, text.byline)
    (siteName, picture, language) = (text.siteName, text.picture, text.language)
    published = seconds(text.published)
    pages = text.pages == 1 ? nil : text.pages
  }

  static func decode(_ text: String?) -> FullTextDetails? { StoredJSON.decode(text) }

  func add(to text: inout FullText) {
    text.title = StoredText.line(title)
    text.byline = StoredText.line(byline)
    text.siteName = StoredText.line(siteName)
    text.picture = StoredText.link(picture)
    text.language = StoredText.line(language)
    text.published = date(published)
    text.pages = pages ?? 1
  }
}
