internal import Foundation

/// Pauses between the connections for the live events of one feed, which grow with the failures in
/// a row.
struct ReconnectPause {
  /// The longest pause in seconds. A connection that stayed open for as long was no failure.
  static let longest = 900

  private(set) var failures = 0
  private var opened: Date?

  mutating func noteOpening(at now: Date) { opened = opened ?? now }

  mutating func noteClosing() { opened = nil }

  /// Notes that events have come and were stored.
  mutating func noteNews() { failures = 0 }

  /// - Returns: the pause before the next connection.
  mutating func fail(at now: Date) -> Duration {
    if let opened, now.timeIntervalSince(opened) >= Double(Self.longest) { failures = 0 }
    opened = nil
    failures += 1
    return .seconds(min(30 << min(failures, 5), Self.longest))
  }
}
