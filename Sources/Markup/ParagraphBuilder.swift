internal import Text

/// The inline content of one block, its white space collapsed as CSS does across elements
/// (CSS Text §4.1.1): of a run of white space one space stays, in the text where the run begins,
/// and none at the edges of a line.
struct ParagraphBuilder {
  private var inlines: [Inline] = []
  /// The text that is being put together, of one kind.
  private var text: [UInt8] = []
  private var traits: Traits = []
  private var link: Int?
  /// Whether white space that comes now is dropped.
  private var isAtSpace = true

  var isEmpty: Bool { inlines.isEmpty && text.isEmpty }

  var endsWithLineBreak: Bool { text.isEmpty && inlines.last == .lineBreak }

  mutating func append(_ added: String, _ traits: Traits, link: Int?) {
    if (traits, link) != (self.traits, self.link) {
      endText()
      (self.traits, self.link) = (traits, link)
    }
    var added = added
    added.withUTF8 { bytes in
      var index = 0
      while index < bytes.count {
        if bytes[index].isASCIISpace {
          if !isAtSpace { text.append(0x20) }
          isAtSpace = true
          index += 1
          continue
        }
        let start = index
        while index < bytes.count, !bytes[index].isASCIISpace { index += 1 }
        text.append(contentsOf: bytes[start..<index])
        isAtSpace = false
      }
    }
  }

  mutating func append(_ image: Image) {
    endText()
    inlines.append(.image(image))
    isAtSpace = false
  }

  /// Nothing at the beginning of a block, where a line break has no line to end.
  mutating func appendLineBreak() {
    trimEnd()
    guard !inlines.isEmpty else { return }
    inlines.append(.lineBreak)
    isAtSpace = true
  }

  /// Hands over what was built and begins again.
  mutating func finish() -> [Inline] {
    trimEnd()
    while inlines.last == .lineBreak {
      inlines.removeLast()
      trimEnd()
    }
    defer { self = ParagraphBuilder() }
    return inlines
  }

  private mutating func endText() {
    guard !text.isEmpty else { return }
    inlines.append(.text(String(decoding: text, as: UTF8.self), traits, link: link))
    text.removeAll(keepingCapacity: true)
  }

  /// Takes the space at the end of the line away, and with it a text that was nothing else.
  private mutating func trimEnd() {
    endText()
    guard isAtSpace, case .text(var last, let traits, let link) = inlines.last else { return }
    guard last.utf8.last == 0x20 else { return }
    inlines.removeLast()
    last.removeLast()
    if !last.isEmpty { inlines.append(.text(last, traits, link: link)) }
  }
}
