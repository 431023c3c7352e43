package import News

package import struct Foundation.Date

/// Reads the dates that feeds write: RFC 822 and its successors, RFC 850, asctime, RFC 3339, ISO 8601
/// and the W3C's partial forms.
package enum FeedDate {
  /// The moment a text names; nil for what cannot be read or does not exist.
  ///
  /// A text without a zone is read as UTC, one without a time as midnight, a year or month as its
  /// first day. The name of the weekday is ignored: feeds get it wrong.
  package static func parse(_ text: String) -> Date? {
    text.withBytes { parse(bytes: $0) }
  }

  /// `parse(_:)` for bytes that are no string yet.
  package static func parse(bytes: ByteBuffer) -> Date? {
    let range = bytes.trimmed(0..<bytes.count)
    guard range.count >= 4, range.count <= 80 else { return nil }
    var scanner = DateScanner(bytes: bytes, index: range.lowerBound, end: range.upperBound)
    let startsWithYear = range.prefix(4).allSatisfy { bytes[$0].isASCIIDigit }
    let fields = startsWithYear ? scanner.iso() : scanner.words()
    return fields?.date
  }

  /// A moment as RFC 3339 writes it, in UTC and whole seconds: `2024-05-01T12:00:00Z`.
  package static func iso8601(_ date: Date) -> String {
    let limit: Double = 253_402_300_799  // 9999-12-31T23:59:59Z
    let seconds = Int(max(-62_135_596_800, min(limit, date.timeIntervalSince1970)).rounded(.down))
    let number = seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400
    let time = seconds - number * 86400
    let day = CalendarDay(number: number)
    func padded(_ value: Int, _ width: Int = 2) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(padded(day.year, 4))-\(padded(day.month))-\(padded(day.day))"
      + "T\(padded(time / 3600)):\(padded(time / 60 % 60)):\(padded(time % 60))Z"
  }
}

private struct DateFields {
  var year = 0
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  var second = 0
  var fraction = 0.0
  /// Minutes east of UTC.
  var offset = 0

  var date: Date? {
    let calendarDay = CalendarDay(year: year, month: month, day: day)
    guard (1...9999).contains(year), calendarDay.exists, hour <= 24, minute <= 59, second <= 60,
      hour < 24 || minute + second == 0, abs(offset) <= 24 * 60
    else { return nil }
    let seconds = calendarDay.number * 86400 + hour * 3600 + minute * 60 + second
    return Date(timeIntervalSince1970: Double(seconds - offset * 60) + fraction)
  }
}

private struct DateScanner {
  let bytes: ByteBuffer
  var index: Int
  let end: Int

  // MARK: 2024-05-01T12:00:00.5+02:00

  mutating func iso() -> DateFields? {
    var fields = DateFields()
    guard let year = digits(4...4) else { return nil }
    fields.year = year
    if isAtEnd { return fields }
    let isCompact = !skip("-") && !skip("/")
    guard let month = digits(isCompact ? 2...2 : 1...2) else { return nil }
    fields.month = month
    if isAtEnd { return fields }
    if !isCompact, !skip("-"), !skip("/") { return nil }
    guard let day = digits(isCompact ? 2...2 : 1...2) else { return nil }
    fields.day = day
    if isAtEnd { return fields }
    guard skip("T") || skip("t") || skipSpaces() || skip("_") else { return zone(fields) }
    skipSpaces()
    guard let hour = digits(2...2) ?? digits(1...1) else { return nil }
    fields.hour = hour
    if skip(":") {
      guard let minute = digits(2...2) else { return nil }
      fields.minute = minute
      if skip(":") {
        guard let second = digits(2...2) else { return nil }
        fields.second = second
      }
    } else if let minute = digits(2...2) {
      fields.minute = minute
      fields.second = digits(2...2) ?? 0
    }
    guard fraction(&fields) else { return nil }
    return zone(fields)
  }

  /// A decimal fraction of the second, where there is one.
  private mutating func fraction(_ fields: inout DateFields) -> Bool {
    guard skip(".") || skip(",") else { return true }
    var scale = 0.1
    let start = index
    while let byte = peek, byte.isASCIIDigit {
      fields.fraction += Double(byte - 0x30) * scale
      scale /= 10
      index += 1
    }
    return index > start
  }

