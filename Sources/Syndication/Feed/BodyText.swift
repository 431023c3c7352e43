internal import Text

enum BodyText {
  static func isBlank(_ text: ByteBuffer) -> Bool {
    var index = 0
    while index < text.count {
      let length = lengthOfSpace(text, at: index)
      if length == 0 { return false }
      index += length
    }
    return true
  }

  /// Whether a text consists of base64, in one word or in lines.
  static func isBase64(_ text: ByteBuffer) -> Bool {
    let range = text.trimmed(0..<text.count)
    return range.count >= 16
      && text[range].allSatisfy { byte in
        byte.isASCIILetter || byte.isASCIIDigit || byte == 0x2B || byte == 0x2F || byte == 0x3D
          || byte == 0x0A || byte == 0x0D || byte == 0x09
      }
  }

  /// Whether an HTML text has neither words nor media.
  static func showsNothing(_ html: ByteBuffer) -> Bool { isWordless(html) && !showsMedia(html) }

  static func isWordless(_ html: ByteBuffer) -> Bool {
    var tokenizer = MarkupTokenizer(html)
    var place = 0
    while true {
      let tag = tokenizer.nextTag()
      let end = tag?.start ?? html.count
      while place < end {
        let length = lengthOfSpace(html, at: place)
        if length == 0 { return false }
        place += length
      }
      guard let tag else { return true }
      place = max(place, tag.end)
    }
  }

  static func showsMedia(_ html: ByteBuffer) -> Bool {
    var tokenizer = MarkupTokenizer(html)
    while let tag = tokenizer.nextTag() {
      if tag.kind == .open, shownElements.contains(PackedName(html, tag.name, lowercased: true)) {
        return true
      }
    }
    return false
  }

  private static let shownElements: Set<PackedName> = [
    "img", "video", "audio", "iframe", "embed", "object", "svg", "picture", "math", "canvas",
  ].map { PackedName($0) }.reduce(into: []) { $0.insert($1) }

  /// Length of the white space or no-break space at `index`; 0 for none.
  private static func lengthOfSpace(_ text: ByteBuffer, at index: Int) -> Int {
    let byte = text[index]
    if byte.isASCIISpace { return 1 }
    if byte == 0xC2, index + 1 < text.count, text[index + 1] == 0xA0 { return 2 }
    guard byte == 0x26, let found = CharacterReference.decode(text, at: index),
      found.scalar == 0xA0 || found.scalar == 0x20 || found.scalar == 0x0A
    else { return 0 }
    return found.length
  }

  static func closesTag(_ text: ByteBuffer) -> Bool {
    var from = 0
    while let bracket = text.firstIndex(of: 0x3C, from: from), bracket + 2 < text.count {
      if text[bracket + 1] == 0x2F, text[bracket + 2].isASCIILetter { return true }
      from = bracket + 1
    }
    return false
  }

  /// Whether a text has an empty line or list items.
  static func hasParts(_ text: ByteBuffer) -> Bool {
    var lineEnds = 0
    for (index, byte) in text.enumerated() {
      if byte == 0x0A {
        lineEnds += 1
        if lineEnds > 1 { return true }
      } else if !byte.isASCIISpace {
        if lineEnds > 0, startsItem(text, at: index) { return true }
        lineEnds = 0
      }
    }
    return false
  }

  /// Whether a line begins like a list item in plain text.
  private static func startsItem(_ text: ByteBuffer, at index: Int) -> Bool {
    itemMarks.contains { text.hasWord($0, at: index) }
  }

  private static let itemMarks: [StaticString] = ["* ", "- ", "+ ", "• ", "– ", "— ", "· "]

  /// Turns blank lines into paragraphs and line ends into breaks.
  ///
  /// - Parameter areEscaped: whether the text is HTML without tags. As that may be wrapped
  ///   anywhere, only blank lines and list items count.
  static func paragraphs(_ text: String, areEscaped: Bool = false) -> String {
    var output: [UInt8] = Array("<p>".utf8)
    output.reserveCapacity(text.utf8.count + 16)
    text.withBytes { text in
      var lineEnds = 0
      for (index, byte) in text.enumerated() {
        if byte == 0x0A {
          lineEnds += 1
          continue
        }
        if byte == 0x20 || byte == 0x09, lineEnds > 0 { continue }
        if lineEnds > 0 {
          let lineEnd = areEscaped && !startsItem(text, at: index) ? "\n" : "<br>"
          output.append(contentsOf: (lineEnds > 1 ? "</p><p>" : lineEnd).utf8)
          lineEnds = 0
        }
        if areEscaped {
          output.append(byte)
        } else {
          appendEscaped(byte, to: &output)
        }
      }
    }
    output.append(contentsOf: "</p>".utf8)
    return String(decoding: output, as: UTF8.self)
  }

  @inline(__always)
  static func appendEscaped(_ byte: UInt8, to output: inout [UInt8]) {
    switch byte {
    case 0x26: output.append(contentsOf: "&amp;".utf8)
    case 0x3C: output.append(contentsOf: "&lt;".utf8)
    case 0x3E: output.append(contentsOf: "&gt;".utf8)
    default: output.append(byte)
    }
  }
}
