/// Rewrites HTML so that a tree builder cannot be made to suffer by it.
///
/// The output has only the tags of `HTMLTag`, each start tag has its end tag, and no more than
/// `deepest` elements are open at once. Gumbo needs time in proportion to the open elements for each
/// token (100,000 nested elements: 12 s), copies unclosed formatting elements into every later
/// paragraph, and frees its tree recursively. What is nested deeper stays as flat text.
///
/// Well-formed HTML comes out as it was, less comments and the attributes that nobody reads.
struct HTMLNormalizer {
  static let deepest = 512
  /// Tags beyond this number are left out, their text kept: a bound on the memory of the tree.
  static let mostElements = 200_000
  /// The same, each tag counted as often as elements are open: gumbo looks at all of them for each.
  static let mostOpenElements = 20_000_000
  /// An attribute longer than this is left out.
  static let longestAttribute = 16 << 10

  /// - Returns: UTF-8, and what of the document's structure it had to leave out.
  static func normalize(_ html: String) -> (html: [UInt8], losses: Set<Loss>) {
    var html = html
    return html.withUTF8 { bytes in
      var normalizer = HTMLNormalizer(input: bytes)
      return (normalizer.run(), normalizer.losses)
    }
  }

  /// Why text stands flat that was marked up.
  enum Loss {
    case nesting, elements
  }

  private let input: UnsafeBufferPointer<UInt8>
  private var position = 0
  private var output: [UInt8] = []
  private var open: [HTMLTag] = []
  private var openCounts = [Int](repeating: 0, count: HTMLTag.allCases.count)
  /// Elements that are open in the input and were left out for being too deep.
  private var flattened = 0
  private var elements = 0
  private var openElements = 0
  private var losses: Set<Loss> = []
  /// Where the texts that were looked for come next; `Int.max` for nowhere.
  private var occurrences: [String: Int] = [:]

  private init(input: UnsafeBufferPointer<UInt8>) {
    self.input = input
    output.reserveCapacity(input.count + input.count / 8)
  }

  private mutating func run() -> [UInt8] {
    while position < input.count {
      copyText()
      guard position < input.count else { break }
      readMarkup()
    }
    while !open.isEmpty { closeInnermost() }
    return output
  }

  private mutating func copyText() {
    let start = position
    while position < input.count, input[position] != UInt8(ascii: "<") { position += 1 }
    output.append(contentsOf: input[start..<position])
  }

  /// Reads what a "<" begins (WHATWG HTML §13.2.5.6, tag open state).
  private mutating func readMarkup() {
    let next = byte(at: position + 1)
    if next.isASCIILetter {
      readStartTag()
    } else if next == UInt8(ascii: "/"), byte(at: position + 2).isASCIILetter {
      readEndTag()
    } else if input[position...].starts(with: "<!--".utf8) {
      skipComment()
    } else if input[position...].starts(with: "<![CDATA[".utf8) {
      // Left over from a feed's XML. What it wraps is text for the reader.
      position += 9
    } else if next == UInt8(ascii: "!") || next == UInt8(ascii: "?") || next == UInt8(ascii: "/") {
      position = index(of: UInt8(ascii: ">"), from: position) + 1
    } else {
      output.append(contentsOf: "&lt;".utf8)
      position += 1
    }
  }

  private mutating func skipComment() {
    // "<!-->" and "<!--->" are whole comments. One without an end is taken for a stray "<!--".
    if let end = find("-->", from: position + 2) {
      position = end + 3
    } else {
      position += 4
    }
  }

  private mutating func readStartTag() {
    position += 1
    let name = readName()
    let attributes = readAttributes()
    guard let tag = HTMLTag(name: name) else { return }
    if tag.isDropped {
      skipContent(of: tag)
      return
    }
    if tag.isMedia, find("</" + tag.name, from: position) == nil { return }
    if tag.isBlock { close(.p, within: \.isScope) }
    closeImpliedEnds(before: tag)
    let isTooDeep = open.count >= HTMLNormalizer.deepest
    guard !isTooDeep, elements < HTMLNormalizer.mostElements,
      openElements < HTMLNormalizer.mostOpenElements
    else {
      losses.insert(isTooDeep ? .nesting : .elements)
      if !tag.isVoid { flattened += 1 }
      // Words on either side stay apart.
      output.append(0x20)
      return
    }
    elements += 1
    openElements += open.count
    output.append(UInt8(ascii: "<"))
    output.append(contentsOf: tag.name.utf8)
    output.append(contentsOf: attributes)
    output.append(UInt8(ascii: ">"))
    if tag.isVoid { return }
    open.append(tag)
    openCounts[tag.rawValue] += 1
    if tag == .iframe { skipContent(of: tag) }
  }

