// Store: what the user has subscribed to, read and marked, in one SQLite file.
//
// The front door is `Store`. `view` gives a consistent look at everything (`StoreView`), `edit`
// changes several things in one transaction (`StoreEdit`), and `changes()` says that something has
// changed, whichever process wrote it. Nothing of SQLite or GRDB leaves this target.

internal import Dispatch
internal import Foundation
internal import GRDB
internal import News
internal import Synchronization

/// The user's data on disk. Safe to use from any isolation and from several processes at once.
///
/// Reads never wait for a write. Both run on queues of their own, so awaiting one never holds a thread
/// of the cooperative pool.
///
/// Damage that is met at any time is healed, and the work that met it done once more (`Healing`).
package final class Store: Sendable {
  /// The folder that holds the database.
  package let folder: String

  /// The database that is open, and which file it is: another process may put a new one in its place.
  private struct Open {
    var pool: DatabasePool
    var file: FileIdentity?
    /// Why it could not be healed, and when that was tried.
    var failure: (error: any Error, time: ContinuousClock.Instant)?
  }

  /// Whether an address may hold a name or a password, as versions before the seventh schema stored it;
  /// found out when the store was opened.
  package let mayHoldUsers: Bool

  private let open: Mutex<Open>
  private let watcher: ChangeWatcher
  private let patience: Patience
  private let willHeal: @Sendable (StoreRecovery) -> Void
  private let recoveries = Mutex(Recoveries())

  /// What was done about damage, until somebody wants to know.
  private struct Recoveries {
    var waiting: [StoreRecovery] = []
    var handler: (@Sendable (StoreRecovery) -> Void)?
  }

  var path: String { folder + "/telex.sqlite" }

  /// Opens the store in `folder`, which is made where it is missing (0700, its files 0600), and
  /// brings it to the current schema.
  ///
  /// - Parameters:
  ///   - deadline: when a command has to be done: other processes are waited for until then at most.
  ///   - willRenew: told before a store of an earlier schema is brought to the current one, how many
  ///     articles it holds: with many this takes a while.
  ///   - willHeal: told when the database was found damaged, before what can be read is saved; later too,
  ///     as long as `onRecovery` has no handler.
  ///   - willWait: told for whom, where another process is opening the store and takes its time.
  /// - Throws: `SourceError` of kind `.store` when the folder cannot be used, or when the database
  ///   was written by a newer Telex or by another program. A damaged database is healed, not an error.
  package init(
    folder: String, deadline: ContinuousClock.Instant? = nil,
    willRenew: (Int) -> Void = { _ in },
    willHeal: @escaping @Sendable (StoreRecovery) -> Void = { _ in },
    willWait: (String) -> Void = { _ in }
  ) throws {
    self.folder = folder
    self.willHeal = willHeal
    let patience = Patience(deadline: deadline)
    self.patience = patience
    try StoreFolder.prepare(folder)
    let path = folder + "/telex.sqlite"
    let (pool, recovery) = try mapStoreErrors(folder) {
      try StoreFolder.alone(in: folder, patience, willWait) {
        () -> (DatabasePool, StoreRecovery?) in
        try Replacement.finish(path)
        let isEmpty = FileIdentity(path) != nil && StoreFolder.size(of: path) == 0
        do {
          // SQLite would take the log of an emptied file for nothing, and delete it.
          if isEmpty, StoreFile(path) != .empty { throw DatabaseError(resultCode: .SQLITE_NOTADB) }
          let pool = try Connections.pool(path, patience, willRenew)
          return (pool, isEmpty ? StoreRecovery(outcome: .empty) : nil)
        } catch let error as DatabaseError where error.isDamage {
          willHeal(StoreRecovery(outcome: .begun))
          let recovery = try Store.healing(path, patience).heal()
          return (try Connections.pool(path, patience, willRenew), recovery)
        }
      }
    }
    StoreFolder.protect(path)
    // Where that cannot be read now, who looks closer meets the damage, and heals it.
    mayHoldUsers = (try? pool.read { try StoreView(db: $0).mayHoldUsers }) ?? true
    open = Mutex(Open(pool: pool, file: FileIdentity(path)))
    watcher = ChangeWatcher(path: path)
    if let recovery { tell(recovery) }
  }

  /// Damaged databases that were set aside: what is removed from the store is not removed from these.
  package var setAside: [String] { StoreFolder.setAside(in: folder) }

  /// Tells of what is done about damage, and of what has been done that nobody was told of.
  package func onRecovery(_ handler: @escaping @Sendable (StoreRecovery) -> Void) {
    let waiting = recoveries.withLock { recoveries in
      recoveries.handler = handler
      defer { recoveries.waiting = [] }
      return recoveries.waiting
    }
    for recovery in waiting { handler(recovery) }
  }

  /// The last that nobody was told of.
  var untoldRecovery: StoreRecovery? { recoveries.withLock { $0.waiting.last } }

  private func tell(_ recovery: StoreRecovery) {
    let hasBegun = recovery.outcome == .begun
    let handler = recoveries.withLock { recoveries in
      if recoveries.handler == nil, !hasBegun { recoveries.waiting.append(recovery) }
      return recoveries.handler
    }
    if let handler { handler(recovery) } else if hasBegun { willHeal(recovery) }
  }

  private static func healing(_ path: String, _ patience: Patience) -> Healing {
    Healing(
      path: path, configuration: Connections.configuration(path, patience), patience: patience)
  }

  // MARK: Reading

  /// A consistent look at the store.
  package func view<Value: Sendable>(
    _ body: @escaping @Sendable (StoreView) throws -> Value
  ) async throws -> Value {
    try await withPool { pool in try await pool.read { try body(StoreView(db: $0)) } }
  }

  /// A look at the store that the calling thread waits for: for the first screen, which has nothing
  /// better to do, and for commands. Never from a task.
  package func viewNow<Value>(_ body: (StoreView) throws -> Value) throws -> Value {
    try mapStoreErrors(folder) {
      let pool = try poolThatIsThere() ?? reopen()
      do {
        return try pool.read { try body(StoreView(db: $0)) }
      } catch let error as DatabaseError where error.isDamage {
        return try heal(pool).pool.read { try body(StoreView(db: $0)) }
      }
    }
  }

  // MARK: Writing

  /// Changes several things at once: all of it is committed, or none.
  @discardableResult
  package func edit<Value: Sendable>(
    _ body: @escaping @Sendable (StoreEdit) throws -> Value
  ) async throws -> Value {
    let value = try await withPool { [self] pool in
      try await pool.write { db in
        try checkPlace(of: pool)
        return try StoreEdit.run(in: db, body)
      }
    }
    watcher.noteChange()
    return value
  }

  /// As `edit`, but done in a task that has been cancelled as well: for what has to be put in order
  /// at the end.
  @discardableResult
  package func finish<Value: Sendable>(
    _ body: @escaping @Sendable (StoreEdit) throws -> Value
  ) async throws -> Value {
    let value = try await withPool { [self] pool in
      try await withCheckedThrowingContinuation { done in
        pool.asyncWrite(
          { db in
            try self.checkPlace(of: pool)
            return try StoreEdit.run(in: db, body)
          }, completion: { done.resume(with: $1) })
      }
    }
    watcher.noteChange()
    return value
  }

  // MARK: The files

  func reading<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await withPool { pool in try await pool.read(body) }
  }

  /// Outside of a transaction.
  @discardableResult
  func writing<Value: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await withPool { [self] pool in
      try await pool.writeWithoutTransaction { db in
        try checkPlace(of: pool)
        return try body(db)
      }
    }
  }

  // MARK: Damage

  /// Another file has taken the place of the one that is open.
  private struct Replaced: Error {}

  /// Seconds for which a database that could not be healed is left alone.
  private static let pause: Duration = .seconds(10)

  private func withPool<Value: Sendable>(
    _ body: @Sendable (DatabasePool) async throws -> Value
  ) async throws -> Value {
    try await mapStoreErrors(folder) {
      var pool: DatabasePool
      if let there = try poolThatIsThere() {
        pool = there
      } else {
        pool = try await offTheTasks { try $0.reopen() }
      }
      // One is replaced under a command at most once or twice; more often something else is wrong.
      for _ in 0..<3 {
        do {
          return try await body(pool)
        } catch let error as DatabaseError where error.isDamage {
          let damaged = pool
          pool = try await offTheTasks { try $0.heal(damaged).pool }
        } catch is Replaced {
          pool = try await offTheTasks { try $0.reopen() }
        }
      }
      do { return try await body(pool) } catch is Replaced { throw lost }
    }
  }

  /// For what waits for other processes and for the disk.
  private func offTheTasks(
    _ work: @escaping @Sendable (Store) throws -> DatabasePool
  ) async throws -> DatabasePool {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global(qos: .userInitiated).async {
        continuation.resume(with: Result { try work(self) })
      }
    }
  }

  /// The open database; nil where another file is in its place now, or none.
  private func poolThatIsThere() throws -> DatabasePool? {
    let file = FileIdentity(path)
    return open.withLock { open -> DatabasePool? in
      open.file == file && file != nil ? open.pool : nil
    }
  }

  /// In a transaction that has begun: who replaces the file waits for its end, and has replaced it
  /// before it could begin otherwise.
  private func checkPlace(of pool: DatabasePool) throws {
    let file = FileIdentity(path)
    let isThere = open.withLock { $0.pool === pool && $0.file == file && file != nil }
    if !isThere { throw Replaced() }
  }

  /// Opens the file that is there now. One that is gone is not made anew: what was in it is lost, and
  /// whoever took it away may bring it back.
  private func reopen() throws -> DatabasePool {
    let (pool, isNew) = try StoreFolder.alone(in: folder, patience, { _ in }) {
      () -> (DatabasePool, Bool) in
      // In the time in which a file is replaced there is none.
      guard let file = FileIdentity(path) else { throw lost }
      if let pool = try poolThatIsThere() { return (pool, false) }
      try Replacement.finish(path)
      let pool = try Connections.pool(path, patience, { _ in })
      open.withLock { $0 = Open(pool: pool, file: file) }
      return (pool, true)
    }
    if isNew {
      tell(StoreRecovery(outcome: .followed))
      watcher.noteChange()
    }
    return pool
  }

  private var lost: SourceError {
    SourceError(
      .store, stage: .store, subject: folder,
      message: "the store is no longer there; nothing that is changed now is kept",
      next: "put it back, or end Telex and start it again")
  }

  /// Looks at all of the database, and heals it where something of it is damaged: for damage that
  /// nobody has met so far.
  ///
  /// - Returns: nil where nothing was damaged.
  package func repair() async throws -> StoreRecovery? {
    let health = await Store.health(of: folder, limit: patience.remaining ?? .seconds(3_600))
    guard health.isDamaged else { return nil }
    return try await mapStoreErrors(folder) {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global(qos: .userInitiated).async {
          continuation.resume(
            with: Result {
              let damaged = try self.poolThatIsThere() ?? self.reopen()
              return try self.heal(damaged).recovery
            })
        }
      }
    }
  }

  /// Makes the database usable again, unless another task or process has done so meanwhile.
  ///
  /// - Returns: the database that is open now, and what was done; nil where another did it.
  @discardableResult
  private func heal(
    _ damaged: DatabasePool
  ) throws -> (pool: DatabasePool, recovery: StoreRecovery?) {
    if let failure = open.withLock({ $0.failure }), .now - failure.time < Self.pause {
      throw failure.error
    }
    let (pool, recovery) = try StoreFolder.alone(in: folder, patience, { _ in }) {
      () -> (DatabasePool, StoreRecovery?) in
      let (pool, file) = open.withLock { ($0.pool, $0.file) }
      if pool !== damaged { return (pool, nil) }
      guard let there = FileIdentity(path) else { throw lost }
      do {
        var recovery = StoreRecovery(outcome: .followed)
        if there == file {
          tell(StoreRecovery(outcome: .begun))
          recovery = try Store.healing(path, patience).heal()
        }
        let pool = try Connections.pool(path, patience, { _ in })
        open.withLock { $0 = Open(pool: pool, file: FileIdentity(path)) }
        return (pool, recovery)
      } catch {
        open.withLock { $0.failure = (storeError(error, subject: folder), .now) }
        throw error
      }
    }
    StoreFolder.protect(path)
    if let recovery {
      tell(recovery)
      watcher.noteChange()
    }
    return (pool, recovery)
  }

  // MARK: Watching

  /// Says that something may have changed: once for each burst of commits of this process, and
  /// within half a second for those of others. Ends when its task is cancelled.
  package func changes() -> AsyncStream<Void> { watcher.changes() }

  /// The number of the last change that is known of, counted since the store was opened. What is read
  /// after it was asked for is at least as new as that change.
  package var changeNumber: UInt64 { watcher.changeNumber }

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
    let patience = patience
    try await withPool { pool in
      try await pool.writeWithoutTransaction { db in
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
