import FeedServer
import Foundation
import HTTP
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#endif

struct PolicyTests {
  @Test(arguments: [
    ("8.8.8.8", true), ("93.184.216.34", true), ("192.0.1.1", true), ("172.32.0.1", true),
    ("127.0.0.1", false), ("127.9.9.9", false), ("0.0.0.0", false), ("10.1.2.3", false),
    ("172.16.0.1", false), ("172.31.255.255", false), ("192.168.1.1", false),
    ("169.254.169.254", false), ("100.64.0.1", false), ("198.18.0.1", false),
    ("192.0.2.1", false), ("198.51.100.1", false), ("203.0.113.1", false), ("224.0.0.1", false),
    ("255.255.255.255", false), ("2606:2800::1", true), ("::1", false), ("::", false),
    ("fe80::1", false), ("fc00::1", false), ("fd12::1", false), ("ff02::1", false),
    ("::ffff:127.0.0.1", false), ("::ffff:8.8.8.8", true), ("64:ff9b::7f00:1", false),
    ("2002:7f00:1::", false), ("2001:db8::1", false), ("2001::1", false), ("[::1]", false),
  ])
  func `Only addresses anyone can reach are public`(text: String, isPublic: Bool) throws {
    #expect(try #require(IPAddress(text)).isPublic == isPublic)
  }

  @Test(arguments: ["", "localhost", "1.2.3", "1.2.3.4.5", "::g", "127.0.0.1:80"])
  func `What is no address is none`(text: String) {
    #expect(IPAddress(text) == nil)
  }

  /// Spellings of this machine, of the network around it, and names that are nobody's.
  static let inside = [
    "127.0.0.1", "localhost", "2130706433", "0x7f.1", "127.1", "0", "0x7f000001", "0177.0.0.1",
    "017700000001", "127.0.0.1.", "127.0x1", "localhost.", "LOCALHOST", "feeds.localhost",
    "ip6-localhost", "ip6-loopback", "localhost.localdomain", "printer", "nas.local", "nas.local.",
    "metadata.google.internal", "router.home.arpa", "1.0.0.127.in-addr.arpa", "fritz.lan",
    "www.corp", "www.test", "www.invalid", "www.example", "www.alt", "abcdefgh.onion",
    "127.0.0.256", "1.2.3.4.5", "0x7f.0.0.zz.1", "127.0.0.08", "a..b", ".",
    "[::1]", "[0:0:0:0:0:0:0:1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]",
    "[64:ff9b::7f00:1]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[2001:2::1]", "[3fff::1]",
    "[fe80::1]", "[fd00::1]",
    // Full-width digits and full stops, circled letters, what a lookup leaves out.
    "１２７.０.０.１", "127。0。0。1", "127．1", "ⓛocalhost", "local\u{AD}host", "local\u{200B}host",
    "local\u{200D}host", "ｌｏｃａｌｈｏｓｔ", "nas.loc\u{FE0F}al", "nas.ｌocal",
  ]

  @Test(arguments: inside) func `A second-hand address leads nowhere inside by any spelling`(
    host: String
  ) async throws {
    let asked = Mutex<[String]>([])
    let server = try LoopbackServer { _ in [.response(200, "secret")] }
    let proxy = try LoopbackProxy(to: server.port)
    let client = makeClient { configuration in
      configuration.lookUp = { name, _ in
        asked.withLock { $0.append(name) }
        return []
      }
    }
    let ways = [ProxyChoice.direct] + ["http", "socks5", "socks5h"].map { .via(proxy.url($0)) }
    for way in ways where !(host.hasSuffix(".onion") && way == .via(proxy.url("socks5h"))) {
      let request = HTTPRequest("http://\(host):\(server.port)/") {
        $0.connections = .publicOnly
        $0.proxy = way
      }
      let found = await kind { try await client.response(for: request) }
      // A joiner between letters that do not join is in no name.
      let isNoName = host == "." || host.unicodeScalars.contains("\u{200D}")
      #expect(found == .addressNotAllowed || (isNoName && found == .badURL), "\(way)")
    }
    #expect(proxy.visits.isEmpty && server.connectionsMade == 0)
    #expect(asked.withLock { $0 }.isEmpty)
  }

  @Test(arguments: [
    "http://%31%32%37.1/", "http://%6cocalhost/", "http://[fe80::1%25eth0]/", "http://[::1%lo]/",
    "http://example.org%2F@127.0.0.1%3a80/", "http://127.0.0.1\\.example.org/",
    "http://exam℀ple.org/", "http://127.0.0.1％2e/",
  ])
  func `A host that hides what it is names no host`(url: String) {
    #expect(throws: HTTPError.self) { try HTTPURL(url) }
  }

