internal import Foundation
internal import GRDB
internal import News
internal import Synchronization

/// Identity of a file, independent of its name (device and inode).
struct FileIdentity: Hashable {
  private let device: UInt64
  private let number: UInt64

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }
}

/// Kind of file at the path of the database.
enum StoreFile {
  case missing
  /// An empty file without a log of pages.
  case empty
  case database
  /// A file without the header of SQLite, or an empty one whose log has pages.
  case noDatabase

  private static let magic = Data("SQLite format 3\u{0}".utf8)

  /// Descriptors of all files that were read. Never closed: that would release SQLite's locks on
  /// the file in this process.
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
      self = StoreFolder.size(of: path + "-wal") > 32 ? .noDatabase : .empty
    } else {
      self = head == Self.magic ? .database : .noDatabase
    }
  }

  /// Whether some page has the head of a b-tree page, whatever the file begins with: kind, count
  /// and start of cells, as in SQLite's document on its file format.
  static func hasTrees(_ path: String) -> Bool {
    guard let descriptor = descriptor(of: path) else { return false }
    return [16_384, 4_096].contains { size in
      (1..<256).contains { number in
        var head = [UInt8](repeating: 0, count: 8)
        guard pread(descriptor, &head, 8, off_t(number * size)) == 8 else { return false }
        let (cells, start) = (Int(head[3]) << 8 | Int(head[4]), Int(head[5]) << 8 | Int(head[6]))
        return [0x02, 0x05, 0x0A, 0x0D].contains(head[0]) && cells > 0 && cells < size / 4
          && start >= 8 + 2 * cells && start < size && head[7] <= 60
      }
    }
  }

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

/// Replacement of a damaged database by a new one. A kill at any moment leaves either of them, with
/// its own log.
enum Replacement {
  private static let suffixes = ["", "-wal", "-shm"]

  static func draft(of path: String) -> String { path + ".new" }

  /// A file with the name for the old database, while the draft is whole and has not taken its
  /// place yet.
  private static func note(of path: String) -> String { path + ".replacing" }

  /// Puts the whole and closed draft in the place of the database. Returns the path of the old one.
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

  /// Removes an incomplete draft, and never one whose replacement has begun.
  static func discardDraft(of path: String) {
    guard access(note(of: path), F_OK) != 0 else { return }
    for suffix in suffixes + ["-journal"] { unlink(draft(of: path) + suffix) }
  }

  /// Completes an interrupted replacement, and removes an incomplete draft. Called with the
  /// folder's lock held.
  static func finish(_ path: String) throws {
    let (draft, note) = (draft(of: path), note(of: path))
    guard access(note, F_OK) == 0, let name = try? String(contentsOfFile: note, encoding: .utf8),
      !name.contains("/"), name.hasPrefix("telex.sqlite.damaged-")
    else {
      unlink(note)
      for suffix in suffixes + ["-journal"] { unlink(draft + suffix) }
      return
    }
    let target = (path as NSString).deletingLastPathComponent + "/" + name
    // Without the draft, the database at `path` is the new one.
    guard access(draft, F_OK) == 0 else {
      if access(target, F_OK) != 0 || access(path, F_OK) != 0 { moveBack(from: target, to: path) }
      unlink(note)
      return
    }
    // The log first: beside another database it would do harm.
    for suffix in suffixes.reversed() where access(path + suffix, F_OK) == 0 {
      if rename(path + suffix, target + suffix) != 0 { throw undo(path, target) }
    }
    if rename(draft, path) != 0 { throw undo(path, target) }
    unlink(note)
  }

  /// Moves the damaged database and its log back together, and removes the draft: others still
  /// write to the old one.
  private static func undo(_ path: String, _ target: String) -> SourceError {
    moveBack(from: target, to: path)
    unlink(note(of: path))
    discardDraft(of: path)
    return SourceError(
      .store, stage: .store, subject: path,
      message: "the database is damaged and cannot be moved aside",
      next: "move it away by hand, or choose another folder with --store")
  }

  private static func moveBack(from target: String, to path: String) {
    for suffix in suffixes
    where access(target + suffix, F_OK) == 0 && access(path + suffix, F_OK) != 0 {
      rename(target + suffix, path + suffix)
    }
  }
}
