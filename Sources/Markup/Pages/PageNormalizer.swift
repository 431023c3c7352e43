internal import Text

/// Rewrites a whole page for gumbo, as `HTMLNormalizer` does for the body of an article and for the same reasons, but
/// keeps all elements and attributes, which selectors name.
///
/// Each start tag has its end tag, and no more than `HTMLNormalizer.deepest` elements are open at once; what is nested
/// deeper stays as flat text. Scripts, styles, drawings and forms' texts are left out with what is in them.
struct PageNormalizer {
  /// Parts of a page that only the extraction of an article needs.
  struct Extras {
    /// The texts of scripts of type `application/ld+json`, at most `mostLinkedData` bytes in all.
    var linkedData: [[UInt8]] = []
    /// Where the page sends its readers at once, as it stands there: by an element, or by a script.
    var refresh: String?
    var scriptedRefresh: String?
  }

  static let mostLinkedData = 1 << 20
  /// The most attributes of an element: gumbo compares each with all.
  private static let mostAttributes = 64
  private static let longestName = 64

  /// - Parameters:
  ///   - html: in UTF-8, as is the result.
  ///   - isForExtraction: whether formulas (MathML), frames without their content, and what `<noscript>` and templates
  ///     have that nothing else shows, in elements named `noscript-copy` and `template-copy`, are kept too.
  static func normalize(
    _ html: [UInt8], isForExtraction: Bool
  ) -> (html: [UInt8], extras: Extras?) {
    html.withUnsafeBufferPointer { bytes in
      var normalizer = PageNormalizer(input: bytes)
      if isForExtraction { normalizer.extras = Extras() }
      let html = normalizer.run()
      return (html, normalizer.extras)
    }
  }

  static let noscriptCopy = "noscript-copy"
  /// Content that a script may show later.
  static let templateCopy = "template-copy"

  private struct Opened {
    var name: [UInt8]
    var tag: HTMLTag?
  }

  private let input: ByteBuffer
  private var tokenizer: MarkupTokenizer
  private var search: TextSearch
  private var position = 0
  private var output: [UInt8] = []
  private var open: [Opened] = []
  /// Elements that are open in the input and were left out for being too deep.
  private var flattened = 0
  private var elements = 0
  private var openElements = 0
  private var extras: Extras?
  /// Where the content of a `<noscript>` or template ends that is read, and the name of the element that has it.
  private var copy = (end: -1, name: "")
  /// Made for the first of these that has text.
  private var alternativeText: AlternativeText?

  private init(input: ByteBuffer) {
    self.input = input
    tokenizer = MarkupTokenizer(input, skipsRawText: false)
    search = TextSearch(input)
    output.reserveCapacity(input.count + input.count / 8)
  }

  private mutating func run() -> [UInt8] {
    while let token = tokenizer.nextTag() {
      copyText(upTo: token.start)
      position = token.end
      switch token.kind {
      case .open: readStartTag(token)
      case .close: readEndTag(token)
      case .other:
        // A comment without an end is taken for a stray "<!--".
        if !token.isClosed, input.hasWord("<!--", at: token.start) { move(to: token.start + 4) }
      }
    }
    copyText(upTo: input.count)
    while !open.isEmpty { closeInnermost() }
    return output
  }

  /// Copies what stands before a tag. A "<" in it begins none.
  private mutating func copyText(upTo end: Int) {
    while position < end, let sign = input.firstIndex(of: UInt8(ascii: "<"), in: position..<end) {
      output.append(contentsOf: input[position..<sign])
      output.append(contentsOf: "&lt;".utf8)
      position = sign + 1
    }
    if position < end { output.append(contentsOf: input[position..<end]) }
    position = max(position, end)
  }

