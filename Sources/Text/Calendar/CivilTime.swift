/// A date and time of the Gregorian calendar in UTC, to the second. Pure: no formatter, no locale, no
/// time zone database.
package struct CivilTime: Hashable, Sendable {
  package var day = CalendarDay(year: 1970, month: 1, day: 1)
  /// 0 to 23.
  package var hour = 0
  /// 0 to 59.
  package var minute = 0
  /// 0 to 60, for leap seconds.
  package var second = 0

  package init() {}

  /// - Parameter seconds: since 1970-01-01T00:00:00Z.
  package init(seconds: Int) {
    let number = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
    let rest = seconds - number * 86_400
    day = CalendarDay(number: number)
    (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60)
  }

  /// Seconds since 1970-01-01T00:00:00Z; nil where there is no such moment in the years 0 to 9999. A leap
  /// second counts as the one before it.
  package var seconds: Int? {
    guard (0...9_999).contains(day.year), day.exists, (0...23).contains(hour),
      (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    return day.number * 86_400 + hour * 3_600 + minute * 60 + min(second, 59)
  }

  /// `Sun, 06 Nov 1994 08:49:37`, to which RFC 5322 adds a zone and RFC 9110 §5.6.7 `GMT`.
  package var rfc5322: String {
    let date =
      String(zeroPadded: day.day) + " \(day.monthName) " + String(zeroPadded: day.year, to: 4)
    return "\(day.weekdayName), \(date) \(clock)"
  }

  /// `1994-11-06T08:49:37`, to which RFC 3339 adds a zone.
  var rfc3339: String { "\(day.iso)T\(clock)" }

  private var clock: String {
    [hour, minute, second].map { String(zeroPadded: $0) }.joined(separator: ":")
  }
}

extension String {
  package init(zeroPadded number: some BinaryInteger, to width: Int = 2, radix: Int = 10) {
    let digits = String(number, radix: radix)
    self = String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
  }
}
