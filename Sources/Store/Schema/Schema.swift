internal import GRDB
internal import News
internal import Text

/// The schema of a database: which one it has, and the way to the current one.
enum Schema {
  /// Goes into `user_version`; a database with a higher one was written by a newer Telex.
  static let version = 29

  /// The schema of the first release, which `Tables.sql` makes. A store of an earlier one is refused.
  static let first = 28

  /// The last commit that brings a store of an earlier schema to the first one.
  static let adviceOnFormer =
    "open it once with a Telex built from commit 0a34199f, or choose another folder with --store"

  /// The steps from an empty database to the current schema. A released one is never edited.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    // The name of the last step before the first release: a store that has made it has these tables.
    migrator.registerMigration("28 validators of comments") { db in
      try db.execute(sql: String(decoding: PackageResources.Tables_sql, as: UTF8.self))
    }
    // `PublishingPace` and `SkippedTimes` of a feed. The next fetch fills them.
    migrator.registerMigration("29 pace of feeds") { db in
      for column in ["medianGap", "newestAt", "skippedTimes"] {
        try db.execute(sql: "ALTER TABLE feedState ADD COLUMN \(column) INTEGER")
      }
    }
    return migrator
  }

  /// - Parameter migrator: the steps; their last one is to have the number `version`.
  static func bringUpToDate(
    _ database: any DatabaseWriter, path: String, by migrator: DatabaseMigrator = migrator
  ) throws {
    let version = number(of: migrator.migrations.last ?? "") ?? version
    let found = try database.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
    if found == version { return StoreCopy.remove(of: path) }
    if try database.read(isForeign) { throw foreign(path) }
    guard found < version else { throw newer(path, found) }
    if let made = try database.read(self.found) {
      guard made >= first else { throw former(path, made) }
      if made < version { try StoreCopy.make(of: database, path: path, schema: made) }
    }
    try migrator.migrate(database)
    // After the migrations, and repeated by the next start if a kill comes in between.
    try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = \(version)") }
  }

  /// Makes the tables of the first release.
  static func create(in database: any DatabaseWriter) throws { try migrator.migrate(database) }

  /// The schema of a database as its migrations tell; nil where it is none of Telex's.
  static func found(in db: Database) throws -> Int? {
    guard try db.tableExists("grdb_migrations"), try db.tableExists("feed") else { return nil }
    return try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations")
      .compactMap(number).max()
  }

  private static func number(of migration: String) -> Int? {
    Int(migration.prefix { $0.isNumber })
  }

  /// Called before anything is changed: of a file that is no log's, a pool would make one.
  static func refuseForeign(_ db: Database) throws {
    guard !db.configuration.readonly,
      try String.fetchOne(db, sql: "PRAGMA journal_mode") != "wal", try isForeign(db)
    else { return }
    throw foreign(try String.fetchOne(db, sql: "SELECT file FROM pragma_database_list") ?? "")
  }

  private static func isForeign(_ db: Database) throws -> Bool {
    let tables = try String.fetchAll(db, sql: "SELECT name FROM sqlite_master LIMIT 1000")
    return !tables.isEmpty && !tables.contains("grdb_migrations")
  }

  static func newer(_ path: String, _ found: Int) -> SourceError {
    SourceError(
      .store, stage: .store, subject: path,
      message: "the database was written by a newer Telex (schema \(found), known \(version))",
      next: "install the newer Telex, or choose another folder with --store")
  }

  static func former(_ path: String, _ found: Int) -> SourceError {
    SourceError(
      .store, stage: .store, subject: path,
      message:
        "the database was written by a Telex from before the first release (schema \(found)); "
        + "it was not changed", next: adviceOnFormer)
  }

  private static func foreign(_ path: String) -> SourceError {
    SourceError(
      .store, stage: .store, subject: path,
      message: "this is a database of another program; nothing was changed",
      next: "move it away, or choose another folder with --store")
  }

  /// Writes the version that is there once more, which a newer Telex may have raised meanwhile.
  static func rewriteVersion(in db: Database) throws {
    let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    try db.execute(sql: "PRAGMA user_version = \(found)")
  }

  /// Empties the search index by making it anew, which works without reading what is damaged.
  static func renewSearchIndex(in db: Database) throws {
    guard
      let sql = try String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = 'search'")
    else { return }
    try db.execute(sql: "DROP TABLE search")
    try db.execute(sql: sql)
  }
}
