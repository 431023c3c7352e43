internal import Foundation
package import HTTP
package import News

/// Account at Miniflux's own API, with name and password or a key.
///
/// Servers before 2.3.2 have no lists of ids and only toggle stars, which the first list of ids
/// shows. Copies share that knowledge.
package struct MinifluxClient: NumberedSyncClient, LaterService {
  package enum Credential: Sendable {
    case password
    /// A key from the settings of the server.
    case key
  }

  /// Sizes that servers allow.
  package struct PageSizes: Sendable {
    package var ids = 10_000
    package var entries = 250
  }

  package let limit = 250
  package let marksPerCall = 2_000
  package let listsArrivals = true
  package let edits: SubscriptionEdits = [.add, .remove, .rename, .file]
  package let settings: SyncServerSettings
  package var pageSizes = PageSizes()
  private let transfer: SyncTransfer
  /// Whether the server is 2.3.2 or later; nil while that is unknown.
  private let isRecent = Locked<Bool?>(nil)

  /// - Parameter settings: the base is the address with `/v1`.
  package init(
    _ settings: SyncServerSettings, _ credential: Credential, client: ResilientClient,
    secret: @escaping PasswordLookup
  ) {
    self.settings = settings
    transfer = SyncTransfer(settings: settings, client: client, secret: secret) { secret in
      switch credential {
      case .password: .basic(user: settings.user, password: secret)
      case .key: .apiKey(header: "X-Auth-Token", key: secret)
      }
    }
  }

  package func signIn() async throws {
    _ = try await transfer.read(MinifluxWire.User.self, ["me"], "the user")
  }

  // MARK: - Ids

  /// One page of the ids of a set, the newest first; partial where others left the set meanwhile,
  /// so that an id may have been skipped.
  package func ids(in set: ItemSet, after cursor: Cursor?) async throws -> SyncIDPage {
    let position = cursor.flatMap { Position($0) }
    if case .before? = position { return try await idsOfEntries(in: set, position) }
    guard isRecent.value != false else { return try await idsOfEntries(in: set, nil) }
    do {
      let page = try await listedIDs(in: set, position)
      isRecent.value = true
      return page
    } catch let error as SourceError
      where position == nil && isRecent.value == nil && [400, 404, 405].contains(error.status)
    {
      isRecent.value = false
      return try await idsOfEntries(in: set, nil)
    }
  }

  /// Ids that two pages share, so that some may leave the set between them.
  private var overlap: Int { min(100, pageSizes.ids / 2) }

  private func listedIDs(in set: ItemSet, _ position: Position?) async throws -> SyncIDPage {
    var (offset, last): (Int, Int64?) = (0, nil)
    if case .offset(let next, let id)? = position { (offset, last) = (next, id) }
    let start = max(0, offset - overlap)
    var query = Self.filter(set)
    query["offset"] = String(start)
    query["limit"] = String(pageSizes.ids)
    let answer = try await transfer.read(
      MinifluxWire.IDs.self, ["entries", "ids"], "a list of ids", query)
    var page = SyncIDPage(ids: answer.entry_ids.map { String($0) })
    if let last { page.isPartial = (answer.entry_ids.first ?? .min) < last }
    let end = start + answer.entry_ids.count
    guard end < answer.total else { return page }
    guard let final = answer.entry_ids.last, end > offset else {
      // The server has more but does not return it.
      page.isPartial = true
      return page
    }
    if case .all(let since?) = set, try await hasCome(final, before: since) { return page }
    page.next = Position.offset(end, last: final).cursor
    return page
  }

  /// Whether an entry arrived at the server before a moment.
  private func hasCome(_ id: Int64, before moment: Date) async throws -> Bool {
    try await entry(id)?.created_at.map { $0 < moment } ?? false
  }

  /// For servers without lists of ids.
  private func idsOfEntries(in set: ItemSet, _ position: Position?) async throws -> SyncIDPage {
    var upper: Int64?
    if case .before(let id)? = position { upper = id }
    let answer = try await entries(in: set, before: upper, isOldestFirst: false)
    let (entries, bad) = answer.entries.read()
    var page = SyncIDPage(
      ids: entries.filter { $0.status != "removed" }.map { String($0.id) }, isPartial: bad > 0)
    guard answer.entries.count < answer.total else { return page }
    guard let lowest = entries.map(\.id).min(), upper.map({ lowest < $0 }) ?? true else {
      page.isPartial = true
      return page
    }
    if case .all(let since?) = set, let oldest = entries.first(where: { $0.id == lowest }),
      let created = oldest.created_at, created < since
    {
      return page
    }
    page.next = Position.before(lowest).cursor
    return page
  }

  /// Entries whose ids lie between two others.
  private func entries(
    in set: ItemSet, after lower: Int64? = nil, before upper: Int64?, isOldestFirst: Bool
  ) async throws -> MinifluxWire.Entries {
    var query = Self.filter(set)
    query["order"] = "id"
    query["direction"] = isOldestFirst ? "asc" : "desc"
    query["limit"] = String(pageSizes.entries)
    query["after_entry_id"] = lower.map { String($0) }
    query["before_entry_id"] = upper.map { String($0) }
    return try await transfer.read(
      MinifluxWire.Entries.self, ["entries"], "a page of articles", query)
  }

  private static func filter(_ set: ItemSet) -> [String: String?] {
    switch set {
    case .all: [:]
    case .unread: ["status": "unread"]
    case .starred: ["starred": "true"]
    }
  }

  private enum Position {
    case offset(Int, last: Int64)
    case before(Int64)

    init?(_ cursor: Cursor) {
      let parts = cursor.rawValue.split(separator: ":").map(String.init)
      switch (parts.first, parts.count) {
      case ("offset", 3):
        guard let offset = Int(parts[1]), let last = Int64(parts[2]) else { return nil }
        self = .offset(offset, last: last)
      case ("before", 2):
        guard let id = Int64(parts[1]) else { return nil }
        self = .before(id)
      default: return nil
      }
    }

    var cursor: Cursor {
      switch self {
      case .offset(let offset, let last): Cursor("offset:\(offset):\(last)")
      case .before(let id): Cursor("before:\(id)")
      }
    }
  }

  // MARK: - Articles

  /// Only single articles can be fetched by id.
  package func items(_ ids: [String]) async throws -> ItemBatch {
    let wanted = Set(ids.compactMap { Int64($0) })
    let range = SyncItemRange<MinifluxWire.Entry>(id: \.id) { after, before in
      let answer = try await entries(
        in: .all(since: nil), after: after, before: before, isOldestFirst: true)
      let (entries, bad) = answer.entries.read()
      return SyncItemRange.Page(
        values: entries, bad: bad, isEnd: answer.entries.count >= answer.total)
    } one: {
      try await entry($0)
    }
    let (found, bad) = try await range.articles(wanted)
    return ItemBatch(
      items: found.filter { wanted.contains($0.id) && $0.status != "removed" }.map(item),
      warnings: SyncAnswer.warnings(bad))
  }

  /// Nil where the server no longer has it.
  private func entry(_ id: Int64) async throws -> MinifluxWire.Entry? {
    try await SourceError.passing([404]) {
      try await transfer.read(MinifluxWire.Entry.self, ["entries", String(id)], "an article")
    }
  }

  private func item(_ wire: MinifluxWire.Entry) -> Item {
    var entry = SyncEntry(id: String(wire.id))
    entry.url = wire.url
    entry.title = wire.title
    entry.author = wire.author
    entry.html = wire.content
    entry.published = wire.published_at
    entry.categories = wire.tags ?? []
    entry.commentsPage = wire.comments_url
    entry.enclosures = (wire.enclosures ?? []).read().values.map {
      ($0.url, $0.mime_type, $0.size)
    }
    return Item(
      feed: String(wire.feed_id), entry: entry.entry(base: settings.base),
      isRead: wire.status == "read", isStarred: wire.starred)
  }

  // MARK: - Marks

  package func mark(_ ids: [Int64], _ kind: Mark.Kind, _ isSet: Bool) async throws {
    switch kind {
    case .read:
      try await write(MinifluxWire.Marks(entry_ids: ids, status: isSet ? "read" : "unread"))
    case .starred where try await isRecent():
      try await write(MinifluxWire.Marks(entry_ids: ids, starred: isSet))
    case .starred:
      for id in ids {
        // The toggle is sent only where it is needed, and once.
        guard let entry = try await entry(id), entry.starred != isSet else { continue }
        try await transfer.write(.put, ["entries", String(id), "bookmark"], nil, .once)
      }
    }
  }

  private func isRecent() async throws -> Bool {
    if let known = isRecent.value { return known }
    _ = try await ids(in: .starred, after: nil)
    return isRecent.value ?? false
  }

  /// Older servers fail where none of the articles exists any more.
  private func write(_ marks: MinifluxWire.Marks) async throws {
    do { try await transfer.write(.put, ["entries"], .json(marks)) } catch let error as SourceError
      where error.status == 500 && error.message.contains("nothing has been updated")
    {}
  }

  // MARK: - Subscriptions

  package func subscriptions() async throws -> [Subscription] {
    let (feeds, bad) = try await transfer.read(
      [LooseEntry<MinifluxWire.Feed>].self, ["feeds"], "the list of feeds"
    ).read()
    return try SyncAnswer.subscriptions(
      feeds.map {
        Subscription(
          listed: String($0.id), at: $0.feed_url, $0.title, page: $0.site_url,
          in: [$0.category?.title])
      }, badEntries: bad, base: settings.base)
  }

  /// Saves an article with the services that are set up at the server.
  package func saveForLater(_ id: String) async throws {
    guard let id = Int64(id) else { return }
    do {
      // It answers 202 before the services have been called, and 400 where none is set up.
      try await transfer.write(.post, ["entries", String(id), "save"])
    } catch var error as SourceError {
      if error.status == 400 {
        error.message = "no service for reading later is set up at this server"
        error.next = "set one up there, under Integrations; r in the outbox sends it again"
      }
      throw error
    }
  }

  package func subscribe(to url: String) async throws {
    let category = defaultCategory(of: try await categories())
    try await transfer.write(
      .post, ["feeds"], .json(MinifluxWire.NewFeed(feed_url: url, category_id: category?.id)))
  }

  package func unsubscribe(_ id: String) async throws {
    try await transfer.remove(["feeds", id])
  }

  package func rename(_ id: String, _ title: String) async throws {
    try await transfer.write(.put, ["feeds", id], .json(["title": title]))
  }

  /// Every feed lies in one folder: without a name it is the first that the server made.
  package func file(
    _ id: String, in folders: [String], from _: [String] = []
  ) async throws {
    let folder = folders.first
    let all = try await categories()
    var category = folder.map { name in all.first { $0.title == name } } ?? defaultCategory(of: all)
    if category == nil, let folder {
      let endpoint = Endpoint(
        .post, ["categories"], headers: SyncTransfer.accept, body: try .json(["title": folder])
      ) { try SyncAnswer.json(MinifluxWire.Category.self, in: $0, "the new folder") }
      category = try await transfer.send(endpoint, .slow)
    }
    guard let category else { return }
    try await transfer.write(.put, ["feeds", id], .json(["category_id": category.id]))
  }

  private func categories() async throws -> [MinifluxWire.Category] {
    try await transfer.read(
      [MinifluxWire.Category].self, ["categories"], "the list of folders")
  }

  private func defaultCategory(of all: [MinifluxWire.Category]) -> MinifluxWire.Category? {
    all.min { $0.id < $1.id }
  }
}
