extension PlainText {
  /// The text of an HTML body in one line: without tags, comments, scripts and styles, with its
  /// character references decoded, sanitised. For previews and the search index.
  ///
  /// Takes time and memory in proportion to the shorter of the body and the limit (tags that yield
  /// no text excepted: those are walked over), whatever the markup looks like.
  ///
  /// - Parameter limit: the most UTF-8 bytes of the result, which is cut between characters' scalars.
  package static func stripped(html: String, limit: Int = .max) -> String {
    html.withBytes { stripped(bytes: $0, limit: limit) }
  }

  package static func stripped(bytes: ByteBuffer, limit: Int = .max) -> String {
    strip(bytes, limit: limit, onlyKnownTags: false)
  }

  /// A title that may hold HTML, as plain text. Unlike in a body, only what HTML knows is taken for
  /// a tag, so that `List<String>` keeps its meaning, and a lone `<div>` is what the title speaks of.
  package static func title(html: String) -> String {
    html.withBytes { title(bytes: $0) }
  }

  /// `title(html:)` for bytes that are no string yet.
  ///
  /// - Parameter isDeclared: whether its type says that it is HTML. Then the elements that HTML does not
  ///   know are taken out too, where they are plainly meant as such: they have attributes or an end tag,
  ///   or lie within an image or a formula.
  package static func title(bytes: ByteBuffer, isDeclared: Bool = false) -> String {
    if bytes.firstIndex(of: 0x3C, from: 0) == nil, bytes.firstIndex(of: 0x26, from: 0) == nil {
      return sanitized(bytes: bytes)
    }
    return strip(bytes, limit: .max, onlyKnownTags: true, isDeclared: isDeclared)
  }

  /// Whether HTML has an element of that name, in upper or lower case.
  package static func isElement(_ bytes: ByteBuffer, _ name: Range<Int>) -> Bool {
    let name = PackedName(bytes, name, lowercased: true)
    return inlineElements.contains(name) || blockElements.contains(name)
  }
}

private func strip(
  _ bytes: ByteBuffer, limit: Int, onlyKnownTags: Bool, isDeclared: Bool = false
) -> String {
  guard !bytes.isEmpty, limit > 0 else { return "" }
  // A reference is at least as long as its character in UTF-8, so that the text is never longer than the
  // markup; one scalar may exceed the limit before it is cut.
  let text = [UInt8](unsafeUninitializedCapacity: min(bytes.count, limit) + 16) { output, count in
    var writer = LineWriter(output: output, limit: min(limit, bytes.count))
    var tokenizer = MarkupTokenizer(bytes, skipsRawText: !onlyKnownTags)
    var position = 0
    var spokenOf = onlyKnownTags ? tagsSpokenOf(in: bytes)[...] : []
    let strange = isDeclared ? strangeTags(in: bytes) : []
    while !writer.isFull, let tag = tokenizer.nextTag() {
      let isSpokenOf = tag.start == spokenOf.first
      if isSpokenOf { spokenOf.removeFirst() }
      if onlyKnownTags, isSpokenOf || !isKnown(tag, in: bytes), !strange.contains(tag.start) {
        writer.write(bytes, position..<tag.end)
      } else {
        writer.write(bytes, position..<tag.start)
        if tag.kind != .other, !isInline(tag.name, in: bytes) { writer.spaceIsDue = true }
      }
      position = tag.end
    }
    if !writer.isFull { writer.write(bytes, position..<bytes.count) }
    count = writer.finish()
  }
  let line = text.withUnsafeBufferPointer { PlainText.sanitized(collapsed: $0) }
  // A letter in the place of a control character takes one byte more.
  return line.utf8.count > limit ? cut(line, to: limit) : line
}

private func cut(_ text: String, to limit: Int) -> String {
  var room = limit
  let fitting = text.unicodeScalars.prefix { scalar in
    room -= UTF8.width(scalar)
    return room >= 0
  }
  return PlainText.sanitized(String(String.UnicodeScalarView(fitting)))
}

