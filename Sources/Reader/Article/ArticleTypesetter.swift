internal import Markup
internal import News
internal import Screen

struct ArticleTypesetter {
  /// The left side of the lines of a block: the bar of a quote, the marker of an item.
  private struct Margin {
    var first: String
    var rest: String
    var role: TextRole
    var columns: Int
    /// The side that it stands on: the left for text that is read from there.
    var direction: TextDirection
    var isFirst = true
  }

  let width: Int
  private(set) var lines: [StyledLine] = []
  private(set) var linesOfLinks: [Int: [Int]] = [:]
  /// The links and jumps in the order in which they come.
  private(set) var linksInOrder: [Int] = []
  /// The positions of anchors.
  private(set) var anchors: [String: ReadingPosition] = [:]
  private(set) var pictures: [PagePicture] = []

  /// Nil where pictures are left as words.
  private let room: PictureRoom?
  /// The traits of text that show without signs.
  let styled: Traits
  private var margins: [Margin] = [] {
    didSet { marginSpans = nil }
  }
  /// The margin of a line that is not the first of anything; cached.
  private var marginSpans: [StyledSpan]?
  /// A rule across the page, and its columns.
  private var rule = (text: "", columns: 0)
  private var quoteDepth = 0
  /// The position of the next text.
  private var position = ReadingPosition()

  init(width: Int, pictures room: PictureRoom? = nil, styled: Traits = []) {
    self.width = width
    self.room = room
    self.styled = styled
  }

  /// The columns between the margins.
  var measure: Int { max(1, width - margins.reduce(0) { $0 + $1.columns }) }

  /// Sets the blocks of a document from one on, until there are so many lines.
  ///
  /// - Returns: the first block that is not set.
  mutating func set(_ document: Document, from first: Int = 0, lines most: Int = .max) -> Int {
    var index = first
    while index < document.blocks.count, lines.count < most {
      let block = document.blocks[index]
      position = ReadingPosition(block: index)
      if index > 0, !joins(block, document.blocks[index - 1]) { setBlank() }
      set(block, at: index, of: document.blocks)
      index += 1
    }
    return index
  }

  // MARK: - Blocks

  private mutating func set(_ blocks: [Block], isTight: Bool = false) {
    for (index, block) in blocks.enumerated() {
      if index > 0, !isTight, !joins(block, blocks[index - 1]) { setBlank() }
      set(block, at: index, of: blocks)
    }
  }

  /// Sets a block among others: what a caption says of a picture is not said twice.
  private mutating func set(_ block: Block, at index: Int, of blocks: [Block]) {
    guard case .figure(let image) = block else { return set(block) }
    let beside = [index - 1, index + 1].filter(blocks.indices.contains).map { blocks[$0] }
    set(image, isNamedBeside: beside.contains { $0.says(image.alt) })
  }

  /// Whether no empty line separates a block from the one before it: a term and its explanation, and text below the
  /// rule of a heading.
  private func joins(_ block: Block, _ previous: Block) -> Bool {
    switch (previous, block) {
    case (.paragraph, .indented): true
    // Short explanations of one term.
    case (.indented(let before), .indented(let after)):
      before.count == 1 && after.count == 1 && before[0].isParagraph && after[0].isParagraph
    case (.heading, .heading): false
    case (.heading(let level, _), _): Self.rule(ofLevel: level) != nil
    default: false
    }
  }

  /// Sets a heading, one of the first two levels with a rule below it: a pipe has no bold letters.
  private mutating func set(heading inlines: [Inline], level: Int) {
    let base = [TextRole.heading1, .heading2, .heading3][min(max(level, 1), 3) - 1]
    let text = FlatText(inlines, base: base, styled: styled)
    set(text)
    guard let rule = Self.rule(ofLevel: level) else { return }
    let columns = text.lines(width: measure).map(\.columns).max() ?? 0
    setLine(
      [StyledSpan(String(repeating: rule, count: min(columns, measure)), .rule)],
      direction: text.direction)
    skip(0)
  }

  private static func rule(ofLevel level: Int) -> String? {
    level <= 1 ? "═" : level == 2 ? "─" : nil
  }

  private mutating func set(_ block: Block) {
    switch block {
    case .heading(let level, let inlines):
      set(heading: inlines, level: level)
    case .paragraph(let inlines): set(paragraph: inlines)
    case .list(let list): set(list)
    case .quote(let blocks):
      quoteDepth += 1
      within("│ ", "│ ", .quoteBar, blocks.direction) { $0.set(blocks) }
      quoteDepth -= 1
    case .indented(let blocks): within("  ", "  ", .body, blocks.direction) { $0.set(blocks) }
    case .preformatted(let code): set(code: code)
    case .rule: setRule()
    case .table(let table): set(table)
    case .figure(let image): set(image)
    case .note(let text): set([.text(text)], base: .dim)
    }
  }

