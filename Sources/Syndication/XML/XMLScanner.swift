internal import Text

/// Tokeniser of UTF-8 text that is nearly XML, in pieces, with recovery:
///
/// - missing end tags are inserted, and superfluous ones dropped; the root stays open to the end;
/// - tags follow HTML's rules: values without quotes, attributes without a value;
/// - an ampersand without a reference, and a `<` without a tag, are text;
/// - HTML's named references are decoded, and those to 0x80–0x9F are windows-1252;
/// - characters that XML 1.0 §2.2 forbids, comments and instructions are dropped.
///
/// Nothing is loaded, no document type and no external entity.
///
/// One long type, because each step needs the bytes, the state and the open elements. Independent
/// decisions are in `XMLTag`, `XMLReference`, `EntryPlaces`, `ForgottenEnd` and `DocumentType`.
struct XMLScanner {
  /// For one tag.
  static let attributeLimit = 256
  /// Below this depth only text and empty elements are kept.
  static let depthLimit = 1040
  /// In bytes.
  private static let tagLimit = 1 << 20
  private static let nameLimit = 256
  /// Bytes that are searched for the proper end of a comment or instruction.
  private static let markReach = 4096

  enum Token {
    case waiting
    /// The element is in `element`.
    case start
    case text(Range<Int>)
    /// The bytes of `text`.
    case decoded
    case end
  }

  let element: XMLElement
  let text = DecodedText()
  private(set) var warnings = ParseWarnings()
  private(set) var complaints = ParseWarnings()
  /// Line of the first byte that is not counted yet.
  private(set) var line: Int

  private enum State {
    case content, cdata, comment, documentType
    case instruction
    /// Skipped up to the next `>`, as XML declarations are.
    case junk
    /// Skipped up to the end of the document.
    case behindRoot
  }

  private enum Step {
    case next(Int)
    /// More bytes are needed.
    case wait(Int)
    case token(Token, end: Int)
  }

  private var state = State.content
  private var elements: OpenElements
  /// Number of elements that end before anything else is read.
  private var endsDue = 0
  /// Whether the latest element has no end tag.
  private var closesItself = false
  /// Number of namespace declarations around the latest element.
  private var bindingsAround = 0
  /// Number of open elements beyond the depth limit.
  private var beyondLimit = 0
  private var hasRoot = false
  private var hasStarted = false
  private var isRootClosed = false
  private var documentType = DocumentType()
  private(set) var references = ReferenceText()
  private var openLine = 1
  /// Length of the current CDATA section in bytes.
  private var sectionLength = 0
  /// Whether these bytes were part of an unclosed section, so that none in them has an end.
  private var isInOpenSection = false
  /// The end of the current section if nothing closes it.
  private var sectionEnd: Int?
  private var entries = EntryPlaces()
  /// Start of a tag whose unclosed predecessors have been closed.
  private var settledTag: Int?
  private(set) var tagStart = 0
  /// Number of bytes whose lines are counted.
  private var counted = 0
  /// Attributes of the current tag; the buffer is reused.
  private var attributes: [XMLTag.Attribute] = []

  init(firstLine: Int = 1) {
    line = firstLine
    let names = XMLNameTable()
    element = XMLElement(names: names)
    elements = OpenElements(names: names)
  }

  /// Begins new input: the bytes that were left, and the following ones.
  mutating func begin() { counted = 0 }

  /// Reads from `index` and advances it. The rest has to be passed again with the following bytes.
  mutating func next(_ bytes: ByteBuffer, from index: inout Int, isLast: Bool) -> Token {
    if closesItself {
      closesItself = false
      element.endBindings(downTo: bindingsAround)
      return .end
    }
    if endsDue > 0 {
      endsDue -= 1
      return closeInnermost()
    }
    while index < bytes.count {
      switch step(bytes, at: index, isLast: isLast) {
      case .next(let next): index = next
      case .wait(let place):
        index = place
        countLines(in: bytes, to: index)
        return .waiting
      case .token(let token, let end):
        index = end
        return token
      }
    }
    // An unclosed section is read once more without its end.
    if isLast, isRootClosed, !elements.isEmpty, state != .cdata || openSection == nil {
      return closeInnermost()
    }
    countLines(in: bytes, to: index)
    return .waiting
  }

