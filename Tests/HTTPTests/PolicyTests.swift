import Foundation
import HTTP
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

  @Test(arguments: ["127.0.0.1", "localhost", "2130706433", "0x7f.1"])
  func `A second-hand address never reaches this machine`(host: String) async throws {
    let server = try LoopbackServer { _ in [.response(200, "secret")] }
    let request = HTTPRequest("http://\(host):\(server.port)/") { $0.connections = .publicOnly }
    #expect(await kind { try await makeClient().response(for: request) } == .addressNotAllowed)
    #expect(server.log.connectionsOpened == 0)
  }

  @Test func `A connection kept for a typed address is not lent to a second-hand one`() async throws
  {
    let server = try LoopbackServer { _ in [.response(200, "x")] }
    let client = makeClient()
    let typed = HTTPRequest(server.url()) { $0.connections = .typed(host: "127.0.0.1") }
    _ = try await client.response(for: typed)
    let secondHand = HTTPRequest(server.url()) { $0.connections = .publicOnly }
    #expect(await kind { try await client.response(for: secondHand) } == .addressNotAllowed)
    #expect(server.log.requests.count == 1)
  }

  @Test func `A redirect does not take a typed address into the house`() async throws {
    let inside = try LoopbackServer { _ in [.response(200, "secret")] }
    let target = "http://localhost:\(inside.port)/"
    let server = try LoopbackServer { _ in [.redirect(302, to: target)] }
    let request = HTTPRequest(server.url()) { $0.connections = .typed(host: "127.0.0.1") }
    #expect(await kind { try await makeClient().response(for: request) } == .addressNotAllowed)
    #expect(inside.log.connectionsOpened == 0)
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
    let request = HTTPRequest("http://feeds.invalid/a") {
      $0.proxy = .via(proxy.url())
      $0.connections = .publicOnly
    }
    let response = try await makeClient().response(for: request)
    #expect(response.body == Array("http://feeds.invalid/a".utf8))
    let literal = HTTPRequest("http://10.0.0.1/a") {
      $0.proxy = .via(proxy.url())
      $0.connections = .publicOnly
    }
    #expect(await kind { try await makeClient().response(for: literal) } == .addressNotAllowed)
  }
}
