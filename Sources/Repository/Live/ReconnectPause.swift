internal import Foundation

/// The pauses between the connections for the live events of one feed. They grow with the failures in a row.
struct ReconnectPause {
  /// The longest pause, in seconds. A connection that stays open for as long was none of the failures in a row.
  static let longest = 900

  private(set) var failures = 0
  private var opened: Date?

  mutating func noteOpening(at now: Date) { opened = opened ?? now }

  mutating func noteClosing() { opened = nil }

  /// Events have come, and what they are about is stored.
  mutating func noteNews() { failures = 0 }

  /// Counts a failure.
  ///
  /// - Returns: the pause before the next connection.
  mutating func fail(at now: Date) -> Duration {
    if let opened, now.timeIntervalSince(opened) >= Double(Self.longest) { failures = 0 }
    opened = nil
    failures += 1
    return .seconds(min(30 << min(failures, 5), Self.longest))
  }
}
