internal import News

/// What the first bytes of a document tell: its kind, its encoding, and where it begins.
struct DocumentHead {
  enum Kind { case empty, xml, json, html, unknown }

  private(set) var kind = Kind.unknown
  private(set) var encoding = TextEncoding.utf8
  /// Where the document begins behind a byte order mark and stray bytes.
  private(set) var start = 0
  /// The number of the line in which it begins.
  private(set) var firstLine = 1

  init(_ head: ArraySlice<UInt8>, contentType: MediaType) {
    let bytes = Array(head)
    bytes.withUnsafeBufferPointer { bytes in
      start = byteOrderMark(bytes)
      if start == 0 { encoding = declaredEncoding(bytes, contentType) }
      guard case .utf16 = encoding else {
        look(at: bytes, contentType)
        firstLine = 1 + bytes[..<start].count { $0 == 0x0A }
        return
      }
      var text: [UInt8] = []
      var decoder = TextDecoder(encoding)
      decoder.decode(ByteBuffer(rebasing: bytes[start...]), isLast: true, into: &text)
      let mark = start
      start = 0
      text.withUnsafeBufferPointer { look(at: $0, contentType) }
      firstLine = 1 + text[..<start].count { $0 == 0x0A }
      // ASCII stands before the root: two bytes a character.
      start = mark + start * 2
    }
  }

  /// Reads a byte order mark and returns its length.
  private mutating func byteOrderMark(_ bytes: ByteBuffer) -> Int {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return 3 }
    if bytes.starts(with: [0xFF, 0xFE]) {
      encoding = .utf16(isBigEndian: false)
      return 2
    }
    if bytes.starts(with: [0xFE, 0xFF]) {
      encoding = .utf16(isBigEndian: true)
      return 2
    }
    return 0
  }

  /// The encoding of a document without a byte order mark: what the media type says, else what the XML
  /// declaration says (RFC 7303 §3). Either one saying UTF-8 is enough, as that is read so that the
  /// old encodings come out right too.
  private func declaredEncoding(_ bytes: ByteBuffer, _ contentType: MediaType) -> TextEncoding {
    if bytes.count >= 2 {
      if bytes[0] == 0, bytes[1] != 0 { return .utf16(isBigEndian: true) }
      if bytes[0] != 0, bytes[1] == 0 { return .utf16(isBigEndian: false) }
    }
    // Here the bytes are no UTF-16, whatever they are called.
    let labels = [contentType.charset, xmlDeclaration(bytes)].compactMap { label in
      if case .utf16 = label { TextEncoding.utf8 } else { label }
    }
    return labels.contains(.utf8) ? .utf8 : labels.first ?? .utf8
  }

  private func xmlDeclaration(_ bytes: ByteBuffer) -> TextEncoding? {
    guard let start = find("<?xml", in: bytes),
      let end = bytes.firstIndex(of: 0x3E, from: start)
    else { return nil }
    var index = start
    while index < end, !bytes.hasWord("encoding", at: index) { index += 1 }
    index += 8
    while index < end, bytes[index].isASCIISpace || bytes[index] == 0x3D { index += 1 }
    guard index < end, bytes[index] == 0x22 || bytes[index] == 0x27,
      let close = bytes.firstIndex(of: bytes[index], from: index + 1), close < end
    else { return nil }
    return TextEncoding(label: bytes.string(index + 1..<close))
  }

  private mutating func look(at bytes: ByteBuffer, _ contentType: MediaType) {
    var first = start
    while first < bytes.count, bytes[first] <= 0x20 { first += 1 }
    guard first < bytes.count else {
      kind = .empty
      return
    }
    if bytes[first] == 0x7B || bytes[first] == 0x5B {
      kind = .json
      start = first
      return
    }
    if bytes.hasWord("<!doctype html", at: first) || bytes.hasWord("<html", at: first) {
      kind = .html
      // Some feeds are written into the frame of a page.
      if let root = rootBehindDoctype(bytes, from: first) {
        kind = .xml
        start = root
      }
      return
    }
    if let brace = startOfJSONFeed(bytes, from: first) {
      kind = .json
      start = brace
      return
    }
    // What a server's scripts print before the document is skipped; a comment of theirs may speak of
    // a feed.
    var from = first
    while bytes.hasWord("<!--", at: from), let end = endOfComment(in: bytes, from: from) {
      from = end
      while from < bytes.count, bytes[from].isASCIISpace { from += 1 }
    }
    if let root = Self.openings.lazy.compactMap({ find($0, in: bytes, from: from) }).min() {
      kind = .xml
      start = root
      return
    }
    if contentType.name.contains("html") || startsLikePage(bytes) {
      kind = .html
    } else if bytes[first] == 0x3C {
      kind = .xml
      start = first
    }
  }

  /// Where a feed's root stands right behind the document type of a page.
  private func rootBehindDoctype(_ bytes: ByteBuffer, from first: Int) -> Int? {
    guard bytes.hasWord("<!", at: first), let end = bytes.firstIndex(of: 0x3E, from: first) else {
      return nil
    }
    var root = end + 1
    while root < bytes.count, bytes[root].isASCIISpace { root += 1 }
    return (["<rss", "<feed", "<rdf:rdf"] as [StaticString])
      .contains { bytes.hasWord($0, at: root) } ? root : nil
  }

  /// Where a JSON Feed begins behind what a script printed before it, or behind the guard that some
  /// servers put before JSON.
  private func startOfJSONFeed(_ bytes: ByteBuffer, from first: Int) -> Int? {
    guard let brace = bytes.firstIndex(of: 0x7B, from: first) else { return nil }
    var next = brace + 1
    while next < bytes.count, bytes[next].isASCIISpace { next += 1 }
    guard next < bytes.count, bytes[next] == 0x22 else { return nil }
    var from = next
    while let slash = bytes.firstIndex(of: 0x2F, from: from) {
      if bytes.hasWord("/jsonfeed.org/version", at: slash) { return brace }
      from = slash + 1
    }
    return nil
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

private func endOfComment(in bytes: ByteBuffer, from start: Int) -> Int? {
  var from = start + 4
  while let dash = bytes.firstIndex(of: 0x2D, from: from) {
    if bytes.hasWord("-->", at: dash) { return dash + 3 }
    from = dash + 1
  }
  return nil
}

/// Where `word` occurs first, letters compared without case.
private func find(_ word: StaticString, in bytes: ByteBuffer, from start: Int = 0) -> Int? {
  var from = start
  while let index = bytes.firstIndex(of: 0x3C, from: from) {
    if bytes.hasWord(word, at: index) { return index }
    from = index + 1
  }
  return nil
}