  private mutating func readStartTag(_ token: MarkupTokenizer.Tag) {
    guard let name = name(of: token) else { return }
    let text = String(decoding: name, as: UTF8.self)
    switch text {
    // Gumbo puts those where they belong, and ends them.
    case "html", "head", "body":
      writeStart(name, token)
      return
    case "title":
      writeStart(name, token)
      copyText(upTo: end(of: text) ?? position)
      write(endOf: name)
      return skipContent(of: text)
    case "plaintext", "xmp", "listing", "isindex", "frameset", "frame", "nobr": return
    case "script" where extras != nil: return readScript(token)
    case "noscript" where extras != nil, "template" where extras != nil:
      return readAlternative(in: text)
    case "iframe" where extras != nil && end(of: text) != nil:
      // Its content is for browsers without frames.
      writeStart(name, token)
      write(endOf: name)
      return skipContent(of: text)
    case "math" where extras != nil: break
    case "embed" where extras != nil:
      if let address = token.value("src", in: input) { writeFrame(of: address) }
      return
    case "object" where extras != nil:
      guard let address = token.value("data", in: input) else { return }
      writeFrame(of: address)
      return skipContent(of: text)
    case "meta" where extras != nil: noteRefresh(token)
    case "svg" where extras != nil:
      if let label = DrawingLabel.label(of: token, in: input, upTo: end(of: text) ?? position) {
        output.append(contentsOf: "<span>\(HTMLPage.escaped(label))</span>".utf8)
      }
      return skipContent(of: text)
    case "script", "style", "template", "noscript", "svg", "math", "noembed", "noframes",
      "textarea", "select", "iframe", "object", "applet":
      return skipContent(of: text)
    default: break
    }
    if extras != nil,
      let address = EmbeddedPage.address(ofElement: text, value: { token.value($0, in: input) })
    {
      writeFrame(of: address)
      return skipContent(of: text)
    }
    if text == "a" || text == "span", let address = ProtectedAddress.address(input, of: token),
      let end = end(of: text)
    {
      output.append(
        contentsOf: ProtectedAddress.shown(address, for: input[position..<end]).utf8)
      return skipContent(of: text)
    }
    let tag = HTMLTag(name: name)
    if tag?.isBlock == true { close("p") { $0.tag?.isScope == true } }
    closeImpliedEnds(before: text)
    guard open.count < HTMLNormalizer.deepest, elements < HTMLNormalizer.mostElements,
      openElements < HTMLNormalizer.mostOpenElements
    else {
      if !Self.isVoid(text) { flattened += 1 }
      // Words on either side stay apart.
      output.append(0x20)
      return
    }
    elements += 1
    openElements += open.count
    writeStart(name, token)
    if !Self.isVoid(text) { open.append(Opened(name: name, tag: tag)) }
  }

  private mutating func readEndTag(_ token: MarkupTokenizer.Tag) {
    guard var name = name(of: token) else { return }
    var text = String(decoding: name, as: UTF8.self)
    if copy.end == token.start {
      text = copy.name
      name = Array(text.utf8)
    }
    let isInCopy = copy.end >= token.start
    guard !Self.isVoid(text), !["html", "head", "body"].contains(text) else { return }
    if flattened > 0 {
      flattened -= 1
      output.append(0x20)
      return
    }
    let tag = HTMLTag(name: name)
    let isTablePart = ["caption", "tbody", "td", "tfoot", "th", "thead", "tr"].contains(text)
    guard
      let index = open.lastIndex(where: { opened in
        opened.name == name || isInCopy && opened.tag == nil && isCopy(opened.name)
          || (isTablePart ? opened.tag == .table : text != "table" && opened.tag?.isScope == true)
      }), open[index].name == name
    else { return }
    let isBlock = tag?.isBlock == true || isTablePart || text == "table" || tag == nil
    if !isBlock, open[index...].contains(where: { $0.tag?.isBlock == true }) {
      // `<b><p>…</b>`: an inline end tag does not end the blocks inside its element.
      write(endOf: open.remove(at: index).name)
    } else {
      while open.count > index { closeInnermost() }
    }
  }

  /// The elements whose end tags may be left out (WHATWG HTML §13.1.2.4).
  private mutating func closeImpliedEnds(before name: String) {
    func isScope(_ opened: Opened) -> Bool { opened.tag?.isScope == true }
    switch name {
    case "li":
      close("li") { isScope($0) || [.ul, .ol, .menu, .dir].contains($0.tag) }
    case "dt", "dd":
      close("dt") { isScope($0) || $0.tag == .dl }
      close("dd") { isScope($0) || $0.tag == .dl }
    case "td", "th":
      close("td") { $0.tag == .table || $0.tag == .tr }
      close("th") { $0.tag == .table || $0.tag == .tr }
    case "tr": close("tr") { $0.tag == .table }
    case "thead", "tbody", "tfoot":
      for part in ["thead", "tbody", "tfoot"] { close(part) { $0.tag == .table } }
    case "a": close("a") { isScope($0) || $0.tag?.isBlock == true }
    case "button": close("button", within: isScope)
    case "option": close("option", within: isScope)
    default: break
    }
  }

  /// Ends the innermost element of a name and all that is open inside it, unless a barrier lies between.
  private mutating func close(_ name: String, within isBarrier: (Opened) -> Bool) {
    let wanted = Array(name.utf8)
    guard let index = open.lastIndex(where: { $0.name == wanted || isBarrier($0) }),
      open[index].name == wanted
    else { return }
    while open.count > index { closeInnermost() }
  }

  private mutating func closeInnermost() { write(endOf: open.removeLast().name) }

  // MARK: Writing

  private mutating func write(endOf name: [UInt8]) {
    output.append(contentsOf: "</".utf8)
    output.append(contentsOf: name)
    output.append(UInt8(ascii: ">"))
  }

