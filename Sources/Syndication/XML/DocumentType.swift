internal import Text

/// Document type declaration. Only the internal entities that it declares are used (XML 1.0 §4.2).
/// Nothing that it names is loaded.
struct DocumentType {
  /// The largest number of bytes of a declaration that is read.
  private static let limit = 256 << 10

  private var text: [UInt8] = []
  private var brackets = 0
  private var isInComment = false
  private var isInInstruction = false
  /// The last four bytes, to recognise a comment.
  private var last: UInt32 = 0
  private var quote: UInt8?

  /// Takes the declaration's next bytes; returns where it ends, nil while it does not.
  mutating func read(_ bytes: ByteBuffer, from start: Int) -> Int? {
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if text.count < Self.limit { text.append(byte) }
      last = last << 8 | UInt32(byte)
      if isInComment {
        isInComment = last & 0xFF_FFFF != 0x2D_2D3E  // -->
        continue
      }
      if isInInstruction {
        isInInstruction = last & 0xFFFF != 0x3F3E  // ?>
        continue
      }
      if quote == nil, last & 0xFFFF == 0x3C3F {  // <?
        isInInstruction = true
        continue
      }
      if quote == nil, last == 0x3C21_2D2D {  // <!--
        isInComment = true
        continue
      }
      // A tag: the end of the declaration is missing.
      if byte == 0x3C, quote == nil, index < bytes.count, bytes[index].isASCIILetter {
        return index - 1
      }
      // The name of a document type holds no bracket: the quote that should close it is missing.
      if byte == 0x3E, brackets <= 0 { return index }
      if let open = quote {
        if byte == open { quote = nil }
        continue
      }
      switch byte {
      case 0x22, 0x27: quote = byte
      case 0x5B: brackets += 1
      case 0x5D: brackets -= 1
      default: break
      }
    }
    return nil
  }

  /// The entities that stand for a text: their names, and their texts with numeric references decoded.
  var entities: [(name: String, text: String)] {
    var found: [(name: String, text: String)] = []
    text.withUnsafeBufferPointer { bytes in
      var index = 0
      while let start = bytes.firstIndex(of: 0x3C, from: index) {
        index = start + 1
        if bytes.hasWord("<!--", at: start) {
          index = bytes.firstIndex(ofWord: "-->", from: start + 4).map { $0 + 3 } ?? bytes.count
          continue
        }
        guard bytes.hasWord("<!entity", at: start),
          let entity = entity(bytes, from: start + 8)
        else { continue }
        found.append((entity.name, entity.text))
        index = entity.end
      }
    }
    return found
  }

  /// The entity declared behind `<!ENTITY`; nil for parameter entities and external ones.
  private func entity(
    _ bytes: ByteBuffer, from start: Int
  ) -> (name: String, text: String, end: Int)? {
    let nameStart = bytes.firstNonSpace(from: start)
    var nameEnd = nameStart
    while nameEnd < bytes.count, XMLNames.contains(bytes[nameEnd]) { nameEnd += 1 }
    let open = bytes.firstNonSpace(from: nameEnd)
    guard nameStart > start, nameEnd > nameStart, open > nameEnd, open < bytes.count,
      bytes[open] == 0x22 || bytes[open] == 0x27,
      let close = bytes.firstIndex(of: bytes[open], from: open + 1)
    else { return nil }
    let value = ByteBuffer(rebasing: bytes[open + 1..<close])
    return (bytes.string(nameStart..<nameEnd), Self.decodingNumbers(in: value), close + 1)
  }

  /// References to characters are decoded where an entity is declared, those to entities where it is
  /// used (XML 1.0 §4.5).
  private static func decodingNumbers(in value: ByteBuffer) -> String {
    var output: [UInt8] = []
    var index = 0
    while index < value.count {
      guard value[index] == 0x26, index + 1 < value.count, value[index + 1] == 0x23,
        let (action, length) = XMLReference.action(value, at: index, isLast: true)
      else {
        output.append(value[index])
        index += 1
        continue
      }
      switch action {
      case .drop, .entity: break
      case .scalar(let scalar): output.append(scalar: scalar)
      case .escapeAmpersand: output.append(0x26)
      case .keep:
        if let scalar = XMLReference.scalar(value, at: index, length: length) {
          output.append(scalar: scalar)
        }
      }
      index += length
    }
    return String(decoding: output, as: UTF8.self)
  }
}
