internal import FeedServer
internal import Foundation
internal import News
internal import Services
internal import Testing

@Suite struct SourceTests {
  static let paths: [(String, FeedFormat)] = [
    ("/rss.xml", .rss), ("/atom.xml", .atom), ("/rdf.xml", .rdf), ("/feed.json", .json),
    ("/api", .api),
  ]

  @Test(arguments: paths)
  func `The newest page of each format holds the newest articles`(
    path: String, format: FeedFormat
  ) async throws {
    try await withServer { server, sources in
      let page = try await sources.page(of: feed(server.baseURL + path, format: format))
      #expect(page.description?.format == format)
      #expect(page.description?.title == server.archive.title)
      let expected = server.archive.articles.prefix(page.entries.count)
      #expect(page.entries.map(\.title) == expected.map { title($0, in: format) })
      #expect(page.entries.map(\.published) == expected.map(\.published))
      #expect(page.entries.count >= 40)
      let entry = try #require(page.entries.first)
      #expect(entry.url?.hasPrefix(server.baseURL) == true)
      #expect(entry.contentHTML?.contains("<p>") == true)
      #expect(page.bodyDigest != nil)
      #expect(page.validators.etag != nil)
    }
  }

  @Test(
    arguments: [("/atom.xml", .atom), ("/feed.json", .json), ("/api", .api)]
      as [(String, FeedFormat)])
  func `The pages after it are each of the archive once, to its end`(
    path: String, format: FeedFormat
  ) async throws {
    try await withServer { server, sources in
      let feed = feed(server.baseURL + path, format: format)
      var titles: [String?] = []
      var cursor: Cursor?
      var count = 0
      repeat {
        let page = try await sources.page(of: feed, after: cursor)
        titles += page.entries.map(\.title)
        cursor = page.nextCursor
        count += 1
        if count == 1 { server.insertFresh(2) }
      } while cursor != nil && count < 20
      let expected = server.archive.articles.dropFirst(2)
      #expect(titles == expected.map { title($0, in: format) })
      #expect(count > 2)
    }
  }

  @Test(arguments: [
    ("elsewhere/feed.xml", "/feeds/elsewhere/a"), ("/", "/a"),
    // Of a server behind another one, and of nobody.
    ("http://backend.example/feed.xml", "/feeds/a"), ("", "/feeds/a"), ("mailto:x", "/feeds/a"),
  ])
  func `Relative addresses refer to where the server says that the document lies`(
    location: String, expected: String
  ) async throws {
    let rss = "<rss><channel><item><link>a</link></item></channel></rss>"
    let answer = WireReply(
      type: "application/rss+xml", headers: [(name: "Content-Location", value: location)],
      text: rss)
    try await withAnswers({ _ in .reply(answer) }) { base, _, sources in
      let page = try await sources.page(of: feed(base + "/feeds/news.xml"))
      #expect(page.entries.first?.url == base + expected)
    }
  }

  @Test(arguments: paths)
  func `What has not changed is not sent again`(path: String, format: FeedFormat) async throws {
    try await withServer { server, sources in
      let feed = feed(server.baseURL + path, format: format)
      let page = try await sources.page(of: feed)
      let known = KnownPage(validators: page.validators, bodyDigest: page.bodyDigest)
      server.forgetRequests()
      let answer = try await sources.source(for: feed).page(after: nil, known: known)
      guard case .unchanged(let validators) = answer.body else {
        Issue.record("it was sent again")
        return
      }
      #expect(validators.etag == page.validators.etag)
      let request = try #require(server.requests.first)
      #expect(request.header("If-None-Match") == page.validators.etag)
      #expect(request.header("If-Modified-Since") == page.validators.lastModified)

      server.insertFresh(1)
      let changed = try await sources.source(for: feed).page(after: nil, known: known)
      guard case .page = changed.body else {
        Issue.record("the new article is not there")
        return
      }
    }
  }

  /// A title as a user sees it: an empty one is none, and those of RSS are markup.
  private func title(_ article: Archive.Article, in format: FeedFormat) -> String? {
    guard let title = article.entry.title, !title.isEmpty else {
      return format == .api ? article.entry.title : nil
    }
    return [.rss, .rdf].contains(format) ? title.replacing("<b> ", with: "") : title
  }

  @Test func `The same bytes without a validator are unchanged too`() async throws {
    try await withAnswers({ _ in .reply(.rss(["a"])) }) { base, server, sources in
      let page = try await sources.page(of: feed(base))
      #expect(page.validators.isEmpty)
      let answer = try await sources.source(for: feed(base))
        .page(after: nil, known: KnownPage(bodyDigest: page.bodyDigest))
      #expect(answer.body == .unchanged(Validators()))
      #expect(server.requests.count == 2)
      #expect(server.requests.allSatisfy { $0.header("If-None-Match") == nil })
    }
  }

