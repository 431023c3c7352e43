internal import Dispatch
internal import Foundation
internal import GRDB
internal import GRDBSQLite

/// How the database is opened, and what each connection to it is set to.
enum Connections {
  /// A pool of connections to the database at `path`, brought to the current schema.
  static func pool(
    _ path: String, _ patience: Patience, _ willRenew: (Int) -> Void
  ) throws -> DatabasePool {
    let pool = try DatabasePool(path: path, configuration: configuration(path, patience))
    try Schema.bringUpToDate(pool, path: path, willRenew)
    try pool.read { SchemaCopy.keep(of: $0, beside: path) }
    return pool
  }

  static func configuration(_ path: String, _ patience: Patience) -> Configuration {
    var configuration = Configuration()
    configuration.busyMode = patience.mode
    configuration.maximumReaderCount = 4
    // Behind the screen: on two processors a refresh that stores would hold up every key.
    configuration.writeTargetQueue = DispatchQueue(label: "telex.store.write", qos: .utility)
    // Persistent read-only connections keep their page cache between two key presses.
    configuration.persistentReadOnlyConnections = true
    let isHeldClaim = ClaimFile.isHeldFunction(in: (path as NSString).deletingLastPathComponent)
    configuration.prepareDatabase { db in
      try Schema.refuseForeign(db)
      try prepare(db)
      // The log and its index stay where they are when the store is closed: on a full disk they
      // could not be made again, and without them nothing can be read.
      var keepsLog: CInt = 1
      sqlite3_file_control(db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &keepsLog)
      db.add(function: .articleText)
      db.add(function: isHeldClaim)
    }
    return configuration
  }

  /// What each connection is set to. SQLite runs all of it at once: what GRDB does around a single
  /// statement takes longer than these.
  private static func prepare(_ db: Database) throws {
    var settings = "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -1000;"
    if !db.configuration.readonly {
      // A compressed body takes a third of a page of the usual size, which leaves much of it empty.
      // Only a new database takes this up.
      settings +=
        "PRAGMA page_size = 16384; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 512;"
    }
    let code = sqlite3_exec(db.sqliteConnection, settings, nil, nil, nil)
    guard code == SQLITE_OK else {
      let message = sqlite3_errmsg(db.sqliteConnection).map { String(cString: $0) }
      throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    }
  }
}
