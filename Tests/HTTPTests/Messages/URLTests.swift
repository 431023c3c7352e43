import FeedServer
import HTTP
import Testing

struct URLTests {
  @Test(arguments: [
    ("https://example.org", "https://example.org/"),
    (" https://example.org/feed\n", "https://example.org/feed"),
    ("HTTPS://Example.ORG:443/A?b=C#d", "https://example.org/A?b=C"),
    ("http://example.org:8080/", "http://example.org:8080/"),
    ("http://example.org:/", "http://example.org/"),
    ("https://user:secret@example.org/x", "https://example.org/x"),
    ("https://example.org/a b?c d=ü", "https://example.org/a%20b?c%20d=%C3%BC"),
    ("https://example.org/a/./b/../c/..", "https://example.org/a/"),
    ("https://example.org/../../x", "https://example.org/x"),
    ("https://example.org/%2e%2F", "https://example.org/%2e%2F"),
    ("https://example.org?x", "https://example.org/?x"),
    ("http://[::1]:81/", "http://[::1]:81/"),
    ("https://münchen.example/", "https://xn--mnchen-3ya.example/"),
  ])
  func `An address is put in order`(text: String, expected: String) throws {
    #expect(try HTTPURL(text).description == expected)
  }

  @Test(arguments: [
    "", "example.org", "//example.org/", "ftp://example.org/", "file:///etc/passwd", "https://",
    "https:///x", "https://:80/", "https://a b/", "https://a/\r\nX: y", "https://a/\0", "1://a",
    "https://a:0/", "https://a:65536/", "https://a:8x/", "https://[::1/", "https://[zz]/",
    "https://a%00b/", "javascript:alert(1)", "https://" + String(repeating: "a", count: 20_000),
  ])
  func `A bad address is an error and never a trap`(text: String) async {
    let error = #expect(throws: HTTPError.self) { try HTTPURL(text) }
    #expect(error?.kind == .badURL)
    #expect(await kind { try await makeClient().response(for: HTTPRequest(.get, text)) } == .badURL)
  }

  // RFC 3986 §5.4.
  @Test(arguments: [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"),
    ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"),
    (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
    ("..", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
    ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("g.", "http://a/b/c/g."),
    ("..g", "http://a/b/c/..g"), ("./g/.", "http://a/b/c/g/"), ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/../x", "http://a/b/c/g?y/../x"), ("https://x", "https://x/"),
  ])
  func `A reference is resolved as RFC 3986 says`(reference: String, expected: String) throws {
    let base = try HTTPURL("http://a/b/c/d;p?q")
    #expect(try base.resolving(reference).description == expected)
  }

  @Test(arguments: [
    ("http://a/", "http://a:80/x", true), ("http://a/", "https://a/", false),
    ("https://a/", "https://a:8443/", false), ("https://a/", "https://b.a/", false),
  ])
  func `An origin is scheme, host and port`(a: String, b: String, isSame: Bool) throws {
    #expect((try HTTPURL(a).origin == HTTPURL(b).origin) == isSame)
  }

  @Test func `A log shows neither password nor query`() throws {
    let url = try HTTPURL("https://me:secret@example.org/feed?token=t0ken")
    #expect(url.redacted == "https://example.org/feed?…")
    #expect(!url.description.contains("secret"))
  }

  struct BuildCase: Sendable {
    var base = "https://api.example.org/v1"
    var path: [String]
    var query: [String: String?] = [:]
    var expected: String
  }

  @Test(arguments: [
    BuildCase(path: ["feeds"], expected: "https://api.example.org/v1/feeds"),
    BuildCase(
      base: "https://api.example.org/", path: ["feeds"], expected: "https://api.example.org/feeds"),
    BuildCase(
      path: ["a"], query: ["z": "1", "a": "2", "m": nil],
      expected: "https://api.example.org/v1/a?a=2&z=1"),
    BuildCase(path: ["a"], query: ["m": nil], expected: "https://api.example.org/v1/a"),
    BuildCase(
      path: ["a"], query: ["q": "1+1 = 2&x"],
      expected: "https://api.example.org/v1/a?q=1%2B1%20%3D%202%26x"),
    BuildCase(
      path: ["items", "a/b?c#d"], expected: "https://api.example.org/v1/items/a%2Fb%3Fc%23d"),
    BuildCase(path: ["items", ".."], expected: "https://api.example.org/v1/items/%2E%2E"),
    BuildCase(path: ["ü"], expected: "https://api.example.org/v1/%C3%BC"),
  ])
  func `An endpoint's address is built from its parts`(each: BuildCase) async throws {
    let endpoint = Endpoint<Void>(.get, each.path, query: each.query) { _ in }
    #expect(try endpoint.request(base: each.base).url == each.expected)
  }

  @Test func `An encoded segment reaches the server as it was built`() async throws {
    let server = try LoopbackServer { _ in [.response(200, "x")] }
    let endpoint = Endpoint<Void>(.get, ["items", "..", "a/b"], query: ["q": "+"]) { _ in }
    _ = try await makeClient().response(for: endpoint.request(base: server.url()))
    #expect(server.requests.first?.target == "/items/%2E%2E/a%2Fb?q=%2B")
  }

  @Test(arguments: [[""], ["a", ""]]) func `An empty segment is refused`(path: [String]) {
    let error = #expect(throws: HTTPError.self) {
      try Endpoint<Void>(empty: .delete, path).request(base: "https://a/")
    }
    #expect(error?.kind == .badURL)
  }

  @Test(arguments: ["\u{9D}", "\u{9B}31m", "\u{202E}", "\u{2066}", "\u{FEFF}", "\u{E0041}"])
  func `A host that would speak to a terminal is none`(text: String) throws {
    #expect(throws: HTTPError.self) { try HTTPURL("https://e\(text)xample.org/") }
    let base = try HTTPURL("https://example.org/")
    #expect(throws: HTTPError.self) { try base.resolving("//e\(text)xample.org/") }
    #expect(try base.resolving("/\(text)").description.utf8.allSatisfy { $0 < 0x7F })
  }
}