  @Test(arguments: [(301, true), (308, true), (302, false), (307, false)])
  func `Only a permanent redirect is a move`(status: Int, isMove: Bool) async throws {
    try await withAnswers({ request in
      request.path == "/old"
        ? .reply(WireReply(status: status, headers: [("Location", "/new")]))
        : .reply(.rss(["a"]))
    }) { base, _, sources in
      let answer = try await sources.source(for: feed(base + "/old"))
        .page(after: nil, known: KnownPage())
      #expect(answer.movedTo == (isMove ? base + "/new" : nil))
    }
  }

  @Test(arguments: [
    ("/new/articles?limit=50", "/new"), ("/new/articles", "/new"), ("/elsewhere", nil),
  ])
  func `An API that moves for good takes its base along`(
    location: String, moved: String?
  ) async throws {
    try await withAnswers({ request in
      request.path == "/old/articles"
        ? .reply(WireReply(status: 301, headers: [("Location", location)]))
        : .reply(WireReply(type: "application/json", text: #"{"items": [], "nextCursor": null}"#))
    }) { base, _, sources in
      let answer = try await sources.source(for: feed(base + "/old", format: .api))
        .page(after: nil, known: KnownPage())
      #expect(answer.movedTo == moved.map { base + $0 })
    }
  }

  @Test func `A server's max-age and the feed's ttl: the longer is kept`() async throws {
    try await withAnswers({ _ in
      .reply(.rss(["a"], headers: [("Cache-Control", "max-age=7200")]))
    }) { base, _, sources in
      let page = try await sources.page(of: feed(base))
      #expect(page.description?.minutesToLive == 120)
    }
  }

  @Test(
    arguments: [
      ("max-age=7200", "Tue, 14 Nov 2023 23:13:20 GMT", 120),
      ("private", "Tue, 14 Nov 2023 23:13:20 GMT", 60), ("private", "0", nil),
      ("private", "Tue, 14 Nov 2023 20:13:20 GMT", 0),
      ("no-cache", "Tue, 14 Nov 2023 23:13:20 GMT", nil),
      ("private", "Tue, 14 Nov 2073 23:13:20 GMT", 24 * 60),
    ] as [(String, String, Int?)])
  func `Without a max-age the date of expiry counts, from that of the answer on`(
    control: String, expires: String, minutes: Int?
  ) async throws {
    let headers: [(name: String, value: String)] = [
      ("Cache-Control", control), ("Expires", expires), ("Date", "Tue, 14 Nov 2023 22:13:20 GMT"),
    ]
    try await withAnswers({ _ in .reply(.rss(["a"], headers: headers)) }) { base, _, sources in
      let page = try await sources.page(of: feed(base))
      #expect(page.description?.minutesToLive == minutes)
    }
  }

  @Test func `A year of freshness is taken for a day`() async throws {
    try await withAnswers({ _ in
      .reply(.rss(["a"], headers: [("Cache-Control", "max-age=31536000")]))
    }) { base, _, sources in
      let page = try await sources.page(of: feed(base))
      #expect(page.description?.minutesToLive == 24 * 60)
    }
  }

  @Test func `A pipe is no feed, and nobody waits for it`() async throws {
    let path = NSTemporaryDirectory() + "telex-\(UUID().uuidString)"
    try #require(mkfifo(path, 0o600) == 0)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let error = await #expect(throws: SourceError.self) { try await makeSources().locate(path) }
    #expect(error?.kind == .file)
    #expect(error?.message == "This is not an ordinary file.")
  }

  @Test func `A file is a feed, and unchanged while its bytes are`() async throws {
    let folder = NSTemporaryDirectory() + "telex-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/a feed.xml"
    try Data(WireReply.rss(["a", "b"]).body).write(to: URL(filePath: path))
    let sources = makeSources()
    let located = try await sources.locate(path)
    #expect(located.url.hasPrefix("file:///"))
    #expect(located.page.entries.map(\.title) == ["a", "b"])
    let feed = feed(located.url)
    let known = KnownPage(bodyDigest: located.page.bodyDigest)
    let answer = try await sources.source(for: feed).page(after: nil, known: known)
    #expect(answer.body == .unchanged(Validators()))
    try Data(WireReply.rss(["c"]).body).write(to: URL(filePath: path))
    #expect(try await sources.page(of: feed).entries.map(\.title) == ["c"])

    try FileManager.default.removeItem(atPath: path)
    let gone = await #expect(throws: SourceError.self) { try await sources.page(of: feed) }
    #expect(gone?.kind == .file)
    #expect(gone?.next != nil)
    let isFolder = await #expect(throws: SourceError.self) { try await sources.locate(folder) }
    #expect(isFolder?.kind == .file)
  }
}
