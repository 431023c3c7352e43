import FeedServer
import Foundation
import News
import TelexKit
import TestSupport
import Testing

@Suite struct UseCaseTests {
  /// Without the keyring of whoever runs the tests.
  private func composition(_ folder: String) throws -> Composition {
    let config = folder + "/keyring.toml"
    try Data("[secrets]\nkeyring = false\n".utf8).write(to: URL(filePath: config))
    return try Composition(folder: folder, settings: try Settings.load(named: config)) { _ in }
  }

  /// A subscription to the served feed, with as many articles more as are wanted.
  private func subscription(
    _ server: FeedServer, _ composition: Composition, articles: Int = 0, in folder: String = ""
  ) async throws -> Feed {
    let addition = try FeedAddition(composition, at: server.baseURL + "/rss.xml")
    guard case .feed(let found) = try await addition.find() else { throw Ambiguous() }
    let feed = try await addition.add(found).feed
    guard articles > 0 else { return feed }
    let lines = (1...articles).map { number in
      "{\"id\":\"a\(number)\",\"title\":\"T\(number)\",\"published\":\"2020-01-01T00:00:00Z\"}"
    }
    let file = folder + "/articles.ndjson"
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: file))
    try await ArticleImport(composition, into: feed, from: file).run { _ in }
    return feed
  }

  private struct Ambiguous: Error {}

  @Test func `the README names each service that a user can sign in at`() throws {
    let file = fixtures.deletingLastPathComponent().appending(path: "README.md")
    let readme = try String(contentsOf: file, encoding: .utf8).replacing("\n", with: " ")
    for service in Logins.services where !service.hasSuffix(" API") {
      #expect(readme.contains(service), "\(service)")
    }
  }

  @Test func `a feed that is added again says what has changed`() async throws {
    try await withServer { server, folder in
      let composition = try composition(folder)
      _ = try await subscription(server, composition)
      server.insert([article("Second")])
      let again = try FeedAddition(
        composition, at: server.baseURL + "/rss.xml", folders: [" News / ", "/"])
      guard case .feed(let found) = try await again.find() else { throw Ambiguous() }
      let added = try await again.add(found, title: "Mine")
      #expect(!added.isNew)
      #expect(added.changes == [.title("Mine"), .folders(["News"]), .articles(1)])
      #expect(try Subscriptions(composition).folder(named: "News/") == FolderID("News"))
      #expect(throws: SourceError.self) { try Subscriptions(composition).folder(named: "Other") }
    }
  }

  @Test func `cards have an article of two feeds once, as the list does`() async throws {
    try await withServer { server, folder in
      let composition = try composition(folder)
      _ = try await subscription(server, composition)
      let other = try FeedAddition(composition, at: server.baseURL + "/atom.xml")
      guard case .feed(let found) = try await other.find() else { throw Ambiguous() }
      _ = try await other.add(found)
      let articles = Articles(composition)
      let (all, query) = (try articles.ids(of: .all), try ArticleQuery("unread"))
      for timeline in [Timeline.all, .unread, .matching(query, in: .all)] {
        let cards = try await articles.firstUnread(of: timeline, in: .newest, limit: 100)
        #expect(cards.count * 2 == all.count && !cards.isEmpty)
      }
    }
  }

  @Test func `a setting that another process has made meanwhile stays`() async throws {
    try await withServer { server, folder in
      let composition = try composition(folder)
      let feed = try await subscription(server, composition)
      let subscriptions = Subscriptions(composition)
      _ = try await subscriptions.set([(.interval, "3h")], of: feed)
      // As it was read before.
      let set = try await subscriptions.set([(.browser, "lynx")], of: feed)
      #expect(set.settings.browser == "lynx" && set.settings.interval == 3 * 3_600)
    }
  }

  @Test func `comments whose pages never end are read as far as they bring something`() async throws
  {
    let server = RawServer { request in
      let walked = request.query("cursor") ?? ""
      let text =
        switch request.path {
        case "/api": #"{"api": "telex-feed", "version": 1}"#
        case "/api/articles": #"{"items": [{"id": "a", "title": "a"}]}"#
        default:
          #"{"items": [{"id": "1", "text": "one"}], "nextCursor": "#
            // Where nobody stops, the test does.
            + (walked.count > 50 ? "null}" : "\"\(walked)x\"}")
        }
      return .reply(WireReply(type: "application/json", text: text))
    }
    let port = try server.start()
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let composition = try composition(folder)
    let addition = try FeedAddition(composition, at: "http://127.0.0.1:\(port)/api")
    guard case .feed(let found) = try await addition.find() else { throw Ambiguous() }
    _ = try await addition.add(found)
    var articles: [ArticleID] = []
    try Articles(composition).forEachRow(of: .all) { articles.append($0.id) }
    let thread = try await Comments(composition).thread(on: try #require(articles.first))
    #expect(thread.rows.map(\.comment.text) == ["one"])
    #expect(server.requests.count { $0.path.hasSuffix("/comments") } == 4)
    await server.stop()
  }

  @Test(arguments: [nil, 1, 200, 201, 449])
  func `a long list is read in pages, each row once`(limit: Int?) async throws {
    try await withServer { server, folder in
      let composition = try composition(folder)
      _ = try await subscription(server, composition, articles: 449, in: folder)
      var whole: [ArticleRow] = []
      try Articles(composition).forEachRow(of: .all) { whole.append($0) }
      #expect(whole.count == 450 && Set(whole.map(\.id)).count == 450)
      #expect(whole.map(\.position) == whole.map(\.position).sorted { $0 > $1 })

      var rows: [ArticleID] = []
      try Articles(composition).forEachRow(of: .all, after: whole[0].position, limit: limit) {
        rows.append($0.id)
      }
      #expect(rows == whole.dropFirst().prefix(limit ?? .max).map(\.id))
    }
  }

  @Test func `marks of articles of which one is missing change nothing`() async throws {
    try await withServer { server, folder in
      let articles = Articles(try composition(folder))
      _ = try await subscription(server, try composition(folder))
      var ids: [ArticleID] = []
      try articles.forEachRow(of: .all) { ids.append($0.id) }
      await #expect(throws: SourceError.self) {
        try await articles.setRead(ids + [ArticleID(4_711)], true)
      }
      #expect(try articles.article(ids[0]).status.isRead == false)
      try await articles.setStarred(ids, true)
      #expect(try articles.article(ids[0]).status.isStarred)
    }
  }

  @Test func `a list of feeds comes back as it was taken`() async throws {
    try await withServer { _, folder in
      let subscriptions = Subscriptions(try composition(folder))
      let file = folder + "/list.opml"
      try Data(
        """
        <opml version="2.0"><body><outline text="News"><outline type="rss" text="A" \
        xmlUrl="https://ada:pa55word@a.example/feed"/></outline></body></opml>
        """.utf8
      ).write(to: URL(filePath: file))
      let document = try OPMLDocument(file: file)
      #expect(try await subscriptions.take(document, isTrusted: false) == (1, 0))
      #expect(try await subscriptions.take(document, isTrusted: false) == (0, 1))
      let feed = try #require(try subscriptions.outline().feeds.first)
      #expect(feed.url == "https://a.example/feed" && feed.needsSignIn)
      #expect(feed.title == "A" && feed.categories == [["News"]])
    }
  }

  @Test func `a list says that a feed needs a sign-in, also where nobody has signed in`()
    async throws
  {
    try await withServer { _, folder in
      let subscriptions = Subscriptions(try composition(folder))
      let file = folder + "/list.opml"
      try Data(
        """
        <opml version="2.0"><body><outline type="rss" text="A" \
        xmlUrl="https://ada:pa55word@a.example/feed"/><outline type="rss" text="B" \
        xmlUrl="https://b.example/feed" priority="main"/></body></opml>
        """.utf8
      ).write(to: URL(filePath: file))
      _ = try await subscriptions.take(OPMLDocument(file: file), isTrusted: false)
      let exported = try subscriptions.outline()

      try FileManager.default.createDirectory(
        atPath: folder + "/other", withIntermediateDirectories: true)
      let other = Subscriptions(try composition(folder + "/other"))
      try Data(exported.opml.utf8).write(to: URL(filePath: file))
      let taken = try OPMLDocument(file: file)
      for _ in 0..<2 { _ = try await other.take(taken, isTrusted: false) }
      let again = try other.outline()
      #expect(again.feeds.map(\.needsSignIn) == [true, false])
      #expect(again.feeds.map(\.attributes) == exported.feeds.map(\.attributes))
      #expect(again.opml == exported.opml)
    }
  }

  @Test func `a list from before a feed moved brings it no second time`() async throws {
    try await withServer { _, folder in
      let subscriptions = Subscriptions(try composition(folder))
      let file = folder + "/list.opml"
      try Data(
        """
        <opml version="2.0"><body><outline text="News"><outline type="rss" text="A" \
        xmlUrl="http://a.example/feed"/></outline></body></opml>
        """.utf8
      ).write(to: URL(filePath: file))
      let document = try OPMLDocument(file: file)
      #expect(try await subscriptions.take(document, isTrusted: false) == (1, 0))
      let feed = try #require(try subscriptions.feeds().first)
      try await subscriptions.move(feed.id, to: "https://a.example/feed")
      #expect(try await subscriptions.take(document, isTrusted: false) == (0, 1))
      #expect(try subscriptions.feeds().map(\.url) == ["https://a.example/feed"])
    }
  }

  @Test func `a list that is not taken to its end leaves no password behind`() async throws {
    try await withServer { _, folder in
      let subscriptions = Subscriptions(try composition(folder))
      let outlines = (0..<200).map {
        "<outline type='rss' xmlUrl='https://ada:pa55word@a.example/feed/\($0)'/>"
      }
      let file = folder + "/list.opml"
      try Data("<opml version='2.0'><body>\(outlines.joined())</body></opml>".utf8)
        .write(to: URL(filePath: file))
      let document = try OPMLDocument(file: file)
      let taking = Task { try await subscriptions.take(document, isTrusted: false) }
      let secrets = folder + "/secrets/credentials.json"
      #expect(await eventually { FileManager.default.fileExists(atPath: secrets) })
      taking.cancel()
      await #expect(throws: (any Error).self) { try await taking.value }
      #expect(try subscriptions.feeds().isEmpty)
      #expect(!FileManager.default.fileExists(atPath: secrets))
      let (added, _) = try await subscriptions.take(document, isTrusted: false)
      #expect(added == 200)
      let kept = try String(contentsOfFile: secrets, encoding: .utf8)
      #expect(kept.components(separatedBy: "pa55word").count == 201)
    }
  }

  @Test func `the output of a program has no other address`() async throws {
    try await withServer { server, folder in
      let composition = try composition(folder)
      let file = folder + "/feed.xml"
      let text = "<rss version='2.0'><channel><item><title>One</title></item></channel></rss>"
      try Data(text.utf8).write(to: URL(filePath: file))
      let addition = try FeedAddition(
        composition, at: "", document: DocumentChange(command: "cat '\(file)'"))
      guard case .feed(let found) = try await addition.find() else { throw Ambiguous() }
      let feed = try await addition.add(found).feed
      #expect(feed.isCommand && feed.counts.total == 1)
      let subscriptions = Subscriptions(composition)
      let error = await #expect(throws: SourceError.self) {
        try await subscriptions.newPlace(of: feed.id, at: server.baseURL + "/rss.xml")
      }
      #expect(error?.next?.contains("--command") == true)
      #expect(try subscriptions.feeds().map(\.url) == [feed.url])
    }
  }

  @Test(arguments: [
    ("[network]\nlow_data = 1\n", Finding.State.failed), ("[screen]\nmouse = 1\n", .attention),
  ])
  func `the doctor goes on with settings that cannot be read`(
    text: String, state: Finding.State
  ) async throws {
    try await withServer { _, folder in
      let config = folder + "/config.toml"
      try Data(text.utf8).write(to: URL(filePath: config))
      let doctor = try await Doctor(folder: folder + "/store", config: config) { _ in }
      let terminal = Finding.ok("terminal", "Terminal", "a pipe")
      let groups = try await doctor.machine(frontEnd: [terminal])
      #expect(groups.last?.map(\.name) == ["feeds", "terminal"])
      let settings = groups.joined().first { $0.name == "config" }
      #expect(settings?.state == state)
      await #expect(throws: SourceError.self) { try await doctor.address("4711") }
    }
  }
}
