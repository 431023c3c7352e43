internal import Text

/// Makes UTF-8 text that calls itself XML fit for libxml2, which would lose text otherwise:
///
/// - elements that are not closed, are closed by another's name or closed twice: end tags are put in
///   where they are missing, and left out where they close nothing. The root stays open to the end;
/// - tags by HTML's rules (values without quotes or without a closing quote, attributes without a
///   value) are written as XML has them;
/// - an ampersand that begins no reference becomes `&amp;`, a `<` that begins no tag `&lt;`;
/// - a `]]>` outside of a CDATA section, which XML does not allow, is escaped;
/// - HTML's named references become the characters they stand for, and references to 0x80–0x9F what
///   windows-1252 has there;
/// - characters that XML 1.0 §2.2 does not allow, raw or as references, are left out.
///
/// CDATA sections keep everything but the characters that are not allowed; comments and instructions
/// are left out. The text may come in pieces; their borders leave no trace.
///
/// A long text does not go through libxml2, which would look at each of its bytes several times: the caller
/// gets its final form directly.
///
/// One type, though a long one: each step reads the same bytes and changes the state, the open elements and
/// the output, which separate types would have to pass to each other for every token. What can be decided
/// without them is in types of its own: `XMLTag`, `XMLReference`, `EntryPlaces`, `ForgottenEnd`,
/// `DocumentType`.
struct XMLRepair {
  /// The largest number of attributes of one tag; libxml2 compares each with each.
  static let attributeLimit = 256
  /// The depth of elements below which only text and elements without end tag are kept.
  static let depthLimit = 1040
  /// The largest number of bytes of one tag.
  private static let tagLimit = 1 << 20
  private static let nameLimit = 256
  /// The number of bytes in which the proper end of a comment or instruction is searched for before another
  /// end is accepted.
  private static let markReach = 4096
  /// The number of bytes from which on a text is a long one.
  private static let longText = 512
  /// The number of bytes of output after which it is read.
  private static let outputSize = 256 << 10

  /// Where a step of the repair has stopped.
  enum Progress {
    /// More bytes are needed.
    case waiting
    /// There is enough output for libxml2 to read.
    case full
    /// A long text has ended. It follows the output: the bytes of this range, unchanged.
    case text(Range<Int>)
    /// A long text has ended. It follows the output; for the bytes of this range stands what is in `text`.
    case decoded(Range<Int>)
  }

  /// The output for libxml2.
  var output: RepairOutput
  /// A long text with its references decoded.
  private(set) var text: [UInt8] = []

  private enum State {
    case content, cdata, longCDATA, comment, documentType
    case instruction
    /// Left out up to the next `>`, as XML declarations are.
    case junk
  }

  private enum Step {
    case next(Int)
    /// More bytes are needed to tell what stands here.
    case wait(Int)
    case text(Range<Int>)
    case decoded(Range<Int>)
  }

  private var state = State.content
  private var elements = OpenElements()
  /// The number of open elements beyond the limit of depth.
  private var beyondLimit = 0
  private var hasRoot = false
  private var hasStarted = false
  private var isRootClosed = false
  private var documentType = DocumentType()
  private(set) var references = ReferenceText()
  /// The line in which the last section or comment begins.
  private var openLine = 1
  /// Bytes of text of the present long CDATA section so far.
  private var sectionLength = 0
  /// Whether the bytes at hand are what an open section took in, so that no section in them ends.
  private var isInOpenSection = false
  /// Where the section ends that is being read, if nothing closes it.
  private var sectionEnd: Int?
  private var entries = EntryPlaces()
  /// Those of the tag that is being read; kept for its room.
  private var attributes: [XMLTag.Attribute] = []

  init(firstLine: Int = 1) { output = RepairOutput(line: firstLine) }

  /// Begins with other input: the bytes that were left of the last input, and those that follow.
  mutating func begin() { output.begin() }

