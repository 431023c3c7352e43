internal import GRDB
internal import News

/// An `ArticlePredicate` as SQL over `articleStatus`: the index to read along, and the conditions.
/// `TimelinePlanTests` checks which index each kind of list uses.
struct ArticleSelection {
  let from: String
  /// The table with the index of a single feed's articles.
  let fromFeed: String
  /// The table with the index of the articles that have a score, where the list is read along an index.
  let fromScored: String
  /// Whether the feeds of the list can be read one after the other.
  let canWalkFeeds: Bool
  /// SQL for the rows of the list, read or not.
  let scope: String
  let scopeArguments: StatementArguments
  /// Scope with words that are looked up row by row, and their share of all articles; nil where
  /// collecting all matches is quicker.
  let singly: (scope: String, share: Double)?
  /// All articles of a list with a typed beginning of a word, where they are very many, and the
  /// filter without `hidesDuplicates` and `joinsStories`.
  let hits: (all: PrefixHits, filter: String)?
  let hidesDuplicates: Bool
  let joinsStories: Bool
  /// The query for the articles of the list, with `scopeArguments`. Includes read ones, unless the
  /// list is about unread ones.
  let ids: String
  /// Whether `from` is the order of all articles by their dates.
  let isByDate: Bool
  /// SQL for rows of the list among those of one of `mergedFeeds`.
  let scopeOfMerged: String
  let argumentsOfMerged: StatementArguments
  /// The condition that hides rows that belong to the list: those that are read, and those behind another one.
  private(set) var filter = ""
  private(set) var filterArguments = StatementArguments()
  /// SQL for rows of the list that are looked up one by one, with `scopeArguments`.
  let scopeOfOne: String
  /// The words of the list as an expression of the index, for ranking; nil without words.
  let ranking: String?
  /// Whether that expression matches all articles of the list.
  let isRankingWhole: Bool
  /// Feeds that are merged from a range of the index each; empty where the whole is filtered.
  let mergedFeeds: [Int64]
  private let predicate: ArticlePredicate
  private let leavesOutFeeds: Bool
  private let isFound: Bool

  var isUnread: Bool { predicate.isUnread }

  /// Feeds up to this number are merged; more are filtered out of all articles.
  private static let fewFeeds = 40
  private static let matches = "SELECT rowid FROM search WHERE search MATCH ?"
  private static let isMatch = """
    EXISTS (SELECT 1 FROM search WHERE search MATCH ? AND rowid = articleStatus.articleID)
    """

  /// A condition with fewer rows than this is looked up first.
  static let fewRows = 3_000
  /// So many articles are sorted sooner than an index over all articles is walked.
  static let fewSorted = 1_000

  /// Microseconds that SQLite takes to collect an article that matches words, and to look up whether one does.
  static let (collecting, lookingUp) = (0.13, 30.0)

