internal import FeedServer
internal import Foundation
internal import News
internal import Services
internal import Store
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import Repository

/// A second kind of account, which nothing but this test knows, through the repository and a store on
/// disk.
@Suite(.timeLimit(.minutes(10)))
struct AccountTests {
  private static let news = "feed/news"
  private static let other = "feed/other"

  private struct Reader: ~Copyable {
    let reader: TestReader
    let memory: MemoryAccount
    let repository: FeedRepository
    let account: AccountID

    private init(
      _ reader: consuming TestReader, _ memory: MemoryAccount, _ repository: FeedRepository,
      _ account: AccountID
    ) {
      self.reader = reader
      self.memory = memory
      self.repository = repository
      self.account = account
    }

    static func make() async throws -> Reader {
      let reader = try TestReader()
      let memory = MemoryAccount()
      let clock = reader.clock
      let repository = FeedRepository(
        store: reader.store, sources: MemorySources(others: makeSources(), memory: memory),
        now: { clock.now })
      let (service, now) = (memory.service, clock.now)
      let account = try await reader.store.edit { edit in
        try edit.accounts.save(service, base: MemoryAccount.base, user: "ada", now: now)
      }
      memory.server.withLock { server in
        server.feeds[AccountTests.news] = (1...5).reversed().map { number in
          Entry(
            id: "\(number)", url: "https://example.org/\(number)", title: "N\(number)",
            published: now.addingTimeInterval(Double(number) - 100))
        }
        server.feeds[AccountTests.other] = []
        server.folders[AccountTests.news] = ["Work"]
      }
      try await repository.synchronize(account)
      return Reader(reader, memory, repository, account)
    }

    func feed(_ url: String = AccountTests.news) async throws -> Feed {
      let (store, account) = (reader.store, account)
      return try #require(
        try await store.view { try $0.feeds.all(url: url) }.first { $0.account.id == account })
    }

