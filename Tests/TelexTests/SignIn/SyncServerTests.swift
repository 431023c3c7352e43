import ChildProcess
import FeedServer
import Foundation
import GRDB
import PseudoTerminal
import TestSupport
import Testing

/// An account at a sync server, from signing in to marks that go both ways.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct SyncServerTests {
  private static let start: Int64 = 1_773_000_000

  private func library(_ count: Int64 = 30) -> GoogleReaderModel {
    var library = GoogleReaderModel()
    let news = library.subscribe(
      to: "https://a.example/feed", title: "News", page: "https://a.example/", folders: ["Work"])
    library.insert(
      (1...count).map { number in
        GoogleReaderModel.Item(
          id: Self.start * 1_000_000 + number, feed: news.stream, title: "Story \(number)",
          url: "https://a.example/\(number)", html: "<p>Text of story \(number)</p>",
          published: Self.start + number * 60, crawled: Self.start * 1_000_000 + number)
      })
    return library
  }

  private func withServer(
    _ quirks: GoogleReaderQuirks,
    _ body: (GoogleReaderServer, Sandbox) async throws -> Void
  ) async throws {
    let server = GoogleReaderServer(quirks)
    server.addUser("ada", password: "secret", library: library())
    let sandbox = try Sandbox()
    try await server.whileServing { try await body($0, sandbox) }
  }

  private func login(_ sandbox: Sandbox, _ address: String) async throws {
    let outcome = try await sandbox.telex(
      "login", address, "--user", "ada", "--password-stdin", stdin: "secret\n")
    try #require(outcome.status == 0, "\(outcome.testDescription)")
    #expect(outcome.output.contains("with 1 feed"))
  }

  @Test(arguments: [GoogleReaderQuirks.freshRSS, .miniflux])
  func `A sign-in brings the subscriptions, and a refresh the articles with their marks`(
    _ quirks: GoogleReaderQuirks
  ) async throws {
    try await withServer(quirks) { server, sandbox in
      let first = Self.start * 1_000_000 + 1
      server.change("ada") { $0.mark([first], adding: [.read, .starred]) }
      try await login(sandbox, server.siteURL)
      let refreshed = try await sandbox.telex("refresh", "--json")
      #expect(refreshed.status == 0 && refreshed.errors == "", "\(refreshed.testDescription)")
      #expect(try refreshed.json()["new"] as? Int == 30)
      let articles = try await sandbox.articles()
      #expect(articles.count == 30)
      for filters in [["--starred"], ["--starred", "--folder", "Work"], ["is:starred"]] {
        let starred = try await sandbox.telex(
          ["articles", "--json", "--account", server.siteURL] + filters
        ).jsonLines()
        #expect(starred.map { $0["title"] as? String } == ["Story 1"], "\(filters)")
      }
      #expect(articles.count { $0["read"] as? Bool == true } == 1)
      let listed = try await sandbox.telex("list", "--json").json()
      #expect(listed["folders"] as? [String] == ["Work"])
      #expect(listed["title"] as? String == "News")

      let account = try await sandbox.telex("accounts", "--json").json()
      #expect(account["kind"] as? String == "googleReader")
      #expect(account["base"] as? String == server.apiURL)
      #expect(account["unread"] as? Int == 29 && account["waiting"] as? Int == 0)
      #expect(account["unreadThere"] as? Int == (quirks.hasUnreadCounts ? 29 : nil))
      #expect(account["unreadDifference"] is NSNull)
      #expect(account["lastSuccess"] is String && account["lastError"] is NSNull)
    }
  }

  @Test func `The address of the API is as good as that of the site`() async throws {
    try await withServer(.freshRSS) { server, sandbox in
      try await login(sandbox, server.apiURL)
    }
  }

  @Test func `A wrong password is told, and keeps nothing`() async throws {
    try await withServer(.freshRSS) { server, sandbox in
      let outcome = try await sandbox.telex(
        "login", server.siteURL, "--user", "ada", "--password-stdin", stdin: "wrong\n")
      #expect(
        outcome.status == 1 && outcome.errors.contains("does not take this name and password"))
      #expect(try await sandbox.telex("accounts").output == "")
      // The password went to the sign-in of the API and nowhere else.
      let requests = server.requests
      #expect(
        requests.filter { request in String(decoding: request.body, as: UTF8.self).contains("wrong")
        }
        .map(\.path) == ["/api/greader.php/accounts/ClientLogin"])
    }
  }

  @Test func `A password is not sent to a server that could not say what it is`() async throws {
    try await withServer(.freshRSS) { server, sandbox in
      server.inject(.wire(.status(503)), on: "greader.php", times: nil)
      let outcome = try await sandbox.telex(
        "login", server.siteURL, "--user", "ada", "--password-stdin", stdin: "secret\n")
      #expect(outcome.status == 1, "\(outcome.testDescription)")
      let isBasic = server.requests.contains { request in
        request.headers.contains { $0.value.hasPrefix("Basic ") }
      }
      #expect(!isBasic)
      #expect(
        server.requests.allSatisfy { !String(decoding: $0.body, as: UTF8.self).contains("secret") })
    }
  }

  @Test(arguments: [false, true])
  func `Marks of the reader reach the server without a refresh, also the last ones`(
    isLast: Bool
  ) async throws {
    try await withServer(.freshRSS) { server, sandbox in
      try await login(sandbox, server.siteURL)
      try #require(try await sandbox.telex("refresh").status == 0)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 30")
      try reader.send("s")
      let last = Self.start * 1_000_000 + 30
      if isLast {
        try await reader.wait(for: "↑1")
        #expect(try await reader.quit() == .exited(0))
        #expect(server.library(of: "ada").starred == [last])
      } else {
        #expect(await eventually { server.library(of: "ada").starred == [last] })
        #expect(try await reader.quit() == .exited(0))
      }
    }
  }

  @Test func `Marks of the reader reach the server, and those made there the reader`() async throws
  {
    try await withServer(.freshRSS) { server, sandbox in
      try await login(sandbox, server.siteURL)
      try #require(try await sandbox.telex("refresh").status == 0)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 30")
      try reader.send("s")
      try reader.send("r")
      let last = Self.start * 1_000_000 + 30
      #expect(await eventually { server.library(of: "ada").starred == [last] })
      server.change("ada") { $0.mark([last - 1], adding: [.read]) }
      // A refresh that is still under way is joined, and may have read the marks before this one.
      let isSeen = await eventually(within: .seconds(40)) {
        try? reader.send("r")
        return await eventually(within: .seconds(4)) { reader.screen.contains("29 unread") }
      }
      #expect(isSeen, "\(reader.screen.drawing)")
      try reader.send("q")
    }
  }

  @Test func `Tags are labels at the server, in both directions`() async throws {
    try await withServer(.freshRSS) { server, sandbox in
      let (first, last) = (Self.start * 1_000_000 + 1, Self.start * 1_000_000 + 30)
      server.change("ada") { $0.mark([first], adding: [.label("Later")]) }
      try await login(sandbox, server.siteURL)
      try #require(try await sandbox.telex("refresh").status == 0)
      let tags = try await sandbox.telex("tag", "--json").json()
      #expect(tags["tag"] as? String == "Later" && tags["articles"] as? Int == 1)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 30")
      try reader.send("\r")
      try await reader.wait(for: "Text of story 30")
      try reader.send("t")
      try await reader.wait(for: "Tags:")
      try reader.send("Read twice; Später\r")
      try await reader.wait(for: "tagged Read twice, Später")
      try reader.send("r")
      #expect(
        await eventually {
          server.library(of: "ada").states[last]?.labels == ["Read twice", "Später"]
        })
      #expect(try await reader.quit() == .exited(0))
      let article = try #require(try await sandbox.articles().first?["id"] as? Int)
      #expect(
        try await sandbox.telex("tag", "Später", "\(article)", "--undo").status == 0)
      #expect(try await sandbox.telex("refresh").status == 0)
      #expect(server.library(of: "ada").states[last]?.labels == ["Read twice"])
      let shown = try await sandbox.telex("show", "\(article)", "--json").json()
      #expect(shown["tags"] as? [String] == ["Read twice"])
    }
  }

  @Test func `Inoreader is told the application with each call, and its quota is told here`()
    async throws
  {
    var quirks = GoogleReaderQuirks.inoreader
    quirks.quota = 12
    try await withServer(quirks) { server, sandbox in
      let without = try await sandbox.telex(
        "login", server.siteURL, "--user", "ada", "--password-stdin", stdin: "secret\n")
      #expect(without.status == 1, "\(without.testDescription)")
      let outcome = try await sandbox.telex(
        "login", server.siteURL, "--user", "ada", "--password-stdin", "--app-id", "1000001",
        stdin: "secret\nkey\n")
      try #require(outcome.status == 0, "\(outcome.testDescription)")
      let first = try await sandbox.telex("refresh")
      #expect(first.status == 0, "\(first.testDescription)")
      #expect(try await sandbox.articles().count == 30)
      var last = first
      for _ in 1...3 where !last.errors.contains("12 reads") {
        last = try await sandbox.telex("refresh")
      }
      #expect(last.errors.contains("of 12 reads are used"), "\(last.testDescription)")
      #expect(!(outcome.output + first.output + first.errors).contains("key\n"))
    }
  }

  @Test func `Where a server keeps no labels, tags stay on this machine`() async throws {
    try await withServer(.miniflux) { server, sandbox in
      try await login(sandbox, server.siteURL)
      try #require(try await sandbox.telex("refresh").status == 0)
      let article = try #require(try await sandbox.articles().first?["id"] as? Int)
      #expect(try await sandbox.telex("tag", "Later", "\(article)").status == 0)
      #expect(try await sandbox.telex("outbox").output == "")
      #expect(try await sandbox.telex("tag").output == "Later\t1\tlocal\n")
    }
  }

  @Test func `Without a network everything is there to be read, and what is marked waits`()
    async throws
  {
    try await withServer(.freshRSS) { server, sandbox in
      try await login(sandbox, server.siteURL)
      try #require(try await sandbox.telex("refresh").status == 0)
      await server.stop()
      let refreshed = try await sandbox.telex("refresh")
      #expect(refreshed.status == 1 && refreshed.errors.contains("ada at 127.0.0.1"))
      #expect(try await sandbox.articles().count == 30)
      let account = try await sandbox.telex("accounts", "--json").json()
      #expect((account["lastError"] as? [String: Any])?["stage"] as? String == "connect")
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 30")
      try reader.send("sr")
      try await reader.wait(for: "1 feed failed. H shows why")
      #expect(reader.screen.drawing.contains("★"))
      #expect(try await reader.quit() == .exited(0))
      try server.start()
      #expect(try await sandbox.telex("refresh").status == 0)
      #expect(server.library(of: "ada").starred == [Self.start * 1_000_000 + 30])
      let after = try await sandbox.telex("accounts", "--json").json()
      #expect(after["lastError"] is NSNull)
    }
  }

  @Test(arguments: [
    GoogleReaderFault.wire(.status(401)), .wire(.status(502)), .wire(.status(503)), .html,
    .wire(.reset),
  ])
  func `A refresh that could not send exits with 1 and says how many changes wait, and why`(
    _ fault: GoogleReaderFault
  ) async throws {
    try await withServer(.freshRSS) { server, sandbox in
      try await login(sandbox, server.siteURL)
      try #require(try await sandbox.telex("refresh").status == 0)
      let ids = try await sandbox.articles().prefix(2).compactMap { $0["id"] as? Int }
      for id in ids { try #require(try await sandbox.telex("star", "\(id)").status == 0) }
      server.inject(fault, on: "edit-tag", times: nil)
      let refreshed = try await sandbox.telex("refresh")
      #expect(refreshed.status == 1, "\(refreshed.testDescription)")
      #expect(refreshed.errors.contains("2 changes wait to be sent: "))
      #expect(refreshed.errors.contains("127.0.0.1"))
      let json = try await sandbox.telex("refresh", "--json")
      #expect(json.status == 1)
      let sync = try #require((try json.json()["accounts"] as? [[String: Any]])?.first)
      let warnings = try #require(sync["warnings"] as? [String])
      #expect(warnings.contains { $0.hasPrefix("2 changes wait") })
      let account = try await sandbox.telex("accounts", "--json").json()
      #expect(account["lastError"] is [String: Any] && account["waiting"] as? Int == 2)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 30")
      #expect(reader.screen.drawing.contains("!"))
      #expect(try await reader.quit() == .exited(0))
      server.clearFaults()
      #expect(try await sandbox.telex("refresh").status == 0)
      let after = try await sandbox.telex("accounts", "--json").json()
      #expect(after["lastError"] is NSNull && after["waiting"] as? Int == 0)
    }
  }

  @Test func `One refused sign-in stops no account until the next login`() async throws {
    try await withServer(.freshRSS) { server, sandbox in
      try await login(sandbox, server.siteURL)
      try #require(try await sandbox.telex("refresh").status == 0)
      server.endSignIns()
      server.inject(.wire(.status(401)), on: "ClientLogin")
      #expect(try await sandbox.telex("refresh").status == 1)
      let refused = try await sandbox.telex("accounts", "--json").json()
      #expect(refused["needsSignIn"] as? Bool == false && refused["lastError"] is [String: Any])
      // Within a minute it is the same refusal, and nothing is asked.
      let again = try await sandbox.telex("refresh")
      #expect(
        again.status == 1 && again.errors.contains("tried again at"), "\(again.testDescription)")
      let login = try await sandbox.telex(
        "login", server.siteURL, "--user", "ada", "--password-stdin", stdin: "secret\n")
      try #require(login.status == 0, "\(login.testDescription)")
      #expect(try await sandbox.telex("refresh").status == 0)
    }
  }

  @Test(arguments: [GoogleReaderQuirks.freshRSS, .miniflux])
  func `Subscriptions are added, renamed, moved and ended at the server`(
    _ quirks: GoogleReaderQuirks
  ) async throws {
    try await withServer(quirks) { server, sandbox in
      try await login(sandbox, server.siteURL)
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

  @Test func `A feed moves to an account and back with its marks`() async throws {
    try await withServer(.freshRSS) { server, sandbox in
      try await login(sandbox, server.siteURL)
      _ = try await sandbox.telex("refresh")
      let articles = try await sandbox.telex("articles", "--json").output
      let out = try await sandbox.telex("set", "1", "--account", "local")
      #expect(out.status == 0 && out.output.contains("in no account now"), "\(out.testDescription)")
      #expect(server.library(of: "ada").feeds == [])
      #expect(try await sandbox.telex("outbox").output == "")
      let again = try await sandbox.telex("set", "1", "--account", "local")
      #expect(again.status == 2 && again.errors.contains("as you want it"))

      let back = try await sandbox.telex("set", "1", "--account", server.siteURL)
      #expect(back.status == 0, "\(back.testDescription)")
      #expect(server.library(of: "ada").feeds.map(\.url) == ["https://a.example/feed"])
      _ = try await sandbox.telex("refresh")
      #expect(try await sandbox.telex("outbox").output == "")
      let kept = try await sandbox.telex("articles", "--json").output
      #expect(
        kept.components(separatedBy: "\"title\"").count
          == articles.components(separatedBy: "\"title\"").count)
    }
  }

  @Test func `Subscriptions change without a network, and their server is told later`() async throws
  {
    try await withServer(.freshRSS) { server, sandbox in
      try await login(sandbox, server.siteURL)
      server.inject(.wire(.reset), on: "greader.php", times: nil)
      let added = try await sandbox.telex(
        "add", "https://b.example/feed", "--account", server.siteURL)
      #expect(added.status == 0 && added.output.contains("waits"), "\(added.testDescription)")
      let moved = try await sandbox.telex(
        "folders", "rename", "Work", "Office", "--account", server.siteURL)
      #expect(
        moved.status == 0 && moved.errors.contains("ada at 127.0.0.1 does not have the change yet"),
        "\(moved.testDescription)")
      let set = try await sandbox.telex("set", "1", "--no-folder")
      #expect(
        set.status == 0 && set.errors.contains("does not have the change yet"),
        "\(set.testDescription)")
      let waiting = try await sandbox.telex("outbox").output.split(separator: "\n")
      #expect(waiting.map { $0.split(separator: "\t")[1] } == ["subscribe", "move"])
      #expect(server.library(of: "ada").feeds.count == 1)

      server.clearFaults()
      let refreshed = try await sandbox.telex("refresh")
      #expect(refreshed.status == 0, "\(refreshed.testDescription)")
      let feeds = server.library(of: "ada").feeds
      #expect(feeds.map(\.url) == ["https://a.example/feed", "https://b.example/feed"])
      #expect(feeds.first?.folders == [])
      #expect(try await sandbox.telex("outbox").output == "")
    }
  }

  @Test func `Folders of one name in two accounts are listed each for itself`() async throws {
    try await withServer(.freshRSS) { server, sandbox in
      try await login(sandbox, server.siteURL)
      try #require(try await sandbox.telex("refresh").status == 0)
      #expect(try await sandbox.articles("--folder", "Work").count == 30)
      let document = try sandbox.file(
        "own.xml",
        "<rss version='2.0'><channel><title>T</title><item><title>Own</title></item></channel></rss>"
      )
      try #require(try await sandbox.telex("add", document, "--folder", "Work").status == 0)
      let which = try await sandbox.telex("articles", "--folder", "Work")
      #expect(which.status == 2 && which.errors.contains("local, ada at 127.0.0.1"))
      #expect(which.errors.contains("--account"))
      let own = try await sandbox.articles("--folder", "Work", "--account", "local")
      #expect(own.compactMap { $0["title"] as? String } == ["Own"])
      let theirs = try await sandbox.articles("--folder", "Work", "--account", server.siteURL)
      #expect(theirs.count == 30)
      let nowhere = try await sandbox.telex("articles", "--account", "local")
      #expect(nowhere.status == 2, "\(nowhere.testDescription)")
    }
  }

  @Test func `A password that is refused twice is not sent again, and asked for`() async throws {
    try await withServer(.freshRSS) { server, sandbox in
      try await login(sandbox, server.siteURL)
      try #require(try await sandbox.telex("refresh").status == 0)
      server.addUser("ada", password: "another", library: server.library(of: "ada"))
      server.endSignIns()
      let refused = try await sandbox.telex("refresh")
      #expect(
        refused.status == 1 && refused.errors.contains("does not take this name and password"))
      #expect(refused.errors.contains("telex login"))
      // A minute later.
      let database = try DatabaseQueue(path: sandbox.folder + "/.local/share/telex/telex.sqlite")
      try await database.write {
        try $0.execute(sql: "UPDATE account SET nextAttempt = nextAttempt - 61")
      }
      #expect(try await sandbox.telex("refresh").status == 1)
      server.forgetRequests()
      #expect(try await sandbox.telex("refresh").status == 1)
      let reader = try sandbox.reader(size: (120, 24))
      try await reader.wait(for: "Story 30")
      try reader.send("sr")
      try await reader.wait(for: "1 feed failed. H shows why")
      #expect(try await reader.quit() == .exited(0))
      #expect(server.requests.isEmpty)
      let told = try await sandbox.telex("accounts")
      #expect(told.output.contains("Sign in again"), "\(told.testDescription)")
      let account = try await sandbox.telex("accounts", "--json").json()
      #expect(account["needsSignIn"] as? Bool == true && account["waiting"] as? Int == 1)

      let again = try await sandbox.telex(
        "login", server.siteURL, "--user", "ada", "--password-stdin", stdin: "another\n")
      #expect(again.status == 0, "\(again.testDescription)")
      #expect(try await sandbox.telex("refresh").status == 0)
      #expect(server.library(of: "ada").starred == [Self.start * 1_000_000 + 30])
      #expect(try await sandbox.telex("accounts", "--json").json()["needsSignIn"] as? Bool == false)
    }
  }

  @Test func `L at a feed of the account signs in at its server`() async throws {
    try await withServer(.freshRSS) { server, sandbox in
      try await login(sandbox, server.siteURL)
      try #require(try await sandbox.telex("refresh").status == 0)
      server.addUser("ada", password: "another", library: server.library(of: "ada"))
      server.endSignIns()
      #expect(try await sandbox.telex("refresh").status == 1)
      let reader = try sandbox.reader(size: (120, 24))
      try await reader.wait(for: "Story 30")
      try reader.send("L")
      try await reader.wait(for: "User name at 127.0.0.1:")
      try reader.send("ada\r")
      try await reader.wait(for: "Password:")
      try reader.send("another\r")
      try await reader.wait(until: "it is in line again") {
        !$0.lines.contains { $0.contains("! News") } && !$0.contains("Password:")
          && !server.requests.filter { $0.path.hasSuffix("stream/items/ids") }.isEmpty
      }
      #expect(try await reader.quit() == .exited(0))
      let account = try await sandbox.telex("accounts", "--json").json()
      #expect(account["lastError"] is NSNull && account["needsSignIn"] as? Bool == false)
    }
  }

  @Test func `Feeds that are kept at a sign-out wait for the same user`() async throws {
    try await withServer(.freshRSS) { server, sandbox in
      server.addUser("bob", password: "b0b", library: library(5))
      try await login(sandbox, server.siteURL)
      try #require(try await sandbox.telex("refresh").status == 0)
      let feed = try await sandbox.telex("list", "--json").json()["id"] as? Int
      let out = try await sandbox.telex("logout", server.siteURL, "--keep-feeds")
      #expect(out.status == 0, "\(out.testDescription)")
      #expect(try await sandbox.articles().count == 30)
      #expect(try await sandbox.telex("accounts").output.contains("signed out"))
      let account = try await sandbox.telex("accounts", "--json").json()
      #expect(account["signedOut"] as? Bool == true)
      server.forgetRequests()
      #expect(try await sandbox.telex("refresh").status == 0)
      #expect(server.requests.isEmpty)

      let other = try await sandbox.telex(
        "login", server.siteURL, "--user", "bob", "--password-stdin", stdin: "b0b\n")
      #expect(other.status == 0, "\(other.testDescription)")
      #expect(try await sandbox.telex("list", "--json").jsonLines().count == 2)
      try await login(sandbox, server.siteURL)
      #expect(try await sandbox.telex("refresh").status == 0)
      let feeds = try await sandbox.telex("list", "--json").jsonLines()
      #expect(feeds.count == 2 && feeds.contains { $0["id"] as? Int == feed })
      #expect(try await sandbox.articles("--feed", "\(feed ?? 0)").count == 30)
      #expect(try await !sandbox.telex("accounts").output.contains("signed out"))
    }
  }

  @Test func `Signing out takes the feeds and what waits with it`() async throws {
    try await withServer(.freshRSS) { server, sandbox in
      try await login(sandbox, server.siteURL)
      try #require(try await sandbox.telex("refresh").status == 0)
      let outcome = try await sandbox.telex("logout", server.siteURL, "--yes")
      #expect(outcome.status == 0, "\(outcome.testDescription)")
      #expect(try await sandbox.telex("list").output == "")
      #expect(try await sandbox.telex("accounts").output == "")
    }
  }

  @Test func `A removal by d is sent after a while, and u says so then`() async throws {
    try await withServer(.freshRSS) { server, sandbox in
      try await login(sandbox, server.siteURL)
      try #require(try await sandbox.telex("refresh").status == 0)
      let reader = try sandbox.reader(size: (120, 24))
      try await reader.wait(for: "Story 30")
      func isTold() -> Bool { server.requests.contains { $0.path.hasSuffix("subscription/edit") } }
      try reader.send("hGd")
      try await reader.wait(for: "Unsubscribe from News")
      try reader.send("yu")
      try await reader.wait(for: "Undone: unsubscribed from")
      // The row in the sidebar comes with the next look at the store.
      try await reader.wait(until: "the row is back") { screen in
        screen.lines.contains { $0.contains(#/News +30/#) }
      }
      #expect(!reader.screen.contains("told already") && !isTold())
      try reader.send("Gd")
      try await reader.wait(for: "Unsubscribe from News")
      try reader.send("y")
      #expect(await eventually { isTold() })
      try reader.send("u")
      try await reader.wait(for: "its server was told already")
      #expect(try await reader.quit() == .exited(0))
    }
  }

  /// Stars the newest article, without sending that.
  private func star(in sandbox: Sandbox) async throws {
    try #require(try await sandbox.telex("refresh").status == 0)
    let number = try #require(try await sandbox.articles("--limit", "1").first?["id"] as? Int)
    try await sandbox.succeed("star", "\(number)")
    try #require(try await sandbox.telex("outbox").lines.count == 1)
  }

  @Test(arguments: [["--yes"], ["--keep-feeds"]])
  func `What waits is sent before a sign-out`(options: [String]) async throws {
    try await withServer(.freshRSS) { server, sandbox in
      try await login(sandbox, server.siteURL)
      try await star(in: sandbox)
      let outcome = try await sandbox.telex(["logout", server.siteURL] + options)
      #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.testDescription)")
      #expect(server.library(of: "ada").starred == [Self.start * 1_000_000 + 30])
    }
  }

  @Test(arguments: [GoogleReaderFault.wire(.status(400)), .wire(.hang)])
  func `A sign-out names what could not be sent, and needs a word before that goes`(
    _ fault: GoogleReaderFault
  ) async throws {
    try await withServer(.freshRSS) { server, sandbox in
      try await login(sandbox, server.siteURL)
      try await star(in: sandbox)
      server.inject(fault, on: "edit-tag", times: nil)
      for options in [["--keep-feeds"], []] {
        let refused = try await sandbox.telex(["logout", server.siteURL] + options)
        #expect(refused.status == 2, "\(refused.testDescription)")
        #expect(refused.errors.contains("1 change has not been sent and goes with it"))
        #expect(try await sandbox.telex("outbox").lines.count == 1)
      }
      let outcome = try await sandbox.telex("logout", server.siteURL, "--keep-feeds", "--yes")
      #expect(outcome.status == 0, "\(outcome.testDescription)")
      #expect(outcome.errors.contains("1 change has not been sent and is gone"))
      #expect(try await sandbox.telex("outbox").output == "")
      #expect(server.library(of: "ada").starred.isEmpty)
    }
  }

  @Test(arguments: ["n", "y"])
  func `A sign-out at a terminal asks before changes go that were not sent`(
    _ answer: String
  ) async throws {
    try await withServer(.freshRSS) { server, sandbox in
      try await login(sandbox, server.siteURL)
      try await star(in: sandbox)
      server.inject(.wire(.status(400)), on: "edit-tag", times: nil)
      let terminal = try PseudoTerminal(
        executable: BuiltProduct.path(of: "telex"),
        arguments: ["logout", server.siteURL, "--keep-feeds"], environment: sandbox.home)
      try await terminal.wait(for: "1 change has not been sent and goes with it. Sign out? y/n")
      try terminal.send(answer + "\r")
      #expect(try await terminal.waitForEnd() == .exited(answer == "y" ? 0 : 1))
      #expect(try await sandbox.telex("outbox").lines.count == (answer == "y" ? 0 : 1))
    }
  }
}
