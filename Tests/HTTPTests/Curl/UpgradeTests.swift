import FeedServer
import HTTP
import TestSupport
import Testing

/// Requests that ask for another protocol, whatever it may be.
@Suite struct UpgradeTests {
  private static let switching = LoopbackServer.Step.text(
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: chat\r\nConnection: Upgrade\r\n\r\n")

  private static func request(_ url: String) -> HTTPRequest {
    HTTPRequest(url) {
      $0.upgrade = HTTPUpgrade(name: "chat")
      $0.limits.total = nil
      $0.limits.maxBodyBytes = nil
      // As in `patient`.
      $0.limits.connect = .seconds(600)
      $0.limits.silence = .seconds(600)
    }
  }

  @Test func `The request says what it asks for, and the stream is what follows`() async throws {
    let server = try LoopbackServer { _ in [Self.switching, .text("one"), .text("two"), .close] }
    var request = Self.request(server.url("/a%20b?c=d"))
    request.headers["Authorization"] = "Bearer x"
    let stream = try await makeClient().stream(for: request)
    #expect(stream.head.status == 101)
    #expect(stream.head.headers["Upgrade"] == "chat")
    #expect(try await stream.collected() == Array("onetwo".utf8))
    let seen = try #require(server.requests.first)
    #expect(seen.method == "GET")
    #expect(seen.target == "/a%20b?c=d")
    #expect(seen.header("host") == "127.0.0.1:\(server.port)")
    #expect(seen.header("connection") == "Upgrade")
    #expect(seen.header("upgrade") == "chat")
    #expect(seen.header("authorization") == "Bearer x")
    #expect(seen.header("user-agent") == "Telex")
  }

  @Test func `A head may come in pieces, after another`() async throws {
    let gates = [Gate(), Gate()]
    let server = try LoopbackServer { _ in
      [
        .text("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 1"), .wait(gates[0]),
        .text("01 Switching Protocols\r\nUpgr"), .wait(gates[1]),
        .text("ade: chat\r\nConnection: Upgrade\r\n\r\nfirst"), .close,
      ]
    }
    let client = makeClient()
    async let stream = client.stream(for: Self.request(server.url()))
    #expect(await eventually { server.requests.count == 1 })
    for gate in gates { gate.open() }
    let found = try await stream
    #expect(found.head.headers["Upgrade"] == "chat")
    #expect(found.head.headers["Link"] == nil)
    #expect(try await found.collected() == Array("first".utf8))
  }

  @Test(arguments: [200, 204, 404, 503])
  func `Any other response has no body, and its connection is closed`(status: Int) async throws {
    let server = try LoopbackServer { _ in [.response(status, ["Retry-After": "7"], "words")] }
    let client = makeClient()
    let stream = try await client.stream(for: Self.request(server.url()))
    #expect(stream.head.status == status)
    #expect(stream.head.headers["Retry-After"] == "7")
    #expect(try await stream.collected() == [])
    #expect(await eventually { server.connectionsLeft == 1 })
    withExtendedLifetime((client, stream)) {}
  }

  @Test func `A redirect is followed`() async throws {
    let server = try LoopbackServer { request in
      request.target == "/here" ? [.redirect(302, to: "/there")] : [Self.switching, .close]
    }
    let stream = try await makeClient().stream(for: Self.request(server.url("/here")))
    #expect(stream.head.status == 101)
    #expect(stream.head.url == server.url("/there"))
  }

  static let broken: [(String, [LoopbackServer.Step], HTTPError.Kind)] = [
    ("no answer", [.close], .cutShort), ("a reset", [.reset], .cutShort),
    ("half a head", [.text("HTTP/1.1 101 Switching\r\nUpgr"), .close], .cutShort),
    ("another protocol", [.text("220 mail.example.org ESMTP\r\n"), .hang], .protocolError),
    (
      "a line without end", [.send([UInt8](repeating: 0x78, count: 400_000)), .hang],
      .headTooLarge
    ),
    (
      "headers without end",
      [
        .text("HTTP/1.1 101 Switching\r\n"),
        .send(Array(String(repeating: "X-A: b\r\n", count: 50_000).utf8)), .hang,
      ], .headTooLarge
    ),
  ]

  @Test(arguments: broken)
  func `A broken answer is an error`(
    what: String, steps: [LoopbackServer.Step], expected: HTTPError.Kind
  ) async throws {
    let server = try LoopbackServer { _ in steps }
    let found = await kind { try await makeClient().stream(for: Self.request(server.url())) }
    #expect(found == expected, "\(what)")
  }

  @Test func `A port where nothing listens is refused`() async throws {
    let port = try ClosedPort()
    #expect(await kind { try await makeClient().stream(for: Self.request(port.url)) } == .refused)
    withExtendedLifetime(port) {}
  }

  @Test func `Silence before and after the head is a timeout`() async throws {
    let server = try LoopbackServer { request in
      request.target == "/mute" ? [.hang] : [Self.switching, .hang]
    }
    var mute = Self.request(server.url("/mute"))
    mute.limits.silence = .milliseconds(50)
    let client = makeClient()
    #expect(await kind { try await client.stream(for: mute) } == .timeout(.silence))
    var quiet = Self.request(server.url("/quiet"))
    quiet.limits.silence = .milliseconds(50)
    let stream = try await client.stream(for: quiet)
    #expect(await kind { try await stream.collected() } == .timeout(.silence))
    #expect(await eventually { server.connectionsLeft == 2 })
    withExtendedLifetime((client, stream)) {}
  }

  @Test func `Cancelling before the head closes the connection`() async throws {
    let server = try LoopbackServer { _ in [.hang] }
    let client = makeClient()
    let task = Task { try await client.stream(for: Self.request(server.url())) }
    #expect(await eventually { server.requests.count == 1 })
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(await eventually { server.connectionsLeft == 1 })
    withExtendedLifetime(client) {}
  }

  @Test func `A reader that lags holds the server back, and gets everything`() async throws {
    let size = 64 << 20
    let server = try LoopbackServer { _ in [Self.switching, .flood(size), .close] }
    let stream = try await makeClient().stream(for: Self.request(server.url()))
    #expect(try await stalledCount(of: server) < size)
    var count = 0
    for try await chunk in stream {
      #expect(chunk.count < 1 << 20)
      count += chunk.count
    }
    #expect(count == size)
  }

  @Test func `It goes through a proxy's tunnel, which sees no credential`() async throws {
    let proxy = try LoopbackServer { request in
      request.method == "CONNECT"
        ? [.text("HTTP/1.1 200 Connection established\r\n\r\n")]
        : [Self.switching, .text("through"), .close]
    }
    var request = Self.request("http://far.example:81/live")
    request.headers["Authorization"] = "Bearer x"
    request.proxy = .via("http://127.0.0.1:\(proxy.port)")
    let stream = try await makeClient().stream(for: request)
    #expect(try await stream.collected() == Array("through".utf8))
    let seen = proxy.requests
    #expect(seen.map(\.target) == ["far.example:81", "/live"])
    #expect(seen.first?.header("authorization") == nil)
    #expect(seen.last?.header("authorization") == "Bearer x")
    #expect(seen.last?.header("host") == "far.example:81")
  }

  @Test func `Only a plain GET can ask for it`() async throws {
    let server = try LoopbackServer { _ in [.response()] }
    for method in [HTTPMethod.post, .head, .delete] {
      var request = Self.request(server.url())
      request.method = method
      #expect(await kind { try await makeClient().stream(for: request) } == .badRequest)
    }
    #expect(server.connectionsMade == 0)
  }
}
