package import struct Foundation.Date

/// Dates in headers (RFC 9110 §5.6.7).
package enum HTTPDate {
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and
  /// `Sun Nov  6 08:49:37 1994`; nil for anything else. The day of the week is not checked.
  ///
  /// - Parameter now: a year of two digits is taken for the last one that is not more than 50 years
  ///   ahead of it.
  package static func date(from text: String, now: Date) -> Date? {
    let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
    var time = CivilTime()
    let clock: Substring
    let yearWord: Substring
    switch words.count {
    case 6 where words[5].uppercased() == "GMT" || words[5].uppercased() == "UTC":
      guard let day = digits(words[1]), let month = month(words[2]) else { return nil }
      (time.day, time.month) = (day, month)
      (yearWord, clock) = (words[3], words[4])
    case 5:
      guard let day = digits(words[2]), let month = month(words[1]) else { return nil }
      (time.day, time.month) = (day, month)
      (yearWord, clock) = (words[4], words[3])
    default: return nil
    }
    guard let year = digits(yearWord) else { return nil }
    time.year = yearWord.utf8.count == 2 ? fullYear(year, now: now) : year
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hour = digits(parts[0]), let minute = digits(parts[1]),
      let second = digits(parts[2])
    else { return nil }
    (time.hour, time.minute, time.second) = (hour, minute, second)
    return time.date
  }

  /// As in `Sun, 06 Nov 1994 08:49:37 GMT`.
  package static func string(from date: Date) -> String {
    let time = CivilTime(date)
    return "\(weekdays[time.weekday]), \(padded(time.day)) \(months[time.month - 1].capitalized) "
      + "\(padded(time.year, 4)) \(padded(time.hour)):\(padded(time.minute)):\(padded(time.second))"
      + " GMT"
  }

  private static func month(_ word: Substring) -> Int? {
    months.firstIndex(of: word.lowercased()).map { $0 + 1 }
  }

  private static func fullYear(_ short: Int, now: Date) -> Int {
    let current = CivilTime(now).year
    let year = current / 100 * 100 + short
    return year > current + 50 ? year - 100 : year
  }
}

extension String {
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
