internal import FeedServer
internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import Synchronization
internal import TestSupport
internal import Testing

/// What the client makes of servers that lie, fail, or say nothing.
@Suite struct GoogleReaderFaultTests {
  private static let freshRSS = ReaderCase(product: .freshRSS, quirks: .freshRSS)
  private static let miniflux = ReaderCase(product: .miniflux, quirks: .miniflux)
  private static let plain = ReaderCase(product: .other, quirks: .plain)

  // MARK: - Sets of ids

  @Test func `Ids that come twice are there once`() async throws {
    try await withReader(Self.freshRSS) { server, client in
      server.inject(.repeatedIDs, on: "items/ids", times: nil)
      let set = try await client.ids(of: .unread, pageSize: 10)
      #expect(set.numbers == server.model.unread && set.ids.count == 25)
      server.inject(.repeatedIDs, on: "items/contents")
      let contents = try await client.items(set.ids)
      #expect(contents.items.count == 25)
      #expect(contents.warnings == ["25 articles of an answer could not be read"])
    }
  }

  @Test func `A server that leads in a circle is left, and nothing is inferred`() async throws {
    try await withReader(Self.freshRSS) { server, client in
      server.inject(.repeatedContinuation, on: "items/ids", times: nil)
      let set = try await client.ids(of: .unread, pageSize: 10)
      #expect(!set.isWhole)
      #expect(server.count("items/ids") < 5)
    }
  }

  @Test func `Offsets that shift on the way cost another walk, and no id`() async throws {
    try await withReader(Self.miniflux) { server, client in
      server.inject(.shiftedOffset(4), on: "items/ids", skipping: 1)
      let set = try await client.ids(of: .unread, pageSize: 8)
      #expect(set.isWhole)
      #expect(set.numbers == server.model.unread && set.ids.count == 21)
      server.inject(.insertedItems(3), on: "items/ids", skipping: 1)
      let later = try await client.ids(of: .unread, pageSize: 8)
      #expect(later.isWhole && later.numbers == server.model.unread)
    }
  }

  @Test func `A server whose offsets shift all the time gives no set to infer from`() async throws {
    try await withReader(Self.miniflux, items: 200) { server, client in
      server.inject(.shiftedOffset(1), on: "items/ids", times: nil)
      let set = try await client.ids(of: .unread, pageSize: 8)
      #expect(set.doubts == [.shiftingPositions])
    }
  }

  @Test func `A page that was cut in its middle leaves a doubt`() async throws {
    try await withReader(Self.freshRSS) { server, client in
      server.inject(.truncatedPage, on: "items/ids")
      let set = try await client.ids(of: .unread, pageSize: 10)
      #expect(set.doubts == [.shortPage] && set.ids.count < 25)
    }
  }