  /// - Parameter lookingUp: what looking up an article takes.
  /// - Returns: nil where nothing can be found: a search without words, a folder without feeds.
  init?(
    _ predicate: ArticlePredicate, in view: StoreView, lookingUp: Double = Self.lookingUp
  ) throws {
    var terms: [(sql: String, arguments: StatementArguments)] = []
    var mergedFeeds: [Int64] = []
    var index = Index.byDate
    let conditions = try QueryPlan(predicate.conditions, in: view)
    if conditions.feeds?.isEmpty == true { return nil }
    if let feeds = FeedSelection(predicate.source) {
      terms.append((feeds.condition(on: "feedID"), feeds.arguments))
      if feeds.isOne {
        index = .byFeed
      } else {
        let ids = try feeds.ids(in: view)
        if ids.isEmpty { return nil }
        if ids.count <= Self.fewFeeds, conditions.isOfRow {
          mergedFeeds = ids
          index = .byFeed
        }
      }
    } else if let ids = conditions.feeds, ids.count <= Self.fewFeeds, conditions.isOfRow {
      mergedFeeds = ids
      index = .byFeed
    }
    let leavesOut = try predicate.source == .shown && view.articles.hasHiddenFeeds()
    if leavesOut { terms.append(("feedID NOT IN (\(StoredSettings.hiddenFeeds))", [])) }
    if predicate.isStarred {
      terms.append(("isStarred = 1", []))
      // Stars are few, whatever the feeds.
      (index, mergedFeeds) = (.starred, [])
    }
    if let tag = predicate.tag {
      terms.append(
        ("articleID IN (SELECT articleID FROM articleTag WHERE tag = ?)", [tag.rawValue]))
      // The articles of a tag are found by the tag, and seldom many.
      (index, mergedFeeds) = (.none, [])
    }
    let (sought, others) = QuerySQL.combined(predicate.conditions)
    var ranked = [sought].compactMap(\.self)
    var share: Double?
    var hits: PrefixHits?
    var asksForBeginning = false
    if let words = predicate.words {
      guard let expression = try SearchExpression.of(words, in: view) else { return nil }
      terms.append(("articleID IN (\(Self.matches))", [expression.text]))
      // Few rows are looked up; where there are many, the first ones are near along the index of dates.
      mergedFeeds = []
      ranked.append(expression.text)
      asksForBeginning = QuerySQL.hasBeginning(expression.text)
      if !expression.isFrequent { index = .none }
      // Along the index of dates alone: that of stars holds the condition that all rows have one.
      if expression.isFrequent, conditions.sql == nil, index == .byDate {
        share = try view.timeline.shareToLookUp(expression.text, lookingUp: lookingUp)
      } else if terms.count == 1, conditions.sql == nil {
        hits = try view.search.manyHits(of: expression)
        if hits != nil { index = .byDate }
      }
    }
    isRankingWhole = !ranked.isEmpty
    if ranked.isEmpty {
      let words = others.flatMap(\.indexedWords)
      ranking = words.isEmpty ? nil : words.joined(separator: " OR ")
    } else {
      ranking = ranked.joined(separator: " AND ")
    }
    if let sql = conditions.sql {
      terms.append((sql.text, sql.arguments))
      // Few articles are looked up one by one, whatever order they are wanted in.
      if conditions.findsFew { (index, mergedFeeds) = (.none, []) }
      // Rows by date lie all over the table. Where few belong to the list, a scan and a sort are
      // quicker.
      if index == .byDate, conditions.isOfRow,
        try view.queries.isShort(
          "SELECT 1 FROM \(Index.table.table(isUnread: false)) WHERE \(terms.sql)", terms.arguments)
      {
        index = .table
      }
    }
    from = index.table(isUnread: predicate.isUnread)
    fromFeed = Index.byFeed.table(isUnread: predicate.isUnread)
    fromScored =
      index == .none || index == .starred ? from : "articleStatus INDEXED BY statusByScore"
    canWalkFeeds =
      predicate.words == nil && predicate.tag == nil && !predicate.isStarred && conditions.isOfRow
    isByDate = index == .byDate
    self.predicate = predicate
    isFound = index == .none || index == .starred
    scopeOfMerged = "feedID = ?" + (conditions.sql.map { " AND (\($0.text))" } ?? "")
    argumentsOfMerged = conditions.sql?.arguments ?? []
    scope = terms.sql
    let unread = predicate.isUnread ? "isRead = 0" : "1"
    self.hits = hits.map { ($0, unread) }
    hidesDuplicates = predicate.isDistinct
    singly = share.map {
      (terms.sql.replacing("articleID IN (\(Self.matches))", with: Self.isMatch), $0)
    }
    scopeArguments = terms.arguments
    // A search for words alone needs no lookup of articles.
    let isSearch = predicate.words != nil && terms.count == 1
    ids =
      isSearch
      ? "SELECT rowid AS id FROM search WHERE search MATCH ?"
      : "SELECT articleID AS id FROM \(from) WHERE \(scope)"
        + (predicate.isUnread ? " AND isRead = 0" : "")
    scopeOfOne = asksForBeginning ? terms.sql : QuerySQL.ofOneRow(terms.sql)
    self.mergedFeeds = mergedFeeds
    leavesOutFeeds = leavesOut
    joinsStories = predicate.joinsStories && view.tellsStories
    let rows = hasRow(isUnread: predicate.isUnread)
    (filter, filterArguments) = ("\(unread) AND \(rows.sql)", rows.arguments)
  }

