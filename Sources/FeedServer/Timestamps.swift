internal import Text

internal import struct Foundation.Date

/// The three spellings of a moment that feeds and HTTP use, always in UTC and to the second.
extension Date {
  /// `2026-03-09T07:05:00Z` (RFC 3339).
  var iso8601: String {
    let t = Civil(self)
    return
      "\(t.day.year)-\(two(t.day.month))-\(two(t.day.day))T\(two(t.hour)):\(two(t.minute)):\(two(t.second))Z"
  }

  /// `Mon, 09 Mar 2026 07:05:00 GMT` (RFC 9110 §5.6.7).
  var httpDate: String { Civil(self).rfc822 + " GMT" }

  /// `Mon, 09 Mar 2026 07:05:00 +0000` (RFC 822 with the year in four digits, as RSS 2.0 asks).
  var rssDate: String { Civil(self).rfc822 + " +0000" }

  /// Without the part of a second that none of the spellings shows.
  var wholeSeconds: Date {
    Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down))
  }
}

private struct Civil {
  let day: CalendarDay
  let hour, minute, second: Int

  init(_ date: Date) {
    let seconds = Int(date.timeIntervalSince1970.rounded(.down))
    let number = (seconds - ((seconds % 86_400) + 86_400) % 86_400) / 86_400
    let rest = seconds - number * 86_400
    day = CalendarDay(number: number)
    (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
  }

  var rfc822: String {
    "\(day.weekdayName), \(two(day.day)) \(day.monthName) \(day.year) "
      + "\(two(hour)):\(two(minute)):\(two(second))"
  }
}

private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
