internal import Foundation
internal import GRDB
internal import News

/// A condition of a query as SQL over a row of `articleStatus`. Typed text is bound. Never null.
struct QuerySQL {
  var text: String
  var arguments: StatementArguments
  /// Whether rows of other tables are collected first, once for each statement.
  var collects = false

  private init(_ text: String, _ arguments: StatementArguments = [], collects: Bool = false) {
    self.text = text
    self.arguments = arguments
    self.collects = collects
  }

  /// As deep as the query, whose depth `QueryParser` bounds.
  init(_ condition: QueryCondition, in view: StoreView) throws {
    switch condition {
    case .all(let parts):
      let (words, others) = Self.combined(parts)
      var all = try others.map { try QuerySQL($0, in: view) }
      if let words { all.insert(Self.found(words), at: 0) }
      self = Self.joined(all, " AND ", empty: "1")
    case .any(let parts):
      self = Self.joined(try parts.map { try QuerySQL($0, in: view) }, " OR ", empty: "0")
    case .not(let inner):
      self = try QuerySQL(inner, in: view)
      text = "NOT (\(text))"
    case .state(let state): self = try Self.state(state, in: view)
    case .words(let words): self = Self.found(words.expression)
    case .tag(let name):
      self.init(
        """
        articleID IN (SELECT articleID FROM articleTag
          WHERE tag IN (SELECT id FROM tag WHERE isNamed(name, ?)))
        """, [name], collects: true)
    case .has(let feature): self = try Self.feature(feature, in: view)
    case .date(.written, let comparison, let date):
      let (text, arguments) = date.comparison(of: "sortDate", comparison)
      self.init(text, arguments)
    case .date(.opened, let comparison, let date):
      let (text, arguments) = date.comparison(of: "createdAt", comparison)
      self.init(
        """
        articleID IN (SELECT articleID FROM userAction
          WHERE kind = '\(UserActionKind.opened.rawValue)' AND articleID IS NOT NULL AND \(text))
        """, arguments, collects: true)
    case .date(.arrived, let comparison, let date):
      let (text, arguments) = date.comparison(of: "firstSeen", comparison)
      self = try Self.ofArticle(text, arguments, in: view)
    case .sinceLastRefresh:
      self = try Self.ofArticle(
        "firstSeen >= coalesce((SELECT time FROM moment WHERE name = 'refresh'), 0)", [], in: view)
    case .contains(let field, let part): self = try Self.field(field, "holds", part, in: view)
    case .matches(let field, let pattern):
      self = try Self.field(field, "isMatched", pattern, in: view)
    case .count: self = Self.among(try condition.feeds(in: view) ?? [])
    case .score(let comparison, let number): self = try Self.score(comparison, number, in: view)
    }
  }

  // MARK: Parts

  private static func joined(_ parts: [QuerySQL], _ word: String, empty: String) -> QuerySQL {
    guard !parts.isEmpty else { return QuerySQL(empty) }
    return QuerySQL(
      parts.map { "(\($0.text))" }.joined(separator: word),
      parts.reduce([]) { $0 + $1.arguments }, collects: parts.contains(where: \.collects))
  }

  /// The words of conditions that all have to hold, as one expression of the index, and the others.
  static func combined(_ parts: [QueryCondition]) -> (words: String?, others: [QueryCondition]) {
    var (words, others): ([String], [QueryCondition]) = ([], [])
    for part in parts {
      if case .words(let found) = part {
        words.append(found.expression)
      } else {
        others.append(part)
      }
    }
    return (words.isEmpty ? nil : words.joined(separator: " AND "), others)
  }

  private static func found(_ expression: String) -> QuerySQL {
    let hits = hasBeginning(expression) ? matchesOfBeginning : matches
    return QuerySQL("articleID IN (\(hits))", [expression], collects: true)
  }

  private static let matches = "SELECT rowid FROM search WHERE search MATCH ?"
  /// For words known by their beginnings. Not asked for one article: FTS5 merges all hits before
  /// the first.
  private static let matchesOfBeginning = "SELECT rowid FROM search WHERE search MATCH (?)"

  /// Whether an expression of the index has a word that is known by its beginning.
  static func hasBeginning(_ expression: String) -> Bool {
    expression.utf8.contains(UInt8(ascii: "*"))
  }

  /// Limited to a range of ids, beyond which the index is not read.
  func within(_ ids: ClosedRange<Int64>) -> QuerySQL {
    let range = " AND rowid BETWEEN \(ids.lowerBound) AND \(ids.upperBound)"
    return QuerySQL(
      text.replacing(Self.matches, with: Self.matches + range)
        .replacing(Self.matchesOfBeginning, with: Self.matchesOfBeginning + range), arguments,
      collects: collects)
  }

  /// Conditions for rows that are looked up one by one: what they would collect is asked for one article.
  static func ofOneRow(_ text: String) -> String {
    text.replacing(matches, with: matches + " AND rowid = articleStatus.articleID").replacing(
      "FROM article NOT INDEXED WHERE", with: "FROM article WHERE id = articleStatus.articleID AND")
  }

