internal import Text

/// The inline content of one block, its white space collapsed as CSS does across elements
/// (CSS Text §4.1.1): of a run of white space one space stays, in the text where the run begins,
/// and none at the edges of a line.
struct ParagraphBuilder {
  private var inlines: [Inline] = []
  /// Indices of the inlines that are visible, as anchors are not.
  private var shown: [Int] = []
  /// Number of blocks finished.
  private var blocks = 0
  /// The current run of text, of one formatting.
  private var text: [UInt8] = []
  private var traits: Traits = []
  private var link: Int?
  /// Whether white space is dropped at the current place.
  private var isAtSpace = true
  var hasIsolates: Bool { isolates > 0 }
  private var isolates = 0

  var isEmpty: Bool { text.isEmpty && shown.isEmpty }

  var endsWithLineBreak: Bool {
    text.isEmpty && shown.last.map { inlines[$0] == .lineBreak } ?? false
  }

  private mutating func show(_ inline: Inline) {
    shown.append(inlines.count)
    inlines.append(inline)
  }

  mutating func append(_ added: String, _ traits: Traits, link: Int?) {
    if (traits, link) != (self.traits, self.link) {
      endText()
      (self.traits, self.link) = (traits, link)
    }
    var added = added
    added.withUTF8 { bytes in
      var index = 0
      while index < bytes.count {
        if bytes[index].isASCIISpace {
          if !isAtSpace { text.append(0x20) }
          isAtSpace = true
          index += 1
          continue
        }
        let start = index
        while index < bytes.count, !bytes[index].isASCIISpace { index += 1 }
        text.append(contentsOf: bytes[start..<index])
        isAtSpace = false
      }
    }
  }

  /// A place in the block that is being built.
  struct Place: Hashable {
    fileprivate var block: Int
    fileprivate var inlines: Int
    fileprivate var isAtSpace: Bool
  }

  /// The current place, where the next text will stand.
  mutating func place() -> Place {
    endText()
    return Place(block: blocks, inlines: inlines.count, isAtSpace: isAtSpace)
  }

  /// Writes what was added from a place on as raised or lowered text.
  mutating func write(_ script: ScriptText, from place: Place) {
    endText()
    // An element with blocks or pictures is no script.
    guard place.block == blocks, place.inlines < inlines.count else { return }
    let written = inlines[place.inlines...].filter { !$0.isAnchor }
    var pieces = written.compactMap { inline -> (String, Traits, Int?)? in
      if case .text(let text, let traits, let link) = inline { (text, traits, link) } else { nil }
    }
    guard !pieces.isEmpty, pieces.count == written.count else { return }
    if pieces[0].0.utf8.first == 0x20 { pieces[0].0.removeFirst() }
    let text = pieces.reduce("") { $0 + $1.0 }
    let end = text.utf8.last == 0x20 ? " " : ""
    if !end.isEmpty { pieces[pieces.count - 1].0 = String(pieces[pieces.count - 1].0.dropLast()) }
    switch script.form(of: String(text.dropLast(end.count)), behind: lastWord(before: place)) {
    case .plain: return
    case .signs: pieces = pieces.map { (script.signs(for: $0.0) ?? $0.0, $0.1, $0.2) }
    case .marked(let open, let close):
      pieces[0].0 = open + pieces[0].0
      pieces[pieces.count - 1].0 += close
    }
    let anchors = inlines[place.inlines...].filter(\.isAnchor)
    inlines.removeSubrange(place.inlines...)
    while let last = shown.last, last >= place.inlines { shown.removeLast() }
    inlines += anchors
    isAtSpace = place.isAtSpace
    if case .text(let before, let traits, let link)? = inlines.last {
      // Text of the same kind goes on.
      inlines.removeLast()
      shown.removeLast()
      (self.traits, self.link) = (traits, link)
      self.text = Array(before.utf8)
    }
    for (text, traits, link) in pieces { append(text, traits, link: link) }
    if !end.isEmpty, let last = pieces.last { append(end, last.1, link: last.2) }
  }

  /// Puts the signs of an isolate around what was added from a place on, within the spaces at its ends.
  mutating func isolate(_ isolate: Isolate, from place: Place) {
    endText()
    // Blocks have directions of their own.
    guard place.block == blocks, isolates < Isolate.most else { return }
    func isText(_ index: Int) -> Bool { inlines[index].text.map { $0 != " " } ?? false }
    let added = min(place.inlines, inlines.count)..<inlines.count
    guard let first = added.first(where: isText), let last = added.last(where: isText)
    else { return }
    isolates += 1
    change(first) { text in
      text.hasPrefix(" ") ? " " + isolate.opening + text.dropFirst() : isolate.opening + text
    }
    change(last) { text in
      text.hasSuffix(" ") ? text.dropLast() + isolate.closing + " " : text + isolate.closing
    }
  }

  private mutating func change(_ index: Int, _ write: (String) -> String) {
    guard case .text(let text, let traits, let link) = inlines[index] else { return }
    inlines[index] = .text(write(text), traits, link: link)
  }

  /// The letters and digits in front of a place; of a long word its end.
  private func lastWord(before place: Place) -> Substring {
    guard let last = shown.last(where: { $0 < place.inlines }),
      case .text(let text, _, _) = inlines[last]
    else { return "" }
    var start = text.endIndex
    for _ in 0..<16 {
      guard start > text.startIndex else { break }
      let before = text.index(before: start)
      guard !text[before].isWhitespace else { break }
      start = before
    }
    return text[start...]
  }

  /// Appends an anchor before the next inline.
  mutating func append(anchor name: String) {
    endText()
    inlines.append(.anchor(name))
  }

  mutating func append(_ image: Image) {
    endText()
    show(.image(image))
    isAtSpace = false
  }

  var lastImage: Image? {
    get { indexOfLastImage.flatMap { inlines[$0].image } }
    set {
      guard let index = indexOfLastImage, let newValue else { return }
      inlines[index] = .image(newValue)
    }
  }

  private var indexOfLastImage: Int? {
    shown.last { inlines[$0].image != nil }
  }

  /// Appends a line break, but none at the beginning of a block, where it has no line to end.
  mutating func appendLineBreak() {
    trimEnd()
    guard !isEmpty else { return }
    show(.lineBreak)
    isAtSpace = true
  }

  mutating func finish() -> [Inline] {
    trimEnd()
    while let last = shown.last, inlines[last] == .lineBreak {
      inlines.remove(at: last)
      shown.removeLast()
      trimEnd()
    }
    defer {
      let blocks = blocks
      self = ParagraphBuilder()
      self.blocks = blocks + 1
    }
    return inlines
  }

  private mutating func endText() {
    guard !text.isEmpty else { return }
    show(.text(String(decoding: text, as: UTF8.self), traits, link: link))
    text.removeAll(keepingCapacity: true)
  }

  /// Drops the white space that comes next.
  mutating func dropSpace() { isAtSpace = true }

  /// Removes the space at the end of the line, and with it a text that is nothing else.
  mutating func trimEnd() {
    endText()
    guard isAtSpace, let index = shown.last,
      case .text(var last, let traits, let link) = inlines[index], last.utf8.last == 0x20
    else { return }
    last.removeLast()
    if last.isEmpty {
      inlines.remove(at: index)
      shown.removeLast()
    } else {
      inlines[index] = .text(last, traits, link: link)
    }
  }
}
