internal import Text

/// Kind, encoding and beginning of a document, judging by its first bytes.
struct DocumentHead {
  enum Kind { case empty, xml, json, html, unknown }

  private(set) var kind = Kind.unknown
  /// Whether more bytes may show another kind: the document begins with an unknown tag.
  private(set) var isGuess = false
  private(set) var encoding = EncodingClaims()
  /// Offset after a byte order mark and stray bytes.
  private(set) var start = 0
  private(set) var firstLine = 1

  init(_ head: ArraySlice<UInt8>, contentType: MediaType) {
    let bytes = Array(head)
    bytes.withUnsafeBufferPointer { bytes in
      readShownEncoding(bytes)
      let width = encoding.shown?.unitWidth ?? 1
      guard width > 1 else {
        if start == 0 { readClaims(bytes, contentType) }
        encoding.language = language(bytes)
        look(at: bytes, contentType)
        firstLine = 1 + bytes[..<start].count { $0 == 0x0A }
        return
      }
      var text: [UInt8] = []
      var decoder = TextDecoder(encoding)
      decoder.decode(ByteBuffer(rebasing: bytes[start...]), isLast: true, into: &text)
      let mark = start
      start = 0
      text.withUnsafeBufferPointer {
        if mark == 0 { readClaims($0, contentType) }
        look(at: $0, contentType)
      }
      firstLine = 1 + text[..<start].count { $0 == 0x0A }
      start = min(bytes.count, mark + length(of: text[..<start], unitWidth: width))
    }
  }

  /// Number of bytes of the original encoding.
  private func length(of text: ArraySlice<UInt8>, unitWidth: Int) -> Int {
    text.reduce(0) { sum, byte in
      if byte & 0xC0 == 0x80 { return sum }
      // Two units beyond the basic plane.
      return sum + (byte >= 0xF0 && unitWidth == 2 ? 4 : unitWidth)
    }
  }

  /// Whether there are zeros, but neither UTF-16 nor UTF-32.
  static func holdsStrayZeros(_ head: ArraySlice<UInt8>) -> Bool {
    head.withUnsafeBufferPointer { bytes in
      bytes.firstIndex(of: 0, from: 0) != nil
        && !byteOrderMarks.contains { bytes.starts(with: $0.bytes) }
        && !wideEncodings.contains { isASCII(bytes, in: $0) }
    }
  }