  /// Repairs the bytes at hand from `index` on, which it moves to where it has come; the rest is to be
  /// given again with what follows it. None are left when `isLast`.
  mutating func repair(_ bytes: ByteBuffer, from index: inout Int, isLast: Bool) -> Progress {
    while index < bytes.count {
      switch step(bytes, at: index, isLast: isLast) {
      case .next(let next):
        index = next
        guard output.ready.count + index - output.copied >= Self.outputSize else { continue }
        output.settle(bytes, to: index)
        return .full
      case .wait(let place):
        index = place
        output.settle(bytes, to: index)
        return .waiting
      case .text(let range):
        index = range.upperBound
        output.settle(bytes, to: range.lowerBound)
        return handOver(range, as: .text(range))
      case .decoded(let range):
        index = range.upperBound
        output.settle(bytes, to: range.lowerBound)
        return handOver(range, as: .decoded(range))
      }
    }
    output.settle(bytes, to: index)
    if isLast, isRootClosed {
      while !elements.isEmpty { closeInnermost() }
    }
    return .waiting
  }

  // MARK: The end of the document

  /// The CDATA section that is open: how long its text is, and how to find where it should have ended.
  var openSection: (length: Int, end: ForgottenEnd)? {
    guard case .longCDATA = state, !isInOpenSection, let end = forgottenEnd else { return nil }
    return (sectionLength, end)
  }

  /// How to find the end of a section in the innermost element.
  private var forgottenEnd: ForgottenEnd? {
    guard elements.count > 1 else { return nil }
    return ForgottenEnd(
      element: Array(elements.name(at: elements.count - 1)),
      parent: Array(elements.name(at: elements.count - 2)))
  }

  /// Ends the open section. The caller passes the bytes again that do not belong to it.
  mutating func endOpenSection(before rest: [UInt8]) {
    output.warnings.add(Self.forgottenSection, line: openLine)
    state = .content
    isInOpenSection = true
    output.line -= rest.count { $0 == 0x0A }
  }

  private static let forgottenSection = "A CDATA section is not closed; it ends with its element."

  /// Adds a warning about what is open at the end of the document.
  mutating func finish() {
    switch state {
    case .cdata, .longCDATA:
      output.warnings.add(
        "A CDATA section is not closed; all that follows belongs to it.", line: openLine)
    case .comment:
      output.warnings.add(
        "A comment is not closed; what follows in it was not read.", line: openLine)
    case .content, .documentType, .instruction, .junk: break
    }
  }

  private mutating func handOver(_ range: Range<Int>, as progress: Progress) -> Progress {
    output.passOver(to: range.upperBound)
    // libxml2 holds a text back until it knows where that ends. A comment tells it.
    output.put("<!---->")
    return progress
  }

  // MARK: Steps

  private mutating func step(_ bytes: ByteBuffer, at index: Int, isLast: Bool) -> Step {
    switch state {
    case .content: return content(bytes, at: index, isLast: isLast)
    case .cdata: return pass(bytes, at: index, until: "]]>", lead: 0x5D, isLast: isLast)
    case .longCDATA: return longCDATA(bytes, at: index, isLast: isLast)
    case .comment: return comment(bytes, at: index, isLast: isLast)
    case .instruction: return instruction(bytes, at: index, isLast: isLast)
    case .junk:
      let end = bytes.firstIndex(of: 0x3E, from: index).map { $0 + 1 }
      if end != nil { state = .content }
      output.drop(bytes, index..<(end ?? bytes.count))
      return .next(end ?? bytes.count)
    case .documentType: return documentType(bytes, at: index, isLast: isLast)
    }
  }