  /// Sets a text, and the pictures within it on lines of their own; where there are none, their descriptions stay in the
  /// text.
  private mutating func set(paragraph inlines: [Inline]) {
    guard room != nil, let parts = inlines.partsAroundPictures else {
      return set(inlines, base: textRole)
    }
    for (index, part) in parts.enumerated() {
      if index > 0 { setBlank() }
      switch part {
      case .text(let inlines): set(inlines, base: textRole)
      case .picture(let image): set(image)
      }
    }
  }

  private var textRole: TextRole { quoteDepth > 0 ? .quote : .body }

  private mutating func set(_ list: List) {
    let isTight = list.items.allSatisfy { item in
      item.dropFirst().allSatisfy { if case .list = $0 { true } else { false } }
    }
    let markers = list.items.indices.map { list.marker(of: $0) + " " }
    let widest = markers.map { TextWidth.columns(of: $0) }.max() ?? 0
    for (index, item) in list.items.enumerated() {
      if index > 0, !isTight { setBlank() }
      let marker = markers[index]
      let padding = String(repeating: " ", count: widest - TextWidth.columns(of: marker))
      let indent = String(repeating: " ", count: widest)
      within(padding + marker, indent, .listMarker, item.direction) {
        $0.set(item, isTight: isTight)
      }
    }
  }

  /// Sets code line by line, its spaces kept. What is longer than the screen goes on below, at a word and marked.
  private mutating func set(code: Code) {
    let indent = measure >= 12 ? "  " : ""
    let mark = measure >= 12 ? "↳ " : ""
    let room = measure - indent.utf8.count
    for text in CodeText.lines(of: code) {
      let pieces = TextWrapping.pieces(
        of: text.string, width: room - (mark.isEmpty ? 0 : 2), firstWidth: room)
      for (index, piece) in pieces.enumerated() {
        var spans = indent.isEmpty || piece.columns == 0 ? [] : [StyledSpan(indent, .code)]
        if index > 0, !mark.isEmpty { spans.append(StyledSpan(mark, .dim)) }
        setLine(
          spans + text.spans(from: piece.start, to: piece.end), offset: piece.start,
          direction: .leftToRight)
      }
      position.offset += text.bytes.count + 1
    }
  }

  /// Sets a picture as empty lines that it is drawn on, its description below; or as words alone.
  /// - Parameter isNamedBeside: whether a caption says the same as its description, which then stands there once.
  private mutating func set(_ image: Image, isNamedBeside: Bool = false) {
    let alt = isNamedBeside ? "" : image.alt
    // The title, which may be a part of a comic, stands below.
    let title = image.title.map { [.lineBreak, .text($0, .emphasis)] as [Inline] } ?? []
    guard let picture = picture(of: image) else {
      var image = image
      (image.title, image.alt) = (nil, alt)
      return set([.image(image)] + title, base: textRole)
    }
    for _ in 0..<picture.rows {
      var line = pictureLine(columns: picture.columns)
      line.picture = pictures.count
      lines.append(line)
    }
    pictures.append(picture)
    let text = alt.isEmpty ? "picture" : alt
    let hasWords = !alt.isEmpty || image.link != nil
    let words = hasWords ? [.text(text, link: image.link)] + title : Array(title.dropFirst())
    if !words.isEmpty { set(words, base: .dim) }
  }

  /// A line that a picture is drawn on: on the side on which its text would begin, with the margins of both sides. It
  /// has no fields, for the cells of a picture are never put into another order.
  private mutating func pictureLine(columns: Int) -> StyledLine {
    guard margins.contains(where: { $0.direction == .rightToLeft }) else {
      var line = StyledLine(nextMarginSpans(), at: position)
      line.pictureColumn = line.columns
      return line
    }
    func parts(_ direction: TextDirection) -> [(String, TextRole)] {
      margins.filter { $0.direction == direction }.map {
        ($0.isFirst ? $0.first : $0.rest, $0.role)
      }
    }
    let left = parts(.leftToRight)
    let right = parts(.rightToLeft).reversed().map { ($0.mirrored, $1) }
    _ = nextMarginSpans()
    let space = (String(repeating: " ", count: measure), TextRole.body)
    var line = StyledLine(Self.joined(left + [space] + right), at: position)
    let start = left.reduce(0) { $0 + TextWidth.columns(of: $1.0) }
    let isRight = margins.last?.direction == .rightToLeft
    line.pictureColumn = start + (isRight ? max(0, measure - columns) : 0)
    return line
  }

