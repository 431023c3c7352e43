internal import FeedServer
internal import News
internal import Services
internal import Testing

/// What a server has: pages and feeds by their paths, everything else is a 404.
private struct Site: Sendable {
  var replies: [String: WireReply] = [:]

  static func page(_ html: String, headers: [(name: String, value: String)] = []) -> WireReply {
    WireReply(
      type: "text/html", headers: headers, text: "<!doctype html><html><body>\(html)</body></html>")
  }

  func serve(
    _ body: (_ base: String, RawServer, Sources) async throws -> Void
  ) async throws {
    try await withAnswers(
      { request in
        .reply(replies[String(request.target)] ?? WireReply(status: 404))
      }, body)
  }
}

extension RawServer {
  fileprivate var paths: [String] { requests.map { String($0.target) } }
}

extension Discovery {
  fileprivate var url: String? {
    if case .feed(let feed) = self { feed.url } else { nil }
  }

  fileprivate var links: [FeedLink] {
    if case .choice(let links) = self { links } else { [] }
  }
}

@Suite struct DiscoveryTests {
  @Test func `A page with several feeds leaves the choice, and fetches none of them`() async throws
  {
    let html = """
      <link rel=alternate type=application/rss+xml title=Comments href=/comments/feed>
      <link rel=alternate type=application/rss+xml title=Posts href=/feed>
      """
    let header = #"</atom>; rel=alternate; type="application/atom+xml"; title="Atom""#
    let site = Site(replies: [
      "/": Site.page(html, headers: [("Link", header)]), "/feed": .rss(["a"]), "/atom": .rss(["b"]),
      "/comments/feed": .rss(["c"]),
    ])
    try await site.serve { base, server, sources in
      let links = try await sources.discover(base).links
      #expect(
        links.map(\.url) == [base + "/feed", base + "/atom", base + "/comments/feed"])
      #expect(links.map(\.title) == ["Posts", "Atom", "Comments"])
      #expect(links.map(\.formatName) == ["RSS", "Atom", "RSS"])
      #expect(server.paths == ["/"])
      let chosen = try await sources.locate(oneOf: [links[2]], namedBy: base)
      #expect(chosen.url == base + "/comments/feed" && chosen.isTyped)
      let best = try await sources.locate(base)
      #expect(best.url == base + "/feed")
    }
  }

  @Test(arguments: [
    #"</f>; rel="alternate"; type="application/rss+xml""#,
    "</f>; rel=alternate; type=application/atom+xml, </x>; rel=next",
    #"<f>; rel="feed""#,
  ])
  func `A feed in the head of the answer is found`(_ field: String) async throws {
    let site = Site(replies: [
      "/": Site.page("<p>nothing</p>", headers: [("Link", field)]), "/f": .rss(["a"]),
    ])
    try await site.serve { base, server, sources in
      let found = try await sources.discover(base)
      #expect(found.url == base + "/f")
      #expect(server.paths == ["/", "/f"])
    }
  }

  @Test(arguments: [
    ("/feed/", ["/", "/feed/"]), ("/feed", ["/", "/feed/", "/feed"]),
    ("/atom.xml", ["/", "/feed/", "/feed", "/rss", "/rss.xml", "/atom.xml"]),
    (
      "/blog/feed/",
      [
        "/", "/feed/", "/feed", "/rss", "/rss.xml", "/atom.xml", "/feed.xml", "/index.xml",
        "/feed.json", "/blog/feed/",
      ]
    ),
  ])
  func `Where a page names none, the usual places are tried until one is a feed`(
    _ place: String, _ asked: [String]
  ) async throws {
    let site = Site(replies: ["/": Site.page("<p>Hello</p>"), place: .rss(["a"])])
    try await site.serve { base, server, sources in
      let found = try await sources.discover(base)
      #expect(found.url == base + place)
      #expect(server.paths == asked)
    }
  }

  @Test func `A site of WordPress is asked where it has its feed`() async throws {
    let page = Site.page(
      "<p>Hello</p>",
      headers: [("Link", #"</wp-json/>; rel="https://api.w.org/""#)])
    let site = Site(replies: ["/?p=1": page, "/?feed=rss2": .rss(["a"])])
    try await site.serve { base, server, sources in
      let found = try await sources.discover(base + "/?p=1")
      #expect(found.url == base + "/?feed=rss2")
      #expect(server.paths == ["/?p=1", "/feed/", "/?feed=rss2"])
    }
  }

  @Test func `No more than twelve requests look for a feed`() async throws {
    let site = Site(replies: ["/~ada/": Site.page("<p>Hello</p>")])
    try await site.serve { base, server, sources in
      let error = await #expect(throws: SourceError.self) {
        try await sources.discover(base + "/~ada/")
      }
      #expect(error?.kind == .notAFeed)
      #expect(error?.message.contains("names no feed") == true)
      #expect(server.requests.count == 12)
    }
  }

  @Test func `A site that answers everything with one page is not asked on`() async throws {
    try await withAnswers({ _ in .reply(Site.page("<p>An app</p>")) }) { base, server, sources in
      await #expect(throws: SourceError.self) { try await sources.discover(base) }
      #expect(server.paths == ["/", "/feed/"])
    }
  }

  @Test(arguments: [429, 503])
  func `A server that has enough is not asked on`(_ status: Int) async throws {
    try await withAnswers({ request in
      request.path == "/"
        ? .reply(Site.page("<p>Hello</p>")) : .reply(WireReply(status: status))
    }) { base, server, sources in
      let error = await #expect(throws: SourceError.self) { try await sources.discover(base) }
      #expect(error?.kind == .notAFeed)
      #expect(server.paths == ["/", "/feed/"])
    }
  }

  @Test func `Links that look like feeds go before places nobody has named`() async throws {
    let site = Site(replies: [
      "/": Site.page("<a href='/news.rss'>News</a>"), "/news.rss": .rss(["a"]),
      "/feed/": .rss(["b"]),
    ])
    try await site.serve { base, server, sources in
      let found = try await sources.discover(base)
      #expect(found.url == base + "/news.rss")
      #expect(server.paths == ["/", "/news.rss"])
    }
  }

  @Test func `A declared feed that is gone leaves the links and the usual places`() async throws {
    let site = Site(replies: [
      "/": Site.page("<link rel=alternate type=application/rss+xml href=/gone>"),
      "/rss.xml": .rss(["a"]),
    ])
    try await site.serve { base, _, sources in
      let found = try await sources.discover(base)
      #expect(found.url == base + "/rss.xml")
    }
  }

  @Test func `A declared feed that is gone is what the error says, where there is no other`()
    async throws
  {
    let site = Site(replies: [
      "/": Site.page("<link rel=alternate type=application/rss+xml href=/gone>")
    ])
    try await site.serve { base, _, sources in
      let error = await #expect(throws: SourceError.self) { try await sources.discover(base) }
      #expect(error?.status == 404 && error?.subject == base + "/gone")
    }
  }

  @Test func `A profile has its feed beside it, even where its page is for browsers only`()
    async throws
  {
    for page in [Site.page("<p>needs a script</p>"), WireReply(status: 403)] {
      let site = Site(replies: ["/@ada": page, "/@ada.rss": .rss(["a"])])
      try await site.serve { base, server, sources in
        let found = try await sources.discover(base + "/@ada")
        #expect(found.url == base + "/@ada.rss")
        #expect(server.paths == ["/@ada", "/@ada.rss"])
      }
    }
  }

  @Test(arguments: ["text/html", "application/rss+xml", "text/xml", "application/octet-stream"])
  func `A page is a page whatever it is called`(_ type: String) async throws {
    let page = "<!DOCTYPE html><link rel=alternate type=application/rss+xml href=/f>"
    let site = Site(replies: ["/feed.xml": WireReply(type: type, text: page), "/f": .rss(["a"])])
    try await site.serve { base, _, sources in
      let found = try await sources.discover(base + "/feed.xml")
      #expect(found.url == base + "/f")
    }
  }

  /// The page may name any host, but only the one that was typed may be this machine.
  @Test func `What a page names leads to public hosts only, but to the one that was typed`()
    async throws
  {
    try await Site(replies: ["/f": .rss(["a"])]).serve { other, otherServer, _ in
      let elsewhere = other.replacing("127.0.0.1", with: "localhost")
      let html = "<link rel=alternate type=application/rss+xml href='\(elsewhere)/f'>"
      let header = "<\(elsewhere)/g>; rel=alternate; type=application/rss+xml"
      let site = Site(replies: ["/": Site.page(html, headers: [("Link", header)])])
      try await site.serve { base, _, sources in
        let links = try await sources.discover(base).links
        #expect(links.map(\.url) == [elsewhere + "/f", elsewhere + "/g"])
        let error = await #expect(throws: SourceError.self) {
          try await sources.locate(oneOf: links, namedBy: base)
        }
        #expect(error?.kind == .address && error?.stage == .connect)
        #expect(otherServer.requests.isEmpty)
      }
    }
  }

  @Test func `A feed that has become a page says which feed the page names`() async throws {
    let page = { (href: String) in
      Site.page("<link rel=alternate type=application/rss+xml href='\(href)'>")
    }
    let site = Site(replies: [
      "/old.xml": page("/new.xml"), "/keyed.xml": page("/feed?key=secret"),
      "/bare.xml": Site.page("<p>Sold</p>"),
    ])
    try await site.serve { base, _, sources in
      func error(_ path: String) async -> SourceError? {
        await #expect(throws: SourceError.self) {
          try await sources.page(of: feed(base + path, format: .rss))
        }
      }
      let named = await error("/old.xml")
      #expect(named?.kind == .notAFeed)
      #expect(named?.message == "This is a web page, not a feed.")
      #expect(named?.next?.contains(base + "/new.xml") == true)
      #expect(named?.next?.contains("H") == true)
      #expect(named?.feedURL == base + "/new.xml")
      // What may be a key is in no text of an error.
      let keyed = await error("/keyed.xml")
      #expect(keyed?.next?.contains("the page names \(base)/feed:") == true)
      #expect(keyed?.line.contains("secret") == false)
      #expect(keyed?.feedURL == base + "/feed?key=secret")
      let bare = await error("/bare.xml")
      #expect(bare?.next == "Look for the address of the feed on the site.")
      #expect(bare?.feedURL == nil)
    }
  }

  @Test func `Of an empty answer nothing is guessed`() async throws {
    try await withAnswers({ _ in .reply(WireReply(type: "text/html", text: "")) }) {
      base, server, sources in
      let error = await #expect(throws: SourceError.self) { try await sources.discover(base) }
      #expect(error?.kind == .decoding)
      #expect(server.requests.count == 1)
    }
  }
}
