internal import Text

package import struct Foundation.Date

/// A moment as text.
package enum Timestamp {
  /// As RFC 3339 writes it, in UTC and whole seconds: `2024-05-01T12:00:00Z`. A moment before the
  /// year 1 or after the year 9999 becomes the first or the last of them.
  package static func text(of date: Date) -> String {
    let limit: Double = 253_402_300_799  // 9999-12-31T23:59:59Z
    let seconds = Int(max(-62_135_596_800, min(limit, date.timeIntervalSince1970)).rounded(.down))
    let number = seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400
    let time = seconds - number * 86400
    let day = CalendarDay(number: number)
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
      write(day.year, width: 4, 0x2D)
      write(day.month, width: 2, 0x2D)
      write(day.day, width: 2, 0x54)
      write(time / 3600, width: 2, 0x3A)
      write(time / 60 % 60, width: 2, 0x3A)
      write(time % 60, width: 2, 0x5A)
      return place
    }
  }
}
