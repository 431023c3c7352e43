internal import Text

/// A reader of HTML whose elements nest as they are written, as nearly all do that have been through `HTMLNormalizer`.
///
/// It does in one pass what gumbo does with a tree, whose making is more than half of the work on a long article, and
/// gives the same document. Where the rules of HTML move, close or repeat elements (WHATWG HTML §13.2.6), and
/// where a character reference is not plain, it gives up: `HTMLTree` reads that.
struct NestedHTML {
  private struct Open {
    var tag: HTMLTag
    /// Nil for what is left out with all that is in it.
    var leaving: DocumentBuilder.Leaving?
    /// A medium, of which only the address counts: its own, or that of the first source in it.
    var medium: DocumentBuilder.Element?
    var source: String??
    /// Whether no tag stands for it: a `tbody` around rows.
    var isImplied = false
  }

  private let bytes: ByteBuffer
  private var tokenizer: MarkupTokenizer
  private var position = 0
  private var open: [Open] = []
  /// Elements that are open within the outermost one that is left out, that included.
  private var leftOut = 0

  /// Reads HTML that has been through `HTMLNormalizer`.
  ///
  /// - Returns: false where it must be read by `HTMLTree`. The builder is then of no use.
  static func read(_ html: [UInt8], into builder: inout DocumentBuilder) -> Bool {
    html.withUnsafeBufferPointer { buffer in
      var reader = NestedHTML(
        bytes: buffer, tokenizer: MarkupTokenizer(buffer, skipsRawText: false))
      return reader.read(&builder)
    }
  }

  private init(bytes: ByteBuffer, tokenizer: MarkupTokenizer) {
    self.bytes = bytes
    self.tokenizer = tokenizer
  }

  private mutating func read(_ builder: inout DocumentBuilder) -> Bool {
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { return false }
    if mayHoldNoncharacters { return false }
    while let token = tokenizer.nextTag() {
      guard readText(upTo: token.start, &builder) else { return false }
      position = token.end
      let isNested =
        switch token.kind {
        case .open: readStart(token, &builder)
        case .close: readEnd(token, &builder)
        case .other: false
        }
      guard isNested else { return false }
    }
    return readText(upTo: bytes.count, &builder) && open.isEmpty
  }

  /// Gumbo replaces them: U+FDD0 to U+FDEF, and the last two of each plane.
  private var mayHoldNoncharacters: Bool {
    var index = 0
    while let next = bytes.firstIndex(of: 0xBF, from: index), next + 1 < bytes.count {
      if bytes[next + 1] == 0xBE || bytes[next + 1] == 0xBF { return true }
      index = next + 1
    }
    index = 0
    while let next = bytes.firstIndex(of: 0xB7, from: index) {
      if next > 0, bytes[next - 1] == 0xEF { return true }
      index = next + 1
    }
    return false
  }

  // MARK: Text

  private func readText(upTo end: Int, _ builder: inout DocumentBuilder) -> Bool {
    guard position < end else { return true }
    if let parent = open.last?.tag, parent.isTableStructure,
      !bytes[position..<end].allSatisfy(\.isASCIISpace)
    {
      return false
    }
    guard let text = decoded(position..<end, isAttribute: false) else { return false }
    if leftOut == 0 { builder.append(text) }
    return true
  }

  /// Nil where a reference is not plain.
  private func decoded(_ range: Range<Int>, isAttribute: Bool) -> String? {
    guard var next = bytes.firstIndex(of: 0x26, in: range) else { return bytes.string(range) }
    var output: [UInt8] = []
    output.reserveCapacity(range.count)
    var copied = range.lowerBound
    while true {
      if let (scalar, length) = CharacterReference.decode(bytes, at: next, strict: true) {
        // Gumbo reads numbers without end in its own way.
        guard next + length <= range.upperBound, bytes[next + 1] != 0x23 || length <= 10 else {
          return nil
        }
        output.append(contentsOf: bytes[copied..<next])
        output.append(scalar: scalar)
        copied = next + length
      } else if !CharacterReference.isText(bytes, at: next, within: range, isAttribute: isAttribute)
      {
        return nil
      }
      guard let following = bytes.firstIndex(of: 0x26, in: max(next + 1, copied)..<range.upperBound)
      else { break }
      next = following
    }
    output.append(contentsOf: bytes[copied..<range.upperBound])
    return String(decoding: output, as: UTF8.self)
  }

  // MARK: Elements