  private func picture(of image: Image) -> PagePicture? {
    guard let room, let url = image.source, url.hasPrefix("http"),
      pictures.count < ArticleLayout.mostPictures
    else { return nil }
    let told = image.size.map { PixelSize(width: $0.width, height: $0.height) }
    // A sign in the text, not a picture.
    if let told, told.width < room.cell.width * 3, told.height < room.cell.height * 2 { return nil }
    let cells =
      (room.size(url) ?? told).map { room.cells(of: $0, columns: measure) }
      ?? room.cellsOfUnknown(columns: measure)
    return PagePicture(
      url: url, alt: image.alt, columns: cells.columns, rows: cells.rows, line: lines.count,
      link: image.link)
  }

  /// Sets the list of links below the blocks, and at its end the address of the article, unless it is one of them.
  mutating func set(_ links: [Link], of address: String?, block: Int) {
    position = ReadingPosition(block: block)
    set(links)
    guard let address, !links.contains(where: { $0.url == address }) else { return }
    setBlank()
    set([.text(address)], base: .dim)
  }

  private mutating func set(_ links: [Link]) {
    guard !links.isEmpty else { return }
    if !lines.isEmpty { setBlank() }
    set([.text("Links")], base: .heading2)
    setBlank()
    let widest = "[\(links.count)] ".utf8.count
    for link in links {
      let marker = "[\(link.number)] "
      let padding = String(repeating: " ", count: max(0, widest - marker.utf8.count))
      within(padding + marker, String(repeating: " ", count: widest), .linkNumber, .leftToRight) {
        $0.set(FlatText(address: link))
      }
    }
  }

  // MARK: - Lines

  mutating func set(_ inlines: [Inline], base: TextRole) {
    set(FlatText(inlines, base: base, styled: styled))
  }

  private mutating func set(_ text: FlatText) {
    keepAnchors(of: text)
    let direction = text.direction
    for line in text.lines(width: measure) {
      setLine(text.spans(of: line), offset: line.start, direction: direction)
    }
    skip(text.bytes.count)
  }

  /// Keeps where the anchors of a text are that comes next.
  mutating func keepAnchors(of text: FlatText) {
    for anchor in text.anchors where anchors[anchor.name] == nil {
      anchors[anchor.name] = ReadingPosition(
        block: position.block, offset: position.offset + anchor.offset)
    }
  }

  /// Keeps the anchors of a text whose lines have no positions of their own.
  mutating func keepAnchors(atStartOf text: FlatText) {
    for anchor in text.anchors where anchors[anchor.name] == nil {
      anchors[anchor.name] = position
    }
  }

  /// Sets one line between the margins.
  ///
  /// - Parameters:
  ///   - offset: Where it begins, counted from the text that is being set.
  ///   - direction: That of its text; nil for that of the text around it.
  ///   - parts: The parts of its text that are texts by themselves, from its first column to its last.
  mutating func setLine(
    _ spans: [StyledSpan], offset: Int = 0, direction: TextDirection? = nil, parts: [LinePart] = []
  ) {
    var line = StyledLine(at: position)
    line.fields = fields(direction, parts)
    line.position.offset += offset
    line.spans = nextMarginSpans()
    line.spans += spans
    for case let link? in spans.map(\.link) where linesOfLinks[link]?.last != lines.count {
      if linesOfLinks[link] == nil { linksInOrder.append(link) }
      linesOfLinks[link, default: []].append(lines.count)
    }
    lines.append(line)
  }

  private mutating func nextMarginSpans() -> [StyledSpan] {
    if let marginSpans { return marginSpans }
    let spans = Self.joined(margins.map { ($0.isFirst ? $0.first : $0.rest, $0.role) })
    if margins.contains(where: \.isFirst) {
      for index in margins.indices { margins[index].isFirst = false }
    } else {
      marginSpans = spans
    }
    return spans
  }

  /// Neighbours of one role as one span: a line inside many quotes is a line like others.
  private static func joined(_ parts: some Sequence<(String, TextRole)>) -> [StyledSpan] {
    var spans: [StyledSpan] = []
    for (text, role) in parts {
      if spans.last?.role == role {
        spans[spans.count - 1].text += text
      } else {
        spans.append(StyledSpan(text, role))
      }
    }
    return spans
  }

  private mutating func setRule() {
    if rule.columns != measure {
      rule = (String(repeating: "─", count: measure), measure)
    }
    setLine([StyledSpan(rule.text, .rule)])
  }

  /// Advances the position behind a text of `count` bytes.
  mutating func skip(_ count: Int) { position.offset += count + 1 }

