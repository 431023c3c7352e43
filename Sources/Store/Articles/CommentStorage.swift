package import Foundation
internal import GRDB
package import News
internal import Text

// Comments belong to their article. Each has the number of the fetch that brought it: those with a
// higher number than the user's last visit are new.

extension CommentsView {
  /// The state of an article's conversation; nil where nothing is known.
  package func record(of article: ArticleID) throws -> ConversationRecord? {
    try db.row(
      "SELECT fetchedAt, arrival, seen, isCut, error FROM conversation WHERE articleID = ?",
      [article]
    ).map {
      ConversationRecord(
        fetched: date($0["fetchedAt"]), arrival: $0["arrival"], seen: $0["seen"],
        isCut: $0["isCut"], error: StoredError.decode($0["error"]))
    }
  }

  /// Validators and digest of the first page of the last fetch.
  package func known(on article: ArticleID) throws -> KnownPage {
    let row = try db.row(
      "SELECT etag, lastModified, bodyDigest FROM conversation WHERE articleID = ?", [article])
    guard let row else { return KnownPage() }
    return KnownPage(
      validators: Validators(etag: row["etag"], lastModified: row["lastModified"]),
      bodyDigest: row["bodyDigest"])
  }

  package func changes(on article: ArticleID) throws -> Int {
    try db.value("SELECT changes FROM conversation WHERE articleID = ?", [article]) ?? 0
  }

  package func ids(on article: ArticleID) throws -> Set<String> {
    try String.fetchSet(
      db.cachedStatement(sql: "SELECT commentID FROM comment WHERE articleID = ?"),
      arguments: [article])
  }

  /// The version of a comment as it was shown last; nil where there is none.
  package func version(ofComment id: String, on article: ArticleID) throws -> String? {
    try db.value(
      "SELECT version FROM comment WHERE articleID = ? AND commentID = ?", [article, id])
  }

  /// The comments on an article in the order of their server, with the number of the fetch that
  /// brought each.
  package func all(on article: ArticleID) throws -> [(comment: Comment, arrival: Int)] {
    let rows = try db.cursor(
      """
      SELECT commentID, arrival, parent, author, published, updated, isHTML, content, url,
        version, attachments
      FROM comment WHERE articleID = ? ORDER BY place, commentID
      """, [article])
    var comments: [(Comment, Int)] = []
    while let row = try rows.next() {
      let text = BodyCodec.decode(row["content"]) ?? ""
      let isHTML: Bool = row["isHTML"]
      let comment = Comment(
        id: row["commentID"], parent: row["parent"],
        author: StoredText.line(row["author"] as String?), published: date(row["published"]),
        updated: date(row["updated"]), text: isHTML ? "" : PlainText.sanitizedBlock(text),
        version: row["version"], attachments: StoredAttachments.decode(row["attachments"]),
        html: isHTML ? StoredText.markup(text) : nil, url: StoredText.link(row["url"] as String?))
      comments.append((comment, row["arrival"]))
    }
    return comments
  }
}

extension CommentsEdit {
  /// Keeps comments of one fetch.
  ///
  /// - Parameters:
  ///   - start: the place of the first one in the fetch; nil for the order of their dates.
  ///   - arrival: the number of the fetch.
  package func keep(
    _ comments: [Comment], from start: Int?, on article: ArticleID, arrival: Int
  ) throws {
    guard try view.articles.contains(article) else { return }
    let insert = try db.cachedStatement(
      sql: """
        INSERT INTO comment (articleID, commentID, place, arrival, parent, author, published,
          updated, isHTML, content, url, version, attachments)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
        ON CONFLICT (articleID, commentID) DO UPDATE SET place = ?3, parent = ?5, author = ?6,
          published = ?7, updated = ?8, isHTML = ?9, content = ?10, url = ?11, version = ?12,
          attachments = ?13, arrival = min(arrival, ?4)
        WHERE arrival > ?4 OR place IS NOT ?3 OR content IS NOT ?10 OR parent IS NOT ?5
          OR author IS NOT ?6 OR updated IS NOT ?8 OR version IS NOT ?12
          OR attachments IS NOT ?13 OR url IS NOT ?11
        """)
    let encoder = BodyEncoder()
    var count = 0
    for (index, comment) in comments.enumerated() where !comment.id.isEmpty {
      let place = start.map { Int64($0 + index) } ?? seconds(comment.published) ?? 0
      try insert.execute(arguments: [
        article, comment.id, place, arrival, comment.parent, comment.author,
        seconds(comment.published), seconds(comment.updated), comment.html != nil,
        encoder.encode(String((comment.html ?? comment.text).prefix(Conversation.longestText))),
        comment.url, comment.version, StoredAttachments.encode(comment.attachments),
      ])
      count += 1
    }
    guard count > 0 else { return }
    try db.run(
      """
      INSERT INTO conversation (articleID, arrival, isCut) VALUES (?1, 0, 0)
      ON CONFLICT (articleID) DO NOTHING
      """, [article])
    try db.run(
      """
      UPDATE conversation SET changes = changes + 1,
        arrival = iif(arrival < ?2 AND EXISTS (
          SELECT 1 FROM comment WHERE articleID = ?1 AND arrival = ?2), ?2, arrival)
      WHERE articleID = ?1
      """, [article, arrival])
  }

