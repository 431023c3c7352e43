internal import Dispatch
internal import Foundation
internal import GRDB
internal import GRDBSQLite

/// Opening and configuration of database connections.
enum Connections {
  /// A pool of connections to the database at `path`, brought to the current schema.
  static func pool(_ path: String, _ waitLimit: WaitLimit) throws -> DatabasePool {
    let pool = try DatabasePool(path: path, configuration: configuration(path, waitLimit))
    try Schema.bringUpToDate(pool, path: path)
    try pool.readByWriter { SchemaCopy.keep(of: $0, beside: path) }
    return pool
  }

  static func configuration(_ path: String, _ waitLimit: WaitLimit) -> Configuration {
    var configuration = Configuration()
    configuration.busyMode = waitLimit.mode
    configuration.maximumReaderCount = 4
    // Low priority: on two processors a refresh that stores would otherwise delay every key press.
    configuration.writeTargetQueue = DispatchQueue(label: "telex.store.write", qos: .utility)
    // Persistent read-only connections keep their page cache between two key presses.
    configuration.persistentReadOnlyConnections = true
    let isHeldClaim = ClaimFile.isHeldFunction(in: (path as NSString).deletingLastPathComponent)
    configuration.prepareDatabase { db in
      try Schema.refuseForeign(db)
      try prepare(db)
      // The log and its index stay when the store is closed: on a full disk they could not be
      // created again, and the database could not be read.
      var keepsLog: CInt = 1
      sqlite3_file_control(db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &keepsLog)
      for function in DatabaseFunction.ofStore { db.add(function: function) }
      db.add(function: isHeldClaim)
    }
    return configuration
  }

  /// Configures a connection in one call: GRDB's overhead for each statement exceeds the
  /// statements.
  private static func prepare(_ db: Database) throws {
    var settings = "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -1000;"
    if !db.configuration.readonly {
      // Compressed bodies fill a third of a default page, which leaves much of it empty. The page
      // size takes effect in a new database only. The cache holds the inner pages of indexes over
      // random keys: with a quarter of it, half of the time of a large first sync goes into reading
      // them again.
      settings += """
        PRAGMA page_size = 16384; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 512;
        PRAGMA cache_size = -4000;
        """
    }
    let code = sqlite3_exec(db.sqliteConnection, settings, nil, nil, nil)
    guard code == SQLITE_OK else {
      let message = sqlite3_errmsg(db.sqliteConnection).map { String(cString: $0) }
      throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    }
  }
}

extension DatabasePool {
  /// Reads a snapshot over the connection that writes, after writes that are under way.
  func readByWriter<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try writeWithoutTransaction { db in
      var value: Value?
      try db.readOnly {
        try db.inTransaction(.deferred) {
          value = try body(db)
          return .commit
        }
      }
      guard let value else { throw DatabaseError(message: "a transaction without its reading") }
      return value
    }
  }
}
