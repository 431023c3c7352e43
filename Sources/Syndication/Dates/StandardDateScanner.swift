internal import Text

/// Scanner of dates in standard formats, byte by byte and without copies. Nearly all dates of feeds
/// are in one of them; `DialectDate` reads the others.
struct StandardDateScanner {
  private let bytes: ByteBuffer
  private var index: Int
  private let end: Int

  init(bytes: ByteBuffer, range: Range<Int>) {
    self.bytes = bytes
    index = range.lowerBound
    end = range.upperBound
  }

  // MARK: Wed, 01 May 2024 12:00:00 +0200

  /// RFC 822 §5 and RFC 2822 §3.3, with English names and single spaces.
  mutating func rfc822() -> DateFields? {
    var fields = DateFields()
    if let byte = peek, byte.isASCIILetter {
      index += 3
      guard skip(0x2C), skip(0x20) else { return nil }
    }
    guard let day = digits(1...2), skip(0x20), let month = englishMonth(), skip(0x20),
      let year = digits(4...4), skip(0x20),
      let hour = digits(2...2), skip(0x3A), let minute = digits(2...2)
    else { return nil }
    (fields.day, fields.month, fields.year) = (day, month, year)
    (fields.hour, fields.minute) = (hour, minute)
    if skip(0x3A) {
      guard let second = digits(2...2) else { return nil }
      fields.second = second
    }
    guard skip(0x20), let offset = zone(), isAtEnd else { return nil }
    fields.offset = offset
    return fields.isValid ? fields : nil
  }

  private mutating func englishMonth() -> Int? {
    guard let name = letters(3) else { return nil }
    index += 3
    return switch name {
    case 0x6A616E: 1
    case 0x666562: 2
    case 0x6D6172: 3
    case 0x617072: 4
    case 0x6D6179: 5
    case 0x6A756E: 6
    case 0x6A756C: 7
    case 0x617567: 8
    case 0x736570: 9
    case 0x6F6374: 10
    case 0x6E6F76: 11
    case 0x646563: 12
    default: nil
    }
  }

  /// The next `count` letters in lower case as one number, a byte each.
  private func letters(_ count: Int) -> UInt32? {
    guard index + count <= end else { return nil }
    var value: UInt32 = 0
    for offset in 0..<count {
      let byte = bytes[index + offset]
      guard byte.isASCIILetter else { return nil }
      value = value << 8 | UInt32(byte | 0x20)
    }
    return value
  }

  // MARK: 2024-05-01T12:00:00.5+02:00

  /// RFC 3339, ISO 8601 in both formats with weeks (`2024-W18-3`) and days of the year
  /// (`2024-122`), and W3C-DTF, whose dates may end after the year or the month.
  mutating func iso8601() -> DateFields? {
    var fields = DateFields()
    guard let year = digits(4...4) else { return nil }
    fields.year = year
    if isAtEnd { return fields.isValid ? fields : nil }
    let separator = peek == 0x2D || peek == 0x2F ? peek : nil
    if separator != nil { index += 1 }
    if skip(0x57) || skip(0x77) {
      guard readWeek(&fields, isBasic: separator == nil) else { return nil }
    } else if digitCount == 3 {
      guard let number = digits(3...3), readDayOfYear(number, &fields) else { return nil }
    } else {
      guard let month = digits(separator == nil ? 2...2 : 1...2) else { return nil }
      fields.month = month
      if isAtEnd { return separator != nil && fields.isValid ? fields : nil }
      if let separator, !skip(separator) { return nil }
      guard let day = digits(separator == nil ? 2...2 : 1...2) else { return nil }
      fields.day = day
    }
    guard isAtEnd || readTime(&fields, isBasic: separator == nil) else { return nil }
    return fields.isValid ? fields : nil
  }

