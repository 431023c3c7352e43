internal import FeedServer
internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import Testing

/// The client of Feedbin's API.
@Suite struct FeedbinTests {
  private func withFeedbin(
    _ quirks: FeedbinQuirks = FeedbinQuirks(), items: Int64 = 50, attempts: Int = 1,
    now: Double = 1_773_000_000, _ body: (SyncServer, FeedbinClient) async throws -> Void
  ) async throws {
    let server = SyncServer(.feedbin(quirks))
    server.addUser("ada", password: "secret", library: readerLibrary(.plain, items))
    try await server.whileServing { server in
      let client = FeedbinClient(
        SyncServerSettings(base: server.siteURL + "/v2", user: "ada"), client: readerHTTP(attempts),
        now: { Date(timeIntervalSince1970: now) }, password: { "secret" })
      try await body(server, client)
    }
  }

  private func texts(_ ids: some Sequence<Int64>) -> Set<String> { Set(ids.map { String($0) }) }

  private func walk(
    _ set: ItemSet, _ client: FeedbinClient
  ) async throws -> (ids: [String], pages: Int, isPartial: Bool) {
    var (ids, pages, isPartial): ([String], Int, Bool) = ([], 0, false)
    var cursor: Cursor?
    repeat {
      let page = try await client.ids(in: set, after: cursor)
      ids += page.ids
      pages += 1
      isPartial = isPartial || page.isPartial
      cursor = page.next
    } while cursor != nil && pages < 1_000
    return (ids, pages, isPartial)
  }

  @Test func `What is unread and what is starred comes as whole sets`() async throws {
    try await withFeedbin { server, client in
      let library = server.library(of: "ada")
      for (set, expected) in [(ItemSet.unread, library.unread), (.starred, library.starred)] {
        let page = try await client.ids(in: set, after: nil)
        #expect(Set(page.ids) == texts(expected) && page.next == nil && !page.isPartial)
      }
      #expect(server.requests.count == 2)
    }
  }

  @Test func `What has come lately is listed page by page, to its end`() async throws {
    try await withFeedbin(items: 250) { server, client in
      server.change("ada") { library in
        for var item in library.items(in: .all) {
          item.crawled = (1_773_000_000 - (250 - item.id) * 60) * 1_000_000 + 123_456
          library.insert(item)
        }
      }
      let all = try await walk(.all(since: nil), client)
      #expect(Set(all.ids) == texts(1...250) && all.pages == 3 && !all.isPartial)
      // Strictly later than a moment of six decimals.
      let since = Date(timeIntervalSince1970: 1_773_000_000 - 100 * 60 + 0.2)
      let some = try await walk(.all(since: since), client)
      #expect(Set(some.ids) == texts(151...250) && some.pages == 1)
    }
  }

  @Test func `The address of a next page that is gone ends a list`() async throws {
    try await withFeedbin(items: 200) { server, client in
      server.change("ada") { library in
        for var item in library.items(in: .all) {
          item.crawled = (1_772_999_000 + item.id) * 1_000_000
          library.insert(item)
        }
      }
      let first = try await client.ids(in: .all(since: nil), after: nil)
      let next = try #require(first.next)
      server.change("ada") { library in (1...150).forEach { library.remove($0) } }
      let second = try await client.ids(in: .all(since: nil), after: next)
      #expect(second.ids == [] && second.next == nil)
    }
  }

  /// What a client says that is led nowhere, as Feedbin answers a tagging that there is already.
  private func ledNowhere(
    _ body: String, _ ask: @escaping @Sendable (FeedbinClient) async throws -> Void
  ) async throws {
    try await withAnswers { request in
      if request.method == "GET", request.path.hasSuffix("/taggings.json") {
        return .reply(WireReply(type: "application/json", text: "[]"))
      }
      return .reply(WireReply(status: 302, type: "application/json", text: body))
    } _: { base, _, _ in
      try await ask(
        FeedbinClient(
          SyncServerSettings(base: base + "/v2", user: "ada"), client: readerHTTP(1),
          now: { Date(timeIntervalSince1970: 1_773_000_000) }, password: { "secret" }))
    }
  }

