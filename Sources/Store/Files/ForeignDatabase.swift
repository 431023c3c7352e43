internal import Foundation
internal import GRDB
package import News

/// A readable copy of another program's SQLite database.
///
/// The program may be running: its file is only read as bytes and never opened as a database, which
/// would take locks. A copy in the middle of a transaction is repeated; the journal is copied too
/// and played back in the copy.
package final class ForeignDatabase: Sendable {
  private let queue: DatabaseQueue
  private let folder: String

  /// Attempts to copy a file that changes meanwhile.
  private static let tries = 10

  /// - Parameters:
  ///   - path: the database; it does not change.
  ///   - parent: where the copy goes, in a folder of its own that is removed with this value.
  /// - Throws: `SourceError` where the file cannot be read, or is no database.
  package init(copying path: String, into parent: String) throws {
    Self.removeOld(in: parent)
    folder = (parent as NSString).appendingPathComponent("\(Self.prefix)\(UUID().uuidString)")
    let copy = (folder as NSString).appendingPathComponent("database")
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try Self.copy(path, to: copy)
      var configuration = Configuration()
      configuration.prepareDatabase { try $0.execute(sql: "PRAGMA query_only = 1") }
      queue = try DatabaseQueue(path: copy, configuration: configuration)
      // Plays the journal back, and tells whether the file is a database at all.
      _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
    } catch {
      try? FileManager.default.removeItem(atPath: folder)
      if let error = error as? SourceError { throw error }
      throw Self.unreadable(path, error)
    }
  }

  deinit {
    try? queue.close()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The columns of a table; none where there is no such table.
  package func columns(of table: String) throws -> Set<String> {
    try reading {
      try Set(String.fetchAll($0, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table]))
    }
  }

  package func rows(_ sql: String, _ arguments: [ForeignValue] = []) throws -> [[ForeignValue]] {
    try reading { db in
      let values = StatementArguments(arguments.map(\.databaseValue))
      return try db.rows(sql, values).map { row in
        row.databaseValues.map { ForeignValue($0) }
      }
    }
  }

  private func reading<Value>(_ body: (Database) throws -> Value) throws -> Value {
    do { return try queue.read(body) } catch {
      throw Self.unreadable((folder as NSString).lastPathComponent, error)
    }
  }

  private static func unreadable(_ path: String, _ error: any Error) -> SourceError {
    let message = (error as? DatabaseError)?.message ?? (error as NSError).localizedDescription
    return SourceError(
      .file, stage: .store, subject: path, message: "it cannot be read: \(message)",
      next: "check the file; it was not changed")
  }

  private static let prefix = "copy-"

  /// Removes copies of processes that were killed.
  private static func removeOld(in parent: String) {
    let files = FileManager.default
    for name in (try? files.contentsOfDirectory(atPath: parent)) ?? [] where name.hasPrefix(prefix)
    {
      let path = (parent as NSString).appendingPathComponent(name)
      let made = try? files.attributesOfItem(atPath: path)[.modificationDate] as? Date
      if let made, made.timeIntervalSinceNow < -3_600 { try? files.removeItem(atPath: path) }
    }
  }

  // MARK: Copying

  /// Endings of the journal and the log beside a database.
  private static let companions = ["-journal", "-wal"]

  private static func copy(_ path: String, to copy: String) throws {
    for _ in 1...tries {
      let before = state(of: path)
      guard before[0] != nil else {
        throw SourceError(
          .file, stage: .store, subject: path, message: "there is no such file",
          next: "give the folder that it lies in")
      }
      for ending in [""] + companions {
        try? FileManager.default.removeItem(atPath: copy + ending)
        guard FileManager.default.fileExists(atPath: path + ending) else { continue }
        do { try FileManager.default.copyItem(atPath: path + ending, toPath: copy + ending) } catch
        {
          // A journal is gone once its transaction has ended.
          if ending.isEmpty { throw error }
        }
      }
      if state(of: path) == before { return }
    }
    throw SourceError(
      .file, stage: .store, subject: path, message: "it changes all the time",
      next: "let the program that writes it finish")
  }

  /// Size and time of the last change of each file; nil for one that is not there.
  private static func state(of path: String) -> [[Int64]?] {
    ([""] + companions).map { ending in
      var status = stat()
      guard stat(path + ending, &status) == 0 else { return nil }
      #if os(macOS)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      return [Int64(status.st_size), Int64(time.tv_sec), Int64(time.tv_nsec)]
    }
  }
}

extension ForeignValue {
  fileprivate var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let number): number.databaseValue
    case .real(let number): number.databaseValue
    case .text(let text): text.databaseValue
    case .blob(let bytes): Data(bytes).databaseValue
    }
  }

  fileprivate init(_ value: DatabaseValue) {
    switch value.storage {
    case .null: self = .null
    case .int64(let number): self = .integer(number)
    case .double(let number): self = .real(number)
    case .string(let text): self = .text(text)
    case .blob(let data): self = .blob([UInt8](data))
    }
  }
}
