import Foundation
import HTTP
import Synchronization

/// Time that passes only when somebody sleeps, or when a test says so.
final class FakeTime: Sendable {
  static let start = Date(timeIntervalSince1970: 1_772_366_400)

  private struct State {
    var passed: Duration = .zero
    var slept: [Duration] = []
  }

  private let state = Mutex(State())
  private let origin = ContinuousClock.now

  var slept: [Duration] { state.withLock { $0.slept } }
  var now: ContinuousClock.Instant { origin + state.withLock { $0.passed } }
  var date: Date { FakeTime.start.addingTimeInterval(state.withLock { $0.passed } / .seconds(1)) }

  func pass(_ time: Duration) { state.withLock { $0.passed += time } }

  var clock: RetryClock {
    RetryClock(
      now: { [self] in date }, uptime: { [self] in now },
      sleep: { [self] wait in
        try Task.checkCancellation()
        state.withLock { state in
          state.slept.append(wait)
          state.passed += wait
        }
      },
      random: { 0 })
  }
}
