internal import FeedServer
internal import Foundation
internal import HTTP
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

extension FoundFeeds {
  fileprivate var url: String? {
    if case .feed(let feed) = self { feed.url } else { nil }
  }

  fileprivate var links: [FeedLink] {
    if case .choice(let links) = self { links } else { [] }
  }
}

extension Sources {
  fileprivate func check(
    _ typed: String, leadsTo url: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let found = try await discover(typed)
    #expect(found.url == url, sourceLocation: sourceLocation)
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
      #expect(chosen.url == base + "/comments/feed" && chosen.isUserEntered)
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

  @Test(arguments: [429, 503])
  func `A site that has had enough, or fails, is not asked on`(_ status: Int) async throws {
    let site = Site(replies: [
      "/": Site.page(
        """
        <link rel=alternate type=application/rss+xml href=/feed>
        <a href=/rss.xml>RSS</a> <a href=/atom.xml>Atom</a>
        """), "/feed": WireReply(status: status), "/rss.xml": .rss(["a"]),
    ])
    try await site.serve { base, server, sources in
      let error = await #expect(throws: SourceError.self) { try await sources.discover(base) }
      #expect(error?.status == status)
      #expect(Set(server.paths) == ["/", "/feed"])
    }
  }

  @Test func `Links that are only called feeds are not asked for behind one that fails`()
    async throws
  {
    let site = Site(replies: [
      "/": Site.page((1...3).map { "<a href='/?x=\($0)'>Feed \($0)</a>" }.joined()),
      "/?x=1": .rss(["a"]), "/?x=2": WireReply(status: 429), "/?x=3": .rss(["b"]),
    ])
    try await site.serve { base, server, sources in
      let found = try await sources.discover(base)
      #expect(found.url == base + "/?x=1")
      #expect(server.paths.contains("/?x=2") && !server.paths.contains("/?x=3"))
    }
  }

  @Test func `No more than twelve documents are asked for`() async throws {
    // Each of them is a page about feeds that names others: without an end it would be more.
    var replies = [
      "/~ada/": Site.page(
        """
        <link rel=alternate type=application/rss+xml href=/gone>
        <a href=/1>RSS</a> <a href=/2>RSS</a> <a href=/3>RSS</a>
        """)
    ]
    for page in 1...3 {
      replies["/\(page)"] = Site.page("<a href=/\(page)/a>RSS</a> <a href=/\(page)/b>Atom</a>")
    }
    try await Site(replies: replies).serve { base, server, sources in
      let error = await #expect(throws: SourceError.self) {
        try await sources.discover(base + "/~ada/")
      }
      #expect(error?.kind == .notAFeed || error?.status == 404)
      #expect(server.requests.count == 12)
    }
  }

  /// Behind an app whatever is asked for is the app, and on other sites everything leads home. Files
  /// are there all the same.
  @Test(arguments: [
    Site.page("<p>Hello</p>"), WireReply(status: 302, headers: [("Location", "/")]),
    WireReply(status: 301, headers: [("Location", "/")]),
  ])
  func `A site that answers everything with one page may have a feed among its files`(
    _ fallback: WireReply
  ) async throws {
    try await withAnswers({ request in
      switch request.path {
      case "/": .reply(Site.page("<p>Hello</p>"))
      case "/feed.xml": .reply(.rss(["a"]))
      default: .reply(fallback)
      }
    }) { base, server, sources in
      try await sources.check(base, leadsTo: base + "/feed.xml")
      let asked = server.paths.filter { fallback.status == 200 || $0 != "/" }
      #expect(asked.suffix(4) == ["/feed/", "/rss.xml", "/atom.xml", "/feed.xml"])
    }
  }

  @Test func `Where all is in vain, the error says what was asked`() async throws {
    try await withAnswers({ _ in .reply(Site.page("<p>An app</p>")) }) { base, server, sources in
      let error = await #expect(throws: SourceError.self) {
        try await sources.discover(base + "/?key=secret")
      }
      #expect(
        error?.message
          == "This is a page that names no feed, and there is none at /feed/, /rss.xml, /atom.xml, "
          + "/feed.xml, /index.xml, /feed.json, /feed, /rss, /blog/feed/.")
      #expect(error?.subject == base + "/" && error?.stage == .parse)
      #expect(server.paths.count == 10)
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
      #expect(error?.message.contains("ended at /feed/: ") == true)
      #expect(error?.message.contains("\(status)") == true)
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
      #expect(bare?.next == "look for the address of the feed on the site")
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