  /// SQL: whether an article has a row, and is not behind another one as a duplicate or in a story.
  ///
  /// - Parameter isUnread: whether only unread articles stand for their story.
  func hasRow(isUnread: Bool) -> (sql: String, arguments: StatementArguments) {
    var parts = ["1"]
    var arguments = StatementArguments()
    var members = scopeOfOne
    if predicate.isDistinct {
      if predicate.isWhole, !leavesOutFeeds {
        parts.append("duplicateOf IS NULL")
      } else {
        let isDuplicate = Self.isDuplicate(within: scopeOfOne)
        parts.append("NOT \(isDuplicate)")
        // A duplicate that the list leaves out stands for no story.
        members += " AND NOT \(isDuplicate)"
        arguments += scopeArguments
      }
    }
    if joinsStories {
      if predicate.isWhole {
        parts.append("NOT \(Self.isTold(isUnread: isUnread, leavesOutFeeds))")
      } else {
        parts.append("NOT \(Self.isTold(within: members, isUnread: isUnread))")
        arguments += scopeArguments + (predicate.isDistinct ? scopeArguments : [])
      }
    }
    return (parts.joined(separator: " AND "), arguments)
  }

  /// SQL: whether another feed of the list has brought the article before.
  ///
  /// - Parameter scope: SQL for the articles of the list, read or not.
  static func isDuplicate(within scope: String) -> String {
    """
    (articleStatus.duplicateOf IS NOT NULL AND EXISTS (
      SELECT 1 FROM (
        SELECT articleStatus.duplicateOf AS original, articleStatus.articleID AS id) AS copy
        CROSS JOIN articleStatus
      WHERE articleStatus.articleID IN (
          SELECT copy.original
          UNION ALL SELECT other.articleID FROM articleStatus AS other INDEXED BY statusDuplicate
            WHERE other.duplicateOf IS NOT NULL AND other.duplicateOf = copy.original
              AND other.articleID < copy.id)
        AND \(scope)))
    """
  }

  /// SQL: whether the article stands behind the first one of its story, which the list shows.
  ///
  /// - Parameters:
  ///   - isUnread: whether the list is about unread articles.
  ///   - leavesOut: whether it leaves out hidden feeds.
  static func isTold(isUnread: Bool, _ leavesOut: Bool) -> String {
    // An article whose first one is gone, or has one before it, shows.
    var shown = "first.storyOf IS NULL AND first.duplicateOf IS NULL"
    if isUnread { shown += " AND first.isRead = 0" }
    if leavesOut { shown += " AND first.feedID NOT IN (\(StoredSettings.hiddenFeeds))" }
    return """
      (articleStatus.storyOf IS NOT NULL AND EXISTS (SELECT 1 FROM articleStatus AS first
        WHERE first.articleID = articleStatus.storyOf AND \(shown)))
      """
  }

  /// SQL: whether the article stands behind another one of its story in the list: the first of the
  /// story, else of the list.
  ///
  /// - Parameters:
  ///   - scope: SQL for the articles of the list that can stand for others.
  ///   - isUnread: whether the list is about unread articles.
  private static func isTold(within scope: String, isUnread: Bool) -> String {
    """
    (articleStatus.storyOf IS NOT NULL AND EXISTS (
      SELECT 1 FROM (
        SELECT behind.id AS behindID, articleStatus.articleID AS firstID,
          articleStatus.isRead AS isFirstRead
        FROM (SELECT articleStatus.storyOf AS story, articleStatus.articleID AS id) AS behind
          CROSS JOIN articleStatus
        WHERE articleStatus.articleID IN (
            SELECT behind.story
            UNION ALL SELECT member.articleID FROM articleStatus AS member INDEXED BY statusStory
              WHERE member.storyOf IS NOT NULL AND member.storyOf = behind.story)
          AND \(scope)
        ORDER BY articleStatus.storyOf IS NOT NULL, articleStatus.articleID LIMIT 1)
      WHERE firstID <> behindID\(isUnread ? " AND isFirstRead = 0" : "")))
    """
  }

