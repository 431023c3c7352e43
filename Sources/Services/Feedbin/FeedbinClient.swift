package import Foundation
package import HTTP
package import News
internal import Text

/// Account at Feedbin, or at a server with its API.
///
/// The unread and the starred articles are complete sets, and marks are absolute. Other articles
/// are found where they have arrived lately.
package struct FeedbinClient: NumberedSyncClient {
  /// The most articles of a call.
  package let limit = 100
  package let marksPerCall = 1_000
  package let edits: SubscriptionEdits = [.add, .remove, .rename, .file, .manyFolders]

  package let settings: SyncServerSettings
  private let transfer: SyncTransfer
  private let now: @Sendable () -> Date

  /// - Parameter settings: the base is the address with `/v2`.
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
    try await transfer.send(Endpoint(empty: .get, ["authentication.json"]))
  }

  // MARK: - Ids

  /// The set of all articles has pages, the newest first, and is never complete: it has the latest
  /// arrivals.
  package func ids(in set: ItemSet, after cursor: Cursor?) async throws -> SyncIDPage {
    switch set {
    case .unread: try await ids("unread_entries.json")
    case .starred: try await ids("starred_entries.json")
    case .all(let since): try await arrivals(since: since, after: cursor)
    }
  }

  /// All ids in one answer.
  private func ids(_ route: String) async throws -> SyncIDPage {
    SyncIDPage(
      ids: try await transfer.read([Int64].self, [route], "a list of ids").map { String($0) })
  }

  /// Entries that have arrived since a moment, the newest first.
  private func arrivals(since: Date?, after cursor: Cursor?) async throws -> SyncIDPage {
    let number = cursor.flatMap { Int($0.rawValue) } ?? 1
    let since = since ?? now().addingTimeInterval(-Self.history)
    let query = [
      "since": Self.moment(since), "page": String(number), "per_page": String(limit),
    ]
    let endpoint = Endpoint(
      .get, ["entries.json"], query: query, headers: SyncTransfer.accept
    ) { response in
      (
        list: try SyncAnswer.json(
          List<FeedbinWire.Entry>.self, in: response, "a page of articles"),
        // Feedbin writes `Links`, RFC 8288 `Link`.
        hasNext: ["Links", "Link"].contains {
          response.head.headers[$0]?.contains("rel=\"next\"") == true
        }
      )
    }
    let page: (list: List<FeedbinWire.Entry>, hasNext: Bool)
    do { page = try await transfer.send(endpoint) } catch let error as SourceError
      where error.status == 404 && number > 1
    {
      // After the last page.
      return SyncIDPage(ids: [])
    }
    let (entries, bad) = page.list.read()
    var answer = SyncIDPage(ids: entries.map { String($0.id) }, isPartial: bad > 0)
    if page.hasNext, !entries.isEmpty { answer.next = Cursor(String(number + 1)) }
    return answer
  }

  // MARK: - Articles

  package func items(_ ids: [String]) async throws -> ItemBatch {
    let ids = ids.compactMap { Int64($0) }
    guard !ids.isEmpty else { return ItemBatch(items: []) }
    let query = [
      "ids": ids.map { String($0) }.joined(separator: ","), "per_page": String(ids.count),
      "include_enclosure": "true",
    ]
    let (entries, bad) = try await transfer.read(
      List<FeedbinWire.Entry>.self, ["entries.json"], "articles", query
    ).read()
    let wanted = Set(ids)
    return ItemBatch(
      items: entries.filter { wanted.contains($0.id) }.map(item),
      warnings: SyncAnswer.warnings(bad))
  }

  private func item(_ wire: FeedbinWire.Entry) -> Item {
    var entry = SyncEntry(id: String(wire.id))
    entry.url = wire.url
    entry.title = wire.title
    entry.author = wire.author
    entry.html = wire.content ?? wire.summary
    entry.published = wire.published ?? wire.created_at
    if let file = wire.enclosure {
      entry.enclosures = [(file.enclosure_url, file.enclosure_type, file.enclosure_length?.number)]
    }
    return Item(feed: String(wire.feed_id), entry: entry.entry(base: settings.base))
  }

  // MARK: - Marks

  /// Sets or removes marks, idempotently. The server skips articles that this user may not mark;
  /// the next look at its sets shows that.
  package func mark(_ ids: [Int64], _ kind: Mark.Kind, _ isSet: Bool) async throws {
    let (set, isAdded) =
      switch kind {
      case .read: ("unread_entries", !isSet)
      case .starred: ("starred_entries", isSet)
      }
    // Removing has its own POST route: some proxies drop the body of a DELETE.
    try await write(isAdded ? ["\(set).json"] : [set, "delete.json"], [set: ids])
  }

  // MARK: - Subscriptions

  package func subscriptions() async throws -> [Subscription] {
    let (feeds, badFeeds) = try await listedFeeds()
    let (taggings, badTaggings) = try await taggings()
    let folders = Dictionary(grouping: taggings, by: \.feed_id)
    return try SyncAnswer.subscriptions(
      feeds.map {
        Subscription(
          listed: String($0.feed_id), at: $0.feed_url, $0.title, page: $0.site_url,
          in: (folders[$0.feed_id] ?? []).map(\.name))
      }, badEntries: badFeeds + badTaggings, base: settings.base)
  }

  package func subscribe(to url: String) async throws {
    do {
      try await write(["subscriptions.json"], ["feed_url": url], mayExist: true) { response in
        // There are several feeds, of which the answer is a list; nothing is subscribed to.
        guard response.head.status != 300 else {
          throw SyncProblem(
            message: "finds several feeds at this address",
            next: "add the one that is meant by its own address", status: 422)
        }
      }
    } catch var error as SourceError {
      if error.status == 404 {
        error.message = "the server finds no feed at this address"
        error.next = "check the address"
      }
      throw error
    }
  }

  /// - Parameter id: of the feed, as for other services.
  package func unsubscribe(_ id: String) async throws {
    guard let subscription = try await subscription(id) else { return }
    try await transfer.remove(["subscriptions", "\(subscription).json"])
  }

  package func rename(_ id: String, _ title: String) async throws {
    guard let subscription = try await subscription(id) else { return }
    try await write(["subscriptions", String(subscription), "update.json"], ["title": title])
  }

  /// A feed may lie in several folders, each a tagging of its own.
  package func file(
    _ id: String, in folders: [String], from _: [String] = []
  ) async throws {
    guard let feed = Int64(id) else { return }
    let taggings = try await taggings().values.filter { $0.feed_id == feed }
    for folder in folders where !taggings.contains(where: { $0.name == folder }) {
      try await write(
        ["taggings.json"], FeedbinWire.NewTagging(feed_id: feed, name: folder), mayExist: true)
    }
    for tagging in taggings where !folders.contains(tagging.name) {
      try await transfer.remove(["taggings", "\(tagging.id).json"])
    }
  }

  /// The id of the subscription to a feed.
  private func subscription(_ feed: String) async throws -> Int64? {
    try await listedFeeds().values.first { String($0.feed_id) == feed }?.id
  }

  // MARK: - Calls

  private typealias List<Value: Decodable> = [LooseEntry<Value>]

  private func listedFeeds() async throws -> (values: [FeedbinWire.Subscription], bad: Int) {
    try await transfer.read(
      List<FeedbinWire.Subscription>.self, ["subscriptions.json"], "the list of feeds"
    ).read()
  }

  private func taggings() async throws -> (values: [FeedbinWire.Tagging], bad: Int) {
    try await transfer.read(
      List<FeedbinWire.Tagging>.self, ["taggings.json"], "the list of folders"
    ).read()
  }

  /// The server requires a charset in the content type.
  ///
  /// - Parameter mayExist: whether the server may lead to what it has already (302), or to a choice
  ///   of feeds (300).
  private func write(
    _ path: [String], _ body: some Encodable, mayExist: Bool = false,
    check: @escaping @Sendable (HTTPResponse) throws -> Void = { _ in }
  ) async throws {
    var body = try HTTPBody.json(body)
    body.contentType = "application/json; charset=utf-8"
    try await transfer.send(Endpoint(.post, path, body: body, decode: check), .slow) {
      mayExist && ($0.head.becameGet || [300, 302].contains($0.head.status))
        && SyncAnswer.isJSON($0)
    }
  }

  /// With the six decimals that the server compares.
  private static func moment(_ date: Date) -> String {
    let seconds = date.timeIntervalSince1970
    let whole = Date(timeIntervalSince1970: seconds.rounded(.down))
    let micros = Int((seconds - seconds.rounded(.down)) * 1_000_000)
    return whole.formatted(.iso8601).dropLast() + ".\(String(zeroPadded: micros, to: 6))Z"
  }
}