  @Test(arguments: [
    ("http://127.1/", "127.0.0.1"), ("http://0x7F.1:81/", "127.0.0.1"), ("http://0/", "0.0.0.0"),
    ("http://017700000001/", "127.0.0.1"), ("http://１２７.１/", "127.0.0.1"),
    ("http://[0:0::1]/", "[::1]"), ("http://Example.ORG./", "example.org."),
    ("http://ｅxample。org/", "example.org"), ("http://1.2.3.4.5/", "1.2.3.4.5"),
    ("http://256.1/", "256.1"), ("http://4294967296/", "4294967296"), ("http://0x/", "0x"),
    ("http://münchen.example/", "xn--mnchen-3ya.example"),
  ])
  func `A host is what curl makes of it`(url: String, host: String) throws {
    #expect(try HTTPURL(url).host == host)
  }

  @Test(arguments: ["http", "https", "socks4a", "socks5", "socks5h"])
  func `A name that anybody may have goes to the proxy`(scheme: String) async throws {
    let choice = ProxyChoice.via("\(scheme)://127.0.0.1:1")
    #expect(choice.keepsNamesFromLookup == (scheme == "socks4a" || scheme == "socks5h"))
    for host in ["example.org", "feeds.example.org.", "xn--mnchen-3ya.de", "8.8.8.8", "fritz.box"] {
      #expect(ConnectionPolicy.publicOnly.allows(hostNamed: host, isLookedUpByProxy: false))
    }
  }

  /// The name, what the system says of it, and whether the proxy gets to hear of it.
  static let answers: [(String, [String]?, Bool)] = [
    ("http", ["10.0.0.1"], false), ("http", ["93.184.216.34", "::1"], false),
    ("http", ["93.184.216.34"], true), ("http", nil, true), ("http", [], true),
    ("socks5h", ["10.0.0.1"], true),
  ]

  @Test(arguments: answers)
  func `A name behind a proxy is refused for a private answer here`(
    scheme: String, answer: [String]?, passes: Bool
  ) async throws {
    let server = try LoopbackServer { _ in [.response(200, "x")] }
    let proxy = try LoopbackProxy(to: server.port)
    let asked = Mutex<[String]>([])
    let client = makeClient { configuration in
      configuration.lookUp = { name, _ in
        asked.withLock { $0.append(name) }
        guard let answer else { throw HTTPError(.dns, "no such name") }
        return answer.compactMap { IPAddress($0) }
      }
    }
    let request = HTTPRequest("http://feeds.example.org/a") {
      $0.connections = .publicOnly
      $0.proxy = .via(proxy.url(scheme))
    }
    if passes {
      #expect(try await client.response(for: request).body == Array("x".utf8))
      #expect(proxy.visits.map(\.host) == ["feeds.example.org"])
    } else {
      #expect(await kind { try await client.response(for: request) } == .addressNotAllowed)
      #expect(proxy.visits.isEmpty)
    }
    // With socks5h the name is for the proxy alone to know.
    #expect(asked.withLock { $0 } == (scheme == "socks5h" ? [] : ["feeds.example.org"]))
  }

  @Test func `A hidden service is reached by socks5h alone`() async throws {
    let server = try LoopbackServer { _ in [.response(200, "x")] }
    let proxy = try LoopbackProxy(to: server.port)
    let request = HTTPRequest("http://abcdefgh.onion/a") {
      $0.connections = .publicOnly
      $0.proxy = .via(proxy.url("socks5h"))
    }
    #expect(try await makeClient().response(for: request).body == Array("x".utf8))
    #expect(proxy.visits.map(\.host) == ["abcdefgh.onion"])
  }

  @Test(arguments: [
    ("nas.local", "nas.local"), ("NAS.local.", "nas.local"), ("printer", "printer"),
    ("10.0.0.1", "10.0.0.1"), ("10.1", "10.0.0.1"), ("[fd00::0:1]", "[fd00::1]"),
    ("xn--mller-kva.lan", "xn--mller-kva.lan"),
  ])
  func `What the user typed is asked behind a proxy as well, without a lookup`(
    typed: String, host: String
  ) async throws {
    let server = try LoopbackServer { _ in [.response(200, "x")] }
    let proxy = try LoopbackProxy(to: server.port)
    let client = makeClient { $0.lookUp = { _, _ in throw HTTPError(.dns, "not asked for") } }
    let request = HTTPRequest("http://\(host)/") {
      $0.connections = .typed(host: typed)
      $0.proxy = .via(proxy.url())
    }
    #expect(try await client.response(for: request).head.status == 200)
    let other = HTTPRequest("http://other.local/") {
      $0.connections = .typed(host: typed)
      $0.proxy = .via(proxy.url())
    }
    #expect(await kind { try await client.response(for: other) } == .addressNotAllowed)
    #expect(proxy.visits.count == 1)
  }

