internal import Text

/// Receiver of the parts of an XML document, in their order.
protocol XMLEvents: AnyObject {
  /// An element begins. What it says counts for the length of the call.
  func start(_ element: XMLElement)
  /// A text, or a part of one: the next may go on where this one ends.
  func text(_ bytes: ByteBuffer)
  func end()
  /// Removes the end of the last text, from the index that `place` finds in its last `length` bytes, and
  /// returns it. Nil where `place` finds nothing, or the text was not kept.
  func removeLast(_ length: Int, from place: (ByteBuffer) -> Int?) -> [UInt8]?
}

extension XMLEvents {
  func removeLast(_ length: Int, from place: (ByteBuffer) -> Int?) -> [UInt8]? { nil }
}

/// Reads XML that arrives in pieces: decodes it, and tells its parts to a receiver. What is broken is read as
/// far as it makes sense.
///
/// A final class because the receiver asks it for lines; used from one thread at a time.
final class XMLReader {
  private let events: any XMLEvents
  private var decoder: TextDecoder
  // No access to these goes on while the receiver is called, so that the check at run time is switched off.
  @exclusivity(unchecked) private var scanner: XMLScanner
  /// Text that is not read yet.
  @exclusivity(unchecked) private var decoded: [UInt8] = []
  /// The number of waiting bytes from which on they are read again.
  private var nextReading = pieceSize
  /// The text at hand while the receiver is called, and where the latest token ends in it.
  @exclusivity(unchecked) private var present = ByteBuffer(start: nil, count: 0)
  @exclusivity(unchecked) private var place = 0
  /// The lines of the first bytes that are invalid in the encoding.
  private var firstMendedLine: Int?
  private var firstLostLine: Int?
  /// Whether the receiver has asked to stop.
  @exclusivity(unchecked) private(set) var isStopped = false

  /// A token whose end has not come is looked at again from its start with each piece. Pieces as long as what
  /// waits keep that linear.
  private static let pieceSize = 256 * 1024

  /// - Parameter firstLine: the number of the line that the text begins with.
  init(_ encoding: EncodingClaims, firstLine: Int = 1, events: any XMLEvents) {
    self.events = events
    scanner = XMLScanner(firstLine: firstLine)
    decoder = TextDecoder(encoding)
  }

  /// Warnings about the encoding of the document.
  var encodingRemarks: [String] { decoder.remarks }
  /// Warnings about the markup and about single bytes.
  var warnings: ParseWarnings {
    var warnings = scanner.warnings
    warnings.add(scanner.complaints)
    warnings.add(decoder, mendedLine: firstMendedLine, lostLine: firstLostLine)
    return warnings
  }
  /// The line of the latest event, from 1: that in which its tag ends.
  var line: Int { scanner.line(of: place, in: present) }
  /// The line on which the tag of the element that begins does so, from 1.
  var lineOfTag: Int {
    let start = scanner.tagStart
    return start < place ? line - present[start..<place].count { $0 == 0x0A } : line
  }
  /// Whether entities stood for more text than is read.
  var isOverEntityLimit: Bool { scanner.references.entities.isOverLimit }

  func consume(_ bytes: ByteBuffer) {
    // Pieces of a piece: a body that came at once is not held three times.
    var start = 0
    while start < bytes.count, !isStopped {
      let end = min(start + Self.pieceSize, bytes.count)
      decode(ByteBuffer(rebasing: bytes[start..<end]), isLast: false)
      if decoded.count >= nextReading { read(isLast: false) }
      start = end
    }
  }

  /// Reads the rest of the text. No event follows.
  func finish() {
    decode(ByteBuffer(start: nil, count: 0), isLast: true)
    read(isLast: true)
    if !isStopped, let (length, end) = scanner.openSection,
      let rest = events.removeLast(length, from: end.place)
    {
      scanner.endOpenSection(before: rest)
      decoded = rest
      read(isLast: true)
    }
    scanner.finish()
  }

  /// Ends the reading at the present element.
  func stop() { isStopped = true }

  private func decode(_ bytes: ByteBuffer, isLast: Bool) {
    decoder.decode(bytes, isLast: isLast, into: &decoded)
    if firstMendedLine == nil { firstMendedLine = decoder.mended.place.map(lineOfDecoded) }
    if firstLostLine == nil { firstLostLine = decoder.lost.place.map(lineOfDecoded) }
  }

  /// The line of a place in the text that waits to be read.
  private func lineOfDecoded(_ place: Int) -> Int {
    scanner.line + decoded[..<place].count { $0 == 0x0A }
  }

  private func read(isLast: Bool) {
    guard !isStopped else { return }
    var index = 0
    scanner.begin()
    decoded.withUnsafeBufferPointer { bytes in
      present = bytes
      reading: while !isStopped {
        let token = scanner.next(bytes, from: &index, isLast: isLast)
        place = index
        switch token {
        case .waiting: break reading
        case .start: events.start(scanner.element)
        case .text(let range): events.text(ByteBuffer(rebasing: bytes[range]))
        case .decoded: scanner.text.withBytes { events.text($0) }
        case .end: events.end()
        }
      }
      present = ByteBuffer(start: nil, count: 0)
      place = 0
      scanner.element.clear()
    }
    decoded.removeSubrange(0..<index)
    nextReading = max(Self.pieceSize, decoded.count * 2)
  }
}
