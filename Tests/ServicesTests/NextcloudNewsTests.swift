internal import FeedServer
internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import Testing

/// The client of the API of Nextcloud News.
@Suite struct NextcloudNewsTests {
  private func withNews(
    _ quirks: NextcloudNewsQuirks = NextcloudNewsQuirks(), items: Int64 = 50,
    now: Double = 1_773_000_000, _ body: (SyncServer, NextcloudNewsClient) async throws -> Void
  ) async throws {
    let server = SyncServer(.nextcloudNews(quirks))
    server.addUser("ada", password: "secret", library: readerLibrary(.plain, items))
    try await server.whileServing { server in
      let client = NextcloudNewsClient(
        SyncServerSettings(base: server.siteURL + "/index.php/apps/news/api", user: "ada"),
        client: readerHTTP(), now: { Date(timeIntervalSince1970: now) }, password: { "secret" })
      try await body(server, client)
    }
  }

  private func texts(_ ids: some Sequence<Int64>) -> Set<String> { Set(ids.map { String($0) }) }

  private func walk(
    _ set: ItemSet, _ client: NextcloudNewsClient
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

  @Test func `Sets are walked to their ends`() async throws {
    var quirks = NextcloudNewsQuirks()
    quirks.largestPage = 70
    try await withNews(quirks, items: 600) { server, client in
      let library = server.library(of: "ada")
      for (set, expected) in [
        (ItemSet.all(since: nil), texts(1...600)), (.unread, texts(library.unread)),
        (.starred, texts(library.starred)),
      ] {
        let walked = try await walk(set, client)
        #expect(Set(walked.ids) == expected && !walked.isPartial)
      }
    }
  }

  @Test func `A walk of what has come lately ends where the server had the articles already`()
    async throws
  {
    try await withNews(items: 600) { server, client in
      server.change("ada") { library in
        for var item in library.items(in: .all) {
          item.crawled = (1_773_000_000 - (600 - item.id) * 86_400) * 1_000_000
          library.insert(item)
        }
      }
      var client = client
      client.pageSize = 20
      let walked = try await walk(.all(since: nil), client)
      #expect(Set(walked.ids) == texts(561...600) && walked.pages == 2)
    }
  }

  @Test func `What a walk has brought is not asked for again, and what it has not is`()
    async throws
  {
    try await withNews(items: 600) { server, client in
      _ = try await walk(.unread, client)
      let walks = server.requests.count
      let ids = server.library(of: "ada").unread.sorted().suffix(100)
      let batch = try await client.items(ids.map { String($0) })
      #expect(Set(batch.items.map(\.entry.id)) == texts(ids) && server.requests.count == walks)
      // Those that are read were not walked.
      let near = try await client.items((1...100).map { String($0) })
      #expect(Set(near.items.map(\.entry.id)) == texts(1...100))
      #expect(server.requests.count == walks + 1)
      let far = try await client.items(["1", "300", "601"])
      #expect(Set(far.items.map(\.entry.id)) == ["1", "300"])
      let first = try #require(near.items.first { $0.entry.id == "1" })
      #expect(first.isRead == true && first.isStarred == true && first.feed == "1")
      #expect(first.entry.title == "Item <1>" && first.entry.authors == [Author("Ada")])
      #expect(first.entry.contentHTML?.contains("https://a.example/x") == true)
      #expect(first.entry.enclosures.map(\.url) == ["https://a.example/1.mp3"])
      #expect(first.entry.published == Date(timeIntervalSince1970: 1_772_999_401))
    }
  }

  @Test func `What changes after a walk is not taken from it`() async throws {
    try await withNews { server, client in
      _ = try await walk(.unread, client)
      try await client.mark([2], .starred, true)
      let article = try #require(try await client.items(["2"]).items.first)
      #expect(article.isStarred == true)
      server.change("ada") { library in
        guard var item = library[4] else { return }
        item.title = "Changed"
        library.insert(item)
      }
      _ = try await walk(.unread, client)
      let changed = try await client.items(["4"]).items.first
      #expect(changed?.entry.title == "Changed")
    }
  }

  @Test func `Marks are absolute, and of what is gone none fails`() async throws {
    try await withNews { server, client in
      for _ in 1...2 {
        try await client.mark([2, 4, 4_000], .read, true)
        try await client.mark([1], .read, false)
        try await client.mark([2, 3], .starred, true)
        try await client.mark([1], .starred, false)
        let library = server.library(of: "ada")
        #expect(library.unread.isDisjoint(with: [2, 4]) && library.unread.contains(1))
        #expect(library.starred.isSuperset(of: [2, 3]) && !library.starred.contains(1))
      }
    }
  }

  @Test func `A page that was cut in its middle is asked on`() async throws {
    try await withNews(items: 300) { server, client in
      server.inject(.truncatedPage, on: "getRead=false")
      let walked = try await walk(.unread, client)
      #expect(Set(walked.ids) == texts(server.library(of: "ada").unread))
    }
  }

  @Test func `An article that cannot be read leaves a doubt about its set`() async throws {
    try await withNews { server, client in
      server.inject(.badItem, on: "getRead=false")
      let walked = try await walk(.unread, client)
      #expect(walked.isPartial)
    }
  }

  @Test func `A page for browsers is no empty set, nor is an answer that was cut`() async throws {
    try await withNews { server, client in
      for fault in [GoogleReaderFault.html, .cutText] {
        server.inject(fault, on: "items")
        await #expect(throws: SourceError.self) { try await client.ids(in: .unread, after: nil) }
        server.inject(fault, on: "feeds")
        await #expect(throws: SourceError.self) { try await client.subscriptions() }
      }
    }
  }

  @Test func `A feed moves between folders, and no folder is removed`() async throws {
    try await withNews { server, client in
      let before = try await client.subscriptions()
      #expect(before.map(\.folders) == [["News"], []])
      try await client.file("1", in: ["Fresh & new"])
      try await client.file("2", in: ["Fresh & new"])
      #expect(server.library(of: "ada").feeds.map(\.folders) == [["Fresh & new"], ["Fresh & new"]])
      try await client.file("1", in: [])
      try await client.rename("2", "Paper")
      #expect(server.library(of: "ada").feeds.map(\.folders) == [[], ["Fresh & new"]])
      #expect(try await client.subscriptions().map(\.title) == ["A & B", "Paper"])
      #expect(server.count("folders/", "DELETE") == 0)
      for _ in 1...2 { try await client.subscribe(to: "https://c.example/feed") }
      for _ in 1...2 { try await client.unsubscribe("1") }
      #expect(try await client.subscriptions().count == 2)
    }
  }

  @Test func `The server's own count is the sum of its feeds'`() async throws {
    var quirks = NextcloudNewsQuirks()
    quirks.miscount = 3
    try await withNews(quirks) { server, client in
      let count = try await client.unreadCount()
      #expect(count == server.library(of: "ada").unread.count + 3)
    }
  }

  @Test func `Counts that no server can mean are no reason to end`() async throws {
    var quirks = NextcloudNewsQuirks()
    quirks.miscount = .max
    try await withNews(quirks) { _, client in
      let count = try await client.unreadCount()
      #expect(count == .max)
    }
  }

  @Test func `An app without version 1,3 of the API is told so`() async throws {
    var quirks = NextcloudNewsQuirks()
    quirks.hasVersion13 = false
    try await withNews(quirks) { _, client in
      let error = await #expect(throws: SourceError.self) { try await client.signIn() }
      #expect(error?.message.contains("1.3") == true && error?.next?.contains("18.1") == true)
    }
  }
}