  // MARK: One more step

  @Test(arguments: [
    "<a href='/rss'>RSS</a>", "<link rel=alternate type=application/rss+xml href=/rss>",
    "<a href='/subscribe?x=1'>Our feeds</a>",
  ])
  func `A link to a page about feeds is followed once`(_ link: String) async throws {
    let site = Site(replies: [
      "/": Site.page(link), "/rss": Site.page("<a href='/1.xml'>All</a>"),
      "/subscribe?x=1": Site.page("<link rel=alternate type=application/rss+xml href=/1.xml>"),
      "/1.xml": .rss(["a"]),
    ])
    try await site.serve { base, server, sources in
      try await sources.check(base, leadsTo: base + "/1.xml")
      #expect(server.paths.count == 3)
    }
  }

  @Test func `A page about many feeds leaves the choice`() async throws {
    let site = Site(replies: [
      "/": Site.page("<a href='/rss'>RSS</a>"),
      "/rss": Site.page(
        "<a href='/all/1.xml'>All</a><a href='/2.xml'>Sport</a><a href=/rss>RSS</a>"),
      "/2.xml": .rss(["a"]),
    ])
    try await site.serve { base, _, sources in
      let links = try await sources.discover(base).links
      #expect(links.map(\.url) == [base + "/all/1.xml", base + "/2.xml"])
      #expect(links.map(\.title) == ["All", "Sport"])
      // Somebody who is not asked gets the first that is one.
      let link = FeedLink(url: base + "/rss")
      let first = try await sources.locate(oneOf: [link], namedBy: base)
      #expect(first.url == base + "/2.xml")
    }
  }

  @Test func `Pages about feeds that lead to pages about feeds are not followed`() async throws {
    try await withAnswers({ request in
      let next = (Int(request.path.dropFirst().dropLast(4)) ?? 0) + 1
      return .reply(
        request.path == "/" || request.path.hasSuffix(".rss")
          ? Site.page("<a href='/\(next).rss'>RSS</a>") : WireReply(status: 404))
    }) { base, server, sources in
      let error = await #expect(throws: SourceError.self) { try await sources.discover(base) }
      #expect(error?.subject == base + "/2.rss")
      #expect(server.paths.prefix(3) == ["/", "/1.rss", "/2.rss"])
      #expect(!server.paths.contains("/3.rss") && server.requests.count <= 12)
    }
  }

  @Test func `A page that leads on by itself is followed once`() async throws {
    let onward = "<meta http-equiv=refresh content='0; url=/home/'>"
    let site = Site(replies: [
      "/": Site.page(onward), "/home/": Site.page("<link rel=feed href=r.xml>"),
      "/home/r.xml": .rss(["a"]), "/both": Site.page(onward + "<a href=/b.rss>RSS</a>"),
      "/b.rss": .rss(["b"]), "/gone": Site.page("<meta http-equiv=refresh content='0;url=/404'>"),
      "/feed/": .rss(["c"]),
    ])
    try await site.serve { base, server, sources in
      try await sources.check(base, leadsTo: base + "/home/r.xml")
      #expect(server.paths == ["/", "/home/", "/home/r.xml"])
      try await sources.check(base + "/both", leadsTo: base + "/b.rss")
      try await sources.check(base + "/gone", leadsTo: base + "/feed/")
    }
    try await withAnswers({ request in
      let next = (Int(request.path.dropFirst()) ?? 0) + 1
      return .reply(Site.page("<meta http-equiv=refresh content='0;url=/\(next)'>"))
    }) { base, server, sources in
      await #expect(throws: SourceError.self) { try await sources.discover(base) }
      #expect(server.paths.contains("/1") && !server.paths.contains("/2"))
      #expect(server.requests.count <= 12)
    }
  }

