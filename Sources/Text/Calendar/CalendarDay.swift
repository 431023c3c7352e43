/// A day of the Gregorian calendar. Pure: no formatter, no locale, no time zone database.
package struct CalendarDay: Hashable, Sendable {
  /// The year in the proleptic Gregorian calendar.
  package var year: Int
  /// 1 to 12.
  package var month: Int
  /// 1 to 31.
  package var day: Int

  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The day with a number of days since 1970-01-01, which may be negative.
  ///
  /// - Parameter number: of a year that an `Int32` can hold.
  package init(number: Int) {
    // Howard Hinnant's civil_from_days: eras of 400 years that begin in March, so that the leap day
    // is the last of its year.
    let shifted = number + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days since 1970-01-01.
  package var number: Int {
    let marchYear = month <= 2 ? year - 1 : year
    let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  package var exists: Bool {
    (1...12).contains(month) && day >= 1 && day <= Self.length(ofMonth: month, year: year)
  }

  /// `1994-11-06` (ISO 8601).
  package var iso: String {
    [(year, 4), (month, 2), (day, 2)].map { String(zeroPadded: $0, to: $1) }.joined(separator: "-")
  }

  /// `Sun` to `Sat`.
  package var weekdayName: String { Self.weekdayNames[weekday % 7] }

  /// 1 for Monday to 7 for Sunday (ISO 8601).
  package var weekday: Int {
    // 1970-01-01 was a Thursday.
    ((number + 3) % 7 + 7) % 7 + 1
  }

  /// `Jan` to `Dec`, as RFC 822 writes them. The month must be one.
  package var monthName: String { Self.monthNames[month - 1] }

  /// `Sunday` to `Saturday`.
  package var fullWeekdayName: String { Self.fullWeekdayNames[weekday % 7] }

  /// `January` to `December`. The month must be one.
  package var fullMonthName: String { Self.fullMonthNames[month - 1] }

  private static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static let weekdayNames = fullWeekdayNames.map { String($0.prefix(3)) }
  private static let fullWeekdayNames = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  private static let fullMonthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
  private static let monthNames = fullMonthNames.map { String($0.prefix(3)) }
}
