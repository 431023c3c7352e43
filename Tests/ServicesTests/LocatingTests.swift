internal import FeedServer
internal import News
internal import Services
internal import Testing

@Suite struct LocatingTests {
  @Test(arguments: SourceTests.paths)
  func `The address of a feed is that feed, whatever its format`(
    path: String, format: FeedFormat
  ) async throws {
    try await withServer { server, sources in
      let located = try await sources.locate(server.baseURL + path)
      #expect(located.url == server.baseURL + path)
      #expect(located.isUserEntered)
      #expect(located.page.description?.format == format)
      #expect(located.page.description?.title == server.archive.title)
      #expect(located.page.entries.first?.title == server.archive.articles.first?.entry.title)
      // The page is there: subscribing does not fetch it once more.
      #expect(server.requests.count == (format == .api ? 2 : 1))
    }
  }

  @Test func `A search that meets a check for bots asks for nothing more`() async throws {
    try await withAnswers({ request in
      guard request.path == "/" else {
        return .reply(WireReply(status: 403, headers: [("cf-mitigated", "challenge")]))
      }
      return .reply(WireReply(type: "text/html", text: "<html><p>no feed</p></html>"))
    }) { base, server, sources in
      let error = await #expect(throws: SourceError.self) { try await sources.locate(base + "/") }
      #expect(error?.message.contains("takes Telex for a bot") == true)
      #expect(server.requests.count == 2)
    }
  }

  @Test func `A page leads to the feed that it names`() async throws {
    try await withServer { server, sources in
      let located = try await sources.locate(server.baseURL)
      #expect(located.url == server.baseURL + "/rss.xml")
      #expect(located.isUserEntered)
      #expect(located.page.entries.count == 40)
      #expect(server.requests.map { String($0.path) } == ["/", "/rss.xml"])
    }
  }

  @Test func `Of several feeds that a page names, the first that is one is taken`() async throws {
    try await withAnswers({ request in
      switch request.path {
      case "/":
        let links = ["/gone", "/page", "/feed"].map {
          "<link rel=alternate type=application/rss+xml href=\($0)>"
        }
        return .reply(WireReply(type: "text/html", text: "<html>" + links.joined() + "</html>"))
      case "/gone": return .reply(WireReply(status: 404))
      case "/page": return .reply(WireReply(type: "text/html", text: "<html><p>no feed</p></html>"))
      default: return .reply(.rss(["a"]))
      }
    }) { base, _, sources in
      let located = try await sources.locate(base)
      #expect(located.url == base + "/feed")
    }
  }

  @Test func `A page that names no feed says so`() async throws {
    try await withAnswers({ _ in
      .reply(WireReply(type: "text/html", text: "<!doctype html><html><p>Hello</p></html>"))
    }) { base, _, sources in
      let error = await #expect(throws: SourceError.self) {
        try await sources.locate(base + "/?q=secret")
      }
      #expect(error?.kind == .notAFeed)
      #expect(error?.subject == base + "/")
      #expect(error?.next != nil)
    }
  }

  @Test func `An address that has moved for good is stored where it is now`() async throws {
    try await withAnswers({ request in
      request.path == "/old"
        ? .reply(WireReply(status: 301, headers: [("Location", "/new")]))
        : .reply(.rss(["a"]))
    }) { base, _, sources in
      let located = try await sources.locate(base + "/old")
      #expect(located.url == base + "/new")
      #expect(located.isUserEntered)
    }
  }

  @Test func `A newer version of the API is not guessed at`() async throws {
    try await withAnswers({ _ in
      .reply(WireReply(type: "application/json", text: #"{"api": "telex-feed", "version": 2}"#))
    }) { base, _, sources in
      let error = await #expect(throws: SourceError.self) { try await sources.locate(base) }
      #expect(error?.kind == .decoding)
      #expect(error?.message.contains("version 2") == true)
    }
  }

  @Test func `This machine is reached by who typed it, and by nobody else's word`() async throws {
    try await withServer { server, sources in
      let url = server.baseURL + "/rss.xml"
      let page = try await sources.page(of: feed(url, isUserEntered: true))
      #expect(page.entries.count == 40)
      server.forgetRequests()
      let error = await #expect(throws: SourceError.self) {
        try await sources.page(of: feed(url, isUserEntered: false))
      }
      #expect(error?.kind == .address)
      #expect(error?.stage == .connect)
      #expect(error?.next != nil)
      #expect(server.requests.isEmpty)
    }
  }

  @Test func `A typed host cannot send Telex to another host of this machine`() async throws {
    try await withServer { server, sources in
      try await withAnswers({ _ in
        .reply(
          WireReply(
            status: 302, headers: [("Location", "http://localhost:\(server.port)/rss.xml")]))
      }) { base, _, _ in
        let error = await #expect(throws: SourceError.self) {
          try await sources.page(of: feed(base))
        }
        #expect(error?.kind == .address)
        #expect(server.requests.isEmpty)
      }
    }
  }

  @Test(arguments: ["", "   ", "http://", "ftp://example.org/feed", "http://exa mple/", "no-dot:"])
  func `What is no address is refused before anything is sent`(typed: String) async throws {
    let error = await #expect(throws: SourceError.self) { try await makeSources().locate(typed) }
    #expect(error?.kind == .address)
  }
}
