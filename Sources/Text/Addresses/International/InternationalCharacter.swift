/// Properties of a character of a host's name by UTS #46 and the Unicode Character Database.
struct InternationalCharacter {
  /// The bidirectional class (UAX #9), in the order of the tables.
  enum Direction: UInt32 {
    case leftToRight, rightToLeft, arabicLetter, arabicNumber, europeanNumber, europeanSeparator
    case commonSeparator, europeanTerminator, neutral, boundaryNeutral, mark
    /// White space and the ends of paragraphs.
    case other
  }

  /// The joining type, in the order of the tables.
  enum Joining: UInt32 {
    case none, causing, dual, left, right, transparent
  }

  private enum Status: UInt32 {
    case disallowed, valid, mapped
    /// In turn one that is mapped to the next, and one that is valid.
    case alternating
  }

  private let scalar: Unicode.Scalar
  private let start: UInt32
  private let properties: UInt32

  /// Above all but the last of these, nothing is valid; those are left out.
  private static let tableEnd: UInt32 = 0x4_0000
  private static let ranges = DigitTable(InternationalNameTables.properties, columns: [3, 3])
  private static let mappings = DigitTable(
    InternationalNameTables.mappings, columns: [3, 1, 3])
  private static let pool = DigitTable(InternationalNameTables.pool, columns: [3])
  private static let variationSelectors: ClosedRange<UInt32> = 0xE_0100...0xE_01EF

  init(_ scalar: Unicode.Scalar) {
    self.scalar = scalar
    if scalar.value < Self.tableEnd, let row = Self.ranges.row(for: scalar.value) {
      (start, properties) = (Self.ranges[row, 0], Self.ranges[row, 1])
    } else {
      (start, properties) = (0, Status.disallowed.rawValue)
    }
  }

  private var status: Status {
    let status = Status(rawValue: properties & 3) ?? .disallowed
    guard status == .alternating else { return status }
    return (scalar.value - start).isMultiple(of: 2) ? .mapped : .valid
  }

  var isValid: Bool { status == .valid }
  var joining: Joining { Joining(rawValue: properties >> 2 & 7) ?? .none }
  var direction: Direction { Direction(rawValue: properties >> 5 & 15) ?? .other }
  var isMark: Bool { properties >> 9 & 1 == 1 }
  var combiningClass: UInt32 { properties >> 10 }

  /// Appends what the character is mapped to: itself, others, or nothing.
  ///
  /// - Returns: false for a character that no name has.
  static func map(_ scalar: Unicode.Scalar, into output: inout [Unicode.Scalar]) -> Bool {
    if variationSelectors.contains(scalar.value) { return true }
    let character = InternationalCharacter(scalar)
    switch character.status {
    case .disallowed, .alternating: return false
    case .valid: output.append(scalar)
    case .mapped:
      if Status(rawValue: character.properties & 3) == .alternating {
        output.append(scalar: scalar.value + 1)
      } else {
        return appendMapping(of: scalar.value, to: &output)
      }
    }
    return true
  }

  private static func appendMapping(
    of value: UInt32, to output: inout [Unicode.Scalar]
  ) -> Bool {
    guard let row = mappings.row(for: value) else { return false }
    let distance = value - mappings[row, 0]
    let (count, target) = (mappings[row, 1], mappings[row, 2])
    if count == 63 {
      output.append(scalar: target + distance)
    } else {
      let first = Int(target + distance * count)
      for place in first..<first + Int(count) { output.append(scalar: pool[place, 0]) }
    }
    return true
  }
}

extension [Unicode.Scalar] {
  fileprivate mutating func append(scalar value: UInt32) {
    append(Unicode.Scalar(value) ?? "\u{FFFD}")
  }
}

/// A table of numbers as text: rows of columns of digits, of which there are 64.
struct DigitTable {
  private let text: StaticString
  private let offsets: [Int]
  private let widths: [Int]
  private let rowWidth: Int

  /// - Parameter columns: the digits of each.
  init(_ text: StaticString, columns: [Int]) {
    self.text = text
    widths = columns
    offsets = columns.indices.map { columns[..<$0].reduce(0, +) }
    rowWidth = columns.reduce(0, +)
  }

  var count: Int { text.utf8CodeUnitCount / rowWidth }

  subscript(row: Int, column: Int) -> UInt32 {
    let start = row * rowWidth + offsets[column]
    var number: UInt32 = 0
    for place in start..<start + widths[column] {
      number = number << 6 | Self.digit(text.utf8Start[place])
    }
    return number
  }

  /// The last row whose first column is no more than `key`; nil where there is none.
  func row(for key: UInt32) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle, 0] <= key { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }

  private static func digit(_ byte: UInt8) -> UInt32 {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x5A: UInt32(byte - 0x41 + 10)
    case 0x61...0x7A: UInt32(byte - 0x61 + 36)
    case 0x2D: 62
    default: 63
    }
  }
}