  private mutating func readEndTag() {
    position += 2
    let name = readName()
    _ = readAttributes()
    guard let tag = HTMLTag(name: name), !tag.isVoid, !tag.isDropped else { return }
    if flattened > 0 {
      flattened -= 1
      output.append(0x20)
      return
    }
    if tag.isHeading, openCounts[tag.rawValue] == 0 {
      // `<h2>…</h3>`: the end tag of any heading ends the one that is open.
      for heading in HTMLTag.allCases where heading.isHeading { close(heading, within: \.isScope) }
    } else if tag.isBlock || tag.isTablePart || tag == .object {
      close(tag) { $0.isBarrier(forEndOf: tag) }
    } else {
      // `<b><p>…</b>`: an inline end tag does not end the blocks inside its element.
      closeInline(tag)
    }
  }

  /// The elements whose end tags may be left out (WHATWG HTML §13.1.2.4).
  private mutating func closeImpliedEnds(before tag: HTMLTag) {
    switch tag {
    case .li: close(.li) { $0.isScope || $0.isList }
    case .dt, .dd:
      close(.dt) { $0.isScope || $0 == .dl }
      close(.dd) { $0.isScope || $0 == .dl }
    case .td, .th:
      close(.td) { $0 == .table || $0 == .tr }
      close(.th) { $0 == .table || $0 == .tr }
    case .tr: close(.tr) { $0 == .table }
    case .thead, .tbody, .tfoot:
      close(.thead) { $0 == .table }
      close(.tbody) { $0 == .table }
      close(.tfoot) { $0 == .table }
    case .a: close(.a) { $0.isScope || $0.isBlock }
    case .rt: close(.rt) { $0 == .ruby || $0.isScope }
    default: break
    }
  }

  /// Ends the innermost `tag` and all that is open inside it, unless a barrier lies between.
  private mutating func close(_ tag: HTMLTag, within isBarrier: (HTMLTag) -> Bool) {
    guard openCounts[tag.rawValue] > 0 else { return }
    guard let index = open.lastIndex(where: { $0 == tag || isBarrier($0) }), open[index] == tag
    else { return }
    while open.count > index { closeInnermost() }
  }

  private mutating func closeInline(_ tag: HTMLTag) {
    guard let index = open.lastIndex(where: { $0 == tag || $0.isScope }), open[index] == tag
    else { return }
    if open[index...].contains(where: \.isBlock) {
      open.remove(at: index)
      openCounts[tag.rawValue] -= 1
      writeEnd(tag)
    } else {
      while open.count > index { closeInnermost() }
    }
  }

  private mutating func closeInnermost() {
    let tag = open.removeLast()
    openCounts[tag.rawValue] -= 1
    writeEnd(tag)
  }

  private mutating func writeEnd(_ tag: HTMLTag) {
    output.append(contentsOf: "</".utf8)
    output.append(contentsOf: tag.name.utf8)
    output.append(UInt8(ascii: ">"))
  }

  /// Goes to the end tag of an element whose content is not read.
  private mutating func skipContent(of tag: HTMLTag) {
    if let end = find("</" + tag.name, from: position) {
      position = end
      if tag.isDropped { position = index(of: UInt8(ascii: ">"), from: position) + 1 }
    } else if tag == .script || tag == .style {
      // As a browser does. Code is nothing to read.
      position = input.count
    }
  }
}

// MARK: - Tokens

extension HTMLNormalizer {
  private mutating func readName() -> Slice<UnsafeBufferPointer<UInt8>> {
    let start = position
    while position < input.count, !input[position].isHTMLSpace,
      input[position] != UInt8(ascii: "/"), input[position] != UInt8(ascii: ">")
    {
      position += 1
    }
    return input[start..<position]
  }

