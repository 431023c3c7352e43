internal import HTTP
internal import News
internal import Synchronization
internal import Text

/// An account at a sync server that a client speaks to.
struct SyncAccount<Client: SyncClient>: AccountSource {
  let service: AccountService
  let client: Client

  func pages(
    of feed: Feed, report: @escaping @Sendable (SourceEvent) -> Void
  ) -> any PageSource { SyncedPages(feed: feed) }

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
    for kind in [Mark.Kind.read, .starred] {
      for isSet in [true, false] {
        let ids = marks.filter { $0.mark == Mark(kind, isSet) }.map(\.entry.id)
        if !ids.isEmpty { try await client.mark(ids, kind, isSet) }
      }
    }
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

/// The pages of a feed whose articles come with the sync of its account: there are none.
struct SyncedPages: PageSource {
  let feed: Feed

  func page(after cursor: Cursor?, known: KnownPage) async throws -> PageAnswer {
    throw SourceError(
      .address, stage: .fetch, subject: feed.displayTitle,
      message: "the articles of this feed come with the sync of its account",
      next: "telex refresh brings the account in line")
  }
}

extension SourceError {
  /// A change of a feed that the server does not list.
  static func unlisted(_ change: SubscriptionChange) -> SourceError {
    SourceError(
      .address, stage: .fetch, subject: WebAddress.redacted(change.url),
      message: "the server lists no such feed", next: "telex refresh reads its list again")
  }
}

/// The clients of sync servers, one for each account: its copies share a sign-in.
final class SyncClients: Sendable {
  private let clients = Mutex<[Account: any Sendable]>([:])

  func client<Client: Sendable>(of account: Account, _ make: () -> Client) -> Client {
    clients.withLock { clients in
      if let client = clients[account] as? Client { return client }
      let client = make()
      clients[account] = client
      return client
    }
  }
}

extension Sources {
  /// - Parameter make: makes the client of the account, once.
  /// - Returns: nil where nobody is signed in.
  func syncAccount<Client: SyncClient>(
    _ account: Account,
    _ make: (SyncServerSettings, ResilientClient, @escaping PasswordLookup) -> Client
  ) -> SyncAccount<Client>? {
    guard let signIns, let signIn = Self.signIn(of: account) else { return nil }
    return SyncAccount(
      service: account.service,
      client: syncClients.client(of: account) {
        make(syncSettings(of: account), unsignedClient) {
          try await signIns.password(of: signIn)
        }
      })
  }
}
