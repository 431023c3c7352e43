internal import FeedServer
internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import Testing

/// The client of the API of Tiny Tiny RSS, at servers of both ages.
@Suite struct TinyTinyRSSTests {
  private func withServer(
    _ quirks: TinyTinyRSSQuirks = .current, items: Int64 = 50, attempts: Int = 1,
    password: String = "secret", now: Double = 1_773_000_000,
    _ body: (SyncServer, TinyTinyRSSClient) async throws -> Void
  ) async throws {
    let server = SyncServer(.tinyTinyRSS(quirks))
    server.addUser("ada", password: "secret", library: readerLibrary(.plain, items))
    try await server.whileServing { server in
      let client = TinyTinyRSSClient(
        SyncServerSettings(base: server.siteURL + "/api", user: "ada"),
        client: readerHTTP(attempts), now: { Date(timeIntervalSince1970: now) },
        password: { password })
      try await body(server, client)
    }
  }

  private func texts(_ ids: some Sequence<Int64>) -> Set<String> { Set(ids.map { String($0) }) }

  private func calls(_ server: SyncServer, _ operation: String) -> Int {
    server.requests.count {
      String(decoding: $0.body, as: UTF8.self).contains("\"op\":\"\(operation)\"")
    }
  }

  private func walk(
    _ set: ItemSet, _ client: TinyTinyRSSClient
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

  @Test(arguments: [TinyTinyRSSQuirks.current, .older])
  func `Sets are walked to their ends`(_ quirks: TinyTinyRSSQuirks) async throws {
    try await withServer(quirks, items: 600) { server, client in
      let library = server.library(of: "ada")
      for (set, expected) in [
        (ItemSet.all(since: nil), texts(1...600)), (.unread, texts(library.unread)),
        (.starred, texts(library.starred)),
      ] {
        let walked = try await walk(set, client)
        #expect(Set(walked.ids) == expected && !walked.isPartial)
      }
      #expect(calls(server, "login") == 1)
    }
  }

  @Test func `A walk of what has come lately ends at articles that are older`() async throws {
    try await withServer(items: 600, now: 1_773_000_000 + 30 * 86_400 - 100) { _, client in
      let walked = try await walk(.all(since: nil), client)
      #expect(walked.pages == 1 && Set(walked.ids) == texts(401...600))
    }
  }

  @Test func `Articles that leave a set during its walk cost no id, or the claim that it is whole`()
    async throws
  {
    try await withServer(items: 1_000) { server, client in
      server.inject(.shiftedOffset(15), on: "/api/", skipping: 2)
      let walked = try await walk(.unread, client)
      #expect(!walked.isPartial)
      #expect(Set(walked.ids).isSuperset(of: texts(server.library(of: "ada").unread)))
      server.inject(.shiftedOffset(60), on: "/api/", skipping: 1)
      let shifted = try await walk(.unread, client)
      #expect(shifted.isPartial)
    }
  }

  @Test(arguments: [TinyTinyRSSQuirks.current, .older])
  func `Articles come by their ids`(_ quirks: TinyTinyRSSQuirks) async throws {
    try await withServer(quirks) { server, client in
      let batch = try await client.items(["1", "2", "777"])
      #expect(Set(batch.items.map(\.entry.id)) == ["1", "2"] && batch.warnings == [])
      let first = try #require(batch.items.first { $0.entry.id == "1" })
      #expect(first.isRead == true && first.isStarred == true && first.feed == "1")
      #expect(first.entry.title == "Item <1>" && first.entry.authors == [Author("Ada")])
      #expect(first.entry.contentHTML?.contains("https://a.example/x") == true)
      #expect(first.entry.enclosures.map(\.url) == ["https://a.example/1.mp3"])
      #expect(first.entry.published == Date(timeIntervalSince1970: 1_772_999_951))
      server.inject(.badItem, on: "/api/")
      #expect(try await client.items(["1", "2"]).warnings.count == 1)
    }
  }

  @Test(arguments: [TinyTinyRSSQuirks.current, .older])
  func `Marks are absolute`(_ quirks: TinyTinyRSSQuirks) async throws {
    try await withServer(quirks) { server, client in
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

  @Test func `A mark that is refused is told as a refusal, so that it can be found`() async throws {
    var quirks = TinyTinyRSSQuirks.current
    quirks.refusesUnknownMarks = true
    try await withServer(quirks) { _, client in
      let error = await #expect(throws: SourceError.self) {
        try await client.mark([2, 4_000], .read, true)
      }
      #expect(error?.isRefusal == true)
    }
  }

  @Test func `A session that has ended is begun anew, once`() async throws {
    var quirks = TinyTinyRSSQuirks.current
    quirks.callsPerSession = 2
    try await withServer(quirks) { server, client in
      for _ in 1...5 { _ = try await client.subscriptions() }
      #expect(calls(server, "login") == 5)
      try await client.mark([2], .read, true)
      #expect(!server.library(of: "ada").unread.contains(2))
    }
    quirks.callsPerSession = 0
    try await withServer(quirks) { server, client in
      let error = await #expect(throws: SourceError.self) { try await client.subscriptions() }
      #expect(error?.status == 401 && calls(server, "login") == 2)
    }
  }

  @Test func `Many calls at once sign in once`() async throws {
    try await withServer { server, client in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 1...8 { group.addTask { _ = try await client.unreadCount() } }
        try await group.waitForAll()
      }
      #expect(calls(server, "login") == 1)
    }
  }

  @Test func `A wrong password and a closed API are told apart`() async throws {
    try await withServer(password: "wrong") { _, client in
      let error = await #expect(throws: SourceError.self) { try await client.signIn() }
      #expect(error?.status == 401)
    }
    var quirks = TinyTinyRSSQuirks.current
    quirks.isEnabled = false
    try await withServer(quirks) { _, client in
      let error = await #expect(throws: SourceError.self) { try await client.signIn() }
      #expect(error?.status == 403 && error?.next?.contains("Enable API") == true)
    }
  }

  @Test func `A page for browsers is no empty list, nor is an answer that was cut`() async throws {
    try await withServer { server, client in
      try await client.signIn()
      for fault in [GoogleReaderFault.html, .cutText, .emptyArray] {
        server.inject(fault, on: "/api/")
        await #expect(throws: SourceError.self) { try await client.ids(in: .unread, after: nil) }
        server.inject(fault, on: "/api/")
        await #expect(throws: SourceError.self) { try await client.subscriptions() }
      }
    }
  }

  @Test(arguments: [TinyTinyRSSQuirks.current, .older])
  func `Feeds are added and removed, and counted`(_ quirks: TinyTinyRSSQuirks) async throws {
    try await withServer(quirks) { server, client in
      #expect(try await client.subscriptions().map(\.folders) == [["News"], []])
      for _ in 1...2 { try await client.subscribe(to: "https://c.example/feed") }
      #expect(server.library(of: "ada").feeds.count == 3)
      let error = await #expect(throws: SourceError.self) {
        try await client.subscribe(to: "https://c.example/page")
      }
      #expect(error?.message.contains("several feeds") == true && error?.isRefusal == true)
      for _ in 1...2 { try await client.unsubscribe("1") }
      #expect(try await client.subscriptions().map(\.id) == ["2", "3"])
      let count = try await client.unreadCount()
      #expect(count == server.library(of: "ada").unread.count)
    }
  }
}