    func article(_ title: String) async throws -> Article {
      try #require(
        try await reader.store.view { view in
          let rows = try view.timeline.slice(TimelineQuery(.all, olderCount: 100)).rows
          for case .article(let row) in rows where row.title == title {
            return try view.articles.article(row.id)
          }
          return nil
        })
    }

    func reference(_ id: String) -> EntryReference {
      EntryReference(feedURL: AccountTests.news, id: id)
    }
  }

  @Test func `It hands out what it says that it is capable of`() async throws {
    let memory = MemoryAccount()
    let feed = Feed(id: FeedID(1), url: Self.news)
    let accounts: [any AccountSource] = [
      memory, makeSources().source(of: .local),
      makeSources().source(of: Account(id: AccountID(2), service: .feedAPI)),
    ]
    for source in accounts {
      let capabilities = source.service.capabilities
      let kind = source.service.kind.rawValue
      #expect(capabilities.contains(.pages))
      #expect(capabilities.contains(.discussion) == (source.discussion(of: feed) != nil), "\(kind)")
      #expect(capabilities.contains(.live) == (source.live(of: feed) != nil), "\(kind)")
      #expect(capabilities.contains(.takesMarks) == (source.marks != nil), "\(kind)")
      #expect(capabilities.contains(.subscriptions) == (source.subscriptions != nil), "\(kind)")
    }
  }

  @Test func `Its subscriptions are taken over with their folders, and end with the server's`()
    async throws
  {
    let test = try await Reader.make()
    let feed = try await test.feed()
    #expect(feed.folders == ["Work"] && feed.displayTitle == "Feed feed/news")
    let mine = try await test.repository.subscribe(to: "feed/mine", in: test.account).feed
    try await test.repository.deliverOutbox()
    #expect(mine.account.id == test.account)
    #expect(test.memory.server.withLock { $0.feeds["feed/mine"] } == [])
    try await test.repository.unsubscribe(mine.id)
    try await test.repository.deliverOutbox()
    #expect(test.memory.server.withLock { $0.feeds["feed/mine"] } == nil)
    test.memory.server.withLock { $0.feeds[Self.other] = nil }
    for _ in 0..<2 { try await test.repository.synchronize(test.account) }
    let urls = try await test.reader.store.view { try $0.feeds.all().map(\.url) }
    #expect(urls == [Self.news])
  }

  @Test func `Its pages are read, the older ones too`() async throws {
    let test = try await Reader.make()
    let feed = try await test.feed()
    #expect(try await test.reader.titles() == ["N5", "N4"])
    for try await _ in test.repository.pages.all(of: feed) {}
    #expect(try await test.reader.titles() == ["N5", "N4", "N3", "N2", "N1"])
  }

  @Test func `Marks are sent in order, as many at once as it takes, when it can be reached`()
    async throws
  {
    let test = try await Reader.make()
    for try await _ in test.repository.pages.all(of: try await test.feed()) {}
    let id = try await test.article("N4").id
    let failure = SourceError(.refused, stage: .fetch, subject: "memory", message: "down")
    test.memory.server.withLock { $0.failure = failure }
    try await test.repository.apply(.mark([id], .starred(true)))
    try await test.repository.apply(.markAllRead(.all, notNewerThan: nil))
    try await test.repository.deliverOutbox()
    let waiting = try await test.reader.store.view { try $0.outbox.items() }
    #expect(waiting.map(\.account) == [test.account, test.account])
    #expect(waiting.map(\.attempts) == [1, 0] && waiting[0].error == failure)
    test.memory.server.withLock { $0.failure = nil }
    try await test.repository.deliverOutbox()
    #expect(try await test.reader.store.view { try $0.outbox.items() } == [])
    test.memory.server.withLock { server in
      #expect(server.starred == [test.reference("4")] && server.read.count == 5)
      #expect(server.calls.map(\.count) == [1, 3, 2])
    }
    // A refresh that something has answered sends what waits.
    try await test.repository.apply(.undo)
    _ = try await test.repository.refresh(.all)
    #expect(test.memory.server.withLock { $0.read } == [])
  }

  @Test func `Comments are sent to it, and read from it`() async throws {
    let test = try await Reader.make()
    let id = try await test.article("N5").id
    try await test.repository.threads.comment("A word", on: id)
    let comments = try await test.repository.threads.comments(on: id, after: nil, from: 0).comments
    #expect(comments.map(\.text) == ["A word"])
  }

  @Test func `What it tells by itself is fetched`() async throws {
    let test = try await Reader.make()
    let (repository, memory, store) = (test.repository, test.memory, test.reader.store)
    let now = test.reader.clock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await repository.listen() }
      #expect(await eventually { memory.server.withLock { $0.listeners[Self.news] != nil } })
      memory.publish(
        Entry(id: "6", title: "N6", published: now.addingTimeInterval(-94)), in: Self.news)
      let id = try await test.feed().id
      #expect(
        await eventually { (try? await store.view { try $0.feeds.hasEntry("6", of: id) }) == true })
      group.cancelAll()
    }
  }

  @Test func `A comment on an open thread is fetched, also where the server tells of a gap only`()
    async throws
  {
    let test = try await Reader.make()
    let (repository, memory) = (test.repository, test.memory)
    let article = try await test.article("N5").id
    func texts() async throws -> [String] {
      try await repository.threads.conversation(on: article)?.thread.rows.map(\.comment.text) ?? []
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await repository.listen() }
      #expect(await eventually { memory.server.withLock { $0.listeners[Self.news] != nil } })
      try await repository.threads.whileOpen(article) {
        func comment(_ text: String, _ change: LiveChange) async {
          memory.server.withLock { server in
            server.comments.append(Comment(id: text, text: text))
            server.listeners[Self.news]?.yield(.changed(change, eventID: text))
          }
          #expect(await eventually { (try? await texts().last) == text })
        }
        await comment("named", .commented(entry: "5"))
        await comment("missed", .missed)
      }
      group.cancelAll()
    }
    #expect(try await texts() == ["named", "missed"])
  }

  @Test func `Articles do not wait for comments; those that come meanwhile are fetched together`()
    async throws
  {
    let test = try await Reader.make()
    let (repository, store, memory) = (test.repository, test.reader.store, test.memory)
    let (now, feed) = (test.reader.clock.now, try await test.feed().id)
    let article = try await test.article("N5").id
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let asked = Mutex(0)
    memory.beforeComments.withLock {
      $0 = {
        asked.withLock { $0 += 1 }
        for await _ in gate {}
      }
    }
    func comment(_ text: String) {
      memory.server.withLock { server in
        server.comments.append(Comment(id: text, text: text))
        server.listeners[Self.news]?.yield(.changed(.commented(entry: "5"), eventID: text))
      }
    }
    func handled(_ eventID: String) async -> Bool {
      await eventually { (try? await store.view { try $0.feeds.liveEventID(of: feed) }) == eventID }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await repository.listen() }
      #expect(await eventually { memory.server.withLock { $0.listeners[Self.news] != nil } })
      try await repository.threads.whileOpen(article) {
        comment("0")
        #expect(await eventually { asked.withLock { $0 } == 1 })
        memory.publish(
          Entry(id: "6", title: "N6", published: now.addingTimeInterval(-94)), in: Self.news)
        try #require(
          await eventually {
            (try? await store.view { try $0.feeds.hasEntry("6", of: feed) }) == true
          })
        for number in 1...8 {
          comment("\(number)")
          try #require(await handled("\(number)"))
        }
        opening.finish()
        #expect(
          await eventually {
            (try? await repository.threads.conversation(on: article))?.thread.rows.last?.comment
              .text == "8"
          })
      }
      group.cancelAll()
    }
    // The last one may come when the second fetch has begun.
    #expect(asked.withLock { $0 } <= 3)
  }

  @Test func `A feed of here beside it is its own, with its own marks and folder`() async throws {
    let test = try await Reader.make()
    let now = test.reader.clock.now
    try await withAnswers({ _ in .reply(.rss(["N5"])) }) { base, _ in
      let mine = try await test.reader.store.edit { edit in
        try edit.feeds.subscribe(url: base, folders: ["Work"], isUserEntered: true, now: now).feed
      }
      _ = try await test.repository.refresh(.feeds([mine]))
      try await test.repository.apply(
        .markAllRead(.feed(try await test.feed().id), notNewerThan: nil))
      let feeds = try await test.reader.store.view { try $0.feeds.all() }
      #expect(feeds.first { $0.id == mine }?.counts.unread == 1)
      #expect(feeds.first { $0.id != mine && $0.url == Self.news }?.counts.unread == 0)
      let slice = try await test.reader.store.view {
        try $0.timeline.slice(TimelineQuery(.folder("Work"), olderCount: 100)).rows.count
      }
      #expect(slice == 1)
      let theirs = FolderID("Work", of: test.account)
      let snapshot = try await test.repository.snapshots(
        of: TimelineQuery(.folder(theirs), olderCount: 100)
      ).first { _ in true }
      #expect(snapshot?.slice.rows.count == 2 && snapshot?.freshness.feedCount == 1)
      let all = FolderID("", of: test.account)
      let whole = try await test.repository.snapshots(of: TimelineQuery(.folder(all)))
        .first { _ in true }
      #expect(whole?.freshness.feedCount == feeds.count { $0.account.id == test.account })
    }
  }
}