  /// Reads to the end of a tag (WHATWG HTML §13.2.5.32 and following).
  ///
  /// - Returns: The attributes that somebody reads, quoted.
  private mutating func readAttributes() -> [UInt8] {
    var kept: [UInt8] = []
    var names: [Slice<UnsafeBufferPointer<UInt8>>] = []
    while position < input.count, input[position] != UInt8(ascii: ">") {
      if input[position].isHTMLSpace || input[position] == UInt8(ascii: "/") {
        position += 1
        continue
      }
      let start = position
      // A "=" in front belongs to the name.
      position += 1
      while position < input.count, !input[position].isHTMLSpace,
        input[position] != UInt8(ascii: "/"), input[position] != UInt8(ascii: ">"),
        input[position] != UInt8(ascii: "=")
      {
        position += 1
      }
      let name = input[start..<position]
      let value = readValue()
      guard let value, value.count <= HTMLNormalizer.longestAttribute,
        attributeNames.contains(where: { equal(name, $0) }),
        !names.contains(where: { $0.elementsEqual(name) })
      else { continue }
      let hasDouble = value.contains(UInt8(ascii: "\""))
      guard !hasDouble || !value.contains(UInt8(ascii: "'")) else { continue }
      names.append(name)
      let quote = hasDouble ? UInt8(ascii: "'") : UInt8(ascii: "\"")
      kept.append(0x20)
      kept.append(contentsOf: name)
      kept.append(UInt8(ascii: "="))
      kept.append(quote)
      kept.append(contentsOf: value)
      kept.append(quote)
    }
    position = min(position + 1, input.count)
    return kept
  }

  private mutating func readValue() -> Slice<UnsafeBufferPointer<UInt8>>? {
    var next = position
    while byte(at: next).isHTMLSpace { next += 1 }
    guard byte(at: next) == UInt8(ascii: "=") else { return nil }
    position = next + 1
    while byte(at: position).isHTMLSpace { position += 1 }
    let first = byte(at: position)
    let start: Int
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
      start = position + 1
      position = index(of: first, from: start)
      defer { position = min(position + 1, input.count) }
      return input[start..<position]
    }
    start = position
    while position < input.count, !input[position].isHTMLSpace,
      input[position] != UInt8(ascii: ">")
    {
      position += 1
    }
    return input[start..<position]
  }

  /// 0 beyond the end.
  private func byte(at index: Int) -> UInt8 { index < input.count ? input[index] : 0 }

  /// The end of the input if there is none.
  private func index(of byte: UInt8, from start: Int) -> Int {
    var index = min(start, input.count)
    while index < input.count, input[index] != byte { index += 1 }
    return index
  }

  /// Where `text`, in lower case, begins, whatever its case there. No stretch of the input is
  /// searched twice for the same text.
  private mutating func find(_ text: String, from start: Int) -> Int? {
    if let known = occurrences[text], known >= start { return known == .max ? nil : known }
    let wanted = Array(text.utf8)
    var index = start
    while index + wanted.count <= input.count {
      index = self.index(of: wanted[0], from: index)
      guard index + wanted.count <= input.count else { break }
      if equal(input[index..<index + wanted.count], wanted) {
        occurrences[text] = index
        return index
      }
      index += 1
    }
    occurrences[text] = .max
    return nil
  }

  private func equal(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ wanted: [UInt8]) -> Bool {
    bytes.count == wanted.count && zip(bytes, wanted).allSatisfy { $0.lowercasedASCII == $1 }
  }
}

private let attributeNames = [
  "href", "src", "alt", "start", "width", "height", "srcset", "data", "data-src",
  "data-original",
].map { Array($0.utf8) }

extension HTMLTag {
  fileprivate var isList: Bool { self == .ul || self == .ol || self == .menu || self == .dir }

  /// Where the search for the element that an end tag ends must stop.
  fileprivate func isBarrier(forEndOf tag: HTMLTag) -> Bool {
    switch tag {
    case .caption, .td, .th, .tr, .thead, .tbody, .tfoot: self == .table
    case .table: false
    case .li: isScope || isList
    default: isScope
    }
  }

  fileprivate var isTablePart: Bool {
    switch self {
    case .caption, .tbody, .td, .tfoot, .th, .thead, .tr: true
    default: false
    }
  }
}
