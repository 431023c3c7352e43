package import Foundation
internal import GRDB
package import News

// The articles of pages, beside what feeds say. A row without a text is an attempt that failed, with the time of the
// next one.

/// An article whose page is to be fetched.
package struct WantedFullText: Hashable, Sendable {
  package let article: ArticleID
  package let feed: FeedID
  /// The address that the feed gives it.
  package let url: String
  /// Whether the user has typed the address, whose host may then be anywhere.
  package var isTyped = false
}

extension FullTextsView {
  /// The article of an article's page; nil where there is none yet.
  package func text(of article: ArticleID) throws -> FullText? {
    let row = try db.row(
      """
      SELECT page, content, details, isShown, fetchedAt FROM fullText
      WHERE articleID = ? AND content IS NOT NULL
      """, [article])
    guard let row, let html = BodyCodec.decode(row["content"]) else {
      return nil
    }
    var text = FullText(
      url: StoredText.link(row["page"] as String), html: StoredText.markup(html),
      fetched: Date(seconds: row["fetchedAt"]),
      isShown: row["isShown"])
    FullTextDetails.decode(row["details"])?.add(to: &text)
    return text
  }

  /// The address of an article's page where the user has typed it, so that its host may be anywhere; nil for any other.
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

  /// Unread articles of feeds whose pages are to be fetched, the newest first: those that were not tried yet, and those
  /// whose next attempt has come.
  package func wanted(
    of feeds: [FeedID], limit: Int, now: Date
  ) throws -> [WantedFullText] {
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
          article: $0["id"], feed: $0["feedID"],
          url: StoredText.link($0["url"] as String))
      }
    }
    return wanted
  }
}

extension FullTextsEdit {
  /// Attempts after which the page of an article is asked for only by the user.
  package static let mostAttempts = 5

  /// No attempt is put off beyond this: one that is was put off by a clock that was set back since.
  static func latestAttempt(after now: Date) -> Date { now.addingTimeInterval(longestWait) }

  private static let longestWait: Double = 4 * 86_400

  /// Keeps the article of an article's page, in the place of an earlier one.
  ///
  /// - Parameter page: the address that was asked for; the text stays as long as the feed gives the article this one.
  /// - Returns: whether the article is there, with this address.
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

  /// Shows the full text of an article, or what its feed says.
  package func show(_ isShown: Bool, of article: ArticleID) throws {
    try db.run(
      "UPDATE fullText SET isShown = ?2 WHERE articleID = ?1 AND isShown <> ?2", [article, isShown])
  }

  /// Notes that the page of an article could not be fetched. A text that is there already stays.
  ///
  /// Each attempt waits longer than the one before: an hour, four, sixteen.
  package func noteFailure(
    _ error: SourceError, of article: ArticleID, page: String, now: Date
  ) throws {
    let id = article.rawValue
    guard try view.articles.contains(article) else { return }
    let failures =
      1
      + (try db.value("SELECT failures FROM fullText WHERE articleID = ?", [id]) ?? 0)
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

  /// Whether an article whose feed has changed it keeps the text of its page: not where its address is another one now.
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

/// What a page says about its article, as JSON in one column.
struct FullTextDetails: Codable {
  /// The address that was asked for.
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
