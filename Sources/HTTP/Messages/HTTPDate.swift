internal import Text

package import struct Foundation.Date

/// Dates in headers (RFC 9110 §5.6.7).
package enum HTTPDate {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and
  /// `Sun Nov  6 08:49:37 1994`; nil for anything else. The day of the week is not checked.
  ///
  /// - Parameter now: a year of two digits is taken for the last one that is not more than 50 years
  ///   ahead of it.
  package static func date(from text: String, now: Date) -> Date? {
    let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
    let day: Int?
    let month: Int?
    let clock: Substring
    let yearWord: Substring
    switch words.count {
    case 6 where words[5].uppercased() == "GMT" || words[5].uppercased() == "UTC":
      (day, month) = (digits(words[1]), self.month(words[2]))
      (yearWord, clock) = (words[3], words[4])
    case 5:
      (day, month) = (digits(words[2]), self.month(words[1]))
      (yearWord, clock) = (words[4], words[3])
    default: return nil
    }
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
    guard let day, let month, let year = digits(yearWord), parts.count == 3,
      let hour = digits(parts[0]), let minute = digits(parts[1]), let second = digits(parts[2])
    else { return nil }
    var time = CivilTime()
    time.day = CalendarDay(
      year: yearWord.utf8.count == 2 ? fullYear(year, now: now) : year, month: month, day: day)
    (time.hour, time.minute, time.second) = (hour, minute, second)
    return Date(time)
  }

  private static func month(_ word: Substring) -> Int? {
    months.firstIndex(of: word.lowercased()).map { $0 + 1 }
  }

  private static func fullYear(_ short: Int, now: Date) -> Int {
    let current = CivilTime(now).day.year
    let year = current / 100 * 100 + short
    return year > current + 50 ? year - 100 : year
  }
}

extension CivilTime {
  init(_ date: Date) { self.init(seconds: Int(date.timeIntervalSince1970.rounded(.down))) }
}

extension Date {
  /// Nil where there is no such moment.
  init?(_ time: CivilTime) {
    guard let seconds = time.seconds else { return nil }
    self.init(timeIntervalSince1970: Double(seconds))
  }
}

extension HTTPResponseHead {
  /// How far this machine's clock is ahead of the server's; negative where it is behind, nil where the
  /// server names no time.
  ///
  /// A cache says how long ago the server wrote its `Date` (`Age`, RFC 9111 §5.1).
  ///
  /// - Parameter now: when the head arrived.
  package func clockSkew(now: Date) -> Duration? {
    guard let text = headers["Date"], let date = HTTPDate.date(from: text, now: now) else {
      return nil
    }
    let age = headers["Age"].flatMap { digits($0) } ?? 0
    let seconds = now.timeIntervalSince(date) - Double(min(age, 1 << 31))
    return .seconds(Int64(seconds.rounded()))
  }
}