  /// Recognises a byte order mark, or zeros of UTF-16 and UTF-32 (XML 1.0, Appendix F).
  private mutating func readShownEncoding(_ bytes: ByteBuffer) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      start = 3
      // It overrules the declaration and the media type.
      encoding.first = EncodingClaims.Claim(source: .document, label: "UTF-8", encoding: .utf8)
      return
    }
    for mark in Self.byteOrderMarks where bytes.starts(with: mark.bytes) {
      encoding.shown = mark.encoding
      encoding.hasMark = true
      start = mark.bytes.count
      return
    }
    encoding.shown = Self.wideEncodings.first { Self.isASCII(bytes, in: $0) }
  }

  private static let wideEncodings: [TextEncoding] = [
    .utf32(isBigEndian: true), .utf32(isBigEndian: false),
    .utf16(isBigEndian: true), .utf16(isBigEndian: false),
  ]

  /// Whether the first characters, up to eight, are ASCII with two or four bytes each.
  private static func isASCII(_ bytes: ByteBuffer, in encoding: TextEncoding) -> Bool {
    let width = encoding.unitWidth
    let isBigEndian =
      switch encoding {
      case .utf16(let isBigEndian), .utf32(let isBigEndian): isBigEndian
      default: false
      }
    let count = min(8, bytes.count / width)
    return count > 0
      && (0..<count * width).allSatisfy { index in
        let isLetter = index % width == (isBigEndian ? width - 1 : 0)
        return isLetter ? (1..<0x80).contains(bytes[index]) : bytes[index] == 0
      }
  }

  /// The UTF-32 mark begins with the UTF-16 mark.
  private static let byteOrderMarks: [(bytes: [UInt8], encoding: TextEncoding)] = [
    ([0xFF, 0xFE, 0, 0], .utf32(isBigEndian: false)),
    ([0, 0, 0xFE, 0xFF], .utf32(isBigEndian: true)),
    ([0xFF, 0xFE], .utf16(isBigEndian: false)),
    ([0xFE, 0xFF], .utf16(isBigEndian: true)),
  ]

  /// Encodings of the media type and the XML declaration (RFC 7303 §3). `text/xml` without a
  /// charset is not ASCII, as in RFC 3023, which servers never followed.
  private mutating func readClaims(_ bytes: ByteBuffer, _ contentType: MediaType) {
    let claims = [
      contentType.charset.flatMap { claim(.server, $0) },
      xmlDeclaration(bytes).flatMap { claim(.document, $0) },
    ].compactMap { $0 }
    encoding.first = claims.first
    encoding.second = claims.count > 1 ? claims[1] : nil
  }

  private func claim(
    _ source: EncodingClaims.Claim.Source, _ label: String
  ) -> EncodingClaims.Claim? {
    let shown = String(PlainText.sanitized(label).prefix(40))
    guard !shown.isEmpty else { return nil }
    return EncodingClaims.Claim(
      source: source, label: shown, encoding: TextEncoding(label: label))
  }

  private func xmlDeclaration(_ bytes: ByteBuffer) -> String? {
    guard let start = bytes.firstIndex(ofWord: "<?xml"),
      let end = bytes.firstIndex(of: 0x3E, from: start)
    else { return nil }
    var index = start
    while index < end, !bytes.hasWord("encoding", at: index) { index += 1 }
    index += 8
    while index < end, bytes[index].isASCIISpace || bytes[index] == 0x3D { index += 1 }
    guard index < end, bytes[index] == 0x22 || bytes[index] == 0x27,
      let close = bytes.firstIndex(of: bytes[index], from: index + 1), close < end
    else { return nil }
    return bytes.string(index + 1..<close)
  }

  /// `<language>`, `xml:lang`, or JSON Feed's `language`.
  private func language(_ bytes: ByteBuffer) -> String? {
    var index = 0
    while let next = bytes.firstIndex(of: 0x6C, from: index) {
      index = next + 1
      guard bytes.hasWord("lang", at: next) else { continue }
      var first = next + (bytes.hasWord("language", at: next) ? 8 : 4)
      // Between name and value, in all three forms.
      while first < bytes.count,
        bytes[first].isASCIISpace || [0x22, 0x27, 0x3A, 0x3D, 0x3E].contains(bytes[first])
      {
        first += 1
      }
      var end = first
      while end < bytes.count, bytes[end].isASCIILetter { end += 1 }
      if end - first == 2 { return bytes.string(first..<end).lowercased() }
    }
    return nil
  }

  private mutating func look(at bytes: ByteBuffer, _ contentType: MediaType) {
    var first = start
    while first < bytes.count {
      // Concatenated files have marks in the middle.
      let isMark = bytes[first...].starts(with: [0xEF, 0xBB, 0xBF])
      guard isMark || bytes[first] <= 0x20 else { break }
      first += isMark ? 3 : 1
    }
    guard first < bytes.count else { return kind = .empty }
    if bytes[first] == 0x7B || bytes[first] == 0x5B { return (kind, start) = (.json, first) }
    if bytes.hasWord("<!doctype html", at: first) || bytes.hasWord("<html", at: first) {
      kind = .html
      // Some feeds are wrapped in the HTML of a page.
      if let root = wrappedRoot(bytes, from: first) { (kind, start) = (.xml, root) }
      return
    }
    // Skips output of scripts before the document; their comments may mention a feed.
    var from = first
    while bytes.hasWord("<!--", at: from), let end = bytes.firstIndex(ofWord: "-->", from: from + 4)
    {
      from = bytes.firstNonSpace(from: end + 3)
    }
    if let root = Self.openings.lazy.compactMap({ bytes.firstIndex(ofWord: $0, from: from) }).min()
    {
      return (kind, start) = (.xml, root)
    }
    if let brace = startOfJSONFeed(bytes, from: first) { return (kind, start) = (.json, brace) }
    if contentType.name.contains("html") || startsLikePage(bytes) {
      kind = .html
    } else if bytes[first] == 0x3C {
      (kind, start, isGuess) = (.xml, first, true)
    }
  }

  /// The root of a feed in a page: after the document type, or with a version or namespace.
  private func wrappedRoot(_ bytes: ByteBuffer, from first: Int) -> Int? {
    if bytes.hasWord("<!", at: first), let end = bytes.firstIndex(of: 0x3E, from: first) {
      let root = bytes.firstNonSpace(from: end + 1)
      if Self.roots.contains(where: { bytes.hasWord($0, at: root) }) { return root }
    }
    for name in Self.roots {
      guard let root = bytes.firstIndex(ofWord: name, from: first),
        let end = bytes.firstIndex(of: 0x3E, from: root)
      else { continue }
      let tag = bytes.string(root..<end).lowercased()
      let isRoot = tag.contains(" version=") || tag.contains(" xmlns")
      if isRoot, isWrapping(ByteBuffer(rebasing: bytes[first..<root])) { return root }
    }
    return nil
  }

  /// Whether only elements precede that scripts and servers put around any text.
  private func isWrapping(_ head: ByteBuffer) -> Bool {
    var tokenizer = MarkupTokenizer(head)
    while let tag = tokenizer.nextTag() {
      guard tag.kind == .open else { continue }
      let name = head.string(tag.name).lowercased()
      guard Self.wrappings.contains(name) else { return false }
    }
    return true
  }

  private static let roots: [StaticString] = ["<rss", "<feed", "<rdf:rdf"]
  private static let wrappings: Set = [
    "html", "head", "meta", "title", "link", "style", "script", "body", "center", "div", "span",
    "pre", "p", "br", "hr", "b",
  ]

  /// The start of a JSON Feed after output of a script, or after a guard against script inclusion.
  private func startOfJSONFeed(_ bytes: ByteBuffer, from first: Int) -> Int? {
    // Warnings of scripts begin like this; other elements may mention JSON Feed.
    let warnings: [StaticString] = ["<br", "<b>", "<p>"]
    guard bytes[first] != 0x3C || warnings.contains(where: { bytes.hasWord($0, at: first) }),
      let brace = bytes.firstIndex(of: 0x7B, from: first)
    else { return nil }
    let next = bytes.firstNonSpace(from: brace + 1)
    guard next < bytes.count, bytes[next] == 0x22,
      bytes.firstIndex(ofWord: "/jsonfeed.org/version", from: next) != nil
    else { return nil }
    return brace
  }

  private static let openings: [StaticString] = ["<?xml", "<rss", "<feed", "<rdf:rdf", "<!doctype"]

  private func startsLikePage(_ bytes: ByteBuffer) -> Bool {
    var tokenizer = MarkupTokenizer(bytes)
    while let tag = tokenizer.nextTag() {
      guard tag.kind == .open else { continue }
      return ["head", "body", "meta", "title", "div", "p", "script", "center", "h1", "table"]
        .contains(bytes.string(tag.name).lowercased())
    }
    return false
  }
}
