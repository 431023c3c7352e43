package import News
internal import Text

extension OPML {
  /// The list as OPML 2.0, a line for each outline. A feed in several folders occurs in each. The
  /// attributes of other feed readers are given back, their namespaces declared at the root.
  package static func write(_ document: OPMLDocument) -> String {
    OPMLWriter(document).text()
  }
}

/// Writes a list from a tree of its folders, by loops alone: lists nest as deep as they like.
private struct OPMLWriter {
  /// A folder; its parts stay in the order they came in.
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
      // The same folder may stand in the list twice.
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
    if let title = document.title { output += "    <title>\(escaped(title))</title>\n" }
    output += "  </head>\n  <body>\n"
    // The folders that are open, and how many of those in each have been written.
    var open = [(folder: 0, done: 0)]
    while let (index, done) = open.popLast() {
      let folder = folders[index]
      if done < folder.folders.count {
        open.append((index, done + 1))
        begin(folders[folder.folders[done]], depth: open.count, to: &output)
        open.append((folder.folders[done], 0))
      } else {
        for feed in folder.feeds {
          write(document.feeds[feed], depth: open.count + 1, to: &output)
        }
        if index > 0 { output += indent(open.count) + "</outline>\n" }
      }
    }
    return output + "  </body>\n</opml>\n"
  }

  /// No further than anybody looks: the lines of a deep list would be nothing but spaces.
  private func indent(_ depth: Int) -> String {
    String(repeating: "  ", count: min(depth, 16) + 1)
  }

  private func begin(_ folder: Folder, depth: Int, to output: inout String) {
    let text = escaped(folder.name)
    output += "\(indent(depth))<outline text=\"\(text)\" title=\"\(text)\""
    write(folder.attributes, besides: ["text", "title"], to: &output)
    output += ">\n"
  }

  private func write(_ feed: OPMLDocument.Feed, depth: Int, to output: inout String) {
    let text = escaped(feed.title ?? feed.url)
    output += "\(indent(depth))<outline"
    if !feed.attributes.contains(where: { $0.name == "type" }) { output += " type=\"rss\"" }
    output += " text=\"\(text)\""
    if let title = feed.title { output += " title=\"\(escaped(title))\"" }
    output += " xmlUrl=\"\(escaped(feed.url))\""
    if let page = feed.htmlUrl { output += " htmlUrl=\"\(escaped(page))\"" }
    if feed.hasCustomTitle, let prefix = namespaces.ownPrefix {
      output += " \(prefix):customTitle=\"true\""
    }
    if feed.needsSignIn, let prefix = namespaces.ownPrefix {
      output += " \(prefix):needsSignIn=\"true\""
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
      output += " \(name)=\"\(escapedBlock(attribute.value))\""
    }
  }
}

/// The prefixes of a list and what they stand for. Where lists have called different things by one
/// prefix, the later one gets another.
private struct Namespaces {
  private var prefixes: [String: String] = [:]
  private var taken: Set<String> = ["xml", "xmlns"]
  private var order: [String] = []

  var ownPrefix: String? { prefixes[OPML.namespace] }

  var declarations: String {
    order.map { " xmlns:\(prefixes[$0] ?? "")=\"\(escaped($0))\"" }.joined()
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

  /// The name under which an attribute is written; nil for one that cannot be.
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

  /// A prefix that its list has not declared stands for something all the same.
  private func uri(of attribute: OutlineAttribute, _ prefix: String) -> String {
    attribute.namespace ?? "urn:undeclared:\(prefix)"
  }

  private func parts(of name: String) -> (prefix: String?, local: String)? {
    let parts = name.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 2, parts.allSatisfy(isXMLName), let local = parts.last else { return nil }
    return (parts.count == 2 ? parts[0] : nil, local)
  }
}

/// Whether a text may be the name of an attribute, without its prefix; of what is not ASCII, what has
/// been one before is one.
private func isXMLName(_ text: String) -> Bool {
  guard let first = text.utf8.first, first.isASCIILetter || first == 0x5F || first >= 0x80 else {
    return false
  }
  return text != "xmlns"
    && text.utf8.allSatisfy {
      $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F || $0 >= 0x80
    }
}

/// Text for an element or an attribute, without what XML does not allow.
private func escaped(_ text: String) -> String {
  escapedClean(PlainText.sanitized(text))
}

/// The same for a value whose white space may mean something.
private func escapedBlock(_ text: String) -> String {
  escapedClean(PlainText.sanitizedBlock(text))
}

private func escapedClean(_ text: String) -> String {
  var output: [UInt8] = []
  for byte in text.utf8 {
    switch byte {
    case 0x22: output.append(contentsOf: "&quot;".utf8)
    // An XML parser would make spaces of them (XML 1.0 §3.3.3).
    case 0x09: output.append(contentsOf: "&#9;".utf8)
    case 0x0A: output.append(contentsOf: "&#10;".utf8)
    default: BodyText.appendEscaped(byte, to: &output)
    }
  }
  return String(decoding: output, as: UTF8.self)
}
