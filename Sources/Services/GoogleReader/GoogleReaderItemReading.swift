internal import News
internal import Text

/// Conversion of items of the Google Reader API to entries.
struct GoogleReaderItemReading: Sendable {
  let product: GoogleReaderProduct
  /// The base of addresses where an item names no page.
  let base: String

  /// Without the items of no feed. Those that are unreadable, repeated or not requested are counted
  /// in a warning.
  func batch(_ wire: GoogleReaderWire.Contents, asked: [GoogleReaderItemID]) -> ItemBatch {
    var (values, bad) = wire.items.read()
    var items: [Item] = []
    var left = Set(asked)
    for value in values {
      guard let id = GoogleReaderItemID(value.id.text), left.remove(id) != nil else {
        bad += 1
        continue
      }
      if let item = item(value, id) { items.append(item) }
    }
    return ItemBatch(items: items, warnings: SyncAnswer.warnings(bad))
  }

  private func item(_ wire: GoogleReaderWire.Item, _ id: GoogleReaderItemID) -> Item? {
    guard let feed = wire.origin?.streamId, Subscription.isID(feed) else { return nil }
    let categories = wire.categories?.read().values ?? []
    let streams = categories.compactMap { GoogleReaderStream($0) }
    return Item(
      feed: feed, entry: entry(wire, id: id, categories: categories),
      isRead: streams.contains(.read), isStarred: streams.contains(.starred))
  }

  private func entry(
    _ wire: GoogleReaderWire.Item, id: GoogleReaderItemID, categories: [String]
  ) -> Entry {
    let links = (wire.canonical?.read().values ?? []) + (wire.alternate?.read().values ?? [])
    // Some servers send both; the longer one is the body.
    let bodies = [wire.content?.content, wire.summary?.content].compactMap(\.self)
    var entry = SyncEntry(id: id.text)
    entry.url = links.lazy.compactMap { WebAddress.absolute($0.href, against: base) }.first
    entry.title = wire.title.map(name)
    entry.author = wire.author.map(name)
    entry.html = bodies.max { $0.utf8.count < $1.utf8.count }
    entry.published = wire.published?.date
    entry.updated = wire.updated?.date
    entry.categories = categories.filter { !$0.hasPrefix("user/") }
    entry.enclosures = (wire.enclosure?.read().values ?? []).map {
      ($0.href, $0.type, $0.length?.number)
    }
    return entry.entry(base: base)
  }

  /// A title or a name. FreshRSS writes the characters that HTML escapes as full-width ones.
  private func name(_ text: String) -> String {
    let text = PlainText.sanitized(text)
    guard product == .freshRSS else { return text }
    let plain: [Character: Character] = ["＆": "&", "＜": "<", "＞": ">"]
    return String(text.map { plain[$0] ?? $0 })
  }
}

extension Subscription {
  init(_ wire: GoogleReaderWire.Subscription) {
    let prefix = "feed/"
    let named = wire.id.hasPrefix(prefix) ? String(wire.id.dropFirst(prefix.count)) : ""
    self.init(
      url: SyncEntry.webAddress(wire.url) ?? SyncEntry.webAddress(named) ?? wire.id, id: wire.id,
      title: wire.title.map(PlainText.sanitized).nonempty, link: SyncEntry.webAddress(wire.htmlUrl),
      folders: (wire.categories?.read().values ?? []).compactMap { tag in
        if case .label(let name)? = GoogleReaderStream(tag.id) { name } else { nil }
      })
  }

  /// Whether a text can name a subscription in a call.
  static func isID(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 4_096 && PlainText.sanitizedName(text) == text
  }
}
