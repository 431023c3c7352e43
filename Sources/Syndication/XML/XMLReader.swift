internal import CXML2
internal import Text

/// Receiver of the parts of an XML document, in their order. Pointers are valid for the length of the call;
/// equal names have the same pointer for the life of the reader.
protocol XMLEvents: AnyObject {
  func start(_ element: XMLElement)
  func text(_ bytes: ByteBuffer)
  func end()
  /// Removes the end of the last text, from the index that `place` finds in its last `length` bytes, and
  /// returns it. Nil where `place` finds nothing, or the text was not kept.
  func takeBack(_ length: Int, from place: (ByteBuffer) -> Int?) -> [UInt8]?
}

extension XMLEvents {
  func takeBack(_ length: Int, from place: (ByteBuffer) -> Int?) -> [UInt8]? { nil }
}

/// The start of an element, as libxml2 hands it over.
struct XMLElement {
  let name: UnsafePointer<UInt8>
  let prefix: UnsafePointer<UInt8>?
  /// The namespace's URI.
  let space: UnsafePointer<UInt8>?
  fileprivate let attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
  let attributeCount: Int

  var localName: String { String(cString: name) }

  /// The local name and the prefix of an attribute.
  func attributeName(_ index: Int) -> (name: UnsafePointer<UInt8>, prefix: UnsafePointer<UInt8>?) {
    (attributes![index * 5]!, attributes![index * 5 + 1])
  }

  /// The URI of the namespace of an attribute that has a prefix.
  func attributeSpace(_ index: Int) -> UnsafePointer<UInt8>? { attributes?[index * 5 + 2] }

  func attributeValue(_ index: Int) -> String {
    guard let start = attributes![index * 5 + 3], let end = attributes![index * 5 + 4] else {
      return ""
    }
    let bytes = ByteBuffer(start: start, count: end - start)
    let value = String(decoding: bytes, as: UTF8.self)
    // libxml2 leaves `&` in an attribute as `&#38;`.
    return bytes.firstIndex(of: 0x26, from: 0) == nil ? value : CharacterReference.decoded(value)
  }

  /// The value of the attribute `name`, which stands in no namespace or, for `xml:` ones, in that.
  /// The case of letters does not count: `isPermaLink` is often written in another.
  func attribute(_ name: StaticString, prefix: StaticString? = nil) -> String? {
    for index in 0..<attributeCount {
      let (local, attributePrefix) = attributeName(index)
      guard isEqual(local, name) else { continue }
      switch (attributePrefix, prefix) {
      case (nil, nil): return attributeValue(index)
      case (let found?, let wanted?) where isEqual(found, wanted): return attributeValue(index)
      default: continue
      }
    }
    return nil
  }
}

/// Whether a name is `word`, letters compared without case.
func isEqual(_ text: UnsafePointer<UInt8>, _ word: StaticString) -> Bool {
  let length = word.utf8CodeUnitCount
  for index in 0..<length
  where text[index].asciiLowercased != word.utf8Start[index].asciiLowercased { return false }
  return text[length] == 0
}

/// Reads XML that arrives in pieces with libxml2's push parser, in recovery: what is broken is read as
/// far as it makes sense. Loads nothing, no DTD and no external entity.
///
/// A final class because libxml2 calls back through its address; used from one thread at a time.
final class XMLReader {
  private let context: xmlParserCtxtPtr
  private let events: any XMLEvents
  private let firstLine: Int
  private var decoder: TextDecoder
  /// No access to it goes on while libxml2 calls back.
  @exclusivity(unchecked) private var repair: XMLRepair
  private var decoded: [UInt8] = []
  /// The number of waiting bytes from which on they are repaired again.
  private var nextRepair = pieceSize
  private var errors = ParseWarnings()
  /// Line ends in the text that libxml2 has not seen.
  private var passedLines = 0
  /// The lines of the first bytes that are invalid in the encoding.
  private var firstMendedLine: Int?
  private var firstLostLine: Int?
  /// Whether the receiver has asked to stop.
  private(set) var isStopped = false

  /// libxml2 looks at a cut token again from its start with each piece. Pieces as long as what waits
  /// keep that linear.
  private static let pieceSize = 256 * 1024

