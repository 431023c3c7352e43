internal import GRDB
internal import News
internal import Text

/// The schema of a database: which one it has, and the way to the current one, which `Migrations` are.
enum Schema {
  /// Goes into `user_version`; a database with a higher one was written by a newer Telex.
  static let version = 28

  /// The migrations that write rows or an index anew, rather than a few pages: what they need of the
  /// disk grows with the database.
  private static let rewriting: Set = [4, 6]

  static func bringUpToDate(
    _ database: any DatabaseWriter, path: String, _ willRenew: (Int) -> Void
  ) throws {
    let found = try database.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
    if found == version { return }
    if try database.read(isForeign) { throw foreign(path) }
    guard found < version else { throw newer(path, found) }
    if found > 0 {
      try checkSpace(at: path, from: found)
      willRenew(
        try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM article") ?? 0 })
    }
    try Migrations.migrator.migrate(database)
    // After the migrations, and repeated by the next start if a kill comes in between.
    try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = \(version)") }
  }

  /// Makes the tables as a Telex of an earlier schema would have.
  static func create(in database: any DatabaseWriter, upTo schema: Int) throws {
    let migrator = Migrations.migrator
    let last = migrator.migrations.last { (Int($0.prefix { $0.isNumber }) ?? 0) <= schema }
    if let last { try migrator.migrate(database, upTo: last) }
  }

  /// The schema of a database as its migrations tell; nil where it is none of Telex's.
  static func found(in db: Database) throws -> Int? {
    guard try db.tableExists("grdb_migrations"), try db.tableExists("feed") else { return nil }
    return try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations")
      .compactMap { Int($0.prefix { $0.isNumber }) }.max()
  }

  /// Called before anything is changed: of a file that is no log's, a pool would make one.
  static func refuseForeign(_ db: Database) throws {
    guard !db.configuration.readonly,
      try String.fetchOne(db, sql: "PRAGMA journal_mode") != "wal", try isForeign(db)
    else { return }
    throw foreign(try String.fetchOne(db, sql: "SELECT file FROM pragma_database_list") ?? "")
  }

  /// Whether another program has made it.
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

  private static func foreign(_ path: String) -> SourceError {
    SourceError(
      .store, stage: .store, subject: path,
      message: "this is a database of another program; nothing was changed",
      next: "move it away, or choose another folder with --store")
  }

  /// Bytes of the disk that bringing a database to the current schema takes at most, the log
  /// included. A step that rewrites may put each page into the log, which is moved into the database
  /// between the steps.
  static func space(from found: Int, bytes: Int64) -> Int64 {
    let written =
      if rewriting.contains(where: { $0 > found }) {
        bytes
      } else {
        // The eleventh writes the feeds anew, without their articles.
        found < 11 ? min(bytes, 64 << 20) : 0
      }
    return 3 << 20 + written + written / 4
  }

  /// A disk that fills up in the middle loses nothing, but it is better not to begin.
  private static func checkSpace(at path: String, from found: Int) throws {
    let bytes = StoreFolder.size(of: path)
    let needed = space(from: found, bytes: bytes)
    guard let free = StoreFolder.bytesFree(at: path), free < needed else { return }
    func megabytes(_ bytes: Int64) -> String { "\((bytes + 1 << 20 - 1) / (1 << 20)) MB" }
    throw SourceError(
      .store, stage: .store, subject: path,
      message: "bringing the store into the form of this version takes up to \(megabytes(needed)), "
        + "and \(megabytes(free)) are free; nothing was changed",
      next: "make room and try again")
  }

  /// Writes the version that is there once more, which a newer Telex may have raised meanwhile.
  static func rewriteVersion(in db: Database) throws {
    let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    try db.execute(sql: "PRAGMA user_version = \(found)")
  }

  /// The index keeps no copy of the texts: they are made of the stored bodies when they are needed again, to take an
  /// article out. Letters with vowel signs and other marks are one word with them (`M*`), as in Hindi.
  static let searchIndex = """
    CREATE VIRTUAL TABLE search USING fts5(
      title, authors, text, content = 'indexedArticle', content_rowid = 'id',
      tokenize = "unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'");
    """
}