/// Collects text with its white space collapsed, in memory that is large enough for all of it.
private struct LineWriter {
  let output: UnsafeMutableBufferPointer<UInt8>
  let limit: Int
  var spaceIsDue = false
  private var count = 0

  init(output: UnsafeMutableBufferPointer<UInt8>, limit: Int) {
    self.output = output
    self.limit = limit
  }

  var isFull: Bool { count >= limit }

  mutating func write(_ bytes: ByteBuffer, _ range: Range<Int>) {
    // Local copies: the compiler could not keep them in registers otherwise.
    var count = count
    var spaceIsDue = spaceIsDue
    @inline(__always) func put(_ byte: UInt8) {
      if spaceIsDue {
        spaceIsDue = false
        if count > 0 {
          output[count] = 0x20
          count += 1
        }
      }
      output[count] = byte
      count += 1
    }
    var index = range.lowerBound
    while index < range.upperBound, count < limit {
      let byte = bytes[index]
      if byte > 0x26, byte != 0xC2 {
        put(byte)
        index += 1
      } else if byte.isASCIISpace {
        spaceIsDue = true
        index += 1
      } else if byte == 0x26, let (scalar, length) = CharacterReference.decode(bytes, at: index) {
        index += length
        if isSpace(scalar) {
          spaceIsDue = true
        } else if scalar > 0x20 {
          // References to other control characters are dropped.
          for byte in UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}")! { put(byte) }
        }
      } else if byte == 0xC2, index + 1 < range.upperBound, bytes[index + 1] == 0xA0 {
        // A no-break space counts as a space: the text is not laid out.
        spaceIsDue = true
        index += 2
      } else {
        put(byte)
        index += 1
      }
    }
    self.count = count
    self.spaceIsDue = spaceIsDue
  }

  /// The length of what was written, cut to the limit between two scalars.
  func finish() -> Int {
    guard count >= limit else { return count }
    var end = min(count, limit)
    // The byte at `end` may have been written only if it fits; step back over a scalar's rest.
    while end > 0, end < count, output[end] & 0xC0 == 0x80 { end -= 1 }
    return end == count ? endOfLastScalar() : end
  }

  /// `count`, or where the last scalar begins if not all of it was written.
  private func endOfLastScalar() -> Int {
    var start = count - 1
    while start > 0, output[start] & 0xC0 == 0x80 { start -= 1 }
    guard start >= 0 else { return 0 }
    let length =
      switch output[start] {
      case 0xC0..<0xE0: 2
      case 0xE0..<0xF0: 3
      case 0xF0...0xFF: 4
      default: 1
      }
    return start + length > count ? start : count
  }

  private func isSpace(_ scalar: UInt32) -> Bool {
    scalar == 0x20 || scalar == 0xA0 || (scalar >= 0x09 && scalar <= 0x0D)
  }
}

// MARK: - Elements

private func isInline(_ name: Range<Int>, in bytes: ByteBuffer) -> Bool {
  inlineElements.contains(PackedName(bytes, name, lowercased: true))
}

private func isKnown(_ tag: MarkupTokenizer.Tag, in bytes: ByteBuffer) -> Bool {
  // Of declarations only comments count as markup: a title may mention `<?php`.
  guard tag.kind != .other else { return bytes.hasWord("<!--", at: tag.start) }
  // `A<b and c>d` is no tag: attributes without values do not count.
  let attributes = bytes.trimmed(tag.attributes)
  if tag.kind == .open, !attributes.isEmpty, !bytes[attributes].contains(0x3D),
    !bytes[attributes].elementsEqual([0x2F])
  {
    return false
  }
  return !spokenOfElements.contains(PackedName(bytes, tag.name, lowercased: true))
    && PlainText.isElement(bytes, tag.name)
}

