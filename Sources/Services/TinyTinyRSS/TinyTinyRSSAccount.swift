internal import HTTP
package import News

extension AccountKind {
  /// The JSON API of Tiny Tiny RSS.
  package static let tinyTinyRSSAPI = AccountKind(rawValue: "tiny-tiny-rss")
}

extension AccountService {
  package static let tinyTinyRSS = AccountService(
    .tinyTinyRSSAPI, [.items, .takesMarks, .subscriptions, .stableIDs])
}

extension Sources {
  /// Nil where nobody is signed in.
  func tinyTinyRSS(_ account: Account) -> TinyTinyRSSAccount? {
    guard let signIns, let signIn = Self.signIn(of: account) else { return nil }
    return TinyTinyRSSAccount(
      client: syncClients.client(of: account) {
        TinyTinyRSSClient(syncSettings(of: account), client: unsignedClient) {
          try await signIns.password(of: signIn)
        }
      })
  }
}

/// An account at Tiny Tiny RSS.
struct TinyTinyRSSAccount: AccountSource {
  let client: TinyTinyRSSClient

  var service: AccountService { .tinyTinyRSS }

  func pages(
    of feed: Feed, report: @escaping @Sendable (SourceEvent) -> Void
  ) -> any PageSource { SyncedPages(feed: feed) }

  var items: (any ItemSource)? { TinyTinyRSSItems(client: client) }
  var marks: (any MarkSink)? { TinyTinyRSSMarks(client: client) }
  var subscriptions: (any SubscriptionSource)? { TinyTinyRSSSubscriptions(client: client) }
}

private struct TinyTinyRSSItems: ItemSource {
  let client: TinyTinyRSSClient

  var limit: Int { TinyTinyRSSClient.itemsPerCall }

  /// What has come is in the set of unread ones; a list of it has whole articles.
  var listsArrivals: Bool { false }

  func walk(_ set: ItemSet) -> any ItemWalk {
    SyncIDWalk { [client] in try await client.ids(in: set, after: $0) }
  }

  func items(_ ids: [String]) async throws -> ItemBatch { try await client.items(ids) }

  func unreadCount() async throws -> Int? { try await client.unreadCount() }
}

private struct TinyTinyRSSMarks: MarkSink {
  let client: TinyTinyRSSClient

  var limit: Int { TinyTinyRSSClient.marksPerCall }

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

private struct TinyTinyRSSSubscriptions: SubscriptionSource {
  let client: TinyTinyRSSClient

  var edits: SubscriptionEdits { [.add, .remove] }

  func subscriptions() async throws -> [Subscription] { try await client.subscriptions() }

  func perform(_ change: SubscriptionChange, on subject: Subscription?) async throws {
    switch (change.kind, subject?.id ?? change.id) {
    case (.add, _): try await client.subscribe(to: change.url)
    case (.remove, let id?): try await client.unsubscribe(id)
    // It can neither rename nor move feeds.
    case (.rename, _), (.file, _), (.remove, nil): throw SourceError.unlisted(change)
    }
  }
}
