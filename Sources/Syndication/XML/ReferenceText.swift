internal import Text

/// Resolver of references, those to entities of the document included.
struct ReferenceText {
  var entities = EntityTable()

  /// The text of an entity, without what a document may not hold.
  mutating func expansion(_ bytes: ByteBuffer, at index: Int, length: Int) -> String {
    let text = entities.expansion(of: bytes.string(index + 1..<index + length - 1))
    return PlainText.sanitizedBlock(text).filter { $0 != "\u{FFFE}" && $0 != "\u{FFFF}" }
  }

  /// Appends the value of an attribute: its references decoded, its white space spaces (XML 1.0 §3.3.3).
  ///
  /// - Parameter ampersand: is called with the place of one that begins no reference.
  mutating func appendValue(
    _ value: ByteBuffer, to output: inout [UInt8], ampersand: (Int) -> Void
  ) {
    var index = 0
    while index < value.count {
      let byte = value[index]
      switch byte {
      case 0x26:
        let (action, length) =
          XMLReference.action(value, at: index, isLast: true) ?? (.escapeAmpersand, 1)
        switch action {
        case .drop: break
        case .keep:
          if let scalar = XMLReference.scalar(value, at: index, length: length) {
            output.append(scalar: scalar)
          }
        case .scalar(let scalar): output.append(scalar: scalar)
        case .escapeAmpersand:
          ampersand(index)
          output.append(byte)
        case .entity:
          output.append(
            contentsOf: expansion(value, at: index, length: length).utf8.map {
              $0 == 0x09 || $0 == 0x0A ? 0x20 : $0
            })
        }
        index += length
        continue
      case 0x09, 0x0A: output.append(0x20)
      case 0x0D:
        // A line end of two characters is one.
        if index + 1 == value.count || value[index + 1] != 0x0A { output.append(0x20) }
      default:
        let length = value.lengthOfForbidden(at: index)
        if length > 0 {
          index = min(index + length, value.count)
          continue
        }
        output.append(byte)
      }
      index += 1
    }
  }
}
