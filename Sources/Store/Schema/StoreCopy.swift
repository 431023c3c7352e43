internal import Foundation
internal import GRDB
internal import News

/// Copy of the database from before a change of its schema, kept until the next successful start.
enum StoreCopy {
  static func path(of path: String) -> String { path + ".before" }

  /// Copies the database with its log.
  ///
  /// - Throws: `SourceError` without room on the disk. Nothing is changed then.
  static func make(of database: any DatabaseWriter, path: String, schema: Int) throws {
    let copy = self.path(of: path)
    let draft = copy + ".draft"
    // One of an earlier start that was killed in the middle of the migrations is older, and as good.
    guard access(copy, F_OK) != 0 else { return }
    let bytes = StoreFolder.size(of: path) + StoreFolder.size(of: path + "-wal")
    if let free = StoreFolder.bytesFree(at: path), free < bytes + 3 << 20 {
      throw noRoom(path, bytes: bytes, free: free)
    }
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(draft + suffix) }
    StoreFolder.begin(draft)
    let target = try DatabaseQueue(path: draft)
    try database.backup(to: target)
    try target.close()
    guard rename(draft, copy) == 0 else { throw noRoom(path, bytes: bytes, free: 0) }
    StoreFolder.protect(copy)
  }

  static func remove(of path: String) { unlink(self.path(of: path)) }

  private static func noRoom(_ path: String, bytes: Int64, free: Int64) -> SourceError {
    func megabytes(_ bytes: Int64) -> String { "\((bytes + 1 << 20 - 1) / (1 << 20)) MB" }
    return SourceError(
      .store, stage: .store, subject: path,
      message: "the store is copied before its schema changes, which takes \(megabytes(bytes)), "
        + "and \(megabytes(free)) are free; nothing was changed", next: "make room and try again")
  }
}
