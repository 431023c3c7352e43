internal import Synchronization

/// Counts calls from any thread.
final class Counter: Sendable {
  private let state = Mutex(0)
  var value: Int { state.withLock { $0 } }
  func count() { state.withLock { $0 += 1 } }
}
