internal import Text

protocol XMLEvents: AnyObject {
  /// The element is valid during the call only.
  func start(_ element: XMLElement)
  /// A text or a part of one, which the next call may continue.
  func text(_ bytes: ByteBuffer)
  func end()
  /// Removes and returns the end of the last text, from the index that `place` finds in its last
  /// `length` bytes. Nil if there is no such index, or the text was not kept.
  func removeLast(_ length: Int, from place: (ByteBuffer) -> Int?) -> [UInt8]?
}

extension XMLEvents {
  func removeLast(_ length: Int, from place: (ByteBuffer) -> Int?) -> [UInt8]? { nil }
}

/// Reader of XML in pieces: decodes it and sends its parts to a receiver, with recovery from
/// errors.
///
/// A final class, because the receiver asks for lines; used from one thread at a time.
final class XMLReader {
  private let events: any XMLEvents
  private var decoder: TextDecoder
  // Not accessed while the receiver is called: no checks at run time.
  @exclusivity(unchecked) private var scanner: XMLScanner
  @exclusivity(unchecked) private var decoded: [UInt8] = []
  /// Number of waiting bytes for the next attempt.
  private var nextReading = pieceSize
  /// The text during a call of the receiver, and the end of the latest token in it.
  @exclusivity(unchecked) private var present = ByteBuffer(start: nil, count: 0)
  @exclusivity(unchecked) private var place = 0
  private var firstMendedLine: Int?
  private var firstLostLine: Int?
  @exclusivity(unchecked) private(set) var isStopped = false

  /// An incomplete token is read again with each piece: long pieces keep that linear.
  private static let pieceSize = 256 * 1024

  init(_ encoding: EncodingClaims, firstLine: Int = 1, events: any XMLEvents) {
    self.events = events
    scanner = XMLScanner(firstLine: firstLine)
    decoder = TextDecoder(encoding)
  }

  var encodingRemarks: [String] { decoder.remarks }
  var warnings: ParseWarnings {
    var warnings = scanner.warnings
    warnings.add(scanner.complaints)
    warnings.add(decoder, mendedLine: firstMendedLine, lostLine: firstLostLine)
    return warnings
  }
  /// Line of the end of the latest tag, from 1.
  var line: Int { scanner.line(of: place, in: present) }
  /// Line of the start of the latest tag, from 1.
  var lineOfTag: Int {
    let start = scanner.tagStart
    return start < place ? line - present[start..<place].count { $0 == 0x0A } : line
  }
  var isOverEntityLimit: Bool { scanner.references.entities.isOverLimit }

  func consume(_ bytes: ByteBuffer) {
    // In pieces, so that a whole body is not in memory three times.
    var start = 0
    while start < bytes.count, !isStopped {
      let end = min(start + Self.pieceSize, bytes.count)
      decode(ByteBuffer(rebasing: bytes[start..<end]), isLast: false)
      if decoded.count >= nextReading { read(isLast: false) }
      start = end
    }
  }

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

  func stop() { isStopped = true }

  private func decode(_ bytes: ByteBuffer, isLast: Bool) {
    decoder.decode(bytes, isLast: isLast, into: &decoded)
    if firstMendedLine == nil { firstMendedLine = decoder.mended.place.map(lineOfDecoded) }
    if firstLostLine == nil { firstLostLine = decoder.lost.place.map(lineOfDecoded) }
  }

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
