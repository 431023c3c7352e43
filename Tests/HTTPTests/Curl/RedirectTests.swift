import FeedServer
import Testing

@testable import HTTP

struct RedirectTests {
  /// Each status leads one step on; the last step answers.
  private func chain(_ statuses: [Int]) throws -> LoopbackServer {
    try LoopbackServer { request in
      let step = Int(request.target.dropFirst()) ?? 0
      return step < statuses.count
        ? [.redirect(statuses[step], to: "/\(step + 1)")] : [.response(200, "end")]
    }
  }

  @Test(
    arguments: [
      (Array("/caf".utf8) + [0xE9], "/caf%E9"), (Array("/caf\u{E9}".utf8), "/caf%C3%A9"),
    ] as [([UInt8], String)])
  func `A redirect's bytes are asked for as they came`(
    location: [UInt8], target: String
  ) async throws {
    let server = try LoopbackServer { request in
      request.target == "/"
        ? [
          .send(
            Array("HTTP/1.1 302 Said\r\nContent-Length: 0\r\nLocation: ".utf8) + location
              + Array("\r\n\r\n".utf8))
        ] : [.response(200, "end")]
    }
    _ = try await makeClient().response(for: HTTPRequest(.get, server.url()))
    #expect(server.requests.last?.target == target)
  }

  @Test(arguments: [
    ([], nil as String?), ([301], "/1"), ([308], "/1"), ([302], nil), ([303], nil), ([307], nil),
    ([301, 308], "/2"), ([301, 302], "/1"), ([302, 301], nil), ([301, 302, 301], "/1"),
  ])
  func `Only leading permanent redirects change the address to store`(
    statuses: [Int], stored: String?
  ) async throws {
    let server = try chain(statuses)
    let response = try await makeClient().response(for: HTTPRequest(.get, server.url("/0")))
    #expect(response.head.permanentURL == stored.map(server.url))
    #expect(response.head.url == server.url("/\(statuses.count)"))
    #expect(response.head.redirectCount == statuses.count)
    #expect(response.body == Array("end".utf8))
    #expect(server.connectionsMade == 1)
  }

  @Test(arguments: [
    (HTTPMethod.post, 301, "GET"), (.post, 302, "GET"), (.post, 303, "GET"), (.post, 307, "POST"),
    (.post, 308, "POST"), (.put, 301, "PUT"), (.put, 303, "GET"), (.delete, 302, "DELETE"),
    (.head, 303, "HEAD"), (.get, 301, "GET"),
  ])
  func `A redirect keeps or rewrites the method as RFC 9110 says`(
    method: HTTPMethod, status: Int, expected: String
  ) async throws {
    let server = try chain([status])
    let hasBody = method == .post || method == .put
    let request = HTTPRequest(
      method, server.url("/0"), headers: hasBody ? ["Content-Type": "text/plain"] : [:],
      body: hasBody ? Array("hello".utf8) : nil)
    let client = makeClient()
    for try await _ in try await client.stream(for: request) { break }
    let second = try #require(server.requests.dropFirst().first)
    #expect(second.method == expected)
    let keepsBody = hasBody && expected == method.rawValue
    #expect(second.body == (keepsBody ? Array("hello".utf8) : []))
    #expect(second.header("content-type") == (keepsBody ? "text/plain" : nil))
  }

  @Test func `Ten redirects are followed and an eleventh is not`() async throws {
    let ten = try chain(Array(repeating: 302, count: 10))
    let eleven = try chain(Array(repeating: 302, count: 11))
    let response = try await makeClient().response(for: HTTPRequest(.get, ten.url("/0")))
    #expect(response.head.redirectCount == 10)
    let found = await kind {
      try await makeClient().response(for: HTTPRequest(.get, eleven.url("/0")))
    }
    #expect(found == .tooManyRedirects)
  }

  @Test func `A circle is told apart from a long way`() async throws {
    let server = try LoopbackServer { request in
      [.redirect(302, to: request.target == "/a" ? "/b" : "/a")]
    }
    let found = await kind {
      try await makeClient().response(for: HTTPRequest(.get, server.url("/a")))
    }
    #expect(found == .redirectLoop)
    #expect(server.requests.count == 2)
  }

