// Store: the user's subscriptions, articles and marks in one SQLite file.
//
// The front door is `Store`: `view` reads a snapshot (`StoreView`), `edit` writes a transaction
// (`StoreEdit`), and `changes()` reports commits of all processes. SQLite and GRDB stay inside this
// target.

internal import Dispatch
internal import Foundation
internal import GRDB
internal import News
internal import Synchronization

/// The user's data on disk. Safe from any isolation and for several processes.
///
/// Reads never wait for a write. Both run on queues of their own, outside of the cooperative pool.
/// Damage is repaired when it is met, and the operation repeated (`Healing`).
package final class Store: Sendable {
  package let folder: String

  /// The open database and the identity of its file, which another process may replace.
  private struct Open {
    var pool: DatabasePool
    var file: FileIdentity?
    /// Why the last repair failed, and when that was.
    var failure: (error: any Error, time: ContinuousClock.Instant)?
  }

  private let journalLimit: Int
  /// Nil where articles join no stories.
  private let storyTexts: StoryTexts?
  private let open: Mutex<Open>
  private let watcher: ChangeWatcher
  private let waitLimit: WaitLimit
  /// Changes by `change` that wait for their turn or are being written.
  private let changesAwaited = Atomic(0)
  private let willHeal: @Sendable (StoreRecovery) -> Void
  private let recoveries = Mutex(Recoveries())

  /// Repairs that were not reported yet, and who they are reported to.
  private struct Recoveries {
    var waiting: [StoreRecovery] = []
    var handler: (@Sendable (StoreRecovery) -> Void)?
  }

  var path: String { folder + "/telex.sqlite" }

  /// Opens the store in `folder`, and migrates it. A missing folder is created (mode 0700, its
  /// files 0600).
  ///
  /// - Parameters:
  ///   - deadline: the end of any wait for other processes.
  ///   - journalLimit: of actions in the journal; 0 for what undo and redo need next.
  ///   - joinsStories: whether articles are joined to stories, and shown so. Joined ones stay
  ///     stored.
  ///   - willHeal: called before a repair; later only while `onRecovery` has no handler.
  ///   - willWait: called with the name of a process that has been opening the store for half a
  ///     second.
  /// - Throws: `SourceError` of kind `.store` for an unusable folder, or a database of a newer
  ///   Telex or another program. A damaged database is repaired instead.
  package init(
    folder: String, deadline: ContinuousClock.Instant? = nil,
    journalLimit: Int = JournalEdit.defaultLimit, joinsStories: Bool = true,
    willHeal: @escaping @Sendable (StoreRecovery) -> Void = { _ in },
    willWait: (String) -> Void = { _ in }
  ) throws {
    self.folder = folder
    self.willHeal = willHeal
    self.journalLimit = journalLimit
    storyTexts = joinsStories ? StoryTexts() : nil
    let waitLimit = WaitLimit(deadline: deadline)
    self.waitLimit = waitLimit
    try StoreFolder.prepare(folder)
    let path = folder + "/telex.sqlite"
    let (pool, recovery) = try mapStoreErrors(folder) {
      try StoreFolder.alone(in: folder, waitLimit, willWait) {
        () -> (DatabasePool, StoreRecovery?) in
        try Replacement.finish(path)
        let isEmpty = FileIdentity(path) != nil && StoreFolder.size(of: path) == 0
        StoreFolder.begin(path)
        do {
          // SQLite would delete the write-ahead log of a file that was emptied.
          if isEmpty, StoreFile(path) != .empty { throw DatabaseError(resultCode: .SQLITE_NOTADB) }
          let pool = try Connections.pool(path, waitLimit)
          return (pool, isEmpty ? StoreRecovery(outcome: .empty) : nil)
        } catch let error as DatabaseError where error.isDamage {
          willHeal(StoreRecovery(outcome: .begun))
          let recovery = try Store.healing(path, waitLimit).heal()
          return (try Connections.pool(path, waitLimit), recovery)
        }
      }
    }
    StoreFolder.protect(path)
    open = Mutex(Open(pool: pool, file: FileIdentity(path)))
    watcher = ChangeWatcher(path: path)
    if let recovery { report(recovery) }
  }

  /// Paths of damaged databases that were renamed by repairs, with data that was deleted since.
  package var setAside: [String] { StoreFolder.setAside(in: folder) }

  /// Sets the handler of repairs, and reports earlier ones to it.
  package func onRecovery(_ handler: @escaping @Sendable (StoreRecovery) -> Void) {
    let waiting = recoveries.withLock { recoveries in
      recoveries.handler = handler
      defer { recoveries.waiting = [] }
      return recoveries.waiting
    }
    for recovery in waiting { handler(recovery) }
  }

  /// The last repair that was not reported yet.
  var untoldRecovery: StoreRecovery? { recoveries.withLock { $0.waiting.last } }

  private func report(_ recovery: StoreRecovery) {
    let hasBegun = recovery.outcome == .begun
    let handler = recoveries.withLock { recoveries in
      if recoveries.handler == nil, !hasBegun { recoveries.waiting.append(recovery) }
      return recoveries.handler
    }
    if let handler { handler(recovery) } else if hasBegun { willHeal(recovery) }
  }

  private static func healing(_ path: String, _ waitLimit: WaitLimit) -> Healing {
    Healing(
      path: path, configuration: Connections.configuration(path, waitLimit), waitLimit: waitLimit)
  }

  // MARK: Reading

  /// Reads from one consistent snapshot of the store.
  package func view<Value: Sendable>(
    _ body: @escaping @Sendable (StoreView) throws -> Value
  ) async throws -> Value {
    try await withPool { [self] pool in try await pool.read { try body(storeView($0)) } }
  }

  private func storeView(_ db: Database) -> StoreView {
    StoreView(db: db, tellsStories: storyTexts != nil)
  }

  /// Reads on the calling thread, which it blocks. Never from a task.
  package func viewNow<Value>(_ body: (StoreView) throws -> Value) throws -> Value {
    try viewNow(byWriter: false, body)
  }

  /// Reads over the open connection that writes: another one would read the schema first, a tenth
  /// of a start. For the first screen.
  package func firstView<Value>(_ body: (StoreView) throws -> Value) throws -> Value {
    try viewNow(byWriter: true, body)
  }

  private func viewNow<Value>(byWriter: Bool, _ body: (StoreView) throws -> Value) throws -> Value {
    try mapStoreErrors(folder) {
      var pool = try poolThatIsThere() ?? reopen()
      do {
        if byWriter { return try pool.readByWriter { try body(storeView($0)) } }
      } catch let error as DatabaseError where error.isDamage {
        pool = try heal(pool).pool
      }
      do {
        return try pool.read { try body(storeView($0)) }
      } catch let error as DatabaseError where error.isDamage {
        return try heal(pool).pool.read { try body(storeView($0)) }
      }
    }
  }

  // MARK: Writing

  /// Writes in one transaction: all changes are committed, or none.
  @discardableResult
  package func edit<Value: Sendable>(
    _ body: @escaping @Sendable (StoreEdit) throws -> Value
  ) async throws -> Value {
    let value = try await withPool { [self] pool in
      try await pool.write { db in
        try checkPlace(of: pool)
        return try StoreEdit.run(in: db, journalLimit: journalLimit, storyTexts: storyTexts, body)
      }
    }
    watcher.noteChange()
    return value
  }

  /// As `edit`, for a change that the user waits for.
  @discardableResult
  package func change<Value: Sendable>(
    _ body: @escaping @Sendable (StoreEdit) throws -> Value
  ) async throws -> Value {
    changesAwaited.add(1, ordering: .relaxed)
    defer { changesAwaited.subtract(1, ordering: .relaxed) }
    return try await edit(body)
  }

  /// Whether the user waits for a change: a transaction of parts that stand for themselves ends after the next one.
  package var isChangeAwaited: Bool { changesAwaited.load(ordering: .relaxed) > 0 }

  /// As `edit`, but also in a task that has been cancelled: for cleaning up at the end.
  @discardableResult
  package func finish<Value: Sendable>(
    _ body: @escaping @Sendable (StoreEdit) throws -> Value
  ) async throws -> Value {
    let value = try await withPool { [self] pool in
      try await withCheckedThrowingContinuation { done in
        pool.asyncWrite(
          { db in
            try self.checkPlace(of: pool)
            return try StoreEdit.run(
              in: db, journalLimit: self.journalLimit, storyTexts: self.storyTexts, body)
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

  /// Writes with a raw connection, outside of a transaction.
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

  /// Thrown where another file has taken the place of the open one.
  private struct Replaced: Error {}

  /// How long no repair is tried again after one that failed.
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
      // A file that is replaced more often during an operation has another problem.
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

  /// Runs work that waits for other processes or the disk outside of Swift's pool of threads.
  private func offTheTasks<Value: Sendable>(
    _ work: @escaping @Sendable (Store) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global(qos: .userInitiated).async {
        continuation.resume(with: Result { try work(self) })
      }
    }
  }

  /// The open database; nil where its file was replaced or removed.
  private func poolThatIsThere() throws -> DatabasePool? {
    let file = FileIdentity(path)
    return open.withLock { open -> DatabasePool? in
      open.file == file && file != nil ? open.pool : nil
    }
  }

  /// Checks inside a transaction that the file was not replaced. The result holds until its end,
  /// for which a replacement waits.
  private func checkPlace(of pool: DatabasePool) throws {
    let file = FileIdentity(path)
    let isThere = open.withLock { $0.pool === pool && $0.file == file && file != nil }
    if !isThere { throw Replaced() }
  }

  /// Opens a file that replaced the open one. A missing file is not created: it may be put back.
  private func reopen() throws -> DatabasePool {
    let (pool, isNew) = try StoreFolder.alone(in: folder, waitLimit, { _ in }) {
      () -> (DatabasePool, Bool) in
      // Under this lock no other process is in the middle of replacing the file.
      guard let file = FileIdentity(path) else { throw lost }
      if let pool = try poolThatIsThere() { return (pool, false) }
      try Replacement.finish(path)
      let pool = try Connections.pool(path, waitLimit)
      open.withLock { $0 = Open(pool: pool, file: file) }
      return (pool, true)
    }
    if isNew {
      report(StoreRecovery(outcome: .followed))
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

  /// Checks the whole database, and repairs it. Returns nil where nothing is damaged.
  package func repair() async throws -> StoreRecovery? {
    let health = await Store.health(of: folder, limit: waitLimit.remaining ?? .seconds(3_600))
    guard health.isDamaged else { return nil }
    return try await mapStoreErrors(folder) {
      try await offTheTasks { store in
        try store.heal(store.poolThatIsThere() ?? store.reopen()).recovery
      }
    }
  }

  /// Repairs the database. Returns no recovery where another task did it meanwhile.
  @discardableResult
  private func heal(
    _ damaged: DatabasePool
  ) throws -> (pool: DatabasePool, recovery: StoreRecovery?) {
    if let failure = open.withLock({ $0.failure }), .now - failure.time < Self.pause {
      throw failure.error
    }
    let (pool, recovery) = try StoreFolder.alone(in: folder, waitLimit, { _ in }) {
      () -> (DatabasePool, StoreRecovery?) in
      let (pool, file) = open.withLock { ($0.pool, $0.file) }
      if pool !== damaged { return (pool, nil) }
      guard let there = FileIdentity(path) else { throw lost }
      do {
        var recovery = StoreRecovery(outcome: .followed)
        if there == file {
          report(StoreRecovery(outcome: .begun))
          recovery = try Store.healing(path, waitLimit).heal()
        }
        let pool = try Connections.pool(path, waitLimit)
        open.withLock { $0 = Open(pool: pool, file: FileIdentity(path)) }
        return (pool, recovery)
      } catch {
        open.withLock { $0.failure = (storeError(error, subject: folder), .now) }
        throw error
      }
    }
    StoreFolder.protect(path)
    if let recovery {
      report(recovery)
      watcher.noteChange()
    }
    return (pool, recovery)
  }

  // MARK: Watching

  /// A stream with an element for each burst of commits: at once by this process, within half a
  /// second by others.
  package func changes() -> AsyncStream<Void> { watcher.changes() }

  /// The number of known changes since the start. A later read includes them.
  package var changeNumber: UInt64 { watcher.changeNumber }

  package func announce() { watcher.announce() }

  var listenerCount: Int { watcher.listenerCount }

  /// Starts to watch for commits by other processes. Those of this process are known without it.
  package func watchOtherProcesses() { watcher.start() }

  package var bytesOnDisk: Int64 { StoreFolder.size(of: path) + logBytes }

  /// Erases deleted data, checkpoints the log and updates the planner's statistics, at the end of a
  /// refresh. Cheap when there is nothing to do; the next call does what another process prevents.
  package func tidy() async throws {
    try await erase()
    let waitLimit = waitLimit
    try await withPool { pool in
      try await pool.writeWithoutTransaction { db in
        do {
          // Without waiting for other processes: until the log is truncated none of them could write.
          try waitLimit.waived {
            try db.execute(sql: "PRAGMA optimize")
            _ = try db.checkpoint(.truncate)
            // A log without a transaction would be written to when the store is opened.
            try db.inTransaction(.immediate) {
              try Schema.rewriteVersion(in: db)
              return .commit
            }
          }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY { return }
      }
    }
  }
}
