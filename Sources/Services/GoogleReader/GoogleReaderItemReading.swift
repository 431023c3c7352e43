internal import Foundation
internal import News
internal import Text

/// Conversion of items of the Google Reader API to entries.
struct GoogleReaderItemReading: Sendable {
  let product: GoogleReaderProduct
  /// The base of addresses where an item names no page.
  let base: String

  /// - Parameter asked: the requested ids. Other items are left out.
  func contents(
    _ wire: GoogleReaderWire.Contents, asked: [GoogleReaderItemID]
  ) -> GoogleReaderContents {
    let (values, bad) = wire.items.read()
    var contents = GoogleReaderContents(badEntries: bad)
    let wanted = Set(asked)
    var seen: Set<GoogleReaderItemID> = []
    for value in values {
      guard let item = item(value), wanted.contains(item.id),
        seen.insert(item.id).inserted
      else {
        contents.badEntries += 1
        continue
      }
      contents.items.append(item)
    }
    contents.missing = asked.filter { !seen.contains($0) }
    return contents
  }

  /// Nil for an invalid id.
  func item(_ wire: GoogleReaderWire.Item) -> GoogleReaderItem? {
    guard let id = GoogleReaderItemID(wire.id.text) else { return nil }
    let categories = wire.categories?.read().values ?? []
    let streams = categories.compactMap { GoogleReaderStream($0) }
    return GoogleReaderItem(
      id: id, feed: wire.origin?.streamId.flatMap { GoogleReaderSubscription.isID($0) ? $0 : nil },
      entry: entry(wire, id: id, categories: categories),
      isRead: streams.contains(.read), isStarred: streams.contains(.starred),
      labels: streams.compactMap { if case .label(let name) = $0 { name } else { nil } },
      crawled: wire.timestampUsec?.date(perSecond: 1_000_000)
        ?? wire.crawlTimeMsec?.date(perSecond: 1_000))
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
    entry.published = wire.published?.date(perSecond: 1)
    entry.updated = wire.updated?.date(perSecond: 1)
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

extension GoogleReaderSubscription {
  init(_ wire: GoogleReaderWire.Subscription) {
    let prefix = "feed/"
    let named = wire.id.hasPrefix(prefix) ? String(wire.id.dropFirst(prefix.count)) : ""
    self.init(
      id: wire.id, url: SyncEntry.webAddress(wire.url) ?? SyncEntry.webAddress(named),
      title: wire.title.map(PlainText.sanitized).nonempty, page: SyncEntry.webAddress(wire.htmlUrl),
      folders: (wire.categories?.read().values ?? []).compactMap { tag in
        if case .label(let name)? = GoogleReaderStream(tag.id) { name } else { nil }
      })
  }

  /// Whether a text can name a subscription in a call.
  static func isID(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 4_096 && PlainText.sanitizedName(text) == text
  }
}

extension LooseText {
  /// Nil for dates before 1970 or after 9999.
  fileprivate func date(perSecond: Double) -> Date? {
    guard let number, number > 0 else { return nil }
    let seconds = Double(number) / perSecond
    return seconds < 253_402_300_799 ? Date(timeIntervalSince1970: seconds) : nil
  }
}
