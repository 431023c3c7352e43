internal import Foundation
internal import GRDB
internal import News

/// Sort texts of lists that are not by date: names without case and accents.
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

  static let openings = """
    SELECT articleID AS openedID, max(createdAt) AS openedAt FROM userAction
    WHERE kind = '\(UserActionKind.opened.rawValue)' AND articleID IS NOT NULL GROUP BY articleID
    """

  /// Later ones come first.
  private static let ofOpening = "printf('%012d', 999999999999 - openedAt)"

  /// FTS5's measure, lower for better matches. Words in a title count eight times, of an author
  /// four times as much as in the text.
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

  /// Higher scores come first: four digits from 0000 to 2000.
  private static func ofScore(_ column: String) -> String {
    "printf('%04d', \(ArticleScore.bounds.upperBound) - \(column))"
  }

  /// The score of a text of `ofScore`. Other texts lie before or behind all scores.
  static func score(of text: String) -> Int {
    guard let number = Int(text) else { return text.isEmpty ? .max : .min }
    return ArticleScore.bounds.upperBound - number
  }

  /// The tables and the sort text of an order. The arguments are those of `from`.
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
        decoding: bytes[first...].prefix(length).map { (65...90).contains($0) ? $0 | 0x20 : $0 },
        as: UTF8.self)
    }
    if let ascii { return ascii }
    return String(name.drop(while: \.isWhitespace).prefix(length))
      .folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
      .precomposedStringWithCanonicalMapping
  }
}

/// Stored keys of titles: the first bytes of their sort texts.
extension SortText {
  /// Few titles are alike to their 24th byte. Those that are, are told apart by their whole texts.
  static let bytesOfKey = 24

  /// Keys compare as their texts do, or are equal.
  static func key(ofText text: String) -> Data { Data(text.utf8.prefix(bytesOfKey)) }

  /// SQL for the key of an article's title.
  static let keyOfArticle =
    "sortKey(coalesce(article.title, article.excerpt, article.url, article.entryID))"

  /// SQL for the sort text of an article's title where the key is read, which seldom is the whole of it.
  static let ofKeyedArticle = """
    CASE WHEN length(key) < \(bytesOfKey) THEN CAST(key AS TEXT)
      ELSE \(ofStatus(.title).sql) END
    """

  /// Digest of the folding of letters with capitals or accents: stored keys hold for one version of
  /// ICU.
  static let folding: Int64 = {
    let blocks: [ClosedRange<UInt32>] = [
      0xA0...0x5FF, 0x10A0...0x10FF, 0x13A0...0x13FF, 0x1C80...0x1CBF, 0x1D00...0x20CF,
      0x2100...0x218F, 0x2C00...0x2DFF, 0x3040...0x30FF, 0xA640...0xA7FF, 0xAB30...0xABBF,
      0xFB00...0xFB4F, 0xFF00...0xFFEF, 0x10400...0x104FF, 0x10570...0x105BF, 0x10C80...0x10CFF,
      0x10D40...0x10D8F, 0x118A0...0x118DF, 0x16E40...0x16E7F, 0x1E900...0x1E95F,
    ]
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    for block in blocks {
      // A mark after each letter folds as it does alone.
      let letters = block.compactMap(Unicode.Scalar.init).map { "\(Character($0)) " }
      for start in stride(from: 0, to: letters.count, by: length / 2) {
        for byte in text(of: letters[start...].prefix(length / 2).joined()).utf8 {
          digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3
        }
      }
    }
    return Int64(bitPattern: digest)
  }()
}

extension DatabaseFunction {
  /// `sortKey(name)`: how the sort text of a name begins.
  static let sortKey = DatabaseFunction("sortKey", argumentCount: 1, pure: true) { values in
    SortText.key(ofText: SortText.text(of: String.fromDatabaseValue(values[0]) ?? ""))
  }

  /// `sortText(name)`: what a list is sorted by. Empty for null.
  static let sortText = DatabaseFunction("sortText", argumentCount: 1, pure: true) { values in
    SortText.text(of: String.fromDatabaseValue(values[0]) ?? "")
  }
}

extension ListOrder {
  /// SQL for the order of rows of `articleStatus`, with a column `sortText` where it is not by
  /// date.
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
