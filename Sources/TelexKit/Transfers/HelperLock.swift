internal import Foundation
internal import Secrets

/// Lock of the process that runs the downloads of a store. The kernel releases it when the process
/// ends.
struct HelperLock: Sendable {
  let path: String

  /// Time to acquire it: a process that only looks holds it for a moment.
  private static let patience: Duration = .seconds(1)

  init(_ book: TransferBook) { path = book.folder + "/helper.lock" }

  struct Held: Sendable {
    fileprivate let descriptor: Int32

    func release() {
      LockSignature.remove(from: descriptor)
      close(descriptor)
    }
  }

  /// Nil where another process holds it.
  func acquire() async -> Held? {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return nil }
    let end = ContinuousClock.now + Self.patience
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < end else {
        close(descriptor)
        return nil
      }
      try? await Task.sleep(for: .milliseconds(20))
    }
    LockSignature.write(to: descriptor)
    return Held(descriptor: descriptor)
  }

  var isHeld: Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }
}
