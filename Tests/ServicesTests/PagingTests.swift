internal import FeedServer
internal import Foundation
internal import News
internal import Services
internal import Synchronization
internal import TestSupport
internal import Testing

/// Walks through older pages of every kind; the server's log says what was asked for.
@Suite struct PagingTests {
  private func walk(
    _ sources: Sources, _ feed: Feed, from cursor: Cursor? = nil
  ) async throws -> [WalkedPage] {
    var pages: [WalkedPage] = []
    for try await page in sources.source(for: feed).pages(from: cursor) {
      pages.append(page)
      if pages.count > 40 { break }
    }
    return pages
  }

  private func titles(_ pages: [WalkedPage]) -> [String?] {
    pages.flatMap { $0.page.entries.map(\.title) }
  }

  private func expected(_ server: FeedServer, isMarkup: Bool = false) -> [String?] {
    server.archive.articles.map { article in
      guard let title = article.entry.title, !title.isEmpty else { return nil }
      return isMarkup ? title.replacing("<b> ", with: "") : title
    }
  }

  // MARK: RFC 5005, archives

  @Test(arguments: [0, 1, 40, 41, 80, 130])
  func `The archives of a feed are its older pages, to the oldest`(count: Int) async throws {
    try await withServer(articles: count) { server, sources in
      let feed = feed(server.baseURL + "/archive/atom.xml", format: .atom)
      let pages = try await walk(sources, feed)
      #expect(titles(pages) == expected(server))
      #expect(pages.last?.ending == .end)
      let archives = max(0, count - 1) / 40
      #expect(
        server.requests.map(\.target)
          == ["/archive/atom.xml"] + (0..<archives).map { "/archive/atom-\(archives - $0).xml" })
    }
  }

  @Test func `An archive says nothing of the feed itself`() async throws {
    try await withServer { server, sources in
      let feed = feed(server.baseURL + "/archive/atom.xml", format: .atom)
      let newest = try await sources.page(of: feed)
      #expect(newest.validators.etag != nil)
      #expect(newest.description?.title != nil)
      let known = KnownPage(validators: newest.validators, bodyDigest: newest.bodyDigest)
      let answer = try await sources.source(for: feed).page(after: newest.nextCursor, known: known)
      guard case .page(let page) = answer.body else {
        Issue.record("no page")
        return
      }
      #expect(page.entries.count == 40)
      #expect(page.description == nil)
      #expect(page.validators.isEmpty)
      #expect(page.bodyDigest == nil)
      #expect(answer.movedTo == nil)
      // What is known of the feed is not asked of its archive.
      let request = try #require(server.requests.last)
      #expect(request.header("If-None-Match") == nil)
      #expect(request.header("If-Modified-Since") == nil)
    }
  }

  @Test func `That an archive has moved is not the feed's move`() async throws {
    try await withAnswers({ request in
      request.path == "/a1"
        ? .reply(WireReply(status: 301, headers: [("Location", "/moved")])) : .reply(.rss(["a"]))
    }) { base, _, sources in
      let answer = try await sources.source(for: feed(base))
        .page(after: Cursor(base + "/a1"), known: KnownPage())
      #expect(answer.movedTo == nil)
    }
  }

  @Test func `New entries do not move the archives`() async throws {
    try await withServer(articles: 81) { server, sources in
      let feed = feed(server.baseURL + "/archive/atom.xml", format: .atom)
      let cursor = try await sources.page(of: feed).nextCursor
      let before = expected(server).dropFirst()
      server.insertFresh(100)
      #expect(titles(try await walk(sources, feed, from: cursor)) == Array(before))
    }
  }

  @Test func `A complete feed has no older pages`() async throws {
    try await withAnswers({ _ in
      .reply(
        WireReply(
          type: "application/atom+xml",
          text: """
            <feed xmlns="http://www.w3.org/2005/Atom" \
            xmlns:fh="http://purl.org/syndication/history/1.0"><fh:complete/>\
            <generator>WordPress</generator><link rel="next" href="/p2"/>\
            <link rel="prev-archive" href="/a1"/><entry><id>1</id></entry></feed>
            """))
    }) { base, server, sources in
      let pages = try await walk(sources, feed(base))
      #expect(pages.map(\.ending) == [.end])
      #expect(server.requests.count == 1)
    }
  }

  // MARK: Second-hand addresses

  @Test(arguments: ["next", "prev-archive"])
  func `An older page on another host of this machine is not reached`(
    relation: String
  ) async throws {
    try await withServer { server, sources in
      try await withAnswers({ _ in
        .reply(
          WireReply(
            type: "application/atom+xml",
            text: """
              <feed xmlns="http://www.w3.org/2005/Atom"><link rel="\(relation)" \
              href="http://localhost:\(server.port)/archive/atom-1.xml"/><entry><id>1</id></entry></feed>
              """))
      }) { base, _, sources in
        // The feed itself was typed and may be here; what it names may not.
        let feed = feed(base)
        let page = try await sources.page(of: feed)
        #expect(page.nextCursor?.rawValue == "http://localhost:\(server.port)/archive/atom-1.xml")
        let error = await #expect(throws: SourceError.self) {
          try await sources.page(of: feed, after: page.nextCursor)
        }
        #expect(error?.kind == .address)
        #expect(error?.stage == .connect)
        #expect(server.requests.isEmpty)
      }
    }
  }

  @Test func `No page of a feed that nobody typed is reached on this machine`() async throws {
    try await withServer { server, sources in
      let feed = feed(server.baseURL + "/archive/atom.xml", isUserEntered: false)
      for cursor in [server.baseURL + "/archive/atom-1.xml", "numbered/1 paged 2 ff"] {
        let error = await #expect(throws: SourceError.self) {
          try await sources.page(of: feed, after: Cursor(cursor))
        }
        #expect(error?.kind == .address)
      }
      #expect(server.requests.isEmpty)
    }
  }

  // MARK: JSON Feed and the API

  private static func json(_ ids: [String], next: String?) -> WireReply {
    let items = ids.map { "{\"id\": \"\($0)\", \"title\": \"\($0)\"}" }.joined(separator: ",")
    let next = next.map { "\"next_url\": \"\($0)\"," } ?? ""
    return WireReply(
      type: "application/feed+json",
      text: """
        {"version": "https://jsonfeed.org/version/1.1", "title": "T", \(next) "items": [\(items)]}
        """)
  }

  @Test func `JSON Feed's next pages are walked, each asked once`() async throws {
    try await withServer { server, sources in
      let feed = feed(server.baseURL + "/feed.json", format: .json)
      let pages = try await walk(sources, feed)
      #expect(titles(pages) == expected(server))
      #expect(Set(server.requests.map(\.target)).count == server.requests.count)
      #expect(pages.count == 4)
    }
  }

  @Test func `A next page that was there already ends the walk with a warning`() async throws {
    try await withAnswers({ request in
      switch request.target {
      case "/feed": .reply(Self.json(["a"], next: "?page=2"))
      case "/feed?page=2": .reply(Self.json(["b"], next: "?page=3"))
      default: .reply(Self.json(["c"], next: "/feed?page=2"))
      }
    }) { base, server, sources in
      let pages = try await walk(sources, feed(base + "/feed"))
      #expect(titles(pages) == ["a", "b", "c"])
      #expect(pages.last?.ending == .circle(Cursor(base + "/feed?page=2")))
      #expect(pages.last?.warning != nil)
      #expect(server.requests.map(\.target) == ["/feed", "/feed?page=2", "/feed?page=3"])
    }
  }

  @Test func `The API's repeated cursor ends the walk with a warning`() async throws {
    try await withServer { server, sources in
      server.inject(.repeatCursor, on: "/api/articles", skipping: 1)
      let pages = try await walk(sources, feed(server.apiURL, format: .api))
      #expect(pages.count == 2)
      #expect(pages.last?.warning != nil)
      #expect(server.requests.count == 2)
    }
  }

  @Test(
    arguments: [("/feed.json", .json), ("/atom.xml", .atom), ("/wp/feed/", .rss)]
      as [(String, FeedFormat)])
  func `A page that fails once is had at the second asking, and none is missed`(
    path: String, format: FeedFormat
  ) async throws {
    try await withServer(articles: 95) { server, sources in
      server.inject(.status(503), on: path, skipping: 1)
      let feed = feed(server.baseURL + path, format: format)
      var pages: [WalkedPage] = []
      let error = await #expect(throws: SourceError.self) {
        for try await page in sources.source(for: feed).pages() { pages.append(page) }
      }
      #expect(error?.status == 503)
      #expect(pages.count == 1)
      let rest = try await walk(sources, feed, from: pages.last?.page.nextCursor)
      #expect(titles(pages + rest) == expected(server, isMarkup: format == .rss))
    }
  }

  // MARK: Numbers

  @Test(arguments: [0, 1, 10, 11, 45])
  func `WordPress's numbered pages are walked to its 404`(count: Int) async throws {
    try await withServer(articles: count) { server, sources in
      let feed = feed(server.baseURL + "/wp/feed/", format: .rss)
      let pages = try await walk(sources, feed)
      #expect(titles(pages) == expected(server, isMarkup: true))
      #expect(pages.last?.ending == .end)
      #expect(pages.allSatisfy { $0.page.warnings.isEmpty })
      let numbers = server.requests.map { $0.query("paged") }
      // The one behind the last is a 404.
      let last = count == 0 ? 1 : (count + 9) / 10 + 1
      #expect(numbers == [nil] + (2..<max(2, last + 1)).map { "\($0)" })
    }
  }

  @Test func `A feed is subscribed with the way to its numbered pages`() async throws {
    try await withServer(articles: 30) { server, sources in
      let located = try await sources.locate(server.baseURL + "/wp/feed/")
      let cursor = try #require(located.page.nextCursor)
      let page = try await sources.page(of: feed(located.url, format: .rss), after: cursor)
      #expect(page.entries.count == 10)
      #expect(server.requests.last?.target == "/wp/feed/?paged=2")
    }
  }

  @Test func `A server that takes no numbers is found out at the second page`() async throws {
    try await withAnswers({ _ in
      .reply(Self.weblog("<item><guid>1</guid></item><item><guid>2</guid></item>"))
    }) { base, server, sources in
      let pages = try await walk(sources, feed(base + "/feed/"))
      #expect(pages.map { $0.page.entries.count } == [2, 0])
      #expect(pages.last?.ending == .end)
      #expect(pages.last?.page.warnings.count == 1)
      #expect(server.requests.map(\.target) == ["/feed/", "/feed/?paged=2"])
    }
  }

  @Test func `A site that leads home from a number too high has no more pages`() async throws {
    try await withAnswers({ request in
      if request.path == "/" {
        return .reply(WireReply(type: "text/html", text: "<html><p>Welcome</p></html>"))
      }
      if request.query("paged") != nil {
        return .reply(WireReply(status: 301, headers: [("Location", "/")]))
      }
      return .reply(Self.weblog("<item><guid>1</guid></item>"))
    }) { base, server, sources in
      let pages = try await walk(sources, feed(base + "/feed/"))
      #expect(pages.map { $0.page.entries.count } == [1, 0])
      #expect(pages.last?.ending == .end)
      #expect(server.requests.map(\.target) == ["/feed/", "/feed/?paged=2", "/"])
    }
  }

  @Test func `A page in the place of a numbered one is an error, not the end`() async throws {
    try await withAnswers({ request in
      request.query("paged") == nil
        ? .reply(Self.weblog("<item><guid>1</guid></item>"))
        : .reply(WireReply(type: "text/html", text: "<html><p>Sign in to the network</p></html>"))
    }) { base, server, sources in
      let error = await #expect(throws: SourceError.self) {
        try await walk(sources, feed(base + "/feed/"))
      }
      #expect(error?.kind == .notAFeed)
    }
  }

  private static func weblog(_ items: String) -> WireReply {
    WireReply(
      type: "application/rss+xml",
      text: "<rss version='2.0'><channel><title>T</title><generator>WordPress</generator>"
        + "\(items)</channel></rss>")
  }

  @Test func `An empty page is the end of numbers`() async throws {
    try await withAnswers({ request in
      let items = request.query("paged") == nil ? "<item><guid>1</guid></item>" : ""
      return .reply(Self.weblog(items))
    }) { base, server, sources in
      let pages = try await walk(sources, feed(base))
      #expect(pages.last?.ending == .end)
      #expect(server.requests.count == 2)
    }
  }

  @Test func `A listing with an offset in its address is walked to its end`() async throws {
    try await withAnswers({ request in
      let start = request.query("start").flatMap { Int($0) } ?? 0
      let entries = (start..<min(start + 3, 8)).map { "<entry><id>\($0)</id></entry>" }.joined()
      return .reply(
        WireReply(
          type: "application/atom+xml",
          text: """
            <feed xmlns="http://www.w3.org/2005/Atom" \
            xmlns:o="http://a9.com/-/spec/opensearch/1.1/"><o:totalResults>8</o:totalResults>\
            <o:startIndex>\(start)</o:startIndex>\(entries)</feed>
            """))
    }) { base, server, sources in
      let pages = try await walk(sources, feed(base + "/q?search=x&start=0"))
      #expect(pages.flatMap { $0.page.entries.map(\.id) } == (0..<8).map { "\($0)" })
      #expect(server.requests.map { $0.query("start") } == ["0", "3", "6", "8"])
      #expect(server.requests.allSatisfy { $0.query("search") == "x" })
    }
  }

  // MARK: Stopping

  @Test(arguments: ["/archive/atom.xml", "/wp/feed/", "/feed.json", "/rss.xml"])
  func `Cancelled after page 2, a walk asks for no page 4`(path: String) async throws {
    try await withServer(articles: 250) { server, sources in
      let feed = feed(server.baseURL + path)
      let task = Task {
        var count = 0
        for try await page in sources.source(for: feed).pages() {
          count += 1
          if page.number == 2 { withUnsafeCurrentTask { $0?.cancel() } }
        }
        return count
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(server.requests.count == 2)
    }
  }

  @Test func `Cancelled while a page is on its way, a walk closes its connection`() async throws {
    try await withServer(articles: 250) { server, sources in
      server.inject(.hang, on: "/archive/atom-5.xml")
      let feed = feed(server.baseURL + "/archive/atom.xml")
      let task = Task {
        for try await _ in sources.source(for: feed).pages() {}
      }
      #expect(await eventually { server.requests.count == 3 })
      task.cancel()
      await #expect(throws: (any Error).self) { try await task.value }
      #expect(await eventually(within: closingTime) { server.openConnections == 0 })
      #expect(server.requests.count == 3)
    }
  }

  @Test func `A file has no older pages, whatever it names`() async throws {
    let path = NSTemporaryDirectory() + "telex-\(UUID().uuidString).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(Self.json(["a"], next: "https://example.org/2").body).write(to: URL(filePath: path))
    let page = try await makeSources().locate(path).page
    #expect(page.entries.count == 1)
    #expect(page.nextCursor == nil)
  }
}