  /// Where it says so of what is none, words have to be proved.
  @Test(
    arguments: [
      (
        "<a href=/activity>Activity feed</a><a href=/dogs>Dog feed</a>", "", "/feed",
        ["/", "/activity", "/dogs", "/feed/", "/feed"]
      ),
      (
        "<a href=/dogs>Feed</a>", "<a href=/wet>Wet feed</a><a href=/dry>Dry feed</a>", "/feed",
        ["/", "/dogs", "/wet", "/dry", "/feed/", "/feed"]
      ),
      (
        (0..<400).map { "<a href=/x\($0)>feed</a>" }.joined(), "", "/feed",
        ["/", "/x0", "/x1", "/x2", "/feed/", "/feed"]
      ),
      (
        (0..<9).map { "<a href=/x\($0)>feed</a>" }.joined() + "<a href=/n>RSS</a>", "", "/n",
        ["/", "/n", "/x0", "/x1"]
      ),
      (
        "<a href=/dogs>Dog feed</a><a href=/n>News feed</a>",
        "<a href=/wet>Wet feed</a><a href=/dry>Dry feed</a><a href=/raw>Raw feed</a>", "/n",
        ["/", "/dogs", "/wet", "/dry", "/n"]
      ),
      (
        "<a href=/dogs>Feed</a>", "<a href=/wet>Wet feed</a><a href=/n>Dry feed</a>", "/n",
        ["/", "/dogs", "/wet", "/n"]
      ),
    ] as [(String, String, String, [String])])
  func `Pages that are called feeds keep nobody from one that is`(
    _ links: String, _ dogs: String, _ place: String, _ asked: [String]
  ) async throws {
    try await withAnswers({ request in
      switch request.path {
      case "/": .reply(Site.page(links))
      case "/dogs": .reply(Site.page("<p>Dogs</p>" + dogs))
      case _ where request.path == place: .reply(.rss(["a"]))
      case "/feed/": .reply(WireReply(status: 404))
      default: .reply(Site.page("<p>\(request.path)</p>"))
      }
    }) { base, server, sources in
      try await sources.check(base, leadsTo: base + place)
      #expect(server.paths == asked)
    }
  }

  @Test(arguments: [("", 3), ("<a href='/?f=4'>Feed 4</a><a href='/?f=5'>Feed 5</a>", 5)])
  func `Several that are called feeds and are some leave the choice`(
    _ others: String, _ count: Int
  ) async throws {
    let links = (1...3).map { "<a href='/?f=\($0)'>Feed \($0)</a>" }.joined() + others
    for about in [true, false] {
      try await withAnswers({ request in
        if String(request.target).contains("f=") { return .reply(.rss(["a"])) }
        let hasLinks = about == (request.path == "/about")
        return .reply(Site.page(hasLinks ? links : "<a href=/about>Our feeds</a>"))
      }) { base, server, sources in
        let found = try await sources.discover(base).links
        #expect(found.map(\.url) == (1...count).map { base + "/?f=\($0)" })
        #expect(found.map(\.title) == (1...count).map { "Feed \($0)" })
        #expect(server.requests.count == 4)
      }
    }
  }

  // MARK: Beside the page

  @Test(arguments: [
    ("/blog/post/1", "/blog/feed"), ("/blog/post/1", "/blog/feed/"),
    ("/blog/2024/05/post/", "/blog/feed/"), ("/~ada/posts/x.html", "/~ada/feed.xml"),
    ("/@ada/1234", "/@ada.rss"), ("/c/sea", "/feeds/c/sea.xml?sort=New"),
    ("/a/ada/videos", "/feeds/videos.xml?accountName=ada"), ("/blog/x", "/rss"),
  ])
  func `From the page of an article its blog is found`(
    _ page: String, _ feed: String
  ) async throws {
    let site = Site(replies: [page: Site.page("<p>Hello</p>"), feed: .rss(["a"])])
    try await site.serve { base, server, sources in
      try await sources.check(base + page, leadsTo: base + feed)
      #expect(server.requests.count <= 12)
    }
  }

