internal import News
package import Text

package import struct Foundation.Date

/// Parser of dates in feeds: RFC 822 and its successors, RFC 850, asctime, RFC 3339, ISO 8601 with
/// weeks and days of the year, W3C-DTF, Unix time, and variants of these in some thirty languages.
///
/// - Defaults: UTC, midnight, and the first day of a year or month.
/// - `03/04/2024` is 3 April. With AM, PM or a North American zone it is March 4, and an English
///   weekday decides if it fits only one of the two. With dots or hyphens the day comes first.
/// - A North American zone without a mark of DST (`ET`) follows the calendar of the United States.
/// - Two-digit years from 0 to 49 are in this century (RFC 2822 §4.3).
package enum FeedDate {
  /// The point in time; nil if the text is no date, or the date does not exist.
  ///
  /// Years outside 1900–2199 are mistakes, and the first second of 1970 means no date.
  package static func parse(_ text: String) -> Date? { text.withBytes { parse(bytes: $0) } }

  /// `parse(_:)` for UTF-8 bytes.
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

  /// In bytes.
  private static let longest = 250

  /// From 1900 to the end of 2199, in seconds since 1970.
  private static let plausible = -2_208_988_800..<7_258_118_400

  private static func date(seconds: Int, _ fraction: Double) -> Date? {
    guard plausible.contains(seconds), seconds != 0 else { return nil }
    return Date(timeIntervalSince1970: Double(seconds) + fraction)
  }

  /// The digits in `/Date(1714564800000)/`, the format of ASP.NET in JSON.
  private static func insideOfCall(_ bytes: ByteBuffer, _ range: Range<Int>) -> Range<Int> {
    guard bytes.hasWord("/date(", at: range.lowerBound) else { return range }
    // The number counts milliseconds in UTC even if an offset follows.
    let digits = bytes[range.lowerBound + 6..<range.upperBound].prefix { $0.isASCIIDigit }
    return digits.startIndex..<digits.endIndex
  }

  /// The range without an incomplete number at its end: `2024-12-30T10:1` becomes `2024-12-30T10`.
  /// Only numbers with leading zeros can be recognised as incomplete.
  private static func wholeNumbers(_ bytes: ByteBuffer, _ range: Range<Int>) -> Range<Int> {
    guard range.count < extendedShape.0.utf8CodeUnitCount else { return range }
    for (shape, ends) in [extendedShape, basicShape] where range.count < shape.utf8CodeUnitCount {
      let isOfShape = range.enumerated().allSatisfy { offset, index in
        let wanted = shape.utf8Start[offset]
        return wanted == 0x30 ? bytes[index].isASCIIDigit : bytes[index].asciiLowercased == wanted
      }
      if isOfShape, let end = ends.last(where: { $0 <= range.count }) { return range.prefix(end) }
    }
    return range
  }

  /// Patterns with the lengths in bytes at which a date may end.
  private static let extendedShape: (StaticString, [Int]) = ("0000-00-00t00:00:00", [10, 13, 16])
  private static let basicShape: (StaticString, [Int]) = ("00000000t000000", [8, 11, 13])

  /// Unix time: ten digits are seconds, thirteen are milliseconds.
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

enum SummerTime {
  /// Rule of the United States since 2007: from the second Sunday of March to the first Sunday of
  /// November. The hour of the change is ignored.
  static func isInNorthAmerica(_ day: CalendarDay) -> Bool {
    let (start, end) =
      (sunday(2, year: day.year, month: 3), sunday(1, year: day.year, month: 11))
    return day.number >= start && day.number < end
  }

  /// Day number of a Sunday of a month, by its position from 1.
  private static func sunday(_ count: Int, year: Int, month: Int) -> Int {
    let first = CalendarDay(year: year, month: month, day: 1)
    return first.number + 7 - first.weekday + (count - 1) * 7
  }
}

/// Fields of a date, before validation against the calendar.
struct DateFields {
  var year = 0
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  var second = 0
  var fraction = 0.0
  /// Offset from UTC in minutes, positive to the east.
  var offset = 0

  var isValid: Bool {
    (1...9999).contains(year) && CalendarDay(year: year, month: month, day: day).exists
      && (0...24).contains(hour) && (0...59).contains(minute) && (0...60).contains(second)
      && (hour < 24 || minute + second == 0)
      // The extreme offsets are those of Baker Island and of Kiritimati.
      && (-12 * 60...14 * 60).contains(offset)
  }

  var seconds: Int {
    let number = CalendarDay(year: year, month: month, day: day).number
    return number * 86400 + hour * 3600 + (minute - offset) * 60 + second
  }

  /// The year with its century (RFC 822 §5.1, RFC 2822 §4.3).
  static func fullYear(_ number: Int, digits: Int) -> Int {
    switch digits {
    case 1, 2: number < 50 ? 2000 + number : 1900 + number
    case 3: 1900 + number
    default: number
    }
  }
}
