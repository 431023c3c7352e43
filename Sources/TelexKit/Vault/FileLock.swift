internal import Foundation
internal import News
internal import Secrets
internal import Store

/// Lock between processes on a file. The kernel releases it when the process ends.
struct FileLock {
  let path: String
  let subject: String

  /// The longest wait for another process: longer than renewing a token with the keyring takes.
  private static let patience: Duration = .seconds(60)

  /// Runs work only while the file is locked: a refresh token that two processes use ends the
  /// session. A stopped process keeps its lock; the error names it.
  ///
  /// - Parameters:
  ///   - deadline: the end of the wait, if sooner than its limit.
  ///   - willWait: called with the other process after half a second.
  /// - Throws: `SourceError` where the file could not be locked; the work was not started.
  func hold<Value: Sendable>(
    before deadline: ContinuousClock.Instant?, willWait: @Sendable (String) -> Void,
    _ work: @Sendable () async throws -> Value
  ) async throws -> Value {
    let folder = (path as NSString).deletingLastPathComponent
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure }
    defer { close(descriptor) }
    try await lock(descriptor, before: deadline, willWait)
    LockSignature.write(to: descriptor)
    defer { LockSignature.remove(from: descriptor) }
    return try await work()
  }

  /// The other process that holds the lock now, as in "telex (process 12)"; nil where none does.
  var holder: String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
    return holder(of: descriptor)
  }

  func busy(_ holder: String) -> SourceError {
    SourceError(
      .secret, stage: .config, subject: subject,
      message: "\(holder) is busy with the sign-in at \(subject)",
      next: "try again when it is done; if it hangs or was stopped, let it go on or end it")
  }

  private func lock(
    _ descriptor: Int32, before deadline: ContinuousClock.Instant?,
    _ willWait: @Sendable (String) -> Void
  ) async throws {
    let begin = ContinuousClock.now
    let end = min(begin + Self.patience, deadline ?? begin + Self.patience)
    var isTold = false
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { throw failure }
      let now = ContinuousClock.now
      guard now < end else { throw busy(holder(of: descriptor) ?? "another Telex") }
      if !isTold, now - begin > .milliseconds(500) {
        isTold = true
        willWait(
          "\(holder(of: descriptor) ?? "another Telex"), which is busy with the sign-in at \(subject)"
        )
      }
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  /// Nil where it is this process.
  private func holder(of descriptor: Int32) -> String? {
    if let name = LockHolder.name(ofLockOn: path) { return name }
    let process = LockSignature.process(in: descriptor)
    if process == getpid() { return nil }
    return process.map { "another Telex (process \($0))" } ?? "another Telex"
  }

  private var failure: SourceError {
    SourceError(
      .secret, stage: .config, subject: path,
      message: "the file cannot be locked: \(String(cString: strerror(errno)))",
      next: "check the permissions of its folder; a sign-in needs a file system with locks")
  }
}
