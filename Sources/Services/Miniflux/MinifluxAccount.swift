internal import HTTP
package import News
internal import Text

extension AccountKind {
  /// Miniflux's own API.
  package static let minifluxAPI = AccountKind(rawValue: "miniflux")
}

extension AccountService {
  /// With name and password.
  package static let miniflux = AccountService(
    .minifluxAPI, [.items, .takesMarks, .subscriptions, .stableIDs])

  /// With a key of the API.
  package static let minifluxKey = AccountService(
    .minifluxAPI, [.items, .takesMarks, .subscriptions, .stableIDs], dialect: "miniflux-key")
}

extension MinifluxClient.Credential {
  /// The credential of an account's service.
  init(_ service: AccountService) {
    self = service.dialect == AccountService.minifluxKey.dialect ? .key : .password
  }
}

extension Sources {
  /// Nil where nobody is signed in.
  func miniflux(_ account: Account) -> MinifluxAccount? {
    guard let signIns, let signIn = Self.signIn(of: account) else { return nil }
    return MinifluxAccount(
      service: account.service,
      client: syncClients.client(of: account) {
        MinifluxClient(
          syncSettings(of: account), MinifluxClient.Credential(account.service),
          client: unsignedClient
        ) { try await signIns.password(of: signIn) }
      })
  }
}

/// An account at Miniflux's own API.
struct MinifluxAccount: AccountSource {
  let service: AccountService
  let client: MinifluxClient

  func pages(
    of feed: Feed, report: @escaping @Sendable (SourceEvent) -> Void
  ) -> any PageSource { SyncedPages(feed: feed) }

  var items: (any ItemSource)? { MinifluxItems(client: client) }
  var marks: (any MarkSink)? { MinifluxMarks(client: client) }
  var subscriptions: (any SubscriptionSource)? { MinifluxSubscriptions(client: client) }
}

private struct MinifluxItems: ItemSource {
  let client: MinifluxClient

  var limit: Int { MinifluxClient.itemsPerCall }

  var listsArrivals: Bool { true }

  func walk(_ set: ItemSet) -> any ItemWalk {
    SyncIDWalk { [client] in try await client.ids(in: set, after: $0) }
  }

  func items(_ ids: [String]) async throws -> ItemBatch { try await client.items(ids) }
}

private struct MinifluxMarks: MarkSink {
  let client: MinifluxClient

  var limit: Int { 2_000 }

  func send(_ marks: [EntryMark]) async throws {
    for kind in [EntryMark.Kind.read, .starred] {
      for isSet in [true, false] {
        let ids = marks.filter { $0.kind == kind && $0.isSet == isSet }
          .compactMap { Int64($0.entry.id) }
        try await client.mark(ids, kind, isSet)
      }
    }
  }
}

private struct MinifluxSubscriptions: SubscriptionSource {
  let client: MinifluxClient

  var edits: SubscriptionEdits { [.add, .remove, .rename, .file] }

  func subscriptions() async throws -> [Subscription] { try await client.subscriptions() }

  func perform(_ change: SubscriptionChange, on subject: Subscription?) async throws {
    switch (change.kind, subject?.id ?? change.id) {
    case (.add, _): try await client.subscribe(to: change.url)
    case (.remove, let id?): try await client.unsubscribe(id)
    case (.rename(let title), let id?): try await client.rename(id, title)
    case (.file(let folders), let id?): try await client.file(id, in: folders.first)
    case (_, nil): throw SourceError.unlisted(change)
    }
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