/// The places of start tags in a title that are text: without attributes, and without the end tag that
/// HTML requires.
private func tagsSpokenOf(in bytes: ByteBuffer) -> [Int] {
  var tokenizer = MarkupTokenizer(bytes, skipsRawText: false)
  var open: [PackedName: [(start: Int, hasAttributes: Bool)]] = [:]
  while let tag = tokenizer.nextTag() {
    let name = PackedName(bytes, tag.name, lowercased: true)
    switch tag.kind {
    case .open where isKnown(tag, in: bytes) && !elementsOftenUnclosed.contains(name):
      open[name, default: []].append((tag.start, bytes[tag.attributes].contains(0x3D)))
    case .close: _ = open[name]?.popLast()
    case .open, .other: break
    }
  }
  return open.values.joined().filter { !$0.hasAttributes }.map(\.start).sorted()
}

/// The places of tags of unknown elements that are markup all the same, such as `<blink>…</blink>`,
/// `<x-icon name="star">` and everything within an image.
private func strangeTags(in bytes: ByteBuffer) -> Set<Int> {
  var tokenizer = MarkupTokenizer(bytes, skipsRawText: false)
  var strange: Set<Int> = []
  var open: [PackedName: [Int]] = [:]
  var drawing: (name: PackedName, start: Int)?
  var inDrawing: [Int] = []
  while let tag = tokenizer.nextTag() {
    let name = PackedName(bytes, tag.name, lowercased: true)
    if let drawn = drawing {
      inDrawing.append(tag.start)
      if tag.kind == .close, name == drawn.name {
        strange.formUnion(inDrawing)
        drawing = nil
      }
    } else if tag.kind == .open, drawings.contains(name) {
      drawing = (name, tag.start)
      inDrawing = []
    }
    guard tag.kind != .other, !spokenOfElements.contains(name),
      !PlainText.isElement(bytes, tag.name)
    else { continue }
    if tag.kind == .close {
      guard let start = open[name]?.popLast() else { continue }
      strange.insert(start)
      strange.insert(tag.start)
    } else {
      if bytes[tag.attributes].contains(0x3D) { strange.insert(tag.start) }
      open[name, default: []].append(tag.start)
    }
  }
  return strange
}

/// Elements that contain elements of another language (SVG, MathML).
private let drawings = HTMLElements.named("svg math")

/// Elements without an end tag, those that may leave it out (WHATWG HTML, "Optional tags"), and those
/// that titles are written with: where the end of one of these is missing, the title was cut.
private let elementsOftenUnclosed = HTMLElements.void.union(
  HTMLElements.named(
    "caption colgroup dd dt li p rp rt tbody td tfoot th thead tr"
      + " b big em font i nobr s small span strike strong sub sup tt u" + mathematics))

/// Elements that titles mention, but never use.
private let spokenOfElements = HTMLElements.named(
  "script style template title head body html iframe noscript noembed noframes meta link base input"
    + " form select option textarea button")

/// Inline elements, which do not separate the words around them.
private let inlineElements = HTMLElements.named(
  "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rp rt ruby"
    + " s samp small span strike strong sub sup time tt u var wbr" + mathematics)

/// MathML Core, which journals put into titles.
private let mathematics =
  " annotation math mfrac mi mn mo mover mroot mrow ms mspace msqrt mstyle msub msubsup msup mtext"
  + " munder munderover semantics"

/// The rest of what HTML knows; in a body, any element that is not inline counts as one of these.
private let blockElements = HTMLElements.named(
  "address area article aside audio base basefont blockquote body br button canvas caption center col"
    + " colgroup datalist dd details dialog dir div dl dt embed fieldset figcaption figure footer form"
    + " frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input legend li link"
    + " main map menu meta meter nav noembed noframes noscript object ol optgroup option output p"
    + " param picture pre progress script search section select slot source style summary svg table"
    + " tbody td template textarea tfoot th thead title tr track ul video")
