import FeedServer
import Foundation
import Testing

@testable import HTTP

struct CookieTests {
  /// Sends everybody back to where they were until they bring the cookie that it sets.
  private static func wall(_ cookie: [UInt8] = Array("pass=1".utf8)) throws -> LoopbackServer {
    try LoopbackServer { request in
      if request.header("cookie") != nil { return [.response(200, "inside")] }
      return [
        .send(
          Array("HTTP/1.1 302 Said\r\nContent-Length: 0\r\nLocation: /\r\nSet-Cookie: ".utf8)
            + cookie + Array("\r\n\r\n".utf8))
      ]
    }
  }

  private func request(_ url: String) -> HTTPRequest { HTTPRequest(url) { $0.keepsCookies = true } }

  @Test func `A wall of cookies lets a document's request in, and the next begins anew`()
    async throws
  {
    let server = try Self.wall()
    let client = makeClient()
    for _ in 0..<2 {
      let response = try await client.response(for: request(server.url("/")))
      #expect(response.body == Array("inside".utf8))
    }
    #expect(
      server.requests.map { $0.header("cookie") } == [nil, "pass=1", nil, "pass=1"])
    // `telex doctor` goes the same way.
    #expect(try await client.trace(request(server.url("/"))).response?.head.status == 200)
  }

  @Test func `The requests of a session share their cookies, an answer's and a redirect's`()
    async throws
  {
    let server = try LoopbackServer { request in
      let cookies = request.header("cookie") ?? ""
      if !cookies.contains("pass=1") {
        return [.response(302, ["Location": "/", "Set-Cookie": "pass=1"])]
      }
      return [.response(cookies.contains("id=7") ? 200 : 401, ["Set-Cookie": "id=7"])]
    }
    let client = makeClient()
    var request = request(server.url("/"))
    request.cookieSession = CookieSession()
    #expect(try await client.response(for: request).head.status == 401)
    #expect(try await client.response(for: request).head.status == 200)
    // Another one begins anew.
    request.cookieSession = CookieSession()
    #expect(try await client.response(for: request).head.status == 401)
    #expect(
      server.requests.map { $0.header("cookie") }
        == [nil, "pass=1", "pass=1; id=7", nil, "pass=1"])
  }

  @Test func `A redirect that leads nowhere leaves its cookies to the session`() async throws {
    let server = try LoopbackServer { _ in
      [.response(302, ["Location": "/", "Set-Cookie": "id=7"])]
    }
    let session = CookieSession()
    var request = request(server.url("/"))
    request.cookieSession = session
    #expect(await kind { try await makeClient().response(for: request) } == .redirectLoop)
    #expect(session.jar.header(for: try HTTPURL(request.url)) == Array("id=7".utf8))
  }

  @Test func `A request that keeps none goes in a circle there`() async throws {
    let server = try Self.wall()
    let found = await kind {
      try await makeClient().response(for: HTTPRequest(.get, server.url("/")))
    }
    #expect(found == .redirectLoop)
    #expect(server.requests.allSatisfy { $0.header("cookie") == nil })
  }

  @Test func `A wall that changes its cookie for ever ends at the bound`() async throws {
    let server = try LoopbackServer { request in
      let count = request.header("cookie")?.utf8.count ?? 0
      return [
        .response(
          302, ["Location": "/", "Set-Cookie": "a=" + String(repeating: "x", count: count)])
      ]
    }
    let found = await kind { try await makeClient().response(for: request(server.url("/"))) }
    #expect(found == .tooManyRedirects)
  }

  @Test func `A cookie is sent back byte for byte`() async throws {
    let cookie: [UInt8] = Array("pass=\"caf".utf8) + [0xE9, 0x22]
    let server = try Self.wall(cookie + Array("; Path=/; HttpOnly".utf8))
    _ = try await makeClient().response(for: request(server.url("/")))
    let head = try #require(server.requests.last?.head)
    #expect(head.contains(Array("Cookie: ".utf8) + cookie + [0x0D, 0x0A]))
  }

  @Test func `What is set by one server is not sent to another`() async throws {
    let other = try LoopbackServer { _ in [.response(200, "elsewhere")] }
    let server = try LoopbackServer { _ in
      [
        .response(
          302,
          ["Location": "http://localhost:\(other.port)/", "Set-Cookie": "a=b; Domain=localhost"])
      ]
    }
    var request = request(server.url("/"))
    request.headers["Cookie"] = "own=1"
    _ = try await makeClient().response(for: request)
    #expect(server.requests.first?.header("cookie") == "own=1")
    #expect(other.requests.map { $0.header("cookie") } == [nil])
  }

  struct Ending: Sendable {
    var expires: String
    var date: String?
    var isKept: Bool
  }

  /// Frameworks take a cookie back with the date of yesterday, or of a second ago.
  @Test(arguments: [
    Ending(
      expires: "Wed, 25 Nov 2026 12:00:00 GMT", date: "Thu, 26 Nov 2026 12:00:00 GMT",
      isKept: false),
    Ending(
      expires: "Thu, 26 Nov 2026 11:59:59 GMT", date: "Thu, 26 Nov 2026 12:00:00 GMT",
      isKept: false),
    Ending(
      expires: "Thu, 26 Nov 2026 12:00:01 GMT", date: "Thu, 26 Nov 2026 12:00:00 GMT",
      isKept: true),
    // Of a server whose clock is a year behind.
    Ending(
      expires: "Wed, 26 Nov 2025 12:00:01 GMT", date: "Wed, 26 Nov 2025 12:00:00 GMT",
      isKept: true),
    // One that does not tell its time may be some hours behind.
    Ending(expires: "Wed, 25 Nov 2026 11:00:00 GMT", isKept: false),
    Ending(expires: "Thu, 26 Nov 2026 06:00:00 GMT", isKept: true),
    Ending(expires: "Thu, 26 Nov 2026 06:00:00 GMT", date: "soon", isKept: true),
  ])
  func `A cookie that has ended by the server's clock is taken back`(_ item: Ending) throws {
    // 26 November 2026, noon.
    let now = Date(timeIntervalSince1970: 1_795_694_400)
    let url = try HTTPURL("https://example.org/")
    var jar = CookieJar()
    jar.store(["Set-Cookie": "a=b"], from: url, now: now)
    var headers: HTTPHeaders = ["Set-Cookie": "a=c; Expires=\(item.expires)"]
    headers["Date"] = item.date
    jar.store(headers, from: url, now: now)
    #expect(jar.header(for: url) == (item.isKept ? Array("a=c".utf8) : nil))
  }

  struct Case: Sendable {
    var set: [String]
    var from = "https://news.example.org/a/feed"
    var to = "https://news.example.org/a/feed"
    var sent: String?
  }

  @Test(arguments: [
    Case(set: ["a=b"], sent: "a=b"), Case(set: ["a=b; Max-Age=0"]), Case(set: ["a"]),
    Case(set: ["=b"]), Case(set: ["a="], sent: "a="), Case(set: ["a=b\u{1}"]),
    Case(set: ["a=b", "a=c"], sent: "a=c"), Case(set: ["a=b", "a=; Max-Age=-1"]),
    Case(set: ["a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT"]),
    Case(set: ["a=b; Max-Age=9; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], sent: "a=b"),
    // Paths.
    Case(set: ["a=b"], to: "https://news.example.org/a/b/c", sent: "a=b"),
    Case(set: ["a=b"], to: "https://news.example.org/ab"),
    Case(set: ["a=b; Path=/"], to: "https://news.example.org/x", sent: "a=b"),
    Case(set: ["a=1; Path=/", "b=2; Path=/a"], sent: "b=2; a=1"),
    // Domains.
    Case(set: ["a=b"], to: "https://www.example.org/a/feed"),
    Case(set: ["a=b; Domain=.Example.org"], to: "https://www.example.org/a/feed", sent: "a=b"),
    Case(set: ["a=b; Domain=example.org"], to: "https://badexample.org/a/feed"),
    Case(set: ["a=b; Domain=org"]), Case(set: ["a=b; Domain=other.example"]),
    // Safety.
    Case(set: ["a=b; Secure"], to: "http://news.example.org/a/feed"),
    Case(set: ["a=b; Secure"], sent: "a=b"),
    Case(set: ["a=b; Secure"], from: "http://news.example.org/a/feed"),
    Case(set: ["__Host-a=b; Secure; Path=/"], sent: "__Host-a=b"),
    Case(set: ["__Host-a=b; Secure"]), Case(set: ["__Secure-a=b"]),
    Case(set: ["a=" + String(repeating: "x", count: 5_000)]),
  ])
  func `Which cookie goes where`(_ item: Case) throws {
    var jar = CookieJar()
    var headers = HTTPHeaders()
    for value in item.set { headers.append("Set-Cookie", value) }
    jar.store(headers, from: try HTTPURL(item.from))
    let sent = jar.header(for: try HTTPURL(item.to)).map { String(decoding: $0, as: UTF8.self) }
    #expect(sent == item.sent, "\(item)")
  }

  @Test func `A jar is bounded`() throws {
    var jar = CookieJar()
    let url = try HTTPURL("https://example.org/")
    for number in 0..<200 { jar.store(["Set-Cookie": "n\(number)=1"], from: url) }
    let sent = String(decoding: try #require(jar.header(for: url)), as: UTF8.self)
    #expect(sent.split(separator: ";").count == 50 && sent.hasSuffix("n199=1"))
  }
}