  // MARK: Wed, 01 May 2024 12:00:00 GMT and its kin

  /// Words and numbers in any of the orders that occur: what a number is follows from what stands
  /// around it.
  mutating func words() -> DateFields? {
    var fields = DateFields()
    var day: Int?
    var month: Int?
    var year: Int?
    var hasTime = false
    while !isAtEnd {
      guard let byte = peek else { break }
      if byte.isASCIILetter {
        let word = word()
        if month == nil, let number = monthNumber(word) {
          month = number
        } else if hasTime, year != nil, let offset = namedZone(word) {
          fields.offset = offset
          // `GMT+0200`: the number counts.
          if let sign = peek, sign == 0x2B || sign == 0x2D { continue }
          skipSpaces()
          if let sign = peek, sign == 0x2B || sign == 0x2D { continue }
          return finish(fields, year, month, day)
        } else if hasTime, isAfternoon(word) != nil {
          guard (1...12).contains(fields.hour) else { return nil }
          fields.hour = fields.hour % 12 + (isAfternoon(word) == true ? 12 : 0)
        } else if hasTime, year == nil, let offset = namedZone(word) {
          // asctime with a zone has its year last: `Wed May  1 12:00:00 GMT 2024`.
          fields.offset = offset
        } else if !isWeekday(word), !isFiller(word) {
          // Zones nobody knows are read as UTC; other words make it no date.
          guard hasTime, year != nil, isUppercase(word) else { return nil }
          return finish(fields, year, month, day)
        }
      } else if byte.isASCIIDigit {
        let start = index
        guard let number = digits(1...4) else { return nil }
        let length = index - start
        if peek == 0x3A, !hasTime {
          index = start
          guard clock(&fields) else { return nil }
          hasTime = true
        } else if day == nil, length <= 2 {
          day = number
        } else if year == nil, length == 4 || length == 2 || length == 3 {
          year = fullYear(number, length)
        } else {
          return nil
        }
      } else if hasTime, byte == 0x2B || byte == 0x2D, day != nil, month != nil {
        guard let offset = numericZone() else { return nil }
        fields.offset = offset
        if year != nil { return finish(fields, year, month, day) }
      } else {
        // Commas, hyphens (RFC 850), brackets and spaces part the fields.
        index += 1
      }
    }
    return finish(fields, year, month, day)
  }

  private func finish(_ fields: DateFields, _ year: Int?, _ month: Int?, _ day: Int?) -> DateFields?
  {
    guard let year, let month, let day else { return nil }
    var fields = fields
    fields.year = year
    fields.month = month
    fields.day = day
    return fields
  }

  private mutating func clock(_ fields: inout DateFields) -> Bool {
    guard let hour = digits(1...2), skip(":"), let minute = digits(1...2) else { return false }
    fields.hour = hour
    fields.minute = minute
    if skip(":") {
      guard let second = digits(1...2) else { return false }
      fields.second = second
    }
    return fraction(&fields)
  }

  /// RFC 822 §5.1 has two digits; RFC 2822 §4.3 says which century they mean.
  private func fullYear(_ number: Int, _ length: Int) -> Int {
    switch length {
    case 2: number < 50 ? 2000 + number : 1900 + number
    case 3: 1900 + number
    default: number
    }
  }

  // MARK: Zones

  private mutating func zone(_ fields: DateFields) -> DateFields? {
    var fields = fields
    skipSpaces()
    guard let byte = peek else { return fields }
    if byte == 0x2B || byte == 0x2D {
      guard let offset = numericZone() else { return nil }
      fields.offset = offset
      return isAtEnd ? fields : nil
    }
    guard let offset = namedZone(word()) else { return nil }
    fields.offset = offset
    return fields
  }