  /// Where the parts of a line show; none where all stand from left to right. A margin takes its columns from one side of
  /// the room that those before it have left.
  private func fields(_ direction: TextDirection?, _ parts: [LinePart]) -> [LineField] {
    let direction = direction ?? margins.last?.direction ?? .leftToRight
    guard
      direction == .rightToLeft || margins.contains(where: { $0.direction == .rightToLeft })
        || parts.contains(where: { $0.direction == .rightToLeft })
    else { return [] }
    var fields: [LineField] = []
    var (start, left, right) = (0, 0, width)
    for margin in margins {
      let isLeft = margin.direction == .leftToRight
      if !isLeft { right -= margin.columns }
      fields.append(
        LineField(
          start: start, width: margin.columns, place: isLeft ? left : right,
          direction: margin.direction))
      if isLeft { left += margin.columns }
      start += margin.columns
    }
    guard !parts.isEmpty else {
      let room = max(0, right - left)
      return fields + [LineField(start: start, width: room, place: left, direction: direction)]
    }
    for part in parts {
      let isLeft = direction == .leftToRight
      if !isLeft { right -= part.width }
      fields.append(
        LineField(
          start: start, width: part.width, place: isLeft ? left : right, direction: part.direction))
      if isLeft { left += part.width }
      start += part.width
    }
    return fields
  }

  mutating func setBlank() {
    let bars = margins.lastIndex { $0.role == .quoteBar }
    let spans = Self.joined(margins[...(bars ?? -1)].map { ($0.rest, $0.role) })
    var line = StyledLine(spans, at: position)
    line.fields = fields(nil, [])
    lines.append(line)
    position.offset += 1
  }

  /// Sets what `content` sets with one more margin. Where that would leave less than half of the
  /// width for the text, a marker gets a line of its own instead.
  private mutating func within(
    _ first: String, _ rest: String, _ role: TextRole, _ direction: TextDirection?,
    _ content: (inout ArticleTypesetter) -> Void
  ) {
    let columns = TextWidth.columns(of: first)
    guard measure - columns >= (width + 1) / 2 else {
      if role == .listMarker || role == .linkNumber {
        let marker = FlatText([.text(String(first.drop { $0 == " " }))], base: role)
        for line in marker.lines(width: measure) where line.end > line.start {
          setLine(marker.spans(of: line), direction: direction)
        }
        position.offset += 1
      }
      content(&self)
      return
    }
    margins.append(
      Margin(
        first: first, rest: rest, role: role, columns: columns,
        direction: direction ?? margins.last?.direction ?? .leftToRight))
    content(&self)
    margins.removeLast()
  }
}

extension String {
  /// A margin as it shows on the right: its spaces on the other side, and the dot of a number before it.
  fileprivate var mirrored: String {
    let before = prefix { $0 == " " }
    guard before.count < count else { return self }
    let after = reversed().prefix { $0 == " " }.count
    var sign = dropFirst(before.count).dropLast(after)
    let hasDot = sign.count > 1 && (sign.last == "." || sign.last == ")")
    let dot = hasDot ? String(sign.removeLast()) : ""
    return String(repeating: " ", count: after) + dot + sign + before
  }
}

extension Block {
  fileprivate var isParagraph: Bool { if case .paragraph = self { true } else { false } }

  /// Whether it is a paragraph of just these words.
  fileprivate func says(_ words: String) -> Bool {
    guard case .paragraph(let inlines) = self, !words.isEmpty else { return false }
    let text = inlines.map { if case .text(let text, _, _) = $0 { text } else { "" } }.joined()
    return text.split(whereSeparator: \.isWhitespace)
      == words.split(whereSeparator: \.isWhitespace)
  }
}

/// Part of the text of a line that is a text by itself, such as a cell of a table.
struct LinePart {
  var width: Int
  var direction: TextDirection
}

extension [Block] {
  /// The direction of the first letter in them; nil where there is none.
  fileprivate var direction: TextDirection? { firstDirection(\.direction) }
}

extension Block {
  fileprivate var direction: TextDirection? {
    switch self {
    case .heading(_, let inlines), .paragraph(let inlines): inlines.direction
    case .list(let list): list.items.firstDirection(\.direction)
    case .quote(let blocks), .indented(let blocks): blocks.direction
    case .table(let table):
      table.rows.firstDirection { $0.cells.firstDirection(\.inlines.direction) }
    case .figure(let image): TextDirection(of: image.alt)
    case .preformatted, .rule, .note: nil
    }
  }
}

extension [Inline] {
  fileprivate var direction: TextDirection? {
    firstDirection { inline in
      switch inline {
      case .text(let text, _, _): TextDirection(of: text)
      case .image(let image): TextDirection(of: image.alt)
      case .lineBreak, .anchor: nil
      }
    }
  }
}

extension Sequence {
  /// The direction of the first that has one, each asked once: a lazy collection asks for its first element twice, which
  /// would double the time with every quote inside a quote.
  fileprivate func firstDirection(_ direction: (Element) -> TextDirection?) -> TextDirection? {
    for element in self {
      if let found = direction(element) { return found }
    }
    return nil
  }
}
