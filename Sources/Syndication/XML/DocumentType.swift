internal import Text

/// Document type declaration, of which internal entities are used (XML 1.0 §4.2).
struct DocumentType {
  /// In bytes.
  private static let limit = 256 << 10

  private var text: [UInt8] = []
  private var brackets = 0
  private var isInComment = false
  private var isInInstruction = false
  private var last: UInt32 = 0
  private var quote: UInt8?

  /// Returns the end of the declaration, or nil if it continues.
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
      // A tag: the declaration was not closed.
      if byte == 0x3C, quote == nil, index < bytes.count, bytes[index].isASCIILetter {
        return index - 1
      }
      // Outside brackets a missing quote must not hide the end.
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

  /// Internal entities, with numeric references decoded.
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

  /// Nil for parameter entities and external ones.
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

  /// Only references to characters are decoded in a declaration (XML 1.0 §4.5).
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
