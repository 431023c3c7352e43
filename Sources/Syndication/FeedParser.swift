// Syndication: documents in bytes, values and warnings out. Pure.
//
// The front door is `FeedParser`, which reads RSS, RDF, Atom and JSON Feed. `OPML` reads and writes
// lists of feeds; `FeedDate` reads the dates of feeds.

package import News
internal import Text

/// Parser of one feed document, whose bytes may come in pieces. Recoverable errors are warnings.
///
/// Pure: no I/O, no clock, no external entities. Used from one task at a time. The bytes pass
/// through:
///
///     Unpacking → TextDecoder → XMLScanner → FeedBuilder → EntryDraft → Entry
///                             ↘ JSONValue → JSONFeedReader ──────────↗
package struct FeedParser: ~Copyable {
  private enum Phase {
    case undecided
    case xml(XMLReader, FeedBuilder)
    case json
  }

  private enum Packing {
    case unknown([UInt8])
    case none
    case packed(Unpacking)
  }

  private let contentType: MediaType
  private let baseURL: String?
  private let unpackedLimit: Int
  private var packing = Packing.unknown([])
  private var phase = Phase.undecided
  /// Number of bytes from which the format is decided.
  private var headSize = 4096
  private var dropsZeros = false
  /// The head of the document; for JSON, its whole text.
  private var buffer: [UInt8] = []
  private var decoder = TextDecoder(EncodingClaims())
  private var firstLine = 1

  /// - Parameters:
  ///   - contentType: the `Content-Type`. The bytes take precedence.
  ///   - baseURL: the address after redirects, for relative addresses.
  ///   - unpackedLimit: maximum size in bytes of a compressed document, decompressed.
  package init(
    contentType: String? = nil, baseURL: String? = nil, unpackedLimit: Int = 32 << 20
  ) {
    self.unpackedLimit = unpackedLimit
    self.contentType = MediaType(contentType ?? "")
    self.baseURL = baseURL.flatMap(AddressText.web)
  }

  package static func parse(
    _ bytes: [UInt8], contentType: String? = nil, baseURL: String? = nil
  ) throws(SourceError) -> ParsedFeed {
    var parser = FeedParser(contentType: contentType, baseURL: baseURL)
    parser.consume(bytes)
    return try parser.finish()
  }

  /// Reads the next bytes. The result does not depend on how the document is cut.
  package mutating func consume(_ bytes: some Collection<UInt8>) {
    let isDone: Void? = bytes.withContiguousStorageIfAvailable { unpack($0) }
    if isDone == nil { Array(bytes).withUnsafeBufferPointer { unpack($0) } }
  }

  /// - Throws: `.decoding` for an empty or unreadable document, `.notAFeed` for any other kind.
  package consuming func finish() throws(SourceError) -> ParsedFeed {
    if case .unknown(let bytes) = packing { bytes.withUnsafeBufferPointer { consume($0) } }
    if case .undecided = phase { try decide(mayWait: false) }
    switch phase {
    case .undecided: throw notAFeed("This is not a feed.")
    case .json:
      decoder.decode(ByteBuffer(start: nil, count: 0), isLast: true, into: &buffer)
      var warnings = ParseWarnings()
      warnings.add(
        decoder, mendedLine: line(of: decoder.mended.place), lostLine: line(of: decoder.lost.place))
      let reader = JSONFeedReader(
        documentURL: baseURL, subject: subject, firstLine: firstLine, warnings: warnings)
      var feed = try reader.read(buffer)
      feed.warnings += decoder.remarks
      if let trouble = unpackingTrouble { feed.warnings.append(trouble) }
      feed.isCut = feed.isCut || isPackingCut
      return feed
    case .xml(let reader, let builder):
      reader.finish()
      return try finished(reader, builder)
    }
  }

  // MARK: Packed documents

  private mutating func unpack(_ bytes: ByteBuffer) {
    switch packing {
    case .none: consume(bytes)
    case .packed(let unpacking): unpacking.unpack(bytes) { consume($0) }
    case .unknown(let known):
      let head = known + bytes.prefix(2 - known.count)
      guard head.count == 2 else { return packing = .unknown(head) }
      let isPacked = Unpacking.isPacked(head[0], head[1])
      packing = isPacked ? .packed(Unpacking(limit: unpackedLimit)) : .none
      let rest = ByteBuffer(rebasing: bytes[(2 - known.count)...])
      if known.isEmpty { return unpack(bytes) }
      head.withUnsafeBufferPointer { unpack($0) }
      unpack(rest)
    }
  }

  private var isPackingCut: Bool {
    guard case .packed(let unpacking) = packing else { return false }
    return unpacking.trouble == .cut || unpacking.trouble == .broken
  }

  private var unpackingTrouble: String? {
    guard case .packed(let unpacking) = packing else { return nil }
    return switch unpacking.trouble {
    case .none: nil
    case .cut: "The packed document ends before it is complete."
    case .broken: "The packed document is damaged; what came behind was not read."
    case .tooLong:
      "The document is longer than \(unpackedLimit >> 20) MiB; what came behind was not read."
    }
  }

  // MARK: Which format

  /// Maximum number of bytes before the document: scripts print their warnings first.
  private static let longestHead = 256 << 10

  private mutating func consume(_ bytes: ByteBuffer) {
    if dropsZeros, bytes.firstIndex(of: 0, from: 0) != nil {
      return bytes.filter { $0 != 0 }.withUnsafeBufferPointer { consume($0) }
    }
    switch phase {
    case .json: decoder.decode(bytes, isLast: false, into: &buffer)
    case .xml(let reader, _): reader.consume(bytes)
    case .undecided:
      // A head of one size whatever the pieces, and no copy of a document that came whole.
      let missing = max(0, headSize - buffer.count)
      buffer.append(contentsOf: bytes.prefix(missing))
      guard buffer.count >= headSize else { return }
      let rest = ByteBuffer(rebasing: bytes.dropFirst(missing))
      do {
        try decide(mayWait: headSize < Self.longestHead)
        consume(rest)
      } catch {
        // More bytes may show a feed; otherwise `finish` throws.
        if headSize < Self.longestHead {
          headSize *= 4
        } else if buffer.count >= headSize {
          return
        }
        // Removed zeros have made room in the longest head as well.
        consume(rest)
      }
    }
  }

  private mutating func decide(mayWait: Bool) throws(SourceError) {
    if !dropsZeros, DocumentHead.holdsStrayZeros(buffer.prefix(headSize)) {
      dropsZeros = true
      buffer.removeAll { $0 == 0 }
    }
    let head = DocumentHead(buffer.prefix(headSize), contentType: contentType)
    switch head.kind {
    case .empty:
      throw SourceError(
        .decoding, stage: .parse, subject: subject, message: "The document is empty.",
        next: "try again when something is in it")
    case .html: throw notAFeed("This is a web page, not a feed.")
    case .unknown: throw notAFeed("This is not a feed.")
    case .xml where head.isGuess && mayWait: throw notAFeed("This is not a feed.")
    case .json:
      decoder = TextDecoder(head.encoding)
      firstLine = head.firstLine
      let beginning = buffer
      buffer = []
      beginning.withUnsafeBufferPointer {
        decoder.decode(ByteBuffer(rebasing: $0[head.start...]), isLast: false, into: &buffer)
      }
      phase = .json
    case .xml:
      let builder = FeedBuilder(documentURL: baseURL)
      let reader = XMLReader(head.encoding, firstLine: head.firstLine, events: builder)
      builder.reader = reader
      buffer.withUnsafeBufferPointer { reader.consume(ByteBuffer(rebasing: $0[head.start...])) }
      buffer = []
      phase = .xml(reader, builder)
    }
  }

  // MARK: Results

  private func line(of place: Int?) -> Int? {
    place.map { [firstLine, buffer] in firstLine + buffer[..<$0].count { $0 == 0x0A } }
  }

  private var subject: String { baseURL.map(WebAddress.redacted) ?? "the feed" }

  private func notAFeed(_ message: String) -> SourceError {
    SourceError(
      .notAFeed, stage: .parse, subject: subject, message: message,
      next: "look for the address of the feed on the site")
  }

  private func finished(
    _ reader: XMLReader, _ builder: FeedBuilder
  ) throws(SourceError) -> ParsedFeed {
    if let root = builder.strangeRoot {
      switch root.lowercased() {
      case "html": throw notAFeed("This is a web page, not a feed.")
      case "opml":
        var error = notAFeed("This is a list of feeds (OPML), not a feed.")
        error.next = "telex import FILE subscribes to the feeds in it"
        throw error
      default:
        let name = PlainText.stripped(html: root, limit: 40)
        throw notAFeed("This is XML, but not a feed: its root element is “\(name)”.")
      }
    }
    guard builder.hasRoot else {
      throw SourceError(
        .decoding, stage: .parse, subject: subject, message: "The document holds no readable XML.",
        next: "the feed may be repaired at the next refresh")
    }
    let isCut = builder.isOpen
    if builder.format == .rdf, !builder.hasFeed, !isCut {
      throw notAFeed("This is RDF, but not a feed: it has neither a channel nor items.")
    }
    builder.collector.warnings.add(reader.warnings)
    if isCut { builder.collector.warnings.add("The document ends before it is complete.") }
    if let trouble = unpackingTrouble { builder.collector.warnings.add(trouble) }
    if reader.isOverEntityLimit {
      builder.collector.warnings.add("Entities stand for too much text; some were left out.")
    }
    for remark in reader.encodingRemarks { builder.collector.warnings.add(remark) }
    var feed = builder.finished()
    feed.isCut = isCut || isPackingCut
    return feed
  }
}
