internal import FeedServer
internal import Foundation
internal import News
internal import Services
internal import Testing

/// Which sync server is at an address.
@Suite struct ServerSearchTests {
  private struct Found: Sendable {
    var item: ReaderCase
    var name: String
    /// Below the address of the site.
    var base: String
  }

  private static let finder = ServerFinder(readerHTTP())

  @Test(arguments: [
    (ReaderCase(product: .freshRSS, quirks: .freshRSS), "FreshRSS"),
    (ReaderCase(product: .miniflux, quirks: .miniflux), "Miniflux"),
    (ReaderCase(product: .theOldReader, quirks: .theOldReader), "The Old Reader"),
    (ReaderCase(product: .bazQux, quirks: .bazQux), "BazQux"),
    (ReaderCase(product: .commaFeed, quirks: .commaFeed), "CommaFeed"),
    (ReaderCase(product: .other, quirks: .plain), "Google Reader API"),
  ])
  func `Each server of the Google Reader API is found from its site, and from its API`(
    item: ReaderCase, name: String
  ) async throws {
    let server = GoogleReaderServer(item.quirks)
    server.addUser("ada", password: "secret")
    try await server.whileServing { server in
      let typed = [
        server.siteURL, server.siteURL + "/", server.apiURL,
        server.apiURL + "/reader/api/0/user-info",
        server.apiURL + "/accounts/ClientLogin", server.siteURL + "/?a=normal#x",
      ]
      for address in typed {
        let found = try await Self.finder.server(at: address)
        #expect(found.name == name && found.product == item.product, "\(address)")
        #expect(found.base(of: .googleReader) == server.apiURL)
        #expect(found.trouble == nil)
      }
      // What was found opens, with the password that nobody has seen before.
      #expect(
        !server.requests.contains { String(decoding: $0.body, as: UTF8.self).contains("secret") })
      let found = try await Self.finder.server(at: server.siteURL)
      let client = GoogleReaderClient(
        GoogleReaderClient.Settings(
          SyncServerSettings(base: try #require(found.base(of: .googleReader)), user: "ada"),
          product: try #require(found.product)), client: readerHTTP(), password: { "secret" })
      let name = try await client.user()
      #expect(name == "ada")
    }
  }

  @Test(arguments: [
    (SyncServerProbe.nextcloudNews, SyncProtocol.nextcloudNews, "/index.php/apps/news/api"),
    (.tinyTinyRSS, .tinyTinyRSS, "/api"), (.newsBlur, .newsBlur, ""),
    (.feedbin, .feedbin, "/v2"), (.fever, .fever, "/fever"),
  ])
  func `Servers of other protocols are told apart, below a path too`(
    server: SyncServerProbe, kind: SyncProtocol, path: String
  ) async throws {
    for below in ["", "/apps/rss"] {
      try await withAnswers({ .reply(server.reply(to: $0, base: below)) }) { base, _, _ in
        let found = try await Self.finder.server(at: base + below)
        #expect(found.wires == [RecognisedServer.Wire(kind, base: base + below + path)])
        #expect(found.product == nil)
      }
    }
  }

  @Test func `A Feed API is found`() async throws {
    try await withServer { server, _ in
      let found = try await Self.finder.server(at: server.apiURL)
      #expect(found.wires == [RecognisedServer.Wire(.feedAPI, base: server.apiURL)])
    }
  }

  @Test func `Miniflux and FreshRSS speak more than one protocol`() async throws {
    try await GoogleReaderServer(.miniflux).whileServing { server in
      let found = try await Self.finder.server(at: server.siteURL + "/v1/entries")
      #expect(found.wires.map(\.kind) == [.miniflux, .googleReader, .fever])
      #expect(found.base(of: .miniflux) == server.siteURL + "/v1")
    }
    try await GoogleReaderServer(.freshRSS).whileServing { server in
      let found = try await Self.finder.server(at: server.siteURL + "/i/")
      #expect(found.wires.map(\.kind) == [.googleReader, .fever])
      #expect(found.base(of: .fever) == server.siteURL + "/api/fever.php")
    }
  }

  @Test func `A FreshRSS that cannot be signed in to says why`() async throws {
    try await GoogleReaderServer(.freshRSS).whileServing { server in
      server.losesAuthorization = true
      let behind = try await Self.finder.server(at: server.siteURL)
      #expect(behind.trouble == .losesAuthorization)
      server.losesAuthorization = false
      server.isEnabled = false
      let off = try await Self.finder.server(at: server.siteURL)
      #expect(off.trouble == .isSwitchedOff)
    }
  }

  @Test func `A site that answers everything with a page is no server`() async throws {
    try await withAnswers({ .reply(SyncServerProbe.website.reply(to: $0)) }) { base, server, _ in
      let error = try #require(
        await #expect(throws: SourceError.self) { try await Self.finder.server(at: base) })
      #expect(error.kind == .address && error.message.hasPrefix("No sync server"))
      #expect(error.subject.hasPrefix(base) && error.next?.isEmpty == false)
      #expect(server.requests.count < 20)
    }
  }

  @Test func `A site that is closed altogether is taken for nothing`() async throws {
    try await withAnswers({ _ in
      .reply(WireReply(status: 401, headers: [("WWW-Authenticate", "Basic realm=\"x\"")]))
    }) { base, _, _ in
      let error = await #expect(throws: SourceError.self) { try await Self.finder.server(at: base) }
      #expect(error?.status == 401 && error?.message.contains("whole site") == true)
    }
  }

  @Test func `A server that fails is not taken for none`() async throws {
    try await withAnswers({ _ in .reply(WireReply(status: 503, type: "text/plain", text: "later")) }
    ) {
      base, _, _ in
      let error = await #expect(throws: SourceError.self) { try await Self.finder.server(at: base) }
      #expect(error?.status == 503 && error?.next == "try again later")
    }
  }

  @Test func `What a redirect to another server leads to counts for nothing`() async throws {
    try await GoogleReaderServer(.freshRSS).whileServing { other in
      try await withAnswers({ request in
        .reply(
          WireReply(status: 302, headers: [("Location", other.siteURL + String(request.path))]))
      }) { base, _, _ in
        let error = await #expect(throws: SourceError.self) {
          try await Self.finder.server(at: base)
        }
        #expect(error?.kind == .redirect && error?.next?.contains("give its address") == true)
        #expect(other.requests.isEmpty)
      }
    }
  }

  @Test func `No probe bears a password, not even one that stands in the address`() async throws {
    try await GoogleReaderServer(.freshRSS).whileServing { server in
      let address = server.siteURL.replacing("http://", with: "http://ada:secret@")
      _ = try await Self.finder.server(at: address)
      let seen = server.requests.map { String(decoding: $0.head + $0.body, as: UTF8.self) }.joined()
      #expect(!seen.contains("secret") && !seen.contains("Basic "))
      #expect(seen.contains("GoogleLogin auth=test/1"))
    }
  }

  // MARK: - The machine alone

  @Test(arguments: [
    ("theoldreader.com", "https://theoldreader.com", SyncProtocol.googleReader),
    ("http://www.bazqux.com/reader", "https://www.bazqux.com", .googleReader),
    ("https://www.inoreader.com/all_articles", "https://www.inoreader.com", .googleReader),
    ("feedbin.com", "https://api.feedbin.com/v2", .feedbin),
    ("https://newsblur.com/folder/x", "https://www.newsblur.com", .newsBlur),
    ("reader.miniflux.app/unread", "https://reader.miniflux.app/v1", .miniflux),
  ])
  func `Services that are known by their host are not asked`(
    address: String, base: String, kind: SyncProtocol
  ) throws {
    var search = try ServerSearch(address)
    guard case .found(let server) = search.begin() else {
      Issue.record("\(address) was asked")
      return
    }
    #expect(server.wires.first == RecognisedServer.Wire(kind, base: base))
  }

  /// The addresses of a search whose probes all come to nothing.
  private func addresses(
    of typed: String, unanswered: Int = 0, status: Int = 404
  ) throws -> [String] {
    var search = try ServerSearch(typed)
    var action = search.begin()
    var urls: [String] = []
    while case .probe(let probe) = action, urls.count < 200 {
      urls.append(probe.url)
      action = search.received(
        urls.count <= unanswered
          ? .failure(
            SourceError(.refused, stage: .connect, subject: probe.url, message: "refused"),
            isUnanswered: true) : .response(status: status, body: []))
    }
    return urls
  }

  @Test func `https comes first, and http only where it was typed and https is silent`() throws {
    #expect(try addresses(of: "http://rss.example").allSatisfy { $0.hasPrefix("https://") })
    let plain = try addresses(of: "http://rss.example", unanswered: 1)
    #expect(plain.first?.hasPrefix("https://") == true)
    #expect(plain.count > 5 && plain.dropFirst().allSatisfy { $0.hasPrefix("http://") })
    #expect(try addresses(of: "rss.example", unanswered: 1).count == 1)
    #expect(try addresses(of: "https://rss.example", unanswered: 1).count == 1)
  }

  @Test(arguments: [
    ("https://h.example/rss/api/greader.php/reader/api/0/token", "https://h.example/rss"),
    ("https://h.example/rss/api/fever.php?api", "https://h.example/rss"),
    ("https://h.example/p/i/?a=normal&get=f_1", "https://h.example/p"),
    ("https://h.example/Rest/GoogleReader", "https://h.example"),
    ("https://h.example/nc/index.php/apps/news/api/v1-3/", "https://h.example/nc"),
    ("https://h.example/mini/v1", "https://h.example/mini"),
    ("https://h.example/fever/", "https://h.example"),
    ("https://h.example/tt-rss/api/", "https://h.example/tt-rss"),
    ("https://h.example/a/v1x", "https://h.example/a/v1x"),
  ])
  func `What belongs to an API or a page is left out, and the server's own path stays`(
    typed: String, base: String
  ) throws {
    let urls = try addresses(of: typed)
    #expect(urls.dropFirst().first == base + "/api/greader.php")
    // The root of the site is looked at too, once.
    #expect(urls.filter { $0 == "https://h.example/api/greader.php" }.count == 1)
    #expect(Set(urls).count == urls.count)
  }

  @Test func `A search ends whatever it is told, and says so when it is told too much`() throws {
    for status in [200, 204, 301, 401, 403, 404, 500, 503] {
      #expect(try addresses(of: "https://h.example/a/b", status: status).count < 60)
    }
    var search = try ServerSearch("https://h.example")
    guard case .failed = search.received(.response(status: 200, body: [])) else {
      Issue.record("An answer to nothing was taken.")
      return
    }
  }

  @Test(arguments: ["", "not an address", "ftp://h.example"])
  func `What is no address is told as such`(text: String) {
    #expect(throws: SourceError.self) { try ServerSearch(text) }
  }
}

extension RecognisedServer {
  fileprivate func base(of kind: SyncProtocol) -> String? { wires.first { $0.kind == kind }?.base }
}
