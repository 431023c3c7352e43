/// Walks over the tags of an HTML text, by the rules of HTML's tokenizer, in one pass over its bytes.
///
/// Never fails and never goes back: what is not a tag is text. Comments, declarations and the content
/// of elements whose content is no text (`script`, `style` and the like) belong to the tag they come
/// with.
package struct MarkupTokenizer {
  package struct Tag {
    package enum Kind { case open, close, other }
    package var kind: Kind
    /// Where its `<` is.
    package var start: Int
    /// Empty for `.other`.
    package var name: Range<Int>
    /// Between the name and the `>`.
    package var attributes: Range<Int>
    /// Where text goes on.
    package var end: Int
    /// Whether its end was there, rather than that of the text.
    package var isClosed: Bool
  }

  private let bytes: ByteBuffer
  private let skipsRawText: Bool
  private var position = 0
  /// Whether a comment may still end somewhere: one that did not has been looked for up to the end.
  private var commentsEnd = true

  /// - Parameter skipsRawText: whether the content of `script`, `style` and the like belongs to their tag.
  package init(_ bytes: ByteBuffer, skipsRawText: Bool = true) {
    self.bytes = bytes
    self.skipsRawText = skipsRawText
  }

  package mutating func move(to index: Int) { position = index }

  /// The next tag; nil at the end.
  package mutating func nextTag() -> Tag? {
    while let start = bytes.firstIndex(of: 0x3C, from: position) {
      guard start + 1 < bytes.count else { return nil }
      let byte = bytes[start + 1]
      if byte.isASCIILetter { return element(.open, at: start, nameStart: start + 1) }
      if byte == 0x21 || byte == 0x3F { return declaration(at: start) }
      if byte == 0x2F {
        if start + 2 < bytes.count, bytes[start + 2].isASCIILetter {
          return element(.close, at: start, nameStart: start + 2)
        }
        return other(start, upTo: closing(from: start + 2))
      }
      position = start + 1
    }
    return nil
  }

  private mutating func element(_ kind: Tag.Kind, at start: Int, nameStart: Int) -> Tag {
    var index = nameStart
    while index < bytes.count, !endsName(bytes[index]) { index += 1 }
    let name = nameStart..<index
    index = endOfAttributes(from: index)
    let attributes = name.upperBound..<index
    let isClosed = index < bytes.count
    position = min(index + 1, bytes.count)
    let closesItself = attributes.count > 0 && bytes[attributes.upperBound - 1] == 0x2F
    if skipsRawText, kind == .open, !closesItself, bytes.namesRawText(name) {
      skipContent(of: name)
    }
    return Tag(
      kind: kind, start: start, name: name, attributes: attributes, end: position,
      isClosed: isClosed)
  }

  /// Where the `>` is that ends a tag: one inside a quoted value does not. A quote opens a value only
  /// after `=`, so that a stray one does not swallow the text.
  private func endOfAttributes(from start: Int) -> Int {
    var index = start
    var endOfValue = start
    var afterEquals = false
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x3E { return index }
      if !afterEquals {
        afterEquals = byte == 0x3D && !beginsName(at: index, endOfValue)
      } else if byte == 0x22 || byte == 0x27 {
        guard let quote = bytes.firstIndex(of: byte, from: index + 1) else { return bytes.count }
        index = quote
        endOfValue = quote + 1
        afterEquals = false
      } else if !byte.isASCIISpace {
        // A value without quotes: what stands in it up to the next white space opens nothing.
        while index < bytes.count, bytes[index] != 0x3E, !bytes[index].isASCIISpace { index += 1 }
        endOfValue = index
        afterEquals = false
        continue
      }
      index += 1
    }
    return index
  }

  /// Whether the `=` at `index` is the first byte of an attribute's name (WHATWG HTML, "before attribute
  /// name state"): no name stands between it and the end of the last value.
  private func beginsName(at index: Int, _ endOfValue: Int) -> Bool {
    var before = index
    while before > endOfValue, bytes[before - 1].isASCIISpace { before -= 1 }
    return before == endOfValue || bytes[before - 1] == 0x2F
  }

  private mutating func declaration(at start: Int) -> Tag {
    if bytes.hasWord("<!--", at: start) {
      // `<!-->` and `<!--->` are comments too.
      var from = start + 4
      if from < bytes.count, bytes[from] == 0x3E { return other(start, upTo: from + 1) }
      while commentsEnd, let end = bytes.firstIndex(of: 0x3E, from: from) {
        if bytes[end - 1] == 0x2D, bytes[end - 2] == 0x2D { return other(start, upTo: end + 1) }
        from = end + 1
      }
      commentsEnd = false
      return other(start, upTo: bytes.count, isClosed: false)
    }
    // HTML knows no CDATA; feeds wrap their text in it twice. What it holds is text.
    if bytes.hasWord("<![cdata[", at: start) { return other(start, upTo: start + 9) }
    return other(start, upTo: closing(from: start + 2))
  }

  private func closing(from start: Int) -> Int {
    bytes.firstIndex(of: 0x3E, from: start).map { $0 + 1 } ?? bytes.count
  }

  private mutating func other(_ start: Int, upTo end: Int, isClosed: Bool = true) -> Tag {
    position = end
    return Tag(
      kind: .other, start: start, name: start..<start, attributes: end..<end, end: end,
      isClosed: isClosed)
  }

  private mutating func skipContent(of name: Range<Int>) {
    while let start = bytes.firstIndex(of: 0x3C, from: position) {
      position = start + 1
      guard position < bytes.count, bytes[position] == 0x2F,
        position + 1 + name.count <= bytes.count
      else { continue }
      let matches = name.indices.allSatisfy { index in
        let other = bytes[position + 1 + index - name.lowerBound]
        return other.asciiLowercased == bytes[index].asciiLowercased
      }
      if matches {
        position = start
        return
      }
    }
    position = bytes.count
  }
}

