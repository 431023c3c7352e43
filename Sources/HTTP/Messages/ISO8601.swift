package import struct Foundation.Date

/// Dates in JSON (RFC 3339).
package enum ISO8601 {
  /// Reads `2024-05-01T12:30:00Z`, with or without a fraction of a second, with `Z` or an offset.
  /// nil for anything else: no date is made up.
  package static func date(from text: String) -> Date? {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int? {
      guard range.upperBound <= bytes.count else { return nil }
      return digits(String(decoding: bytes[range], as: UTF8.self))
    }
    func byte(_ index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    guard let year = number(0..<4), byte(4) == UInt8(ascii: "-"), let month = number(5..<7),
      byte(7) == UInt8(ascii: "-"), let day = number(8..<10),
      let separator = byte(10), "Tt ".utf8.contains(separator),
      let hour = number(11..<13), byte(13) == UInt8(ascii: ":"), let minute = number(14..<16),
      byte(16) == UInt8(ascii: ":"), let second = number(17..<19)
    else { return nil }
    var time = CivilTime()
    (time.year, time.month, time.day) = (year, month, day)
    (time.hour, time.minute, time.second) = (hour, minute, second)
    guard let date = time.date else { return nil }

    var index = 19
    var fraction = 0.0
    if byte(index) == UInt8(ascii: ".") || byte(index) == UInt8(ascii: ",") {
      index += 1
      var scale = 0.1
      let start = index
      while let digit = byte(index), digit >= 0x30, digit <= 0x39 {
        fraction += Double(digit - 0x30) * scale
        scale /= 10
        index += 1
      }
      guard index > start else { return nil }
    }
    guard let offset = offset(bytes[index...]) else { return nil }
    return date.addingTimeInterval(fraction - Double(offset))
  }

  /// In UTC, with milliseconds where there are any.
  package static func string(from date: Date) -> String {
    let milliseconds = Int((date.timeIntervalSince1970 * 1_000).rounded())
    let time = CivilTime(Date(timeIntervalSince1970: (Double(milliseconds) / 1_000).rounded(.down)))
    let fraction = ((milliseconds % 1_000) + 1_000) % 1_000
    return "\(padded(time.year, 4))-\(padded(time.month))-\(padded(time.day))"
      + "T\(padded(time.hour)):\(padded(time.minute)):\(padded(time.second))"
      + (fraction == 0 ? "Z" : ".\(padded(fraction, 3))Z")
  }

  /// Seconds east of Greenwich: `Z`, `+02:00`, `+0200` or `+02`.
  private static func offset(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let sign = bytes.first else { return nil }
    if sign == UInt8(ascii: "Z") || sign == UInt8(ascii: "z") { return bytes.count == 1 ? 0 : nil }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    var rest = Array(bytes.dropFirst())
    if rest.count == 5, rest[2] == UInt8(ascii: ":") { rest.remove(at: 2) }
    guard rest.count == 4 || rest.count == 2,
      let number = digits(String(decoding: rest, as: UTF8.self))
    else { return nil }
    let (hours, minutes) = rest.count == 4 ? (number / 100, number % 100) : (number, 0)
    guard hours <= 23, minutes <= 59 else { return nil }
    return (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 3_600 + minutes * 60)
  }
}
