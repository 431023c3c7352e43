internal import GRDB

/// A table of the schema, and its treatment by what goes through all tables: union, removal and
/// return, trimming, repair.
///
/// Rows go with the article, feed or account of their foreign key (`ON DELETE CASCADE`). A test
/// compares the list with the schema.
struct StoreTable: Sendable {
  enum Owner: Sendable {
    case article(String)
    case feed(String)
    /// An account, or the store as a whole.
    case store
  }

  /// Treatment of rows of an article, or feed, that is united with another.
  enum Union: Sendable {
    /// It goes to the other one, unless that has a row of its own.
    case moves(unless: String? = nil)
    /// It goes with its article or feed: it is derived, or the other one's counts.
    case ends
    /// `FeedUnion` decides about columns.
    case merged
  }

  let name: String
  var owner = Owner.store
  var union = Union.ends
  /// Whether its rows are kept when their feed or article is removed, and come back with it.
  var isArchived = false
  /// Whether its rows are carried into a new database by a repair; what is derived is made anew.
  var isCarried = true
  /// Whether an article that has such a row is kept, however old it is.
  var keepsArticle = false
  /// SQL over a row of an article for the bytes of its texts; nil where these are no part of the article's size.
  var bytes: String?
  /// The user's words for rows that a repair has lost; nil where they are counted, or no loss.
  var words: String?

  /// All tables, most valuable first, such that no row refers to a later one. Positions in logs are
  /// not carried: logs are read again, and this machine begins a new one.
  static let all = [
    StoreTable(name: "account", words: "accounts"),
    StoreTable(name: "signIn", words: "sign-ins"),
    StoreTable(name: "feed", owner: .feed("id"), union: .merged, isArchived: true),
    StoreTable(
      name: "feedFolder", owner: .feed("feedID"), union: .merged, isArchived: true,
      words: "folders"),
    StoreTable(name: "folderOutline", words: "notes of other programs on folders"),
    StoreTable(
      name: "feedState", owner: .feed("feedID"), isArchived: true,
      words: "what is known of the fetches"),
    StoreTable(name: "feedCount", owner: .feed("feedID"), isCarried: false),
    StoreTable(name: "article", owner: .article("id"), union: .merged, isArchived: true),
    StoreTable(
      name: "articleStatus", owner: .article("articleID"), union: .merged, isArchived: true),
    StoreTable(
      name: "articleBody", owner: .article("articleID"), isArchived: true,
      bytes:
        "coalesce(length(content), 0) + coalesce(length(summary), 0) + coalesce(length(details), 0)"
    ),
    StoreTable(name: "gap", owner: .feed("feedID"), isArchived: true, words: "gaps"),
    StoreTable(name: "outbox", union: .merged, words: "what waits to be sent"),
    StoreTable(name: "userAction"),
    StoreTable(name: "tag", words: "tags"),
    StoreTable(
      name: "articleTag", owner: .article("articleID"), union: .moves(), keepsArticle: true,
      words: "tags of articles"),
    StoreTable(
      name: "playback", owner: .article("articleID"), union: .moves(), isArchived: true,
      words: "how far sounds were played"),
    StoreTable(
      name: "playQueue", owner: .article("articleID"), union: .moves(), isArchived: true,
      keepsArticle: true, words: "the queue of what is to be played"),
    StoreTable(
      name: "formerText", owner: .article("articleID"), union: .moves(), isArchived: true,
      bytes: "coalesce(length(content), 0) + coalesce(length(summary), 0)",
      words: "what changed articles said before"),
    StoreTable(
      name: "fullText", owner: .article("articleID"), union: .merged, isArchived: true,
      bytes: "length(content)",
      words: "full texts of articles"),
    StoreTable(name: "storyKey", owner: .article("articleID")),
    StoreTable(
      name: "comment", owner: .article("articleID"), union: .moves(unless: "conversation"),
      isArchived: true, bytes: "length(content)", words: "comments on articles"),
    StoreTable(
      name: "conversation", owner: .article("articleID"), union: .moves(), isArchived: true,
      words: "which comments were seen"),
    StoreTable(
      name: "item", owner: .article("articleID"), isArchived: true,
      words: "what is known of articles at servers"),
    StoreTable(name: "register", words: "what machines have marked"),
    StoreTable(name: "logPosition", isCarried: false),
    StoreTable(name: "ownLog", isCarried: false),
    StoreTable(name: "smartFeed", words: "smart feeds"),
    StoreTable(name: "rule", words: "rules"),
    StoreTable(name: "moment"),
    StoreTable(
      name: "tombstone", owner: .feed("feedID"), union: .merged, isArchived: true,
      words: "what was deleted"),
    StoreTable(name: "removal", words: "feeds that were removed"),
    StoreTable(name: "removedRow", words: "articles of feeds that were removed"),
    StoreTable(name: "discardedSignIn"),
    StoreTable(name: "upkeep"),
    StoreTable(name: "articleFeature", owner: .article("articleID"), isCarried: false),
    StoreTable(name: "titleKey", owner: .article("titledID"), isCarried: false),
    StoreTable(name: "titleOrder", isCarried: false),
    StoreTable(name: "unindexed", isCarried: false),
    StoreTable(name: "search", isCarried: false),
  ]

  static func named(_ name: String) -> StoreTable? { all.first { $0.name == name } }

  var articleColumn: String? { if case .article(let column) = owner { column } else { nil } }

  var feedColumn: String? { if case .feed(let column) = owner { column } else { nil } }
}

extension Database {
  func columnNames(of table: String) throws -> [String] {
    try String.fetchAll(
      cachedStatement(sql: "SELECT name FROM pragma_table_info(?)"), arguments: [table])
  }
}
