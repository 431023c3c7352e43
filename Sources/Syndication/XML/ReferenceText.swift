internal import Text

/// What references stand for, those to entities of the document included, written as XML has them.
struct ReferenceText {
  var entities = EntityTable()

  /// Writes what a reference comes to.
  mutating func append(
    _ action: XMLReference.Action, _ bytes: ByteBuffer, at index: Int, length: Int,
    to output: inout RepairOutput
  ) {
    switch action {
    case .keep, .drop: break
    case .escapeAmpersand: output.put("&amp;")
    case .entity:
      for byte in expansion(bytes, at: index, length: length).utf8 {
        if byte == 0x22 {
          output.put("&quot;")
        } else {
          BodyText.appendEscaped(byte, to: &output.ready)
        }
      }
    case .scalar(let value) where value < 0x80: output.ready.append(contentsOf: "&#\(value);".utf8)
    case .scalar(let value): output.ready.append(scalar: value)
    }
  }

  /// The text of an entity, fit for XML.
  mutating func expansion(_ bytes: ByteBuffer, at index: Int, length: Int) -> String {
    let text = entities.expansion(of: bytes.string(index + 1..<index + length - 1))
    return PlainText.sanitizedBlock(text).filter { $0 != "\u{FFFE}" && $0 != "\u{FFFF}" }
  }

  /// Writes the value of an attribute as XML has it.
  mutating func appendValue(_ value: ByteBuffer, to output: inout RepairOutput) {
    var index = 0
    while index < value.count {
      switch value[index] {
      case 0x26:
        let (action, length) =
          XMLReference.action(value, at: index, isLast: true) ?? (.escapeAmpersand, 1)
        if case .keep = action { output.ready.append(contentsOf: value[index..<index + length]) }
        append(action, value, at: index, length: length, to: &output)
        index += length
        continue
      case 0x22: output.put("&quot;")
      case 0x3C: output.put("&lt;")
      default:
        let length = value.lengthOfForbidden(at: index)
        if length > 0 {
          index = min(index + length, value.count)
          continue
        }
        output.ready.append(value[index])
      }
      index += 1
    }
  }
}
