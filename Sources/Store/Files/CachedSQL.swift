internal import GRDB
internal import News

// Single statements that are compiled once for a connection (GRDB's `cachedStatement`). Scripts,
// and statements that run once in the life of a store, use GRDB's own functions.

extension Database {
  func run(_ sql: String, _ arguments: StatementArguments = []) throws {
    try cachedStatement(sql: sql).execute(arguments: arguments)
  }

  /// Whether there is any row.
  func exists(_ sql: String, _ arguments: StatementArguments = []) throws -> Bool {
    try row(sql, arguments) != nil
  }

  /// The first column of the first row; nil for null, and without a row.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ sql: String, _ arguments: StatementArguments = []
  ) throws -> Value? { try Value.fetchOne(cachedStatement(sql: sql), arguments: arguments) }

  func values<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ sql: String, _ arguments: StatementArguments = []
  ) throws -> [Value] { try Value.fetchAll(cachedStatement(sql: sql), arguments: arguments) }

  func row(_ sql: String, _ arguments: StatementArguments = []) throws -> Row? {
    try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments)
  }

  func rows(_ sql: String, _ arguments: StatementArguments = []) throws -> [Row] {
    try Row.fetchAll(cachedStatement(sql: sql), arguments: arguments)
  }

  /// Rows one at a time, each valid until the next.
  func cursor(_ sql: String, _ arguments: StatementArguments = []) throws -> RowCursor {
    try Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
  }
}

/// A parameter for `json_each`, so that one statement serves any count of numbers.
func jsonList(_ numbers: some Sequence<Int64>) -> String {
  "[\(numbers.map(String.init).joined(separator: ","))]"
}

/// An id of the domain, stored as an integer.
protocol StoredID: DatabaseValueConvertible, StatementColumnConvertible {
  var rawValue: Int64 { get }
  init(_ rawValue: Int64)
}

extension StoredID {
  var databaseValue: DatabaseValue { rawValue.databaseValue }

  init?(sqliteStatement: SQLiteStatement, index: CInt) {
    self.init(Int64(sqliteStatement: sqliteStatement, index: index))
  }

  static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
    Int64.fromDatabaseValue(value).map { Self($0) }
  }
}

extension AccountID: StoredID {}
extension ArticleID: StoredID {}
extension FeedID: StoredID {}
extension RuleID: StoredID {}
extension SmartFeedID: StoredID {}
extension TagID: StoredID {}
