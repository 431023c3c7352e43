/// The places of headings, keys and values in a valid TOML text, in bytes.
struct TOMLLines {
  struct Heading {
    let path: [String]
    /// Written as `[[name]]`.
    let isArray: Bool
    /// The beginning of its line, and that of the next one.
    let start, end: Int
    /// Its line, from 1.
    let number: Int
  }

  struct Assignment {
    /// That of the heading above.
    let table: [String]
    /// With the table.
    let path: [String]
    /// Not in a list of tables.
    let isPlain: Bool
    let isInlineTable: Bool
    let indent: String
    let value: Range<Int>
    /// All of its lines, with the end of the last.
    let lines: Range<Int>
    let number: Int
  }

  /// A comment such as `# mouse = true`.
  struct Example {
    let path: [String]
    let end: Int
    let number: Int
  }

  static let lineFeed: UInt8 = 0x0A

  let bytes: [UInt8]
  private(set) var headings: [Heading] = []
  private(set) var assignments: [Assignment] = []
  private(set) var examples: [Example] = []
  /// As the file has it.
  let newline: String
  private var at = 0
  /// Of the line that is read, from 1; of the last one at the end.
  private(set) var line = 1

  init(_ text: String) {
    bytes = Array(text.utf8)
    let end = bytes.firstIndex(of: Self.lineFeed) ?? 0
    newline = end > 0 && bytes[end - 1] == 0x0D ? "\r\n" : "\n"
    // A byte order mark.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
    var table: [String] = []
    var (isPlain, hasExamples) = (true, true)
    while at < bytes.count {
      let (start, number) = (at, line)
      skipBlanks()
      let first = at
      switch byte {
      case nil, 0x0A, 0x0D: break
      case UInt8(ascii: "#"):
        at += 1
        skipBlanks()
        // What follows may be meant for this table.
        if byte == UInt8(ascii: "[") { hasExamples = false }
        let name = at
        while let byte, Self.isBare(byte) { at += 1 }
        let key = String(decoding: bytes[name..<at], as: UTF8.self)
        skipBlanks()
        if byte == UInt8(ascii: "="), !key.isEmpty, isPlain, hasExamples {
          skipLine()
          examples.append(Example(path: table + [key], end: at, number: number))
          continue
        }
      case UInt8(ascii: "["):
        at += 1
        let isArray = byte == UInt8(ascii: "[")
        if isArray { at += 1 }
        table = scanKey() ?? []
        skipLine()
        let lists = headings.filter(\.isArray).map(\.path) + (isArray ? [table] : [])
        hasExamples = true
        isPlain = !lists.contains { table.starts(with: $0) }
        headings.append(
          Heading(path: table, isArray: isArray, start: start, end: at, number: number))
        continue
      default:
        let key = scanKey() ?? []
        at = min(at + 1, bytes.count)
        skipBlanks()
        let value = at
        let isInlineTable = byte == UInt8(ascii: "{")
        skipValue()
        let end = at
        skipLine()
        assignments.append(
          Assignment(
            table: table, path: table + key, isPlain: isPlain, isInlineTable: isInlineTable,
            indent: String(decoding: bytes[start..<first], as: UTF8.self),
            value: value..<end, lines: start..<at, number: number))
        continue
      }
      skipLine()
    }
  }

  static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }

  // MARK: Scanning

  private var byte: UInt8? { at < bytes.count ? bytes[at] : nil }

  private mutating func skipBlanks() {
    while byte == 0x20 || byte == 0x09 { at += 1 }
  }

  private mutating func skipLine() {
    while let byte, byte != Self.lineFeed { at += 1 }
    guard at < bytes.count else { return }
    at += 1
    line += 1
  }

  /// The names of a dotted key, and the blanks behind it; nil where there is none.
  private mutating func scanKey() -> [String]? {
    var names: [String] = []
    while true {
      skipBlanks()
      let start = at
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        skipText()
        guard at - start >= 2 else { return nil }
        let isRaw = bytes[start] == UInt8(ascii: "'")
        names.append(Self.unescaped(bytes[start + 1..<at - 1], isRaw: isRaw))
      } else {
        while let byte, Self.isBare(byte) { at += 1 }
        guard at > start else { return nil }
        names.append(String(decoding: bytes[start..<at], as: UTF8.self))
      }
      skipBlanks()
      guard byte == UInt8(ascii: ".") else { return names }
      at += 1
    }
  }

  /// A key with any other escape than that of quotes and backslashes is not found.
  private static func unescaped(_ bytes: ArraySlice<UInt8>, isRaw: Bool) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    return isRaw ? text : text.replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
  }

  private mutating func skipValue() {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): skipText()
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      at += 1
      while let byte {
        switch byte {
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
          at += 1
          return
        case UInt8(ascii: "#"), Self.lineFeed: skipLine()
        case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "\""), UInt8(ascii: "'"):
          skipValue()
        default: at += 1
        }
      }
    default:
      let start = at
      while let byte, byte != Self.lineFeed, byte != UInt8(ascii: "#") { at += 1 }
      while at > start, [0x20, 0x09, 0x0D].contains(bytes[at - 1]) { at -= 1 }
    }
  }

  /// Skips a text of any of the four kinds.
  private mutating func skipText() {
    let quote = bytes[at]
    let isRaw = quote == UInt8(ascii: "'")
    let isLong = bytes[at...].prefix(3).elementsEqual([quote, quote, quote])
    at += isLong ? 3 : 1
    while let byte {
      if byte == Self.lineFeed { line += 1 }
      if byte == UInt8(ascii: "\\"), !isRaw {
        // The end of a line may be escaped.
        at += 1
        if self.byte == Self.lineFeed { line += 1 }
        at += 1
        continue
      }
      guard byte == quote else {
        at += 1
        continue
      }
      guard isLong else {
        at += 1
        return
      }
      let run = bytes[at...].prefix { $0 == quote }.count
      at += run
      // One or two quotes more belong to the text.
      if run >= 3 { return }
    }
    at = min(at, bytes.count)
  }
}