  private mutating func writeStart(_ name: [UInt8], _ token: MarkupTokenizer.Tag) {
    output.append(UInt8(ascii: "<"))
    output.append(contentsOf: name)
    var count = 0
    for attribute in MarkupAttributes(input, of: token) {
      guard count < Self.mostAttributes else { break }
      guard attribute.name.count <= Self.longestName, !attribute.name.isEmpty,
        input[attribute.name].allSatisfy(Self.isNameByte),
        attribute.value.count <= HTMLNormalizer.longestAttribute
      else { continue }
      count += 1
      output.append(0x20)
      output.append(contentsOf: input[attribute.name])
      guard attribute.hasValue else { continue }
      output.append(contentsOf: "=\"".utf8)
      for byte in input[attribute.value] {
        if byte == UInt8(ascii: "\"") {
          output.append(contentsOf: "&quot;".utf8)
        } else {
          output.append(byte)
        }
      }
      output.append(UInt8(ascii: "\""))
    }
    output.append(UInt8(ascii: ">"))
  }

  // MARK: Names

  /// In lower case; nil for one that is none.
  private func name(of token: MarkupTokenizer.Tag) -> [UInt8]? {
    guard token.name.count <= Self.longestName, input[token.name].allSatisfy(Self.isNameByte) else {
      return nil
    }
    return input[token.name].map(\.asciiLowercased)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || "-_:.@".utf8.contains(byte)
  }

  private static func isVoid(_ name: String) -> Bool {
    HTMLElements.void.contains(PackedName(name))
  }

  // MARK: Parts for the extraction

  private mutating func readScript(_ token: MarkupTokenizer.Tag) {
    let isLinkedData = MarkupAttributes(input, of: token).contains { attribute in
      input.isWord("type", in: attribute.name)
        && input.string(attribute.value).lowercased().contains("ld+json")
    }
    if isLinkedData, let end = end(of: "script"), let extras,
      extras.linkedData.reduce(end - position, { $0 + $1.count }) <= Self.mostLinkedData
    {
      self.extras?.linkedData.append(Array(input[position..<max(position, end)]))
    }
    let type = token.value("type", in: input)?.lowercased() ?? ""
    if type == "text/template" || type == "text/html" { return readAlternative(in: "script") }
    if let source = token.value("src", in: input) {
      if let address = EmbeddedPage.address(ofScriptAt: source) { writeFrame(of: address) }
    } else if extras?.scriptedRefresh == nil, let end = end(of: "script"),
      end - position <= Self.longestRefresh
    {
      extras?.scriptedRefresh = PageRefresh.target(ofScript: input.string(position..<end))
    }
    skipContent(of: "script")
  }

  /// In bytes: a longer script does more than to lead to another page.
  private static let longestRefresh = 8 << 10

  private mutating func noteRefresh(_ token: MarkupTokenizer.Tag) {
    guard extras?.refresh == nil,
      token.value("http-equiv", in: input)?.lowercased() == "refresh",
      let content = token.value("content", in: input)
    else { return }
    extras?.refresh = PageRefresh.target(of: content)
  }

  /// Reads what an element has that browsers with scripts do not show, where it has text that nothing else shows, or is
  /// the copy of a picture for browsers without.
  private mutating func readAlternative(in name: String) {
    guard let end = end(of: name), copy.end < position,
      open.count < HTMLNormalizer.deepest - 8, elements < HTMLNormalizer.mostElements,
      openElements < HTMLNormalizer.mostOpenElements,
      AlternativeText.isNeeded(
        UnsafeBufferPointer(rebasing: input[position..<end]),
        copies: name == "noscript" ? AlternativeText.copies : [], in: input, &alternativeText)
    else {
      // Of browsers without scripts.
      if name == "noscript", let next = tokenizer.nextTag(), input.isWord("meta", in: next.name) {
        noteRefresh(next)
      }
      return skipContent(of: name)
    }
    copy = (end, name == "noscript" ? Self.noscriptCopy : Self.templateCopy)
    elements += 1
    openElements += open.count
    output.append(contentsOf: "<\(copy.name)>".utf8)
    open.append(Opened(name: Array(copy.name.utf8), tag: nil))
  }

  private func isCopy(_ name: [UInt8]) -> Bool {
    name.elementsEqual(Self.noscriptCopy.utf8) || name.elementsEqual(Self.templateCopy.utf8)
  }

  private mutating func writeFrame(of address: String) {
    guard elements < HTMLNormalizer.mostElements else { return }
    elements += 1
    openElements += open.count
    output.append(contentsOf: "<iframe src=\"\(HTMLPage.escaped(address))\"></iframe>".utf8)
  }

  // MARK: Content that is left out

  /// Where the end tag of an element begins.
  private mutating func end(of name: String) -> Int? { search.find("</" + name, from: position) }

  /// Skips to behind the end tag; without one, what follows is read.
  private mutating func skipContent(of name: String) {
    guard let end = end(of: name) else {
      // As a browser does. Code is nothing to read.
      if name == "script" || name == "style" { move(to: input.count) }
      return
    }
    move(to: input.firstIndex(of: UInt8(ascii: ">"), from: end).map { $0 + 1 } ?? input.count)
  }

  private mutating func move(to index: Int) {
    position = index
    tokenizer.move(to: index)
  }
}