  @Test func `An item that was read between two pages of FreshRSS skips another`() async throws {
    // Why all pages of a set are fetched before a mark is sent.
    try await withReader(Self.freshRSS) { server, client in
      let first = try await client.idPage(of: .unread, count: 10, after: nil)
      try await client.mark([try #require(first.ids.last)], .read, true)
      let second = try await client.idPage(
        of: .unread, count: 100, after: first.continuation)
      #expect(first.ids.count + second.ids.count == 24)
    }
  }

  @Test func `An entry that is no id leaves a doubt, and costs no other`() async throws {
    try await withReader(Self.freshRSS) { server, client in
      server.inject(.badItem, on: "items/ids")
      let set = try await client.ids(of: .unread)
      #expect(set.doubts == [.badEntry] && set.numbers == server.model.unread)
      server.inject(.badItem, on: "items/contents")
      let contents = try await client.items(set.ids)
      #expect(contents.items.count == 25)
      #expect(contents.warnings == ["1 articles of an answer could not be read"])
    }
  }

  @Test func `What was asked for and did not come is missing`() async throws {
    try await withReader(Self.freshRSS) { server, client in
      let ids = try await client.ids(of: .starred).ids
      server.inject(.truncatedPage, on: "items/contents")
      let cut = try await client.items(ids)
      #expect(cut.items.count == ids.count - 2 && cut.warnings.isEmpty)
      let gone = try #require(ids.first?.number)
      server.change("ada") { $0.remove(gone) }
      let left = try await client.items(ids).items.map(\.entry.id)
      #expect(Set(left) == Set(ids.dropFirst().map(\.text)))
    }
  }

  // MARK: - What is no answer

  struct Lie: Sendable, CustomTestStringConvertible {
    var fault: GoogleReaderFault
    var words: String

    var testDescription: String { "\(fault)" }
  }

  @Test(arguments: [
    Lie(fault: .html, words: "a page for browsers"), Lie(fault: .emptyArray, words: "instead of"),
    Lie(fault: .cutText, words: "without its end"),
    Lie(fault: .error("Error=Something"), words: "something else"),
  ])
  func `What is no answer is an error, and never an empty list`(lie: Lie) async throws {
    try await withReader(Self.freshRSS) { server, client in
      _ = try await client.user()
      let ids = [GoogleReaderItemID(1)]
      let calls: [@Sendable () async throws -> Void] = [
        { _ = try await client.user() }, { _ = try await client.subscriptions() },
        { _ = try await client.tags() }, { _ = try await client.unreadCount() },
        { _ = try await client.ids(of: .unread) }, { _ = try await client.items(ids) },
      ]
      server.inject(lie.fault, on: "/reader/", times: nil)
      for call in calls {
        let error = try #require(await #expect(throws: SourceError.self) { try await call() })
        #expect(error.kind == .decoding && error.stage == .parse)
        #expect(error.message.contains(lie.words), "\(error.message)")
        #expect(error.subject.hasPrefix("http://127.0.0.1") && error.next?.isEmpty == false)
      }
    }
  }

  @Test func `A mark that is not confirmed is not taken for sent`() async throws {
    try await withReader(Self.freshRSS) { server, client in
      let ids = try await client.ids(of: .unread).ids
      for fault in [GoogleReaderFault.html, .emptyArray, .error("Error"), .error("")] {
        server.inject(fault, on: "edit-tag")
        let error = await #expect(throws: SourceError.self) {
          try await client.mark(ids, .read, true)
        }
        #expect(error?.kind == .decoding)
      }
    }
  }

  @Test(arguments: [GoogleReaderFault.html, .error("nothing"), .error("Auth="), .error("")])
  func `A sign-in without a token is none`(fault: GoogleReaderFault) async throws {
    try await withReader(Self.freshRSS) { server, client in
      server.inject(fault, on: "ClientLogin")
      let error = await #expect(throws: SourceError.self) { try await client.user() }
      #expect(error?.kind == .decoding)
      #expect(server.count("user-info") == 0)
      // The next call tries again.
      let name = try await client.user()
      #expect(name == "ada")
    }
  }

  // MARK: - Tokens

  @Test func `A sign-in that ends in the middle of a walk is renewed, and the walk goes on`()
    async throws
  {
    try await withReader(Self.freshRSS) { server, client in
      server.inject(.endedSignIns, on: "items/ids", skipping: 1)
      let set = try await client.ids(of: .unread, pageSize: 10)
      #expect(set.isWhole && set.numbers == server.model.unread)
      #expect(server.count("ClientLogin") == 2)
    }
  }

  @Test(arguments: ReaderCase.all)
  func `A write token that has ended is fetched again, once`(item: ReaderCase) async throws {
    try await withReader(item) { server, client in
      let ids = try await client.ids(of: .unread).ids
      try await client.mark([ids[0]], .read, true)
      server.inject(.endedWriteTokens, on: "edit-tag")
      try await client.mark([ids[1]], .read, true)
      #expect(server.model.unread.count == ids.count - 2)
      #expect(server.count("/token") == 2 && server.count("ClientLogin") == 1)
      #expect(server.count("edit-tag") == 3)
    }
  }

  @Test(arguments: ReaderCase.all)
  func `A write whose sign-in has ended signs in again, once`(item: ReaderCase) async throws {
    try await withReader(item) { server, client in
      let ids = try await client.ids(of: .unread).ids
      try await client.mark([ids[0]], .read, true)
      server.inject(.endedSignIns, on: "edit-tag")
      try await client.mark([ids[1]], .read, true)
      #expect(server.model.unread.count == ids.count - 2)
      #expect(server.count("ClientLogin") == 2)
    }
  }

  @Test func `A server that refuses every write is asked three times`() async throws {
    try await withReader(Self.plain) { server, client in
      let ids = try await client.ids(of: .unread).ids
      server.inject(.wire(.status(401)), on: "edit-tag", times: nil)
      let error = await #expect(throws: SourceError.self) {
        try await client.mark(ids, .read, true)
      }
      #expect(error?.status == 401)
      #expect(server.count("edit-tag") == 3)
      #expect(server.count("ClientLogin") == 2)
    }
  }