  private mutating func readStart(
    _ token: MarkupTokenizer.Tag, _ builder: inout DocumentBuilder
  ) -> Bool {
    guard let tag = HTMLTag(name: bytes[token.name]), HTMLTree.knows(tag) else { return false }
    if open.last?.isImplied == true, tag != .tr, tag.isTableSection { closeInnermost(&builder) }
    guard nests(tag) else { return false }
    if tag == .tr, open.last?.tag == .table {
      let body = DocumentBuilder.Element(tag: .tbody)
      push(Open(tag: .tbody, leaving: leftOut == 0 ? builder.enter(body) : nil, isImplied: true))
    }
    guard let element = element(tag, token) else { return false }
    if tag == .pre, position < bytes.count {
      // A line end there is none, however it is written.
      if bytes[position] == 0x26 { return false }
      if bytes[position] == 0x0A { position += 1 }
    }
    if tag == .source, let index = open.indices.last, open[index].medium != nil,
      open[index].source == nil
    {
      open[index].source = .some(element["src"])
    }
    if leftOut > 0 || element.isLeftOut || builder.showsAgain(element) {
      if !tag.isVoid { push(Open(tag: tag)) }
      return true
    }
    if tag.isMedia {
      push(Open(tag: tag, medium: element))
      return true
    }
    if tag == .a, element["href"]?.hasPrefix("#") == true, let sign = onlyText(behind: token),
      element.isHeadingSign(saying: sign.text)
    {
      position = sign.end
      tokenizer.move(to: sign.end)
    }
    let leaving = builder.enter(element)
    if tag.isVoid {
      builder.leave(leaving)
    } else {
      push(Open(tag: tag, leaving: leaving))
    }
    return true
  }

  private mutating func readEnd(
    _ token: MarkupTokenizer.Tag, _ builder: inout DocumentBuilder
  ) -> Bool {
    guard let tag = HTMLTag(name: bytes[token.name]) else { return false }
    if open.last?.isImplied == true, tag == .table { closeInnermost(&builder) }
    guard let last = open.last, last.tag == tag, !last.isImplied else { return false }
    closeInnermost(&builder)
    return true
  }

  private mutating func push(_ element: Open) {
    open.append(element)
    if leftOut > 0 || element.leaving == nil { leftOut += 1 }
  }

  private mutating func closeInnermost(_ builder: inout DocumentBuilder) {
    let closed = open.removeLast()
    if leftOut > 0 { leftOut -= 1 }
    if let medium = closed.medium {
      builder.appendMedia(medium, source: closed.source ?? nil)
    } else if let leaving = closed.leaving {
      builder.leave(leaving)
    }
  }

  private func element(
    _ tag: HTMLTag, _ token: MarkupTokenizer.Tag
  ) -> DocumentBuilder.Element? {
    guard token.attributes.count > 0 else { return DocumentBuilder.Element(tag: tag) }
    var attributes: [(name: String, value: String)] = []
    for attribute in MarkupAttributes(bytes, of: token) {
      guard let value = decoded(attribute.value, isAttribute: true) else { return nil }
      let name = bytes.string(attribute.name).lowercased()
      // Of two with one name the first counts.
      if !attributes.contains(where: { $0.name == name }) { attributes.append((name, value)) }
    }
    return DocumentBuilder.Element(tag: tag, attributes: attributes)
  }

  /// The text of an element that has nothing else in it, where it is short.
  private func onlyText(behind token: MarkupTokenizer.Tag) -> (text: String, end: Int)? {
    guard let end = bytes.firstIndex(of: 0x3C, from: token.end), end > token.end,
      end - token.end <= 64, bytes.hasWord("</a>", at: end),
      let text = decoded(token.end..<end, isAttribute: false), text.utf8.count <= 16
    else { return nil }
    return (text, end)
  }

  // MARK: The rules of HTML

  /// Whether an element is put where its tag stands, and nothing else happens (WHATWG HTML §13.2.6.4.7 to 15).
  private func nests(_ tag: HTMLTag) -> Bool {
    let parent = open.last?.tag
    switch parent {
    case .table: guard tag == .caption || tag == .tr || tag.isTableSection else { return false }
    case .thead, .tbody, .tfoot: guard tag == .tr else { return false }
    case .tr: guard tag == .td || tag == .th else { return false }
    default: guard !tag.isTablePart else { return false }
    }
    switch tag {
    case .a: return !isOpen(.a, within: \.isScope)
    case .h1, .h2, .h3, .h4, .h5, .h6: if parent?.isHeading == true { return false }
    case .li: if isOpen(.li, within: \.endsListItems) { return false }
    case .dt, .dd:
      if isOpen(.dt, within: \.endsListItems) || isOpen(.dd, within: \.endsListItems) {
        return false
      }
    case .rt:
      switch parent {
      case .dd, .dt, .li, .p, .rt: return false
      default: return true
      }
    default: break
    }
    return !tag.isBlock || !isOpen(.p, within: \.isScope)
  }

  private func isOpen(_ tag: HTMLTag, within isBarrier: (HTMLTag) -> Bool) -> Bool {
    for element in open.reversed() {
      if element.tag == tag { return true }
      if isBarrier(element.tag) { return false }
    }
    return false
  }
}

extension HTMLTag {
  fileprivate var isTableSection: Bool {
    self == .thead || self == .tbody || self == .tfoot || self == .caption
  }

  /// Where the search for an open item of a list ends: the special elements, but for some (WHATWG HTML §13.2.4.2).
  fileprivate var endsListItems: Bool {
    switch self {
    case .address, .div, .p: false
    case .a, .abbr, .b, .big, .cite, .code, .del, .dfn, .em, .i, .ins, .kbd, .mark, .q, .rt, .ruby,
      .s, .samp, .small, .span, .strike, .strong, .sub, .sup, .tt, .u, .var, .li, .dd, .dt:
      false
    default: true
    }
  }
}
