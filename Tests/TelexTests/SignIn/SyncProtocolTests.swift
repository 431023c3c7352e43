import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// A sync server with a protocol of its own, from signing in to marks that go both ways.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct SyncProtocolTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var dialect: SyncServer.Dialect
    /// What is typed for a password.
    var secret = "secret"
    /// What `accounts --json` tells.
    var kind: String
    var scheme: String
    /// Below the address of the site.
    var base: String
    var editsSubscriptions = true

    var testDescription: String { name }

    static let all = [
      Case(
        name: "Miniflux", dialect: .miniflux(.current), kind: "miniflux", scheme: "miniflux",
        base: "/v1"),
      Case(
        name: "Miniflux with a key", dialect: .miniflux(.current), secret: "key-of-ada",
        kind: "miniflux", scheme: "miniflux-key", base: "/v1"),
      Case(
        name: "Miniflux before 2.3.2", dialect: .miniflux(.older), kind: "miniflux",
        scheme: "miniflux", base: "/v1"),
      Case(
        name: "Nextcloud News", dialect: .nextcloudNews(NextcloudNewsQuirks()),
        kind: "nextcloud-news", scheme: "nextcloud-news", base: "/index.php/apps/news/api"),
      Case(
        name: "Feedbin", dialect: .feedbin(FeedbinQuirks()), kind: "feedbin", scheme: "feedbin",
        base: "/v2"),
      Case(
        name: "NewsBlur", dialect: .newsBlur(NewsBlurQuirks()), kind: "newsblur",
        scheme: "newsblur", base: ""),
      Case(
        name: "Tiny Tiny RSS", dialect: .tinyTinyRSS(.older), kind: "tiny-tiny-rss",
        scheme: "tiny-tiny-rss", base: "/api", editsSubscriptions: false),
      Case(
        name: "Fever", dialect: .fever(.plain), kind: "fever", scheme: "fever", base: "/fever",
        editsSubscriptions: false),
      Case(
        name: "Fever with a toggle", dialect: .fever(.miniflux), kind: "fever", scheme: "fever",
        base: "/fever", editsSubscriptions: false),
      Case(
        name: "Fever of version 4", dialect: .fever(.freshRSS), kind: "fever", scheme: "fever",
        base: "/fever", editsSubscriptions: false),
    ]
  }

  private static let start: Int64 = 1_773_000_000

  private func library(_ count: Int64 = 30) -> GoogleReaderModel {
    var library = GoogleReaderModel()
    let news = library.subscribe(
      to: "https://a.example/feed", title: "News", page: "https://a.example/", folders: ["Work"])
    library.insert(
      (1...count).map { number in
        GoogleReaderModel.Item(
          id: 1_000 + number, feed: news.stream, title: "Story \(number)",
          url: "https://a.example/\(number)", html: "<p>Text of story \(number)</p>",
          published: Self.start + number * 60, crawled: (Self.start + number * 60) * 1_000_000)
      })
    return library
  }

  private func withServer(
    _ item: Case, _ body: (SyncServer, Sandbox) async throws -> Void
  ) async throws {
    let server = SyncServer(item.dialect)
    server.addUser("ada", password: "secret", key: "key-of-ada", library: library())
    let sandbox = try Sandbox()
    try await server.whileServing { try await body($0, sandbox) }
  }

  private func login(_ sandbox: Sandbox, _ server: SyncServer, _ item: Case) async throws {
    let outcome = try await sandbox.telex(
      "login", server.siteURL, "--user", "ada", "--password-stdin", stdin: item.secret + "\n")
    try #require(outcome.status == 0, "\(outcome.testDescription)")
    #expect(outcome.output.contains("with 1 feed"))
  }

  /// Miniflux hands articles on to what its user has set up.
  @Test(arguments: [true, false])
  func `An article is saved for later by the server's own service, or the outbox says why not`(
    _ isSetUp: Bool
  ) async throws {
    var quirks = MinifluxQuirks.current
    quirks.hasSaving = isSetUp
    let item = Case(
      name: "Miniflux", dialect: .miniflux(quirks), kind: "miniflux", scheme: "miniflux",
      base: "/v1")
    try await withServer(item) { server, sandbox in
      try await login(sandbox, server, item)
      try #require(try await sandbox.telex("refresh").status == 0)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 30")
      try reader.send("B")
      try await reader.wait(for: "reading list")
      #expect(try await reader.quit() == .exited(0))
      #expect(try await sandbox.telex("refresh").status == (isSetUp ? 0 : 1))
      let saved = server.requests.map(\.path).filter { $0.hasSuffix("/save") }
      #expect(saved == ["/v1/entries/1030/save"])
      let outbox = try await sandbox.telex("outbox")
      if isSetUp {
        #expect(outbox.output == "", "\(outbox.testDescription)")
      } else {
        #expect(outbox.output.contains("save for later"), "\(outbox.testDescription)")
        #expect(outbox.output.lowercased().contains("no service for reading later is set up"))
        // It counts as not sent, is not sent again by itself, and with the next asking it is.
        #expect(try await sandbox.telex("refresh").status == 1)
        #expect(server.requests.count { $0.path.hasSuffix("/save") } == 1)
        _ = try await sandbox.telex("outbox", "--retry")
        #expect(server.requests.count { $0.path.hasSuffix("/save") } == 2)
      }
    }
  }

  @Test func `Where a server has no reading list, an article is in Later and nothing waits`()
    async throws
  {
    let item = Case.all[3]
    try await withServer(item) { server, sandbox in
      try await login(sandbox, server, item)
      try #require(try await sandbox.telex("refresh").status == 0)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 30")
      try reader.send("B")
      try await reader.wait(for: "Added to Later")
      #expect(try await reader.quit() == .exited(0))
      let later = try await sandbox.telex("later", "--json").jsonLines()
      #expect(later.map { $0["title"] as? String } == ["Story 30"])
      #expect(later.first?["tags"] as? [String] == ["later"])
      #expect(try await sandbox.telex("outbox").output == "")
    }
  }

  @Test(arguments: Case.all)
  func `A sign-in brings the subscriptions, and a refresh the articles with their marks`(
    _ item: Case
  ) async throws {
    try await withServer(item) { server, sandbox in
      server.change("ada") { $0.mark([1_001], adding: [.read, .starred]) }
      try await login(sandbox, server, item)
      let refreshed = try await sandbox.telex("refresh", "--json")
      #expect(refreshed.status == 0 && refreshed.errors == "", "\(refreshed.testDescription)")
      #expect(try refreshed.json()["new"] as? Int == 30)
      let articles = try await sandbox.articles()
      #expect(articles.count == 30)
      #expect(articles.count { $0["read"] as? Bool == true } == 1)
      #expect(articles.count { $0["starred"] as? Bool == true } == 1)
      let own = try await sandbox.telex("articles", "--account", server.siteURL, "--unread")
      #expect(own.output.split(separator: "\n").count == 29, "\(own.testDescription)")
      let listed = try await sandbox.telex("list", "--json").json()
      #expect(listed["folders"] as? [String] == ["Work"])
      #expect(listed["title"] as? String == "News")

      let account = try await sandbox.telex("accounts", "--json").json()
      #expect(account["kind"] as? String == item.kind)
      #expect(account["scheme"] as? String == item.scheme)
      #expect(account["base"] as? String == server.siteURL + item.base)
      #expect(account["unread"] as? Int == 29 && account["waiting"] as? Int == 0)
      #expect(account["lastSuccess"] is String && account["lastError"] is NSNull)

      server.change("ada") { $0.mark([1_001, 1_002], adding: [.read], removing: [.starred]) }
      #expect(try await sandbox.telex("refresh").status == 0)
      let later = try await sandbox.articles()
      #expect(later.count { $0["read"] as? Bool == true } == 2)
      #expect(later.count { $0["starred"] as? Bool == true } == 0)
    }
  }

  @Test(arguments: Case.all)
  func `A wrong password is told, and keeps nothing`(_ item: Case) async throws {
    try await withServer(item) { server, sandbox in
      let outcome = try await sandbox.telex(
        "login", server.siteURL, "--user", "ada", "--password-stdin", stdin: "wrong\n")
      #expect(outcome.status == 1 && outcome.errors.contains("password"))
      #expect(try await sandbox.telex("accounts").output == "")
    }
  }

  @Test(arguments: Case.all)
  func `Marks of the reader reach the server, and those made there the reader`(
    _ item: Case
  ) async throws {
    try await withServer(item) { server, sandbox in
      try await login(sandbox, server, item)
      try #require(try await sandbox.telex("refresh").status == 0)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 30")
      try reader.send("s")
      try reader.send("r")
      #expect(await eventually { server.library(of: "ada").starred == [1_030] })
      server.change("ada") { $0.mark([1_029], adding: [.read]) }
      try reader.send("r")
      try await reader.wait(for: "29 unread")
      try reader.send("s")
      #expect(try await reader.quit() == .exited(0))
      #expect(try await sandbox.telex("refresh").status == 0)
      #expect(server.library(of: "ada").starred == [])
    }
  }

  @Test(arguments: Case.all)
  func `What another device says after a mark was sent stays, and nothing is sent again`(
    _ item: Case
  ) async throws {
    try await withServer(item) { server, sandbox in
      try await login(sandbox, server, item)
      try #require(try await sandbox.telex("refresh").status == 0)
      let article = "\(try #require(try await sandbox.articles().first?["id"] as? Int))"
      try #require(try await sandbox.telex("read", article).status == 0)
      try #require(try await sandbox.telex("star", article).status == 0)
      let sent = try await sandbox.telex("outbox", "--retry")
      #expect(sent.status == 0, "\(sent.testDescription)")
      let state = try #require(server.library(of: "ada").states[1_030])
      #expect(state.isRead && state.isStarred)
      server.change("ada") { $0.mark([1_030], adding: [], removing: [.read, .starred]) }
      for _ in 0..<2 {
        try #require(try await sandbox.telex("refresh").status == 0)
        let shown = try await sandbox.articles().first
        #expect(shown?["read"] as? Bool == false && shown?["starred"] as? Bool == false)
        let state = try #require(server.library(of: "ada").states[1_030])
        #expect(!state.isRead && !state.isStarred)
      }
    }
  }

  @Test(arguments: Case.all.filter(\.editsSubscriptions))
  func `Subscriptions are added, renamed, moved and ended at the server`(
    _ item: Case
  ) async throws {
    try await withServer(item) { server, sandbox in
      try await login(sandbox, server, item)
      _ = try await sandbox.telex("refresh")
      let added = try await sandbox.telex(
        "add", "https://b.example/feed", "--account", server.siteURL, "--title", "Mine",
        "--folder", "Home")
      #expect(added.status == 0, "\(added.testDescription)")
      let mine = try #require(
        server.library(of: "ada").feeds.first { $0.url == "https://b.example/feed" })
      #expect(mine.title == "Mine" && mine.folders == ["Home"])
      let set = try await sandbox.telex("set", "1", "--title", "Paper", "--folder", "Home")
      #expect(set.status == 0 && set.output.contains("Paper"), "\(set.testDescription)")
      let news = try #require(
        server.library(of: "ada").feeds.first { $0.url == "https://a.example/feed" })
      #expect(news.title == "Paper" && news.folders == ["Home"])
      let removed = try await sandbox.telex("remove", "--yes", "1")
      #expect(removed.status == 0 && removed.errors == "", "\(removed.testDescription)")
      #expect(server.library(of: "ada").feeds.map(\.url) == ["https://b.example/feed"])
      #expect(try await sandbox.telex("outbox").output == "")
    }
  }

  @Test func `What a protocol cannot do is refused, and nothing waits`() async throws {
    let item = try #require(Case.all.first { $0.kind == "fever" })
    try await withServer(item) { server, sandbox in
      try await login(sandbox, server, item)
      let added = try await sandbox.telex(
        "add", "https://b.example/feed", "--account", server.siteURL)
      #expect(added.status == 2 && added.errors.contains("takes no new feeds from here"))
      let moved = try await sandbox.telex("set", "1", "--folder", "Home")
      #expect(moved.status == 2 && moved.errors.contains("moves no feeds from here"))
      let removed = try await sandbox.telex("remove", "--yes", "1")
      #expect(removed.status == 2 && removed.errors.contains("removes no feeds from here"))
      #expect(try await sandbox.telex("list").output.split(separator: "\n").count == 1)
      #expect(try await sandbox.telex("outbox").output == "")
    }
  }
}
