internal import Foundation
internal import GRDB

/// Copy of `sqlite_master` in a small file beside the database, from which a repair can recreate
/// the first page.
struct SchemaCopy: Codable {
  private struct Item: Codable {
    let type: String
    let name: String
    let table: String
    let page: Int
    let sql: String?
  }

  let pageSize: Int
  private let version: Int
  private let items: [Item]

  var tables: [String] { items.filter { $0.type == "table" }.map(\.name) }

  private static func file(beside path: String) -> String { path + ".schema" }

  // MARK: - Keeping it

  /// Updates the copy where it differs. A failure to write it is ignored: the database is intact.
  static func keep(of db: Database, beside path: String) {
    guard let cookie = try? Int.fetchOne(db, sql: "PRAGMA schema_version") else { return }
    let mark = "\(cookie)\n"
    let file = file(beside: path)
    if begins(file, with: mark) { return }
    guard let copy = try? SchemaCopy(of: db), let json = try? JSONEncoder().encode(copy) else {
      return
    }
    try? (Data(mark.utf8) + json).write(to: URL(filePath: file), options: .atomic)
    chmod(file, 0o600)
  }

  /// Read whenever a store is opened, and so without the overhead of Foundation's file handle.
  private static func begins(_ file: String, with mark: String) -> Bool {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var head = [UInt8](repeating: 0, count: mark.utf8.count)
    return read(descriptor, &head, head.count) == head.count && head.elementsEqual(mark.utf8)
  }

  private init(of db: Database) throws {
    pageSize = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0
    version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    items = try Row.fetchAll(
      db, sql: "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master"
    ).map { Item(type: $0[0], name: $0[1], table: $0[2], page: $0[3], sql: $0[4]) }
  }

  // MARK: - Using it

  /// Nil where there is none.
  init?(beside path: String) {
    guard let data = FileManager.default.contents(atPath: Self.file(beside: path)),
      let end = data.firstIndex(of: UInt8(ascii: "\n")),
      let copy = try? JSONDecoder().decode(SchemaCopy.self, from: data[(end + 1)...]),
      [4_096, 16_384].contains(copy.pageSize)
    else { return nil }
    self = copy
  }

  /// The first page of a database with these tables and indexes; nil where they do not fit. Written
  /// by SQLite into a file of its own, without views and triggers.
  func firstPage(using scratch: String) -> Data? {
    defer { for suffix in ["", "-journal"] { unlink(scratch + suffix) } }
    unlink(scratch)
    var settings = Configuration()
    let size = pageSize
    settings.prepareDatabase { db in
      try db.execute(sql: "PRAGMA page_size = \(size)")
      try db.execute(sql: "PRAGMA writable_schema = ON")
    }
    do {
      let database = try DatabaseQueue(path: scratch, configuration: settings)
      try database.write { db in
        for item in items where ["table", "index"].contains(item.type) {
          try db.execute(
            sql: "INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)",
            arguments: [item.type, item.name, item.table, item.page, item.sql])
        }
        try db.execute(sql: "PRAGMA user_version = \(version)")
      }
      try database.close()
    } catch { return nil }
    guard let page = FileManager.default.contents(atPath: scratch), page.count == pageSize else {
      return nil
    }
    return page
  }
}
