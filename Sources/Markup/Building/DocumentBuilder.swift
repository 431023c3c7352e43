internal import Text

/// Builds a `Document` from elements and text in the order in which they stand.
struct DocumentBuilder {
  struct Element {
    var tag: HTMLTag
    var attributes: [(name: String, value: String)] = []

    subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }
  }

  /// Step at the end of an element, which restores the state before it.
  enum Leaving {
    case nothing
    case block
    case heading
    case containers(Int)
    /// A table, and whether it stands in the head of another.
    case table(Bool)
    case tableHead(Bool)
    case preformatted
    case inline(Traits)
    /// Raised or lowered text, and where it begins.
    case script(ScriptText, ParagraphBuilder.Place)
    /// A paragraph with formatting of its own.
    case captionBlock(Traits)
    case closingText(String)
    case quotation
    /// A row of a table in preformatted text, and where it began.
    case codeRow(Int)
    case key
    case link(OpenLink?)
    case note
    /// Text whose white space means another thing than that around it.
    indirect case whiteSpace(Leaving, outer: WhiteSpace)
    /// Blocks with a direction of their own.
    indirect case direction(Leaving, outer: ParagraphDirection?)
    /// Text with a direction of its own.
    indirect case isolate(Leaving, Isolate, from: ParagraphBuilder.Place)
  }

  /// The link that text is part of. It gets its number from the first thing it shows.
  struct OpenLink {
    var target: Target
    var number: Int?

    enum Target {
      case address(String)
      case place(String)
    }
  }

  private let addresses: AddressFilter
  private var containers = [Container(.root)]
  private var paragraph = ParagraphBuilder()
  private var headingLevel: Int?
  /// As the document says it; nil where the first letter decides.
  private var direction: ParagraphDirection?
  private var preformatted: CodeBuilder?
  /// The programming language of the preformatted text that is read, or comes next.
  private var language: String?
  private var traits: Traits = []
  private var link: OpenLink?
  private var links: [Link] = []
  private var jumps: [String] = []
  private var places: DocumentPlaces
  private var numbers: [String: Int] = [:]
  /// Whether cells are those of a `<thead>`.
  private var isTableHead = false
  private let lengths: [String: Double]
  private var playingSeconds = 0.0
  /// Quotations (`<q>`) that are open; one in another has single marks.
  private var quotations = 0
  /// Elements with a direction of their own around what is read.
  private var isolateDepth = 0
  private var whiteSpace = WhiteSpace.collapsed
  /// Whether text is that of a note within other text.
  private(set) var isInNote = false
  private var isKey = false
  /// The picture that stands in front, with no text between; nil for none.
  private var pictureBefore: PictureCopies.Neighbour?
  private var copies = PictureCopies()
  private var media: Set<String> = []
  /// The address in a `<picture>`, for the `<img>` in it.
  private var sourceOfSet: String?
  private var abbreviations: Set<String> = []

  let formulas: HTMLNormalizer.Formulas
  /// Whether KaTeX's MathML was read, beside which the same formula is spelled out.
  var hasReadKaTeX = false

  /// - Parameters:
  ///   - lengths: how long the files at these addresses play, in seconds.
  ///   - formulas: how the formulas of the document are marked up.
  ///   - places: those that its links lead to.
  init(
    addresses: AddressFilter, lengths: [String: Double] = [:],
    formulas: HTMLNormalizer.Formulas = [], places: DocumentPlaces = DocumentPlaces()
  ) {
    self.places = places
    self.addresses = addresses
    self.lengths = lengths
    self.formulas = formulas
  }

  /// - Parameter warnings: Shown as notes at the end, too.
  mutating func finish(warnings: [String]) -> Document {
    endBlock()
    while containers.count > 1 { closeContainer() }
    return Document(
      blocks: containers[0].blocks + warnings.map { .note($0) }, links: links, jumps: jumps,
      warnings: warnings, playingSeconds: playingSeconds)
  }

  // MARK: - Elements

  mutating func enter(_ element: Element) -> Leaving {
    let mayIsolate =
      preformatted == nil && !element.tag.isBlock && isolateDepth < Isolate.deepest
    let isolate = mayIsolate ? Isolate(element) : nil
    let place = isolate.map { _ in paragraph.place() }
    var leaving = begin(element)
    if let isolate, let place, !leaving.isOfBlock {
      isolateDepth += 1
      leaving = .isolate(leaving, isolate, from: place)
    }
    if leaving.isOfBlock, let named = element.namedDirection {
      leaving = .direction(leaving, outer: direction)
      direction = named
    }
    if preformatted == nil, let own = element["style"].flatMap(WhiteSpace.init), own != whiteSpace {
      leaving = .whiteSpace(leaving, outer: whiteSpace)
      whiteSpace = own
    }
    if let name = places.register(element) { paragraph.append(anchor: name) }
    return leaving
  }

  private mutating func begin(_ element: Element) -> Leaving {
    let tag = element.tag
    if tag != .img, tag != .source { sourceOfSet = nil }
    if tag.mayNameLanguage || preformatted != nil { language = element.language ?? language }
    switch tag {
    case .hr, .br, .wbr, .input, .img, .source, .embed:
      insert(element)
      return .nothing
    case .table, .thead, .tbody, .tfoot, .tr, .td, .th: return beginTablePart(element)
    case .ul, .menu, .dir: return open(.list(nil))
    case .ol: return open(.list(ListNumbering(element)))
    case .li: return beginItem(element)
    case .blockquote: return open(.quote)
    case .dd: return open(.indented)
    case .h1, .h2, .h3, .h4, .h5, .h6:
      endBlock()
      headingLevel = tag.rawValue - HTMLTag.h1.rawValue + 1
      return .heading
    case .pre:
      endBlock()
      return preformatted == nil ? beginPreformatted() : .nothing
    case .dt, .summary, .legend, .figcaption, .caption:
      endBlock()
      let isName = tag != .figcaption && tag != .caption
      defer { traits.insert(isName ? .strong : .emphasis) }
      return .captionBlock(traits)
    default:
      guard tag.isBlock else { return beginInline(element) }
      endBlock()
      return .block
    }
  }

  private mutating func insert(_ element: Element) {
    switch element.tag {
    case .hr:
      endBlock()
      append(.rule)
    case .br: appendLineBreak()
    case .wbr: if preformatted == nil, !paragraph.isEmpty { append("\u{200B}") }
    case .input:
      // In running text it is a switch of the page.
      if element["type"]?.lowercased() == "checkbox", preformatted == nil, paragraph.isEmpty {
        append(element["checked"] == nil ? "[ ] " : "[x] ")
      }
    case .img: appendImage(element)
    case .source:
      sourceOfSet =
        sourceOfSet ?? PictureAddress.ofSource(element).lazy.compactMap(addresses.address).first
    default: appendMedia(element, source: nil)
    }
  }

  private mutating func beginItem(_ element: Element) -> Leaving {
    let kind = Container.Kind.item(value: element["value"].flatMap { Int($0) })
    if case .list = containers[containers.count - 1].kind { return open(kind) }
    guard case .containers(let list) = open(.list(nil)), case .containers(let item) = open(kind)
    else { return .block }
    return .containers(list + item)
  }

  private mutating func beginTablePart(_ element: Element) -> Leaving {
    switch element.tag {
    case .tr where preformatted != nil:
      endBlock()
      return .codeRow(preformatted?.length ?? 0)
    case .td where preformatted != nil, .th where preformatted != nil: return .nothing
    case .table where element.isCodeTable && preformatted == nil:
      endBlock()
      return beginPreformatted()
    case .table:
      let role = element["role"]?.lowercased()
      guard case .containers = open(.table(isLayout: role == "presentation" || role == "none"))
      else { return .block }
      defer { isTableHead = false }
      return .table(isTableHead)
    case .tr: return open(.row(element.alignment))
    case .td, .th: return open(.cell(cell(of: element)))
    default:
      defer { isTableHead = element.tag == .thead }
      return .tableHead(isTableHead)
    }
  }

  private mutating func beginPreformatted() -> Leaving {
    preformatted = CodeBuilder()
    return .preformatted
  }

  private mutating func beginInline(_ element: Element) -> Leaving {
    switch element.tag {
    case .a:
      defer { link = element["href"].flatMap(target).map { OpenLink(target: $0) } }
      return .link(link)
    case .kbd where preformatted == nil && !isKey:
      isKey = true
      append("[")
      return .key
    case .span where isNote(element), .small where isNote(element):
      isInNote = true
      append(" [")
      paragraph.dropSpace()
      return .note
    case .abbr:
      guard preformatted == nil, let title = element["title"].map(PlainText.sanitized),
        !title.isEmpty, abbreviations.insert(title).inserted
      else { return .nothing }
      return .closingText(" (\(title))")
    case .q:
      quotations += 1
      append(quotations % 2 == 1 ? "“" : "‘")
      return .quotation
    case .rt:
      append("(")
      return .closingText(")")
    case .sup where preformatted == nil: return .script(.raised, paragraph.place())
    case .sub where preformatted == nil: return .script(.lowered, paragraph.place())
    default:
      defer { traits.formUnion(element.tag.traits) }
      return .inline(traits)
    }
  }

  mutating func leave(_ leaving: Leaving) {
    switch leaving {
    case .nothing: break
    case .block: endBlock()
    case .heading:
      endBlock()
      headingLevel = nil
    case .containers(let count):
      endBlock()
      for _ in 0..<count { closeContainer() }
    case .table(let outer):
      endBlock()
      closeTable()
      isTableHead = outer
    case .tableHead(let outer): isTableHead = outer
    case .preformatted: endPreformatted()
    case .inline(let outer): traits = outer
    case .script(let script, let place): paragraph.write(script, from: place)
    case .captionBlock(let outer):
      endBlock()
      traits = outer
    case .closingText(let text): append(text)
    case .quotation:
      append(quotations % 2 == 1 ? "”" : "’")
      quotations -= 1
    case .codeRow(let start):
      // A line without text is a line.
      if preformatted?.length == start { preformatted?.append("\n") } else { endBlock() }
    case .key:
      append("]")
      isKey = false
    case .link(let outer): link = outer
    case .note:
      paragraph.trimEnd()
      append("]")
      isInNote = false
    case .whiteSpace(let inner, let outer):
      leave(inner)
      whiteSpace = outer
    case .direction(let inner, let outer):
      leave(inner)
      direction = outer
    case .isolate(let inner, let isolate, let place):
      isolateDepth -= 1
      leave(inner)
      paragraph.isolate(isolate, from: place)
    }
  }

  // MARK: - Text

  mutating func append(_ text: String) {
    let text = PlainText.sanitizedBlock(text)
    if preformatted != nil {
      let number = text.isBlank ? link?.number : linkNumber(saying: text)
      preformatted?.append(text.replacingLineEnds(), link: number)
      return
    }
    guard whiteSpace != .collapsed else { return appendInline(text) }
    for (index, line) in whiteSpace.lines(of: text).enumerated() {
      if index > 0 { appendLineBreak() }
      appendInline(line)
    }
  }

  private mutating func appendInline(_ text: String) {
    // An address that is no link yet is one; in code it is an example.
    guard link == nil, !traits.contains(.code), text.utf8.contains(UInt8(ascii: ":")) else {
      return appendRun(text)
    }
    appendLinkingAddresses(text[...])
  }

  private func isNote(_ element: Element) -> Bool {
    preformatted == nil && !isInNote && element.classes.contains(where: InlineNote.isText)
  }

  private mutating func appendRun(_ text: String) {
    if text.utf8.allSatisfy(\.isASCIISpace), paragraph.isEmpty { return }
    if pictureBefore != nil, !text.isBlank { pictureBefore = nil }
    paragraph.append(
      text, isKey ? traits.union(.code).union(.key) : traits,
      link: text.isBlank ? link?.number : linkNumber(saying: text))
  }

  /// A line of a plain text, in which addresses are told by how they begin.
  mutating func appendPlainLine(_ line: Substring) {
    append(String(line))
    appendLineBreak()
  }

  /// A text outside of links, in which web addresses become links.
  private mutating func appendLinkingAddresses(_ text: Substring) {
    var rest = text
    while let (before, address, after) = rest.splitAtAddress() {
      if !before.isEmpty { appendRun(String(before)) }
      link = addresses.address(String(address)).map { OpenLink(target: .address($0)) }
      appendRun(String(address))
      link = nil
      rest = after
    }
    if !rest.isEmpty { appendRun(String(rest)) }
  }

  mutating func appendLineBreak() {
    pictureBefore = nil
    if preformatted != nil {
      preformatted?.append("\n")
    } else if paragraph.endsWithLineBreak {
      // Two in a row are how old pages separate paragraphs.
      endBlock()
    } else {
      paragraph.appendLineBreak()
    }
  }

  /// Appends a line with a link for a frame, a video or a sound.
  ///
  /// - Parameter source: the address of the first `<source>` in it; nil for none.
  mutating func appendMedia(_ element: Element, source: String?) {
    let own = (["src"] + PagePicture.lazyAttributes + ["data"]).lazy.compactMap { element[$0] }
    guard let url = own.compactMap(addresses.address).first ?? source.flatMap(addresses.address)
    else { return }
    // A frame for browsers without scripts shows again what a script loads, or counts readers.
    let isCopy = element[HTMLNormalizer.copyMark] != nil
    if isCopy, media.contains(url) || ["0", "1"].contains(element["width"]) { return }
    media.insert(url)
    let line = MediaLine(element, url: url, lengths: lengths)
    playingSeconds += line.seconds ?? 0
    let outer = link
    endBlock()
    link = OpenLink(target: .address(line.url))
    append(line.text)
    endBlock()
    link = outer
  }

  private mutating func appendImage(_ element: Element) {
    let (before, sourceOfSet) = (pictureBefore, self.sourceOfSet)
    (pictureBefore, self.sourceOfSet) = (nil, nil)
    // A picture of at most one pixel is a tracking pixel.
    let sizes = [element["width"], element["height"]].compactMap { $0.flatMap { Int($0) } }
    guard preformatted == nil, !sizes.contains(where: { $0 <= 1 }) else { return }
    var alt = PlainText.sanitizedBlock(element["alt"] ?? "").collapsed()
    var title = element["title"].map { PlainText.sanitizedBlock($0).collapsed() }
    // The name of a file says nothing.
    if let words = title, !words.contains(" ") || words.lowercased() == alt.lowercased() {
      title = nil
    }
    if alt.isEmpty { (alt, title) = (title ?? "", nil) }
    if let formula = element.formula {
      append(formula)
      return
    }
    if alt.isEmoji {
      append(alt)
      return
    }
    // A lazily loaded picture has a placeholder in `src`.
    let candidates = PictureAddress(element)
    let lazy = candidates.lazy.lazy.compactMap(addresses.address).first
    let source =
      lazy ?? candidates.own.lazy.compactMap(addresses.address).first ?? sourceOfSet
      ?? candidates.placeholder.flatMap(addresses.address)
    guard source != nil || !alt.isEmpty || link != nil else { return }
    let sides = ["width", "height"].compactMap { element[$0].flatMap(Self.pixels) }
    // A sign that says nothing is an ornament.
    let isSmall = sides.count == 2 && sides.allSatisfy { $0 <= Image.longestSign }
    guard !isSmall || !alt.isEmpty || link != nil else { return }
    let isCopy = element[HTMLNormalizer.copyMark] != nil
    // Counters of readers lie outside the page.
    if isCopy, element["style"]?.contains("-9999") == true { return }
    let showsAgain = copies.showsAgain(
      source, isCopy: isCopy, isLazy: lazy != nil, before: before)
    if showsAgain {
      pictureBefore = before
      return
    }
    if isCopy, before == .withoutAddress, var image = paragraph.lastImage, let source {
      image.source = source
      let label = image.alt.isEmpty ? "image" : image.alt
      image.link = image.link ?? number(of: source, saying: label)
      paragraph.lastImage = image
      pictureBefore = .own
      return
    }
    pictureBefore = isCopy ? .copy : source == nil ? .withoutAddress : .own
    let label = alt.isEmpty ? "image" : alt
    var number = linkNumber(saying: label)
    if number == nil, let source { number = self.number(of: source, saying: label) }
    var image = Image(alt: alt, title: title, source: source, link: number)
    if sides.count == 2 { image.size = (sides[0], sides[1]) }
    paragraph.append(image)
  }

  /// A length of HTML as pixels (HTML §2.3.4.3, leniently: `600`, `600px`, `600.5`); nil for any other.
  private static func pixels(_ text: String) -> Int? {
    let trimmed = text.drop { $0.isWhitespace }
    let digits = trimmed.prefix { $0.isASCII && $0.isNumber }
    var rest = trimmed[digits.endIndex...]
    if rest.first == "." { rest = rest.dropFirst().drop { $0.isASCII && $0.isNumber } }
    guard rest.allSatisfy(\.isWhitespace) || rest.lowercased() == "px", let pixels = Int(digits),
      1...Image.greatestSide ~= pixels
    else { return nil }
    return pixels
  }

  private mutating func linkNumber(saying text: String) -> Int? {
    guard let open = link else { return nil }
    if let number = open.number {
      // The rest of a link's text, where it was not all in one piece.
      if number > 0, links[number - 1].isUnfinished { links[number - 1].add(text) }
      return number
    }
    let number: Int
    switch open.target {
    case .address(let url): number = self.number(of: url, saying: text)
    case .place(let name):
      jumps.append(name)
      number = -jumps.count
    }
    link?.number = number
    return number
  }

  /// Where a reference leads: to a place of the document, or to an address that can be followed.
  private func target(of reference: String) -> OpenLink.Target? {
    if jumps.count < DocumentPlaces.most, let place = places.place(reference, addresses) {
      return .place(place)
    }
    return addresses.address(reference).map { .address($0) }
  }

  private mutating func number(of url: String, saying text: String) -> Int {
    if let known = numbers[url] { return known }
    let number = links.count + 1
    links.append(Link(number: number, url: url, text: text.collapsed()))
    numbers[url] = number
    return number
  }

  // MARK: - Blocks

  mutating func endBlock() {
    pictureBefore = nil
    if preformatted != nil {
      // A block inside preformatted text is a line.
      preformatted?.endLine()
      return
    }
    let isIsolated = paragraph.hasIsolates
    var inlines = direction.map { $0.applied(to: paragraph.finish()) } ?? paragraph.finish()
    if isIsolated { inlines = Isolate.needed(in: inlines) }
    let images = inlines.compactMap(\.image)
    let showsText = inlines.contains { $0.text?.isBlank == false }
    // A paragraph of spaces is how old pages leave room.
    guard showsText || !images.isEmpty else {
      // Anchors move to the next text.
      keepAnchors(of: inlines)
      return
    }
    if let headingLevel {
      append(.heading(level: headingLevel, inlines))
    } else if showsText {
      append(.paragraph(inlines))
    } else {
      for image in images { append(.figure(image)) }
      keepAnchors(of: inlines)
    }
  }

  /// Anchors before one text, at most: each block without any hands them on.
  private static let mostAnchors = 32

  private mutating func keepAnchors(of inlines: [Inline]) {
    let names = inlines.compactMap { if case .anchor(let name) = $0 { name } else { nil } }
    for name in names.suffix(Self.mostAnchors) { paragraph.append(anchor: name) }
  }

  private mutating func endPreformatted() {
    let code = preformatted?.code(language: language)
    (preformatted, language) = (nil, nil)
    if let code { append(.preformatted(code)) }
  }

  private mutating func append(_ block: Block) {
    containers[containers.count - 1].append(block)
  }

  private mutating func open(_ kind: Container.Kind) -> Leaving {
    endBlock()
    // Deeper elements belong to the innermost container that there is.
    guard preformatted == nil, containers.count < Document.deepestNesting else { return .block }
    containers.append(Container(kind))
    return .containers(1)
  }

  /// A cell without what is in it. It stands as its row does, unless it says how it stands.
  private func cell(of element: Element) -> TableGrid.Cell {
    var alignment = element.alignment
    if alignment == nil, case .row(let row) = containers[containers.count - 1].kind {
      alignment = row
    }
    return TableGrid.Cell(
      isHeader: element.tag == .th || isTableHead,
      columns: element["colspan"].flatMap { Int($0) } ?? 1,
      rows: element["rowspan"].flatMap { Int($0) } ?? 1, alignment: alignment)
  }

  private mutating func closeContainer() {
    let closed = containers.removeLast()
    containers[containers.count - 1].append(closed)
  }

  private mutating func closeTable() {
    for block in containers.removeLast().blocksOfTable() { append(block) }
  }
}
