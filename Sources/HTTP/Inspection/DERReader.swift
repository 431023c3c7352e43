internal import Text

internal import struct Foundation.Date

/// Reads the elements of DER (X.690) one after another. What is cut or too long ends the reading.
struct DERReader {
  struct Tag: Hashable {
    var byte: UInt8

    static let integer = Tag(byte: 0x02)
    static let octetString = Tag(byte: 0x04)
    static let objectIdentifier = Tag(byte: 0x06)
    static let sequence = Tag(byte: 0x30)
    static let set = Tag(byte: 0x31)

    static func context(_ number: UInt8) -> Tag { Tag(byte: 0xA0 | number) }
    static func contextPrimitive(_ number: UInt8) -> Tag { Tag(byte: 0x80 | number) }
  }

  struct Element {
    var tag: Tag
    var body: ArraySlice<UInt8>
    /// Tag and length too.
    var whole: ArraySlice<UInt8>

    var contents: DERReader { DERReader(body) }

    /// BMPString is two bytes a character; the other kinds are UTF-8 or a part of it.
    var text: String {
      guard tag.byte == 0x1E else { return String(decoding: body, as: UTF8.self) }
      let units = stride(from: body.startIndex, to: body.endIndex - 1, by: 2).map { index in
        UInt16(body[index]) << 8 | UInt16(body[index + 1])
      }
      return String(decoding: units, as: UTF16.self)
    }
  }

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func next() -> Element? {
    let whole = rest
    guard let tag = rest.popFirst(), let first = rest.popFirst() else { return nil }
    var length = Int(first)
    if first >= 0x80 {
      let count = Int(first & 0x7F)
      guard (1...3).contains(count), rest.count >= count else { return nil }
      length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(count)
    }
    guard length <= rest.count else { return nil }
    let body = rest.prefix(length)
    rest = rest.dropFirst(length)
    return Element(tag: Tag(byte: tag), body: body, whole: whole[whole.startIndex..<body.endIndex])
  }

  /// The next element if it is of that kind; else nothing is read.
  mutating func next(_ tag: Tag) -> Element? {
    guard rest.first == tag.byte else { return nil }
    return next()
  }

  /// The contents of the first element of that kind.
  func first(_ tag: Tag) -> DERReader? {
    var reader = self
    while let element = reader.next() { if element.tag == tag { return element.contents } }
    return nil
  }

  /// UTCTime or GeneralizedTime, as RFC 5280 §4.1.2.5 has them.
  mutating func nextTime() -> Date? {
    guard let element = next() else { return nil }
    var text = String(decoding: element.body, as: UTF8.self)[...]
    guard text.hasSuffix("Z") else { return nil }
    func number(_ count: Int) -> Int? {
      defer { text = text.dropFirst(count) }
      return digits(text.prefix(count))
    }
    let year: Int
    switch element.tag.byte {
    case 0x17:
      guard text.utf8.count == 13, let short = number(2) else { return nil }
      year = short < 50 ? 2_000 + short : 1_900 + short
    case 0x18:
      guard text.utf8.count == 15, let full = number(4) else { return nil }
      year = full
    default: return nil
    }
    guard let month = number(2), let day = number(2), let hour = number(2), let minute = number(2),
      let second = number(2)
    else { return nil }
    var time = CivilTime()
    time.day = CalendarDay(year: year, month: month, day: day)
    (time.hour, time.minute, time.second) = (hour, minute, second)
    return Date(time)
  }
}