  /// - Parameter firstLine: the number of the line that the text begins with.
  init(_ encoding: EncodingClaims, firstLine: Int = 1, events: any XMLEvents) {
    _ = libraryIsReady
    self.events = events
    repair = XMLRepair(firstLine: firstLine)
    self.firstLine = firstLine
    decoder = TextDecoder(encoding)
    var handler = xmlSAXHandler()
    telex_xml_report_errors(&handler)
    handler.startElementNs = { user, name, prefix, space, _, _, count, _, attributes in
      guard let name else { return }
      XMLReader.from(user) { reader in
        reader.events.start(
          XMLElement(
            name: name, prefix: prefix, space: space, attributes: attributes,
            attributeCount: min(Int(count), XMLRepair.attributeLimit)))
      }
    }
    handler.endElementNs = { user, _, _, _ in XMLReader.from(user) { $0.events.end() } }
    handler.characters = { user, text, length in XMLReader.from(user) { $0.pass(text, length) } }
    handler.ignorableWhitespace = handler.characters
    handler.cdataBlock = handler.characters
    // Only memory can fail here, and without memory nothing goes on.
    context = xmlCreatePushParserCtxt(&handler, nil, nil, 0, nil)!
    let options =
      XML_PARSE_RECOVER.rawValue | XML_PARSE_NONET.rawValue | XML_PARSE_HUGE.rawValue
      | XML_PARSE_IGNORE_ENC.rawValue
    xmlCtxtUseOptions(context, Int32(options))
    context.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
    telex_xml_set_report(context) { user, message, line in
      guard let user, let message else { return }
      Unmanaged<XMLReader>.fromOpaque(user)._withUnsafeGuaranteedRef { reader in
        reader.note(String(cString: message), line: Int(line))
      }
    }
  }

  deinit { telex_xml_free(context) }

  /// Warnings about the encoding of the document.
  var encodingRemarks: [String] { decoder.remarks }
  /// Warnings about the markup and about single bytes.
  var warnings: ParseWarnings {
    var warnings = repair.output.warnings
    warnings.add(errors)
    warnings.add(decoder, mendedLine: firstMendedLine, lostLine: firstLostLine)
    return warnings
  }
  /// The line of the latest event, from 1.
  var line: Int { max(1, Int(xmlSAX2GetLineNumber(context))) + linesBefore }

  /// Lines that libxml2 has not counted.
  private var linesBefore: Int { passedLines + firstLine - 1 }
  /// The line on which the present tag begins, from 1.
  var lineOfTag: Int {
    guard let input = context.pointee.input, let base = input.pointee.base,
      var place = input.pointee.cur
    else { return 0 }
    // libxml2 knows where the tag ends. All of it is in its buffer, and no value holds a `<`.
    let end = Int(input.pointee.line)
    var line = end
    while place > base {
      place -= 1
      if place.pointee == 0x3C { return line + linesBefore }
      if place.pointee == 0x0A { line -= 1 }
    }
    return end + linesBefore
  }
  /// Whether entities stood for more text than is read.
  var isOverEntityLimit: Bool { repair.references.entities.isOverLimit }

  func consume(_ bytes: ByteBuffer) {
    // Pieces of a piece: a body that came at once is not held three times.
    var start = 0
    while start < bytes.count, !isStopped {
      let end = min(start + Self.pieceSize, bytes.count)
      decode(ByteBuffer(rebasing: bytes[start..<end]), isLast: false)
      if decoded.count >= nextRepair { repairDecoded(isLast: false) }
      start = end
    }
  }

  /// Reads the rest of the text. No event follows.
  func finish() {
    decode(ByteBuffer(start: nil, count: 0), isLast: true)
    repairDecoded(isLast: true)
    if !isStopped, let (length, end) = repair.openSection,
      let rest = events.takeBack(length, from: end.place)
    {
      passedLines -= rest.count { $0 == 0x0A }
      repair.endOpenSection(before: rest)
      decoded = rest
      repairDecoded(isLast: true)
    }
    repair.finish()
    push(isLast: true)
  }

  /// Ends the reading at the present element.
  func stop() {
    isStopped = true
    xmlStopParser(context)
  }

