internal import Dispatch
internal import Foundation
internal import GRDB
package import News

/// How the store in a folder is, found out without changing anything: nothing is made, brought up to
/// date or set aside.
package struct StoreHealth: Sendable {
  /// Permissions as in `0o700`; nil where there is no such thing.
  package var folderMode: Int?
  package var databaseMode: Int?
  package var isFolder = false
  package var isWritable = false
  package var isOwn = false
  /// Bytes that may still be written.
  package var bytesFree: Int64?
  package var bytesOnDisk: Int64 = 0
  /// nil where there is no database, or none that can be opened.
  package var schema: Int?
  /// Why the database cannot be read.
  package var error: SourceError?
  /// Whether it is damage that keeps it from being read, or that its checks have found.
  package var isDamaged = false
  /// What its checks have found, at most a few of each.
  package var damage: [String] = []
  /// Whether the checks came to their end in time.
  package var isChecked = true
  /// Whether the search index could be looked at.
  package var isIndexChecked = true
  /// Damaged databases that were put aside earlier.
  package var setAside: [String] = []

  package var hasDatabase: Bool { databaseMode != nil }

  /// The schema that this Telex writes.
  package static var currentSchema: Int { Schema.version }
}

extension Store {
  /// Looks at the store in a folder, opened by others or not.
  ///
  /// - Parameter limit: how long the checks of the database may take; a large one is not read to its
  ///   end then.
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
    configuration.prepareDatabase { $0.add(function: .articleText) }
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
    // The check of the index is a command in the form of an INSERT: it wants to be the writer.
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

  /// False where the time was over before the work was done.
  private func interrupted(
    _ database: DatabaseQueue, at end: DispatchTime, _ work: (Database) throws -> Void
  ) throws -> Bool {
    let alarm = DispatchSource.makeTimerSource(queue: .global())
    // Again and again: one that comes between two statements interrupts none.
    alarm.schedule(deadline: end, repeating: .milliseconds(20))
    alarm.setEventHandler { @Sendable in database.interrupt() }
    alarm.activate()
    defer { alarm.cancel() }
    do {
      try database.inDatabase(work)
      return true
    } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
      return false
    }
  }
}

extension Duration {
  fileprivate var interval: DispatchTimeInterval {
    .milliseconds(Int(self / .milliseconds(1)))
  }
}