  @Test(arguments: [404, 410])
  func `Where a page is gone, the first page of its site is looked at, and that is said`(
    _ status: Int
  ) async throws {
    let link = "<link rel=alternate type=application/rss+xml href=/r.xml>"
    for others in ["", "<link rel=alternate type=application/atom+xml href=/a.xml>"] {
      try await withAnswers({ request in
        switch request.path {
        case "/": .reply(Site.page(link + others))
        case "/r.xml": .reply(.rss(["a"]))
        default: .reply(WireReply(status: status))
        }
      }) { base, server, sources in
        let found = try await sources.discover(base + "/old/post?x=1")
        #expect(found.foundAt == base + "/")
        #expect(server.paths.prefix(2) == ["/old/post?x=1", "/"])
        #expect(others.isEmpty ? found.url == base + "/r.xml" : found.links.count == 2)
        if !others.isEmpty {
          let chosen = try await sources.locate(oneOf: found.links, namedBy: base)
          #expect(chosen.foundAt == base + "/")
        }
        let typed = try await sources.discover(base)
        #expect(typed.foundAt == nil)
      }
    }
  }

  @Test func `Where that page leads to no feed, the error is that of the address`() async throws {
    let site = Site(replies: ["/": Site.page("<p>Hello</p>"), "/feed/": .rss(["a"])])
    try await site.serve { base, server, sources in
      let error = await #expect(throws: SourceError.self) {
        try await sources.discover(base + "/old/post")
      }
      #expect(error?.status == 404 && error?.subject == base + "/old/post")
      #expect(error?.next?.contains("first page") == true)
      #expect(server.paths == ["/old/post", "/"])
    }
    let back = Site(replies: ["/": Site.page("<meta http-equiv=refresh content='0;url=/gone'>")])
    try await back.serve { base, server, sources in
      await #expect(throws: SourceError.self) { try await sources.discover(base + "/gone") }
      #expect(server.paths == ["/gone", "/"])
    }
    try await Site().serve { base, server, sources in
      let error = await #expect(throws: SourceError.self) { try await sources.discover(base + "/") }
      #expect(error?.status == 404)
      #expect(server.paths == ["/"])
    }
  }

  // MARK: What comes

  @Test func `A list of feeds is told from a page, and nothing else is asked`() async throws {
    let list = "<opml version='2.0'><body><outline text='a' xmlUrl='https://e.org/'/></body></opml>"
    for type in ["text/x-opml", "text/xml", "text/plain"] {
      let site = Site(replies: ["/list.opml": WireReply(type: type, text: list)])
      try await site.serve { base, server, sources in
        let error = await #expect(throws: SourceError.self) {
          try await sources.discover(base + "/list.opml")
        }
        #expect(error?.kind == .notAFeed && error?.stage == .parse)
        #expect(error?.subject == base + "/list.opml")
        #expect(error?.message == "This is a list of feeds (OPML), not a feed.")
        #expect(error?.next?.contains("telex import") == true)
        #expect(server.paths == ["/list.opml"])
      }
    }
  }

  @Test(
    arguments: [
      ("text/html; charset=windows-1251", "", String.Encoding.windowsCP1251),
      ("text/html", "<meta charset=windows-1251>", .windowsCP1251), ("text/html", "", .utf16),
    ] as [(String, String, String.Encoding)])
  func `The titles of feeds are read in the page's encoding`(
    _ type: String, _ head: String, _ encoding: String.Encoding
  ) async throws {
    let links = ["/a", "/b"].map {
      "<link rel=alternate type=application/rss+xml title='Новости' href='\($0)'>"
    }
    let html = "<!doctype html><html><head>\(head)\(links.joined())</head></html>"
    let body = [UInt8](try #require(html.data(using: encoding)))
    try await withAnswers({ _ in
      .reply(WireReply(headers: [("Content-Type", type)], body: body))
    }) { base, _, sources in
      let links = try await sources.discover(base).links
      #expect(links.map(\.title) == ["Новости", "Новости"])
    }
  }

  // MARK: http and https

  /// `*.localhost` is this machine for curl, and no name for which Telex itself takes http.
  @Test func `Where feed: is not answered over TLS, http is asked once`() async throws {
    try await Site(replies: ["/f": .rss(["a"])]).serve { base, server, sources in
      let host = "feeds.localhost:\(server.port)"
      try await sources.check("feed://\(host)/f", leadsTo: "http://\(host)/f")
      try await sources.check("podcast:\(host)/f", leadsTo: "http://\(host)/f")
      #expect(server.paths == ["/f", "/f"])
      // Who says https, or nothing, means https.
      for typed in [
        "https://\(host)/f", "feeds://\(host)/f", "feed:https://\(host)/f", "\(host)/f",
      ] {
        let error = await #expect(throws: SourceError.self) { try await sources.discover(typed) }
        #expect(error?.kind == .tls)
      }
      #expect(server.paths == ["/f", "/f"])
      // A status is an answer.
      let gone = await #expect(throws: SourceError.self) {
        try await sources.discover("feed://\(host)/gone")
      }
      #expect(gone?.status == 404 && gone?.subject == "http://\(host)/gone")
      await server.stop()
      let error = await #expect(throws: SourceError.self) {
        try await sources.discover("feed://\(host)/f")
      }
      #expect(error?.kind == .refused && error?.subject == "https://\(host)/f")
    }
  }

  @Test func `On a page over http feed: is http`() async throws {
    try await withAnswers({ request in
      let host = request.header("Host") ?? ""
      return .reply(
        request.path == "/f"
          ? .rss(["a"])
          : Site.page("<link rel=alternate type=text/rss href='feed://\(host)/f'>"))
    }) { base, server, sources in
      try await sources.check(base, leadsTo: base + "/f")
      #expect(server.paths == ["/", "/f"])
    }
  }

  // MARK: YouTube

  private static let channel = "UCabcdefghijklmnopqrs-_v"

  /// A proxy that answers as YouTube does in the European Union.
  private func withYouTube(
    asksAlways: Bool = false, _ body: (RawServer, Sources) async throws -> Void
  ) async throws {
    let consent = "http://consent.youtube.com/m?continue=http%3A%2F%2Fwww.youtube.com%2F%40ada"
    let server = RawServer { request in
      switch request.target {
      case "http://www.youtube.com/@ada" where asksAlways || request.header("Cookie") != "SOCS=CAI":
        .reply(WireReply(status: 302, headers: [("Location", consent)]))
      case "http://www.youtube.com/@ada":
        .reply(
          Site.page(
            "<link rel=alternate type=application/rss+xml "
              + "href='http://www.youtube.com/feeds/videos.xml?channel_id=\(Self.channel)'>"))
      case "http://youtube.com/@ada":
        .reply(WireReply(status: 301, headers: [("Location", "http://www.youtube.com/@ada")]))
      case consent: .reply(Site.page("<form action='/save'>Before you continue</form>"))
      case _ where request.target.contains("videos.xml"): .reply(.rss(["a"]))
      default: .reply(WireReply(status: 404))
      }
    }
    let port = try server.start()
    let proxied = makeSources(proxy: ProxySettings(http: "http://127.0.0.1:\(port)"))
    do {
      try await body(server, proxied)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  @Test(arguments: [
    "http://www.youtube.com/@ada", "http://youtube.com/@ada",
    "http://consent.youtube.com/m?continue=http%3A%2F%2Fwww.youtube.com%2F%40ada&gl=DE",
  ])
  func `YouTube's question about cookies is answered with no`(_ typed: String) async throws {
    try await withYouTube { server, sources in
      let found = try await sources.discover(typed)
      #expect(found.url?.hasSuffix("videos.xml?channel_id=\(Self.channel)") == true)
      // The answer goes with the page only.
      let withCookie = server.requests.filter { $0.header("Cookie") != nil }.map(\.target)
      #expect(withCookie.allSatisfy { $0.hasSuffix("youtube.com/@ada") } && !withCookie.isEmpty)
    }
  }

  @Test func `Where YouTube asks all the same, the error says what works`() async throws {
    try await withYouTube(asksAlways: true) { server, sources in
      let error = await #expect(throws: SourceError.self) {
        try await sources.discover("http://www.youtube.com/@ada")
      }
      #expect(error?.message.contains("consent") == true)
      #expect(error?.next?.contains("https://www.youtube.com/channel/UC") == true)
      #expect(error?.subject == "http://www.youtube.com/@ada")
      #expect(server.requests.count == 2)
    }
  }

  @Test func `Other hosts get no cookie`() async throws {
    try await Site(replies: ["/": Site.page("<a href=/f.rss>RSS</a>"), "/f.rss": .rss(["a"])]).serve
    {
      base, server, sources in
      _ = try await sources.discover(base)
      #expect(server.requests.count == 2)
      #expect(server.requests.allSatisfy { $0.header("Cookie") == nil })
    }
  }
}
