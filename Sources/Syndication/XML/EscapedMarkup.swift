internal import Text

/// Distinguishes HTML that was escaped twice from a text about HTML.
enum EscapedMarkup {
  static func unescaped(_ bytes: ByteBuffer) -> [UInt8]? {
    let range = bytes.trimmed(0..<bytes.count)
    guard range.count > 8, bytes.hasWord("&lt;", at: range.lowerBound),
      bytes.hasWord("&gt;", at: range.upperBound - 4), bytes.firstIndex(of: 0x3C, from: 0) == nil
    else { return nil }
    let decoded = Array(CharacterReference.decoded(String(decoding: bytes, as: UTF8.self)).utf8)
    return decoded.withUnsafeBufferPointer(isMarkup) ? decoded : nil
  }

  /// Whether a text is HTML: balanced tags from start to end, with a block, a link or an image. A
  /// text about tags begins or ends with words, or does not close them.
  static func isMarkup(_ bytes: ByteBuffer) -> Bool {
    let range = bytes.trimmed(0..<bytes.count)
    var tokenizer = MarkupTokenizer(bytes)
    var balance = Balance()
    var isProven = false
    var end: Int?
    while let tag = tokenizer.nextTag() {
      if end == nil, tag.start != range.lowerBound { return false }
      end = tag.end
      // Office writes elements with a prefix.
      guard tag.kind != .other, !bytes[tag.name].contains(0x3A) else { continue }
      guard PlainText.isElement(bytes, tag.name) else { return false }
      let name = PackedName(bytes, tag.name, lowercased: true)
      if tag.kind == .open {
        if pointsSomewhere(tag, name, bytes) { isProven = true }
        balance.open(name)
      } else if balance.close(name), blocks.contains(name) {
        isProven = true
      }
    }
    return isProven && end == range.upperBound && balance.isFair
  }

  private struct Balance {
    private var open: [PackedName] = []
    private var tags = 0
    private var flaws = 0

    /// Maximum number of open elements that are compared with an end tag.
    private static let reach = 32

    mutating func open(_ name: PackedName) {
      tags += 1
      if !HTMLElements.void.contains(name) { open.append(name) }
    }

    /// Returns whether there is a start tag.
    mutating func close(_ name: PackedName) -> Bool {
      tags += 1
      guard let place = open.suffix(Self.reach).lastIndex(of: name) else {
        flaws += 1
        return false
      }
      flaws += open[(place + 1)...].count { !optionalEnds.contains($0) }
      open.removeSubrange(place...)
      return true
    }

    /// Less than a quarter of the tags is unbalanced, as in HTML written by hand.
    var isFair: Bool { (flaws + open.count { !optionalEnds.contains($0) }) * 4 < tags }
  }

  private static func pointsSomewhere(
    _ tag: MarkupTokenizer.Tag, _ name: PackedName, _ bytes: ByteBuffer
  ) -> Bool {
    let attribute: StaticString
    switch name {
    case PackedName("a"): attribute = "href"
    case PackedName("img"), PackedName("iframe"): attribute = "src"
    default: return false
    }
    return MarkupAttributes(bytes, of: tag).contains {
      bytes.isWord(attribute, in: $0.name) && !$0.value.isEmpty
    }
  }

  private static let blocks = HTMLElements.named(
    "article blockquote center div dl figure h1 h2 h3 h4 h5 h6 ol p pre section table ul")
  /// WHATWG HTML, "Optional tags".
  private static let optionalEnds = HTMLElements.named(
    "dd dt li option p tbody td tfoot th thead tr")
}
