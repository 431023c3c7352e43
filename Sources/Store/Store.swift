// Store: what the reader has subscribed to, read and marked, in one SQLite file.
//
// The front door is `Store`. `view` gives a consistent look at everything (`StoreView`), `edit`
// changes several things in one transaction (`StoreEdit`), and `changes()` says that something has
// changed, whichever process wrote it. Nothing of SQLite or GRDB leaves this target.

internal import Dispatch
internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import News
internal import Synchronization

/// The reader's data on disk. Safe to use from any isolation and from several processes at once.
///
/// Readers never wait for the writer. Reads and writes run on queues of their own, so awaiting one
/// never holds a thread of the cooperative pool.
package final class Store: Sendable {
  /// The folder that holds the database.
  package let folder: String
  /// Set when the database was damaged and a new one was begun: where the old one lies now.
  package let setAside: String?

  private let pool: DatabasePool
  private let watcher: ChangeWatcher
  private let patience: Patience

  /// Opens the store in `folder`, which is made where it is missing (0700, its files 0600), and
  /// brings it to the current schema.
  ///
  /// - Parameters:
  ///   - deadline: when a command has to be done: other processes are waited for until then at most.
  ///   - willRenew: told before a store of an earlier schema is brought to the current one, how many
  ///     articles it holds: with many this takes a while.
  ///   - willWait: told for whom, where another process is opening the store and takes its time.
  /// - Throws: `SourceError` of kind `.store` when the folder cannot be used, or when the database
  ///   was written by a newer Telex. A damaged database is renamed, not an error.
  package init(
    folder: String, deadline: ContinuousClock.Instant? = nil,
    willRenew: (Int) -> Void = { _ in }, willWait: (String) -> Void = { _ in }
  ) throws {
    self.folder = folder
    let patience = Patience(deadline: deadline)
    self.patience = patience
    try StoreFolder.prepare(folder)
    let path = folder + "/telex.sqlite"
    (pool, setAside) = try StoreFolder.alone(in: folder, patience, willWait) {
      do {
        return (try Store.open(path, patience, willRenew), nil)
      } catch let error as DatabaseError where error.isDamage {
        let damaged = try StoreFolder.setAside(path)
        return (try mapStoreErrors(folder) { try Store.open(path, patience, willRenew) }, damaged)
      } catch {
        throw storeError(error, subject: folder)
      }
    }
    StoreFolder.protect(path)
    watcher = ChangeWatcher(path: path)
  }

  private static func open(
    _ path: String, _ patience: Patience, _ willRenew: (Int) -> Void
  ) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.busyMode = patience.mode
    configuration.maximumReaderCount = 4
    // Behind the screen: on two processors a refresh that stores would hold up every key.
    configuration.writeTargetQueue = DispatchQueue(label: "telex.store.write", qos: .utility)
    // Persistent read-only connections keep their page cache between two key presses.
    configuration.persistentReadOnlyConnections = true
    let isHeldClaim = ClaimFile.isHeldFunction(in: (path as NSString).deletingLastPathComponent)
    configuration.prepareDatabase { db in
      // A compressed body takes a third of a page of the usual size, which leaves much of it empty.
      // Only a new database takes this up.
      try db.execute(sql: "PRAGMA page_size = 16384")
      try db.execute(sql: "PRAGMA synchronous = NORMAL")
      // The log and its index stay where they are when the store is closed: on a full disk they
      // could not be made again, and without them nothing can be read.
      var keepsLog: CInt = 1
      sqlite3_file_control(db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &keepsLog)
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 512")
      try db.execute(sql: "PRAGMA temp_store = MEMORY")
      try db.execute(sql: "PRAGMA cache_size = -1000")
      db.add(function: .articleText)
      db.add(function: isHeldClaim)
    }
    let pool = try DatabasePool(path: path, configuration: configuration)
    try Schema.bringUpToDate(pool, willRenew)
    return pool
  }

  // MARK: Reading

  /// A consistent look at the store.
  package func view<Value: Sendable>(
    _ body: @escaping @Sendable (StoreView) throws -> Value
  ) async throws -> Value {
    try await mapStoreErrors(folder) { try await pool.read { try body(StoreView(db: $0)) } }
  }

  /// A look at the store that the calling thread waits for: for the first screen, which has nothing
  /// better to do, and for commands. Never from a task.
  package func viewNow<Value>(_ body: (StoreView) throws -> Value) throws -> Value {
    try mapStoreErrors(folder) { try pool.read { try body(StoreView(db: $0)) } }
  }

  // MARK: Writing

  /// Changes several things at once: all of it is committed, or none.
  @discardableResult
  package func edit<Value: Sendable>(
    _ body: @escaping @Sendable (StoreEdit) throws -> Value
  ) async throws -> Value {
    let value = try await mapStoreErrors(folder) {
      try await pool.write { try StoreEdit.run(in: $0, body) }
    }
    watcher.announce()
    return value
  }

  /// As `edit`, but done in a task that has been cancelled as well: for what has to be put in order
  /// at the end.
  @discardableResult
  package func finish<Value: Sendable>(
    _ body: @escaping @Sendable (StoreEdit) throws -> Value
  ) async throws -> Value {
    let value = try await mapStoreErrors(folder) {
      try await withCheckedThrowingContinuation { done in
        pool.asyncWrite({ try StoreEdit.run(in: $0, body) }, completion: { done.resume(with: $1) })
      }
    }
    watcher.announce()
    return value
  }

  // MARK: The files

  func reading<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await mapStoreErrors(folder) { try await pool.read(body) }
  }

  /// Outside of a transaction.
  @discardableResult
  func writing<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await mapStoreErrors(folder) { try await pool.writeWithoutTransaction(body) }
  }

  // MARK: Watching

  /// Says that something may have changed: once for each burst of commits of this process, and
  /// within half a second for those of others. Ends when its task is cancelled.
  package func changes() -> AsyncStream<Void> { watcher.changes() }

  /// Wakes those who listen for changes, for what changed beside the database.
  package func announce() { watcher.announce() }

  /// How many listen for changes.
  var listenerCount: Int { watcher.listenerCount }

  /// Begins to look for what other processes write. Commits of this process need no watching.
  package func watchOtherProcesses() { watcher.start() }

  /// Bytes the database takes on disk, its log included.
  package var bytesOnDisk: Int64 {
    StoreFolder.size(of: folder + "/telex.sqlite")
      + StoreFolder.size(of: folder + "/telex.sqlite-wal")
  }

  /// Moves the log into the database and lets the query planner look at what has grown: for after a
  /// refresh. Cheap when there is nothing to do; leaves the rest to the next time where another
  /// process is in the way.
  package func tidy() async throws {
    try await erase()
    try await mapStoreErrors(folder) {
      try await pool.writeWithoutTransaction { [patience] db in
        do {
          // Nobody is waited for: until the log is cut no other process could write.
          try patience.waived {
            try db.execute(sql: "PRAGMA optimize")
            _ = try db.checkpoint(.truncate)
            // A log without anything in it would be written to when the store is opened.
            try db.inTransaction(.immediate) {
              try Schema.rewriteVersion(in: db)
              return .commit
            }
          }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
          return
        }
      }
    }
  }
}
