internal import Foundation
internal import GRDB
internal import News

struct StoredArticle {
  var id: Int64
  var feed: FeedID
  var key: Int64
  var digest: Int64
  var traits: ArticleTraits

  static let columns = """
    article.id, article.feedID, article.entryKey, article.digest, article.entryID, article.url,
      article.linkKey, article.title, article.published, article.updated
    """

  init(_ row: Row) {
    id = row[0]
    feed = FeedID(row[1])
    key = row[2]
    digest = row[3]
    traits = ArticleTraits(
      id: row[4], url: row[5], linkKey: row[6], title: row[7], published: row[8], updated: row[9])
  }

  func body(_ db: Database) throws -> ArticleBody {
    let row = try db.row("SELECT content, summary FROM articleBody WHERE articleID = ?", [id])
    return ArticleBody(
      content: BodyCodec.decode(row?[0] as Data?), summary: BodyCodec.decode(row?[1] as Data?))
  }

  /// Whether its date of change lay in the future when it came.
  func isDatedAhead(_ db: Database) throws -> Bool { try details(db).isDatedAhead }

  func files(_ db: Database) throws -> [Enclosure] {
    var entry = Entry(id: "")
    try details(db).add(to: &entry)
    return entry.enclosures
  }

  private func details(_ db: Database) throws -> EntryDetails {
    EntryDetails.decode(try db.value("SELECT details FROM articleBody WHERE articleID = ?", [id]))
  }
}
