internal import Foundation
internal import GRDB
package import News
internal import Text

// Earlier versions of changed articles, for feeds that are set so: one of each, as the user saw it
// last. `articleStatus.isChanged` marks those that were not opened since.

/// Title and compressed text of an article.
struct ArticleWording {
  var title: String?
  var content: Data?
  var summary: Data?

  static let ofArticle = """
    SELECT article.title, articleBody.content, articleBody.summary
    FROM article JOIN articleBody ON articleBody.articleID = article.id WHERE article.id = ?
    """

  init(_ row: Row) { (title, content, summary) = (row[0], row[1], row[2]) }

  /// Bytes of the compressed text.
  var size: Int { (content?.count ?? 0) + (summary?.count ?? 0) }

  /// Whether the words are equal, apart from spaces and markup.
  func reads(like other: ArticleWording) -> Bool {
    Self.words(title ?? "") == Self.words(other.title ?? "")
      && ((content, summary) == (other.content, other.summary)
        || Self.words(text) == Self.words(other.text))
  }

  private var text: String {
    ArticleText.make(content: BodyCodec.decode(content), summary: BodyCodec.decode(summary))
  }

  private static func words(_ text: String) -> [Substring] {
    text.split(whereSeparator: \.isWhitespace)
  }
}

extension FormerTextsEdit {
  /// Bytes of a compressed text beyond which it is not kept.
  static let limit = 256 << 10

  /// Notes the wording of an article before a new version replaces it. An article that has lost its
  /// text in a repair has none.
  func noteReplaced(_ id: Int64, now: Date) throws {
    guard edit.newcomers.replaced[id] == nil,
      let row = try db.row(ArticleWording.ofArticle + " AND article.digest <> 0", [id])
    else { return }
    edit.newcomers.replaced[id] = ArticleWording(row)
    edit.newcomers.now = now
  }

  /// Marks articles whose wording has changed, after the rules have rewritten titles, and keeps the
  /// former wording.
  func keep() throws {
    let replaced = edit.newcomers.replaced.sorted { $0.key < $1.key }
    edit.newcomers.replaced = [:]
    for (id, former) in replaced {
      let row = try db.row(ArticleWording.ofArticle, [id])
      guard let wording = row.map(ArticleWording.init), !wording.reads(like: former) else {
        continue
      }
      let isChanged: Bool? = try db.value(
        "SELECT isChanged FROM articleStatus WHERE articleID = ?", [id])
      if isChanged == true {
        try endChange(of: id, toldBy: wording)
      } else {
        try keep(former, of: id)
      }
    }
  }

  private func keep(_ former: ArticleWording, of id: Int64) throws {
    let isWhole = former.size <= Self.limit
    try db.run(
      """
      INSERT OR REPLACE INTO formerText (articleID, title, content, summary, isWhole, keptAt)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      [
        id, former.title, isWhole ? former.content : nil, isWhole ? former.summary : nil, isWhole,
        seconds(edit.newcomers.now),
      ])
    try db.run("UPDATE articleStatus SET isChanged = 1 WHERE articleID = ?", [id])
  }

  /// Removes the mark of an article whose feed has restored the wording that the user has seen.
  private func endChange(of id: Int64, toldBy wording: ArticleWording) throws {
    let row = try db.row(
      "SELECT title, content, summary FROM formerText WHERE articleID = ? AND isWhole = 1", [id])
    guard let kept = row.map(ArticleWording.init), wording.reads(like: kept) else { return }
    try db.run("DELETE FROM formerText WHERE articleID = ?", [id])
    try clearChanged(ArticleID(id))
  }

  /// Removes the mark of an article whose change the user has seen. The former text stays until the
  /// next change.
  package func clearChanged(_ article: ArticleID) throws {
    try db.run(
      "UPDATE articleStatus SET isChanged = 0 WHERE articleID = ? AND isChanged = 1", [article])
  }
}

extension FormerTextsView {
  /// The former text of a changed article; nil where none is kept.
  package func text(of article: ArticleID) throws -> FormerText? {
    let row = try db.row("SELECT * FROM formerText WHERE articleID = ?", [article])
    return row.map { row in
      FormerText(
        title: StoredText.line(row["title"] as String?),
        contentHTML: StoredText.markup(BodyCodec.decode(row["content"])),
        summary: StoredText.line(BodyCodec.decode(row["summary"])), isWhole: row["isWhole"],
        changed: Date(seconds: row["keptAt"]))
    }
  }
}
