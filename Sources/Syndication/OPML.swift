package import News

/// A list of feeds, as readers exchange them.
package struct OPMLDocument: Hashable, Sendable {
  package struct Feed: Hashable, Sendable {
    /// The feed's address, as the list writes it but for white space. It may be anything: normalise it
    /// before use.
    package var url: String
    package var title: String?
    /// The page the feed belongs to.
    package var htmlUrl: String?
    /// The folders it is in, each as the names from the outermost in. Empty for none.
    package var categories: [[String]]

    package init(
      url: String, title: String? = nil, htmlUrl: String? = nil, categories: [[String]] = []
    ) {
      self.url = url
      self.title = title
      self.htmlUrl = htmlUrl
      self.categories = categories
    }
  }

  package var title: String?
  /// In the order of the list, each address once.
  package var feeds: [Feed]

  package init(title: String? = nil, feeds: [Feed] = []) {
    self.title = title
    self.feeds = feeds
  }
}

/// Reads and writes OPML 1.0 and 2.0 (http://opml.org/spec2.opml).
package enum OPML {
  /// The feeds of a list. Nested outlines and `category="/Folder/Inner,/Other"` both become folders; a
  /// feed that occurs twice is in the folders of both. What is cut short is read as far as it goes.
  ///
  /// - Throws: `.decoding` for an empty text, one that is no XML, or one without an OPML root.
  package static func parse(_ bytes: [UInt8]) throws(SourceError) -> OPMLDocument {
    let builder = OPMLBuilder()
    let head = DocumentHead(bytes.prefix(4096), contentType: MediaType("text/xml"))
    guard head.kind != .empty else { throw unreadable("The list is empty.") }
    let start = max(0, head.kind == .unknown ? 0 : head.start)
    let reader = XMLReader(head.encoding, events: builder)
    bytes.withUnsafeBufferPointer { reader.consume(ByteBuffer(rebasing: $0[start...])) }
    reader.finish()
    guard builder.isOPML else { throw unreadable("This is no OPML list.") }
    return builder.document
  }

  private static func unreadable(_ message: String) -> SourceError {
    SourceError(
      .decoding, stage: .parse, subject: "the list of feeds", message: message,
      next: "Export it again from the other reader.")
  }

  /// The list as OPML 2.0. A feed in several folders occurs in each.
  package static func write(_ document: OPMLDocument) -> String {
    var root = Folder()
    for feed in document.feeds {
      for path in feed.categories.isEmpty ? [[]] : feed.categories { root.add(feed, at: path[...]) }
    }
    var output = """
      <?xml version="1.0" encoding="UTF-8"?>
      <opml version="2.0">
        <head>

      """
    if let title = document.title { output += "    <title>\(escaped(title))</title>\n" }
    output += "  </head>\n  <body>\n"
    root.write(to: &output, indent: "    ")
    return output + "  </body>\n</opml>\n"
  }

  /// A folder while a list is written; its parts stay in the order they came in.
  private struct Folder {
    var names: [String] = []
    var folders: [String: Folder] = [:]
    var feeds: [OPMLDocument.Feed] = []

    mutating func add(_ feed: OPMLDocument.Feed, at path: ArraySlice<String>) {
      guard let name = path.first else {
        feeds.append(feed)
        return
      }
      if folders[name] == nil { names.append(name) }
      folders[name, default: Folder()].add(feed, at: path.dropFirst())
    }

    func write(to output: inout String, indent: String) {
      for name in names {
        let text = OPML.escaped(name)
        output += "\(indent)<outline text=\"\(text)\" title=\"\(text)\">\n"
        folders[name]?.write(to: &output, indent: indent + "  ")
        output += "\(indent)</outline>\n"
      }
      for feed in feeds {
        let text = OPML.escaped(feed.title ?? feed.url)
        output += "\(indent)<outline type=\"rss\" text=\"\(text)\""
        if let title = feed.title { output += " title=\"\(OPML.escaped(title))\"" }
        output += " xmlUrl=\"\(OPML.escaped(feed.url))\""
        if let page = feed.htmlUrl { output += " htmlUrl=\"\(OPML.escaped(page))\"" }
        output += "/>\n"
      }
    }
  }

  /// Text for an element or an attribute, without what XML does not allow.
  private static func escaped(_ text: String) -> String {
    var output: [UInt8] = []
    for byte in PlainText.sanitized(text).utf8 {
      if byte == 0x22 {
        output.append(contentsOf: "&quot;".utf8)
      } else {
        BodyText.appendEscaped(byte, to: &output)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}
