internal import News
package import Text

package import struct Foundation.Date

/// Reads the dates that feeds write: RFC 822 and its successors, RFC 850, asctime, RFC 3339, ISO 8601
/// with its weeks and days of the year, the W3C's partial forms, Unix time, and the dialects that
/// programs in some thirty languages have made of them.
///
/// Where a text leaves something open:
/// - Without a zone, and in one whose name is not known, it is UTC; without a time it is midnight; a
///   year or a month is its first day.
/// - `03/04/2024` is 3 April, unless AM, PM or a zone of North America says that an American wrote it:
///   then it is March 4. An English weekday that fits one of the two only decides; elsewhere it is not
///   looked at, for feeds get it wrong. With dots or hyphens the day is always first, and a number over
///   12 is never a month.
/// - A zone of North America that says nothing of summer time (`ET`) is in it when the United States
///   are.
/// - 0 to 49 are years of this century, 50 to 99 of the last (RFC 2822 §4.3).
package enum FeedDate {
  /// The moment a text names; nil for what cannot be read or does not exist.
  ///
  /// Nil too for years before 1900 and after 2199, which are mistakes, and for the first second of
  /// 1970: programs write it for a date they do not have.
  package static func parse(_ text: String) -> Date? {
    text.withBytes { parse(bytes: $0) }
  }

  /// `parse(_:)` for bytes that are no string yet.
  package static func parse(bytes: ByteBuffer) -> Date? {
    let range = wholeNumbers(bytes, insideOfCall(bytes, bytes.trimmed(0..<bytes.count)))
    guard range.count >= 4, range.count <= longest else { return nil }
    if let seconds = unixTime(bytes, range) {
      return date(seconds: seconds.whole, seconds.fraction)
    }
    var scanner = StandardDateScanner(bytes: bytes, range: range)
    let startsWithYear = range.prefix(4).allSatisfy { bytes[$0].isASCIIDigit }
    let fields =
      (startsWithYear ? scanner.iso8601() : scanner.rfc822())
      ?? DialectDate(ByteBuffer(rebasing: bytes[range])).fields
    return fields.flatMap { date(seconds: $0.seconds, $0.fraction) }
  }

  /// A moment as RFC 3339 writes it, in UTC and whole seconds: `2024-05-01T12:00:00Z`.
  package static func iso8601(_ date: Date) -> String { Timestamp.text(of: date) }

  /// A text of more bytes than this is no date.
  private static let longest = 250

  /// 1900-01-01 and the end of 2199, in seconds since 1970.
  private static let plausible = -2_208_988_800..<7_258_118_400

  private static func date(seconds: Int, _ fraction: Double) -> Date? {
    guard plausible.contains(seconds), seconds != 0 else { return nil }
    return Date(timeIntervalSince1970: Double(seconds) + fraction)
  }

  /// What stands in `/Date(1714564800000)/`, as ASP.NET writes dates into JSON.
  private static func insideOfCall(_ bytes: ByteBuffer, _ range: Range<Int>) -> Range<Int> {
    guard bytes.hasWord("/date(", at: range.lowerBound) else { return range }
    // The milliseconds are of UTC, whatever zone follows them.
    let digits = bytes[range.lowerBound + 6..<range.upperBound].prefix { $0.isASCIIDigit }
    return digits.startIndex..<digits.endIndex
  }

  /// An ISO 8601 date and time without the half number at its end, where it was cut: `2024-12-30T10:1`
  /// says that it is ten, and not how many minutes past. Only where all numbers have their zeros can
  /// half a one be told.
  private static func wholeNumbers(_ bytes: ByteBuffer, _ range: Range<Int>) -> Range<Int> {
    guard range.count < extendedShape.0.utf8CodeUnitCount else { return range }
    for (shape, ends) in [extendedShape, basicShape] where range.count < shape.utf8CodeUnitCount {
      let isOfShape = range.enumerated().allSatisfy { offset, index in
        let wanted = shape.utf8Start[offset]
        return wanted == 0x30 ? bytes[index].isASCIIDigit : bytes[index].asciiLowercased == wanted
      }
      if isOfShape, let end = ends.last(where: { $0 <= range.count }) {
        return range.prefix(end)
      }
    }
    return range
  }

  /// Shapes of dates with a time, and where one may end.
  private static let extendedShape: (StaticString, [Int]) = ("0000-00-00t00:00:00", [10, 13, 16])
  private static let basicShape: (StaticString, [Int]) = ("00000000t000000", [8, 11, 13])

  /// A bare number of ten digits is seconds since 1970, one of thirteen is milliseconds.
  private static func unixTime(
    _ bytes: ByteBuffer, _ range: Range<Int>
  ) -> (whole: Int, fraction: Double)? {
    var value = 0
    var index = range.lowerBound
    while index < range.upperBound, bytes[index].isASCIIDigit, index - range.lowerBound < 14 {
      value = value * 10 + Int(bytes[index] - 0x30)
      index += 1
    }
    let count = index - range.lowerBound
    if index == range.upperBound {
      if count == 10 { return (value, 0) }
      return count == 13 ? (value / 1000, Double(value % 1000) / 1000) : nil
    }
    // `1714564800.25`
    guard count == 10, bytes[index] == 0x2E, index + 1 < range.upperBound,
      bytes[index + 1..<range.upperBound].allSatisfy(\.isASCIIDigit)
    else { return nil }
    var fraction = 0.0
    var scale = 0.1
    for digit in bytes[index + 1..<range.upperBound] {
      fraction += Double(digit - 0x30) * scale
      scale /= 10
    }
    return (value, fraction)
  }
}

/// The months in which clocks go an hour ahead.
enum SummerTime {
  /// As the United States have had it since 2007: from the second Sunday of March to the first of
  /// November. The hour of the change is not looked at.
  static func isInNorthAmerica(_ day: CalendarDay) -> Bool {
    let (start, end) =
      (sunday(2, year: day.year, month: 3), sunday(1, year: day.year, month: 11))
    return day.number >= start && day.number < end
  }

  /// The number of a month's first Sunday, or of a later one.
  private static func sunday(_ count: Int, year: Int, month: Int) -> Int {
    let first = CalendarDay(year: year, month: month, day: 1)
    return first.number + 7 - first.weekday + (count - 1) * 7
  }
}

/// What a date says, before it is known whether the calendar has it.
struct DateFields {
  var year = 0
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  var second = 0
  var fraction = 0.0
  /// Minutes east of UTC.
  var offset = 0

  /// Whether such a moment exists.
  var isValid: Bool {
    (1...9999).contains(year) && CalendarDay(year: year, month: month, day: day).exists
      && (0...24).contains(hour) && (0...59).contains(minute) && (0...60).contains(second)
      && (hour < 24 || minute + second == 0)
      // The ends of the world: Baker Island and Kiritimati.
      && (-12 * 60...14 * 60).contains(offset)
  }

  /// Since 1970; only of what is valid.
  var seconds: Int {
    let number = CalendarDay(year: year, month: month, day: day).number
    return number * 86400 + hour * 3600 + (minute - offset) * 60 + second
  }

  /// RFC 822 §5.1 has two digits; RFC 2822 §4.3 says which century they mean.
  static func fullYear(_ number: Int, digits: Int) -> Int {
    switch digits {
    case 1, 2: number < 50 ? 2000 + number : 1900 + number
    case 3: 1900 + number
    default: number
    }
  }
}