  private mutating func content(_ bytes: ByteBuffer, at index: Int, isLast: Bool) -> Step {
    if elements.isEmpty {
      // Nothing but markup may stand before the root.
      let stop = bytes.firstIndex(of: 0x3C, from: index) ?? bytes.count
      output.drop(bytes, index..<stop)
      return stop < bytes.count ? markup(bytes, at: stop, isLast: isLast) : .next(stop)
    }
    let end = bytes.firstIndex(of: 0x3C, from: index) ?? bytes.count
    if end - index >= Self.longText, let step = longText(bytes, index..<end, isLast: isLast) {
      return step
    }
    // 0xEF may begin U+FFFE or U+FFFF, which are not allowed.
    let stop = bytes.firstStop(from: index, 0x3C, 0x26, 0xEF)
    if let end = sectionEnd(bytes, in: index..<stop, isLast: isLast) { return end }
    guard stop < bytes.count else { return .next(stop) }
    switch bytes[stop] {
    case 0x3C: return markup(bytes, at: stop, isLast: isLast)
    case 0x26:
      guard let length = reference(bytes, at: stop, isLast: isLast) else { return .wait(stop) }
      return .next(stop + length)
    default: return character(bytes, at: stop, isLast: isLast)
    }
  }

  /// A long text, or the beginning of one; nil where a reference stands at its start that the bytes cut.
  private mutating func longText(
    _ bytes: ByteBuffer, _ range: Range<Int>, isLast: Bool
  ) -> Step? {
    let run = ByteBuffer(rebasing: bytes[..<range.upperBound])
    text.removeAll(keepingCapacity: true)
    var index = range.lowerBound
    var start = index
    var isDecoded = false
    while true {
      index = run.firstStop(from: index, 0x26, 0x26, 0xEF)
      guard index < run.count else { break }
      var length = 1
      var scalar: UInt32?
      var expansion = ""
      if run[index] == 0x26 {
        guard let found = XMLReference.action(bytes, at: index, isLast: isLast) else { break }
        length = found.length
        switch found.action {
        case .drop: break
        case .scalar(let value): scalar = value
        case .escapeAmpersand:
          output.warn("An “&” stands by itself.", bytes, at: index)
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
      text.append(contentsOf: run[start..<index])
      if let scalar { text.append(scalar: scalar) }
      text.append(contentsOf: expansion.utf8)
      isDecoded = true
      index += length
      start = index
    }
    guard index > range.lowerBound else { return nil }
    guard isDecoded else { return .text(range.lowerBound..<index) }
    text.append(contentsOf: run[start..<index])
    return .decoded(range.lowerBound..<index)
  }

  /// The text of a long CDATA section up to its end, or to a character that is not allowed.
  private mutating func longCDATA(_ bytes: ByteBuffer, at start: Int, isLast: Bool) -> Step {
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
      return .text(start..<index)
    }
    guard bytes.hasWord("]]>", at: index) else {
      return bytes[index] == 0x5D ? .wait(index) : character(bytes, at: index, isLast: isLast)
    }
    state = .content
    output.drop(bytes, index..<index + 3)
    return .next(index + 3)
  }

  private mutating func forgottenEnd(in bytes: ByteBuffer, from start: Int) -> Int? {
    let rest = ByteBuffer(rebasing: bytes[start...])
    guard let place = forgottenEnd?.place(in: rest) else { return nil }
    output.warn(Self.forgottenSection, bytes, at: start)
    return start + place
  }

  /// Escapes the first `]]>` of a text: libxml2 would lose what stands before it. Nothing is said of it,
  /// for a long text, which does not go there, is not searched for it.
  private mutating func sectionEnd(
    _ bytes: ByteBuffer, in text: Range<Int>, isLast: Bool
  ) -> Step? {
    var from = text.lowerBound
    while let bracket = bytes.firstIndex(of: 0x5D, in: from..<text.upperBound) {
      var end = bracket
      while end < text.upperBound, bytes[end] == 0x5D { end += 1 }
      if end == bytes.count, !isLast { return .wait(bracket) }
      if end - bracket >= 2, end < text.upperBound, bytes[end] == 0x3E {
        output.drop(bytes, end..<end + 1)
        output.put("&gt;")
        return .next(end + 1)
      }
      from = end
    }
    return nil
  }

  /// Passes text on up to an end mark, without the characters that are not allowed.
  private mutating func pass(
    _ bytes: ByteBuffer, at index: Int, until end: StaticString, lead: UInt8, isLast: Bool
  ) -> Step {
    let stop = bytes.firstStop(from: index, lead, lead, 0xEF)
    guard stop < bytes.count else { return .next(stop) }
    guard bytes[stop] == lead else { return character(bytes, at: stop, isLast: isLast) }
    if bytes.count - stop < end.utf8CodeUnitCount, !isLast { return .wait(stop) }
    guard bytes.hasWord(end, at: stop) else { return .next(stop + 1) }
    state = .content
    return .next(stop + end.utf8CodeUnitCount)
  }

  /// Leaves out a character that XML does not allow.
  private mutating func character(_ bytes: ByteBuffer, at index: Int, isLast: Bool) -> Step {
    let length = bytes.lengthOfForbidden(at: index)
    guard length > 0 else { return .next(index + 1) }
    if index + length > bytes.count, !isLast { return .wait(index) }
    let end = min(index + length, bytes.count)
    output.drop(bytes, index..<end)
    return .next(end)
  }

  private mutating func documentType(_ bytes: ByteBuffer, at start: Int, isLast: Bool) -> Step {
    // What follows a bracket tells whether a tag begins there.
    let limit = bytes.last == 0x3C && !isLast ? bytes.count - 1 : bytes.count
    let end = documentType.read(ByteBuffer(rebasing: bytes[..<limit]), from: start)
    output.drop(bytes, start..<(end ?? limit))
    if end != nil {
      state = .content
      for entity in documentType.entities { references.entities.declare(entity.name, entity.text) }
      documentType = DocumentType()
    }
    return end == nil && limit < bytes.count ? .wait(limit) : .next(end ?? limit)
  }

  /// Leaves out a comment. Its end may be written as HTML allows it, or with spaces.
  private mutating func comment(_ bytes: ByteBuffer, at start: Int, isLast: Bool) -> Step {
    var index = start
    while let dash = bytes.firstIndex(of: 0x2D, from: index) {
      var end = dash
      while end < bytes.count, bytes[end] == 0x2D { end += 1 }
      let isMark = end - dash >= 2
      let limit = min(bytes.count, end + 16)
      if isMark { while end < limit, bytes[end].isASCIISpace || bytes[end] == 0x21 { end += 1 } }
      if end == bytes.count, !isLast {
        output.drop(bytes, start..<dash)
        return .wait(dash)
      }
      let isStrict = end < bytes.count && bytes[end - 1] == 0x2D
      if isMark, end < bytes.count, bytes[end] == 0x3E, !isStrict {
        let near = min(end + Self.markReach, bytes.count)
        if near == bytes.count, near < end + Self.markReach, !isLast {
          output.drop(bytes, start..<dash)
          return .wait(dash)
        }
        if let proper = bytes.first("-->", before: "<!--", in: end..<near) {
          index = proper
          continue
        }
      }
      if isMark, end < bytes.count, bytes[end] == 0x3E {
        output.drop(bytes, start..<end + 1)
        state = .content
        return .next(end + 1)
      }
      index = end
    }
    output.drop(bytes, start..<bytes.count)
    return .next(bytes.count)
  }

  /// Leaves out a processing instruction. One that has no end ends where a tag begins.
  private mutating func instruction(_ bytes: ByteBuffer, at start: Int, isLast: Bool) -> Step {
    var index = start
    while index < bytes.count {
      let byte = bytes[index]
      guard byte == 0x3F || byte == 0x3C else {
        index += 1
        continue
      }
      guard index + 1 < bytes.count || isLast else {
        output.drop(bytes, start..<index)
        return .wait(index)
      }
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      if byte == 0x3F, next == 0x3E {
        output.drop(bytes, start..<index + 2)
        state = .content
        return .next(index + 2)
      }
      if byte == 0x3C, next.isASCIILetter || next == 0x2F || next == 0x21 {
        let near = min(index + Self.markReach, bytes.count)
        if near == bytes.count, near < index + Self.markReach, !isLast {
          output.drop(bytes, start..<index)
          return .wait(index)
        }
        // A tag inside the instruction, as in code.
        if let end = bytes.first("?>", before: "<?", in: index..<near) {
          index = end
          continue
        }
        output.warn("A processing instruction is not closed.", bytes, at: index)
        output.drop(bytes, start..<index)
        state = .content
        return .next(index)
      }
      index += 1
    }
    output.drop(bytes, start..<bytes.count)
    return .next(bytes.count)
  }

  // MARK: Markup

  private mutating func markup(_ bytes: ByteBuffer, at start: Int, isLast: Bool) -> Step {
    guard bytes.count - start >= 9 || isLast else { return .wait(start) }
    guard start + 1 < bytes.count else {
      output.drop(bytes, start..<bytes.count)
      return .next(bytes.count)
    }
    let next = bytes[start + 1]
    switch next {
    case 0x21: return .next(openDeclaration(bytes, at: start))
    case 0x3F: return .next(openInstruction(bytes, at: start))
    case 0x2F: return endTag(bytes, at: start, isLast: isLast)
    default:
      hasStarted = true
      guard XMLNames.starts(next) else { return .next(bareBracket(bytes, at: start)) }
      return startTag(bytes, at: start, isLast: isLast)
    }
  }

  private mutating func bareBracket(_ bytes: ByteBuffer, at start: Int) -> Int {
    output.drop(bytes, start..<start + 1)
    if !elements.isEmpty {
      output.warn("A “<” stands by itself.", bytes, at: start)
      output.put("&lt;")
    }
    return start + 1
  }

  private mutating func openDeclaration(_ bytes: ByteBuffer, at start: Int) -> Int {
    output.countLines(in: bytes, to: start)
    openLine = output.line
    if bytes.hasWord("<![cdata[", at: start) {
      output.drop(bytes, start..<start + 9)
      guard !elements.isEmpty else { return start + 9 }
      sectionLength = 0
      if isInOpenSection { sectionEnd = forgottenEnd(in: bytes, from: start + 9) }
      let near = ByteBuffer(
        rebasing: bytes[(start + 9)..<min(bytes.count, start + 9 + Self.longText)])
      guard near.hasEndOfCDATA else {
        state = .longCDATA
        return start + 9
      }
      state = .cdata
      output.put("<![CDATA[")
      return start + 9
    }
    if bytes.hasWord("<!--", at: start) {
      output.drop(bytes, start..<start + 4)
      state = .comment
      return start + 4
    }
    if hasRoot {
      output.warn("A declaration stands inside the document.", bytes, at: start)
      state = .junk
      return start
    }
    hasStarted = true
    state = .documentType
    return start
  }

  private mutating func openInstruction(_ bytes: ByteBuffer, at start: Int) -> Int {
    // An XML declaration says nothing that is not known by now, and one in another place than the
    // first would end the document.
    let isDeclaration = bytes.hasWord("<?xml", at: start)
    state = isDeclaration ? .junk : .instruction
    if isDeclaration, hasStarted, start + 5 < bytes.count, bytes[start + 5].isASCIISpace {
      output.warn("An XML declaration stands inside the document.", bytes, at: start)
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
      output.drop(bytes, start..<bytes.count)
      return .next(bytes.count)
    }
    if end < bytes.count, bytes[end] == 0x3E {
      end += 1
    } else if end - start >= Self.tagLimit {
      // The rest of the tag is no text, as with a start tag.
      state = .junk
    }
    output.drop(bytes, start..<end)
    let name = start + 2..<nameEnd
    if beyondLimit > 0, !EntryPlaces.isEntry(bytes, name) {
      beyondLimit -= 1
    } else {
      beyondLimit = 0
      close(name, bytes, at: start)
    }
    return .next(end)
  }

  /// Closes the innermost element of that name, and before it what was left open inside it.
  private mutating func close(_ name: Range<Int>, _ bytes: ByteBuffer, at start: Int) {
    guard !name.isEmpty, let index = elements.lastIndex(of: name, in: bytes) else {
      guard !elements.isEmpty else { return }
      let shown = PlainText.sanitized(bytes: ByteBuffer(rebasing: bytes[name].prefix(40)))
      return output.warn("“</\(shown)>” closes nothing.", bytes, at: start)
    }
    while elements.count > index + 1 {
      let open = String(decoding: elements.name(at: elements.count - 1).prefix(40), as: UTF8.self)
      output.warn("“\(PlainText.sanitized(open))” is not closed.", bytes, at: start)
      closeInnermost()
    }
    // What follows the root's end may be the rest of the feed.
    if index == 0 { isRootClosed = true } else { closeInnermost() }
  }

  private mutating func closeInnermost() {
    output.put("</")
    output.ready.append(contentsOf: elements.name(at: elements.count - 1))
    output.put(">")
    elements.pop()
  }

  // MARK: Start tags

  private mutating func startTag(_ bytes: ByteBuffer, at start: Int, isLast: Bool) -> Step {
    let limit = min(bytes.count, start + Self.tagLimit)
    let isWhole = isLast || limit < bytes.count
    var nameEnd = start + 1
    while nameEnd < limit, XMLNames.contains(bytes[nameEnd]) { nameEnd += 1 }
    let name = start + 1..<nameEnd
    guard nameEnd < limit,
      let tag = XMLTag(
        ByteBuffer(rebasing: bytes[..<limit]), from: nameEnd, isWhole: isWhole, into: &attributes)
    else {
      if !isWhole { return .wait(start) }
      // Half an address is no address: what the end cuts is left out.
      if limit < bytes.count { output.warn("A tag is too long.", bytes, at: start) }
      output.drop(bytes, start..<limit)
      state = .junk
      return .next(limit)
    }
    // `<http://example.org>` and `<somebody@example.org>` are text.
    let ending = bytes[nameEnd]
    guard !tag.isText, bytes[nameEnd - 1] != 0x3A, name.count <= Self.nameLimit,
      ending.isASCIISpace || ending == 0x2F || ending == 0x3E || ending == 0x3C
    else { return .next(bareBracket(bytes, at: start)) }
    guard let isInPlace = isInPlace(name, tag, bytes, isLast: isLast) else { return .wait(start) }
    if !isInPlace { closeSibling(of: name, bytes, at: start) }
    if elements.count >= Self.depthLimit, !tag.closesItself {
      output.warn(
        "Elements are nested too deep; what lies deeper is read as text.", bytes, at: start)
      beyondLimit += 1
      output.drop(bytes, start..<tag.end)
      return .next(tag.end)
    }
    if tag.isSound, attributes.count <= Self.attributeLimit {
      repairReferences(bytes, in: nameEnd..<tag.end)
    } else {
      output.warn(
        tag.isSound
          ? "A tag has too many attributes; some were left out."
          : "A tag is not written as XML has it.", bytes, at: start)
      output.drop(bytes, start..<tag.end)
      rewrite(name, closesItself: tag.closesItself, bytes)
    }
    hasRoot = true
    if !tag.closesItself { elements.push(bytes, name) }
    return .next(tag.end)
  }

  /// Whether an element may begin where its tag stands; nil where more bytes are needed to tell.
  ///
  /// An entry may not begin in another one of its kind, which was not closed then, nor in an element of
  /// another namespace that nobody closed. Where that element, or the one that holds the new entry
  /// inside the outer one, has its end behind the new entry, the entry is quoted there.
  private mutating func isInPlace(
    _ name: Range<Int>, _ tag: XMLTag, _ bytes: ByteBuffer, isLast: Bool
  ) -> Bool? {
    if let quoting = entries.quoting, elements.count > quoting { return true }
    entries.quoting = nil
    guard EntryPlaces.isEntry(bytes, name), beyondLimit == 0 else { return false }
    return entries.isQuoted(name, tag, bytes, in: elements, isLast: isLast)
  }

  /// Closes the open elements in which an entry may not begin.
  private mutating func closeSibling(of name: Range<Int>, _ bytes: ByteBuffer, at start: Int) {
    guard EntryPlaces.isEntry(bytes, name), elements.count > 1 else { return }
    // HTML's elements without an end tag hold no entry.
    while elements.count > 1,
      EntryPlaces.voidNames.contains(where: { elements.isLocalName($0, at: elements.count - 1) })
    {
      output.flush(bytes, to: start)
      closeInnermost()
    }
    guard elements.count > 1,
      let open = EntryPlaces.outerEntry(of: name, in: bytes, elements)
        ?? EntryPlaces.holder(of: name, in: bytes, elements)
    else { return }
    output.flush(bytes, to: start)
    let unclosed = String(decoding: elements.name(at: open).prefix(40), as: UTF8.self)
    output.warn("“\(PlainText.sanitized(unclosed))” is not closed.", bytes, at: start)
    beyondLimit = 0
    while elements.count > open { closeInnermost() }
  }

  /// Repairs what stands in the values of a tag that is passed on as it is.
  private mutating func repairReferences(_ bytes: ByteBuffer, in range: Range<Int>) {
    let tag = ByteBuffer(rebasing: bytes[..<range.upperBound])
    var index = range.lowerBound
    while index < tag.count {
      index = tag.firstStop(from: index, 0x26, 0x26, 0xEF)
      guard index < tag.count else { return }
      if tag[index] == 0x26 {
        index += reference(tag, at: index, isLast: true) ?? 1
      } else if case .next(let next) = character(tag, at: index, isLast: true) {
        index = next
      }
    }
  }

  /// Writes a tag from `attributes`; of two with one name the first counts.
  private mutating func rewrite(_ name: Range<Int>, closesItself: Bool, _ bytes: ByteBuffer) {
    output.put("<")
    output.ready.append(contentsOf: bytes[name])
    var seen: Set<String> = []
    for attribute in attributes where seen.count < Self.attributeLimit {
      guard seen.insert(bytes.string(attribute.name)).inserted else { continue }
      output.put(" ")
      output.ready.append(contentsOf: bytes[attribute.name])
      output.put("=\"")
      references.appendValue(ByteBuffer(rebasing: bytes[attribute.value]), to: &output)
      output.put("\"")
    }
    if closesItself { output.put("/") }
    output.put(">")
  }

  // MARK: References

  /// Replaces or keeps the reference at `index`.
  ///
  /// - Returns: its length in bytes; nil where more bytes are needed to tell.
  private mutating func reference(_ bytes: ByteBuffer, at index: Int, isLast: Bool) -> Int? {
    guard let (action, length) = XMLReference.action(bytes, at: index, isLast: isLast) else {
      return nil
    }
    switch action {
    case .keep: return length
    case .escapeAmpersand: output.warn("An “&” stands by itself.", bytes, at: index)
    case .drop, .scalar, .entity: break
    }
    output.drop(bytes, index..<index + length)
    references.append(action, bytes, at: index, length: length, to: &output)
    return length
  }

}

extension ByteBuffer {
  /// The length of a character that XML does not allow; 0 for one that it does.
  func lengthOfForbidden(at index: Int) -> Int {
    let byte = self[index]
    if byte < 0x20 { return byte == 0x09 || byte == 0x0A || byte == 0x0D ? 0 : 1 }
    guard byte == 0xEF else { return 0 }
    guard index + 1 < count else { return 3 }
    guard self[index + 1] == 0xBF else { return 0 }
    return index + 2 >= count || self[index + 2] >= 0xBE ? 3 : 0
  }

  /// Where `mark` stands first in `range`, if `other` does not stand before it.
  fileprivate func first(
    _ mark: StaticString, before other: StaticString, in range: Range<Int>
  ) -> Int? {
    // Its last byte is rarer than its first, but either does.
    for index in range where self[index] == mark.utf8Start[0] || self[index] == 0x3C {
      if hasWord(mark, at: index) { return index }
      if index > range.lowerBound, hasWord(other, at: index) { return nil }
    }
    return nil
  }

  fileprivate var hasEndOfCDATA: Bool {
    var index = 0
    while let end = firstIndex(of: 0x3E, from: index) {
      if end >= 2, self[end - 1] == 0x5D, self[end - 2] == 0x5D { return true }
      index = end + 1
    }
    return false
  }
}
