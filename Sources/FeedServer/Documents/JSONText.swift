/// A JSON value to be written. Keys keep their order, so that an answer reads as the spec shows it.
enum JSONText: Sendable {
  case null
  case bool(Bool)
  case number(Int64)
  case string(String)
  case array([JSONText])
  case object([(String, JSONText)])

  /// Null for nil: in the Feed API absent values are null.
  static func optional(_ text: String?) -> JSONText { text.map { .string($0) } ?? .null }

  static func strings(_ texts: [String]) -> JSONText { .array(texts.map { .string($0) }) }

  var bytes: [UInt8] {
    var out: [UInt8] = []
    write(to: &out)
    out.append(10)
    return out
  }

  private func write(to out: inout [UInt8]) {
    switch self {
    case .null: out += "null".utf8
    case .bool(let value): out += (value ? "true" : "false").utf8
    case .number(let value): out += String(value).utf8
    case .string(let value): Self.write(value, to: &out)
    case .array(let values):
      out.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { out.append(UInt8(ascii: ",")) }
        value.write(to: &out)
      }
      out.append(UInt8(ascii: "]"))
    case .object(let members):
      out.append(UInt8(ascii: "{"))
      for (index, (key, value)) in members.enumerated() {
        if index > 0 { out.append(UInt8(ascii: ",")) }
        Self.write(key, to: &out)
        out.append(UInt8(ascii: ":"))
        value.write(to: &out)
      }
      out.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ text: String, to out: inout [UInt8]) {
    out.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): out += [UInt8(ascii: "\\"), byte]
      case 10: out += "\\n".utf8
      case 0..<32: out += ("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)).utf8
      default: out.append(byte)
      }
    }
    out.append(UInt8(ascii: "\""))
  }
}
