internal import News

/// A JSON text (RFC 8259), read as far as it goes: a text that is cut or broken yields what came before.
enum JSONValue: Equatable {
  case null
  case bool(Bool)
  /// As it is written.
  case number(String)
  case string(String)
  case array([JSONValue])
  /// With the byte that it begins at.
  case object([String: JSONValue], at: Int)

  /// - Returns: the value, and whether the text was complete and sound.
  static func parse(_ bytes: ByteBuffer) -> (value: JSONValue, isComplete: Bool) {
    var scanner = JSONScanner(bytes: bytes)
    let value = scanner.value(depth: 0)
    scanner.skipSpace()
    return (value, !scanner.isBroken && scanner.isAtEnd)
  }
}

private struct JSONScanner {
  /// Values nested deeper than this break the text off.
  static let depthLimit = 256

  let bytes: ByteBuffer
  var index = 0
  var isBroken = false
  private var scratch: [UInt8] = []

  init(bytes: ByteBuffer) { self.bytes = bytes }

  var isAtEnd: Bool { index >= bytes.count }

  mutating func skipSpace() {
    while index < bytes.count, bytes[index].isASCIISpace { index += 1 }
  }

  mutating func value(depth: Int) -> JSONValue {
    skipSpace()
    guard index < bytes.count, depth <= Self.depthLimit else { return broken() }
    switch bytes[index] {
    case 0x7B: return object(depth: depth)
    case 0x5B: return array(depth: depth)
    case 0x22: return .string(string())
    case 0x74 where bytes.hasWord("true", at: index): return literal(.bool(true), 4)
    case 0x66 where bytes.hasWord("false", at: index): return literal(.bool(false), 5)
    case 0x6E where bytes.hasWord("null", at: index): return literal(.null, 4)
    case 0x2D, 0x30...0x39: return number()
    default: return broken()
    }
  }

  private mutating func broken() -> JSONValue {
    isBroken = true
    return .null
  }

  private mutating func literal(_ value: JSONValue, _ length: Int) -> JSONValue {
    index += length
    return value
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
    return .number(bytes.string(start..<index))
  }

  private mutating func array(depth: Int) -> JSONValue {
    index += 1
    var values: [JSONValue] = []
    while true {
      skipSpace()
      if skip(0x5D) { return .array(values) }
      let value = value(depth: depth + 1)
      // A container that broke off holds what came before; anything else that broke is nothing.
      if !isBroken || value != .null { values.append(value) }
      skipSpace()
      if isBroken { return .array(values) }
      // A comma too many is forgiven, one missing is not.
      guard skip(0x2C) || peek == 0x5D else {
        isBroken = true
        return .array(values)
      }
    }
  }

  private mutating func object(depth: Int) -> JSONValue {
    let start = index
    index += 1
    var members: [String: JSONValue] = [:]
    while true {
      skipSpace()
      if skip(0x7D) { return .object(members, at: start) }
      guard peek == 0x22 else {
        isBroken = true
        return .object(members, at: start)
      }
      let name = string()
      skipSpace()
      guard !isBroken, skip(0x3A) else {
        isBroken = true
        return .object(members, at: start)
      }
      let value = value(depth: depth + 1)
      if !isBroken || value != .null, members[name] == nil { members[name] = value }
      skipSpace()
      if isBroken { return .object(members, at: start) }
      guard skip(0x2C) || peek == 0x7D else {
        isBroken = true
        return .object(members, at: start)
      }
    }
  }

  private mutating func string() -> String {
    index += 1
    let start = index
    guard let quote = bytes.firstIndex(of: 0x22, from: start) else {
      isBroken = true
      index = bytes.count
      return bytes.string(start..<index)
    }
    // Without an escape before it, the first quote ends the string.
    let run = ByteBuffer(rebasing: bytes[start..<quote])
    if run.firstIndex(of: 0x5C, from: 0) == nil {
      index = quote + 1
      return bytes.string(start..<quote)
    }
    return escapedString()
  }

  private mutating func escapedString() -> String {
    scratch.removeAll(keepingCapacity: true)
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x22 {
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
      case 0x75: scratch.append(scalar: unicodeEscape())
      default: scratch.append(escape)
      }
    }
    isBroken = true
    return String(decoding: scratch, as: UTF8.self)
  }

  /// What stands behind `\u`, with the second half of a surrogate pair; U+FFFD for half a pair.
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
