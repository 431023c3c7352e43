package import Foundation
package import News

/// Files of the program's state, which are read before they are replaced.
package enum StoredFile {
  /// The bytes of a file; nil only where there is none: an unreadable file taken for an empty one
  /// would be overwritten. Blocks.
  ///
  /// - Parameter purpose: names the file in errors.
  /// - Throws: `SourceError` of stage `.store`.
  package static func contents(of path: String, purpose: String) throws(SourceError) -> Data? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw failure(path, purpose, "read")
    }
    defer { close(file) }
    var data = Data()
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(file, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(path, purpose, "read") }
      guard count > 0 else { return data }
      data.append(contentsOf: bytes[..<count])
    }
  }

  /// In bytes; nil where there is no file.
  static func size(of path: String) -> Int64? {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : nil
  }

  /// Replaces a file in one step, for its owner alone. Blocks.
  ///
  /// - Parameters:
  ///   - purpose: names the file in errors.
  ///   - isSynced: whether it survives a power cut.
  /// - Throws: `SourceError` of stage `.store`; the file is unchanged then.
  static func replace(
    _ path: String, with data: Data, purpose: String, isSynced: Bool = true
  ) throws(SourceError) {
    let draft = path + ".new"
    let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw failure(path, purpose, "written") }
    var isWritten = data.withUnsafeBytes { write(all: $0, to: file) }
    if isWritten, isSynced { isWritten = fsync(file) == 0 }
    let code = errno
    close(file)
    guard isWritten, rename(draft, path) == 0 else {
      errno = isWritten ? errno : code
      let error = failure(path, purpose, "written")
      unlink(draft)
      throw error
    }
  }

  /// - Returns: false on failure, with the reason in `errno`.
  static func write(all bytes: UnsafeRawBufferPointer, to file: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = Foundation.write(file, rest.baseAddress, rest.count)
      if count < 0, errno != EINTR { return false }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(0, count)))
    }
    return true
  }

  /// The longest wait for another process, which holds a lock for milliseconds.
  private static let patience: Duration = .seconds(10)

  /// Runs `body` while no other process holds the lock. Blocks.
  ///
  /// - Parameters:
  ///   - path: of the lock, a file beside the changed one.
  ///   - purpose: names the changed file in errors.
  /// - Throws: `SourceError` of stage `.store` where it could not be locked; errors of `body`.
  package static func withLock<Value>(
    _ path: String, purpose: String, _ body: () throws -> Value
  ) throws -> Value {
    let lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw failure(path, purpose, "locked") }
    defer { close(lock) }
    let end = ContinuousClock.now + patience
    while flock(lock, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { throw failure(path, purpose, "locked") }
      guard ContinuousClock.now < end else {
        throw SourceError(
          .store, stage: .store, subject: path,
          message: "another Telex does not let go of \(purpose)",
          next: "try again when it is done; if it hangs or was stopped, let it go on or end it")
      }
      usleep(2_000)
    }
    return try body()
  }

  private static func failure(
    _ path: String, _ purpose: String, _ what: String
  ) -> SourceError {
    SourceError(
      .file, stage: .store, subject: path,
      message: "\(purpose) cannot be \(what): \(String(cString: strerror(errno)))",
      next: "nothing has changed; check its permissions and its disk, then try again")
  }
}
