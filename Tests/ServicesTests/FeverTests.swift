internal import FeedServer
internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import Testing

/// The client of the Fever API, in the dialects that were seen.
@Suite struct FeverTests {
  private static let all: [FeverQuirks] = [.plain, .miniflux, .freshRSS, .commaFeed, .coldsweat]

  private func withFever(
    _ quirks: FeverQuirks, items: Int64 = 50, attempts: Int = 1, password: String = "secret",
    _ body: (SyncServer, FeverClient) async throws -> Void
  ) async throws {
    let server = SyncServer(.fever(quirks))
    server.addUser("ada", password: "secret", library: readerLibrary(.miniflux, items))
    try await server.whileServing { server in
      let client = FeverClient(
        SyncServerSettings(base: server.siteURL + "/fever", user: "ada"),
        client: readerHTTP(attempts), password: { password })
      try await body(server, client)
    }
  }

  private func texts(_ ids: some Sequence<Int64>) -> Set<String> { Set(ids.map { String($0) }) }

  @Test(arguments: all)
  func `Sets and articles come in each dialect`(_ quirks: FeverQuirks) async throws {
    try await withFever(quirks) { server, client in
      try await client.signIn()
      let library = server.library(of: "ada")
      let unread = try await client.ids(in: .unread)
      #expect(Set(unread.ids) == texts(library.unread) && !unread.isPartial)
      let saved = try await client.ids(in: .starred)
      #expect(Set(saved.ids) == texts(library.starred))
      let batch = try await client.items(["1", "2", "777"])
      #expect(Set(batch.items.map(\.entry.id)) == ["1", "2"])
      let first = try #require(batch.items.first { $0.entry.id == "1" })
      #expect(first.isRead == true && first.isStarred == true && first.feed == "1")
      #expect(first.entry.title == "Item <1>" && first.entry.url == "https://a.example/1")
      #expect(first.entry.published == Date(timeIntervalSince1970: 1_772_999_951))
      #expect(try await client.items(["777"]).items == [])
      let subscriptions = try await client.subscriptions()
      #expect(subscriptions.map(\.url) == ["https://a.example/feed", "https://b.example/feed"])
      #expect(subscriptions.map(\.folders) == [["News"], []])
    }
  }

  @Test(arguments: all)
  func `Marks are absolute in each dialect, toggles included`(_ quirks: FeverQuirks) async throws {
    try await withFever(quirks) { server, client in
      for _ in 1...2 {
        try await client.mark(["2", "4"], .read, true)
        try await client.mark(["1"], .read, false)
        try await client.mark(["2", "3"], .starred, true)
        try await client.mark(["1"], .starred, false)
        try await client.mark(["4000"], .read, true)
        let library = server.library(of: "ada")
        #expect(library.unread.isDisjoint(with: [2, 4]) && library.unread.contains(1))
        #expect(library.starred.isSuperset(of: [2, 3]) && !library.starred.contains(1))
      }
    }
  }

  @Test func `A toggle whose answer was lost is not sent again blindly`() async throws {
    try await withFever(.miniflux, attempts: 3) { server, client in
      try await client.signIn()
      server.forgetRequests()
      server.inject(.lostAnswer, on: "/fever", skipping: 1)
      await #expect(throws: SourceError.self) { try await client.mark(["2"], .starred, true) }
      #expect(server.requests.count == 2)
      try await client.mark(["2"], .starred, true)
      #expect(server.library(of: "ada").starred.contains(2))
    }
  }

  @Test func `A list of exactly a thousand ids is not taken for whole`() async throws {
    try await withFever(.commaFeed, items: 3_000) { server, client in
      let unread = try await client.ids(in: .unread)
      #expect(unread.ids.count == 1_000 && unread.isPartial)
    }
  }

  @Test func `Many marks go in one call where the version allows it`() async throws {
    let ids = (1...40).map { String($0) }
    try await withFever(.freshRSS) { server, client in
      try await client.signIn()
      server.forgetRequests()
      try await client.mark(ids, .read, true)
      #expect(server.requests.count == 1)
      #expect(server.library(of: "ada").unread.isDisjoint(with: 1...40))
    }
    try await withFever(.plain) { server, client in
      try await client.signIn()
      server.forgetRequests()
      try await client.mark(ids, .read, true)
      #expect(server.requests.count == 40)
    }
  }

  @Test func `A wrong password is a refusal, though the status is one of success`() async throws {
    try await withFever(.plain, password: "wrong") { _, client in
      let error = await #expect(throws: SourceError.self) { try await client.signIn() }
      #expect(error?.status == 401)
      await #expect(throws: SourceError.self) { try await client.ids(in: .unread) }
    }
  }

  @Test func `A single id may be a number`() async throws {
    var quirks = FeverQuirks.plain
    quirks.hasBareSingleIDs = true
    try await withFever(quirks) { server, client in
      server.change("ada") { library in
        library.mark(Array(1...50), adding: [.read], removing: [.starred])
        library.mark([7], adding: [.starred], removing: [.read])
      }
      #expect(try await client.ids(in: .unread).ids == ["7"])
      #expect(try await client.ids(in: .starred).ids == ["7"])
      try await client.mark(["7", "8"], .starred, true)
      #expect(server.library(of: "ada").starred == [7, 8])
    }
  }

  @Test func `What is no list is no empty list`() async throws {
    try await withFever(.plain) { server, client in
      try await client.signIn()
      for fault in [GoogleReaderFault.html, .emptyArray, .cutText] {
        server.inject(fault)
        await #expect(throws: SourceError.self) { try await client.ids(in: .unread) }
      }
    }
  }
}
