internal import News
internal import Text

/// Builder of a list of feeds from the elements of OPML, used from one thread at a time.
final class OPMLBuilder: XMLEvents {
  /// Includes `opml` and `body`.
  private static let depthLimit = 1_032
  private static let feedLimit = 100_000
  /// Maximum number of folder names in all paths: a nested feed has one for each level.
  private static let nameLimit = 600_000
  private static let categoryLimit = 256
  private static let skippedLimit = 10_000
  /// Maximum number of folders without feeds: in outlines of text every element looks like one.
  private static let emptyFolderLimit = 1_000
  /// Maximum number and bytes of foreign attributes of one outline.
  private static let attributeLimit = 64
  private static let attributeBytes = 32 << 10
  private static let urlBytes = 8 << 10

  weak var reader: XMLReader?
  private let takesFiles: Bool
  private var document = OPMLDocument()
  private(set) var hasRoot = false
  /// Name of a root that is no OPML.
  private(set) var strangeRoot: String?
  private var elements: [Element] = []
  private var elementsTooDeep = 0
  private var path: [String] = []
  /// Whether a feed has this path already, so that others share it.
  private var isPathInUse = false
  private var nameCount = 0
  private var title: [UInt8]?
  /// By normalised address.
  private var places: [String: (index: Int, line: Int)] = [:]
  private var skippedCount = 0
  private var emptyFolderCount = 0
  private var feedsOverLimit = 0
  private var hasLostAttributes = false

  private enum Element {
    case title, head, other
    case outline(Outline)
  }

  private struct Outline {
    var isFolder = false
    /// Whether the outline is a feed or part of one, such as an episode.
    var isOfFeed = false
    var hasFeeds = false
    /// Attributes of other feed readers.
    var attributes: [OutlineAttribute] = []
    /// Why the outline is neither a feed nor a folder, unless it contains outlines.
    var skipped: OPMLDocument.Skipped?
  }

  init(takesFiles: Bool) { self.takesFiles = takesFiles }

  // MARK: Events

  func start(_ element: XMLElement) {
    let name = element.localName.lowercased()
    if !hasRoot, strangeRoot == nil {
      guard name == "opml" else {
        strangeRoot = element.localName
        reader?.stop()
        return
      }
      hasRoot = true
    }
    guard strangeRoot == nil else { return }
    guard elements.count < Self.depthLimit else {
      if name == "outline" { skipTooDeep(element) }
      elementsTooDeep += 1
      return
    }
    switch name {
    case "outline":
      holdOutline()
      elements.append(outline(element))
    case "head": elements.append(.head)
    case "title":
      if case .head = elements.last, document.title == nil { title = [] }
      elements.append(.title)
    default: elements.append(.other)
    }
  }

  func text(_ bytes: ByteBuffer) { title?.append(contentsOf: bytes) }

  func end() {
    if elementsTooDeep > 0 {
      elementsTooDeep -= 1
      return
    }
    switch elements.popLast() {
    case .title:
      guard let bytes = title else { return }
      let text = bytes.withUnsafeBufferPointer { PlainText.sanitized(bytes: $0) }
      document.title = text.isEmpty ? nil : text
      title = nil
    case .outline(let outline): close(outline)
    case .head, .other, nil: break
    }
  }

  /// - Parameter linesBefore: number of lines before the text of the XML reader.
  func finished(_ reader: XMLReader, linesBefore: Int) -> OPMLDocument {
    let isCut = !elements.isEmpty
    while let element = elements.popLast() {
      if case .outline(let outline) = element { close(outline) }
    }
    var document = document
    document.warnings += reader.warnings.sentences(linesBefore: linesBefore)
    if isCut {
      document.warnings.append(
        "The list ends within an element: it was cut off, or an end tag is missing.")
    }
    if reader.isOverEntityLimit {
      document.warnings.append("Entities stand for too much text; some were left out.")
    }
    document.warnings += reader.encodingRemarks
    if hasLostAttributes {
      document.warnings.append(
        "Outlines have too many attributes of other readers; not all are kept.")
    }
    if feedsOverLimit > 0 {
      document.warnings.append(
        "The list is too long: \(feedsOverLimit) feeds after the first \(Self.feedLimit) were left out."
      )
    }
    if skippedCount > document.skipped.count {
      document.warnings.append(
        "\(skippedCount - document.skipped.count) more outlines were left out.")
    }
    if document.feeds.isEmpty, document.warnings.isEmpty {
      document.warnings.append("The list names no feed.")
    }
    for index in document.skipped.indices { document.skipped[index].line += linesBefore }
    // Whether an outline is empty is known only at its end.
    document.skipped.sort { $0.line < $1.line }
    return document
  }

  // MARK: Outlines

  private func holdOutline() {
    guard case .outline(var parent) = elements.last, parent.skipped != nil else { return }
    parent.skipped = nil
    elements[elements.count - 1] = .outline(parent)
  }