  private static func among(_ feeds: [Int64]) -> QuerySQL {
    QuerySQL("feedID IN (SELECT value FROM json_each(?))", [jsonList(feeds)], collects: true)
  }

  /// A condition on when articles arrived, by the index over that where few have.
  private static func ofArticle(
    _ text: String, _ arguments: StatementArguments, in view: StoreView
  ) throws -> QuerySQL {
    let found = "SELECT id FROM article INDEXED BY articleArrival WHERE \(text)"
    guard try view.queries.isShort(found, arguments) else {
      return QuerySQL(
        """
        EXISTS (SELECT 1 FROM article WHERE article.id = articleStatus.articleID AND \(text))
        """, arguments)
    }
    return QuerySQL("articleID IN (\(found))", arguments, collects: true)
  }

  /// By the index over the articles that have a score, where few can match.
  private static func score(
    _ comparison: QueryComparison, _ number: Int, in view: StoreView
  ) throws -> QuerySQL {
    let text = "score \(comparison.rawValue) ?"
    guard !comparison.holds(0, number) else { return QuerySQL(text, [number]) }
    let found = """
      SELECT articleID FROM articleStatus INDEXED BY statusByScore WHERE score <> 0 AND \(text)
      """
    guard try view.queries.isShort(found, [number]) else { return QuerySQL(text, [number]) }
    return QuerySQL("articleID IN (\(found))", [number], collects: true)
  }

  private static func state(_ state: QueryState, in view: StoreView) throws -> QuerySQL {
    switch state {
    case .unread: QuerySQL("isRead = 0")
    case .read: QuerySQL("isRead = 1")
    case .starred: QuerySQL("isStarred = 1")
    case .duplicate: QuerySQL("duplicateOf IS NOT NULL")
    case .changed:
      // Each has a row there.
      QuerySQL("isChanged = 1 AND articleID IN (SELECT articleID FROM formerText)", collects: true)
    case .tagged: QuerySQL("articleID IN (SELECT articleID FROM articleTag)", collects: true)
    case .later:
      QuerySQL(
        "articleID IN (\(TagsView.allLater)) AND articleID NOT IN (\(TagsView.waiting))",
        collects: true)
    case .due:
      QuerySQL(
        """
        articleID IN (\(TagsView.allLater)) AND articleID IN (\(TagsView.timed))
          AND articleID NOT IN (\(TagsView.waiting))
        """, collects: true)
    case .heard:
      QuerySQL("articleID IN (SELECT articleID FROM playback WHERE isHeard = 1)", collects: true)
    case .failing: among(try QueryCondition.state(.failing).feeds(in: view) ?? [])
    }
  }

  private static func feature(_ feature: QueryFeature, in view: StoreView) throws -> QuerySQL {
    guard let bit = feature.bit else {
      let column = feature == .author ? "authors" : "url"
      return QuerySQL(
        """
        EXISTS (SELECT 1 FROM article
          WHERE article.id = articleStatus.articleID AND article.\(column) IS NOT NULL)
        """)
    }
    let found = "SELECT articleID FROM articleFeature WHERE features & ? <> 0"
    if try view.queries.isShort(found, [bit]) {
      return QuerySQL("articleID IN (\(found))", [bit], collects: true)
    }
    return QuerySQL(
      """
      EXISTS (SELECT 1 FROM articleFeature
        WHERE articleFeature.articleID = articleStatus.articleID AND features & ? <> 0)
      """, [bit])
  }

  private static func field(
    _ field: QueryField, _ function: String, _ value: String, in view: StoreView
  ) throws -> QuerySQL {
    // Few match as a rule: reading the table once from end to end is quicker than looking up each article.
    func ofArticle(_ column: String) -> QuerySQL {
      QuerySQL(
        "articleID IN (SELECT id FROM article NOT INDEXED WHERE \(function)(\(column), ?))",
        [value], collects: true)
    }
    switch field {
    case .title: return ofArticle("article.title")
    case .url: return ofArticle("article.url")
    case .author: return ofArticle("authorNames(article.authors)")
    case .text:
      return QuerySQL(
        """
        EXISTS (SELECT 1 FROM searchSource
          WHERE searchSource.id = articleStatus.articleID AND \(function)(text, ?))
        """, [value])
    case .category:
      return QuerySQL(
        """
        EXISTS (SELECT 1 FROM articleBody JOIN json_each(
            coalesce(json_extract(details, '$.names'), json_extract(details, '$.categories'), '[]')
          ) AS category
          WHERE articleBody.articleID = articleStatus.articleID AND json_valid(details)
            AND \(function)(
              CASE category.type WHEN 'object'
                THEN coalesce(json_extract(category.value, '$.label'),
                  json_extract(category.value, '$.term'))
                ELSE category.value END, ?))
        """, [value])
    case .feed, .folder, .site, .account:
      let condition: QueryCondition =
        function == "holds" ? .contains(field, value) : .matches(field, value)
      return among(try condition.feeds(in: view) ?? [])
    }
  }
}