extension ByteBuffer {
  func namesRawText(_ name: Range<Int>) -> Bool {
    switch name.count {
    case 5: isWord("style", in: name)
    case 6: isWord("script", in: name) || isWord("iframe", in: name)
    case 7: isWord("noembed", in: name)
    case 8: isWord("noframes", in: name)
    default: false
    }
  }
}

package struct MarkupAttributes: Sequence, IteratorProtocol {
  package struct Attribute {
    package var name: Range<Int>
    /// Without its quotes; empty where there is no value.
    package var value: Range<Int>
    /// The value as it stands, with its quotes.
    package var quoted: Range<Int>
    package var hasValue = true
  }

  private let bytes: ByteBuffer
  private var index: Int
  private let end: Int

  package init(_ bytes: ByteBuffer, of tag: MarkupTokenizer.Tag) {
    self.bytes = bytes
    index = tag.attributes.lowerBound
    end = tag.attributes.upperBound
  }

  package mutating func next() -> Attribute? {
    while index < end, bytes[index].isASCIISpace || bytes[index] == 0x2F { index += 1 }
    guard index < end else { return nil }
    let nameStart = index
    // A name may begin with `=`.
    index += 1
    while index < end, bytes[index] != 0x3D, !endsName(bytes[index]) { index += 1 }
    let name = nameStart..<index
    skipSpace()
    guard index < end, bytes[index] == 0x3D else {
      return Attribute(name: name, value: index..<index, quoted: index..<index, hasValue: false)
    }
    index += 1
    skipSpace()
    let start = index
    if index < end, bytes[index] == 0x22 || bytes[index] == 0x27 {
      let stop = bytes.firstIndex(of: bytes[index], in: index + 1..<end) ?? end
      index = Swift.min(stop + 1, end)
      return Attribute(
        name: name, value: start + 1..<Swift.max(start + 1, stop), quoted: start..<index)
    }
    while index < end, !bytes[index].isASCIISpace { index += 1 }
    return Attribute(name: name, value: start..<index, quoted: start..<index)
  }

  private mutating func skipSpace() {
    while index < end, bytes[index].isASCIISpace { index += 1 }
  }
}

@inline(__always)
private func endsName(_ byte: UInt8) -> Bool {
  byte.isASCIISpace || byte == 0x2F || byte == 0x3E
}

package enum HTMLElements {
  /// Elements without content and end tag (WHATWG HTML, "void elements"), with `param`, which earlier
  /// versions have. In lower case.
  package static let void = named(
    "area base br col embed hr img input link meta param source track wbr")

  /// A set of names, which are separated by spaces.
  package static func named(_ names: String) -> Set<PackedName> {
    Set(names.split(separator: " ").map { PackedName($0) })
  }
}
