internal import Text

/// Value of a JSON text (RFC 8259). A damaged text yields the values before the damage.
///
/// Accepts comments, wrong commas, single quotes, unquoted names, and words such as `NaN` as null.
enum JSONValue: Equatable {
  case null
  case bool(Bool)
  /// In the spelling of the text.
  case number(String)
  case string(String)
  case array([JSONValue])
  /// With the offset of its first byte.
  case object([String: JSONValue], at: Int)

  var string: String? { if case .string(let text) = self { text } else { nil } }
  var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }
  var object: [String: JSONValue]? {
    if case .object(let members, _) = self { members } else { nil }
  }

  struct Document {
    var value: JSONValue
    var isComplete: Bool
    /// First byte after the value and white space; nil at the end of the text.
    var tail: Int?
    /// First violation of the syntax.
    var firstFlaw: Int?
    /// First value beyond the depth limit.
    var firstDepth: Int?
  }

  static func parse(_ bytes: [UInt8]) -> Document { bytes.withUnsafeBufferPointer(parse) }

  static func parse(_ bytes: ByteBuffer) -> Document {
    var scanner = JSONScanner(bytes: bytes)
    let value = scanner.value(depth: 0)
    scanner.skipSpace()
    return Document(
      value: value, isComplete: !scanner.isBroken,
      tail: scanner.isBroken || scanner.isAtEnd ? nil : scanner.index,
      firstFlaw: scanner.firstFlaw, firstDepth: scanner.firstDepth)
  }
}

private struct JSONScanner {
  /// Deeper values are dropped.
  static let depthLimit = 256

  let bytes: ByteBuffer
  var index = 0
  var isBroken = false
  var firstFlaw: Int?
  var firstDepth: Int?
  private var scratch: [UInt8] = []

  init(bytes: ByteBuffer) { self.bytes = bytes }

  var isAtEnd: Bool { index >= bytes.count }

  mutating func skipSpace() {
    while index < bytes.count {
      if bytes[index].isASCIISpace {
        index += 1
      } else if bytes[index] == 0x23 || bytes.hasWord("//", at: index) {
        flaw()
        index = bytes.firstIndex(of: 0x0A, from: index) ?? bytes.count
      } else if bytes.hasWord("/*", at: index) {
        flaw()
        index += 2
        while index < bytes.count, !bytes.hasWord("*/", at: index) { index += 1 }
        index = min(index + 2, bytes.count)
      } else {
        return
      }
    }
  }

  mutating func value(depth: Int) -> JSONValue {
    skipSpace()
    guard index < bytes.count else { return broken() }
    switch bytes[index] {
    case 0x7B, 0x5B:
      guard depth <= Self.depthLimit else { return skipContainer() }
      return bytes[index] == 0x7B ? object(depth: depth) : array(depth: depth)
    case 0x22, 0x27: return .string(string())
    case 0x2D, 0x30...0x39: return number()
    case let byte where byte.isASCIILetter: return word()
    default: return broken()
    }
  }

  private mutating func broken() -> JSONValue {
    isBroken = true
    return .null
  }

  private mutating func flaw() { firstFlaw = firstFlaw ?? index }

  /// Also reads the words of JavaScript and Python as null.
  private mutating func word() -> JSONValue {
    let start = index
    while index < bytes.count, bytes[index].isASCIILetter { index += 1 }
    // A truncated word is ambiguous.
    guard !isAtEnd else { return broken() }
    switch bytes.string(start..<index) {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    default:
      firstFlaw = firstFlaw ?? start
      return .null
    }
  }

  private mutating func number() -> JSONValue {
    let start = index
    while index < bytes.count {
      let byte = bytes[index]
      guard
        byte.isASCIIDigit || byte == 0x2D || byte == 0x2B || byte == 0x2E || byte | 0x20 == 0x65
      else { break }
      index += 1
    }
    // A truncated number may lack digits.
    guard !isAtEnd else { return broken() }
    if index == start + 1, bytes[start] == 0x2D, bytes[index].isASCIILetter { return word() }
    return .number(bytes.string(start..<index))
  }

  private mutating func skipContainer() -> JSONValue {
    firstDepth = firstDepth ?? index
    var depth = 0
    while index < bytes.count {
      skipSpace()
      guard index < bytes.count else { break }
      switch bytes[index] {
      case 0x22, 0x27: _ = string()
      case 0x7B, 0x5B:
        depth += 1
        index += 1
      case 0x7D, 0x5D:
        depth -= 1
        index += 1
        if depth == 0 { return .null }
      default: index += 1
      }
    }
    return broken()
  }

