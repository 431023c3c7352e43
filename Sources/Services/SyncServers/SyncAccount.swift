internal import News
internal import Text

/// Account at a sync server with a `SyncClient`.
struct SyncAccount<Client: SyncClient>: AccountSource {
  let service: AccountService
  let client: Client

  func pages(
    of feed: Feed, report: @escaping @Sendable (SourceEvent) -> Void
  ) -> any PageSource { FailingPages(error: .synced(feed)) }

  var items: (any ItemSource)? { SyncItems(client: client) }
  var marks: (any MarkSink)? { SyncMarks(client: client) }
  var subscriptions: (any SubscriptionSource)? { SyncSubscriptions(client: client) }
  var later: (any LaterService)? { client as? any LaterService }
}

private struct SyncItems<Client: SyncClient>: ItemSource {
  let client: Client

  var limit: Int { Client.itemsPerCall }

  var listsArrivals: Bool { Client.listsArrivals }

  func walk(_ set: ItemSet) -> any ItemWalk {
    SyncIDWalk { [client] in try await client.ids(in: set, after: $0) }
  }

  func items(_ ids: [String]) async throws -> ItemBatch { try await client.items(ids) }

  func unreadCount() async throws -> Int? { try await client.unreadCount() }
}

private struct SyncMarks<Client: SyncClient>: MarkSink {
  let client: Client

  var limit: Int { Client.marksPerCall }

  func send(_ marks: [EntryMark]) async throws {
    for (mark, ids) in marks.byMark { try await client.mark(ids, mark.kind, mark.isSet) }
  }
}

extension [EntryMark] {
  /// The ids of the entries with each mark, in the order of sending.
  var byMark: [(mark: Mark, ids: [String])] {
    let marks = Mark.Kind.allCases.flatMap { [Mark($0, true), Mark($0, false)] }
    return marks.map { mark in (mark, filter { $0.mark == mark }.map(\.entry.id)) }
      .filter { !$0.ids.isEmpty }
  }
}

private struct SyncSubscriptions<Client: SyncClient>: SubscriptionSource {
  let client: Client

  var edits: SubscriptionEdits { Client.edits }

  func subscriptions() async throws -> [Subscription] { try await client.subscriptions() }

  func perform(_ change: SubscriptionChange, on subject: Subscription?) async throws {
    switch (change.kind, subject?.id ?? change.id) {
    case (.add, _): try await client.subscribe(to: change.url)
    case (.remove, let id?): try await client.unsubscribe(id)
    case (.rename(let title), let id?): try await client.rename(id, title)
    case (.file(let folders), let id?): try await client.file(id, in: folders)
    case (_, nil): throw SourceError.unlisted(change)
    }
  }
}

extension SourceError {
  /// The error about pages of a feed whose articles come with the sync of its account.
  static func synced(_ feed: Feed) -> SourceError {
    SourceError(
      .address, stage: .fetch, subject: feed.displayTitle,
      message: "the articles of this feed come with the sync of its account",
      next: "telex refresh brings the account in line")
  }
  /// The error about a feed that the server does not list.
  static func unlisted(_ change: SubscriptionChange) -> SourceError {
    SourceError(
      .address, stage: .fetch, subject: WebAddress.redacted(change.url),
      message: "the server lists no such feed", next: "telex refresh reads its list again")
  }
}
