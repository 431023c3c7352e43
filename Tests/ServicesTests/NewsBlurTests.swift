internal import FeedServer
internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import Testing

/// The client of NewsBlur's API.
@Suite struct NewsBlurTests {
  private func withNewsBlur(
    _ quirks: NewsBlurQuirks = NewsBlurQuirks(), items: Int64 = 50, password: String = "secret",
    _ body: (SyncServer, NewsBlurClient) async throws -> Void
  ) async throws {
    let server = SyncServer(
      .newsBlur(quirks), clock: { Date(timeIntervalSince1970: 1_773_000_000) })
    server.addUser("ada", password: "secret", library: readerLibrary(.plain, items))
    try await server.whileServing { server in
      let client = NewsBlurClient(
        SyncServerSettings(base: server.siteURL, user: "ada"), client: readerHTTP(),
        password: { password })
      try await body(server, client)
    }
  }

  /// As the server names a story of one of the two feeds.
  private func hash(_ number: Int64) -> String {
    "\(number.isMultiple(of: 2) ? 2 : 1):\(String(number, radix: 16))"
  }

  private func hashes(_ numbers: some Sequence<Int64>) -> Set<String> { Set(numbers.map(hash)) }

  @Test func `What is unread and what is starred comes as whole sets`() async throws {
    try await withNewsBlur { server, client in
      let library = server.library(of: "ada")
      for (set, expected) in [(ItemSet.unread, library.unread), (.starred, library.starred)] {
        let page = try await client.ids(in: set)
        #expect(Set(page.ids) == hashes(expected) && page.next == nil && !page.isPartial)
      }
      #expect(server.count("/api/login") == 1)
    }
  }

  @Test func `A session that has ended gives nobody else's data`() async throws {
    var quirks = NewsBlurQuirks()
    quirks.callsPerSession = 1
    try await withNewsBlur(quirks) { server, client in
      for _ in 1...3 {
        let page = try await client.ids(in: .unread)
        #expect(Set(page.ids) == hashes(server.library(of: "ada").unread))
        #expect(try await client.subscriptions().map(\.id) == ["1", "2"])
        try await client.mark([hash(2)], .read, true)
      }
      #expect(!server.library(of: "ada").unread.contains(2))
    }
    quirks.callsPerSession = 0
    try await withNewsBlur(quirks) { server, client in
      for set in [ItemSet.unread, .starred] {
        let error = await #expect(throws: SourceError.self) { try await client.ids(in: set) }
        #expect(error?.status == 401)
      }
      await #expect(throws: SourceError.self) { try await client.subscriptions() }
      await #expect(throws: SourceError.self) { try await client.items([hash(1)]) }
      await #expect(throws: SourceError.self) { try await client.mark([hash(2)], .read, true) }
      #expect(server.library(of: "ada").unread.contains(2))
    }
  }

  @Test func `Stories come by their hashes, those that are hidden too`() async throws {
    var quirks = NewsBlurQuirks()
    quirks.hiddenStories = [2]
    try await withNewsBlur(quirks, items: 200) { server, client in
      let batch = try await client.items((1...100).map(hash))
      #expect(Set(batch.items.map(\.entry.id)) == hashes(1...100) && batch.warnings == [])
      let first = try #require(batch.items.first { $0.entry.id == hash(1) })
      #expect(first.isRead == nil && first.isStarred == nil && first.feed == "1")
      #expect(first.entry.title == "Item <1>" && first.entry.authors == [Author("Ada")])
      #expect(first.entry.contentHTML?.contains("https://a.example/x") == true)
      #expect(first.entry.categories.map(\.term) == ["swift"])
      #expect(first.entry.published == Date(timeIntervalSince1970: 1_772_999_801))
      server.inject(.badItem, on: "river_stories")
      #expect(try await client.items([hash(1), "1:fffff"]).warnings.count == 1)
    }
  }

  @Test func `Marks are absolute, and starring again takes no tags away`() async throws {
    try await withNewsBlur { server, client in
      server.change("ada") { $0.mark([1, 11], adding: [.starred, .label("keep")]) }
      for _ in 1...2 {
        try await client.mark([hash(2), hash(4)], .read, true)
        try await client.mark([hash(1)], .read, false)
        try await client.mark([hash(1), hash(3), hash(11)], .starred, true)
        try await client.mark([hash(21)], .starred, false)
        let library = server.library(of: "ada")
        #expect(library.unread.isDisjoint(with: [2, 4]) && library.unread.contains(1))
        #expect(library.starred.isSuperset(of: [1, 3, 11]) && !library.starred.contains(21))
        #expect(library.states[11]?.labels == ["keep"])
      }
    }
  }

  @Test func `A story that is too old to be unread is a refusal with its reason`() async throws {
    var quirks = NewsBlurQuirks()
    quirks.unreadTime = 10
    try await withNewsBlur(quirks) { server, client in
      try await client.mark([hash(49)], .read, false)
      let error = await #expect(throws: SourceError.self) {
        try await client.mark([hash(1)], .read, false)
      }
      #expect(error?.isRefusal == true && error?.message.contains("too old") == true)
    }
  }

  @Test func `What the user may not do is no reason to sign out`() async throws {
    var quirks = NewsBlurQuirks()
    quirks.forbiddenRoutes = ["add_url"]
    try await withNewsBlur(quirks) { server, client in
      let error = await #expect(throws: SourceError.self) {
        try await client.subscribe(to: "https://c.example/feed")
      }
      #expect(error?.status == 403 && server.count("/api/login") == 2)
    }
  }

  @Test func `A wrong password is one`() async throws {
    try await withNewsBlur(password: "wrong") { _, client in
      let error = await #expect(throws: SourceError.self) { try await client.signIn() }
      #expect(error?.status == 401)
    }
  }

  @Test func `A page for browsers is no empty set, nor is an answer that was cut`() async throws {
    try await withNewsBlur { server, client in
      for fault in [GoogleReaderFault.html, .cutText, .emptyArray] {
        server.inject(fault, on: "unread_story_hashes")
        await #expect(throws: SourceError.self) { try await client.ids(in: .unread) }
        server.inject(fault, on: "/reader/feeds")
        await #expect(throws: SourceError.self) { try await client.subscriptions() }
      }
    }
  }

  @Test(arguments: [false, true])
  func `Feeds move between folders by their names`(_ isNested: Bool) async throws {
    var quirks = NewsBlurQuirks()
    quirks.nestsFolders = isNested
    try await withNewsBlur(quirks) { server, client in
      #expect(try await client.subscriptions().map(\.folders) == [["News"], []])
      try await client.file("1", in: ["Fresh & new"])
      try await client.file("2", in: ["Fresh & new"])
      #expect(server.library(of: "ada").feeds.map(\.folders) == [["Fresh & new"], ["Fresh & new"]])
      for _ in 1...2 { try await client.file("1", in: []) }
      try await client.rename("2", "Paper")
      #expect(try await client.subscriptions().map(\.title) == ["A & B", "Paper"])
      #expect(server.library(of: "ada").feeds.map(\.folders) == [[], ["Fresh & new"]])
      try await client.subscribe(to: "https://c.example/feed?a=1&b=2")
      #expect(server.library(of: "ada").feeds.last?.url == "https://c.example/feed?a=1&b=2")
      for _ in 1...2 { try await client.unsubscribe("1") }
      #expect(try await client.subscriptions().count == 2)
    }
  }
}
