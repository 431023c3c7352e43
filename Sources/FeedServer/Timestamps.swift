internal import struct Foundation.Date

/// The three spellings of a moment that feeds and HTTP use, always in UTC and to the second.
extension Date {
  /// `2026-03-09T07:05:00Z` (RFC 3339).
  var iso8601: String {
    let t = Civil(self)
    return
      "\(t.year)-\(two(t.month))-\(two(t.day))T\(two(t.hour)):\(two(t.minute)):\(two(t.second))Z"
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
  let year, month, day, hour, minute, second, weekday: Int

  init(_ date: Date) {
    let seconds = Int(date.timeIntervalSince1970.rounded(.down))
    let days = (seconds - ((seconds % 86_400) + 86_400) % 86_400) / 86_400
    let rest = seconds - days * 86_400
    (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
    // 1970-01-01 was a Thursday.
    weekday = ((days % 7) + 11) % 7
    // Days to a date of the Gregorian calendar, with years that begin in March
    // (Howard Hinnant, "chrono-compatible low-level date algorithms").
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  var rfc822: String {
    let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    return "\(weekdays[weekday]), \(two(day)) \(months[month - 1]) \(year) "
      + "\(two(hour)):\(two(minute)):\(two(second))"
  }
}

private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
