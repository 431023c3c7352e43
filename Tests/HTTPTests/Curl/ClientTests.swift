import FeedServer
import HTTP
import Synchronization
import Testing

struct ClientTests {
  @Test func `The fields that a server finds wrong are shown`() async throws {
    let fields = (0..<12).map { "\"f\($0)\": \"wrong\"" }.joined(separator: ",")
    let server = try LoopbackServer { request in
      [
        .response(
          422, [:],
          request.target == "/many"
            ? #"{"code": "bad", "message": "Not so.", "fields": {"# + fields + "}}"
            : #"{"error": "invalid", "details": {"text": ["is empty", "is short"], "author": "?"}}"#
        )
      ]
    }
    func message(_ target: String) async throws -> String? {
      let response = try await makeClient().response(for: HTTPRequest(.get, server.url(target)))
      return (#expect(throws: HTTPError.self) { try response.validated() })?.message
    }
    #expect(
      try await message("/") == "127.0.0.1 replied that some fields are not right (422): invalid "
        + "(author: ?; text: is empty; is short).")
    let many = try #require(try await message("/many"))
    #expect(many.contains("Not so (f0: wrong; ") && many.hasSuffix("and 4 more)."))
  }

  @Test func `A request's own middlewares follow the client's, and are the last to see it go`()
    async throws
  {
    let server = try LoopbackServer { _ in [.response(200, "x")] }
    let seen = Mutex<[String]>([])
    func middleware(_ name: String) -> HTTPMiddleware {
      HTTPMiddleware(
        prepare: { request in
          let agent = request.headers["User-Agent"] ?? "none"
          seen.withLock { $0.append("\(name) after \(agent)") }
        },
        finish: { _, _ in seen.withLock { $0.append("end \(name)") } })
    }
    var configuration = HTTPClient.Configuration()
    configuration.userAgent = "Telex/test"
    configuration.middlewares = [middleware("client")]
    var request = HTTPRequest(.get, server.url())
    request.middlewares = [middleware("request"), .bearer("t")]
    _ = try await makeClient(client: configuration).response(for: request)
    #expect(
      seen.withLock { $0 } == [
        "client after Telex/test", "request after Telex/test", "end request", "end client",
      ])
    #expect(server.requests.first?.header("authorization") == "Bearer t")
  }

  @Test func `Every request carries the common headers`() async throws {
    let server = try LoopbackServer { _ in [.response(200, "x")] }
    var configuration = HTTPClient.Configuration()
    configuration.userAgent = "Telex/1.0"
    configuration.acceptLanguage = "de, en;q=0.5"
    let client = makeClient(client: configuration)
    for number in 1...2 {
      _ = try await client.response(
        for: HTTPRequest(server.url()) {
          $0.id = "one"
          $0.attempt = number
          $0.sendsID = true
        })
    }
    _ = try await client.response(for: HTTPRequest(server.url()) { $0.sendsID = true })
    let seen = server.requests
    #expect(seen.allSatisfy { $0.header("user-agent") == "Telex/1.0" })
    #expect(seen.allSatisfy { $0.header("accept-language") == "de, en;q=0.5" })
    #expect(seen.allSatisfy { $0.header("accept") == "*/*" })
    #expect(seen.prefix(2).map { $0.header("x-request-id") } == ["one", "one"])
    #expect(seen.map { $0.header("x-request-attempt") } == ["1", "2", "1"])
    let id = try #require(seen[2].header("x-request-id"))
    #expect(id.count == 36 && id != "one")
  }

  @Test func `A request that is not to be traced carries no id and no attempt`() async throws {
    let server = try LoopbackServer { _ in [.response(200, "x")] }
    _ = try await makeClient().response(for: HTTPRequest(server.url()) { $0.id = "one" })
    let request = try #require(server.requests.first)
    #expect(request.header("x-request-id") == nil)
    #expect(request.header("x-request-attempt") == nil)
  }

  @Test(arguments: [
    ("X-A", "b\r\nX-Injected: c"), ("X-A", "b\nc"), ("X-A", "b\0"), ("X-A", "b\u{7F}"),
    ("X A", "b"), ("X-A\r\nX-B", "c"), ("", "b"), ("Host", "b"), ("content-length", "3"),
    ("Connection", "close"), ("Accept-Encoding", "br"), ("Content-Type", "text/plain"),
  ])
  func `A header that could break the request is refused`(
    name: String, value: String
  ) async throws {
    let server = try LoopbackServer { _ in [.response(200, "x")] }
    let request = HTTPRequest(server.url()) { $0.headers.append(name, value) }
    #expect(await kind { try await makeClient().response(for: request) } == .badRequest)
    #expect(server.requests.isEmpty)
  }

  @Test func `A body without a Content-Type is refused`() async {
    let request = HTTPRequest(.post, "http://127.0.0.1:9/", body: [1])
    #expect(await kind { try await makeClient().response(for: request) } == .badRequest)
  }

  @Test func `An empty header value arrives empty`() async throws {
    let server = try LoopbackServer { _ in [.response(200, "x")] }
    let request = HTTPRequest(server.url()) { $0.headers["X-Empty"] = "" }
    _ = try await makeClient().response(for: request)
    #expect(server.requests.first?.header("x-empty") == "")
  }

  @Test func `User and password of an address become a header`() async throws {
    let server = try LoopbackServer { _ in [.response(200, "x")] }
    let url = "http://me:p%40ss@127.0.0.1:\(server.port)/feed"
    let response = try await makeClient().response(for: HTTPRequest(.get, url))
    #expect(server.requests.first?.header("authorization") == "Basic bWU6cEBzcw==")
    #expect(response.head.url == server.url("/feed"))
    let far = HTTPRequest(.get, "http://me:secret@feeds.invalid/")
    #expect(await kind { try await makeClient().response(for: far) } == .badRequest)
  }

  @Test func `Middlewares prepare in order and observe in reverse`() async throws {
    let server = try LoopbackServer { _ in [.response(404, "x")] }
    let events = Mutex<[String]>([])
    let noted: @Sendable (String) -> Void = { event in events.withLock { $0.append(event) } }
    var configuration = HTTPClient.Configuration()
    configuration.middlewares = ["a", "b"].map { name in
      HTTPMiddleware(
        prepare: { request in
          noted("prepare \(name)")
          request.headers["X-Trace"] = (request.headers["X-Trace"] ?? "") + name
        },
        observe: { exchange in
          noted("observe \(name) \((try? exchange.result.get().status) ?? 0)")
        })
    }
    let client = makeClient(client: configuration)
    _ = try await client.response(for: HTTPRequest(.get, server.url()))
    #expect(
      events.withLock { $0 } == ["prepare a", "prepare b", "observe b 404", "observe a 404"])
    #expect(server.requests.first?.header("x-trace") == "ab")
  }

  @Test(arguments: [
    (200, nil as HTTPError.Kind?), (204, nil), (304, nil), (400, .status), (404, .status),
    (410, .status), (500, .status), (599, .status),
  ])
  func `An error status becomes an error before anyone reads the body`(
    status: Int, expected: HTTPError.Kind?
  ) async throws {
    let server = try LoopbackServer { _ in
      [.response(status, [:], status == 404 ? #"{"error":"gone","message":"No such feed"}"# : "")]
    }
    let response = try await makeClient().response(for: HTTPRequest(.get, server.url()))
    guard expected != nil else {
      #expect(try response.validated().head.status == status)
      return
    }
    let error = #expect(throws: HTTPError.self) { try response.validated() }
    #expect(error?.kind == expected)
    #expect(error?.status == status)
    if status == 404 {
      #expect(error?.serverError == ServerError(code: "gone", message: "No such feed"))
      #expect(error?.message.contains("No such feed") == true)
    }
  }

  @Test func `A log of headers shows no credential`() {
    let headers: HTTPHeaders = ["AUTHORIZATION": "Bearer t0ken", "X-A": "b"]
    #expect(headers.description == "AUTHORIZATION: …\nX-A: b")
  }
}
