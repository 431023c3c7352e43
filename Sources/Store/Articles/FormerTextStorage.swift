internal import Foundation
internal import GRDB
package import News
internal import Text

// What articles said before their feeds changed them, where the feeds are set so: one version of each, that which the
// user saw last. `articleStatus.isChanged` marks those that have not been opened since.

/// The title of an article, and its text as it lies in the database.
struct ArticleWording {
  var title: String?
  var content: Data?
  var summary: Data?

  /// SQL for the columns of the article with a number.
  static let ofArticle = """
    SELECT article.title, articleBody.content, articleBody.summary
    FROM article JOIN articleBody ON articleBody.articleID = article.id WHERE article.id = ?
    """

  init(_ row: Row) { (title, content, summary) = (row[0], row[1], row[2]) }

  /// Bytes of the compressed text.
  var size: Int { (content?.count ?? 0) + (summary?.count ?? 0) }

  /// Whether the words are the same, however they are spaced and marked up.
  func reads(like other: ArticleWording) -> Bool {
    Self.words(title ?? "") == Self.words(other.title ?? "")
      && ((content, summary) == (other.content, other.summary)
        || Self.words(text) == Self.words(other.text))
  }

  private var text: String {
    ArticleText.make(
      content: BodyCodec.decode(content), summary: BodyCodec.decode(summary))
  }

  private static func words(_ text: String) -> [Substring] {
    text.split(whereSeparator: \.isWhitespace)
  }
}

extension FormerTextsEdit {
  /// Bytes of a compressed text beyond which it is not kept.
  static let limit = 256 << 10

  /// Notes what an article says before its feed's new version replaces it. What a repair has left without its text says
  /// nothing.
  func noteReplaced(_ id: Int64, now: Date) throws {
    guard edit.newcomers.replaced[id] == nil,
      let row = try db.row(ArticleWording.ofArticle + " AND article.digest <> 0", [id])
    else { return }
    edit.newcomers.replaced[id] = ArticleWording(row)
    edit.newcomers.now = now
  }

  /// Marks the articles that read otherwise than what they have replaced, after the rules have rewritten titles, and
  /// keeps what the user has seen of them.
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

  /// Takes the mark of an article away that its feed has changed back to what the user has seen.
  private func endChange(of id: Int64, toldBy wording: ArticleWording) throws {
    let row = try db.row(
      "SELECT title, content, summary FROM formerText WHERE articleID = ? AND isWhole = 1", [id])
    guard let kept = row.map(ArticleWording.init), wording.reads(like: kept) else { return }
    try db.run("DELETE FROM formerText WHERE articleID = ?", [id])
    try clearChanged(ArticleID(id))
  }

  /// Takes the mark of an article away whose change the user has seen. What it said before stays until its feed changes
  /// it again.
  package func clearChanged(_ article: ArticleID) throws {
    try db.run(
      "UPDATE articleStatus SET isChanged = 0 WHERE articleID = ? AND isChanged = 1", [article])
  }
}

extension FormerTextsView {
  /// What an article said before its feed changed it; nil where nothing is kept.
  package func text(of article: ArticleID) throws -> FormerText? {
    let row = try db.row("SELECT * FROM formerText WHERE articleID = ?", [article])
    return row.map { row in
      FormerText(
        title: StoredText.line(row["title"] as String?),
        contentHTML: StoredText.markup(BodyCodec.decode(row["content"])),
        summary: StoredText.line(BodyCodec.decode(row["summary"])),
        isWhole: row["isWhole"],
        changed: Date(seconds: row["keptAt"]))
    }
  }
}
