internal import Foundation
internal import GRDB
internal import News
internal import Synchronization

/// A file as the disk knows it, whatever it is called.
struct FileIdentity: Hashable {
  private let device: UInt64
  private let number: UInt64

  /// Nil where there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}

/// What lies where the database should.
enum StoreFile {
  case missing
  /// Without a byte, and without a log that would fill it.
  case empty
  case database
  /// Begins as no database does.
  case noDatabase

  private static let magic = Data("SQLite format 3\u{0}".utf8)

  /// One descriptor for each file that was looked at, never closed: that would release the locks which
  /// SQLite has on the file in this process.
  private static let descriptors = Mutex<[FileIdentity: CInt]>([:])

  private static func descriptor(of path: String) -> CInt? {
    guard let file = FileIdentity(path) else { return nil }
    return descriptors.withLock { descriptors -> CInt? in
      if let known = descriptors[file] { return known }
      let new = open(path, O_RDONLY | O_CLOEXEC)
      guard new >= 0 else { return nil }
      descriptors[file] = new
      return new
    }
  }

  init(_ path: String) {
    guard let descriptor = Self.descriptor(of: path) else {
      self = .missing
      return
    }
    var head = Data(count: Self.magic.count)
    let count = head.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    head.removeLast(head.count - max(0, count))
    if head.isEmpty {
      self = StoreFolder.size(of: path + "-wal") > 0 ? .database : .empty
    } else {
      self = head == Self.magic ? .database : .noDatabase
    }
  }

  /// Copies a database that this process may have opened.
  static func copy(_ path: String, to copy: String) throws {
    guard let descriptor = descriptor(of: path),
      FileManager.default.createFile(
        atPath: copy, contents: nil, attributes: [.posixPermissions: 0o600])
    else { throw CocoaError(.fileReadNoSuchFile) }
    let target = try FileHandle(forWritingTo: URL(filePath: copy))
    defer { try? target.close() }
    var buffer = Data(count: 1 << 20)
    var place: off_t = 0
    while true {
      let count = buffer.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress, $0.count, place)
      }
      guard count >= 0 else { throw CocoaError(.fileReadUnknown) }
      if count == 0 { return }
      try target.write(contentsOf: buffer.prefix(count))
      place += off_t(count)
    }
  }
}

/// A new database that is put in the place of a damaged one, so that a kill at any moment leaves either
/// of them, and each with its own log.
enum Replacement {
  private static let suffixes = ["", "-wal", "-shm"]

  /// Where the new database is written.
  static func draft(of path: String) -> String { path + ".new" }

  /// Names what the old one is to be called; there from when the draft is whole until it has taken the
  /// old one's place.
  private static func note(of path: String) -> String { path + ".replacing" }

  /// Puts the draft, which is whole and closed, in the place of the database.
  ///
  /// - Returns: where the old one lies.
  static func replace(_ path: String) throws -> String {
    let target = StoreFolder.nameAside(path)
    do {
      try Data((target as NSString).lastPathComponent.utf8)
        .write(to: URL(filePath: note(of: path)), options: .atomic)
    } catch {
      throw SourceError(
        .store, stage: .store, subject: path,
        message: "the database is damaged and cannot be moved aside",
        next: "check the permissions of the folder, and make room")
    }
    try finish(path)
    return target
  }

  /// Takes up what a kill has cut off, and removes a draft that never became whole.
  ///
  /// To be called with the folder's lock held.
  static func finish(_ path: String) throws {
    let (draft, note) = (draft(of: path), note(of: path))
    guard let name = try? String(contentsOfFile: note, encoding: .utf8), !name.contains("/"),
      name.hasPrefix("telex.sqlite.damaged-")
    else {
      unlink(note)
      for suffix in suffixes + ["-journal"] { unlink(draft + suffix) }
      return
    }
    // Once the draft has its new name, what lies under it is no longer the damaged one.
    if access(draft, F_OK) == 0 {
      let target = (path as NSString).deletingLastPathComponent + "/" + name
      // The log first: without its database nobody reads it, and beside another it would do harm.
      for suffix in suffixes.reversed() where access(path + suffix, F_OK) == 0 {
        guard rename(path + suffix, target + suffix) == 0 else { throw notMoved(path) }
      }
      guard rename(draft, path) == 0 else { throw notMoved(path) }
    }
    unlink(note)
  }

  private static func notMoved(_ path: String) -> SourceError {
    SourceError(
      .store, stage: .store, subject: path,
      message: "the database is damaged and cannot be moved aside",
      next: "move it away by hand, or choose another folder with --store")
  }
}