  private func holdFeed() {
    guard case .outline(var parent) = elements.last, !parent.hasFeeds else { return }
    parent.hasFeeds = true
    elements[elements.count - 1] = .outline(parent)
  }

  private func outline(_ element: XMLElement) -> Element {
    let read = OutlineAttributes(
      element, limit: Self.attributeLimit, byteLimit: Self.attributeBytes)
    if read.isOverLimit { hasLostAttributes = true }
    var isOfFeed = false
    if case .outline(let parent) = elements.last { isOfFeed = parent.isOfFeed }
    if read.isSource, !isOfFeed {
      skip(
        skipped(
          read, read["xmlurl"],
          "It stands for the feeds of another service or list (type “source”)."))
    }
    if let text = read.feedAddress {
      addFeed(text, read)
      // Its content belongs to the folder that contains it.
      return .outline(Outline(isOfFeed: true))
    }
    if isOfFeed { return .outline(Outline(isOfFeed: true)) }
    var outline = Outline()
    outline.skipped = read.reasonForNoFeed.map {
      skipped(read, read["url"] ?? read["htmlurl"], $0)
    }
    if let name = read.name {
      path.append(name)
      isPathInUse = false
      outline.isFolder = true
      outline.attributes = read.foreign
    }
    return .outline(outline)
  }

  private func close(_ outline: Outline) {
    if let skipped = outline.skipped { skip(skipped) }
    if outline.hasFeeds { holdFeed() }
    guard outline.isFolder else { return }
    let isKept =
      !outline.hasFeeds && outline.skipped == nil && emptyFolderCount < Self.emptyFolderLimit
    if isKept || outline.hasFeeds && !outline.attributes.isEmpty,
      nameCount + path.count <= Self.nameLimit
    {
      nameCount += path.count
      if isKept { emptyFolderCount += 1 }
      document.folders.append(
        OPMLDocument.Folder(path: path, attributes: outline.attributes, isKept: isKept))
    }
    path.removeLast()
    isPathInUse = false
  }

  private func addFeed(_ text: String, _ read: OutlineAttributes) {
    func skip(_ reason: String) { self.skip(skipped(read, text, reason)) }
    let (url, key): (String, String)
    do throws(SourceError) {
      (url, key) = try address(text)
    } catch {
      return skip(error.message)
    }
    if !isPathInUse {
      guard nameCount + path.count <= Self.nameLimit else { return skip(Self.tooDeep) }
      nameCount += path.count
    }
    var categories = path.isEmpty ? [] : [path]
    for names in read.categories where !categories.contains(names) { categories.append(names) }
    let feed = OPMLDocument.Feed(
      url: url, title: read.name == text ? nil : read.name, hasCustomTitle: read.hasCustomTitle,
      needsSignIn: read.needsSignIn,
      htmlUrl: read["htmlurl"], categories: categories, attributes: read.foreign)
    guard let known = places[key] else {
      guard document.feeds.count < Self.feedLimit else {
        feedsOverLimit += 1
        return
      }
      places[key] = (document.feeds.count, reader?.lineOfTag ?? 0)
      document.feeds.append(feed)
      holdFeed()
      isPathInUse = isPathInUse || !path.isEmpty
      return
    }
    if merge(feed, into: known.index) {
      holdFeed()
    } else {
      skip("The same address stands on line \(known.line) already.")
    }
  }

  /// Returns whether another outline of a known feed added a folder.
  private func merge(_ feed: OPMLDocument.Feed, into index: Int) -> Bool {
    var known = document.feeds[index]
    let room = max(0, Self.categoryLimit - known.categories.count)
    let categories = feed.categories.filter { !known.categories.contains($0) }.prefix(room)
    known.categories += categories
    if known.title == nil { known.title = feed.title }
    if known.htmlUrl == nil { known.htmlUrl = feed.htmlUrl }
    let names = Set(known.attributes.map(\.name))
    known.attributes += feed.attributes.filter { !names.contains($0.name) }
      .prefix(max(0, Self.attributeLimit - known.attributes.count))
    document.feeds[index] = known
    return !categories.isEmpty
  }

  /// The address as it is stored, and its normalised form.
  private func address(_ text: String) throws(SourceError) -> (url: String, key: String) {
    func refused(_ message: String) -> SourceError {
      SourceError(.address, stage: .parse, subject: "the list of feeds", message: message)
    }
    guard text.utf8.count <= Self.urlBytes else { throw refused("The address is too long.") }
    let scheme = WebAddress.scheme(of: text)
    if scheme == "file", takesFiles, text.hasPrefix("file:///") { return (text, text) }
    if scheme == nil,
      !(WebAddress.host(of: text.hasPrefix("//") ? text : "//" + text) ?? "").contains(".")
    {
      throw refused("The address is none of the web.")
    }
    // Some programs do not encode spaces.
    let url = text.replacing(" ", with: "%20")
    let normalized = try WebAddress.entered(url)
    return (scheme == "http" || scheme == "https" ? url : normalized, normalized)
  }