  @Test(arguments: [300, 304, 305]) func `Other 3xx and a missing Location are the answer`(
    status: Int
  ) async throws {
    let server = try LoopbackServer { _ in
      [.response(status == 305 ? 302 : status, status == 305 ? [:] : ["Location": "/x"])]
    }
    let response = try await makeClient().response(for: HTTPRequest(.get, server.url()))
    #expect(response.head.status / 100 == 3)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [
    (nil as String?, ["\"v\"", nil, nil] as [String?]), ("/1", [nil, "\"v\"", nil]),
    ("/2", [nil, nil, "\"v\""]), ("/3", [nil, nil, nil]),
  ])
  func `Validators go to the address that gave them`(
    address: String?, expected: [String?]
  ) async throws {
    let server = try chain([302, 307])
    var request = HTTPRequest(.get, server.url("/0"))
    request.condition = HTTPCondition(
      etag: "\"v\"", lastModified: "Mon, 09 Mar 2026 07:05:00 GMT", url: address.map(server.url))
    _ = try await makeClient().response(for: request)
    #expect(server.requests.map { $0.header("if-none-match") } == expected)
    #expect(
      server.requests.map { $0.header("if-modified-since") != nil } == expected.map { $0 != nil })
  }

  @Test func `Credentials stay with their origin`() async throws {
    let other = try LoopbackServer { _ in [.response(200, "other")] }
    let target = other.url("/there")
    let server = try LoopbackServer { request in
      request.target == "/same" ? [.redirect(302, to: target)] : [.redirect(302, to: "/same")]
    }
    let request = HTTPRequest(server.url("/start")) {
      $0.headers = [
        "Authorization": "Bearer t", "Cookie": "a=b", "X-Key": "k", "If-None-Match": "\"v\"",
      ]
      $0.credentialHeaders = ["X-Key"]
    }
    _ = try await makeClient().response(for: request)
    let same = try #require(server.requests.last)
    #expect(same.target == "/same")
    #expect(same.header("authorization") == "Bearer t")
    #expect(same.header("x-key") == "k")
    let crossed = try #require(other.requests.first)
    for name in ["authorization", "cookie", "x-key"] { #expect(crossed.header(name) == nil) }
    #expect(crossed.header("if-none-match") == "\"v\"")
  }

  @Test(arguments: [
    ("https://a.example/x", "http://a.example/x", HTTPError.Kind.insecureRedirect),
    ("https://a.example/x", "ftp://a.example/x", .badURL),
    ("https://a.example/x", "https://", .badURL),
    ("https://a.example/x", "javascript:alert(1)", .badURL),
    ("https://a.example/x", "file:///etc/passwd", .badURL),
    ("https://a.example/x", "/x", .redirectLoop),
    ("https://a.example/x", "#part", .redirectLoop),
  ])
  func `A redirect that must not be followed is refused`(
    from: String, to: String, expected: HTTPError.Kind
  ) throws {
    var rule = RedirectRule(HTTPRequest(.get, from), at: try HTTPURL(from))
    let head = HTTPResponseHead(status: 301, headers: ["Location": to], url: from)
    let error = #expect(throws: HTTPError.self) { try rule.follow(head) }
    #expect(error?.kind == expected)
  }

  @Test(arguments: [
    ("http://a.example/x", "http://a.example:80/y", true),
    ("http://a.example/x", "https://a.example/y", true),
    ("http://a.example:8080/x", "https://a.example/y", false),
    ("http://a.example/x", "https://a.example:8443/y", false),
    ("https://a.example/x", "https://b.example/x", false),
    ("https://a.example/x", "https://www.a.example/x", false),
  ])
  func `Headers of the user's own stay at their server, and so does the address`(
    from: String, to: String, isThere: Bool
  ) throws {
    var request = HTTPRequest(.get, from, headers: ["Accept-Language": "de", "Accept": "x/y"])
    request.serverHeaders = ["accept-language"]
    var rule = RedirectRule(request, at: try HTTPURL(from))
    let head = HTTPResponseHead(status: 301, headers: ["Location": to], url: from)
    #expect(try rule.follow(head))
    #expect(rule.request.headers["Accept-Language"] == (isThere ? "de" : nil))
    #expect(rule.request.headers["Accept"] == "x/y")
    #expect((rule.permanentURL != nil) == isThere)
    #expect((rule.unstoredURL == nil) == isThere)
    // Nor do they come back with a redirect that leads back.
    let back = HTTPResponseHead(status: 301, headers: ["Location": from + "/z"], url: to)
    if to.hasPrefix(from.prefix(5)), try rule.follow(back) {
      #expect(rule.request.headers["Accept-Language"] == (isThere ? "de" : nil))
      #expect((rule.permanentURL != nil) == isThere)
    }
  }

  @Test(arguments: [
    ("https://a.example/y", true), ("https://a.example:8443/y", false),
    ("https://b.example/x", false),
  ])
  func `A request with the secret of a feed keeps its address`(to: String, isThere: Bool) throws {
    let from = "https://a.example/x"
    var request = HTTPRequest(.get, from, headers: ["X-Key": "secret"])
    request.credentialHeaders = ["X-Key"]
    request.keepsAddress = true
    var rule = RedirectRule(request, at: try HTTPURL(from))
    let head = HTTPResponseHead(status: 308, headers: ["Location": to], url: from)
    #expect(try rule.follow(head))
    #expect(rule.request.headers["X-Key"] == (isThere ? "secret" : nil))
    #expect(rule.permanentURL == (isThere ? to : nil))
    #expect(rule.unstoredURL == (isThere ? nil : to))
    // What a temporary redirect leads to after that is not where it has moved.
    let next = HTTPResponseHead(status: 302, headers: ["Location": "/z"], url: to)
    #expect(try rule.follow(next))
    #expect(rule.unstoredURL == (isThere ? nil : to))
  }

  @Test func `http may lead to https`() throws {
    let from = "http://a.example/x"
    var rule = RedirectRule(HTTPRequest(.get, from), at: try HTTPURL(from))
    let head = HTTPResponseHead(
      status: 308, headers: ["location": "https://a.example/x"], url: from)
    #expect(try rule.follow(head))
    #expect(rule.permanentURL == "https://a.example/x")
  }
}
