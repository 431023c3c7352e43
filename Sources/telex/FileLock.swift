internal import Foundation
internal import News

/// A file that one process holds at a time, by a lock that the kernel releases with the process.
enum FileLock {
  /// How long another process is waited for: longer than a server may take to renew a token, with the
  /// keyring before and after it.
  private static let patience: Duration = .seconds(60)

  /// Runs the work with the file locked, and never without: a refresh token that two processes spend
  /// ends the session. A process that was stopped keeps its lock; whoever waits for it is told so.
  ///
  /// - Parameter subject: what the work is about, for the error.
  /// - Throws: `SourceError` where the lock cannot be had; the work has not begun then.
  static func holding<Value: Sendable>(
    _ path: String, for subject: String, _ work: @Sendable () async throws -> Value
  ) async throws -> Value {
    let folder = (path as NSString).deletingLastPathComponent
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    try await lock(descriptor, path, subject)
    sign(descriptor)
    return try await work()
  }

  private static func lock(
    _ descriptor: Int32, _ path: String, _ subject: String
  ) async throws {
    let end = ContinuousClock.now + patience
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { throw failure(path) }
      guard ContinuousClock.now < end else {
        let holder = holder(of: descriptor)
        throw SourceError(
          .secret, stage: .config, subject: subject,
          message:
            "another Telex\(holder.map { " (process \($0))" } ?? "") has been busy with this "
            + "sign-in for a minute",
          next: "see whether it hangs or was stopped, let it go on or end it, and try again")
      }
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  /// Writes down whose the lock is, for those who wait.
  private static func sign(_ descriptor: Int32) {
    let text = Array("\(getpid())\n".utf8)
    guard ftruncate(descriptor, 0) == 0 else { return }
    _ = pwrite(descriptor, text, text.count, 0)
  }

  private static func holder(of descriptor: Int32) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    return Int32(String(decoding: bytes.prefix(while: { $0 >= 0x30 && $0 <= 0x39 }), as: UTF8.self))
  }

  private static func failure(_ path: String) -> SourceError {
    SourceError(
      .secret, stage: .config, subject: path,
      message: "the file cannot be locked: \(String(cString: strerror(errno)))",
      next: "check the permissions of its folder; a sign-in needs a file system with locks")
  }
}
