package import News
internal import Text

extension OPML {
  /// Writes OPML 2.0 with one outline a line. A feed in several folders has several outlines.
  /// Attributes of other readers are kept, with their namespaces declared in the root element.
  package static func write(_ document: OPMLDocument) -> String { OPMLWriter(document).text() }
}

/// Iterative, because folders can be nested to any depth.
private struct OPMLWriter {
  private struct Folder {
    var name: String
    var attributes: [OutlineAttribute] = []
    var folders: [Int] = []
    var feeds: [Int] = []
    var places: [String: Int] = [:]
  }

  private let document: OPMLDocument
  /// The first one is the body.
  private var folders = [Folder(name: "")]
  private var namespaces = Namespaces()

  init(_ document: OPMLDocument) {
    self.document = document
    for (index, feed) in document.feeds.enumerated() {
      for path in feed.categories.isEmpty ? [[]] : feed.categories {
        folders[place(of: path)].feeds.append(index)
      }
      namespaces.declare(feed.attributes)
      if feed.hasCustomTitle || feed.needsSignIn { namespaces.declareOwn() }
    }
    for folder in document.folders {
      guard let index = folder.isKept ? place(of: folder.path) : knownPlace(of: folder.path)
      else { continue }
      // There may be several outlines for one folder.
      if folder.attributes.isEmpty { continue }
      folders[index].attributes = folder.attributes
      namespaces.declare(folder.attributes)
    }
  }

  private func knownPlace(of path: [String]) -> Int? {
    var index = 0
    for name in path {
      guard let next = folders[index].places[name] else { return nil }
      index = next
    }
    return index
  }

  private mutating func place(of path: [String]) -> Int {
    var index = 0
    for name in path {
      if let next = folders[index].places[name] {
        index = next
      } else {
        folders.append(Folder(name: name))
        folders[index].places[name] = folders.count - 1
        folders[index].folders.append(folders.count - 1)
        index = folders.count - 1
      }
    }
    return index
  }

  func text() -> String {
    var output = """
      <?xml version="1.0" encoding="UTF-8"?>
      <opml version="2.0"\(namespaces.declarations)>
        <head>

      """
    if let title = document.title { output += "    <title>\(XMLText.line(title))</title>\n" }
    output += "  </head>\n  <body>\n"
    // Open folders with the number of children written.
    var open = [(folder: 0, done: 0)]
    while let (index, done) = open.popLast() {
      let folder = folders[index]
      if done < folder.folders.count {
        open.append((index, done + 1))
        begin(folders[folder.folders[done]], depth: open.count, to: &output)
        open.append((folder.folders[done], 0))
      } else {
        for feed in folder.feeds { write(document.feeds[feed], depth: open.count + 1, to: &output) }
        if index > 0 { output += indent(open.count) + "</outline>\n" }
      }
    }
    return output + "  </body>\n</opml>\n"
  }

  /// Bounded, because the lines of a deep list would consist of spaces.
  private func indent(_ depth: Int) -> String { String(repeating: "  ", count: min(depth, 16) + 1) }

  private func begin(_ folder: Folder, depth: Int, to output: inout String) {
    output += "\(indent(depth))<outline"
    output += XMLText.attribute("text", folder.name) + XMLText.attribute("title", folder.name)
    write(folder.attributes, besides: ["text", "title"], to: &output)
    output += ">\n"
  }

  private func write(_ feed: OPMLDocument.Feed, depth: Int, to output: inout String) {
    output += "\(indent(depth))<outline"
    if !feed.attributes.contains(where: { $0.name == "type" }) { output += " type=\"rss\"" }
    output += XMLText.attribute("text", feed.title ?? feed.url)
    output += XMLText.attribute("title", feed.title) + XMLText.attribute("xmlUrl", feed.url)
    output += XMLText.attribute("htmlUrl", feed.htmlUrl)
    if let prefix = namespaces.ownPrefix {
      if feed.hasCustomTitle { output += " \(prefix):customTitle=\"true\"" }
      if feed.needsSignIn { output += " \(prefix):needsSignIn=\"true\"" }
    }
    write(feed.attributes, besides: ["text", "title", "xmlUrl", "htmlUrl"], to: &output)
    output += "/>\n"
  }

  private func write(
    _ attributes: [OutlineAttribute], besides written: Set<String>, to output: inout String
  ) {
    var written = written
    for attribute in attributes {
      guard let name = namespaces.name(of: attribute), written.insert(name).inserted else {
        continue
      }
      // An XML parser replaces tabs and line feeds in attributes by spaces (XML 1.0 §3.3.3).
      let value = XMLText.block(attribute.value).replacing("\t", with: "&#9;")
        .replacing("\n", with: "&#10;")
      output += " \(name)=\"\(value)\""
    }
  }
}

/// Prefixes by their URIs. A prefix for several URIs is numbered from the second on.
private struct Namespaces {
  private var prefixes: [String: String] = [:]
  private var taken: Set<String> = ["xml", "xmlns"]
  private var order: [String] = []

  var ownPrefix: String? { prefixes[OPML.namespace] }

  var declarations: String {
    order.map { " xmlns:\(prefixes[$0] ?? "")=\"\(XMLText.line($0))\"" }.joined()
  }

  mutating func declareOwn() { declare(OPML.namespace, as: "telex") }

  mutating func declare(_ attributes: [OutlineAttribute]) {
    for attribute in attributes {
      guard let (prefix, _) = parts(of: attribute.name), let prefix, prefix != "xml" else {
        continue
      }
      declare(uri(of: attribute, prefix), as: prefix)
    }
  }

  /// Nil if the name is invalid in XML.
  func name(of attribute: OutlineAttribute) -> String? {
    guard let (prefix, local) = parts(of: attribute.name) else { return nil }
    guard let prefix else { return local }
    if prefix == "xml" { return attribute.name }
    return prefixes[uri(of: attribute, prefix)].map { $0 + ":" + local }
  }

  private mutating func declare(_ uri: String, as prefix: String) {
    guard prefixes[uri] == nil else { return }
    var free = prefix
    var number = 2
    while !taken.insert(free).inserted {
      free = prefix + "\(number)"
      number += 1
    }
    prefixes[uri] = free
    order.append(uri)
  }

  /// An undeclared prefix gets a namespace of its own.
  private func uri(of attribute: OutlineAttribute, _ prefix: String) -> String {
    attribute.namespace ?? "urn:undeclared:\(prefix)"
  }

  private func parts(of name: String) -> (prefix: String?, local: String)? {
    let parts = name.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 2, parts.allSatisfy(isXMLName), let local = parts.last else { return nil }
    return (parts.count == 2 ? parts[0] : nil, local)
  }
}

/// Whether a text is valid as a local name. Names from documents may have non-ASCII characters.
private func isXMLName(_ text: String) -> Bool {
  guard let first = text.utf8.first, first.isASCIILetter || first == 0x5F || first >= 0x80 else {
    return false
  }
  return text != "xmlns"
    && text.utf8.allSatisfy {
      $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F || $0 >= 0x80
    }
}
