internal import Foundation
internal import News
internal import Screen

/// Why the list is not fresher, for the status line.
extension Freshness {
  func trouble(in state: ReaderState) -> StatusTrouble? {
    let clock = state.clock
    let retry = "\(state.key(.refresh)) tries again"
    if state.subscriptions.isOfflineByChoice {
      return StatusTrouble(line: "offline (by choice) · :offline goes online")
    }
    if let since = offlineSince {
      return StatusTrouble(
        line: "offline for \(clock.duration(since: Int64(since.timeIntervalSince1970)))"
          + " · \(retry)")
    }
    if let wait {
      return StatusTrouble(
        line: "retry \(wait.attempt)/\(wait.maxAttempts) in \(clock.wait(wait.until))")
    }
    guard feedCount == 1 else { return nil }
    guard let error else {
      guard let next = nextAttempt, next.seconds > clock.now else { return nil }
      return StatusTrouble(line: "the server wants a pause; again in \(clock.wait(next))")
    }
    let isAlarm = error.kind == .tls
    let sentence = error.message.hasSuffix(".") ? error.message.dropLast() : error.message[...]
    if let next = nextAttempt, next.seconds > clock.now {
      return StatusTrouble(line: "\(sentence); again in \(clock.wait(next))", isAlarm: isAlarm)
    }
    let advice = error.wantsSignIn ? "\(state.key(.signIn)) signs in" : retry
    return StatusTrouble(line: "\(sentence) · \(advice)", isAlarm: isAlarm)
  }

  /// The key that shows the health of the feeds, where a feed of the list has failed.
  func hints(width: Int) -> [KeyHint] {
    guard offlineSince == nil, failedCount > 0 || feedCount == 1 && goneCount > 0 else { return [] }
    // Of several feeds how many, where there is room: the heading says no more than "! 3".
    let isCounted = feedCount > 1 && width >= 60
    let text = isCounted ? "why \(failedCount) of \(feedCount) failed" : "why"
    return [KeyHint(.health, text, isKept: true)]
  }
}
