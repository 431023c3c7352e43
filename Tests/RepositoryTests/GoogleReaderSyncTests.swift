internal import FeedServer
internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import Store
internal import Synchronization
internal import TestSupport
internal import Testing
internal import Text

@testable internal import Repository

/// Accounts at servers of the Google Reader API: the real repository, store and client, over the reference
/// server.
@Suite(.timeLimit(.minutes(10)))
struct GoogleReaderSyncTests {
  /// One account, whatever the store says of it.
  private struct OneAccount: NewsSources {
    let others: Sources
    let client: GoogleReaderClient

    func source(of account: Account) -> any AccountSource {
      account.id == .local ? others.source(of: account) : client.account(of: .googleReader)
    }

    func reopen(_ addresses: [String]) {}
    func reopenAll() {}

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

  private static let start: Int64 = 1_773_000_000

  private static func item(_ number: Int64, published: Int64? = nil) -> GoogleReaderModel.Item {
    GoogleReaderModel.Item(
      id: start * 1_000_000 + number, feed: "feed/1", title: "Story \(number)",
      url: "https://a.example/\(number)", html: "<p>Text \(number)</p>",
      published: published ?? start + number, crawled: start * 1_000_000 + number)
  }

  private struct Client: ~Copyable {
    let reader: TestReader
    let repository: FeedRepository
    let account: AccountID

    private init(
      _ reader: consuming TestReader, _ repository: FeedRepository, _ account: AccountID
    ) {
      self.reader = reader
      self.repository = repository
      self.account = account
    }

    static func make(
      at server: GoogleReaderServer, _ product: GoogleReaderProduct
    ) async throws -> Client {
      let reader = try TestReader()
      var policy = RetryPolicy()
      policy.maxAttempts = 1
      let http = ResilientClient(
        HTTPClient(transport: CurlTransport()), gate: OriginGate(OriginGate.Settings()),
        retries: RetryingSend(policy: policy))
      let client = GoogleReaderClient(
        GoogleReaderClient.Settings(
          SyncServerSettings(base: server.apiURL, user: "ada"), product: product),
        client: http, password: { "secret" })
      let clock = reader.clock
      let repository = FeedRepository(
        store: reader.store, sources: OneAccount(others: makeSources(), client: client),
        now: { clock.now })
      let (now, base) = (clock.now, server.apiURL)
      let account = try await reader.store.edit { edit in
        try edit.accounts.save(
          client.account(of: .googleReader).service, base: base, user: "ada", now: now)
      }
      return Client(reader, repository, account)
    }

    func sync() async throws { try await repository.synchronize(account) }

    /// Numbers of the items that are stored, and of those among them that are unread.
    func numbers() async throws -> (all: Set<Int64>, unread: Set<Int64>) {
      let rows = try await reader.store.view { view in
        try view.timeline.slice(TimelineQuery(.all, olderCount: 1_000)).rows
      }
      var (all, unread): (Set<Int64>, Set<Int64>) = ([], [])
      for case .article(let row) in rows {
        guard let number = row.title.split(separator: " ").last.flatMap({ Int64($0) }) else {
          continue
        }
        all.insert(number)
        if !row.status.isRead { unread.insert(number) }
      }
      return (all, unread)
    }
  }

  private func with(
    _ quirks: GoogleReaderQuirks, items: Int64, page: Int? = nil,
    _ body: (GoogleReaderServer) async throws -> Void
  ) async throws {
    var quirks = quirks
    if let page { quirks.largestPage = page }
    let server = GoogleReaderServer(quirks, clock: { TestClock().now })
    var library = GoogleReaderModel()
    library.subscribe(to: "https://a.example/feed", title: "News")
    library.insert((1...items).map { Self.item($0) })
    server.addUser("ada", password: "secret", library: library)
    try await server.whileServing { try await body($0) }
  }

  /// The requests for ids of a set that the server got.
  private func queries(_ server: GoogleReaderServer, _ word: String = "items/ids") -> [String] {
    server.requests.map(\.target).filter { $0.contains(word) }
  }

  @Test(arguments: [
    (GoogleReaderQuirks.freshRSS, GoogleReaderProduct.freshRSS, GoogleReaderFault.readContinuation),
    (GoogleReaderQuirks.miniflux, GoogleReaderProduct.miniflux, GoogleReaderFault.shiftedOffset(3)),
  ])
  func `An item that is passed over because others were read between two pages stays unread`(
    _ quirks: GoogleReaderQuirks, _ product: GoogleReaderProduct, _ fault: GoogleReaderFault
  ) async throws {
    try await with(quirks, items: 30, page: 10) { server in
      let client = try await Client.make(at: server, product)
      try await client.sync()
      server.forgetRequests()
      // Before the second page of unread ones: behind four of all, of which the last is empty, where the
      // server is asked for those.
      server.inject(fault, on: "items/ids", skipping: product == .freshRSS ? 4 + 1 : 1)
      client.reader.clock.advance(3_600)
      try await client.sync()
      let there = Set(server.library(of: "ada").unread.map { $0 - Self.start * 1_000_000 })
      #expect(there.count < 30)
      let here = try await client.numbers()
      #expect(here.all.count == 30)
      #expect(there.isSubset(of: here.unread), "\(there.subtracting(here.unread)) look read")
      try await client.sync()
      #expect(try await client.numbers().unread == there)
    }
  }

  @Test func `A server's time is asked by only where it is the time of arrival`() async throws {
    for (quirks, product) in [
      (GoogleReaderQuirks.freshRSS, GoogleReaderProduct.freshRSS), (.miniflux, .miniflux),
      (.bazQux, .bazQux),
    ] {
      try await with(quirks, items: 5) { server in
        let client = try await Client.make(at: server, product)
        try await client.sync()
        client.reader.clock.advance(3_600)
        server.forgetRequests()
        // Published long before it arrives.
        server.change("ada") { $0.insert(Self.item(6, published: 1_000)) }
        try await client.sync()
        #expect(try await client.numbers().unread == [1, 2, 3, 4, 5, 6], "\(product)")
        #expect(queries(server, "&ot=").isEmpty == (product != .freshRSS), "\(product)")
      }
    }
  }

  @Test func `All ids are listed again every day, whatever the server's clock says`() async throws {
    for (quirks, product) in [
      (GoogleReaderQuirks.freshRSS, GoogleReaderProduct.freshRSS), (.miniflux, .miniflux),
    ] {
      try await with(quirks, items: 5) { server in
        let client = try await Client.make(at: server, product)
        try await client.sync()
        // Read elsewhere already, and of a time that was long ago by the server's clock.
        server.change("ada") {
          var item = Self.item(6, published: 1_000)
          item.crawled = 2_000
          $0.insert(item)
          $0.mark([item.id], adding: [.read])
        }
        client.reader.clock.advance(25 * 3_600)
        try await client.sync()
        #expect(try await client.numbers().all.contains(6), "\(product)")
      }
    }
  }

  @Test func `A sync with nothing new takes four requests, and one each for count and labels`()
    async throws
  {
    for (quirks, product) in [
      (GoogleReaderQuirks.freshRSS, GoogleReaderProduct.freshRSS), (.miniflux, .miniflux),
    ] {
      try await with(quirks, items: 40) { server in
        let client = try await Client.make(at: server, product)
        try await client.sync()
        server.forgetRequests()
        try await client.sync()
        let most = product.hasUnreadCounts ? 6 : 4
        #expect(server.requests.count <= most, "\(server.requests.map(\.target))")
      }
    }
  }
}