extension QueryCondition {
  /// The feeds whose articles match, all and no other; nil where that depends on the article.
  func feeds(in view: StoreView) throws -> [Int64]? {
    switch self {
    case .contains(let field, let part): return try Self.feeds(field, "holds", part, in: view)
    case .matches(let field, let pattern):
      return try Self.feeds(field, "isMatched", pattern, in: view)
    case .count(let count, let comparison, let number):
      let column = count == .unread ? "unread" : "total"
      return try view.queries.ids(
        "SELECT feedID FROM feedCount WHERE \(column) \(comparison.rawValue) ?", [number])
    case .state(.failing):
      return try view.queries.ids(
        "SELECT feedID FROM feedState WHERE error IS NOT NULL AND isGone = 0", [])
    default: return nil
    }
  }

  private static func feeds(
    _ field: QueryField, _ function: String, _ value: String, in view: StoreView
  ) throws -> [Int64]? {
    switch field {
    case .title, .text, .author, .url, .category: return nil
    case .feed, .account:
      // By the number that the store gave it: nothing else has it.
      if value.hasPrefix("#"), let number = Int64(value.dropFirst()), function == "holds" {
        return try view.queries.ids(
          "SELECT id FROM feed WHERE \(field == .feed ? "id" : "account") = ?", [number])
      }
      if field == .account { return try feeds(ofAccount: function, value, in: view) }
      return try view.queries.ids(
        """
        SELECT id FROM feed
        WHERE \(function)(coalesce(ownTitle, title, ''), ?1) OR \(function)(url, ?1)
          OR settings IS NOT NULL AND json_valid(settings) AND EXISTS (
            SELECT 1 FROM json_each(settings, '$.otherURLs') AS other
            WHERE \(function)(other.value, ?1))
        """, [value])
    case .site:
      return try view.queries.ids(
        "SELECT id FROM feed WHERE \(function)(coalesce(link, ''), ?)", [value])
    case .folder where function == "holds":
      return try view.queries.ids(
        "SELECT DISTINCT feedID FROM feedFolder WHERE isInFolder(folder, ?)", [value])
    case .folder:
      return try view.queries.ids(
        "SELECT DISTINCT feedID FROM feedFolder WHERE \(function)(folder, ?)", [value])
    }
  }

  private static func feeds(
    ofAccount function: String, _ value: String, in view: StoreView
  ) throws -> [Int64] {
    try view.queries.ids(
      """
      SELECT feed.id FROM feed JOIN account ON account.id = feed.account
      WHERE \(function)(coalesce(account.name, ''), ?1) OR \(function)(account.base, ?1)
        OR \(function)(account.user, ?1)
      """, [value])
  }

  /// Words that an article which it is true of may have, each as an expression of the index.
  var indexedWords: [String] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap(\.indexedWords)
    case .words(let words): [words.expression]
    default: []
    }
  }
}

extension QueriesView {
  fileprivate func ids(_ sql: String, _ arguments: StatementArguments) throws -> [Int64] {
    try db.values(sql, arguments)
  }
}

extension QueryWords {
  /// For FTS5: every character of the phrase is plain text there.
  var expression: String {
    let words = phrase.filter { $0 != "\0" }.split(separator: "\"").joined(separator: " ")
    return (column.map { "\($0.rawValue) : " } ?? "") + SearchText.phrase(words, isPrefix: isPrefix)
  }
}

extension QueryComparison {
  fileprivate func holds(_ a: Int, _ b: Int) -> Bool {
    switch self {
    case .less: a < b
    case .atMost: a <= b
    case .equal: a == b
    case .atLeast: a >= b
    case .more: a > b
    }
  }
}

extension QueryFeature {
  /// The bit of `articleFeature.features`; nil for what a column tells.
  var bit: Int64? {
    switch self {
    case .enclosure: 1
    case .audio: 2
    case .video: 4
    case .image: 8
    case .comments: 16
    case .author, .link: nil
    }
  }
}

// SQLite knows the time and the machine's calendar; both stay the same for as long as a statement takes a step.
extension QueryDate {
  private static let today = "'now', 'localtime', 'start of day'"

  /// Seconds since 1970.
  private var sql: String {
    switch self {
    case .ago: "(CAST(strftime('%s', 'now') AS INTEGER) - ?)"
    case .day: "CAST(strftime('%s', ?, 'utc') AS INTEGER)"
    case .today: "CAST(strftime('%s', \(Self.today), ?, 'utc') AS INTEGER)"
    }
  }

  private var arguments: StatementArguments {
    switch self {
    case .ago(let seconds): [seconds]
    case .day(let day, _): [day]
    case .today(let days): ["-\(days) days"]
    }
  }

  private var nextArguments: StatementArguments {
    switch self {
    case .ago(let seconds): [seconds]
    case .day(_, let next): [next]
    case .today(let days): ["\(1 - days) days"]
    }
  }

  /// Compares a column of seconds with it; equal is what lies within the day, the month or the year.
  func comparison(
    of column: String, _ comparison: QueryComparison
  ) -> (text: String, arguments: StatementArguments) {
    guard comparison == .equal else {
      return ("\(column) \(comparison.rawValue) \(sql)", arguments)
    }
    return ("\(column) >= \(sql) AND \(column) < \(sql)", arguments + nextArguments)
  }
}
