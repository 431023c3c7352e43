#if GRPC
  internal import Foundation
  internal import GRPCCore
  internal import HTTP
  internal import News
  internal import Services
  internal import SwiftProtobuf
  internal import Synchronization
  internal import TestSupport
  internal import Testing

  @testable internal import GRPCFeed

  /// Feeds of a gRPC server, over a real connection.
  @Suite(.timeLimit(.minutes(10)))
  struct GRPCFeedTests {
    private func server(_ count: Int) -> GRPCFeedServer {
      let server = GRPCFeedServer()
      server.state.withLock { state in
        state.feed.title = "News"
        state.articles = (0..<count).map { number in
          .with {
            $0.id = "a\(number)"
            $0.title = "Article \(number)"
          }
        }
      }
      return server
    }

    private static func source(
      _ url: String, _ change: (inout HTTPLimits) -> Void = { _ in }
    ) -> any PageSource {
      var limits = HTTPLimits()
      change(&limits)
      return GRPCWire().pages(of: url, limits: limits, by: WireWay {})
    }

    private static func page(
      _ source: any PageSource, _ cursor: Cursor? = nil, known: KnownPage = KnownPage()
    ) async throws -> Page {
      guard case .page(let page) = try await source.page(after: cursor, known: known).body else {
        throw SourceError(.decoding, stage: .parse, subject: "", message: "unchanged")
      }
      return page
    }

    @Test func `A feed is walked to its end, each article once`() async throws {
      let server = server(8)
      let titles = try await server.whileServing { url in
        let source = Self.source(url)
        var (titles, pages): ([String], Int) = ([], 0)
        var cursor: Cursor?
        repeat {
          let page = try await Self.page(source, cursor)
          #expect((page.description?.title == "News") == (cursor == nil))
          titles += page.entries.compactMap(\.title)
          cursor = page.nextCursor
          pages += 1
        } while cursor != nil && pages < 10
        return titles
      }
      #expect(titles == (0..<8).map { "Article \($0)" })
      #expect(server.state.withLock { $0.requests.map(\.cursor) } == ["", "3", "6"])
    }

    @Test(arguments: [(Int32.max, FeedDescription.longestMinutesToLive), (90, 90)])
    func `A server is asked again after a year at the latest`(_ minutes: Int32, _ taken: Int)
      async throws
    {
      let server = server(1)
      server.state.withLock { $0.feed.minutesToLive = minutes }
      let page = try await server.whileServing { try await Self.page(Self.source($0)) }
      #expect(page.description?.minutesToLive == taken)
    }

    @Test func `An article arrives with all that the server knows, as clean as from any feed`()
      async throws
    {
      let server = server(0)
      server.state.withLock { state in
        state.articles = [
          .with {
            $0.id = "x"
            $0.title = "Ti\u{1B}[31mtle\u{202E}"
            $0.url = "https://example.org/x"
            $0.authors = [.with { $0.name = "Jo" }, .with { $0.email = "al@example.org" }]
            $0.published.seconds = 1_700_000_000
            $0.updated.seconds = -5
            $0.contentHtml = "<p><a href='/y'>see\u{1B}]0;x\u{7}</a></p>"
            $0.categories = ["Tech", ""]
            $0.enclosures = [
              .with {
                $0.url = "https://example.org/x.mp3"
                $0.type = "audio/mpeg"
                $0.length = 7
              }, .with { $0.url = "javascript:alert(1)" },
            ]
            $0.commentsURL = "https://example.org/x#comments"
          }, .with { $0.title = "without an id" },
        ]
      }
      let page = try await server.whileServing { try await Self.page(Self.source($0)) }
      #expect(page.entries.count == 1 && page.warnings.count == 1)
      let entry = try #require(page.entries.first)
      #expect(
        entry.title?.contains("\u{1B}") == false && entry.title?.contains("\u{202E}") == false)
      #expect(entry.authors.map(\.name) == ["Jo", "al@example.org"])
      #expect(entry.published == Date(timeIntervalSince1970: 1_700_000_000) && entry.updated == nil)
      #expect(entry.contentHTML?.contains("https://example.org/y") == true)
      #expect(entry.contentHTML?.contains("\u{1B}") == false)
      #expect(entry.categories.map(\.name) == ["Tech"])
      #expect(
        entry.enclosures == [
          Enclosure(url: "https://example.org/x.mp3", type: "audio/mpeg", length: 7)
        ])
      #expect(entry.comments?.page == "https://example.org/x#comments")
    }

    @Test func `What is the same as last time is not written again`() async throws {
      let server = server(2)
      try await server.whileServing { url in
        let source = Self.source(url)
        var known = KnownPage()
        known.bodyDigest = try await Self.page(source).bodyDigest
        guard case .unchanged = try await source.page(after: nil, known: known).body else {
          Issue.record("it was written again")
          return
        }
        server.state.withLock { $0.articles[0].title = "Other" }
        #expect(try await Self.page(source, known: known).entries.first?.title == "Other")
      }
    }

    @Test func `Of a newest page that breaks off the articles before are kept, and it is told`()
      async throws
    {
      let server = server(6)
      server.state.withLock { $0.cutsAfter = 2 }
      try await server.whileServing { url in
        let source = Self.source(url)
        let page = try await Self.page(source)
        #expect(page.entries.count == 2 && page.isCut && page.problem?.kind == .cutShort)
        #expect(page.nextCursor == nil && page.bodyDigest == nil)
        // An older page is asked for again as a whole.
        let error = try await #require(throws: SourceError.self) {
          try await Self.page(source, Cursor("3"))
        }
        #expect(error.kind == .cutShort)
      }
    }

    @Test(
      arguments: [
        (RPCError.Code.unauthenticated, SourceError.Kind.status, 401),
        (.permissionDenied, .status, 403), (.notFound, .status, 404),
        (.internalError, .status, 500),
        (.unimplemented, .notAFeed, nil), (.resourceExhausted, .tooLarge, nil),
        (.unavailable, .refused, nil),
      ] as [(RPCError.Code, SourceError.Kind, Int?)])
    func `A refusal says what it is`(
      _ code: RPCError.Code, _ kind: SourceError.Kind, _ status: Int?
    ) async throws {
      let server = server(1)
      server.state.withLock { $0.failure = RPCError(code: code, message: "be\u{1B}[2Jcause") }
      try await server.whileServing { url in
        let error = try await #require(throws: SourceError.self) {
          try await Self.page(Self.source(url))
        }
        #expect(error.kind == kind && error.status == status, "\(error)")
        #expect(error.message.contains("cause") && !error.message.contains("\u{1B}"))
      }
    }

    @Test func `A port where nobody listens is told as such`() async throws {
      let url = try await server(0).whileServing { $0 }
      let error = try await #require(throws: SourceError.self) {
        try await Self.page(Self.source(url))
      }
      #expect(error.kind == .refused, "\(error)")
    }

    @Test func `To cancel ends the call at the server`() async throws {
      let server = server(3)
      server.state.withLock { $0.hangsAfter = 1 }
      try await server.whileServing { url in
        let task = Task { try await Self.page(Self.source(url)) }
        #expect(await eventually { server.state.withLock { $0.requests.count == 1 } })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await eventually { server.state.withLock { $0.cancelled == 1 } })
      }
    }

    @Test func `A server that falls silent is left, and what it has sent is kept`() async throws {
      let server = server(3)
      server.state.withLock { $0.hangsAfter = 1 }
      try await server.whileServing { url in
        let page = try await Self.page(Self.source(url) { $0.silence = .milliseconds(400) })
        #expect(page.entries.count == 1 && page.problem?.kind == .timeout)
      }
    }

    @Test func `A page larger than allowed is refused`() async throws {
      let server = server(1)
      server.state.withLock {
        $0.articles[0].contentHtml = String(repeating: "x", count: 300_000)
      }
      try await server.whileServing { url in
        let error = try await #require(throws: SourceError.self) {
          try await Self.page(Self.source(url) { $0.maxBodyBytes = 100_000 })
        }
        #expect(error.kind == .tooLarge, "\(error)")
      }
      server.state.withLock { state in
        state.articles = (0..<10).map { number in
          .with {
            $0.id = "\(number)"
            $0.contentHtml = String(repeating: "x", count: 30_000)
          }
        }
        state.pageSize = 10
      }
      try await server.whileServing { url in
        let error = try await #require(throws: SourceError.self) {
          try await Self.page(Self.source(url) { $0.maxBodyBytes = 100_000 })
        }
        #expect(error.kind == .tooLarge, "\(error)")
      }
    }

    @Test func `A page that names itself as the next one ends the walk`() async throws {
      let server = server(9)
      server.state.withLock { $0.circles = true }
      try await server.whileServing { url in
        let page = try await Self.page(Self.source(url), Cursor("3"))
        #expect(page.nextCursor == nil && page.beginsToRepeat)
      }
    }

    @Test func `Nothing is asked past a proxy`() async throws {
      let server = server(1)
      try await server.whileServing { url in
        let way = WireWay {
          throw SourceError(.proxy, stage: .connect, subject: url, message: "a proxy is set")
        }
        let source = GRPCWire().pages(of: url, limits: HTTPLimits(), by: way)
        await #expect(throws: SourceError.self) { try await Self.page(source) }
      }
      #expect(server.state.withLock { $0.requests.isEmpty })
    }

    @Test(arguments: [
      ("grpc://example.org:50051/a%20b", "example.org", 50_051, false, "a b"),
      ("grpcs://example.org/news/all", "example.org", 443, true, "news/all"),
      ("grpc://[::1]:7/", "::1", 7, false, ""),
    ])
    func `An address has host, port and feed`(
      _ url: String, _ host: String, _ port: Int, _ isSecure: Bool, _ feed: String
    ) throws {
      let place = try GRPCPlace(url)
      #expect(place.host == host && place.port == port)
      #expect(place.isSecure == isSecure && place.feed == feed)
    }

    @Test(arguments: ["grpc://", "grpc://ada:secret@example.org/x", "grpc://example.org/x?y"])
    func `An address that is none is told`(_ url: String) {
      #expect(throws: SourceError.self) { try GRPCPlace(url) }
    }
  }
#endif
