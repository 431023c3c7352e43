internal import Text

/// Resolver of references, including those to entities.
struct ReferenceText {
  var entities = EntityTable()

  /// The text of an entity without forbidden characters.
  mutating func expansion(_ bytes: ByteBuffer, at index: Int, length: Int) -> String {
    let text = entities.expansion(of: bytes.string(index + 1..<index + length - 1))
    return PlainText.sanitizedBlock(text).filter { $0 != "\u{FFFE}" && $0 != "\u{FFFF}" }
  }

  /// Appends an attribute value with references decoded and white space normalised (XML 1.0
  /// §3.3.3).
  ///
  /// - Parameter ampersand: called with the index of an ampersand without a reference.
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
        // CR LF is one line break.
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