  private mutating func array(depth: Int) -> JSONValue {
    index += 1
    var values: [JSONValue] = []
    while true {
      skipCommas()
      if skip(0x5D) { return .array(values) }
      let value = value(depth: depth + 1)
      // A truncated container keeps the values before its end; other truncated values are dropped.
      if !isBroken || value != .null { values.append(value) }
      if isBroken { return .array(values) }
      endValue()
    }
  }

  /// Members whose texts are useful if truncated, unlike addresses and ids.
  private static let texts: Set<String> = [
    "title", "description", "summary", "content_html", "content_text", "content:encoded",
  ]

  private mutating func object(depth: Int) -> JSONValue {
    let start = index
    index += 1
    var members: [String: JSONValue] = [:]
    while true {
      skipCommas()
      if skip(0x7D) { return .object(members, at: start) }
      let name = name()
      skipSpace()
      guard !isBroken, let name, skip(0x3A) else {
        isBroken = true
        return .object(members, at: start)
      }
      let value = value(depth: depth + 1)
      if isBroken {
        switch value {
        case .null: break
        case .string where !Self.texts.contains(name): break
        default: if members[name] == nil { members[name] = value }
        }
        return .object(members, at: start)
      }
      if members[name] == nil { members[name] = value }
      endValue()
    }
  }

  private mutating func name() -> String? {
    guard let first = peek else { return nil }
    if first == 0x22 || first == 0x27 { return string() }
    guard first.isASCIILetter || first == 0x5F || first == 0x24 else { return nil }
    flaw()
    let start = index
    while let byte = peek, byte.isASCIILetter || byte.isASCIIDigit || byte == 0x5F || byte == 0x24 {
      index += 1
    }
    return bytes.string(start..<index)
  }

  /// Skips superfluous commas.
  private mutating func skipCommas() {
    skipSpace()
    while peek == 0x2C {
      flaw()
      index += 1
      skipSpace()
    }
  }

  private mutating func endValue() {
    skipSpace()
    if skip(0x2C) {
      skipSpace()
      if peek == 0x5D || peek == 0x7D { flaw() }
    } else if let next = peek, next != 0x5D, next != 0x7D {
      flaw()
    }
  }

  private mutating func string() -> String {
    let mark = bytes[index]
    if mark != 0x22 { flaw() }
    index += 1
    let start = index
    if let quote = bytes.firstIndex(of: mark, from: start) {
      // Without escape sequences, the string ends at the first quotation mark.
      let run = ByteBuffer(rebasing: bytes[start..<quote])
      if run.firstIndex(of: 0x5C, from: 0) == nil {
        index = quote + 1
        return bytes.string(start..<quote)
      }
    }
    return escapedString(until: mark)
  }

  private mutating func escapedString(until mark: UInt8) -> String {
    scratch.removeAll(keepingCapacity: true)
    while index < bytes.count {
      let byte = bytes[index]
      if byte == mark {
        index += 1
        return String(decoding: scratch, as: UTF8.self)
      }
      index += 1
      guard byte == 0x5C else {
        scratch.append(byte)
        continue
      }
      guard let escape = peek else { break }
      index += 1
      switch escape {
      case 0x62: scratch.append(0x08)
      case 0x66: scratch.append(0x0C)
      case 0x6E: scratch.append(0x0A)
      case 0x72: scratch.append(0x0D)
      case 0x74: scratch.append(0x09)
      case 0x75:
        if bytes.count - index < 4 {
          index = bytes.count
        } else {
          scratch.append(scalar: unicodeEscape())
        }
      default: scratch.append(escape)
      }
    }
    isBroken = true
    return String(decoding: scratch, as: UTF8.self)
  }

  /// The character of `\u` with its surrogate pair; U+FFFD for an unpaired surrogate.
  private mutating func unicodeEscape() -> UInt32 {
    guard let high = hexQuad() else { return 0xFFFD }
    guard high & 0xFC00 == 0xD800 else { return high }
    let start = index
    if skip(0x5C), skip(0x75), let low = hexQuad(), low & 0xFC00 == 0xDC00 {
      return 0x10000 + ((high & 0x3FF) << 10 | low & 0x3FF)
    }
    index = start
    return 0xFFFD
  }

  private mutating func hexQuad() -> UInt32? {
    guard index + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for offset in 0..<4 {
      guard let digit = bytes[index + offset].hexValue else { return nil }
      value = value << 4 | digit
    }
    index += 4
    return value
  }

  private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skip(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    index += 1
    return true
  }
}
