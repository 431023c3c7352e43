internal import Foundation
internal import GRDB
internal import News

/// What lists in another order than that of dates are sorted by: a name without regard to case and accents.
enum SortText {
  /// SQL for the text of a feed. Two feeds of a name are two.
  static let ofFeed =
    "sortText(coalesce(feed.ownTitle, feed.title, feed.url)) || printf(' %012d', feed.id)"

  private static let ofArticle =
    "sortText(coalesce(article.title, article.excerpt, article.url, article.entryID))"

  /// SQL where the rows of the article and its feed are joined.
  static func ofJoined(_ order: ListOrder) -> String {
    switch order {
    case .newest, .oldest: "''"
    case .feed: ofFeed
    case .title: ofArticle
    case .score: ofScore("status.score")
    case .opened, .relevance: "status.sortText"
    }
  }

  /// When each article was opened last.
  static let openings = """
    SELECT articleID AS openedID, max(createdAt) AS openedAt FROM userAction
    WHERE kind = '\(UserActionKind.opened.rawValue)' AND articleID IS NOT NULL GROUP BY articleID
    """

  /// What is later comes first.
  private static let ofOpening = "printf('%012d', 999999999999 - openedAt)"

  /// FTS5's measure is lower where an article fits better: words in a title count eight times, those of an author
  /// four times as much as in the text, rare words more than frequent ones, all of them more in a short text.
  private static let rank = "bm25(search, 8.0, 4.0, 1.0)"
  private static let ofRank = """
    CASE WHEN rank IS NULL THEN '~'
      ELSE printf('%013d', 1000000000000 + CAST(rank * 1000000 AS INTEGER)) END
    """

  /// SQL beside a row of `articleStatus`.
  static func ofStatus(
    _ order: ListOrder, _ selection: ArticleSelection? = nil
  ) -> (sql: String, arguments: StatementArguments) {
    switch order {
    case .newest, .oldest: return ("''", [])
    case .feed: return ("(SELECT \(ofFeed) FROM feed WHERE feed.id = feedID)", [])
    case .title: return ("(SELECT \(ofArticle) FROM article WHERE article.id = articleID)", [])
    case .score: return (ofScore("score"), [])
    case .opened:
      return (
        "coalesce((SELECT \(ofOpening) FROM (\(openings)) WHERE openedID = articleID), '~')", []
      )
    case .relevance:
      guard let ranking = selection?.ranking else { return ("'~'", []) }
      return (
        """
        coalesce((SELECT \(ofRank) FROM (SELECT \(rank) AS rank FROM search
          WHERE search MATCH ? AND rowid = articleID)), '~')
        """, [ranking]
      )
    }
  }

  /// What is higher comes first: four digits from 0000 to 2000.
  private static func ofScore(_ column: String) -> String {
    "printf('%04d', \(ArticleScore.bounds.upperBound) - \(column))"
  }

  /// The score that `ofScore` has made a text of. What is no such text lies before or behind all that are.
  static func score(of text: String) -> Int {
    guard let number = Int(text) else { return text.isEmpty ? .max : .min }
    return ArticleScore.bounds.upperBound - number
  }

  /// What rows of an order are read from beside `articleStatus`, and their text. The arguments are those of `from`.
  static func joined(
    _ order: ListOrder, _ selection: ArticleSelection
  ) -> (from: String, text: String, arguments: StatementArguments) {
    switch order {
    case .opened:
      return (
        "(\(openings)) AS opening CROSS JOIN articleStatus ON articleStatus.articleID = openedID",
        ofOpening, []
      )
    case .relevance where selection.ranking != nil:
      let hits = """
        (SELECT rowid AS hitID, \(rank) AS rank FROM search WHERE search MATCH ?) AS hit
        """
      let from =
        selection.isRankingWhole
        ? "\(hits) CROSS JOIN articleStatus ON articleStatus.articleID = hitID"
        : "articleStatus LEFT JOIN \(hits) ON hitID = articleStatus.articleID"
      return (from, ofRank, [selection.ranking])
    case .newest, .oldest, .feed, .title, .score, .relevance:
      return (selection.from, ofStatus(order).sql, [])
    }
  }

  /// So many characters count.
  private static let length = 120

  /// - Returns: composed (NFC), so that the order of its bytes, which is SQLite's, is that of Swift's strings.
  static func text(of name: String) -> String {
    var name = name
    let ascii = name.withUTF8 { bytes -> String? in
      guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
      let first = bytes.firstIndex { $0 > 0x20 } ?? bytes.endIndex
      return String(
        decoding: bytes[first...].prefix(length).map {
          (65...90).contains($0) ? $0 | 0x20 : $0
        }, as: UTF8.self)
    }
    if let ascii { return ascii }
    return String(name.drop(while: \.isWhitespace).prefix(length))
      .folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
      .precomposedStringWithCanonicalMapping
  }
}

extension DatabaseFunction {
  /// `sortText(name)`: what a list is sorted by. Empty for null.
  static let sortText = DatabaseFunction("sortText", argumentCount: 1, pure: true) { values in
    SortText.text(of: String.fromDatabaseValue(values[0]) ?? "")
  }
}

extension ListOrder {
  /// SQL for the order of rows of `articleStatus`, which have a column `sortText` where the order is not that of dates.
  func columns(of table: String, isReversed: Bool) -> String {
    let (first, last) = isReversed ? ("DESC", "ASC") : ("ASC", "DESC")
    return switch self {
    case .newest: "\(table)sortDate \(last), \(table)articleID \(last)"
    case .oldest: "\(table)sortDate \(first), \(table)articleID \(first)"
    case .feed, .title, .score, .opened, .relevance:
      "sortText \(first), \(table)sortDate \(last), \(table)articleID \(last)"
    }
  }

  func position(date: Int64, id: Int64, text: String) -> TimelinePosition {
    let position = TimelinePosition(date: date, id: id, text: text)
    return self == .oldest ? position.mirrored : position
  }
}