  private mutating func readTime(_ fields: inout DateFields, isBasic: Bool) -> Bool {
    let hasMark = skip(0x54) || skip(0x74) || skip(0x5F)
    let hasSpace = skipSpaces()
    if hasMark || hasSpace || (isBasic && digitCount >= 4) {
      guard let hour = digits(2...2) ?? digits(1...1) else { return false }
      fields.hour = hour
      if skip(0x3A) {
        guard let minute = digits(2...2) else { return false }
        fields.minute = minute
        if skip(0x3A) {
          guard let second = digits(2...2) else { return false }
          fields.second = second
        }
      } else if let minute = digits(2...2) {
        fields.minute = minute
        fields.second = digits(2...2) ?? 0
      }
      guard readFraction(&fields) else { return false }
      skipSpaces()
    }
    if isAtEnd { return true }
    guard let offset = zone(), isAtEnd else { return false }
    fields.offset = offset
    return true
  }

  private mutating func readFraction(_ fields: inout DateFields) -> Bool {
    guard skip(0x2E) || skip(0x2C) else { return true }
    var scale = 0.1
    let start = index
    while let byte = peek, byte.isASCIIDigit {
      fields.fraction += Double(byte - 0x30) * scale
      scale /= 10
      index += 1
    }
    return index > start
  }

  private mutating func readWeek(_ fields: inout DateFields, isBasic: Bool) -> Bool {
    guard let week = digits(2...2), (1...53).contains(week) else { return false }
    var weekday = 1
    if isBasic ? digitCount > 0 : skip(0x2D) {
      guard let number = digits(1...1), (1...7).contains(number) else { return false }
      weekday = number
    }
    guard (1...9999).contains(fields.year) else { return false }
    // Week 1 is the one with 4 January (ISO 8601 §3.1.1.23); 1970-01-01 was a Thursday.
    let fourth = CalendarDay(year: fields.year, month: 1, day: 4).number
    let monday = fourth - ((fourth + 3) % 7 + 7) % 7
    let number = monday + (week - 1) * 7 + weekday - 1
    // A week belongs to the year of its Thursday.
    guard CalendarDay(number: monday + (week - 1) * 7 + 3).year == fields.year else { return false }
    fields.set(CalendarDay(number: number))
    return true
  }

  private func readDayOfYear(_ number: Int, _ fields: inout DateFields) -> Bool {
    guard (1...366).contains(number), (1...9999).contains(fields.year) else { return false }
    let first = CalendarDay(year: fields.year, month: 1, day: 1).number
    let day = CalendarDay(number: first + number - 1)
    guard day.year == fields.year else { return false }
    fields.set(day)
    return true
  }

  // MARK: Zones

  /// `Z`, `GMT`, the zones of RFC 822 §5.1, and `+hh`, `+hhmm`, `+hh:mm`, in minutes.
  private mutating func zone() -> Int? {
    guard let byte = peek else { return nil }
    if byte == 0x2B || byte == 0x2D {
      index += 1
      guard let hours = digits(2...2) else { return nil }
      let hasColon = skip(0x3A)
      let minutes = digits(2...2)
      guard minutes != nil || !hasColon, minutes ?? 0 < 60 else { return nil }
      return (byte == 0x2D ? -1 : 1) * (hours * 60 + (minutes ?? 0))
    }
    let count = end - index
    guard count <= 3, let name = letters(count) else { return nil }
    index = end
    return switch name {
    case 0x7A, 0x676D74, 0x7574, 0x757463: 0
    case 0x656474: -240
    case 0x657374, 0x636474: -300
    case 0x637374, 0x6D6474: -360
    case 0x6D7374, 0x706474: -420
    case 0x707374: -480
    case 0x636574: 60
    default: nil
    }
  }

  // MARK: Bytes

  private var peek: UInt8? { index < end ? bytes[index] : nil }
  private var isAtEnd: Bool { index >= end }

  /// Number of digits ahead, at most 8.
  private var digitCount: Int {
    var count = 0
    while count < 8, index + count < end, bytes[index + count].isASCIIDigit { count += 1 }
    return count
  }

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

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
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

extension DateFields {
  fileprivate mutating func set(_ day: CalendarDay) {
    (year, month, self.day) = (day.year, day.month, day.day)
  }
}
