internal import CGumbo
internal import Text

/// A web page as a tree of elements, which selectors find.
///
/// Reads as a browser would (WHATWG HTML), within the bounds of `PageNormalizer`; never fails. Its texts are not
/// sanitised.
package struct HTMLPage: Sendable {
  struct Node: Sendable {
    /// In lower case; empty for text.
    var name = ""
    /// Whether it stands on lines of its own; false for text.
    var isBlock = false
    var attributes: [(name: String, value: String)] = []
    var text = ""
    var parent = -1
    /// The index behind its last descendant.
    var end = 0
    /// The place among the elements of its parent, from 1; 0 for text.
    var place = 0
    /// The number of these elements.
    var siblings = 0
    /// The element before it in its parent; -1 for none.
    var previous = -1

    /// The value of an attribute; nil for one that is not there.
    subscript(attribute: String) -> String? { attributes.first { $0.name == attribute }?.value }

    /// Whether it is one of `h1` to `h6`.
    var isHeading: Bool { name.utf8.count == 2 && name.hasPrefix("h") && name != "hr" }
  }

  package struct Element: Hashable, Sendable {
    let index: Int
  }

  /// In the order of the document: the descendants of one follow it.
  private(set) var nodes: [Node] = []
  /// The texts of its scripts with linked data (JSON-LD); empty where they were not asked for.
  private(set) package var linkedData: [[UInt8]] = []
  /// Where it sends its readers at once, by an element or by a script.
  private(set) var refresh: String?
  private(set) var scriptedRefresh: String?

  /// - Parameter html: in UTF-8. What is longer than `Markup.mostBytes` is cut there.
  package init(_ html: [UInt8]) { self.init(html, isForExtraction: false) }

  /// The page with what the extraction of its article needs beside its elements.
  package init(forExtraction html: [UInt8]) { self.init(html, isForExtraction: true) }

  private init(_ html: [UInt8], isForExtraction: Bool) {
    let (normal, extras) = PageNormalizer.normalize(
      Array(html.prefix(Markup.mostBytes)), isForExtraction: isForExtraction)
    linkedData = extras?.linkedData ?? []
    (refresh, scriptedRefresh) = (extras?.refresh, extras?.scriptedRefresh)
    Gumbo.read(normal, isFragment: false) { append($0) }
    if nodes.isEmpty { nodes = [Node(name: "html", end: 1, place: 1, siblings: 1)] }
  }

  // MARK: The tree

  /// Copies with a stack of its own: the depth of a tree must not be that of the thread's stack.
  private mutating func append(_ root: Gumbo.Node) {
    var steps: [(node: Int, children: GumboVector, next: Int, lastElement: Int)] = []
    func addElement(_ node: Gumbo.Node, in parent: Int) -> Int {
      let (name, isBlock) = Self.name(of: node)
      nodes.append(
        Node(
          name: name, isBlock: isBlock,
          attributes: Gumbo.attributes(of: node).map { ($0.lowercased(), $1) }, parent: parent))
      return nodes.count - 1
    }
    let first = addElement(root, in: -1)
    (nodes[first].place, nodes[first].siblings) = (1, 1)
    steps.append((first, root.pointee.v.element.children, 0, -1))
    while let last = steps.indices.last {
      let step = steps[last]
      guard step.next < Int(step.children.length),
        let child = step.children.data[step.next]?.assumingMemoryBound(to: GumboNode.self)
      else {
        nodes[step.node].end = nodes.count
        var sibling = step.lastElement
        let count = sibling < 0 ? 0 : nodes[sibling].place
        while sibling >= 0 {
          nodes[sibling].siblings = count
          sibling = nodes[sibling].previous
        }
        steps.removeLast()
        continue
      }
      steps[last].next += 1
      switch child.pointee.type {
      case GUMBO_NODE_TEXT, GUMBO_NODE_WHITESPACE, GUMBO_NODE_CDATA:
        nodes.append(
          Node(
            text: String(cString: child.pointee.v.text.text), parent: step.node,
            end: nodes.count + 1))
      case GUMBO_NODE_ELEMENT:
        let index = addElement(child, in: step.node)
        nodes[index].previous = step.lastElement
        nodes[index].place = step.lastElement < 0 ? 1 : nodes[step.lastElement].place + 1
        steps[last].lastElement = index
        steps.append((index, child.pointee.v.element.children, 0, -1))
      default: break
      }
    }
  }

  private static func name(
    of node: Gumbo.Node
  ) -> (name: String, isBlock: Bool) {
    let tag = node.pointee.v.element.tag
    if tag != GUMBO_TAG_UNKNOWN { return names[Int(tag.rawValue)] }
    var original = node.pointee.v.element.original_tag
    gumbo_tag_from_original_text(&original)
    guard let start = original.data else { return ("?", false) }
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(original.length))
    let name = String(decoding: bytes, as: UTF8.self).lowercased()
    return (name, PageHints.isBlock(name))
  }

  /// By the numbers of gumbo's tags.
  private static let names: [(name: String, isBlock: Bool)] =
    (0..<GUMBO_TAG_UNKNOWN.rawValue).map { number in
      let name = String(cString: gumbo_normalized_tagname(GumboTag(rawValue: number)))
      return (name, PageHints.isBlock(name))
    }

  // MARK: Content of an element

  package var root: Element { Element(index: 0) }

  package func attribute(_ name: String, of element: Element) -> String? {
    nodes[element.index][name]
  }

  package func name(of element: Element) -> String { nodes[element.index].name }

  /// All text in an element, its white space collapsed.
  package func text(of element: Element) -> String {
    lines(of: element).joined(separator: " ")
  }

  /// The text in an element, a line for each block; none of them is empty.
  package func lines(of element: Element) -> [String] {
    var lines: [String] = []
    var line = ""
    func endLine() {
      let text = line.collapsed()
      if !text.isEmpty { lines.append(text) }
      line = ""
    }
    var ends: [Int] = []
    for index in element.index..<max(element.index, nodes[element.index].end) {
      while let end = ends.last, end <= index {
        endLine()
        ends.removeLast()
      }
      let node = nodes[index]
      if node.name.isEmpty {
        if node.parent < 0 || nodes[node.parent].name != "title" { line += node.text }
      } else if node.name == "br" {
        endLine()
      } else if node.name == "td" || node.name == "th" {
        line += " "
      } else if node.name == "tr" || HTMLTag(name: node.name.utf8)?.isBlock == true {
        endLine()
        ends.append(node.end)
      }
    }
    endLine()
    return lines
  }

  package var title: String? {
    guard let index = nodes.firstIndex(where: { $0.name == "title" }) else { return nil }
    let text = nodes[index..<nodes[index].end].map(\.text).joined().collapsed()
    return text.isEmpty ? nil : text
  }

  /// The address in the first `<base href>`, as it stands there.
  package var base: String? {
    nodes.first { $0.name == "base" }?["href"]
  }

  /// HTML that reads as the content of an element.
  package func html(of element: Element) -> String {
    var html = ""
    var ends: [(index: Int, name: String)] = []
    for index in element.index..<nodes[element.index].end {
      while let end = ends.last, end.index <= index {
        html += "</\(end.name)>"
        ends.removeLast()
      }
      let node = nodes[index]
      if node.name.isEmpty {
        html += Self.escaped(node.text)
        continue
      }
      html += "<\(node.name)"
      for (name, value) in node.attributes { html += " \(name)=\"\(Self.escaped(value))\"" }
      html += ">"
      if !HTMLElements.void.contains(PackedName(node.name)) { ends.append((node.end, node.name)) }
    }
    while let end = ends.popLast() { html += "</\(end.name)>" }
    return html
  }

  /// Text for content and quoted attributes.
  static func escaped(_ text: String) -> String {
    let needsEscapes = text.utf8.contains { byte in
      byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
        || byte == UInt8(ascii: "\"")
    }
    guard needsEscapes else { return text }
    var escaped: [UInt8] = []
    escaped.reserveCapacity(text.utf8.count + 16)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): escaped += "&amp;".utf8
      case UInt8(ascii: "<"): escaped += "&lt;".utf8
      case UInt8(ascii: ">"): escaped += "&gt;".utf8
      case UInt8(ascii: "\""): escaped += "&quot;".utf8
      default: escaped.append(byte)
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }
}
