internal import HTTP
package import News

extension AccountKind {
  /// Feedbin's API, version 2.
  package static let feedbinAPI = AccountKind(rawValue: "feedbin")
}

extension AccountService {
  package static let feedbin = AccountService(
    .feedbinAPI, [.items, .takesMarks, .subscriptions, .stableIDs])
}

extension Sources {
  /// Nil where nobody is signed in.
  func feedbin(_ account: Account) -> FeedbinAccount? {
    guard let signIns, let signIn = Self.signIn(of: account) else { return nil }
    return FeedbinAccount(
      client: syncClients.client(of: account) {
        FeedbinClient(syncSettings(of: account), client: unsignedClient) {
          try await signIns.password(of: signIn)
        }
      })
  }
}

/// An account at Feedbin.
struct FeedbinAccount: AccountSource {
  let client: FeedbinClient

  var service: AccountService { .feedbin }

  func pages(
    of feed: Feed, report: @escaping @Sendable (SourceEvent) -> Void
  ) -> any PageSource { SyncedPages(feed: feed) }

  var items: (any ItemSource)? { FeedbinItems(client: client) }
  var marks: (any MarkSink)? { FeedbinMarks(client: client) }
  var subscriptions: (any SubscriptionSource)? { FeedbinSubscriptions(client: client) }
}

private struct FeedbinItems: ItemSource {
  let client: FeedbinClient

  var limit: Int { FeedbinClient.itemsPerCall }

  /// What has come is in the set of unread ones; a list of it has whole articles.
  var listsArrivals: Bool { false }

  func walk(_ set: ItemSet) -> any ItemWalk {
    SyncIDWalk { [client] in try await client.ids(in: set, after: $0) }
  }

  func items(_ ids: [String]) async throws -> ItemBatch { try await client.items(ids) }
}

private struct FeedbinMarks: MarkSink {
  let client: FeedbinClient

  var limit: Int { FeedbinClient.marksPerCall }

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

private struct FeedbinSubscriptions: SubscriptionSource {
  let client: FeedbinClient

  var edits: SubscriptionEdits { [.add, .remove, .rename, .file, .manyFolders] }

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