  // MARK: Lines

  /// The line of a place. Places must not descend between calls.
  mutating func line(of place: Int, in bytes: ByteBuffer) -> Int {
    countLines(in: bytes, to: place)
    return line
  }

  private mutating func countLines(in bytes: ByteBuffer, to end: Int) {
    while counted < end, let lineEnd = bytes.firstIndex(of: 0x0A, in: counted..<end) {
      line += 1
      counted = lineEnd + 1
    }
    counted = max(counted, end)
  }

  private mutating func warn(
    _ cause: @autoclosure () -> String, _ bytes: ByteBuffer, at index: Int
  ) {
    guard warnings.countsNext() else { return }
    warnings.add(cause(), line: line(of: index, in: bytes))
  }

  // MARK: The end of the document

  /// The unclosed CDATA section: its length, and the search for its probable end.
  var openSection: (length: Int, end: ForgottenEnd)? {
    guard case .cdata = state, !isInOpenSection, let end = forgottenEnd else { return nil }
    return (sectionLength, end)
  }

  private var forgottenEnd: ForgottenEnd? {
    guard elements.count > 1 else { return nil }
    return ForgottenEnd(
      element: Array(elements.name(at: elements.count - 1)),
      parent: Array(elements.name(at: elements.count - 2)))
  }

  /// Ends the section. The caller passes the bytes after it again.
  mutating func endOpenSection(before rest: [UInt8]) {
    warnings.add(Self.forgottenSection, line: openLine)
    state = .content
    isInOpenSection = true
    line -= rest.count { $0 == 0x0A }
  }

  private static let forgottenSection = "A CDATA section is not closed; it ends with its element."

  mutating func finish() {
    switch state {
    case .cdata:
      warnings.add(
        "A CDATA section is not closed; all that follows belongs to it.", line: openLine)
    case .comment:
      warnings.add(
        "A comment is not closed; what follows in it was not read.", line: openLine)
    case .content, .documentType, .instruction, .junk, .behindRoot: break
    }
  }

  // MARK: Steps

  private mutating func step(_ bytes: ByteBuffer, at index: Int, isLast: Bool) -> Step {
    switch state {
    case .content: return content(bytes, at: index, isLast: isLast)
    case .cdata: return section(bytes, at: index, isLast: isLast)
    case .comment: return comment(bytes, at: index, isLast: isLast)
    case .instruction: return instruction(bytes, at: index, isLast: isLast)
    case .junk:
      let end = bytes.firstIndex(of: 0x3E, from: index).map { $0 + 1 }
      if end != nil { state = .content }
      return .next(end ?? bytes.count)
    case .documentType: return documentType(bytes, at: index, isLast: isLast)
    case .behindRoot: return .next(bytes.count)
    }
  }

  private mutating func content(_ bytes: ByteBuffer, at index: Int, isLast: Bool) -> Step {
    if bytes[index] == 0x3C { return markup(bytes, at: index, isLast: isLast) }
    let end = bytes.firstIndex(of: 0x3C, from: index) ?? bytes.count
    // Only markup precedes the root.
    if elements.isEmpty { return .next(end) }
    return plainText(bytes, index..<end, isLast: isLast)
  }

