package import Foundation
package import HTTP
package import News

/// Account at Nextcloud News by version 1.3 of its API.
///
/// The server lists whole articles only. The unread and the starred ones are complete sets, and
/// marks are absolute; of the others the latest are listed. Articles of a walk are kept for a
/// while, so that most are not fetched again.
package struct NextcloudNewsClient: NumberedSyncClient {
  /// The most ids of a call.
  package let limit = 200
  package let marksPerCall = 1_000
  package let edits: SubscriptionEdits = [.add, .remove, .rename, .file]
  /// Articles of walks that are kept.
  private static let mostKept = 400

  /// Articles a page.
  package var pageSize = 200
  package let settings: SyncServerSettings
  private let transfer: SyncTransfer
  private let now: @Sendable () -> Date
  private let kept = Locked<[Int64: Item]>([:])

  /// - Parameter settings: the base is the address with `/index.php/apps/news/api`.
  package init(
    _ settings: SyncServerSettings, client: ResilientClient,
    now: @escaping @Sendable () -> Date = { Date() }, password: @escaping PasswordLookup
  ) {
    self.settings = settings
    self.now = now
    transfer = SyncTransfer(settings: settings, client: client, secret: password) {
      .basic(user: settings.user, password: $0)
    }
  }

  package func signIn() async throws {
    do { _ = try await listedFolders() } catch var error as SourceError where error.status == 404 {
      error.message = "this Nextcloud News has no API of version 1.3"
      error.next = "it is there since News 18.1; ask who runs the server to update the app"
      throw error
    }
  }

  // MARK: - Ids

  /// One page of the ids of a set, the highest first. That of all articles ends with those that the
  /// server had before the requested moment.
  package func ids(in set: ItemSet, after cursor: Cursor?) async throws -> SyncIDPage {
    let offset = cursor.flatMap { Int64($0.rawValue) } ?? 0
    // Kept articles of earlier walks may have changed.
    if set == .unread, offset == 0 { kept.value = [:] }
    let entries = try await entries(
      set == .starred ? .starred : .all, withRead: set != .unread, offset: offset,
      isOldestFirst: false)
    let (items, bad) = entries.read()
    keep(items)
    let listed =
      switch set {
      case .all: items
      case .unread: items.filter(\.unread)
      case .starred: items.filter(\.starred)
      }
    var page = SyncIDPage(ids: listed.map { String($0.id) }, isPartial: bad > 0)
    // Only an empty page is the end: a filter of the server may have shortened others.
    guard let lowest = items.min(by: { $0.id < $1.id }) else {
      page.isPartial = page.isPartial || !entries.isEmpty
      return page
    }
    guard offset == 0 || lowest.id < offset else {
      page.isPartial = true
      return page
    }
    if case .all(let since) = set, let modified = lowest.modified,
      modified < since ?? now().addingTimeInterval(-Self.history)
    {
      return page
    }
    page.next = Cursor(String(lowest.id))
    return page
  }

  private enum Kind: Int {
    case starred = 2
    case all = 3
  }

  /// Whole articles: there are no lists of ids.
  ///
  /// - Parameters:
  ///   - offset: the page lies below this id, or above it with the oldest first; 0 for the
  ///     beginning.
  ///   - isOldestFirst: by id.
  private func entries(
    _ kind: Kind = .all, withRead: Bool = true, offset: Int64, isOldestFirst: Bool,
    limit: Int? = nil
  ) async throws -> [LooseEntry<NextcloudNewsWire.Item>] {
    let query = [
      "type": String(kind.rawValue), "id": "0", "getRead": String(withRead),
      "offset": String(offset), "oldestFirst": String(isOldestFirst),
      "batchSize": String(limit ?? pageSize),
    ]
    return try await transfer.read(
      NextcloudNewsWire.Items.self, [Self.version, "items"], "a page of articles", query
    ).items
  }

  private func keep(_ items: [NextcloudNewsWire.Item]) {
    var some = kept.value
    for wire in items where some.count < Self.mostKept { some[wire.id] = item(wire) }
    kept.value = some
  }

  /// Removes kept articles, which are requested once.
  private func removeKept(_ ids: Set<Int64>) -> [Int64: Item] {
    var some = kept.value
    var found: [Int64: Item] = [:]
    for id in ids { found[id] = some.removeValue(forKey: id) }
    kept.value = some
    return found
  }

  // MARK: - Articles

  package func items(_ ids: [String]) async throws -> ItemBatch {
    let wanted = Set(ids.compactMap { Int64($0) })
    let kept = removeKept(wanted)
    let range = SyncItemRange<NextcloudNewsWire.Item>(id: \.id) { after, before in
      let entries = try await entries(offset: after, isOldestFirst: true)
      let (items, bad) = entries.read()
      let below = items.filter { before == nil || $0.id < before ?? .max }
      return SyncItemRange.Page(
        values: below, bad: bad, isEnd: entries.isEmpty || below.count < items.count)
    } one: {
      try await article($0)
    }
    let (found, bad) = try await range.articles(wanted.subtracting(kept.keys))
    return ItemBatch(items: kept.values + found.map(item), warnings: SyncAnswer.warnings(bad))
  }

  /// Nil where the server no longer has it. Without a call for one article, it is the first below
  /// its successor.
  private func article(_ id: Int64) async throws -> NextcloudNewsWire.Item? {
    guard id < .max else { return nil }
    return try await entries(offset: id + 1, isOldestFirst: false, limit: 1)
      .read().values.first { $0.id == id }
  }

  private func item(_ wire: NextcloudNewsWire.Item) -> Item {
    var entry = SyncEntry(id: String(wire.id))
    entry.url = wire.url
    entry.title = wire.title
    entry.author = wire.author
    entry.html = wire.body
    entry.published = wire.published
    if let link = wire.enclosureLink { entry.enclosures = [(link, wire.enclosureMime, nil)] }
    return Item(
      feed: String(wire.feedId), entry: entry.entry(base: settings.base), isRead: !wire.unread,
      isStarred: wire.starred)
  }

  // MARK: - Marks

  /// Sets or removes marks, idempotently. The server skips missing articles.
  package func mark(_ ids: [Int64], _ kind: Mark.Kind, _ isSet: Bool) async throws {
    // Kept articles have the former marks.
    kept.value = [:]
    let action =
      switch (kind, isSet) {
      case (.read, true): "read"
      case (.read, false): "unread"
      case (.starred, true): "star"
      case (.starred, false): "unstar"
      }
    try await write(["items", action, "multiple"], ["itemIds": ids])
  }

  // MARK: - Subscriptions

  package func subscriptions() async throws -> [Subscription] {
    let (folders, badFolders) = try await listedFolders()
    let (feeds, badFeeds) = try await listedFeeds()
    let names = Dictionary(folders.map { ($0.id, $0.name) }) { first, _ in first }
    return try SyncAnswer.subscriptions(
      feeds.map {
        Subscription(
          listed: String($0.id), at: $0.url, $0.title, page: $0.link,
          in: [$0.folderId.flatMap { names[$0] }])
      }, badEntries: badFolders + badFeeds, base: settings.base)
  }

  /// The server's own count.
  package func unreadCount() async throws -> Int? {
    try await listedFeeds().values
      .reduce(0) { sum, feed in
        let (all, isTooMany) = sum.addingReportingOverflow(max(0, feed.unreadCount ?? 0))
        return isTooMany ? .max : all
      }
  }

  package func subscribe(to url: String) async throws {
    // Nextcloud answers 409 for a feed that is there, and for a folder.
    try await SourceError.passing([409]) {
      try await write(["feeds"], ["url": url])
    }
  }

  package func unsubscribe(_ id: String) async throws {
    try await transfer.remove([Self.version, "feeds", id])
  }

  package func rename(_ id: String, _ title: String) async throws {
    try await write(["feeds", id, "rename"], ["feedTitle": title])
  }

  /// A feed lies in one folder, or in none. An empty folder stays: removing it would remove feeds
  /// that were moved there meanwhile.
  package func file(
    _ id: String, in folders: [String], from _: [String] = []
  ) async throws {
    var number: Int64?
    if let folder = folders.first {
      number = try await self.folder(folder)
      if number == nil {
        try await SourceError.passing([409]) {
          try await write(["folders"], ["name": folder])
        }
        number = try await self.folder(folder)
      }
      guard number != nil else {
        throw SourceError(
          .decoding, stage: .fetch, subject: settings.base,
          message: "the server does not list the folder \(folder) that it was told to make",
          next: "try again later")
      }
    }
    try await write(["feeds", id, "move"], NextcloudNewsWire.Place(folderId: number))
  }

  private func folder(_ name: String) async throws -> Int64? {
    try await listedFolders().values.first { $0.name == name }?.id
  }

  // MARK: - Calls

  private static let version = "v1-3"

  private func listedFeeds() async throws -> (values: [NextcloudNewsWire.Feed], bad: Int) {
    try await transfer.read(
      NextcloudNewsWire.Feeds.self, [Self.version, "feeds"], "the list of feeds"
    ).feeds.read()
  }

  private func listedFolders() async throws -> (values: [NextcloudNewsWire.Folder], bad: Int) {
    try await transfer.read(
      NextcloudNewsWire.Folders.self, [Self.version, "folders"], "the list of folders"
    ).folders.read()
  }

  private func write(_ path: [String], _ body: some Encodable) async throws {
    try await transfer.write(.post, [Self.version] + path, .json(body))
  }
}