  private mutating func numericZone() -> Int? {
    let sign = peek == 0x2D ? -1 : 1
    index += 1
    skipSpaces()
    guard let hours = digits(2...2) ?? digits(1...1) else { return nil }
    _ = skip(":")
    let minutes = digits(2...2) ?? 0
    guard minutes < 60 else { return nil }
    return sign * (hours * 60 + minutes)
  }

  private func namedZone(_ word: Range<Int>) -> Int? {
    let name = bytes.string(word).uppercased()
    if name.utf8.count == 1, name != "J" { return name == "Z" ? 0 : militaryZone }
    return zones[name]
  }

  /// RFC 2822 §4.3: the signs of the single letters were defined wrongly; they mean nothing.
  private var militaryZone: Int { 0 }

  // MARK: Words

  private mutating func word() -> Range<Int> {
    let start = index
    while let byte = peek, byte.isASCIILetter { index += 1 }
    return start..<index
  }

  private func monthNumber(_ word: Range<Int>) -> Int? {
    guard word.count >= 3 else { return nil }
    for (index, name) in months.enumerated()
    where bytes.hasWord(name.short, at: word.lowerBound) {
      guard word.count > 3 else { return index + 1 }
      let spelled = bytes.string(word).lowercased()
      let matches = spelled == "sept" || spelled == name.long
      return matches ? index + 1 : nil
    }
    return nil
  }

  private func isWeekday(_ word: Range<Int>) -> Bool {
    word.count >= 2
      && weekdays.contains { bytes.hasWord($0, at: word.lowerBound) }
  }

  private func isFiller(_ word: Range<Int>) -> Bool {
    ["st", "nd", "rd", "th", "at", "of", "t"].contains(bytes.string(word).lowercased())
  }

  private func isAfternoon(_ word: Range<Int>) -> Bool? {
    if bytes.isWord("pm", in: word) { return true }
    return bytes.isWord("am", in: word) ? false : nil
  }

  private func isUppercase(_ word: Range<Int>) -> Bool {
    word.count <= 5 && word.allSatisfy { bytes[$0] <= 0x5A }
  }

  // MARK: Bytes

  private var peek: UInt8? { index < end ? bytes[index] : nil }
  private var isAtEnd: Bool { index >= end }

  private mutating func digits(_ width: ClosedRange<Int>) -> Int? {
    var value = 0
    var count = 0
    while count < width.upperBound, index + count < end, bytes[index + count].isASCIIDigit {
      value = value * 10 + Int(bytes[index + count] - 0x30)
      count += 1
    }
    guard count >= width.lowerBound else { return nil }
    index += count
    return value
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard let byte = peek, UInt32(byte) == character.value else { return false }
    index += 1
    return true
  }

  @discardableResult
  private mutating func skipSpaces() -> Bool {
    let start = index
    while let byte = peek, byte.isASCIISpace { index += 1 }
    return index > start
  }
}

private let months: [(short: StaticString, long: String)] = [
  ("jan", "january"), ("feb", "february"), ("mar", "march"), ("apr", "april"), ("may", "may"),
  ("jun", "june"), ("jul", "july"), ("aug", "august"), ("sep", "september"), ("oct", "october"),
  ("nov", "november"), ("dec", "december"),
]

private let weekdays: [StaticString] = ["mo", "tu", "we", "th", "fr", "sa", "su"]

private let zones: [String: Int] = [
  "GMT": 0, "UT": 0, "UTC": 0, "WET": 0, "WEST": 60, "BST": 60, "IST": 330, "CET": 60, "MET": 60,
  "CEST": 120, "MEST": 120, "EET": 120, "EEST": 180, "MSK": 180, "JST": 540, "KST": 540,
  "HKT": 480, "SGT": 480, "AWST": 480, "ACST": 570, "AEST": 600, "ACDT": 630, "AEDT": 660,
  "NZST": 720, "NZDT": 780, "EST": -300, "EDT": -240, "CST": -360, "CDT": -300, "MST": -420,
  "MDT": -360, "PST": -480, "PDT": -420, "AST": -240, "ADT": -180, "NST": -210, "NDT": -150,
  "AKST": -540, "AKDT": -480, "HST": -600, "BRT": -180, "ART": -180, "SAST": 120,
]