  @Test func `Many calls share one sign-in`() async throws {
    try await withReader(Self.freshRSS) { server, client in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<12 { group.addTask { _ = try await client.subscriptions() } }
        for _ in 0..<12 { group.addTask { _ = try await client.tags() } }
        try await group.waitForAll()
      }
      #expect(server.count("ClientLogin") == 1)
      server.endSignIns()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...12 {
          group.addTask { _ = try await client.idPage(of: .all, count: number, after: nil) }
        }
        try await group.waitForAll()
      }
      #expect(server.count("ClientLogin") == 2)
    }
  }

  @Test func `A token that was kept opens the account, and a new one takes its place`() async throws
  {
    let kept = Mutex<String?>(nil)
    let store = SyncTokenStore(
      load: { kept.withLock { $0 } }, save: { token in kept.withLock { $0 = token } })
    try await withReader(Self.freshRSS, tokens: store) { server, client in
      _ = try await client.user()
      let first = try #require(kept.withLock { $0 })
      let other = GoogleReaderClient(
        client.settings, client: readerHTTP(), password: { nil }, tokens: store)
      _ = try await other.user()
      #expect(server.count("ClientLogin") == 1)
      server.endSignIns()
      // Nobody else may sign in here: the password is gone.
      let error = await #expect(throws: SourceError.self) { try await other.user() }
      #expect(error?.status == 401 && error?.message.contains("not kept here") == true)
      let third = GoogleReaderClient(
        client.settings, client: readerHTTP(), password: { "secret" }, tokens: store)
      _ = try await third.user()
      #expect(kept.withLock { $0 } != first && kept.withLock { $0 } != nil)
    }
  }

  @Test(arguments: ReaderCase.all)
  func `A wrong password is told as one, and sent once`(item: ReaderCase) async throws {
    try await withReader(item, password: "wrong") { server, client in
      for _ in 0..<3 {
        let error = try #require(
          await #expect(throws: SourceError.self) { try await client.user() })
        #expect(error.kind == .status && error.status == 401)
        #expect(error.next?.hasPrefix("check the name and the password") == true)
        #expect(!"\(error)".contains("wrong"))
        if item.product == .bazQux { #expect(error.message.contains("YearSubscriptionExpired")) }
      }
      #expect(server.count("ClientLogin") == 1 && server.count("user-info") == 0)
    }
  }

  // MARK: - The way there

  @Test func `An answer that was lost leaves the marks, and to send them again changes nothing`()
    async throws
  {
    try await withReader(Self.freshRSS) { server, client in
      let ids = Array(try await client.ids(of: .unread).ids.prefix(5))
      server.inject(.lostAnswer, on: "edit-tag")
      let error = await #expect(throws: SourceError.self) {
        try await client.mark(ids, .read, true)
      }
      #expect(error?.kind == .cutShort)
      let model = server.model
      #expect(model.unread.count == 20)
      try await client.mark(ids, .read, true)
      #expect(server.model == model)
    }
  }

  @Test func `OK is no proof: the next look is`() async throws {
    try await withReader(Self.freshRSS) { server, client in
      let ids = try await client.ids(of: .unread).ids
      server.inject(.ignoredMark, on: "edit-tag")
      try await client.mark(ids, .read, true)
      let untouched = try await client.ids(of: .unread).ids.count
      #expect(untouched == ids.count)
      server.inject(.halfMark, on: "edit-tag")
      try await client.mark(ids, .read, true)
      let left = try await client.ids(of: .unread)
      #expect(left.ids.count == 13 && left.isWhole)
    }
  }

  @Test func `A slow server gets smaller calls, and what it was told last may be done`()
    async throws
  {
    var quirks = GoogleReaderQuirks.freshRSS
    quirks.millisecondsPerMark = 100
    try await withReader(ReaderCase(product: .freshRSS, quirks: quirks)) {
      $0.server.limits.silence = .milliseconds(300)
      $0.server.slowSilence = .milliseconds(300)
    } _: { server, client in
      let ids = try await client.ids(of: .unread).ids
      let before = client.marksPerCall
      let error = await #expect(throws: SourceError.self) {
        try await client.mark(ids, .read, true)
      }
      #expect(error?.kind == .timeout)
      #expect(client.marksPerCall < before)
      #expect(server.model.unread.isEmpty)
    }
  }

  @Test(arguments: [
    (Fault.status(503), SourceError.Kind.status), (.cut(afterBytes: 20), .cutShort),
    (.reset, .cutShort), (.status(429, retryAfter: 60), .status), (.garbage, .decoding),
  ])
  func `What happens to answers on their way is told as what it is`(
    fault: Fault, kind: SourceError.Kind
  ) async throws {
    try await withReader(Self.freshRSS) { server, client in
      _ = try await client.user()
      // The transport itself tries another connection where one that was kept is reset.
      server.inject(.wire(fault), on: "subscription/list", times: nil)
      let error = try #require(
        await #expect(throws: SourceError.self) { try await client.subscriptions() })
      #expect(error.kind == kind && error.next?.isEmpty == false)
      server.clearFaults()
      let feeds = try await client.subscriptions().count
      #expect(feeds == 2)
    }
  }

  @Test func `Items are asked for again where an answer is lost, and marks are not`() async throws {
    try await withReader(Self.freshRSS) { server, client in
      let patient = GoogleReaderClient(
        client.settings, client: readerHTTP(2), password: { "secret" })
      let ids = try await patient.ids(of: .unread).ids
      server.inject(.wire(.reset), on: "items/contents")
      let found = try await patient.items(ids).items.count
      #expect(found == 25)
      #expect(server.count("items/contents") == 2)
      server.inject(.wire(.reset), on: "edit-tag")
      await #expect(throws: SourceError.self) { try await patient.mark(ids, .read, true) }
      #expect(server.count("edit-tag") == 1)
    }
  }

  @Test func `A quota is told with every answer, and its end says until when`() async throws {
    var quirks = GoogleReaderQuirks.inoreader
    quirks.quota = 2
    try await withReader(ReaderCase(product: .inoreader, quirks: quirks)) { _, client in
      _ = try await client.user()
      _ = try await client.tags()
      #expect(client.warning?.contains("2 of 2 reads are used") == true)
      let start = Date()
      let error = try #require(
        await #expect(throws: SourceError.self) { try await client.subscriptions() })
      #expect(error.status == 429)
      let wait = try #require(error.retryAfter).timeIntervalSince(start)
      #expect((3_590...3_700).contains(wait))
    }
  }

  @Test func `A password goes to no other server, wherever a redirect leads`() async throws {
    let other = RawServer { _ in .reply(WireReply(type: "text/plain", text: "Auth=stolen\n")) }
    let port = try other.start()
    for status in [301, 302, 307, 308] {
      try await withAnswers({ _ in
        .reply(
          WireReply(
            status: status,
            headers: [("Location", "http://127.0.0.1:\(port)/accounts/ClientLogin")]))
      }) { base, _, _ in
        let client = GoogleReaderClient(
          GoogleReaderClient.Settings(SyncServerSettings(base: base, user: "ada"), product: .other),
          client: readerHTTP(), password: { "secret" })
        let error = await #expect(throws: SourceError.self) { try await client.user() }
        #expect(error?.kind == .redirect)
      }
    }
    #expect(other.requests.isEmpty)
    await other.stop()
  }

  @Test func `A password is not sent over plain http to another machine`() async throws {
    let client = GoogleReaderClient(
      GoogleReaderClient.Settings(
        SyncServerSettings(base: "http://192.0.2.1", user: "ada"), product: .other),
      client: readerHTTP(), password: { "secret" })
    let error = await #expect(throws: SourceError.self) { try await client.user() }
    #expect(error?.kind == .address && error?.message.contains("plain http") == true)
  }
}
