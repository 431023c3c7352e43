import FeedServer
import Foundation
import HTTP
import LoopbackTLS
import Requirements
import Testing

/// What a proxy does wrong is told as the proxy's, counts against the proxy, and against nobody else.
struct ProxyTests {
  private func failure(
    by proxy: String, of url: String = "https://feeds.invalid/a",
    _ adjust: (inout HTTPRequest) -> Void = { _ in }
  ) async -> HTTPError? {
    var request = HTTPRequest(.get, url)
    request.proxy = .via(proxy)
    adjust(&request)
    do {
      let response = try await makeClient().response(for: request)
      Issue.record("answered with \(response.head.status)")
      return nil
    } catch {
      return error as? HTTPError
    }
  }

  @Test func `The way that is chosen for all requests is not that of one that has its own`()
    async throws
  {
    let server = try LoopbackServer { _ in [.response(200, "news")] }
    let (common, own) = (try LoopbackProxy(to: server.port), try LoopbackProxy(to: server.port))
    let client = makeClient().routed { _ in .via(common.url()) }
    for way in [.direct, .via(own.url()), nil] as [ProxyChoice?] {
      let request = HTTPRequest(server.url()) { $0.proxy = way }
      #expect(try await client.response(for: request).head.status == 200)
    }
    #expect((common.visits.count, own.visits.count) == (1, 1))
    #expect(server.requests.count == 3)
  }

  /// The kind of proxy, what it answers with, what is asked for by it, and what that is told as.
  static let refusals: [(String, UInt16, String, ProxyFault)] = [
    ("http", 403, "https", .forbids), ("http", 405, "https", .forbids),
    ("http", 407, "https", .signIn), ("http", 407, "http", .signIn),
    ("http", 500, "https", .fails), ("http", 503, "https", .fails),
    ("http", 502, "https", .cannotReach), ("http", 504, "https", .cannotReach),
    ("socks5h", 1, "http", .fails), ("socks5h", 2, "http", .forbids),
    ("socks5h", 3, "http", .cannotReach), ("socks5h", 4, "https", .cannotReach),
    ("socks5h", 5, "http", .cannotReach), ("socks5h", 6, "http", .cannotReach),
    ("socks5h", 7, "http", .forbids),
  ]

  @Test(arguments: refusals)
  func `What a proxy answers instead of a connection is told as its word`(
    scheme: String, answer: UInt16, target: String, fault: ProxyFault
  ) async throws {
    let server = try LoopbackServer { _ in [.response(200, "x")] }
    let proxy = try LoopbackProxy(to: server.port, .refuses(answer))
    let error = await failure(
      by: proxy.url(scheme, as: "ada:s3cret"), of: "\(target)://feeds.invalid/a")
    #expect(error?.kind == .proxy(fault))
    #expect(error?.proxy == proxy.url(scheme))
    #expect(error?.message.contains(proxy.url(scheme)) == true)
    #expect("\(error as Any)".contains("s3cret") == false)
    #expect(error?.host == "feeds.invalid")
    #expect(server.connectionsMade == 0)
  }

