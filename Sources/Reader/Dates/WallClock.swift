internal import Foundation
internal import Text

/// Time of day as a value: a moment, and the offsets of the local time zone around it.
package struct WallClock: Hashable, Sendable {
  package var now: Int64
  /// The offsets of the local zone, oldest first.
  package var offsets: [ZoneOffset]

  /// Offset of the local zone to UTC from a moment on.
  package struct ZoneOffset: Hashable, Sendable {
    /// Since when it holds, in seconds since 1970.
    package var from: Int64
    /// Local time minus UTC, in seconds.
    package var seconds: Int64

    package init(from: Int64, seconds: Int64) {
      self.from = from
      self.seconds = seconds
    }
  }

  package init(now: Int64 = 0, offsets: [ZoneOffset] = []) {
    self.now = now
    self.offsets = offsets
  }

  /// A calendar date and time of day in the local zone.
  struct Local: Hashable {
    var day: CalendarDay
    var hour: Int
    var minute: Int
    /// Days since 1970-01-01.
    var dayNumber: Int64
  }

  func local(_ time: Int64) -> Local {
    let offset = (offsets.last { $0.from <= time } ?? offsets.first)?.seconds ?? 0
    // Times beyond what a calendar can hold are as good as its end.
    let shifted = max(-62_135_596_800, min(253_402_300_799, time)) + offset
    let dayNumber = shifted.flooredDivision(by: 86_400)
    let second = shifted - dayNumber * 86_400
    return Local(
      day: CalendarDay(number: Int(dayNumber)), hour: Int(second / 3600),
      minute: Int(second % 3600 / 60), dayNumber: dayNumber)
  }

  /// For a list: the time of today's articles, the day of this year's, else the month.
  package func short(_ time: Int64) -> String {
    let (then, today) = (local(time), local(now))
    if then.dayNumber == today.dayNumber { return "\(two(then.hour)):\(two(then.minute))" }
    let day = then.day
    if day.year == today.day.year || abs(today.dayNumber - then.dayNumber) < 180 {
      return "\(day.day < 10 ? " " : "")\(day.day) \(day.monthName)"
    }
    return "\(day.monthName)’\(two(day.year % 100))"
  }

  /// For the head of an article: `21 Nov, 14:02`, in another year `21 Nov 2025, 14:02`.
  func dated(_ time: Int64) -> String {
    let then = local(time)
    return "\(then.day.day) \(then.day.monthName)" + year(ofDay: then.dayNumber)
      + ", \(two(then.hour)):\(two(then.minute))"
  }

  /// `Sat 21 Nov 2026, 14:02`
  package func long(_ time: Int64) -> String {
    let then = local(time)
    let day = then.day
    return "\(day.weekdayName) \(day.day) \(day.monthName) \(day.year), "
      + "\(two(then.hour)):\(two(then.minute))"
  }

  /// The day of a group of a list: `Today`, `Yesterday`, `Monday 23 November`, in another year `Monday 23 November 2025`.
  ///
  /// - Parameter number: days since 1970-01-01.
  func day(_ number: Int64) -> String {
    let day = CalendarDay(number: Int(number))
    return relativeDay(number)
      ?? "\(day.fullWeekdayName) \(day.day) \(day.fullMonthName)" + year(ofDay: number)
  }

  /// The short form: `Mon 23 Nov`.
  func shortDay(_ number: Int64) -> String {
    let day = CalendarDay(number: Int(number))
    return relativeDay(number)
      ?? "\(day.weekdayName) \(day.day) \(day.monthName)" + year(ofDay: number)
  }

  private func relativeDay(_ number: Int64) -> String? {
    switch local(now).dayNumber - number {
    case 0: "Today"
    case 1: "Yesterday"
    case -1: "Tomorrow"
    default: nil
    }
  }

  /// The year with a space before it, where it is not this one.
  private func year(ofDay number: Int64) -> String {
    let year = CalendarDay(number: Int(number)).year
    return year == local(now).day.year ? "" : " \(year)"
  }

  /// How long ago: `just now`, `5 min ago`, `3 h ago`, `2 days ago`.
  func age(_ time: Int64) -> String {
    let seconds = now.distance(since: time)
    switch seconds {
    case ..<60: return CoreStrings.justNow
    case ..<3_600: return CoreStrings.ago("\(seconds / 60) min")
    case ..<172_800: return CoreStrings.ago("\(seconds / 3_600) h")
    default: return CoreStrings.ago("\(seconds / 86_400) days")
    }
  }

  /// How long ago, where there is no room: `now`, `5 min`, `3 h`, `2 d`.
  func shortAge(_ time: Int64) -> String {
    let seconds = now.distance(since: time)
    switch seconds {
    case ..<60: return "now"
    case ..<3_600: return "\(seconds / 60) min"
    case ..<172_800: return "\(seconds / 3_600) h"
    default: return "\(seconds / 86_400) d"
    }
  }

  /// How long it has lasted: `40 s`, `5 min`, `3 h`, `2 days`.
  func duration(since time: Int64) -> String {
    let seconds = max(0, now.distance(since: time))
    switch seconds {
    case ..<60: return "\(seconds) s"
    case ..<3_600: return "\(seconds / 60) min"
    case ..<172_800: return "\(seconds / 3_600) h"
    default: return "\(seconds / 86_400) days"
    }
  }

  /// Longer waits are told in minutes.
  static let longestSeconds: Int64 = 89

  /// How long until then: `23 s`, `5 min`.
  func wait(_ time: Int64) -> String {
    let seconds = max(0, time.distance(since: now))
    switch seconds {
    case ...Self.longestSeconds: return "\(seconds) s"
    case ..<5_400: return "\((seconds - 1) / 60 + 1) min"
    default: return "\((seconds - 1) / 3_600 + 1) h"
    }
  }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension WallClock {
  func wait(_ date: Date) -> String { wait(date.seconds) }
}

extension Date {
  /// Seconds since 1970; what lies beyond what can be counted is its end.
  var seconds: Int64 { Int64(exactly: timeIntervalSince1970.rounded(.up)) ?? .max }
}

extension Int64 {
  /// The difference, or the largest one.
  fileprivate func distance(since start: Int64) -> Int64 {
    let (difference, overflows) = subtractingReportingOverflow(start)
    return overflows ? (self < start ? .min : .max) : difference
  }

  fileprivate func flooredDivision(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

/// Playing times as a clock shows them.
package enum PlayingTime {
  /// Of seconds: 4:07, 1:02:03.
  package static func text(of seconds: Int) -> String {
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let end = padded(seconds % 60)
    return hours > 0 ? "\(hours):\(padded(minutes)):\(end)" : "\(minutes):\(end)"
  }
}
