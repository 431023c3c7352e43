import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import Synchronization
import TestSupport
import Testing

/// Full texts of articles from their pages, in the built program.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct FullTextProgramTests {
  /// A site with a feed of teasers, and what became of its pages.
  private final class Site: Sendable {
    let state = Mutex(
      (
        count: 3, isDown: false, asked: [String: Int](), extra: [String: WireReply](),
        // The story that is at another host, which nobody has typed.
        stranger: 0
      ))

    func answer(_ request: WireRequest, base: String) -> WireReply {
      state.withLock { state in
        let path = String(request.path)
        state.asked[path, default: 0] += 1
        if let reply = state.extra[path] { return reply }
        if path == "/feed.xml" { return feed(state.count, base, state.stranger) }
        guard path.hasPrefix("/story/") else { return WireReply(status: 404) }
        if state.isDown { return WireReply(status: 404) }
        return WireReply(type: "text/html", text: page(String(path.dropFirst(7))))
      }
    }

    func asked(_ path: String) -> Int { state.withLock { $0.asked[path] ?? 0 } }

    private func feed(_ count: Int, _ base: String, _ stranger: Int) -> WireReply {
      let items = (1...count).reversed().map { number in
        let base = number == stranger ? base.replacing("127.0.0.1", with: "127.0.0.2") : base
        return """
          <item><guid isPermaLink="false">\(number)</guid><title>Teaser \(number)</title>\
          <link>\(base)/story/\(number)</link><description>Only the start \(number) \
          &lt;a href="\(base)/story/\(number)"&gt;its page&lt;/a&gt;</description>\
          <pubDate>Mon, 0\(number) Jan 2024 10:00:00 GMT</pubDate></item>
          """
      }
      return WireReply(
        type: "application/rss+xml",
        text: "<rss version=\"2.0\"><channel><title>Site</title>\(items.joined())</channel></rss>")
    }

    private func page(_ name: String) -> String {
      let number = name.prefix { $0 != "/" }
      let part = name.contains("/") ? "second" : "first"
      let sentence =
        "The \(part) part of story \(number) is told at length, with a zanzibar in it. "
      let next =
        number == "3" && part == "first" ? "<a href=\"/story/3/2\">Next page</a>" : ""
      return """
        <title>Story \(number)</title><nav><a href="/">Front page of it</a></nav><article>\
        <h1>Story \(number)</h1><p>\(String(repeating: sentence, count: 5))</p>\(next)</article>
        """
    }
  }

  private func withSite(
    _ body: nonisolated(nonsending) (_ base: String, Site, Sandbox) async throws -> Void
  ) async throws {
    let site = Site()
    let address = Mutex("")
    let server = RawServer { request in
      .reply(site.answer(request, base: address.withLock { $0 }))
    }
    let base = "http://127.0.0.1:\(try server.start())"
    address.withLock { $0 = base }
    do {
      try await body(base, site, Sandbox())
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  private func ids(_ sandbox: Sandbox) async throws -> [Int] {
    try await sandbox.telex("articles", "--json").jsonLines().compactMap { $0["id"] as? Int }
  }

  @Test func `show fetches the full text once, joins its pages, and search finds it`() async throws
  {
    try await withSite { base, site, sandbox in
      try await sandbox.add(base + "/feed.xml")
      let id = try #require(try await ids(sandbox).first)
      let plain = try await sandbox.telex("show", "\(id)")
      #expect(plain.output.contains("Only the start 3") && !plain.output.contains("zanzibar"))
      #expect(try await sandbox.telex("search", "zanzibar", "--json").jsonLines().isEmpty)
      let full = try await sandbox.telex("show", "\(id)", "--full-text")
      #expect(full.status == 0, "\(full.testDescription)")
      #expect(full.output.contains("The first part of story 3"))
      #expect(full.output.contains("The second part of story 3"))
      #expect(full.output.contains("full text · 127.0.0.1 · 2 pages"))
      #expect(!full.output.contains("Front page of it"))
      let again = try await sandbox.telex("show", "\(id)", "--full-text", "--json").json()
      #expect((again["fullText"] as? [String: Any])?["pages"] as? Int == 2)
      #expect(site.asked("/story/3") == 1 && site.asked("/story/3/2") == 1)
      #expect(try await sandbox.telex("search", "zanzibar", "--json").jsonLines().count == 1)
      let room = try await sandbox.telex("cache", "--json").jsonLines()
      #expect(room.last?["full"] as? Int ?? 0 > 0)
    }
  }

  @Test func `A page that has no article leaves the feed's text, and the reason is told`()
    async throws
  {
    try await withSite { base, site, sandbox in
      try await sandbox.add(base + "/feed.xml")
      let id = try #require(try await ids(sandbox).first)
      let wall = """
        <article><h1>Story</h1><p>The beginning of it, and no more than that, for this is a paper \
        that lives on those who pay.</p><div class="paywall">Subscribe to continue reading</div>\
        </article>
        """
      for (reply, words) in [
        (WireReply(type: "text/html", text: wall), "to subscribers only"),
        (WireReply(status: 404), "404"),
        (WireReply(type: "application/pdf", text: "%PDF"), "application/pdf"),
        (WireReply(status: 302, headers: [("Location", "http://10.1.2.3/")]), "10.1.2.3"),
      ] {
        site.state.withLock { $0.extra["/story/3"] = reply }
        let outcome = try await sandbox.telex("show", "\(id)", "--full-text")
        #expect(outcome.status == 1, "\(outcome.testDescription)")
        #expect(outcome.errors.contains(words), "\(outcome.testDescription)")
      }
      #expect(try await sandbox.telex("show", "\(id)").output.contains("Only the start 3"))
    }
  }

  @Test func `A page that leads to another is followed once, and never in a circle`() async throws {
    try await withSite { base, site, sandbox in
      try await sandbox.add(base + "/feed.xml")
      let ids = try await ids(sandbox)
      func lead(_ page: String, to target: String) {
        let html =
          "<meta http-equiv=refresh content=\"0; url=\(target)\"><a href=\"\(target)\">go</a>"
        site.state.withLock { $0.extra[page] = WireReply(type: "text/html", text: html) }
      }
      lead("/story/3", to: "/story/1")
      let followed = try await sandbox.telex("show", "\(ids[0])", "--full-text")
      #expect(followed.status == 0 && followed.output.contains("first part of story 1"))
      lead("/story/2", to: "/story/9")
      lead("/story/9", to: "/story/2")
      let circle = try await sandbox.telex("show", "\(ids[1])", "--full-text")
      #expect(circle.status == 1, "\(circle.testDescription)")
      #expect(site.asked("/story/2") == 1 && site.asked("/story/9") == 1)
    }
  }

  @Test func `A feed that is set to it gets full texts with each refresh, and failures later`()
    async throws
  {
    try await withSite { base, site, sandbox in
      try await sandbox.add(base + "/feed.xml")
      try await sandbox.succeed("set", "1", "--full-text", "yes")
      site.state.withLock { $0.extra["/story/2"] = WireReply(status: 410) }
      let first = try await sandbox.telex("refresh", "--json")
      #expect(first.status == 0, "\(first.testDescription)")
      let report = try first.json()
      #expect(report["fullTexts"] as? Int == 2 && report["fullTextsFailed"] as? Int == 1)
      #expect(try await sandbox.telex("search", "zanzibar", "--json").jsonLines().count == 2)
      // What failed waits for its time, and what is there is not asked for again.
      site.state.withLock { state in
        state.count = 4
        state.extra = [:]
      }
      let second = try await sandbox.telex("refresh", "--json").json()
      #expect(second["fullTexts"] as? Int == 1 && second["fullTextsFailed"] as? Int == 0)
      #expect(site.asked("/story/1") == 1 && site.asked("/story/4") == 1)
      #expect(try await sandbox.telex("search", "zanzibar", "--json").jsonLines().count == 3)
      // The user need not wait.
      let failed = try #require(try await ids(sandbox).dropFirst(2).first)
      #expect(try await sandbox.telex("show", "\(failed)", "--full-text").status == 0)
      try await sandbox.succeed("set", "1", "--full-text", "no")
      site.state.withLock { $0.count = 5 }
      let third = try await sandbox.telex("refresh", "--json").json()
      #expect(third["new"] as? Int == 1 && third["fullTexts"] as? Int == 0)
    }
  }

  @Test func `Rules for a site decide what is kept, and a mistake in them is told`() async throws {
    try await withSite { base, site, sandbox in
      try await sandbox.add(base + "/feed.xml")
      let page = "<div class=mine><p>Kept by a rule.</p><p class=ad>Dropped by it.</p></div>"
      site.state.withLock { $0.extra["/story/3"] = WireReply(type: "text/html", text: page) }
      let id = try #require(try await ids(sandbox).first)
      let config = try sandbox.file("config.toml", "[secrets]\nkeyring = false\n")
      _ = try sandbox.file("sites.toml", "[\"127.0.0.1\"]\nkeep = \"div.mine\n")
      let wrong = try await sandbox.telex("show", "\(id)", "--full-text", "--config", config)
      #expect(wrong.status == 1 && wrong.errors.contains("sites.toml:2"), "\(wrong.errors)")
      _ = try sandbox.file(
        "sites.toml", "[\"127.0.0.1\"]\nkeep = \"div.mine\"\ndrop = \".ad\"\n")
      let full = try await sandbox.telex("show", "\(id)", "--full-text", "--config", config)
      #expect(full.output.contains("Kept by a rule."), "\(full.testDescription)")
      #expect(!full.output.contains("Dropped by it."))
    }
  }

  @Test(arguments: [(80, 24), (40, 10)])
  func `F in the reader shows the full text, and the feed's text again without the network`(
    _ width: Int, _ height: Int
  ) async throws {
    try await withSite { base, site, sandbox in
      try await sandbox.add(base + "/feed.xml")
      let reader = try sandbox.reader(size: (width, height))
      try await reader.wait(for: "Teaser 3")
      try reader.send("F")
      try await reader.wait(for: "full text ·")
      try reader.send("F")
      try await reader.wait(for: "Only the start 3")
      site.state.withLock { $0.isDown = true }
      try reader.send("F")
      try await reader.wait(for: "full text ·")
      #expect(site.asked("/story/3") == 1)
      try reader.send("J")
      try await reader.wait(for: "Only the start 2")
      try reader.send("F")
      try await reader.wait(for: "404")
      #expect(reader.screen.text.contains("Only the start 2"))
      #expect(try await reader.quit() == .exited(0))
    }
  }

  @Test func `A page that is saved is kept, searched, tagged, and fetched when there is a network`()
    async throws
  {
    let site = Site()
    let address = Mutex("")
    let server = RawServer { request in
      .reply(site.answer(request, base: address.withLock { $0 }))
    }
    let base = "http://127.0.0.1:\(try server.start())"
    address.withLock { $0 = base }
    let sandbox = try Sandbox()
    let saved = try await sandbox.telex("later", base + "/story/3", "--json")
    #expect(saved.status == 0, "\(saved.testDescription)")
    let report = try saved.json()
    #expect(report["title"] as? String == "Story 3" && report["hasText"] as? Bool == true)
    let found = try await sandbox.telex("search", "zanzibar", "--json").jsonLines()
    #expect(found.count == 1 && found.first?["feed"] as? String == "Saved")
    #expect(try await sandbox.telex("articles", "tag:later", "--json").jsonLines().count == 1)
    #expect(try await sandbox.telex("later", "--json").jsonLines().count == 1)
    let shown = try await sandbox.telex("show", "\(report["articleID"] as? Int ?? 0)")
    #expect(shown.output.contains("The second part of story 3"))
    #expect(try await !sandbox.telex("export").output.contains("saved:"))
    // It is one article however often it is saved, and not fetched again.
    #expect(try await sandbox.telex("later", base + "/story/3").status == 0)
    #expect(site.asked("/story/3") == 1)
    #expect(try await sandbox.telex("articles", "--json").jsonLines().count == 1)

    await server.stop()
    let waiting = try await sandbox.telex("later", base + "/story/1", "--json")
    #expect(waiting.status == 1)
    let id = try #require(try waiting.json()["articleID"] as? Int)
    try await sandbox.succeed("read", "\(id)")
    #expect(try await sandbox.telex("refresh").status == 0)
    _ = try server.start()
    let refreshed = try await sandbox.telex("refresh", "--json").json()
    #expect(refreshed["fullTexts"] as? Int == 1)
    #expect(try await sandbox.telex("show", "\(id)").output.contains("part of story 1"))
    #expect(try await sandbox.articles().contains { $0["title"] as? String == "Story 1" })
    // What was deleted is saved anew.
    try await sandbox.succeed("delete", "\(id)", "--yes")
    #expect(try await sandbox.telex("later", base + "/story/1").status == 0)
    #expect(try await sandbox.telex("search", "zanzibar", "--json").jsonLines().count == 2)
    for wrong in ["mailto:a@example.org", "nothing at all"] {
      #expect(try await sandbox.telex("later", wrong).status == 1)
    }
    #expect(try await sandbox.articles().count == 2)
    await server.stop()
  }

  /// Another process writes to the store while the user saves a page, and the program is ended.
  @Test func `A page that is saved in the last moment is kept before the program ends`()
    async throws
  {
    try await withSite { base, site, sandbox in
      try await sandbox.add(base + "/feed.xml")
      let reader = try sandbox.reader()
      try await reader.wait(for: "Teaser 3")
      try reader.send("\r")
      try await reader.wait(for: "Only the start 3")
      let writer = try sandbox.file(
        "writer.py",
        """
        import sqlite3, sys
        store = sqlite3.connect(sys.argv[1], isolation_level=None)
        store.execute("BEGIN IMMEDIATE")
        print("writing", flush=True)
        sys.stdin.read()
        """)
      let other = try ChildProcess(
        try #require(BookReader.python),
        [writer, sandbox.folder + "/.local/share/telex/telex.sqlite"], input: .held)
      #expect(await eventually { !other.output.isEmpty })
      try reader.send("\tB")
      try await reader.wait(for: "Saving")
      reader.signal(SIGTERM)
      // A program that does not wait ends by then, and the page is lost.
      await #expect(throws: PseudoTerminalError.self) {
        try await reader.waitForEnd(timeout: .seconds(1))
      }
      other.closeInput()
      #expect(try await reader.waitForEnd() == .exited(128 + SIGTERM))
      let saved = try await sandbox.articles().filter { $0["feed"] as? String == "Saved" }
      #expect(saved.count == 1)
    }
  }

  @Test func `A key saves the page of a link, from public hosts and its feed's own only`()
    async throws
  {
    try await withSite { base, site, sandbox in
      site.state.withLock { $0.stranger = 2 }
      try await sandbox.add(base + "/feed.xml")
      let reader = try sandbox.reader()
      try await reader.wait(for: "Teaser 3")
      try reader.send("\r")
      try await reader.wait(for: "Only the start 3")
      // At the server of the feed, whose address was typed.
      try reader.send("\tB")
      try await reader.wait(for: "is in Later.")
      #expect(await eventually { site.asked("/story/3") == 1 })
      try reader.send("qq")
      try await reader.wait(for: "Teaser 2")
      try reader.send("j\r")
      try await reader.wait(for: "Only the start 2")
      try reader.send("\tB")
      try await reader.wait(for: "not a public address")
      #expect(try await reader.quit() == .exited(0))
      let saved = try await sandbox.articles().filter { $0["feed"] as? String == "Saved" }
      #expect(saved.compactMap { $0["title"] as? String } == ["Story 3"])
      #expect(site.asked("/story/2") == 0)
    }
  }

  @Test func `A page whose full text is here is saved without a network, and whole`() async throws {
    try await withSite { base, site, sandbox in
      try await sandbox.add(base + "/feed.xml")
      let article = try #require(
        try await sandbox.articles().first { $0["title"] as? String == "Teaser 3" })
      let id = try #require(article["id"] as? Int)
      try await sandbox.succeed("show", "\(id)", "--full-text")
      site.state.withLock { $0.isDown = true }
      let asked = site.asked("/story/3")
      let saved = try await sandbox.telex("later", base + "/story/3", "--json")
      let report = try saved.json()
      #expect(saved.status == 0 && report["hasText"] as? Bool == true, "\(saved.testDescription)")
      #expect(report["title"] as? String == "Story 3" && site.asked("/story/3") == asked)
    }
  }

  @Test func `A page without an article is saved by its name, and is not packed`() async throws {
    try await withSite { base, site, sandbox in
      site.state.withLock {
        $0.extra["/wall"] = WireReply(
          type: "text/html",
          text: """
            <title>Behind the wall</title><script type="application/ld+json">{"@type":\
            "NewsArticle","isAccessibleForFree":false}</script><p>Subscribe to read on.</p>
            """)
      }
      let saved = try await sandbox.telex("later", base + "/wall", "--json")
      #expect(saved.status == 1 && !saved.errors.contains("the feed"), "\(saved.testDescription)")
      #expect(try saved.json()["title"] as? String == "Behind the wall")
      _ = try await sandbox.telex("prefetch", "--metered", "--full-text")
      let article = try #require(try await sandbox.articles().first)
      #expect(article["packed"] as? Bool != true, "\(article)")
    }
  }
}
