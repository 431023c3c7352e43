internal import Foundation
internal import News

/// Folder of the store: its creation, its lock and the names of its files.
enum StoreFolder {
  static func prepare(_ folder: String) throws {
    var status = stat()
    if stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw SourceError(
        .store, stage: .store, subject: folder, message: "the folder cannot be made",
        next: "choose another with --store")
    }
  }

  /// Runs `body` under the lock of the folder: one process at a time creates, migrates or repairs
  /// the database, which SQLite's own locks do not cover. Without file locks it runs at once.
  ///
  /// - Parameter willWait: called once after half a second, with the process that holds the lock.
  static func alone<Value>(
    in folder: String, _ waitLimit: WaitLimit, _ willWait: (String) -> Void,
    _ body: () throws -> Value
  ) throws -> Value {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    let begin = ContinuousClock.now
    var isTold = false
    // Polled, since a blocking `flock` has no deadline.
    while descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0,
      errno == EWOULDBLOCK || errno == EINTR
    {
      let isLong = ContinuousClock.now - begin > .milliseconds(500)
      if waitLimit.isOver || isLong && !isTold {
        let holder = LockHolder.name(ofLockOn: folder) ?? "another Telex"
        guard !waitLimit.isOver else {
          throw SourceError(
            .store, stage: .store, subject: folder, message: "\(holder) is opening the store",
            next: "try again when it is done, or end it")
        }
        isTold = true
        willWait(holder)
      }
      usleep(5_000)
    }
    return try body()
  }

  /// Free bytes of the file system; nil where unknown.
  static func bytesFree(at path: String) -> Int64? {
    (try? FileManager.default.attributesOfFileSystem(forPath: path))?[.systemFreeSize]
      .flatMap { ($0 as? NSNumber)?.int64Value }
  }

  static func size(of path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }

  /// Creates an empty file for a new database, private from its first byte on; SQLite gives its log
  /// the same permissions. Errors are left to SQLite.
  static func begin(_ path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if file >= 0 { close(file) }
  }

  /// Makes a database of an earlier version readable by the user only.
  static func protect(_ path: String) {
    for suffix in ["", "-wal", "-shm"] { chmod(path + suffix, 0o600) }
  }

  /// Paths of damaged databases that were renamed.
  static func setAside(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
      .filter { $0.hasPrefix("telex.sqlite.damaged-") }
      .filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
      .sorted().map { folder + "/" + $0 }
  }

  /// A new name for a damaged database, which no other file has.
  static func nameAside(_ path: String) -> String {
    let time = Int(Date().timeIntervalSince1970)
    var target = "\(path).damaged-\(time)"
    var attempt = 1
    while FileManager.default.fileExists(atPath: target) {
      attempt += 1
      target = "\(path).damaged-\(time)-\(attempt)"
    }
    return target
  }
}
