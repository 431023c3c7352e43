internal import HTTP
package import News

extension AccountKind {
  /// The API of Nextcloud News.
  package static let nextcloudNewsAPI = AccountKind(rawValue: "nextcloud-news")
}

extension AccountService {
  package static let nextcloudNews = AccountService(
    .nextcloudNewsAPI, [.items, .takesMarks, .subscriptions, .stableIDs])
}

extension Sources {
  /// Nil where nobody is signed in.
  func nextcloudNews(_ account: Account) -> NextcloudNewsAccount? {
    guard let signIns, let signIn = Self.signIn(of: account) else { return nil }
    return NextcloudNewsAccount(
      client: syncClients.client(of: account) {
        NextcloudNewsClient(syncSettings(of: account), client: unsignedClient) {
          try await signIns.password(of: signIn)
        }
      })
  }
}

/// An account at Nextcloud News.
struct NextcloudNewsAccount: AccountSource {
  let client: NextcloudNewsClient

  var service: AccountService { .nextcloudNews }

  func pages(
    of feed: Feed, report: @escaping @Sendable (SourceEvent) -> Void
  ) -> any PageSource { SyncedPages(feed: feed) }

  var items: (any ItemSource)? { NextcloudNewsItems(client: client) }
  var marks: (any MarkSink)? { NextcloudNewsMarks(client: client) }
  var subscriptions: (any SubscriptionSource)? { NextcloudNewsSubscriptions(client: client) }
}

private struct NextcloudNewsItems: ItemSource {
  let client: NextcloudNewsClient

  var limit: Int { NextcloudNewsClient.itemsPerCall }

  /// What has come is in the set of unread ones; a list of it has whole articles.
  var listsArrivals: Bool { false }

  func walk(_ set: ItemSet) -> any ItemWalk {
    SyncIDWalk { [client] in try await client.ids(in: set, after: $0) }
  }

  func items(_ ids: [String]) async throws -> ItemBatch { try await client.items(ids) }

  func unreadCount() async throws -> Int? { try await client.unreadCount() }
}

private struct NextcloudNewsMarks: MarkSink {
  let client: NextcloudNewsClient

  var limit: Int { NextcloudNewsClient.marksPerCall }

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

private struct NextcloudNewsSubscriptions: SubscriptionSource {
  let client: NextcloudNewsClient

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