  @Test func `A redirect without an address says that a change is made already where it brings it`()
    async throws
  {
    try await ledNowhere("{\"id\": 1}") { try await $0.subscribe(to: "https://example.org/feed") }
    try await ledNowhere("{\"id\": 1}") { try await $0.file("7", in: ["News"]) }
    await #expect(throws: SourceError.self) {
      try await ledNowhere("<p>Sign in</p>") { try await $0.file("7", in: ["News"]) }
    }
    await #expect(throws: SourceError.self) {
      try await ledNowhere("[]") { try await $0.mark([1], .read, true) }
    }
  }

  @Test(arguments: [ItemSet.all(since: nil), .unread, .starred])
  func `A redirect without an address is no last page, and no empty set`(
    _ set: ItemSet
  ) async throws {
    for cursor in [nil, Cursor("2")] {
      let error = await #expect(throws: SourceError.self) {
        try await ledNowhere("[]") { _ = try await $0.ids(in: set, after: cursor) }
      }
      #expect(error?.isRefusal == false)
    }
    await #expect(throws: SourceError.self) {
      try await ledNowhere("[]") { _ = try await $0.items(["1"]) }
    }
    await #expect(throws: SourceError.self) {
      try await ledNowhere("[]") { _ = try await $0.subscriptions() }
    }
  }

  @Test func `Articles come by their ids, a hundred a call`() async throws {
    try await withFeedbin(items: 600) { server, client in
      let many = try await client.items((1...100).map { String($0) })
      #expect(Set(many.items.map(\.entry.id)) == texts(1...100) && server.requests.count == 1)
      let far = try await client.items(["1", "600", "777"])
      #expect(Set(far.items.map(\.entry.id)) == ["1", "600"])
      let first = try #require(many.items.first { $0.entry.id == "1" })
      #expect(first.isRead == nil && first.isStarred == nil && first.feed == "1")
      #expect(first.entry.title == "Item <1>" && first.entry.authors == [Author("Ada")])
      #expect(first.entry.contentHTML?.contains("https://a.example/x") == true)
      #expect(first.entry.enclosures.map(\.url) == ["https://a.example/1.mp3"])
      #expect(first.entry.enclosures.map(\.length) == [9])
      #expect(first.entry.published == Date(timeIntervalSince1970: 1_772_999_401))
    }
  }

  @Test func `Marks are absolute, and of what may not be marked none fails`() async throws {
    var quirks = FeedbinQuirks()
    quirks.foreignEntries = [8]
    try await withFeedbin(quirks) { server, client in
      for _ in 1...2 {
        try await client.mark([2, 4, 8, 4_000], .read, true)
        try await client.mark([1], .read, false)
        try await client.mark([2, 3], .starred, true)
        try await client.mark([1], .starred, false)
        let library = server.library(of: "ada")
        #expect(library.unread.isDisjoint(with: [2, 4]) && library.unread.isSuperset(of: [1, 8]))
        #expect(library.starred.isSuperset(of: [2, 3]) && !library.starred.contains(1))
      }
    }
  }

  @Test func `A page for browsers is no empty set, nor is an answer that was cut`() async throws {
    try await withFeedbin { server, client in
      for fault in [GoogleReaderFault.html, .cutText] {
        server.inject(fault, on: "unread_entries")
        await #expect(throws: SourceError.self) { try await client.ids(in: .unread, after: nil) }
        server.inject(fault, on: "taggings")
        await #expect(throws: SourceError.self) { try await client.subscriptions() }
      }
    }
  }

  @Test func `An article that cannot be read costs a warning`() async throws {
    try await withFeedbin { server, client in
      server.inject(.badItem, on: "entries.json")
      let batch = try await client.items(["1", "2"])
      #expect(batch.items.count == 2 && batch.warnings.count == 1)
    }
  }

  @Test func `Feeds are named by their own ids, and edited by those of their subscriptions`()
    async throws
  {
    try await withFeedbin { server, client in
      let before = try await client.subscriptions()
      #expect(before.map(\.id) == ["1", "2"] && before[0].folders == ["News"])
      try await client.rename("1", "Paper")
      try await client.file("1", in: ["News", "Home & garden"])
      #expect(server.library(of: "ada").feeds[0].title == "Paper")
      #expect(server.library(of: "ada").feeds[0].folders == ["News", "Home & garden"])
      try await client.file("1", in: ["Home & garden"])
      #expect(server.library(of: "ada").feeds[0].folders == ["Home & garden"])
      for _ in 1...2 { try await client.unsubscribe("1") }
      #expect(try await client.subscriptions().map(\.id) == ["2"])
    }
  }

  @Test func `Subscribing to what is there changes nothing, and a page of feeds is told of`()
    async throws
  {
    var quirks = FeedbinQuirks()
    quirks.pagesWithFeeds = ["https://c.example/"]
    try await withFeedbin(quirks) { server, client in
      for _ in 1...2 { try await client.subscribe(to: "https://c.example/feed") }
      #expect(server.library(of: "ada").feeds.map(\.url).filter { $0.contains("c.ex") }.count == 1)
      let error = await #expect(throws: SourceError.self) {
        try await client.subscribe(to: "https://c.example/")
      }
      #expect(error?.message.contains("several feeds") == true && error?.isRefusal == true)
    }
  }
}
