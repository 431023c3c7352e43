package import Foundation
package import HTTP
package import News

/// Account at Feedbin, or at a server with its API.
///
/// The unread and the starred articles are complete sets, and marks are absolute. Other articles
/// are found where they have arrived lately.
package struct FeedbinClient: NumberedSyncClient {
  /// The most articles of a call.
  package let limit = 100
  package let marksPerCall = 1_000
  package let edits: SubscriptionEdits = [.add, .remove, .rename, .file, .manyFolders]
  /// Listed time of read and unstarred articles, in seconds: thirty days.
  private static let history = 30.0 * 86_400

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
    try await transfer.send(FeedbinCatalogue.authentication())
  }

  // MARK: - Ids

  /// The set of all articles has pages, the newest first, and is never complete: it has the latest
  /// arrivals.
  package func ids(in set: ItemSet, after cursor: Cursor?) async throws -> SyncIDPage {
    switch set {
    case .unread:
      SyncIDPage(ids: try await transfer.send(FeedbinCatalogue.unread()).map { String($0) })
    case .starred:
      SyncIDPage(ids: try await transfer.send(FeedbinCatalogue.starred()).map { String($0) })
    case .all(let since): try await arrivals(since: since, after: cursor)
    }
  }

  private func arrivals(since: Date?, after cursor: Cursor?) async throws -> SyncIDPage {
    let number = cursor.flatMap { Int($0.rawValue) } ?? 1
    let since = since ?? now().addingTimeInterval(-Self.history)
    let page: FeedbinPage
    do {
      page = try await transfer.send(
        FeedbinCatalogue.arrivals(since: since, page: number, limit: limit))
    } catch let error as SourceError where error.status == 404 && number > 1 {
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
    let (entries, bad) = try await transfer.send(FeedbinCatalogue.entries(ids)).read()
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
    let endpoint =
      switch kind {
      case .read: try FeedbinCatalogue.setUnread(ids, !isSet)
      case .starred: try FeedbinCatalogue.setStarred(ids, isSet)
      }
    try await transfer.send(endpoint, .slow)
  }

  // MARK: - Subscriptions

  package func subscriptions() async throws -> [Subscription] {
    let (feeds, badFeeds) = try await transfer.send(FeedbinCatalogue.subscriptions()).read()
    let (taggings, badTaggings) = try await transfer.send(FeedbinCatalogue.taggings()).read()
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
      try await transfer.send(
        try FeedbinCatalogue.subscribe(to: url), .slow, isTaken: FeedbinCatalogue.isKnown)
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
    try await transfer.remove(FeedbinCatalogue.unsubscribe(subscription))
  }

  package func rename(_ id: String, _ title: String) async throws {
    guard let subscription = try await subscription(id) else { return }
    try await transfer.send(try FeedbinCatalogue.rename(subscription, title), .slow)
  }

  /// A feed may lie in several folders, each a tagging of its own.
  package func file(
    _ id: String, in folders: [String], from _: [String] = []
  ) async throws {
    guard let feed = Int64(id) else { return }
    let taggings = try await transfer.send(FeedbinCatalogue.taggings()).read().values
      .filter { $0.feed_id == feed }
    for folder in folders where !taggings.contains(where: { $0.name == folder }) {
      try await transfer.send(
        try FeedbinCatalogue.addTagging(feed, folder), .slow, isTaken: FeedbinCatalogue.isKnown)
    }
    for tagging in taggings where !folders.contains(tagging.name) {
      try await transfer.remove(FeedbinCatalogue.removeTagging(tagging.id))
    }
  }

  /// The id of the subscription to a feed.
  private func subscription(_ feed: String) async throws -> Int64? {
    try await transfer.send(FeedbinCatalogue.subscriptions()).read().values
      .first { String($0.feed_id) == feed }?.id
  }
}
