internal import Text

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
  /// The bound on tags times open elements: gumbo looks at all of them for each tag.
  static let mostOpenElements = 20_000_000
  /// An attribute longer than this is left out.
  static let longestAttribute = 16 << 10
  /// Elements beyond this number have no names that links could lead to.
  private static let mostNames = 20_000

  struct Result {
    /// UTF-8.
    var html: [UInt8]
    /// Parts of the document's structure that were left out.
    var losses: Set<Loss>
    var formulas: Formulas
    var places: DocumentPlaces
  }

  static func normalize(_ html: String) -> Result {
    var html = html
    return html.withUTF8 { bytes in
      var normalizer = HTMLNormalizer(input: bytes)
      return Result(
        html: normalizer.run(), losses: normalizer.losses, formulas: normalizer.formulas,
        places: DocumentPlaces(normalizer.names.intersection(normalizer.fragments)))
    }
  }

  /// How the formulas of a document are marked up. What stands beside them for browsers shows them a second time.
  struct Formulas: OptionSet {
    let rawValue: UInt8
    /// MathML.
    static let elements = Formulas(rawValue: 1)
    /// Scripts of TeX, for MathJax.
    static let scripts = Formulas(rawValue: 2)
  }

  enum Loss {
    case nesting, elements
  }

  private let input: ByteBuffer
  private var tokenizer: MarkupTokenizer
  private var position = 0
  private var output: [UInt8] = []
  private var open: [HTMLTag] = []
  private var openCounts = [Int](repeating: 0, count: HTMLTag.allCases.count)
  /// Elements that are open in the input and were left out for being too deep.
  private var flattened = 0
  private var elements = 0
  private var openElements = 0
  private var losses: Set<Loss> = []
  private var formulas: Formulas = []
  /// Where the CDATA section that is open ends.
  private var sectionEnd: Int?
  /// Whether names of elements are kept.
  private let hasFragments: Bool
  /// Whether there may be formulas between MathJax's signs.
  private let hasTeX: Bool
  /// The names of its elements, and those that its links name.
  private var names: Set<String> = []
  private var fragments: Set<String> = []
  private var search: TextSearch
  /// Elements that are open around the input; 0 for a whole document.
  private var outerCount = 0
  /// Whether the input is what a `<noscript>` or `<template>` has.
  private var isAlternative = false
  /// Made for the first of these that has text.
  private var alternativeText: AlternativeText?
  /// Whether a `<picture>` is open that has no `<img>` so far.
  private var isInPicture = false

  private init(input: ByteBuffer) {
    self.input = input
    tokenizer = MarkupTokenizer(input, skipsRawText: false)
    search = TextSearch(input)
    output.reserveCapacity(input.count + input.count / 8)
    hasFragments = Self.hasFragments(input)
    hasTeX = Self.hasTeX(input)
  }

  /// Within these MathJax's signs are no more than what they are.
  private static let literal: [HTMLTag] = [.pre, .code, .kbd, .samp, .textarea]
  /// Bytes of a formula between MathJax's signs.
  private static let longestTeX = 2_000

  /// Whether there may be formulas between MathJax's signs: `\(…\)`, `\[…\]`, `$$…$$`. One dollar is a price.
  private static func hasTeX(_ input: ByteBuffer) -> Bool {
    for (sign, next) in [("\\", "(["), ("$", "$")] {
      var index = 0
      while let place = input.firstIndex(of: sign.utf8.first ?? 0, from: index) {
        if place + 1 < input.count, next.utf8.contains(input[place + 1]) { return true }
        index = place + 1
      }
    }
    return false
  }

  /// Whether there may be links to places of documents: a "#" that is not of a reference to a character.
  private static func hasFragments(_ input: ByteBuffer) -> Bool {
    var index = 0
    while let sign = input.firstIndex(of: UInt8(ascii: "#"), from: index) {
      if sign > 0, input[sign - 1] != UInt8(ascii: "&") { return true }
      index = sign + 1
    }
    return false
  }

  private mutating func run() -> [UInt8] {
    while let tag = tokenizer.nextTag() {
      copyText(upTo: tag.start)
      position = tag.end
      switch tag.kind {
      case .open: readStartTag(tag)
      case .close: readEndTag(tag)
      case .other: readOther(tag)
      }
    }
    copyText(upTo: input.count)
    while !open.isEmpty { closeInnermost() }
    return output
  }

  /// Copies what stands before a tag. A "<" in it begins none.
  private mutating func copyText(upTo end: Int) {
    if let mark = sectionEnd, position <= mark, mark + 3 <= end {
      sectionEnd = nil
      copyText(upTo: mark)
      position = mark + 3
    }
    if hasTeX, Self.literal.allSatisfy({ openCounts[$0.rawValue] == 0 }) {
      copyTeX(upTo: end)
    }
    copyPlain(upTo: end)
  }

  /// Copies a text up to the last formula in it that stands between MathJax's signs.
  private mutating func copyTeX(upTo end: Int) {
    var index = position
    while index + 4 < end {
      let isDollar = input[index] == UInt8(ascii: "$") && input[index + 1] == UInt8(ascii: "$")
      let isBracket =
        input[index] == UInt8(ascii: "\\")
        && [UInt8(ascii: "("), UInt8(ascii: "[")].contains(input[index + 1])
      guard isDollar || isBracket else {
        index += 1
        continue
      }
      let isInline = input[index + 1] == UInt8(ascii: "(")
      let start = index + 2
      index = start
      guard let stop = find(isDollar ? "$$" : isInline ? "\\)" : "\\]", from: start),
        stop + 2 <= end, stop - start <= Self.longestTeX
      else { continue }
      let tex = CharacterReference.decoded(input.string(start..<stop))
      guard TeX.isFormula(tex) else { continue }
      copyPlain(upTo: start - 2)
      write(formula: TeX.text(tex), isDisplayed: !isInline)
      position = stop + 2
      index = position
    }
  }

  private mutating func copyPlain(upTo end: Int) {
    while let sign = input.firstIndex(of: UInt8(ascii: "<"), in: position..<end) {
      output.append(contentsOf: input[position..<sign])
      output.append(contentsOf: "&lt;".utf8)
      position = sign + 1
    }
    output.append(contentsOf: input[position..<end])
    position = end
  }

  private mutating func move(to index: Int) {
    position = index
    tokenizer.move(to: index)
  }

  /// A comment without an end is taken for a stray "<!--".
  private mutating func readOther(_ tag: MarkupTokenizer.Tag) {
    if !tag.isClosed, input.hasWord("<!--", at: tag.start) { move(to: tag.start + 4) }
    if input.hasWord("<![cdata[", at: tag.start) { sectionEnd = find("]]>", from: position) }
  }

  private mutating func readStartTag(_ token: MarkupTokenizer.Tag) {
    if input.isWord("math", in: token.name), readFormula(token) { return }
    // Pages for phones (AMP) have a name of their own for it.
    let isPicture =
      input.isWord("amp-img", in: token.name) || input.isWord("amp-anim", in: token.name)
    if input.isWord("picture", in: token.name) { isInPicture = true }
    guard let tag = isPicture ? .img : HTMLTag(name: input[token.name]) else {
      return readUnknown(token)
    }
    if tag == .script, readTeX(token) { return }
    if tag == .script, let source = token.value("src", in: input) { copyEmbed(ofScriptAt: source) }
    if tag == .noscript || tag == .template { copyAlternative(tag) }
    if tag == .svg { copyLabel(of: token) }
    if tag == .button, namesOrLinks() { return }
    if tag.isDropped {
      skipContent(of: tag)
      return
    }
    if tag == .a || tag == .span, let address = ProtectedAddress.address(input, of: token),
      let end = endTag(of: tag)
    {
      output.append(
        contentsOf: ProtectedAddress.shown(address, for: input[position..<end]).utf8)
      return moveBehindTag(at: end)
    }
    // Between the parts of a table a form would be moved out of it.
    if tag == .form, open.last?.isTableStructure == true { return }
    if tag == .img { isInPicture = false }
    if tag == .object { copyParameter(of: token) }
    if tag.isMedia, endTag(of: tag) == nil || !hasAddress(token, tag) {
      return
    }
    if tag.isBlock { close(.p, within: \.isScope) }
    closeImpliedEnds(before: tag)
    let isTooDeep = outerCount + open.count >= HTMLNormalizer.deepest
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
    openElements += outerCount + open.count
    output.append(UInt8(ascii: "<"))
    output.append(contentsOf: tag.knownName.utf8)
    let names = copyAttributes(of: token, tag)
    if isAlternative, tag == .img || tag == .iframe {
      output.append(contentsOf: " \(Self.copyMark)=\"\"".utf8)
    }
    // One that is closed is not shown.
    if tag == .dialog, !names.contains(where: { input.isWord("open", in: $0) }) {
      output.append(contentsOf: " hidden=\"\"".utf8)
    }
    output.append(UInt8(ascii: ">"))
    if tag.isVoid { return }
    open.append(tag)
    openCounts[tag.rawValue] += 1
    if tag == .iframe || tag == .object { skipContent(of: tag) }
    if tag == .video || tag == .audio { copySources(of: tag) }
  }

  /// Copies the sources of a medium, without what is for browsers that cannot play it.
  private mutating func copySources(of tag: HTMLTag) {
    guard let end = endTag(of: tag) else { return }
    var next = position
    // Not tag by tag: a comment in it may be looked for up to the end of the document, and again in the next medium.
    while let start = find("<source", from: next), start < end {
      tokenizer.move(to: start)
      guard let token = tokenizer.nextTag() else { break }
      next = token.end
      guard HTMLTag(name: input[token.name]) == .source,
        elements < HTMLNormalizer.mostElements
      else { continue }
      elements += 1
      output.append(contentsOf: "<source".utf8)
      _ = copyAttributes(of: token, .source)
      output.append(UInt8(ascii: ">"))
    }
    move(to: end)
  }

  /// The attribute of a picture or frame that stands in `<noscript>`.
  static let copyMark = "data-noscript"

  /// Copies what a `<noscript>` or `<template>` has that nothing else shows: its text, or the pictures and frames that
  /// pages load by a script, and have there once more.
  private mutating func copyAlternative(_ tag: HTMLTag) {
    guard let end = endTag(of: tag), open.last?.isTableStructure != true,
      elements < HTMLNormalizer.mostElements, openElements < HTMLNormalizer.mostOpenElements
    else { return }
    var content = Array(input[position..<end])
    // Feeds that escape their HTML twice do it in there alone.
    if !isAlternative, content.first(where: { !$0.isASCIISpace }) == UInt8(ascii: "&") {
      content = Array(CharacterReference.decoded(String(decoding: content, as: UTF8.self)).utf8)
    }
    let copies = tag == .noscript ? AlternativeText.copies + ["<iframe"] : []
    content.withUnsafeBufferPointer { content in
      if AlternativeText.isNeeded(content, copies: copies, in: input, &alternativeText) {
        copy(content)
      }
    }
    move(to: end)
  }

  /// Copies what stands in an element with the elements in it closed.
  private mutating func copy(_ content: ByteBuffer) {
    var inner = HTMLNormalizer(input: content)
    inner.isAlternative = true
    inner.alternativeText = alternativeText
    inner.outerCount = outerCount + open.count
    (inner.elements, inner.openElements) = (elements, openElements)
    (inner.names, inner.fragments) = (names, fragments)
    output += inner.run()
    (elements, openElements) = (inner.elements, inner.openElements)
    (names, fragments) = (inner.names, inner.fragments)
    losses.formUnion(inner.losses)
    formulas.formUnion(inner.formulas)
  }

  // MARK: What shows something else

  /// Whether a button is what names or links something: those that open an answer below their heading, say.
  private mutating func namesOrLinks() -> Bool {
    if open.last(where: { $0.isBlock }).map({ $0.isHeading || $0 == .dt || $0 == .summary }) == true
      || openCounts[HTMLTag.a.rawValue] > 0
    {
      return true
    }
    guard let end = find("</button", from: position), let link = find("<a ", from: position) else {
      return false
    }
    return link < end
  }

  /// Whether there is an address of what a medium shows. The content of one without is for everybody.
  private mutating func hasAddress(_ token: MarkupTokenizer.Tag, _ tag: HTMLTag) -> Bool {
    let isPicture = tag == .object && token.value("type", in: input)?.hasPrefix("image/") == true
    if isPicture { return false }
    let names = tag == .object ? ["data"] : ["src"] + PagePicture.lazyAttributes
    let hasOwn = names.contains { name in
      guard let value = token.value(name, in: input), !WebAddress.isBlank(value) else {
        return false
      }
      return !["about:", "blob:", "data:", "javascript:"].contains(where: value.hasPrefix)
    }
    guard !hasOwn, tag == .video || tag == .audio, let end = endTag(of: tag)
    else { return hasOwn }
    return find("<source", from: position).map { $0 < end } ?? false
  }

  /// Writes the address that only the parameters of an `<object>` name, or a picture without a fallback in it.
  private mutating func copyParameter(of token: MarkupTokenizer.Tag) {
    guard let end = find("</object", from: position) else { return }
    func has(_ tag: String) -> Bool { (find(tag, from: position) ?? .max) < end }
    if let data = token.value("data", in: input), !data.isEmpty {
      if token.value("type", in: input)?.hasPrefix("image/") == true, !has("<img"),
        AlternativeText.words(in: UnsafeBufferPointer(rebasing: input[position..<end])) == .none
      {
        write("img", [("src", data), ("alt", token.value("aria-label", in: input) ?? "")])
      }
      return
    }
    guard !has("<embed"), !has("<object"), var next = find("<param", from: position) else { return }
    let content = position
    defer { tokenizer.move(to: content) }
    for _ in 0..<Self.mostParameters where next < end {
      tokenizer.move(to: next)
      guard let parameter = tokenizer.nextTag(), parameter.end <= end else { return }
      if let name = parameter.value("name", in: input)?.lowercased(),
        ["movie", "src", "url", "filename"].contains(name),
        let source = parameter.value("value", in: input)
      {
        return write("embed", [("src", source)])
      }
      next = parameter.end
    }
  }

  private static let mostParameters = 32

  /// Writes the page that an element of a site's own embeds.
  private mutating func readUnknown(_ token: MarkupTokenizer.Tag) {
    guard input[token.name].contains(UInt8(ascii: "-")) else { return }
    let name = input.string(token.name).lowercased()
    guard
      let address = EmbeddedPage.address(ofElement: name, value: { token.value($0, in: input) })
    else { return }
    let titles = ["title", "playlabel", "data-title", "aria-label"]
    let title = titles.compactMap { token.value($0, in: input) }.first
    writeFrame(of: address, title: title)
    // Its content is for browsers that do not know it.
    if let end = find("</" + name, from: position) { move(to: end) }
  }

  private mutating func copyEmbed(ofScriptAt source: String) {
    guard let address = EmbeddedPage.address(ofScriptAt: source),
      let end = find("</script", from: position)
    else { return }
    // The part for browsers without scripts says more.
    let next = input.firstIndex(of: UInt8(ascii: "<"), from: end + 1)
    if let next, input.hasWord("<noscript", at: next) { return }
    writeFrame(of: address, title: nil)
  }

  private mutating func writeFrame(of address: String, title: String?) {
    write("iframe", [("src", address)] + (title.map { [("title", $0)] } ?? []))
    output.append(contentsOf: "</iframe>".utf8)
  }

  /// Writes the name of a drawing, as a picture without an address.
  private mutating func copyLabel(of token: MarkupTokenizer.Tag) {
    guard let end = find("</svg", from: position),
      let label = DrawingLabel.label(of: token, in: input, upTo: end)
    else { return }
    write("img", [("alt", label)])
  }

  private mutating func write(_ name: String, _ attributes: [(String, String)]) {
    guard elements < HTMLNormalizer.mostElements, open.last?.isTableStructure != true else {
      return
    }
    elements += 1
    openElements += outerCount + open.count
    output.append(contentsOf: "<\(name)".utf8)
    for (name, value) in attributes where value.utf8.count <= Self.longestAttribute {
      output.append(contentsOf: " \(name)=\"\(HTMLPage.escaped(value))\"".utf8)
    }
    output.append(UInt8(ascii: ">"))
  }

  /// Writes a formula in MathML as text.
  ///
  /// - Returns: false where it does not end.
  private mutating func readFormula(_ token: MarkupTokenizer.Tag) -> Bool {
    guard let end = find("</math", from: position) else { return false }
    var alternative: String?
    var isDisplayed = false
    for attribute in MarkupAttributes(input, of: token) where attribute.hasValue {
      let value = input.string(attribute.value)
      if input.isWord("alttext", in: attribute.name), value.utf8.count <= Self.longestAttribute {
        alternative = CharacterReference.decoded(value)
      } else if input.isWord("display", in: attribute.name) {
        isDisplayed = value.lowercased() == "block"
      }
    }
    write(
      formula: MathML.text(input, position..<end, alternative: alternative),
      isDisplayed: isDisplayed)
    formulas.insert(.elements)
    moveBehindTag(at: end)
    return true
  }

  /// Writes a formula in TeX as text (`<script type="math/tex">`, of MathJax).
  ///
  /// - Returns: false where the script is another one, or does not end.
  private mutating func readTeX(_ token: MarkupTokenizer.Tag) -> Bool {
    let type =
      MarkupAttributes(input, of: token).first { input.isWord("type", in: $0.name) }
      .map { input.string($0.value).lowercased() } ?? ""
    guard type.hasPrefix("math/tex"), let end = find("</script", from: position) else {
      return false
    }
    write(
      formula: TeX.text(input.string(position..<end)), isDisplayed: type.contains("mode=display"))
    formulas.insert(.scripts)
    moveBehindTag(at: end)
    return true
  }

  /// - Parameter isDisplayed: whether it has lines of its own.
  private mutating func write(formula: String, isDisplayed: Bool) {
    guard !formula.isEmpty else { return }
    let hasBreaks = isDisplayed && elements + 2 < HTMLNormalizer.mostElements
    if hasBreaks { elements += 2 }
    if hasBreaks { output.append(contentsOf: "<br>".utf8) }
    for byte in formula.utf8 {
      switch byte {
      case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
      default: output.append(byte)
      }
    }
    if hasBreaks { output.append(contentsOf: "<br>".utf8) }
  }

  /// Writes the attributes that somebody reads, quoted.
  ///
  /// - Returns: the places of their names.
  private mutating func copyAttributes(
    of token: MarkupTokenizer.Tag, _ tag: HTMLTag
  ) -> [Range<Int>] {
    let isPicture = tag == .img || tag == .source || tag.isMedia
    var names: [Range<Int>] = []
    for attribute in MarkupAttributes(input, of: token) {
      let (name, value) = (attribute.name, attribute.value)
      guard value.count <= HTMLNormalizer.longestAttribute,
        (attribute.hasValue ? attributeNames : switchNames).contains(where: {
          input.isWord($0, in: name)
        }) || hasFragments && nameAttributes.contains(where: { input.isWord($0, in: name) })
          || isPicture && input.hasWord("data-", at: name.lowerBound)
            && pictureAttributes.contains(input.string(name).lowercased()),
        !names.contains(where: { input[$0].elementsEqual(input[name]) })
      else { continue }
      let hasDouble = input[value].contains(UInt8(ascii: "\""))
      guard !hasDouble || !input[value].contains(UInt8(ascii: "'")) else { continue }
      names.append(name)
      note(value, of: name)
      let quote = hasDouble ? UInt8(ascii: "'") : UInt8(ascii: "\"")
      output.append(0x20)
      output.append(contentsOf: input[name])
      output.append(UInt8(ascii: "="))
      output.append(quote)
      output.append(contentsOf: input[value])
      output.append(quote)
    }
    return names
  }

  /// Keeps the name of an element, or of the place that it leads to.
  private mutating func note(_ value: Range<Int>, of attribute: Range<Int>) {
    if input.isWord("id", in: attribute) || input.isWord("name", in: attribute) {
      guard names.count < Self.mostNames, 1...DocumentPlaces.longestName ~= value.count else {
        return
      }
      let element = CharacterReference.decoded(input.string(value))
      if PlainText.sanitizedBlock(element) == element { names.insert(element) }
    } else if input.isWord("href", in: attribute), fragments.count < Self.mostNames,
      let sign = input.firstIndex(of: UInt8(ascii: "#"), in: value),
      1...DocumentPlaces.longestName ~= value.upperBound - sign - 1
    {
      let fragment = CharacterReference.decoded(input.string(sign + 1..<value.upperBound))
      fragments.formUnion([fragment, percentDecoded(fragment)])
    }
  }

  private mutating func readEndTag(_ token: MarkupTokenizer.Tag) {
    if isInPicture, input.isWord("picture", in: token.name) {
      isInPicture = false
      write("img", [])
    }
    guard let tag = HTMLTag(name: input[token.name]), !tag.isVoid, !tag.isDropped else { return }
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
    output.append(contentsOf: tag.knownName.utf8)
    output.append(UInt8(ascii: ">"))
  }

  /// Skips to the end tag of an element whose content is not read.
  private mutating func skipContent(of tag: HTMLTag) {
    if let end = endTag(of: tag) {
      if tag.isDropped { moveBehindTag(at: end) } else { move(to: end) }
    } else if tag == .script || tag == .style {
      // As a browser does. Code is nothing to read.
      move(to: input.count)
    }
  }

  private mutating func find(_ text: String, from start: Int) -> Int? {
    search.find(text, from: start)
  }

  /// The end tag of an element that comes next.
  private mutating func endTag(of tag: HTMLTag) -> Int? { find("</" + tag.name, from: position) }

  /// Goes on behind the tag that begins somewhere.
  private mutating func moveBehindTag(at start: Int) {
    move(to: input.firstIndex(of: UInt8(ascii: ">"), from: start).map { $0 + 1 } ?? input.count)
  }
}

private let attributeNames: [StaticString] = [
  "href", "src", "alt", "start", "width", "height", "srcset", "data", "data-src",
  "data-original", "class", "title", "type", "value", "align", "dir", "style", "colspan", "rowspan",
  "duration", "data-duration", "data-lang", "aria-label", "hidden", "open", "checked", "reversed",
  "role",
]

private let pictureAttributes = Set(PagePicture.lazyAttributes + PagePicture.lazySets)

private let nameAttributes: [StaticString] = ["id", "name"]

/// Attributes that need no value.
private let switchNames: [StaticString] = ["hidden", "open", "checked", "reversed"]

extension HTMLTag {
  /// The name of an element that gumbo knows, and does not treat apart: its forms end where others are open.
  fileprivate var knownName: String {
    self == .dialog || self == .form ? HTMLTag.div.name : name
  }

  fileprivate var isList: Bool { self == .ul || self == .ol || self == .menu || self == .dir }

  /// Where the search for the element that an end tag ends must stop.
  fileprivate func isBarrier(forEndOf tag: HTMLTag) -> Bool {
    switch tag {
    case _ where tag.isTablePart: self == .table
    case .table: false
    case .li: isScope || isList
    default: isScope
    }
  }
}