  /// Notes that all comments on an article were fetched.
  ///
  /// - Parameters:
  ///   - gone: the ids of comments that the server has deleted.
  ///   - isCut: whether there are more comments.
  ///   - known: the state of the first page.
  package func finishFetch(
    of article: ArticleID, gone: Set<String>, isCut: Bool, known: KnownPage = KnownPage(), now: Date
  ) throws {
    guard try view.articles.contains(article) else { return }
    try db.run(
      """
      INSERT INTO conversation (articleID, fetchedAt, arrival, isCut, etag, lastModified, bodyDigest,
          changes)
        VALUES (?1, ?2, 0, ?3, ?4, ?5, ?6, 1)
      ON CONFLICT (articleID) DO UPDATE SET fetchedAt = ?2, isCut = ?3, etag = ?4,
        lastModified = ?5, bodyDigest = ?6, error = NULL, changes = changes + 1
      """,
      [
        article, seconds(now), isCut, known.validators.etag, known.validators.lastModified,
        known.bodyDigest,
      ])
    let delete = try db.cachedStatement(
      sql: "DELETE FROM comment WHERE articleID = ? AND commentID = ?")
    for comment in gone { try delete.execute(arguments: [article, comment]) }
    // Feeds of comments grow without end: the oldest are dropped.
    try db.run(
      """
      DELETE FROM comment WHERE articleID = ?1 AND commentID IN (
        SELECT commentID FROM comment WHERE articleID = ?1
        ORDER BY place DESC, commentID DESC LIMIT -1 OFFSET \(Conversation.mostComments))
      """, [article])
  }

  /// Notes that a fetch has failed. Stored comments stay.
  package func noteFailure(ofFetch error: SourceError, of article: ArticleID) throws {
    try db.run(
      """
      INSERT INTO conversation (articleID, arrival, isCut, error)
        SELECT id, 0, 0, ?2 FROM article WHERE id = ?1
      ON CONFLICT (articleID) DO UPDATE SET error = ?2
      """, [article, StoredError.encode(error)])
  }

  /// Keeps a comment of the user's that was sent: in its place or behind the others, and not as
  /// new.
  package func keepOwn(_ comment: Comment, of article: ArticleID) throws {
    let place: Int? = try db.value(
      """
      SELECT coalesce((SELECT place FROM comment WHERE articleID = ?1 AND commentID = ?2),
        (SELECT max(place) + 1 FROM comment WHERE articleID = ?1), 0)
      """, [article, comment.id])
    try keep([comment], from: place ?? 0, on: article, arrival: 0)
  }

  package func noteVisit(of article: ArticleID, upTo arrival: Int) throws {
    try db.run(
      """
      UPDATE conversation SET seen = ?2 WHERE articleID = ?1 AND (seen IS NULL OR seen < ?2)
      """, [article, arrival])
  }
}

/// The files of a comment in one column, as JSON; null for none.
private enum StoredAttachments {
  static func encode(_ files: [Attachment]?) -> String? {
    files?.isEmpty == false ? StoredJSON.encode(files) : nil
  }

  static func decode(_ text: String?) -> [Attachment]? {
    (StoredJSON.decode(text) as [Attachment]?)?.map(\.sanitized)
  }
}

extension Attachment {
  /// With its name and type as texts come out of the store.
  var sanitized: Attachment {
    Attachment(id: id, name: StoredText.line(name), type: StoredText.line(type), length: length)
  }
}