  /// Whether the list may have more articles than are quickly sorted, by the counts that are kept.
  func mayBeLong(in view: StoreView) throws -> Bool {
    if isFound { return false }
    let feeds = FeedSelection(predicate.source)
    let count: Int? = try view.db.value(
      """
      SELECT sum(\(predicate.isUnread ? "unread" : "total")) FROM feedCount
      WHERE \(feeds?.condition(on: "feedID") ?? "1")
      """, feeds?.arguments ?? [])
    return (count ?? 0) > Self.fewSorted
  }

  func order(_ wanted: ListOrder) -> ListOrder {
    wanted == .relevance && ranking == nil ? .newest : wanted
  }

  private enum Index {
    case byDate, byFeed, starred
    /// None: from end to end.
    case table
    /// Whichever SQLite chooses.
    case none

    /// Named, so that no statistics can lead SQLite to another one.
    func table(isUnread: Bool) -> String {
      switch self {
      case .byDate: "articleStatus INDEXED BY \(isUnread ? "statusUnread" : "statusByDate")"
      case .byFeed: "articleStatus INDEXED BY \(isUnread ? "statusUnreadByFeed" : "statusByFeed")"
      case .starred: "articleStatus INDEXED BY statusStarred"
      case .table: "articleStatus NOT INDEXED"
      case .none: "articleStatus"
      }
    }
  }
}

extension TimelineView {
  /// The share of articles with a word, by those at either end; nil where collecting all matches is
  /// quicker than looking up a few hundred.
  fileprivate func shareToLookUp(_ expression: String, lookingUp: Double) throws -> Double? {
    let highest: Int64 = try db.value("SELECT max(id) FROM article") ?? 0
    func place(_ order: String) throws -> Int64? {
      try db.value(
        """
        SELECT rowid FROM search WHERE search MATCH ?
        ORDER BY rowid \(order) LIMIT 1 OFFSET \(ArticleSelection.fewRows - 1)
        """, [expression])
    }
    guard let first = try place("ASC"), let last = try place("DESC") else { return nil }
    let span = Double(max(first, highest - last + 1, 1))
    let share = min(1, Double(ArticleSelection.fewRows) / span)
    let found = share * Double(highest)
    return found * ArticleSelection.collecting > 200 / share * lookingUp ? share : nil
  }
}

extension [(sql: String, arguments: StatementArguments)] {
  fileprivate var sql: String { isEmpty ? "1" : map(\.sql).joined(separator: " AND ") }
  fileprivate var arguments: StatementArguments { reduce([]) { $0 + $1.arguments } }
}

/// The feeds of a source of articles, as SQL.
struct FeedSelection {
  /// SQL after the column of the feed.
  private let comparison: String
  let arguments: StatementArguments
  /// The query that finds the feeds; nil for a single feed, which is named.
  private let query: String?

  var isOne: Bool { query == nil }

  /// - Returns: nil for all feeds there are, or all that are shown.
  init?(_ source: ArticlePredicate.Source) {
    switch source {
    case .all, .shown: return nil
    case .feed(let feed): (comparison, arguments, query) = ("= ?", [feed.rawValue], nil)
    case .folder(let folder) where folder.isAccount:
      (comparison, arguments, query) = Self.feeds(of: folder.account)
    case .folder(let folder):
      // `a`, and what begins with `a/`: `0` follows `/`.
      let query = """
        feedID FROM feedFolder WHERE account = ? AND (folder = ? OR (folder > ? AND folder < ?))
        """
      let path = folder.path
      comparison = "IN (SELECT \(query))"
      arguments = [folder.account.rawValue, path, path + "/", path + "0"]
      self.query = query
    case .account(let account): (comparison, arguments, query) = Self.feeds(of: account)
    }
  }

  private static func feeds(of account: AccountID) -> (String, StatementArguments, String) {
    let query = "id FROM feed WHERE account = ?"
    return ("IN (SELECT \(query))", [account.rawValue], query)
  }

  func condition(on column: String) -> String { "\(column) \(comparison)" }

  /// The feeds, each once; those of a source of several.
  func ids(in view: StoreView) throws -> [Int64] {
    guard let query else { return [] }
    return try view.db.values("SELECT DISTINCT \(query)", arguments)
  }
}
