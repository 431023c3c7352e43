internal import Foundation
internal import News
internal import Screen

/// Why the list is not fresher, for the status line.
extension ReaderState {
  var listFreshness: Freshness? { list.snapshot?.freshness }

  /// Why the list could not be fetched.
  var listTrouble: StatusTrouble? {
    guard let freshness = listFreshness else { return nil }
    if let since = freshness.offlineSince {
      return StatusTrouble(
        line: "offline for \(clock.duration(since: Int64(since.timeIntervalSince1970)))"
          + " · r tries again")
    }
    if let wait = freshness.wait {
      return StatusTrouble(
        line: "retry \(wait.attempt)/\(wait.maxAttempts) in \(clock.wait(wait.until))")
    }
    guard freshness.feedCount == 1, let error = freshness.error else { return nil }
    let isAlarm = error.kind == .tls
    let sentence = error.message.hasSuffix(".") ? error.message.dropLast() : error.message[...]
    if let next = freshness.nextAttempt, next.seconds > clock.now {
      return StatusTrouble(line: "\(sentence); again in \(clock.wait(next))", isAlarm: isAlarm)
    }
    let advice = error.wantsSignIn ? "L signs in" : "r tries again"
    return StatusTrouble(line: "\(sentence) · \(advice)", isAlarm: isAlarm)
  }

  /// The key that shows the health of the feeds, where a feed of the list has failed.
  var whyHints: [KeyHint] {
    guard let freshness = listFreshness, freshness.offlineSince == nil else { return [] }
    let failed = freshness.failedCount
    guard failed > 0 || freshness.feedCount == 1 && freshness.goneCount > 0 else { return [] }
    // Of several feeds how many, where there is room: the heading says no more than "! 3".
    let isCounted = freshness.feedCount > 1 && size.width >= 60
    let text = isCounted ? "why \(failed) of \(freshness.feedCount) failed" : "why"
    return [KeyHint("H", text, isKept: true)]
  }
}
