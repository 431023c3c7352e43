internal import News

/// Makes a list of feeds out of the elements of an OPML document.
final class OPMLBuilder: XMLEvents {
  private static let depthLimit = 1024
  private static let feedLimit = 100_000

  private(set) var document = OPMLDocument()
  private(set) var isOPML = false
  private var elements: [Element] = []
  private var indexes: [String: Int] = [:]
  private var title: [UInt8]?

  private enum Element {
    case folder(String)
    case title, head, other
  }

  func start(_ element: XMLElement) {
    let name = element.localName.lowercased()
    if elements.isEmpty { isOPML = isOPML || name == "opml" }
    // Deeper elements are folders without a name: the count must stay right.
    guard elements.count < Self.depthLimit else {
      elements.append(.other)
      return
    }
    switch name {
    case "outline": elements.append(outline(element))
    case "head": elements.append(.head)
    case "title":
      if case .head = elements.last, document.title == nil { title = [] }
      elements.append(.title)
    default: elements.append(.other)
    }
  }

  func text(_ bytes: ByteBuffer) { title?.append(contentsOf: bytes) }

  func end() {
    guard case .title? = elements.popLast(), let bytes = title else { return }
    let text = bytes.withUnsafeBufferPointer { PlainText.title(bytes: $0) }
    document.title = text.isEmpty ? nil : text
    title = nil
  }

  private func outline(_ element: XMLElement) -> Element {
    var values: [String: String] = [:]
    for index in 0..<min(element.attributeCount, 64) {
      let name = String(cString: element.attributeName(index).name).lowercased()
      let value = PlainText.sanitized(element.attributeValue(index))
      if values[name] == nil, !value.isEmpty { values[name] = value }
    }
    let name = values["title"] ?? values["text"]
    guard let url = values["xmlurl"] else { return name.map { .folder($0) } ?? .other }
    var categories: [[String]] = []
    let folder = elements.compactMap { if case .folder(let name) = $0 { name } else { nil } }
    if !folder.isEmpty { categories.append(folder) }
    for path in (values["category"] ?? "").split(separator: ",") {
      let names = path.split(separator: "/").map { PlainText.sanitized(String($0)) }
        .filter { !$0.isEmpty }
      if !names.isEmpty, !categories.contains(names) { categories.append(names) }
    }
    add(
      OPMLDocument.Feed(
        url: url, title: name == url ? nil : name, htmlUrl: values["htmlurl"],
        categories: categories))
    return .other
  }

  private func add(_ feed: OPMLDocument.Feed) {
    if let index = indexes[feed.url] {
      for category in feed.categories where !document.feeds[index].categories.contains(category) {
        document.feeds[index].categories.append(category)
      }
      if document.feeds[index].title == nil { document.feeds[index].title = feed.title }
    } else if document.feeds.count < Self.feedLimit {
      indexes[feed.url] = document.feeds.count
      document.feeds.append(feed)
    }
  }
}
