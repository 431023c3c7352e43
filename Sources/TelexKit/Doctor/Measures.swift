package import Foundation

/// Quantities in words, for the screen.
package enum Measures {
  package static func bytes(_ count: Int64) -> String {
    switch count {
    case ..<1_000: "\(count) bytes"
    case ..<10_000: "\(tenths(count, of: 1_000)) kB"
    case ..<1_000_000: "\(count / 1_000) kB"
    case ..<1_000_000_000: "\(tenths(count, of: 1_000_000)) MB"
    default: "\(tenths(count, of: 1_000_000_000)) GB"
    }
  }

  /// For waits on a network; the unit is left to the caller.
  static func milliseconds(_ duration: Duration) -> String {
    let count = duration / .milliseconds(1)
    return count < 1 ? "<1" : "\(Int(count.rounded()))"
  }

  /// For times that people wait through.
  static func long(seconds: Int64) -> String {
    switch abs(seconds) {
    case ..<120: "\(abs(seconds)) s"
    case ..<7_200: "\(abs(seconds) / 60) min"
    case ..<172_800: "\(abs(seconds) / 3_600) h"
    default: "\(abs(seconds) / 86_400) days"
    }
  }

  package static func age(of date: Date, at now: Date) -> String {
    let seconds = Int64(now.timeIntervalSince(date))
    return seconds < 60 ? "just now" : "\(long(seconds: seconds)) ago"
  }

  /// For states that last.
  static func span(since date: Date, at now: Date) -> String {
    let seconds = Int64(now.timeIntervalSince(date))
    return seconds < 60 ? "less than a minute" : long(seconds: seconds)
  }

  /// A count with its noun in English: `1 feed`, `2 feeds`.
  package static func counted(_ count: Int, _ thing: String) -> String {
    "\(count) \(thing)\(count == 1 ? "" : "s")"
  }

  private static func tenths(_ count: Int64, of unit: Int64) -> String {
    "\(count / unit).\(count % unit * 10 / unit)"
  }
}