  private func decode(_ bytes: ByteBuffer, isLast: Bool) {
    decoder.decode(bytes, isLast: isLast, into: &decoded)
    if firstMendedLine == nil { firstMendedLine = decoder.mended.place.map(lineOfDecoded) }
    if firstLostLine == nil { firstLostLine = decoder.lost.place.map(lineOfDecoded) }
  }

  /// The line of a place in the text that waits to be repaired.
  private func lineOfDecoded(_ place: Int) -> Int {
    repair.output.line + decoded[..<place].count { $0 == 0x0A }
  }

  private func repairDecoded(isLast: Bool) {
    guard !isStopped else { return }
    var index = 0
    repair.begin()
    decoded.withUnsafeBufferPointer { bytes in
      repairing: while !isStopped {
        switch repair.repair(bytes, from: &index, isLast: isLast) {
        case .waiting: break repairing
        case .full: push(isLast: false)
        case .text(let range):
          push(isLast: false)
          pass(ByteBuffer(rebasing: bytes[range]), standingIn: bytes, range)
        case .decoded(let range):
          push(isLast: false)
          repair.text.withUnsafeBufferPointer { pass($0, standingIn: bytes, range) }
        }
      }
    }
    decoded.removeSubrange(0..<index)
    // A tag whose end has not come is looked at again from its start: not with each piece.
    nextRepair = max(Self.pieceSize, decoded.count * 2)
    var waiting: Int32 = 0
    _ = telex_xml_rest(context, &waiting)
    if repair.output.ready.count >= max(Self.pieceSize, Int(waiting)) { push(isLast: false) }
  }

  /// Passes on a text that has not gone through libxml2.
  private func pass(_ text: ByteBuffer, standingIn bytes: ByteBuffer, _ range: Range<Int>) {
    guard !isStopped else { return }
    events.text(text)
    var index = range.lowerBound
    while index < range.upperBound,
      let end = bytes.firstIndex(of: 0x0A, in: index..<range.upperBound)
    {
      passedLines += 1
      index = end + 1
    }
  }

  private func push(isLast: Bool) {
    guard !isStopped else { return }
    var start = 0
    // The length is an Int32 in C.
    while start < repair.output.ready.count, !isStopped {
      let end = min(start + Int(Int32.max) / 4, repair.output.ready.count)
      repair.output.ready.withUnsafeBytes { bytes in
        let piece = bytes.baseAddress!.assumingMemoryBound(to: CChar.self) + start
        _ = xmlParseChunk(context, piece, Int32(end - start), 0)
      }
      start = end
    }
    repair.output.ready.removeAll(keepingCapacity: true)
    guard isLast, !isStopped else { return }
    // What is left is the tail of a text or a CDATA section that the end of the document cut.
    // libxml2 raises no event for it.
    let isInCDATA = telex_xml_is_in_cdata(context) != 0
    // The receiver of the events reports that the document is cut.
    telex_xml_set_report(context, nil)
    xmlParseChunk(context, nil, 0, 1)
    var length: Int32 = 0
    guard !isStopped, let rest = telex_xml_rest(context, &length), length > 0 else { return }
    if isInCDATA || (rest[0] != 0x3C && rest[0] != 0x26) {
      events.text(ByteBuffer(start: rest, count: Int(length)))
    }
  }

  private func note(_ message: String, line: Int) {
    guard let cause = XMLComplaint.sentence(for: message) else { return }
    errors.add(cause, line: line + linesBefore)
  }

  // MARK: Called by libxml2

  private static func from(_ user: UnsafeMutableRawPointer?, _ body: (XMLReader) -> Void) {
    guard let user else { return }
    Unmanaged<XMLReader>.fromOpaque(user)._withUnsafeGuaranteedRef { reader in
      telex_xml_forgive(reader.context)
      body(reader)
    }
  }

  private func pass(_ text: UnsafePointer<UInt8>?, _ length: Int32) {
    events.text(ByteBuffer(start: text, count: Int(length)))
  }
}

/// Initialisation of libxml2, which must happen once before threads use it.
private let libraryIsReady: Void = xmlInitParser()
