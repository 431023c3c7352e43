internal import News
internal import Screen

/// Why the list is not fresher, for the status line.
extension Freshness {
  func trouble(in state: ReaderState) -> StatusTrouble? {
    let clock = state.clock
    let refresh = state.key(.refresh)
    if let offline = state.offlineTrouble(since: offlineSince) { return offline }
    if let wait {
      return StatusTrouble(
        line: "Attempt \(wait.attempt) of \(wait.maxAttempts) in \(clock.wait(wait.until)).")
    }
    guard feedCount == 1 else { return nil }
    guard let error else {
      guard let next = nextAttempt, next.seconds > clock.now else { return nil }
      return StatusTrouble(line: "The server asked for a pause. Next try in \(clock.wait(next)).")
    }
    let isAlarm = error.kind == .tls
    if let next = nextAttempt, next.seconds > clock.now {
      return StatusTrouble(
        line: "\(error.message) Next try in \(clock.wait(next)).", isAlarm: isAlarm)
    }
    let advice = error.wantsSignIn ? "\(state.key(.signIn)) signs in." : CoreStrings.retry(refresh)
    return StatusTrouble(line: "\(error.message) \(advice)", isAlarm: isAlarm)
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
