internal import Dispatch
internal import Foundation
internal import GRDB
package import News

/// State of the store in a folder, for `telex doctor`. Reading it creates, migrates and repairs nothing.
package struct StoreHealth: Sendable {
  /// The permissions of the folder, as in `0o700`; nil where there is none.
  package var folderMode: Int?
  /// The permissions of the database file; nil where there is none.
  package var databaseMode: Int?
  package var isFolder = false
  package var isWritable = false
  package var isOwn = false
  /// Free space for the user on the file system, in bytes.
  package var bytesFree: Int64?
  package var bytesOnDisk: Int64 = 0
  /// The version of the schema; nil where no database can be opened.
  package var schema: Int?
  /// Whether the database file is empty, as after a start without room.
  package var isEmpty = false
  package var error: SourceError?
  /// Whether the database is damaged: it cannot be read for that reason, or the checks have found it.
  package var isDamaged = false
  /// Findings of the checks, a few of each kind at most.
  package var damage: [String] = []
  /// Whether the checks were finished within their time limit.
  package var isChecked = true
  package var isIndexChecked = true
  /// Paths of damaged databases that were renamed by earlier repairs.
  package var setAside: [String] = []

  package var hasDatabase: Bool { databaseMode != nil }

  package static var currentSchema: Int { Schema.version }
  /// The lowest version that this Telex brings up to date.
  package static var firstSchema: Int { Schema.first }
  package static var adviceOnFormerSchemas: String { Schema.adviceOnFormer }
}

extension Store {
  /// The state of the store in a folder, whether or not other processes have it open.
  ///
  /// - Parameter limit: of the checks, which may not reach the end of a large database.
  package static func health(of folder: String, limit: Duration) async -> StoreHealth {
    await withCheckedContinuation { continuation in
      DispatchQueue.global(qos: .userInitiated).async {
        continuation.resume(returning: StoreHealth(of: folder, limit: limit))
      }
    }
  }
}

extension StoreHealth {
  fileprivate init(of folder: String, limit: Duration) {
    let path = folder + "/telex.sqlite"
    let files = FileManager.default
    let attributes = try? files.attributesOfItem(atPath: folder)
    folderMode = attributes?[.posixPermissions] as? Int
    isOwn = (attributes?[.ownerAccountID] as? Int).map { $0 == Int(geteuid()) } ?? false
    isFolder = attributes?[.type] as? FileAttributeType == .typeDirectory
    guard isFolder else { return }
    isWritable = access(folder, W_OK | X_OK) == 0
    bytesFree = StoreFolder.bytesFree(at: folder)
    setAside = StoreFolder.setAside(in: folder)
    databaseMode = (try? files.attributesOfItem(atPath: path))?[.posixPermissions] as? Int
    guard databaseMode != nil else { return }
    if access(path, W_OK) != 0 { isWritable = false }
    bytesOnDisk = StoreFolder.size(of: path) + StoreFolder.size(of: path + "-wal")
    // Not opened, for SQLite would delete the log of pages beside it.
    isEmpty = StoreFolder.size(of: path) == 0
    if isEmpty { return }
    do {
      try check(path, until: .now() + limit.interval)
      isDamaged = !damage.isEmpty
    } catch {
      isDamaged = (error as? DatabaseError)?.isDamage == true
      let error = storeError(error, subject: folder)
      self.error =
        error as? SourceError
        ?? SourceError(.store, stage: .store, subject: folder, message: "\(error)")
    }
  }

  private mutating func check(_ path: String, until end: DispatchTime) throws {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(2)
    configuration.prepareDatabase { db in
      for function in DatabaseFunction.ofStore { db.add(function: function) }
    }
    let database = try DatabaseQueue(path: path, configuration: configuration)
    schema = try database.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
    isChecked = try interrupted(database, at: end) {
      let pages = try String.fetchAll($0, sql: "PRAGMA quick_check(3)").filter { $0 != "ok" }
      damage += pages.map { "the file: \($0)" }
      let lost = try Row.fetchAll($0, sql: "SELECT * FROM pragma_foreign_key_check LIMIT 3")
      damage += lost.map { "a row of \($0[0] as String? ?? "?") belongs to nothing" }
    }
    try database.close()
    guard isChecked, damage.isEmpty, isWritable, schema == Schema.version else {
      isIndexChecked = false
      return
    }
    // FTS5 checks its index by an INSERT, which needs a connection that can write.
    configuration.readonly = false
    let writer = try DatabaseQueue(path: path, configuration: configuration)
    do {
      isIndexChecked = try interrupted(writer, at: end) { db in
        try db.inTransaction(.immediate) {
          try db.execute(sql: "INSERT INTO search(search) VALUES ('integrity-check')")
          return .rollback
        }
      }
    } catch let error as DatabaseError where error.isDamage {
      damage.append("the search index does not fit together")
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      isIndexChecked = false
    }
    try writer.close()
  }

  /// Interrupts work at a time. Returns whether it was done before.
  private func interrupted(
    _ database: DatabaseQueue, at end: DispatchTime, _ work: (Database) throws -> Void
  ) throws -> Bool {
    let alarm = DispatchSource.makeTimerSource(queue: .global())
    // Repeatedly: an interruption between two statements has no effect.
    alarm.schedule(deadline: end, repeating: .milliseconds(20))
    alarm.setEventHandler { @Sendable in database.interrupt() }
    alarm.activate()
    defer { alarm.cancel() }
    do {
      try database.inDatabase(work)
      return true
    } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT { return false }
  }
}

extension Duration {
  fileprivate var interval: DispatchTimeInterval { .milliseconds(Int(self / .milliseconds(1))) }
}