  @Test func `A redirect behind a proxy leads nowhere inside`() async throws {
    let server = try LoopbackServer { _ in [.redirect(302, to: "http://127.1/secret")] }
    let proxy = try LoopbackProxy(to: server.port)
    let client = makeClient { $0.lookUp = { _, _ in [] } }
    let request = HTTPRequest("http://feeds.example.org/a") {
      $0.connections = .publicOnly
      $0.proxy = .via(proxy.url())
    }
    #expect(await kind { try await client.response(for: request) } == .addressNotAllowed)
    #expect(proxy.visits.count == 1)
  }

  @Test(arguments: ["127.0.0.1", "localhost", "2130706433", "0x7f.1"])
  func `A second-hand address never reaches this machine`(host: String) async throws {
    let server = try LoopbackServer { _ in [.response(200, "secret")] }
    let request = HTTPRequest("http://\(host):\(server.port)/") { $0.connections = .publicOnly }
    #expect(await kind { try await makeClient().response(for: request) } == .addressNotAllowed)
    #expect(server.connectionsMade == 0)
  }

  @Test func `A connection kept for a typed address is not lent to a second-hand one`() async throws
  {
    let server = try LoopbackServer { _ in [.response(200, "x")] }
    let client = makeClient()
    let typed = HTTPRequest(server.url()) { $0.connections = .typed(host: "127.0.0.1") }
    _ = try await client.response(for: typed)
    let secondHand = HTTPRequest(server.url()) { $0.connections = .publicOnly }
    #expect(await kind { try await client.response(for: secondHand) } == .addressNotAllowed)
    #expect(server.requests.count == 1)
  }

  @Test func `A redirect does not take a typed address into the house`() async throws {
    let inside = try LoopbackServer { _ in [.response(200, "secret")] }
    let target = "http://localhost:\(inside.port)/"
    let server = try LoopbackServer { _ in [.redirect(302, to: target)] }
    let request = HTTPRequest(server.url()) { $0.connections = .typed(host: "127.0.0.1") }
    #expect(await kind { try await makeClient().response(for: request) } == .addressNotAllowed)
    #expect(inside.connectionsMade == 0)
  }

  @Test(arguments: [
    ([:], "http://example.org/", ProxyChoice.direct),
    (["http_proxy": "http://p:1"], "http://example.org/", .via("http://p:1")),
    (["HTTP_PROXY": "http://p:1"], "http://example.org/", .direct),
    (["http_proxy": "http://p:1"], "https://example.org/", .direct),
    (["HTTPS_PROXY": "http://p:2"], "https://example.org/", .via("http://p:2")),
    (["all_proxy": "socks5h://p:3"], "https://example.org/", .via("socks5h://p:3")),
    (["https_proxy": "a", "all_proxy": "b"], "https://example.org/", .via("a")),
    (["https_proxy": "a", "no_proxy": "*"], "https://example.org/", .direct),
    (["https_proxy": "a", "no_proxy": "x, example.org"], "https://example.org/", .direct),
    (["https_proxy": "a", "no_proxy": ".example.org"], "https://sub.example.org/", .direct),
    (["https_proxy": "a", "no_proxy": "ample.org"], "https://example.org/", .via("a")),
    (["https_proxy": "a", "NO_PROXY": "example.org:81"], "https://example.org:81/", .direct),
    (["https_proxy": ""], "https://example.org/", .direct),
    (["http_proxy": "a"], "http://localhost:8080/", .direct),
    (["http_proxy": "a"], "http://[::1]/", .direct),
  ])
  func `The environment chooses the proxy`(
    environment: [String: String], url: String, expected: ProxyChoice
  ) throws {
    let settings = ProxySettings(environment: environment)
    #expect(settings.choice(for: try HTTPURL(url)) == expected)
  }

  @Test func `A request goes through its proxy`() async throws {
    let proxy = try LoopbackServer { request in [.response(200, request.target)] }
    let request = HTTPRequest("http://feeds.invalid/a") { $0.proxy = .via(proxy.url()) }
    let response = try await makeClient().response(for: request)
    #expect(response.body == Array("http://feeds.invalid/a".utf8))
  }
}
