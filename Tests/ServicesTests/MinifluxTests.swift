internal import FeedServer
internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import Testing

/// The client of Miniflux's own API, at servers of both ages.
@Suite struct MinifluxTests {
  private func withMiniflux(
    _ quirks: MinifluxQuirks, items: Int64 = 50, attempts: Int = 1,
    _ body: (SyncServer, MinifluxClient) async throws -> Void
  ) async throws {
    let server = SyncServer(.miniflux(quirks))
    server.addUser("ada", password: "secret", library: readerLibrary(.miniflux, items))
    try await server.whileServing { server in
      let client = MinifluxClient(
        SyncServerSettings(base: server.siteURL + "/v1", user: "ada"), .password,
        client: readerHTTP(attempts), secret: { "secret" })
      try await body(server, client)
    }
  }

  private func walk(
    _ set: ItemSet, _ client: MinifluxClient
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

  private func texts(_ ids: some Sequence<Int64>) -> Set<String> { Set(ids.map { String($0) }) }

  @Test(arguments: [MinifluxQuirks.current, .older])
  func `Sets of ids are walked to their ends`(_ quirks: MinifluxQuirks) async throws {
    try await withMiniflux(quirks, items: 600) { server, client in
      var client = client
      client.pageSizes.ids = 100
      client.pageSizes.entries = 100
      let library = server.library(of: "ada")
      for (set, expected) in [
        (ItemSet.all(since: nil), texts(library.items(in: .all).map(\.id))),
        (.unread, texts(library.unread)), (.starred, texts(library.starred)),
      ] {
        let walked = try await walk(set, client)
        #expect(Set(walked.ids) == expected && !walked.isPartial)
      }
    }
  }

  @Test(arguments: [MinifluxQuirks.current, .older])
  func `A walk of what is new ends where the server had the articles already`(
    _ quirks: MinifluxQuirks
  ) async throws {
    try await withMiniflux(quirks, items: 600) { server, client in
      var client = client
      client.pageSizes.ids = 100
      client.pageSizes.entries = 100
      server.change("ada") { library in
        for item in library.items(in: .all) {
          var item = item
          item.crawled = (1_773_000_000 + item.id) * 1_000_000
          library.insert(item)
        }
      }
      let since = Date(timeIntervalSince1970: 1_773_000_550)
      let walked = try await walk(.all(since: since), client)
      #expect(walked.pages == 1 && Set(walked.ids).isSuperset(of: texts(550...600)))
    }
  }

  @Test func `Articles that leave a set during its walk cost no id, or the claim that it is whole`()
    async throws
  {
    try await withMiniflux(.current, items: 1_000) { server, client in
      var client = client
      client.pageSizes.ids = 200
      server.inject(.shiftedOffset(40), on: "entries/ids", skipping: 1)
      let walked = try await walk(.unread, client)
      #expect(!walked.isPartial)
      #expect(Set(walked.ids).isSuperset(of: texts(server.library(of: "ada").unread)))
      server.inject(.shiftedOffset(150), on: "entries/ids", skipping: 1)
      #expect(try await walk(.unread, client).isPartial)
    }
  }

  @Test(arguments: [MinifluxQuirks.current, .older])
  func `A page that was cut in its middle is asked on, or leaves a doubt`(
    _ quirks: MinifluxQuirks
  ) async throws {
    try await withMiniflux(quirks) { server, client in
      server.inject(.truncatedPage, on: "unread")
      let walked = try await walk(.unread, client)
      #expect(
        walked.isPartial || Set(walked.ids) == texts(server.library(of: "ada").unread))
    }
  }

  @Test(arguments: [MinifluxQuirks.current, .older])
  func `Articles come by their ids, near together or far apart`(
    _ quirks: MinifluxQuirks
  ) async throws {
    try await withMiniflux(quirks, items: 600) { server, client in
      let near = try await client.items((1...250).map { String($0) })
      #expect(Set(near.items.map(\.entry.id)) == texts(1...250) && near.warnings == [])
      #expect(server.count("/v1/entries") == 1)
      let far = try await client.items(["1", "2", "300", "301", "600", "777"])
      #expect(Set(far.items.map(\.entry.id)) == texts([1, 2, 300, 301, 600]))
      let first = try #require(near.items.first { $0.entry.id == "1" })
      #expect(first.isRead == true && first.isStarred == true && first.feed == "1")
      #expect(first.entry.title == "Item <1>" && first.entry.authors == [Author("Ada")])
      #expect(first.entry.url == "https://a.example/1")
      #expect(first.entry.contentHTML?.contains("https://a.example/x") == true)
      #expect(first.entry.enclosures.map(\.url) == ["https://a.example/1.mp3"])
      #expect(first.entry.enclosures.map(\.length) == [9])
      #expect(first.entry.categories.map(\.term) == ["swift"])
      #expect(first.entry.published == Date(timeIntervalSince1970: 1_772_999_401))
    }
  }

  @Test(arguments: [MinifluxQuirks.current, .older])
  func `Marks are absolute, and of what is gone none fails`(_ quirks: MinifluxQuirks) async throws {
    try await withMiniflux(quirks) { server, client in
      for _ in 1...2 {
        try await client.mark([2, 4], .read, true)
        try await client.mark([1], .read, false)
        try await client.mark([2, 3], .starred, true)
        try await client.mark([1], .starred, false)
        try await client.mark([4_000], .read, true)
        try await client.mark([4_000], .starred, true)
        let library = server.library(of: "ada")
        #expect(library.unread.isDisjoint(with: [2, 4]) && library.unread.contains(1))
        #expect(library.starred.isSuperset(of: [2, 3]) && !library.starred.contains(1))
      }
    }
  }

  @Test func `A toggle whose answer was lost is not sent again blindly`() async throws {
    try await withMiniflux(.older, attempts: 3) { server, client in
      server.inject(.lostAnswer, on: "bookmark")
      await #expect(throws: SourceError.self) { try await client.mark([2], .starred, true) }
      #expect(server.count("bookmark") == 1)
      try await client.mark([2], .starred, true)
      #expect(server.count("bookmark") == 1)
      #expect(server.library(of: "ada").starred.contains(2))
    }
  }

  @Test func `A page for browsers is no empty list`() async throws {
    try await withMiniflux(.current) { server, client in
      server.inject(.html, on: "entries/ids")
      await #expect(throws: SourceError.self) { try await client.ids(in: .unread, after: nil) }
      server.inject(.html, on: "feeds")
      await #expect(throws: SourceError.self) { try await client.subscriptions() }
      server.inject(.emptyArray, on: "entries/ids")
      await #expect(throws: SourceError.self) { try await client.ids(in: .unread, after: nil) }
    }
  }

  @Test func `A feed without a folder lies in the first category`() async throws {
    try await withMiniflux(.current) { server, client in
      let folders = Dictionary(
        uniqueKeysWithValues: try await client.subscriptions().map { ($0.id, $0.folders) })
      #expect(folders == ["1": ["News"], "2": ["All"]])
      try await client.file("1", in: [])
      try await client.file("2", in: ["Fresh"])
      #expect(server.library(of: "ada").feeds.map(\.folders) == [["All"], ["Fresh"]])
    }
  }
}
