internal import GRDB
internal import News

/// An `ArticlePredicate` as SQL over `articleStatus`: the index to read along, and the conditions.
/// `TimelinePlanTests` checks which index each kind of list uses.
struct ArticleSelection {
  /// The table with the index to use.
  let from: String
  /// What picks the rows that belong to the list, whether they are read or not.
  let scope: String
  let scopeArguments: StatementArguments
  /// The query that finds the articles of the list, with `scopeArguments`.
  let ids: String
  /// What hides rows that belong to the list: those that are read, and duplicates.
  let filter: String
  /// Feeds that are merged from a range of the index each; empty where the whole is filtered.
  let mergedFeeds: [Int64]

  /// Feeds up to this number are merged; more are filtered out of all articles.
  private static let fewFeeds = 40
  private static let matches = "SELECT rowid FROM search WHERE search MATCH ?"

  /// - Returns: nil where nothing can be found: a search without words, a folder without feeds.
  init?(_ predicate: ArticlePredicate, in view: StoreView) throws {
    var terms: [(sql: String, arguments: StatementArguments)] = []
    var mergedFeeds: [Int64] = []
    var index = Index.byDate
    if let feeds = FeedSelection(predicate.source) {
      terms.append((feeds.condition(on: "feedID"), feeds.arguments))
      if feeds.isOne {
        index = .byFeed
      } else {
        let ids = try feeds.ids(in: view)
        if ids.isEmpty { return nil }
        if ids.count <= Self.fewFeeds {
          mergedFeeds = ids
          index = .byFeed
        }
      }
    }
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
    if let words = predicate.words {
      guard let expression = SearchExpression(words) else { return nil }
      terms.append(
        ("articleID IN (\(Self.matches))", [expression.text]))
      // Few rows or many: the index over the words comes first in either case.
      (index, mergedFeeds) = (.none, [])
    }
    from = index.table(isUnread: predicate.isUnread)
    scope = terms.isEmpty ? "1" : terms.map(\.sql).joined(separator: " AND ")
    scopeArguments = terms.reduce([]) { $0 + $1.arguments }
    // What only has to match words need not be looked up among the articles.
    let isSearch = predicate.words != nil && terms.count == 1
    ids =
      isSearch ? Self.matches : "SELECT articleID FROM \(from) WHERE \(scope)"
    filter =
      (predicate.isUnread ? "isRead = 0" : "1")
      + (predicate.isDistinct ? " AND duplicateOf IS NULL" : "")
    self.mergedFeeds = mergedFeeds
  }

  private enum Index {
    case byDate, byFeed, starred
    case none

    /// Named, so that no statistics can lead SQLite to another one.
    func table(isUnread: Bool) -> String {
      switch self {
      case .byDate: "articleStatus INDEXED BY \(isUnread ? "statusUnread" : "statusByDate")"
      case .byFeed: "articleStatus INDEXED BY \(isUnread ? "statusUnreadByFeed" : "statusByFeed")"
      case .starred: "articleStatus INDEXED BY statusStarred"
      case .none: "articleStatus"
      }
    }
  }
}

/// The feeds of a source of articles, as SQL.
struct FeedSelection {
  /// What follows the column that names a feed.
  private let comparison: String
  let arguments: StatementArguments
  /// The query that finds the feeds; nil for a single feed, which is named.
  private let query: String?

  var isOne: Bool { query == nil }

  /// - Returns: nil for all feeds there are.
  init?(_ source: ArticlePredicate.Source) {
    switch source {
    case .all:
      return nil
    case .feed(let feed):
      (comparison, arguments, query) = ("= ?", [feed.rawValue], nil)
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
    case .account(let account):
      (comparison, arguments, query) = Self.feeds(of: account)
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
    return try Int64.fetchAll(
      view.db.cachedStatement(sql: "SELECT DISTINCT \(query)"), arguments: arguments)
  }
}