  private mutating func plainText(_ bytes: ByteBuffer, _ range: Range<Int>, isLast: Bool) -> Step {
    let run = ByteBuffer(rebasing: bytes[..<range.upperBound])
    var index = range.lowerBound
    var start = index
    var isDecoded = false
    while true {
      // 0xEF may begin U+FFFE or U+FFFF, which are forbidden.
      index = run.firstStop(from: index, 0x26, 0x26, 0xEF)
      guard index < run.count else { break }
      var length = 1
      var scalar: UInt32?
      var expansion = ""
      if run[index] == 0x26 {
        let (byte, known) = XMLReference.common(bytes, at: index)
        if known > 0 {
          if !isDecoded { text.begin() }
          isDecoded = true
          text.append(run, start..<index, then: byte)
          index += known
          start = index
          continue
        }
        guard let found = XMLReference.action(bytes, at: index, isLast: isLast) else { break }
        length = found.length
        switch found.action {
        case .drop: break
        case .scalar(let value): scalar = value
        case .escapeAmpersand:
          warn("An “&” stands by itself.", bytes, at: index)
          scalar = 0x26
        case .keep: scalar = XMLReference.scalar(run, at: index, length: length)
        case .entity: expansion = references.expansion(run, at: index, length: length)
        }
      } else {
        length = run.lengthOfForbidden(at: index)
        if length == 0 {
          index += 1
          continue
        }
        if index + length > run.count, run.count == bytes.count, !isLast { break }
        length = min(length, run.count - index)
      }
      if !isDecoded {
        isDecoded = true
        text.begin()
      }
      text.append(run, start..<index)
      if let scalar { text.append(scalar) }
      if !expansion.isEmpty { text.append(expansion) }
      index += length
      start = index
    }
    guard index > range.lowerBound else { return .wait(index) }
    guard isDecoded else { return .token(.text(range.lowerBound..<index), end: index) }
    text.append(run, start..<index)
    return .token(.decoded, end: index)
  }

  /// Text of a CDATA section up to its end or a forbidden character.
  private mutating func section(_ bytes: ByteBuffer, at start: Int, isLast: Bool) -> Step {
    if start == sectionEnd {
      sectionEnd = nil
      state = .content
      return .next(start)
    }
    let bytes = ByteBuffer(rebasing: bytes[..<(sectionEnd ?? bytes.count)])
    var index = start
    while true {
      index = bytes.firstStop(from: index, 0x5D, 0x5D, 0xEF)
      guard index < bytes.count else { break }
      if bytes[index] == 0x5D {
        if bytes.count - index < 3, !isLast { break }
        if bytes.hasWord("]]>", at: index) { break }
      } else if bytes.lengthOfForbidden(at: index) > 0 {
        break
      }
      index += 1
    }
    if index > start {
      sectionLength += index - start
      return .token(.text(start..<index), end: index)
    }
    if bytes[index] == 0x5D {
      guard bytes.hasWord("]]>", at: index) else { return .wait(index) }
      state = .content
      return .next(index + 3)
    }
    let length = bytes.lengthOfForbidden(at: index)
    if index + length > bytes.count, !isLast { return .wait(index) }
    return .next(min(index + length, bytes.count))
  }

  private mutating func forgottenEnd(in bytes: ByteBuffer, from start: Int) -> Int? {
    let rest = ByteBuffer(rebasing: bytes[start...])
    guard let place = forgottenEnd?.place(in: rest) else { return nil }
    warn(Self.forgottenSection, bytes, at: start)
    return start + place
  }

  private mutating func documentType(_ bytes: ByteBuffer, at start: Int, isLast: Bool) -> Step {
    // The next byte tells whether a tag begins.
    let limit = bytes.last == 0x3C && !isLast ? bytes.count - 1 : bytes.count
    let end = documentType.read(ByteBuffer(rebasing: bytes[..<limit]), from: start)
    if end != nil {
      state = .content
      for entity in documentType.entities { references.entities.declare(entity.name, entity.text) }
      documentType = DocumentType()
    }
    return end == nil && limit < bytes.count ? .wait(limit) : .next(end ?? limit)
  }

  /// Skips a comment, whose end may be that of HTML or contain spaces.
  private mutating func comment(_ bytes: ByteBuffer, at start: Int, isLast: Bool) -> Step {
    var index = start
    while let dash = bytes.firstIndex(of: 0x2D, from: index) {
      var end = dash
      while end < bytes.count, bytes[end] == 0x2D { end += 1 }
      let isMark = end - dash >= 2
      let limit = min(bytes.count, end + 16)
      if isMark { while end < limit, bytes[end].isASCIISpace || bytes[end] == 0x21 { end += 1 } }
      if end == bytes.count, !isLast { return .wait(dash) }
      let isStrict = end < bytes.count && bytes[end - 1] == 0x2D
      if isMark, end < bytes.count, bytes[end] == 0x3E, !isStrict {
        let near = min(end + Self.markReach, bytes.count)
        if near == bytes.count, near < end + Self.markReach, !isLast { return .wait(dash) }
        if let proper = bytes.first("-->", before: "<!--", in: end..<near) {
          index = proper
          continue
        }
      }
      if isMark, end < bytes.count, bytes[end] == 0x3E {
        state = .content
        return .next(end + 1)
      }
      index = end
    }
    return .next(bytes.count)
  }

