internal import Foundation
internal import News
internal import Secrets
internal import Store

/// A file that one process holds at a time, by a lock that the kernel releases with the process.
struct FileLock {
  let path: String
  /// What it is held for, as errors name it.
  let subject: String

  /// How long another process is waited for: longer than a server may take to renew a token, with the
  /// keyring before and after it.
  private static let patience: Duration = .seconds(60)

  /// Runs the work with the file locked, and never without: a refresh token that two processes spend
  /// ends the session. A process that was stopped keeps its lock; whoever waits for it is told so.
  ///
  /// - Parameters:
  ///   - deadline: when the wait ends, if that is sooner than a minute from now.
  ///   - willWait: told for whom, once that has taken half a second.
  /// - Throws: `SourceError` where the lock cannot be had; the work has not begun then.
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

  /// What is told of a wait that has ended without the lock.
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
