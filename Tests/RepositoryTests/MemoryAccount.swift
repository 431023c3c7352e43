import News
import Services
import Synchronization
internal import Text

/// A service that lies in memory and is capable of everything: what is added to it, a test adds.
final class MemoryAccount: AccountSource {
  static let base = "https://memory.example"

  struct Server {
    /// The entries of each feed, newest first.
    var feeds: [String: [Entry]] = [:]
    var folders: [String: [String]] = [:]
    var read: Set<EntryReference> = []
    var starred: Set<EntryReference> = []
    var comments: [Comment] = []
    /// The marks of each call.
    var calls: [[EntryMark]] = []
    var failure: SourceError?
    /// Those who listen to a feed.
    var listeners: [String: AsyncThrowingStream<LiveNews, any Error>.Continuation] = [:]
  }

  let server = Mutex(Server())
  /// What happens while comments are on their way.
  let beforeComments = Mutex<(@Sendable () async throws -> Void)?>(nil)

  let service = AccountService(
    AccountKind(rawValue: "memory"),
    [
      .pages, .discussion, .live, .takesMarks, .subscriptions, .stableIDs,
    ])

  func pages(
    of feed: Feed, report: @escaping @Sendable (SourceEvent) -> Void
  ) -> any PageSource {
    Part(account: self, url: feed.url)
  }

  func discussion(of feed: Feed) -> (any DiscussionSource)? { Part(account: self, url: feed.url) }
  func live(of feed: Feed) -> (any LiveSource)? { Part(account: self, url: feed.url) }
  var marks: (any MarkSink)? { Whole(account: self) }
  var subscriptions: (any SubscriptionSource)? { Whole(account: self) }

  /// Adds an entry on top of a feed, and tells who listens.
  func publish(_ entry: Entry, in url: String) {
    let listener = server.withLock { server in
      server.feeds[url, default: []].insert(entry, at: 0)
      return server.listeners[url]
    }
    listener?.yield(.changed(.added(entry: entry.id), eventID: entry.id))
  }

  private func working<Value>(_ body: (inout Server) throws -> sending Value) throws -> Value {
    try server.withLock { server in
      if let failure = server.failure { throw failure }
      return try body(&server)
    }
  }

  /// What belongs to one feed.
  private struct Part: PageSource, DiscussionSource, LiveSource {
    static let size = 2

    let account: MemoryAccount
    let url: String

    func page(after cursor: Cursor?, known: KnownPage) async throws -> PageAnswer {
      try account.working { server in
        let entries = server.feeds[url] ?? []
        let start = cursor.flatMap { Int($0.rawValue) } ?? 0
        let end = min(start + Self.size, entries.count)
        return PageAnswer(
          .page(
            Page(
              entries: Array(entries[start..<end]),
              nextCursor: end < entries.count ? Cursor("\(end)") : nil)))
      }
    }

    func comments(
      on entry: String, after cursor: Cursor?, known: KnownPage
    ) async throws -> CommentPage? {
      let page = try account.working { CommentPage(comments: $0.comments) }
      try await account.beforeComments.withLock { $0 }?()
      return page
    }

    func comment(_ id: String, on entry: String) async throws -> Comment {
      try account.working { server in
        guard let comment = server.comments.first(where: { $0.id == id }) else {
          throw SourceError(.status, stage: .fetch, subject: id, message: "gone", status: 410)
        }
        return comment
      }
    }

    func post(
      _ text: String, answering parent: String?, on entry: String, key: String
    ) async throws -> CommentAnswer {
      try account.working { server in
        let comment = Comment(id: key, parent: parent, text: text)
        server.comments.append(comment)
        return .kept(comment)
      }
    }

    func edit(
      _ id: String, on entry: String, to text: String, from version: String
    ) async throws -> CommentAnswer {
      try account.working { server in
        guard let index = server.comments.firstIndex(where: { $0.id == id }) else {
          return .conflict(.deleted)
        }
        guard server.comments[index].version == version else {
          return .conflict(.changed(server.comments[index]))
        }
        server.comments[index].text = text
        server.comments[index].version = version + "+"
        return .kept(server.comments[index])
      }
    }

    func news(after eventID: String) -> AsyncThrowingStream<LiveNews, any Error> {
      let (stream, continuation) = AsyncThrowingStream.makeStream(of: LiveNews.self)
      account.server.withLock { $0.listeners[url] = continuation }
      continuation.yield(.opened)
      return stream
    }

    func entry(_ id: String) async throws -> Entry {
      try account.working { server in
        guard let entry = server.feeds[url]?.first(where: { $0.id == id }) else {
          throw SourceError(.status, stage: .fetch, subject: id, message: "gone", status: 404)
        }
        return entry
      }
    }
  }

  /// What belongs to the account.
  private struct Whole: MarkSink, SubscriptionSource {
    let account: MemoryAccount
    let limit = 3

    func send(_ marks: [EntryMark]) async throws {
      try account.working { server in
        server.calls.append(marks)
        for mark in marks {
          switch (mark.mark.kind, mark.mark.isSet) {
          case (.read, true): server.read.insert(mark.entry)
          case (.read, false): server.read.remove(mark.entry)
          case (.starred, true): server.starred.insert(mark.entry)
          case (.starred, false): server.starred.remove(mark.entry)
          }
        }
      }
    }

    func subscriptions() async throws -> [Subscription] {
      try account.working { server in
        server.feeds.keys.sorted().map {
          Subscription(url: $0, title: "Feed \($0)", folders: server.folders[$0] ?? [])
        }
      }
    }

    let edits: SubscriptionEdits = [.add, .remove, .file, .manyFolders]

    func perform(_ change: SubscriptionChange, on subject: Subscription?) async throws {
      try account.working { server in
        switch change.kind {
        case .add: if server.feeds[change.url] == nil { server.feeds[change.url] = [] }
        case .remove: server.feeds[change.url] = nil
        case .rename: break
        case .file(let folders): server.folders[change.url] = folders
        }
      }
    }
  }
}

/// The services that there are, and one in memory.
struct MemorySources: NewsSources {
  let others: Sources
  let memory: MemoryAccount

  func source(of account: Account) -> any AccountSource {
    account.kind == memory.service.kind ? memory : others.source(of: account)
  }

  func reopen(_ addresses: [String]) { others.reopen(addresses) }
  func reopenAll() { others.reopenAll() }

  func discover(_ address: String, signIn: FeedSignIn?) async throws -> FoundFeeds {
    try await others.discover(address, signIn: signIn)
  }

  func locate(oneOf links: [FeedLink], namedBy address: String) async throws -> LocatedFeed {
    try await others.locate(oneOf: links, namedBy: address)
  }

  func keep(_ user: AddressUser, header: String?) async throws -> FeedSignIn {
    try await others.keep(user, header: header)
  }
  func forget(_ signIn: FeedSignIn) async throws { try await others.forget(signIn) }
}
