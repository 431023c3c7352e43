/// The string literals of a Swift source, those in interpolations among them.
struct SwiftLiterals {
  struct Literal {
    let line: Int
    /// With an object replacement character for each interpolation.
    let text: String
  }

  static func literals(in source: String) -> [Literal] {
    var reader = SwiftLiterals(bytes: Array(source.utf8))
    reader.readCode()
    return reader.literals.sorted { $0.line < $1.line }
  }

  private let bytes: [UInt8]
  private var place = 0
  private var line = 1
  private var literals: [Literal] = []

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private func hasPrefix(_ text: String) -> Bool { bytes[place...].starts(with: text.utf8) }

  private mutating func advance(by count: Int = 1) {
    for _ in 0..<count where place < bytes.count {
      if bytes[place] == UInt8(ascii: "\n") { line += 1 }
      place += 1
    }
  }

  private mutating func advance(past text: String) {
    while place < bytes.count, !hasPrefix(text) { advance() }
    advance(by: text.utf8.count)
  }

  /// Reads up to the parenthesis that closes an interpolation, or to the end.
  private mutating func readCode() {
    var depth = 0
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "/") where hasPrefix("//"): advance(past: "\n")
      case UInt8(ascii: "/") where hasPrefix("/*"): advance(past: "*/")
      case UInt8(ascii: "\""): readLiteral()
      case UInt8(ascii: "#") where hasPrefix("#\"") || hasPrefix("##\""): readLiteral()
      case let byte:
        advance()
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
        if depth < 0 { return }
      }
    }
  }

  private mutating func readLiteral() {
    let start = line
    let hashes = String(
      repeating: "#", count: bytes[place...].prefix { $0 == UInt8(ascii: "#") }.count)
    advance(by: hashes.count)
    let quotes = hasPrefix("\"\"\"") ? "\"\"\"" : "\""
    advance(by: quotes.count)
    var text: [UInt8] = []
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\"") where hasPrefix(quotes + hashes):
        advance(by: quotes.count + hashes.count)
        literals.append(Literal(line: start, text: String(decoding: text, as: UTF8.self)))
        return
      case UInt8(ascii: "\n") where quotes.count == 1:
        // It was a quote in a regular expression.
        return
      case UInt8(ascii: "\\") where hasPrefix("\\" + hashes + "("):
        advance(by: hashes.count + 2)
        readCode()
        text += "\u{FFFC}".utf8
      case UInt8(ascii: "\\") where hasPrefix("\\" + hashes):
        // No escape stands for a letter or a space.
        advance(by: hashes.count + 2)
      case let byte:
        text.append(byte)
        advance()
      }
    }
  }
}