  // MARK: What is left out

  private static let tooDeep = "It lies in too many folders within each other."

  private func skipTooDeep(_ element: XMLElement) {
    let read = OutlineAttributes(element, limit: 0, byteLimit: 0)
    if let url = read.feedAddress { skip(skipped(read, url, Self.tooDeep)) }
  }

  private func skipped(
    _ read: OutlineAttributes, _ url: String?, _ reason: String
  ) -> OPMLDocument.Skipped {
    OPMLDocument.Skipped(
      line: reader?.lineOfTag ?? 0, title: read.name, url: url, reason: reason)
  }

  private func skip(_ skipped: OPMLDocument.Skipped) {
    skippedCount += 1
    if document.skipped.count < Self.skippedLimit { document.skipped.append(skipped) }
  }
}

private struct OutlineAttributes {
  /// Non-empty values by lower-case names.
  private var values: [String: String] = [:]
  private(set) var foreign: [OutlineAttribute] = []
  private(set) var isOverLimit = false
  private(set) var hasCustomTitle = false
  private(set) var needsSignIn = false

  private static let known: Set = ["text", "title", "xmlurl", "htmlurl", "url", "type", "category"]
  private static let feedTypes: Set = ["rss", "atom", "feed", "rss1", "rss2", "json"]

  init(_ element: XMLElement, limit: Int, byteLimit: Int) {
    var byteCount = 0
    for index in 0..<element.attributeCount {
      let name = element.attributeName(index)
      let prefix = element.attributePrefix(index)
      let lowercased = name.lowercased()
      let space = element.attributeSpace(index)
      if prefix == nil, Self.known.contains(lowercased) {
        // Some programs escape twice.
        var value = CharacterReference.decoded(element.attributeValue(index))
        value = PlainText.sanitized(value)
        // The address of the feed keeps its user: the password becomes one of the user's secrets.
        if lowercased == "htmlurl" { value = WebAddress.textWithoutUser(value) }
        if values[lowercased] == nil, !value.isEmpty { values[lowercased] = value }
        continue
      }
      let value = WebAddress.textWithoutUser(
        PlainText.sanitizedBlock(element.attributeValue(index)))
      if space == OPML.namespace {
        if name == "customTitle" { hasCustomTitle = Self.isTrue(value) }
        if name == "needsSignIn" { needsSignIn = Self.isTrue(value) }
        continue
      }
      if lowercased == "usecustomtitle" { hasCustomTitle = hasCustomTitle || Self.isTrue(value) }
      let fullName = prefix.map { $0 + ":" + name } ?? name
      byteCount += fullName.utf8.count + value.utf8.count + (space?.utf8.count ?? 0)
      guard foreign.count < limit, byteCount <= byteLimit else {
        isOverLimit = true
        continue
      }
      foreign.append(OutlineAttribute(fullName, namespace: space, value: value))
    }
    // Types of other readers, such as `HTML+XPath`, are kept for the export.
    if let type = values["type"], feedAddress != nil, type.lowercased() != "rss", limit > 0 {
      foreign.append(OutlineAttribute("type", value: type))
    }
  }

  subscript(name: String) -> String? { values[name] }

  var name: String? { values["title"] ?? values["text"] }

  /// Nil for a folder, a link or a note.
  var feedAddress: String? {
    if isSource { return nil }
    if let url = values["xmlurl"] { return url }
    // OPML 1.0 does not specify the attribute of the address.
    return Self.feedTypes.contains(type) ? values["url"] : nil
  }

  /// Liferea's entry for a list or service. It contains the feeds; its address is none.
  var isSource: Bool { type == "source" }

  /// Why the outline is no feed; nil if it does not look like one.
  var reasonForNoFeed: String? {
    switch type {
    case "include": return "It includes another list, which has to be imported by itself."
    case _ where Self.feedTypes.contains(type): return "It has no address of a feed (xmlUrl)."
    case "link", "html", "page", "song", "photo":
      return "It is a link (type “\(type)”), not a feed."
    // Its text describes the reason already.
    case "source": return nil
    default:
      guard values["url"] != nil || values["htmlurl"] != nil else { return nil }
      return "It names a page, but no feed (xmlUrl)."
    }
  }

  /// Folders of the attribute `category`: paths separated by commas, levels by slashes.
  var categories: [[String]] {
    (values["category"] ?? "").split(separator: ",").prefix(64).compactMap { path in
      let names = path.split(separator: "/").prefix(64).map { PlainText.sanitized(String($0)) }
        .filter { !$0.isEmpty }
      return names.isEmpty ? nil : names
    }
  }

  private var type: String { values["type"]?.lowercased() ?? "" }

  private static func isTrue(_ value: String) -> Bool {
    ["true", "1", "yes"].contains(PlainText.sanitized(value).lowercased())
  }
}