  /// Skips a processing instruction. An unclosed one ends at a tag.
  private mutating func instruction(_ bytes: ByteBuffer, at start: Int, isLast: Bool) -> Step {
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      guard byte == 0x3F || byte == 0x3C else {
        index += 1
        continue
      }
      guard index + 1 < bytes.count || isLast else { return .wait(index) }
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      if byte == 0x3F, next == 0x3E {
        state = .content
        return .next(index + 2)
      }
      if byte == 0x3C, next.isASCIILetter || next == 0x2F || next == 0x21 {
        let near = min(index + Self.markReach, bytes.count)
        if near == bytes.count, near < index + Self.markReach, !isLast { return .wait(index) }
        // A tag within the instruction, as in code.
        if let end = bytes.first("?>", before: "<?", in: index..<near) {
          index = end
          continue
        }
        warn("A processing instruction is not closed.", bytes, at: index)
        state = .content
        return .next(index)
      }
      index += 1
    }
    return .next(bytes.count)
  }

  // MARK: Markup

  private mutating func markup(_ bytes: ByteBuffer, at start: Int, isLast: Bool) -> Step {
    guard bytes.count - start >= 9 || isLast else { return .wait(start) }
    guard start + 1 < bytes.count else { return .next(bytes.count) }
    let next = bytes[start + 1]
    switch next {
    case 0x21: return .next(openDeclaration(bytes, at: start))
    case 0x3F: return .next(openInstruction(bytes, at: start))
    case 0x2F: return endTag(bytes, at: start, isLast: isLast)
    default:
      hasStarted = true
      guard XMLNames.starts(next) else { return bareBracket(bytes, at: start) }
      return startTag(bytes, at: start, isLast: isLast)
    }
  }

  private mutating func bareBracket(_ bytes: ByteBuffer, at start: Int) -> Step {
    guard !elements.isEmpty else { return .next(start + 1) }
    warn("A “<” stands by itself.", bytes, at: start)
    return .token(.text(start..<start + 1), end: start + 1)
  }

  private mutating func openDeclaration(_ bytes: ByteBuffer, at start: Int) -> Int {
    openLine = line(of: start, in: bytes)
    if bytes.hasWord("<![cdata[", at: start) {
      guard !elements.isEmpty else { return start + 9 }
      sectionLength = 0
      if isInOpenSection { sectionEnd = forgottenEnd(in: bytes, from: start + 9) }
      state = .cdata
      return start + 9
    }
    if bytes.hasWord("<!--", at: start) {
      state = .comment
      return start + 4
    }
    if hasRoot {
      warn("A declaration stands inside the document.", bytes, at: start)
      state = .junk
      return start
    }
    hasStarted = true
    state = .documentType
    return start
  }

  private mutating func openInstruction(_ bytes: ByteBuffer, at start: Int) -> Int {
    // Its content is known, and a second one would end the document.
    let isDeclaration = bytes.hasWord("<?xml", at: start)
    state = isDeclaration ? .junk : .instruction
    if isDeclaration, hasStarted, start + 5 < bytes.count, bytes[start + 5].isASCIISpace {
      warn("An XML declaration stands inside the document.", bytes, at: start)
    }
    hasStarted = true
    return start
  }

  // MARK: End tags

  private mutating func endTag(_ bytes: ByteBuffer, at start: Int, isLast: Bool) -> Step {
    var nameEnd = start + 2
    while nameEnd < bytes.count, nameEnd - start - 2 <= Self.nameLimit,
      XMLNames.contains(bytes[nameEnd])
    {
      nameEnd += 1
    }
    var end = nameEnd
    while end < bytes.count, bytes[end] != 0x3E, bytes[end] != 0x3C, end - start < Self.tagLimit {
      end += 1
    }
    guard end < bytes.count || end - start >= Self.tagLimit else {
      if !isLast { return .wait(start) }
      return .next(bytes.count)
    }
    if end < bytes.count, bytes[end] == 0x3E {
      end += 1
    } else if end - start >= Self.tagLimit {
      // The rest of the tag is no text.
      state = .junk
    }
    let name = ByteBuffer(rebasing: bytes[start + 2..<nameEnd])
    if beyondLimit == 0, elements.count > 1,
      element.names.isSame(elements.number(at: elements.count - 1), name)
    {
      return .token(closeInnermost(), end: end)
    }
    let number = element.names.numberToClose(name)
    if beyondLimit > 0, !element.names.kind(of: number).contains(.entry) {
      beyondLimit -= 1
      return .next(end)
    }
    beyondLimit = 0
    return close(number, name, bytes, at: start, end: end)
  }

  /// Closes the innermost element of the name and all within it.
  private mutating func close(
    _ number: Int32, _ name: ByteBuffer, _ bytes: ByteBuffer, at start: Int, end: Int
  ) -> Step {
    guard !name.isEmpty, let index = elements.lastIndex(of: number) else {
      guard !elements.isEmpty else { return .next(end) }
      let shown = PlainText.sanitized(bytes: ByteBuffer(rebasing: name.prefix(40)))
      warn("“</\(shown)>” closes nothing.", bytes, at: start)
      return .next(end)
    }
    if elements.count > index + 1 {
      for place in (index + 1..<elements.count).reversed() { warnOfOpen(place, bytes, at: start) }
    }
    endsDue = elements.count - index
    // The rest of the feed may follow the root's end.
    if index == 0 {
      isRootClosed = true
      endsDue -= 1
    }
    guard endsDue > 0 else { return .next(end) }
    endsDue -= 1
    return .token(closeInnermost(), end: end)
  }

  private mutating func warnOfOpen(_ place: Int, _ bytes: ByteBuffer, at start: Int) {
    let open = String(decoding: elements.name(at: place).prefix(40), as: UTF8.self)
    warn("“\(PlainText.sanitized(open))” is not closed.", bytes, at: start)
  }

  private mutating func closeInnermost() -> Token {
    element.endBindings(downTo: elements.pop())
    return .end
  }

  // MARK: Start tags

  private mutating func startTag(_ bytes: ByteBuffer, at start: Int, isLast: Bool) -> Step {
    let limit = min(bytes.count, start + Self.tagLimit)
    let isWhole = isLast || limit < bytes.count
    var nameEnd = start + 1
    while nameEnd < limit, XMLNames.contains(bytes[nameEnd]) { nameEnd += 1 }
    let name = start + 1..<nameEnd
    // Before the attributes are read, as that would be repeated for each `<` in them.
    if nameEnd < limit, isNoTag(bytes, name), Self.hasBracket(bytes, nameEnd..<limit) {
      return bareBracket(bytes, at: start)
    }
    guard nameEnd < limit,
      let tag = XMLTag(
        ByteBuffer(rebasing: bytes[..<limit]), from: nameEnd, isWhole: isWhole, into: &attributes)
    else {
      if !isWhole { return .wait(start) }
      // A truncated address is useless.
      if limit < bytes.count { warn("A tag is too long.", bytes, at: start) }
      state = .junk
      return .next(limit)
    }
    if tag.isText || isNoTag(bytes, name) { return bareBracket(bytes, at: start) }
    let number = element.names.number(of: ByteBuffer(rebasing: bytes[name]))
    if elements.isEmpty, hasRoot {
      warn("What follows the root element was not read.", bytes, at: start)
      state = .behindRoot
      return .next(start)
    }
    if settledTag == start {
      settledTag = nil
    } else {
      guard let isInPlace = isInPlace(number, tag, bytes, isLast: isLast) else {
        return .wait(start)
      }
      if !isInPlace, let end = closeSibling(of: number, bytes, at: start) { return end }
    }
    if elements.count >= Self.depthLimit, !tag.closesItself {
      warn("Elements are nested too deep; what lies deeper is read as text.", bytes, at: start)
      beyondLimit += 1
      return .next(tag.end)
    }
    let isSound = tag.isSound && attributes.count <= Self.attributeLimit
    if !isSound {
      warn(
        tag.isSound
          ? "A tag has too many attributes; some were left out."
          : "A tag is not written as XML has it.", bytes, at: start)
    }
    begin(number, bytes, isSound: isSound, end: tag.end)
    hasRoot = true
    if tag.closesItself {
      closesItself = true
    } else {
      elements.push(number, bindings: bindingsAround)
    }
    tagStart = start
    return .token(.start, end: tag.end)
  }

  /// Whether the name is text, as in `<http://example.org>` and `<somebody@example.org>`.
  private func isNoTag(_ bytes: ByteBuffer, _ name: Range<Int>) -> Bool {
    let ending = bytes[name.upperBound]
    guard bytes[name.upperBound - 1] != 0x3A, name.count <= Self.nameLimit,
      ending.isASCIISpace || ending == 0x2F || ending == 0x3E || ending == 0x3C
    else { return true }
    let number = element.names.number(of: ByteBuffer(rebasing: bytes[name]))
    return element.names.kind(of: number).contains(.unsound)
  }

  /// Whether anything ends the tag, which may be none.
  static func hasBracket(_ bytes: ByteBuffer, _ range: Range<Int>) -> Bool {
    bytes[range].contains { $0 == 0x3E || $0 == 0x3C }
  }

  private mutating func begin(_ name: Int32, _ bytes: ByteBuffer, isSound: Bool, end: Int) {
    bindingsAround = element.bindings
    element.read(name, attributes, in: bytes, isSound: isSound, references: &references)
    if !element.ampersands.isEmpty {
      for place in element.ampersands { warn("An “&” stands by itself.", bytes, at: place) }
      element.ampersands.removeAll()
    }
    guard !element.complaints.isEmpty else { return }
    let line = line(of: end, in: bytes)
    for complaint in element.complaints where complaints.countsNext() {
      complaints.add(complaint, line: line)
    }
    element.complaints.removeAll()
  }

  /// Whether an element may begin here; nil if that needs more bytes.
  ///
  /// An entry may not begin in an unclosed entry, nor in an unclosed element of another namespace.
  /// If the element around the new entry is closed after it, the entry is quoted.
  private mutating func isInPlace(
    _ name: Int32, _ tag: XMLTag, _ bytes: ByteBuffer, isLast: Bool
  ) -> Bool? {
    if let quoting = entries.quoting, elements.count > quoting { return true }
    entries.quoting = nil
    guard element.names.kind(of: name).contains(.entry), beyondLimit == 0 else { return false }
    return entries.isQuoted(name, tag, bytes, in: elements, isLast: isLast)
  }

  /// Closes the elements in which an entry may not begin; its tag is read again after that.
  private mutating func closeSibling(
    of name: Int32, _ bytes: ByteBuffer, at start: Int
  ) -> Step? {
    guard element.names.kind(of: name).contains(.entry), elements.count > 1 else { return nil }
    // Void elements of HTML contain no entry.
    var count = elements.count
    while count > 1, elements.kind(at: count - 1).contains(.void) { count -= 1 }
    if count > 1,
      let open = EntryPlaces.outerEntry(of: name, elements, upTo: count)
        ?? EntryPlaces.holder(of: name, elements, upTo: count)
    {
      warnOfOpen(open, bytes, at: start)
      beyondLimit = 0
      count = open
    }
    endsDue = elements.count - count
    guard endsDue > 0 else { return nil }
    settledTag = start
    endsDue -= 1
    return .token(closeInnermost(), end: start)
  }
}

extension ByteBuffer {
  /// The length of a character that XML forbids; 0 for any other.
  func lengthOfForbidden(at index: Int) -> Int {
    let byte = self[index]
    if byte < 0x20 { return byte == 0x09 || byte == 0x0A || byte == 0x0D ? 0 : 1 }
    guard byte == 0xEF else { return 0 }
    guard index + 1 < count else { return 3 }
    guard self[index + 1] == 0xBF else { return 0 }
    return index + 2 >= count || self[index + 2] >= 0xBE ? 3 : 0
  }

  /// The first `mark` in `range` if `other` does not precede it.
  fileprivate func first(
    _ mark: StaticString, before other: StaticString, in range: Range<Int>
  ) -> Int? {
    for index in range where self[index] == mark.utf8Start[0] || self[index] == 0x3C {
      if hasWord(mark, at: index) { return index }
      if index > range.lowerBound, hasWord(other, at: index) { return nil }
    }
    return nil
  }
}
