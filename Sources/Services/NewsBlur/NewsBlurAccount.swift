internal import HTTP
package import News

extension AccountKind {
  /// NewsBlur's own API.
  package static let newsBlurAPI = AccountKind(rawValue: "newsblur")
}

extension AccountService {
  package static let newsBlur = AccountService(
    .newsBlurAPI, [.items, .takesMarks, .subscriptions, .stableIDs])
}

extension Sources {
  /// Nil where nobody is signed in.
  func newsBlur(_ account: Account) -> NewsBlurAccount? {
    guard let signIns, let signIn = Self.signIn(of: account) else { return nil }
    return NewsBlurAccount(
      client: syncClients.client(of: account) {
        NewsBlurClient(syncSettings(of: account), client: unsignedClient) {
          try await signIns.password(of: signIn)
        }
      })
  }
}

/// An account at NewsBlur.
struct NewsBlurAccount: AccountSource {
  let client: NewsBlurClient

  var service: AccountService { .newsBlur }

  func pages(
    of feed: Feed, report: @escaping @Sendable (SourceEvent) -> Void
  ) -> any PageSource { SyncedPages(feed: feed) }

  var items: (any ItemSource)? { NewsBlurItems(client: client) }
  var marks: (any MarkSink)? { NewsBlurMarks(client: client) }
  var subscriptions: (any SubscriptionSource)? { NewsBlurSubscriptions(client: client) }
}

private struct NewsBlurItems: ItemSource {
  let client: NewsBlurClient

  var limit: Int { NewsBlurClient.itemsPerCall }

  /// It lists nothing but what is unread and what is starred.
  var listsArrivals: Bool { false }

  func walk(_ set: ItemSet) -> any ItemWalk {
    SyncIDWalk { [client] _ in try await client.ids(in: set) }
  }

  func items(_ ids: [String]) async throws -> ItemBatch { try await client.items(ids) }
}

private struct NewsBlurMarks: MarkSink {
  let client: NewsBlurClient

  var limit: Int { NewsBlurClient.itemsPerCall }

  func send(_ marks: [EntryMark]) async throws {
    for isSet in [true, false] {
      let chosen = marks.filter { $0.isSet == isSet }
      try await client.markRead(chosen.filter { $0.kind == .read }.map(\.entry.id), isSet)
      try await client.markStarred(chosen.filter { $0.kind == .starred }.map(\.entry.id), isSet)
    }
  }
}

private struct NewsBlurSubscriptions: SubscriptionSource {
  let client: NewsBlurClient

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
