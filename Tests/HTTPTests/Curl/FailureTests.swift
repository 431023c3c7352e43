import FeedServer
import HTTP
import TestSupport
import Testing

struct FailureTests {
  @Test func `A port where nothing listens is refused`() async throws {
    let port = try ClosedPort()
    let found = await kind { try await makeClient().response(for: HTTPRequest(.get, port.url)) }
    #expect(found == .refused)
    withExtendedLifetime(port) {}
  }

  @Test func `A name that does not exist is a DNS failure`() async {
    // A label this long is refused by the resolver itself, so that no name server is asked.
    let request = HTTPRequest(.get, "http://\(String(repeating: "a", count: 64)).invalid/")
    #expect(await kind { try await makeClient().response(for: request) } == .dns)
  }

  static let broken: [(String, [LoopbackServer.Step], HTTPError.Kind)] = [
    ("no answer", [.close], .cutShort),
    ("a reset", [.reset], .cutShort),
    ("half a head", [.text("HTTP/1.1 200 OK\r\nContent-"), .close], .cutShort),
    (
      "less than Content-Length",
      [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .close], .cutShort
    ),
    (
      "a reset in the body",
      [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .reset], .cutShort
    ),
    (
      "chunks without their end",
      [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"), .close],
      .cutShort
    ),
    ("another protocol", [.text("220 mail.example.org ESMTP\r\n"), .close], .protocolError),
    (
      "gzip that is none",
      [.response(200, ["Content-Encoding": "gzip"], "\u{1}\u{2}\u{3}: neither gzip nor text")],
      .protocolError
    ),
    (
      "headers without end",
      [
        .text("HTTP/1.1 200 OK\r\n"),
        .send(Array(String(repeating: "X-A: b\r\n", count: 50_000).utf8)),
      ],
      .headTooLarge
    ),
    (
      "one header without end",
      [
        .text("HTTP/1.1 200 OK\r\nX-A: "),
        .send(Array(String(repeating: "b", count: 400_000).utf8)),
      ],
      .headTooLarge
    ),
  ]

  @Test(arguments: broken)
  func `A broken answer is an error and never a short success`(
    what: String, steps: [LoopbackServer.Step], expected: HTTPError.Kind
  ) async throws {
    let server = try LoopbackServer { _ in steps }
    let found = await kind {
      try await makeClient().response(for: HTTPRequest(.get, server.url()))
    }
    #expect(found == expected, "\(what)")
  }

  @Test func `A server that never answers runs into the silence limit`() async throws {
    let server = try LoopbackServer { _ in [.hang] }
    let request = HTTPRequest(server.url()) { $0.limits.silence = .milliseconds(150) }
    let client = makeClient()
    #expect(await kind { try await client.response(for: request) } == .timeout(.silence))
    #expect(await eventually { server.connectionsLeft == 1 })
    withExtendedLifetime(client) {}
  }

  @Test func `A drip of bytes ends at the total`() async throws {
    let server = try LoopbackServer { _ in
      [
        .text("HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n"),
        .drip(9_999, every: .milliseconds(20)),
      ]
    }
    let request = HTTPRequest(server.url()) {
      $0.limits.silence = .seconds(600)
      $0.limits.total = .milliseconds(300)
    }
    let client = makeClient()
    #expect(await kind { try await client.response(for: request) } == .timeout(.total))
    #expect(await eventually { server.connectionsLeft == 1 })
    withExtendedLifetime(client) {}
  }

  @Test func `The total covers all redirects together`() async throws {
    let server = try LoopbackServer { request in
      let next = (Int(request.target.dropFirst()) ?? 0) + 1
      return [
        .text("HTTP/1.1 302 Found\r\nLocation: /\(next)\r\nContent-Length: 4\r\n\r\n"),
        .drip(4, every: .milliseconds(60)),
      ]
    }
    let request = HTTPRequest(server.url("/0")) {
      $0.limits.total = .milliseconds(600)
      $0.limits.maxRedirects = 1_000
    }
    // No hop takes that long by itself.
    #expect(await kind { try await makeClient().response(for: request) } == .timeout(.total))
  }

  @Test func `A body over the limit is refused by its Content-Length`() async throws {
    let server = try LoopbackServer { _ in
      [.text("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n"), .hang]
    }
    let request = HTTPRequest(server.url()) { $0.limits.maxBodyBytes = 1_000 }
    #expect(await kind { try await makeClient().response(for: request) } == .tooLarge)
  }

  @Test(arguments: [true, false])
  func `A body of just the limit is read, and one byte more refused`(isAnnounced: Bool) async throws
  {
    let server = try LoopbackServer { _ in
      isAnnounced
        ? [.response(200, "hello")] : [.text("HTTP/1.1 200 OK\r\n\r\nhello"), .close]
    }
    let enough = HTTPRequest(server.url()) { $0.limits.maxBodyBytes = 5 }
    #expect(try await makeClient().response(for: enough).body == Array("hello".utf8))
    let tooLittle = HTTPRequest(server.url()) { $0.limits.maxBodyBytes = 4 }
    #expect(await kind { try await makeClient().response(for: tooLittle) } == .tooLarge)
  }

  @Test func `A body over the limit is refused as it arrives`() async throws {
    let server = try LoopbackServer { _ in
      [.text("HTTP/1.1 200 OK\r\n\r\n"), .flood(50 << 20), .close]
    }
    let request = HTTPRequest(server.url()) { $0.limits.maxBodyBytes = 100_000 }
    let client = makeClient()
    #expect(await kind { try await client.response(for: request) } == .tooLarge)
    #expect(await eventually { server.connectionsLeft == 1 })
    withExtendedLifetime(client) {}
  }

  @Test func `The limit counts decompressed bytes`() async throws {
    let bomb = Gzip.bomb(repeats: 40_000)
    let server = try LoopbackServer { _ in
      [.response(200, ["Content-Encoding": "gzip"], body: bomb)]
    }
    let request = HTTPRequest(server.url()) { $0.limits.maxBodyBytes = 1 << 20 }
    #expect(bomb.count < 1 << 20)
    #expect(await kind { try await makeClient().response(for: request) } == .tooLarge)
  }

  @Test func `A missing library is an error with a next step`() throws {
    let result = CurlLibraryProbe.open("libnothing-of-the-kind.so.4")
    #expect(result?.kind == .other)
    #expect(result?.message.contains("Install libcurl") == true)
  }

  @Test func `An unreadable ca_file is a TLS error`() async throws {
    let server = try LoopbackServer { _ in [.response(200, "hello")] }
    let client = makeClient { $0.caFile = "/nowhere/ca.pem" }
    for _ in 0..<2 {
      let found = await kind { try await client.response(for: HTTPRequest(.get, server.url())) }
      #expect(found == .tls)
    }
  }
}
