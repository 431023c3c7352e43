internal import HTTP
package import News

extension AccountKind {
  /// A sync server of the Fever API.
  package static let feverAPI = AccountKind(rawValue: "fever")
}

extension AccountService {
  /// The list of subscriptions can be read and not changed.
  package static let fever = AccountService(
    .feverAPI, [.items, .takesMarks, .subscriptions, .stableIDs])
}

extension Sources {
  /// Nil where nobody is signed in.
  func fever(_ account: Account) -> FeverAccount? {
    guard let signIns, let signIn = Self.signIn(of: account) else { return nil }
    return FeverAccount(
      client: syncClients.client(of: account) {
        FeverClient(syncSettings(of: account), client: unsignedClient) {
          try await signIns.password(of: signIn)
        }
      })
  }
}

/// An account at a server of the Fever API.
struct FeverAccount: AccountSource {
  let client: FeverClient

  var service: AccountService { .fever }

  func pages(
    of feed: Feed, report: @escaping @Sendable (SourceEvent) -> Void
  ) -> any PageSource { SyncedPages(feed: feed) }

  var items: (any ItemSource)? { FeverItems(client: client) }
  var marks: (any MarkSink)? { FeverMarks(client: client) }
  var subscriptions: (any SubscriptionSource)? { FeverSubscriptions(client: client) }
}

private struct FeverItems: ItemSource {
  let client: FeverClient

  var limit: Int { FeverClient.itemsPerCall }

  /// It lists nothing but what is unread and what is starred.
  var listsArrivals: Bool { false }

  func walk(_ set: ItemSet) -> any ItemWalk {
    SyncIDWalk { [client] _ in try await client.ids(in: set) }
  }

  func items(_ ids: [String]) async throws -> ItemBatch { try await client.items(ids) }
}

private struct FeverMarks: MarkSink {
  let client: FeverClient

  /// Most servers take one mark a call.
  var limit: Int { 50 }

  func send(_ marks: [EntryMark]) async throws {
    for isSet in [true, false] {
      let chosen = marks.filter { $0.isSet == isSet }
      try await client.markRead(chosen.filter { $0.kind == .read }.map(\.entry.id), isSet)
      try await client.markSaved(chosen.filter { $0.kind == .starred }.map(\.entry.id), isSet)
    }
  }
}

private struct FeverSubscriptions: SubscriptionSource {
  let client: FeverClient

  var edits: SubscriptionEdits { [] }

  func subscriptions() async throws -> [Subscription] { try await client.subscriptions() }

  func perform(_ change: SubscriptionChange, on subject: Subscription?) async throws {
    throw SourceError.unlisted(change)
  }
}
