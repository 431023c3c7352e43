package import News
internal import Text

/// Reader and writer of OPML 1.0 and 2.0 (http://opml.org/spec2.opml).
package enum OPML {
  /// Namespace of `customTitle="true"`, for the user's own title, and `needsSignIn="true"`.
  package static let namespace = "urn:telex:opml"

  /// Nested outlines and `category="/Folder/Inner,/Other"` are folders; a feed that occurs twice is
  /// in the folders of both. A truncated list is read up to its end.
  ///
  /// - Parameter takesFiles: whether feeds may have `file:` addresses.
  /// - Throws: `.decoding` for an empty text, or one without an OPML root element.
  package static func parse(
    _ bytes: [UInt8], takesFiles: Bool = false
  ) throws(SourceError) -> OPMLDocument {
    if DocumentHead.holdsStrayZeros(bytes.prefix(headSize)) {
      return try parse(bytes.filter { $0 != 0 }, takesFiles: takesFiles)
    }
    let head = DocumentHead(bytes.prefix(headSize), contentType: MediaType("text/xml"))
    let start: Int
    switch head.kind {
    case .empty: throw unreadable("The list is empty.")
    case .html: throw unreadable("This is a web page, not a list of feeds.")
    case .json: throw unreadable("This is JSON, not a list of feeds in OPML.")
    case .xml: start = head.start
    case .unknown:
      // Other text may precede the root, such as the headers of a mail.
      let root = bytes.prefix(headSize).withUnsafeBufferPointer { $0.firstIndex(ofWord: "<opml") }
      guard let root else {
        guard isListOfAddresses(bytes) else {
          throw unreadable("This is no list of feeds: it holds no XML.")
        }
        throw unreadable(
          "This is a list of addresses, one on each line, not one in OPML.",
          next: "telex import --from newsboat FILE takes over such a list")
      }
      start = root
    }
    if let repaired = bytes.withUnsafeBufferPointer(OutlineRepair.repaired) {
      return try parse(repaired, takesFiles: takesFiles)
    }
    let builder = OPMLBuilder(takesFiles: takesFiles)
    let reader = XMLReader(head.encoding, events: builder)
    builder.reader = reader
    bytes.withUnsafeBufferPointer { reader.consume(ByteBuffer(rebasing: $0[start...])) }
    reader.finish()
    if let root = builder.strangeRoot { throw strange(root) }
    guard builder.hasRoot else { throw unreadable("The list holds no readable XML.") }
    return builder.finished(reader, linesBefore: bytes[..<start].count { $0 == 0x0A })
  }

  private static let headSize = 4096

  /// Whether the first line that is no comment is an address, as in newsboat's list.
  private static func isListOfAddresses(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes.prefix(headSize), as: UTF8.self)
    let line = text.split(whereSeparator: \.isNewline).lazy.map { $0.drop(while: \.isWhitespace) }
      .first { !$0.isEmpty && !$0.hasPrefix("#") }
    return line.map { WebAddress.isWeb(String($0.prefix { !$0.isWhitespace })) } ?? false
  }

  private static func strange(_ root: String) -> SourceError {
    switch root.lowercased() {
    case "html": return unreadable("This is a web page, not a list of feeds.")
    case "rss", "feed", "rdf":
      let format = ["feed": "Atom", "rdf": "RDF"][root.lowercased()] ?? "RSS"
      return unreadable(
        "This is a feed (\(format)), not a list of feeds.", next: "subscribe to it with telex add")
    default:
      return unreadable(
        "This is XML, but no list of feeds: its root element is “\(PlainText.sanitized(root).prefix(40))”."
      )
    }
  }

  private static func unreadable(
    _ message: String, next: String = "export it again from the other reader"
  ) -> SourceError {
    SourceError(
      .decoding, stage: .parse, subject: "the list of feeds", message: message, next: next)
  }
}
