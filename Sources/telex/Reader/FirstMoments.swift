internal import Reader
internal import Synchronization

/// The end of a program within moments of its start: a browser that cannot open a page ends, one
/// that runs on has opened it.
final class FirstMoments: Sendable {
  private static let pause = Duration.milliseconds(20)
  private let start = ContinuousClock.now
  private let ended = Mutex<ProgramEnd?>(nil)

  func note(_ end: ProgramEnd) { ended.withLock { $0 = end } }

  /// - Parameter time: since the start.
  /// - Returns: nil where it still runs, or the task is cancelled.
  func end(within time: Duration) async -> ProgramEnd? {
    while true {
      if let end = ended.withLock({ $0 }) { return end }
      guard ContinuousClock.now - start < time,
        (try? await Task.sleep(for: Self.pause)) != nil
      else { return nil }
    }
  }
}
