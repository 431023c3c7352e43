internal import Reader
internal import Synchronization

/// How a program that was started beside the reader ends in its first moments. A browser that cannot open a page ends
/// then; one that runs on has taken it.
final class FirstMoments: Sendable {
  private static let pause = Duration.milliseconds(20)
  private let start = ContinuousClock.now
  private let ended = Mutex<ProgramEnd?>(nil)

  func note(_ end: ProgramEnd) { ended.withLock { $0 = end } }

  /// Waits for the end of the program.
  ///
  /// - Parameter time: since the start.
  /// - Returns: nil where it still runs then, or the task is cancelled.
  func end(within time: Duration) async -> ProgramEnd? {
    while true {
      if let end = ended.withLock({ $0 }) { return end }
      guard ContinuousClock.now - start < time,
        (try? await Task.sleep(for: Self.pause)) != nil
      else { return nil }
    }
  }
}
