internal import FeedServer
internal import Foundation
internal import HTTP
internal import News
internal import Services
internal import TestSupport
internal import Testing

@Suite struct SourceFaultTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var fault: Fault
    var kind: SourceError.Kind
    var stage: SourceError.Stage
    var status: Int?

    var testDescription: String { "\(fault)" }
  }

  static let cases = [
    Case(fault: .status(404), kind: .status, stage: .fetch, status: 404),
    Case(fault: .status(410), kind: .status, stage: .fetch, status: 410),
    Case(fault: .status(401), kind: .status, stage: .fetch, status: 401),
    Case(fault: .status(429, retryAfter: 120), kind: .status, stage: .fetch, status: 429),
    Case(fault: .status(503), kind: .status, stage: .fetch, status: 503),
    Case(fault: .cut(afterBytes: 300), kind: .cutShort, stage: .fetch),
    Case(fault: .reset, kind: .cutShort, stage: .fetch),
    Case(fault: .hang, kind: .timeout, stage: .fetch),
    Case(fault: .oversized(bytes: 3_000_000), kind: .tooLarge, stage: .fetch),
  ]

  @Test(arguments: cases, ["/rss.xml", "/api"])
  func `Each fault is told as what it is, once`(_ item: Case, path: String) async throws {
    try await withServer { server, _ in
      let sources = makeSources {
        $0.maxBodyBytes = 1_000_000
        if item.fault == .hang { $0.silence = .milliseconds(300) }
      }
      let address = server.baseURL + path
      let feed = feed(
        path == "/api" ? address : address + "?token=secret",
        format: path == "/api" ? .api : .rss)
      server.inject(item.fault, on: path)
      let error = try #require(
        await #expect(throws: SourceError.self) { try await sources.page(of: feed) })
      #expect(error.kind == item.kind)
      #expect(error.stage == item.stage)
      #expect(error.status == item.status)
      // The API is asked at an address below its own.
      #expect(error.subject == address + (path == "/api" ? "/articles" : ""))
      #expect(error.next?.isEmpty == false)
      #expect(!error.message.isEmpty)
      #expect(!"\(error)".contains("secret"))
      #expect((error.retryAfter != nil) == (item.status == 429))
      // The fault was for one request: what comes next is whole again.
      #expect(try await sources.page(of: feed).entries.count >= 40)
    }
  }

  @Test(arguments: [
    (408, "try again later"), (425, "try again later"), (404, "check the address"),
    (503, "try again later"),
  ])
  func `A status says what helps`(status: Int, next: String) async throws {
    try await withAnswers({ _ in .reply(WireReply(status: status)) }) { base, _, sources in
      let error = await #expect(throws: SourceError.self) { try await sources.page(of: feed(base)) }
      #expect(error?.next == next)
    }
  }

  @Test func `A wall of cookies lets a feed through, and an API's call has none`() async throws {
    try await withAnswers({ request in
      request.header("Cookie") == "pass=1"
        ? .reply(.rss(["a"]))
        : .reply(
          WireReply(
            status: 302, headers: [("Location", request.target), ("Set-Cookie", "pass=1; Path=/")]))
    }) { base, server, sources in
      let page = try await sources.page(of: feed(base + "/feed"))
      let located = try await sources.locate(base + "/feed")
      #expect(page.entries.map(\.id) == ["a"] && located.page.entries.count == 1)
      server.forgetRequests()
      let error = await #expect(throws: SourceError.self) {
        try await sources.page(of: feed(base + "/api", format: .api))
      }
      #expect(error?.kind == .redirect)
      #expect(server.requests.allSatisfy { $0.header("Cookie") == nil })
    }
  }

  @Test(arguments: [("/api", .api), ("/feed.json", .json)] as [(String, FeedFormat)])
  func `Noise where JSON should be is an error of reading`(
    path: String, format: FeedFormat
  ) async throws {
    try await withServer { server, sources in
      server.inject(.garbage, on: path)
      let feed = feed(server.baseURL + path, format: format)
      do {
        // A feed document is read as far as it goes; then it says that there was more.
        let page = try await sources.page(of: feed)
        #expect(format == .json)
        #expect(!page.warnings.isEmpty)
      } catch let error as SourceError {
        #expect([.decoding, .notAFeed].contains(error.kind))
        #expect(error.stage == .parse)
        #expect(error.subject == feed.url)
      }
    }
  }

  @Test func `The right bytes under a wrong type are still the feed`() async throws {
    try await withServer { server, sources in
      server.inject(.contentType("text/plain"), on: "/rss.xml")
      let page = try await sources.page(of: feed(server.baseURL + "/rss.xml"))
      #expect(page.entries.count == 40)
    }
  }

  @Test func `Nothing listening is refused, and says what to do`() async throws {
    try await withRefusedPort { port in
      let error = await #expect(throws: SourceError.self) {
        try await makeSources().page(of: feed("http://127.0.0.1:\(port)/x?key=secret"))
      }
      #expect(error?.kind == .refused)
      #expect(error?.stage == .connect)
      #expect(error?.subject == "http://127.0.0.1:\(port)/x")
      #expect(error?.next != nil)
    }
  }

  @Test func `A redirect in a circle ends`() async throws {
    try await withAnswers({ request in
      .reply(
        WireReply(status: 302, headers: [("Location", request.path == "/a" ? "/b" : "/a")]))
    }) { base, server, sources in
      let error = await #expect(throws: SourceError.self) {
        try await sources.page(of: feed(base + "/a"))
      }
      #expect(error?.kind == .redirect)
      #expect(server.requests.count < 15)
    }
  }

  @Test func `Cancelling closes the connection`() async throws {
    try await withAnswers({ _ in .hang }) { base, server, sources in
      let task = Task { try await sources.page(of: feed(base)) }
      #expect(await eventually { server.openConnections == 1 && server.requests.count == 1 })
      task.cancel()
      await #expect(throws: (any Error).self) { try await task.value }
      #expect(await eventually(within: closingTime) { server.openConnections == 0 })
    }
  }
}
