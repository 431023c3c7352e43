/// A moment as text, in the form of RFC 3339. Moments are seconds since 1970-01-01T00:00:00Z.
package enum Timestamp {
  /// 0001-01-01T00:00:00Z
  private static let first: Double = -62_135_596_800
  /// 9999-12-31T23:59:59Z
  private static let last: Double = 253_402_300_799

  /// In UTC and whole seconds: `2024-05-01T12:00:00Z`. A moment before the year 1 or after the year 9999
  /// becomes the first or the last of them.
  package static func text(of moment: Double) -> String {
    let time = CivilTime(seconds: Int(max(first, min(last, moment)).rounded(.down)))
    return String(unsafeUninitializedCapacity: 20) { bytes in
      var place = 0
      func write(_ value: Int, width: Int, _ end: UInt8) {
        var rest = value
        for digit in (place..<place + width).reversed() {
          bytes[digit] = 0x30 + UInt8(rest % 10)
          rest /= 10
        }
        bytes[place + width] = end
        place += width + 1
      }
      write(time.day.year, width: 4, 0x2D)
      write(time.day.month, width: 2, 0x2D)
      write(time.day.day, width: 2, 0x54)
      write(time.hour, width: 2, 0x3A)
      write(time.minute, width: 2, 0x3A)
      write(time.second, width: 2, 0x5A)
      return place
    }
  }

  /// In UTC, with milliseconds where there are any. Moments are bounded as in `text(of:)`, so that what is written
  /// can be read.
  package static func text(toMilliseconds moment: Double) -> String {
    let milliseconds = Int((max(first, min(last, moment)) * 1_000).rounded())
    let fraction = ((milliseconds % 1_000) + 1_000) % 1_000
    let time = CivilTime(seconds: (milliseconds - fraction) / 1_000)
    return time.rfc3339 + (fraction == 0 ? "Z" : ".\(String(zeroPadded: fraction, to: 3))Z")
  }

  /// Parses a text such as `2024-05-01T12:30:00Z`, with or without a fraction of a second, with `Z` or an
  /// offset; nil for anything else.
  package static func moment(of text: String) -> Double? {
    let bytes = Array(text.utf8)
    func byte(_ index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    guard let year = number(bytes, 0..<4), byte(4) == 0x2D, let month = number(bytes, 5..<7),
      byte(7) == 0x2D, let day = number(bytes, 8..<10),
      let separator = byte(10), "Tt ".utf8.contains(separator),
      let hour = number(bytes, 11..<13), byte(13) == 0x3A, let minute = number(bytes, 14..<16),
      byte(16) == 0x3A, let second = number(bytes, 17..<19)
    else { return nil }
    var time = CivilTime()
    time.day = CalendarDay(year: year, month: month, day: day)
    (time.hour, time.minute, time.second) = (hour, minute, second)
    guard let seconds = time.seconds else { return nil }

    var index = 19
    var fraction = 0.0
    if byte(index) == 0x2E || byte(index) == 0x2C {
      index += 1
      var scale = 0.1
      let start = index
      while let digit = byte(index), digit.isASCIIDigit {
        fraction += Double(digit - 0x30) * scale
        scale /= 10
        index += 1
      }
      guard index > start else { return nil }
    }
    guard let offset = offset(Array(bytes[index...])) else { return nil }
    return Double(seconds) + (fraction - Double(offset))
  }

  /// Seconds east of Greenwich: `Z`, `+02:00`, `+0200` or `+02`.
  private static func offset(_ bytes: [UInt8]) -> Int? {
    guard let sign = bytes.first else { return nil }
    if sign | 0x20 == 0x7A { return bytes.count == 1 ? 0 : nil }
    guard sign == 0x2B || sign == 0x2D else { return nil }
    var rest = Array(bytes.dropFirst())
    if rest.count == 5, rest[2] == 0x3A { rest.remove(at: 2) }
    guard rest.count == 4 || rest.count == 2, let number = number(rest, rest.indices) else {
      return nil
    }
    let (hours, minutes) = rest.count == 4 ? (number / 100, number % 100) : (number, 0)
    guard hours <= 23, minutes <= 59 else { return nil }
    return (sign == 0x2D ? -1 : 1) * (hours * 3_600 + minutes * 60)
  }

  private static func number(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
    guard range.upperBound <= bytes.count, bytes[range].allSatisfy(\.isASCIIDigit) else {
      return nil
    }
    return bytes[range].reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }
}