  @Test(arguments: ["http", "https", "socks5h", "socks5"])
  func `A proxy that nobody runs is told as closed`(scheme: String) async throws {
    try await withRefusedPort { port in
      let error = await failure(by: "\(scheme)://ada:s3cret@127.0.0.1:\(port)")
      #expect(error?.kind == .proxy(.refused))
      #expect(
        error?.message == "The proxy \(scheme)://127.0.0.1:\(port) does not accept connections.")
    }
  }

  @Test(arguments: ["http", "socks5h"]) func `A proxy without an address is told as unknown`(
    scheme: String
  ) async {
    let error = await failure(by: "\(scheme)://proxy.invalid:8080")
    #expect(error?.kind == .proxy(.unknown))
    #expect(error?.message.contains("\(scheme)://proxy.invalid:8080") == true)
  }

  @Test(arguments: [("http", "https"), ("http", "http"), ("socks5h", "https")])
  func `A proxy that hangs up is told as broken`(scheme: String, target: String) async throws {
    let proxy = try LoopbackProxy(to: 1, .closes)
    let error = await failure(by: proxy.url(scheme), of: "\(target)://feeds.invalid/a")
    #expect(error?.kind == .proxy(.broken))
  }

  @Test(arguments: ["http", "socks5h"]) func `A proxy that makes no connection in time is told so`(
    scheme: String
  ) async throws {
    let proxy = try LoopbackProxy(to: 1, .hangs)
    let error = await failure(by: proxy.url(scheme)) { $0.limits.connect = .milliseconds(200) }
    #expect(error?.kind == .proxy(.cannotReach))
  }

  @Test(.needs(.openssl))
  func `A proxy over TLS that cannot be trusted is told as the proxy's`() async throws {
    let server = try await TLSServer()
    let error = await failure(by: "https://localhost:\(server.port)")
    #expect(error?.kind == .proxy(.tls))
  }

  @Test(.needs(.openssl))
  func `The server's certificate is the server's behind a proxy as well`() async throws {
    let server = try await TLSServer()
    let proxy = try LoopbackProxy(to: UInt16(server.port))
    let error = await failure(by: proxy.url(), of: server.url)
    #expect(error?.kind == .tls && error?.proxy == nil)
  }

  @Test(arguments: ["http", "socks5h"]) func `A server that hangs up is told as the server`(
    scheme: String
  ) async throws {
    let server = try LoopbackServer { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"), .close]
    }
    let proxy = try LoopbackProxy(to: server.port)
    let error = await failure(by: proxy.url(scheme), of: "http://feeds.invalid/a")
    #expect(error?.kind == .cutShort)
  }

  @Test(arguments: ["http", "socks5h"]) func `A proxy gets the name and the password`(
    scheme: String
  ) async throws {
    let server = try LoopbackServer { _ in [.response(200, "x")] }
    let proxy = try LoopbackProxy(to: server.port, credentials: "ada:p@ss:w/rd")
    var request = HTTPRequest(.get, "http://feeds.invalid/a")
    request.proxy = .via(
      try ProxyAddress(proxy.url(scheme, as: "ada")).address(password: "p@ss:w/rd"))
    #expect(try await makeClient().response(for: request).body == Array("x".utf8))
    #expect(proxy.visits.map(\.credentials) == ["ada:p@ss:w/rd"])
    // They are for the proxy, and the server does not see them.
    #expect(server.requests[0].header("proxy-authorization") == nil)
    let wrong = await failure(by: proxy.url(scheme, as: "ada:no"), of: "http://feeds.invalid/a")
    #expect(wrong?.kind == .proxy(.signIn))
    #expect(wrong?.message.contains("does not accept the name and the password") == true)
  }

  // MARK: The breaker

  private func gate() -> OriginGate {
    var settings = OriginGate.Settings()
    settings.breaker.failuresToOpen = 2
    return OriginGate(settings)
  }

  private func client(_ gate: OriginGate) -> ResilientClient {
    var policy = RetryPolicy()
    policy.maxAttempts = 1
    return ResilientClient(makeClient(), gate: gate, retries: RetryingSend(policy: policy))
  }

  @Test func `A proxy that fails is left alone, and the server behind it is not`() async throws {
    let server = try LoopbackServer { _ in [.response(200, "x")] }
    let proxy = try LoopbackProxy(to: server.port, .closes)
    let other = try LoopbackProxy(to: server.port)
    let gate = gate()
    let client = client(gate)
    func request(_ host: String, by proxy: LoopbackProxy) -> HTTPRequest {
      HTTPRequest("http://\(host)/a") { $0.proxy = .via(proxy.url(as: "ada:s3cret")) }
    }
    for host in ["a.invalid", "b.invalid"] {
      let found = await kind { try await client.response(for: request(host, by: proxy)) }
      #expect(found == .proxy(.broken))
    }
    // It is asked for no host now.
    do {
      _ = try await client.response(for: request("c.invalid", by: proxy))
      Issue.record("it was asked")
    } catch let error as HTTPError {
      #expect(error.kind == .paused && error.pausedUntil != nil)
      #expect(error.message.contains(proxy.url()))
      #expect(!"\(error)".contains("s3cret"))
    }
    #expect(proxy.visits.count == 2)
    // Each of the hosts is asked by another way.
    for host in ["a.invalid", "b.invalid"] {
      #expect(gate.pausedUntil("http://\(host)/") == nil)
      #expect(try await client.response(for: request(host, by: other)).head.status == 200)
    }
    // The user asks, and it is asked again.
    proxy.manner = .connects
    gate.reopen(["http://c.invalid/"])
    let answer = try await client.response(for: request("c.invalid", by: proxy))
    #expect(answer.head.status == 200)
  }

  @Test func `A proxy of the settings is left alone, though the way is chosen for each request`()
    async throws
  {
    let proxy = try LoopbackProxy(to: 1, .closes)
    let gate = gate()
    var client = client(gate)
    let settings = ProxySettings(http: proxy.url(), https: proxy.url())
    client = ResilientClient(
      makeClient { $0.proxy = settings }.routed { request in
        request.url.hasPrefix("http://direct.invalid/") ? .direct : nil
      }, gate: gate, retries: client.retries)
    for host in ["a", "b"] {
      let found = await kind {
        try await client.response(for: HTTPRequest(.get, "http://\(host).invalid/"))
      }
      #expect(found == .proxy(.broken))
    }
    #expect(gate.pausedUntil(.via(proxy.url())) != nil)
    let found = await kind {
      try await client.response(for: HTTPRequest(.get, "http://c.invalid/"))
    }
    #expect(found == .paused)
    #expect(proxy.visits.count == 2)
    // What does not go by it is not held back.
    let direct = await kind {
      try await client.response(for: HTTPRequest(.get, "http://direct.invalid/"))
    }
    #expect(direct != .paused)
  }

  @Test(arguments: [403, 407, 502, 504] as [UInt16])
  func `A proxy that answers is not left alone for what it refuses`(status: UInt16) async throws {
    let proxy = try LoopbackProxy(to: 1, .refuses(status))
    let gate = gate()
    let client = client(gate)
    let request = HTTPRequest("https://a.invalid/a") { $0.proxy = .via(proxy.url()) }
    for _ in 1...4 {
      let found = await kind { try await client.response(for: request) }
      #expect(found != .paused)
    }
    #expect(gate.pausedUntil("https://a.invalid/") == nil)
    #expect(gate.pausedUntil(.via(proxy.url())) == nil)
  }

  @Test func `A server that fails behind a proxy is left alone, and the proxy is not`() async throws
  {
    let server = try LoopbackServer { _ in [.response(500, "x")] }
    let proxy = try LoopbackProxy(to: server.port)
    let gate = gate()
    let client = client(gate)
    for path in 1...3 {
      let request = HTTPRequest("http://a.invalid/\(path)") { $0.proxy = .via(proxy.url()) }
      _ = await kind { try await client.response(for: request) }
    }
    #expect(server.requests.count == 2)
    #expect(gate.pausedUntil("http://a.invalid/") != nil)
    #expect(gate.pausedUntil(.via(proxy.url())) == nil)
  }

  // MARK: Addresses

  @Test(arguments: [
    ("localhost:3128", "http://localhost:3128"), ("HTTP://P.example", "http://p.example:1080"),
    ("https://p.example/", "https://p.example:443"),
    ("socks5h://[::1]:9050", "socks5h://[::1]:9050"),
    ("socks5://ada:a%40b@127.1:1", "socks5://127.0.0.1:1"),
  ])
  func `A proxy is named without user and password`(text: String, origin: String) throws {
    #expect(try ProxyAddress(text).origin == origin)
    #expect(ProxyChoice.via(text).proxyOrigin == origin)
    #expect(!"\(try ProxyAddress(text))".contains("a@b"))
  }

  @Test func `A password goes into a proxy's address and out of it`() throws {
    let proxy = try ProxyAddress("socks5h://ada%2Fx:a%40b@h:9050")
    #expect(proxy.user == "ada/x" && proxy.password == "a@b")
    #expect(proxy.withoutPassword == "socks5h://ada%2Fx@h:9050")
    #expect(proxy.address(password: "p:w@d") == "socks5h://ada%2Fx:p%3Aw%40d@h:9050")
  }

  @Test(arguments: [
    "", "http://", "ftp://p:1", "http://p:0", "http://p:x", "http://a b:1", "p:1/x",
  ])
  func `What is no proxy's address is refused without repeating it`(text: String) {
    let error = #expect(throws: HTTPError.self) { try ProxyAddress(text) }
    #expect(error?.kind == .badURL)
  }
}
