internal import GRDB

/// Damaged database, read as far as possible.
struct DamagedDatabase {
  let db: Database

  var tables: [String] {
    (try? String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")) ?? []
  }

  /// No row of any table has a higher id.
  var highestID: Int64 {
    let numbers = rows("SELECT seq FROM sqlite_sequence").compactMap { $0.integer(0) }
      .filter { $0 > 0 && $0 < 1 << 40 }
    return numbers.max() ?? 4_000_000
  }

  /// Rows that can be read, up to the first that cannot.
  func rows(_ sql: String) -> [Row] {
    var isWhole = true
    return rows(sql, isWhole: &isWhole)
  }

  func rows(_ sql: String, isWhole: inout Bool) -> [Row] {
    var result: [Row] = []
    do {
      let cursor = try Row.fetchCursor(db, sql: sql)
      while let row = try cursor.next() { result.append(row.copy()) }
    } catch { isWhole = false }
    return result
  }
}

/// Reads the rows of a damaged table: by id from either end, and in between wherever one can be had.
struct RowReader {
  let db: Database
  let table: String
  /// Nil for a table that has no ids, which is read from either end only.
  let key: String?
  let columns: String
  let highest: Int64

  /// Attempts inside of ranges that fail: a broken inner page costs one for each id.
  private static let attempts = 1_000_000

  /// - Parameter pause: called between two attempts inside of a range that fails.
  /// - Returns: whether all of it could be read.
  func forEach(_ body: (Row) throws -> Void, pause: () throws -> Void) throws -> Bool {
    guard let key else {
      // Rows that are read twice are ignored at their second insertion.
      for order in ["ASC", "DESC"] {
        let primary = try String.fetchAll(
          db, sql: "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk",
          arguments: [table])
        let terms = primary.map { "\($0) \(order)" }.joined(separator: ", ")
        if try walk("SELECT \(columns) FROM \(table) ORDER BY \(terms)", [], body) { return true }
      }
      return false
    }
    let select = "SELECT \(columns), \(key) FROM \(table) NOT INDEXED WHERE \(key)"
    var attempts = Self.attempts
    // Ranges of ids that are still to be read, in descending order.
    var stretches: [(low: Int64, high: Int64)] = [(0, highest)]
    var isWhole = true
    while let (low, high) = stretches.popLast(), attempts > 0 {
      guard low <= high else { continue }
      try pause()
      attempts -= 1
      var last = low - 1
      let up = "\(select) BETWEEN ? AND ? ORDER BY \(key)"
      if try walk(up, [low, high], body, &last) { continue }
      isWhole = false
      var first = high + 1
      if try walk("\(up) DESC", [last + 1, high], body, &first) { continue }
      // Both ends of what is left are broken.
      guard last + 1 < first - 1 else { continue }
      let middle = last + 1 + (first - 1 - (last + 1)) / 2
      stretches.append((middle + 1, first - 1))
      stretches.append((last + 1, middle))
    }
    return isWhole
  }

  /// - Returns: whether the end was reached.
  private func walk(
    _ sql: String, _ arguments: StatementArguments, _ body: (Row) throws -> Void
  ) throws -> Bool {
    let cursor: RowCursor
    do { cursor = try Row.fetchCursor(db, sql: sql, arguments: arguments) } catch { return false }
    while true {
      let row: Row?
      do { row = try cursor.next() } catch { return false }
      guard let row else { return true }
      try body(row)
    }
  }

  private func walk(
    _ sql: String, _ arguments: StatementArguments, _ body: (Row) throws -> Void,
    _ last: inout Int64
  ) throws -> Bool {
    var reached = last
    defer { last = reached }
    return try walk(sql, arguments) { row in
      try body(row)
      if let id = row.integer(row.count - 1) { reached = id }
    }
  }
}

extension Row {
  /// The integer in a column; nil for a value of another type, whatever the schema declares.
  func integer(_ index: Int) -> Int64? {
    if case .int64(let value) = (self[index] as DatabaseValue).storage { value } else { nil }
  }

  func text(_ index: Int) -> String? {
    if case .string(let value) = (self[index] as DatabaseValue).storage { value } else { nil }
  }
}
