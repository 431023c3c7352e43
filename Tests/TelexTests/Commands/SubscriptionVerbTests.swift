import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import Testing

/// `add`, `list`, `refresh`, `remove`, `import` and `export`.
@Suite(.timeLimit(.minutes(10)))
struct SubscriptionVerbTests {
  #if !GRPC
    @Test func `A feed of gRPC says how to build a Telex that reads it`() async throws {
      let sandbox = try Sandbox()
      let outcome = try await sandbox.telex("add", "grpc://127.0.0.1:9/news")
      #expect(outcome.status == 1, "\(outcome.testDescription)")
      #expect(outcome.errors.contains("without grpc") && outcome.errors.contains("--traits GRPC"))
      #expect(try await sandbox.telex("list").output == "")
    }
  #endif

  @Test(
    arguments: [
      ("/rss.xml", "rss"), ("/atom.xml", "atom"), ("/rdf.xml", "rdf"), ("/feed.json", "json"),
      ("/api", "api"), ("/", nil),
    ] as [(String, String?)])
  func `add finds the feed at an address`(path: String, format: String?) async throws {
    try await withNewspaper(newspaper(5)) { server, sandbox in
      let outcome = try await sandbox.telex("add", "--json", server.baseURL + path)
      #expect(outcome.status == 0 && outcome.errors == "")
      let object = try outcome.json()
      #expect(Set(object.keys) == ["feed", "new", "changed", "candidates", "error"])
      #expect(object["new"] as? Bool == true)
      #expect(object["error"] is NSNull)
      let feed = try #require(object["feed"] as? [String: Any])
      #expect(Set(feed.keys) == feedKeys)
      #expect(feed["title"] as? String == "The Loopback Times")
      #expect(feed["total"] as? Int == 5 && feed["unread"] as? Int == 5)
      if let format { #expect(feed["format"] as? String == format) }
      let again = try await sandbox.telex("add", "--json", server.baseURL + path)
      #expect(again.status == 0)
      #expect(try again.json()["new"] as? Bool == false)
    }
  }

  @Test func `add does not ask the network for a file`() async throws {
    let sandbox = try Sandbox()
    _ = try sandbox.file("feed.xml", rss)
    let outcome = try await sandbox.telex("add", "feed.xml")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("There is a file of this name"))
    #expect(outcome.errors.contains("./feed.xml"))
    #expect(try await sandbox.telex("add", "./feed.xml").status == 0)
  }

  @Test func `add takes a file, a folder and a title`() async throws {
    let sandbox = try Sandbox()
    let path = try sandbox.file("my feed.xml", rss)
    let outcome = try await sandbox.telex(
      "add", path, "--folder", "Work/Swift", "--title", "Mine", "--json")
    #expect(outcome.status == 0, "\(outcome.testDescription)")
    let feed = try #require(try outcome.json()["feed"] as? [String: Any])
    #expect(feed["title"] as? String == "Mine")
    #expect(feed["folders"] as? [String] == ["Work/Swift"])
    #expect((feed["url"] as? String)?.hasPrefix("file:///") == true)
    #expect(try await sandbox.telex("articles", "--folder", "Work").lines.count == 2)
    #expect(try await sandbox.telex("articles", "--folder", "Work/Swift/").lines.count == 2)
    for folder in ["Play", "Wor", "Swift", "", "/"] {
      let unknown = try await sandbox.telex("articles", "--folder", folder, "--json")
      #expect(unknown.status == 2, "\(folder)")
      try expectError(unknown, stage: "arguments")
    }
    #expect(try await sandbox.telex("refresh").status == 0)
  }

  @Test func `add of a feed that is there says what it has changed`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let same = try await sandbox.telex("add", server.apiURL)
      #expect(same.output == "1  The Loopback Times is already subscribed; nothing has changed\n")
      server.insertFresh(2)
      let changed = try await sandbox.telex(
        "add", server.apiURL, "--title", "Mine", "--folder", "Work", "--folder", "Play")
      #expect(
        changed.output
          == "1  The Loopback Times is already subscribed; it is now called Mine, it is now in Play and in "
          + "Work, 2 new articles\n")
      #expect(try await sandbox.telex("list", "--json").json()["title"] as? String == "Mine")
      let object = try await sandbox.telex("add", server.apiURL, "--title", "Ours", "--json").json()
      #expect(object["changed"] as? [String] == ["title"] && object["new"] as? Bool == false)
      // Without a title nothing of it changes.
      #expect(try await sandbox.telex("add", server.apiURL).output.contains("nothing has changed"))
      #expect(try await sandbox.telex("list", "--json").json()["title"] as? String == "Ours")
    }
  }

  @Test func `remove asks at a terminal, and removes nothing before it is answered`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let question = "Remove The Loopback Times with 3 articles? y/n"
      for answer in ["n", "", "x"] {
        let refused = try sandbox.reader("remove", "1")
        try await refused.wait(for: question)
        #expect(try await sandbox.telex("list").lines.count == 1)
        try refused.send(answer)
        try refused.send(.enter)
        #expect(try await refused.waitForEnd() == .exited(1))
        #expect(refused.screen.contains("nothing was removed"))
      }
      let ended = try sandbox.reader("remove", "1")
      try await ended.wait(for: question)
      try ended.send(.control("d"))
      #expect(try await ended.waitForEnd() == .exited(1))
      #expect(try await sandbox.telex("list").lines.count == 1)
      let agreed = try sandbox.reader("remove", "1")
      try await agreed.wait(for: question)
      try agreed.send("y")
      try agreed.send(.enter)
      #expect(try await agreed.waitForEnd() == .exited(0))
      #expect(try await sandbox.telex("list").output == "")
    }
  }

  @Test(arguments: [["remove", "1", "--yes"], ["remove", "1", "-y"], ["remove", "1", "--json"]])
  func `remove does not ask at a terminal where it is told not to, or for a script`(
    arguments: [String]
  ) async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let terminal = try PseudoTerminal(
        executable: BuiltProduct.path(of: "telex"), arguments: arguments, environment: sandbox.home)
      #expect(try await terminal.waitForEnd() == .exited(0))
      #expect(!terminal.screen.contains("y/n"))
      #expect(try await sandbox.telex("list").output == "")
    }
  }

  /// A script that runs in a terminal has one, and nobody looks at it.
  @Test(arguments: ["</dev/null", ">out", "| cat"])
  func `remove does not wait for an answer where its input or output is no terminal`(
    redirection: String
  ) async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let line = "'\(BuiltProduct.path(of: "telex"))' remove 1 \(redirection)"
      let terminal = try PseudoTerminal(
        executable: "/bin/sh", arguments: ["-c", "cd '\(sandbox.folder)' && \(line)"],
        environment: sandbox.home)
      #expect(try await terminal.waitForEnd() == .exited(0))
      #expect(try await sandbox.telex("list").output == "")
    }
  }

  @Test func `The feeds of a list are taken back together, and nothing before them`() async throws {
    let sandbox = try Sandbox()
    let first = try sandbox.file(
      "one.xml", "<rss version='2.0'><channel><title>One</title></channel></rss>")
    try await sandbox.succeed("add", first)
    let outlines = (1...3).map { "<outline text='Feed \($0)' xmlUrl='https://e.example/\($0)'/>" }
    let file = try sandbox.file(
      "list.opml", "<opml version='2.0'><body>\(outlines.joined())</body></opml>")
    try await sandbox.succeed("import", file)
    let undone = try await sandbox.telex("undo").output
    #expect(undone.contains("subscribed to 3 feeds") && undone.contains("telex redo"))
    #expect(try await sandbox.telex("list", "--json").jsonLines().count == 1)
    try await sandbox.succeed("redo")
    #expect(try await sandbox.telex("list", "--json").jsonLines().count == 4)
  }

  @Test func `Feeds that fail alike are told in one line with a count`() async throws {
    let server = RawServer { _ in .reply(DoctorTests.rss()) }
    let base = "http://127.0.0.1:\(try server.start())"
    let sandbox = try Sandbox()
    let outlines = (0..<500).map { "<outline text='Feed \($0)' xmlUrl='\(base)/\($0)'/>" }
    let odd = "<outline text='Odd' xmlUrl='http://127.0.0.1:1/feed'/>"
    let list = "<opml version='2.0'><body>\(outlines.joined())\(odd)</body></opml>"
    let file = try sandbox.file("list.opml", list)
    #expect(try await sandbox.telex("import", file, "--trust").status == 0)
    await server.stop()
    let outcome = try await sandbox.telex("refresh")
    #expect(outcome.status == 1 && outcome.output.contains("501 failed"))
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count <= 4, "\(outcome.errors)")
    #expect(lines.contains { $0.contains(#/^telex: connect: Feed \d+ and \d{3} other feeds: /#) })
    let json = try await sandbox.telex("refresh", "--json").json()
    #expect((json["failed"] as? [Any])?.count == 501)
  }

  @Test func `Feeds at several hosts that fail alike are told without the name of one of them`()
    async throws
  {
    let sandbox = try Sandbox()
    let outlines = (2...7).map {
      "<outline text='Feed \($0)' xmlUrl='http://127.0.0.\($0):1/feed'/>"
    }
    let file = try sandbox.file(
      "list.opml", "<opml version='2.0'><body>\(outlines.joined())</body></opml>")
    #expect(try await sandbox.telex("import", file, "--trust").status == 0)
    let outcome = try await sandbox.telex("refresh")
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == 1, "\(outcome.errors)")
    let line =
      #/^telex: connect: Feed \d and 5 other feeds: The server does not accept connections on port 1; .*/#
    #expect(lines.first?.wholeMatch(of: line) != nil, "\(outcome.errors)")
    #expect(!outcome.errors.contains("127.0.0."))
  }

  @Test func `Warnings of several kinds are each told`() async throws {
    let server = RawServer { request in
      // Two that lead back to themselves, and two that go on for ever with what is known.
      let (path, number) = (request.path.prefix(2), Int(request.path.dropFirst(3)) ?? 0)
      let next = ["/1", "/2"].contains(path) ? "\(path)/0" : "\(path)/\(number + 1)"
      let feed = """
        <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>F</title>\
        <atom:link rel="next" href="\(next)"/><item><guid>1</guid><title>One</title></item>\
        </channel></rss>
        """
      return .reply(WireReply(type: "application/rss+xml", text: feed))
    }
    let base = "http://127.0.0.1:\(try server.start())"
    let sandbox = try Sandbox()
    let outlines = (1...4).map { "<outline text='Feed \($0)' xmlUrl='\(base)/\($0)/0'/>" }
    let file = try sandbox.file(
      "list.opml", "<opml version='2.0'><body>\(outlines.joined())</body></opml>")
    #expect(try await sandbox.telex("import", file, "--trust").status == 0)
    let outcome = try await sandbox.telex("refresh", "--all-pages")
    await server.stop()
    let lines = outcome.errors.split(separator: "\n").sorted()
    try #require(lines.count == 4, "\(outcome.errors)")
    for (line, text) in zip(lines, ["repeat", "repeat", "nothing new", "nothing new"]) {
      #expect(line.hasPrefix("warning: ") && line.contains(text), "\(line)")
    }
  }

  @Test func `Outlines that are left out alike are told in one line`() async throws {
    let outlines = (0..<500).map { "<outline text='\($0)' xmlUrl='ftp://example.org/\($0)'/>\n" }
    let sandbox = try Sandbox()
    let file = try sandbox.file(
      "list.opml", "<opml version='2.0'><body>\n\(outlines.joined())</body></opml>")
    let outcome = try await sandbox.telex("import", file)
    let told = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("telex: parse: line 2") }
    #expect(told.count == 1, "\(outcome.errors)")
    #expect(told.first?.contains(" other lines: ") == true)
    #expect(told.first?.contains("ftp://") == false, "\(outcome.errors)")
  }

  @Test func `list prints a feed on each line`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      #expect(try await sandbox.telex("list").output == "")
      #expect(try await sandbox.telex("list", "--json").output == "")
      try await sandbox.add(server.apiURL)
      try await sandbox.add(server.baseURL + "/rss.xml")
      let text = try await sandbox.telex("list")
      #expect(text.lines.count == 2)
      #expect(text.lines.allSatisfy { $0.contains("\t3/3\tThe Loopback Times\thttp://127") })
      let feeds = try await sandbox.telex("list", "--json").jsonLines()
      let keys = feedKeys.union(["packed"])
      #expect(feeds.map { Set($0.keys) } == [keys, keys])
    }
  }

  @Test func `refresh counts what is new, and a failure is exit status 1`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      server.insertFresh(2)
      let fresh = try await sandbox.telex("refresh", "--json")
      #expect(fresh.status == 0)
      let report = try fresh.json()
      #expect(
        Set(report.keys) == [
          "feeds", "new", "unchanged", "byAnother", "olderPages", "older", "warnings", "accounts",
          "failed", "fullTexts", "fullTextsFailed",
        ])
      #expect(report["new"] as? Int == 2 && report["unchanged"] as? Int == 0)
      let same = try await sandbox.telex("refresh", "--json").json()
      #expect(same["new"] as? Int == 0 && same["unchanged"] as? Int == 1)

      server.inject(.status(404), on: "/api/articles", times: nil)
      let failed = try await sandbox.telex("refresh", "--json")
      #expect(failed.status == 1)
      let failures = try #require(try failed.json()["failed"] as? [[String: Any]])
      #expect(failures.map { Set($0.keys) } == [["feed", "error"]])
      let error = try #require(failures.first?["error"] as? [String: Any])
      #expect(Set(error.keys) == errorKeys)
      #expect(error["status"] as? Int == 404)
      let told = try await sandbox.telex("refresh")
      #expect(told.status == 1 && told.errors.contains("404"))
      #expect(told.output.contains("1 failed"))
    }
  }

  @Test func `refresh --due asks those feeds alone whose time has come`() async throws {
    try await withNewspaper(newspaper(2)) { server, sandbox in
      try await sandbox.add(server.baseURL + "/rss.xml")
      try await sandbox.add(server.baseURL + "/atom.xml")
      func asked(_ path: String) -> Int { server.requests.count { $0.path == path } }
      let before = (asked("/rss.xml"), asked("/atom.xml"))
      let early = try await sandbox.telex("refresh", "--due", "--json")
      #expect(early.status == 0, "\(early.testDescription)")
      #expect(try early.json()["feeds"] as? Int == 0)
      #expect(asked("/rss.xml") == before.0 && asked("/atom.xml") == before.1)
      try await sandbox.succeed("refresh")
      #expect(asked("/rss.xml") == before.0 + 1 && asked("/atom.xml") == before.1 + 1)

      // Without an interval of the settings all are due.
      let config = try sandbox.file("config.toml", "[refresh]\ninterval_minutes = 0\n")
      #expect(try await sandbox.telex("refresh", "--due", "--config", config).status == 0)
      #expect(asked("/rss.xml") == before.0 + 2 && asked("/atom.xml") == before.1 + 2)

      // A server that wants to be left alone is asked for feeds that are named, and for no other.
      server.inject(.status(429, retryAfter: 3_000), on: "/rss.xml", skipping: 0, times: nil)
      _ = try await sandbox.telex("refresh", "1")
      let paused = (asked("/rss.xml"), asked("/atom.xml"))
      #expect(paused.0 == before.0 + 3)
      #expect(try await sandbox.telex("refresh", "--due", "--config", config).status == 0)
      #expect(try await sandbox.telex("refresh").status == 0)
      #expect(asked("/rss.xml") == paused.0 && asked("/atom.xml") == paused.1)
      let list = try await sandbox.telex("list").output
      #expect(list.split(separator: "\n").count { $0.contains("wants a pause until") } == 2)
      try await sandbox.succeed("refresh", "2")
      #expect(asked("/rss.xml") == paused.0 && asked("/atom.xml") == paused.1 + 1)
    }
  }

  @Test func `set changes nothing where one of its options is a mistake`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.add(try sandbox.file("feed.xml", rss))
    let before = try await sandbox.telex("list", "--json").output
    for mistake in [
      ["--interval", "5"], ["--proxy", "nonsense://x"], ["--time-limit", "soon"], ["--title", " "],
      ["--no-secret"], ["--folder", "default", "--folder", "Other"],
    ] {
      let outcome = try await sandbox.telex(
        ["set", "1", "--folder", "New", "--user-agent", "Mine"]
          + (mistake[0] == "--title" ? [] : ["--title", "Foo"]) + mistake)
      #expect(outcome.status != 0, "\(outcome.testDescription)")
      #expect(try await sandbox.telex("list", "--json").output == before, "\(mistake)")
    }
  }

  @Test func `default takes the name and the folders of a feed back`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.add(try sandbox.file("feed.xml", rss))
    let own = try await sandbox.telex("list", "--json").json()
    try await sandbox.succeed("set", "1", "--title", "Mine", "--folder", "News")
    let set = try await sandbox.telex("list", "--json").json()
    #expect(set["title"] as? String == "Mine" && set["folders"] as? [String] == ["News"])
    let back = try await sandbox.telex("set", "1", "--title", "default", "--folder", "default")
    #expect(back.status == 0 && back.output.contains("in no folder, with the title from the feed"))
    let after = try await sandbox.telex("list", "--json").json()
    #expect(after["title"] as? String == own["title"] as? String)
    #expect(after["folders"] as? [String] == [])
  }

  @Test func `A feed that is named twice is removed once`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.add(try sandbox.file("feed.xml", rss))
    let outcome = try await sandbox.telex("remove", "1", "1")
    #expect(outcome.status == 0 && outcome.lines.count == 1, "\(outcome.testDescription)")
  }

  @Test func `One feed that fails stops no other`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      try await sandbox.add(server.baseURL + "/rss.xml")
      server.insertFresh(1)
      server.inject(.status(404), on: "/rss.xml", times: nil)
      let outcome = try await sandbox.telex("refresh", "--json")
      #expect(outcome.status == 1)
      #expect(try outcome.json()["new"] as? Int == 1)
      #expect(try await sandbox.telex("list").output.contains("! "))
    }
  }

  @Test func `refresh --all-pages walks to the end and asks for each page once`() async throws {
    try await withNewspaper(newspaper(160)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let outcome = try await sandbox.telex("refresh", "--all-pages", "--json")
      #expect(outcome.status == 0)
      #expect(try outcome.json()["olderPages"] as? Int == 3)
      #expect(server.askedCursors.count == 3 && Set(server.askedCursors).count == 3)
      #expect(try await sandbox.articles().count == 160)
    }
  }

  @Test(arguments: ["0.5", "1"])
  func `refresh --timeout bounds a server that hangs`(seconds: String) async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      server.inject(.hang, on: "/api/articles", times: nil)
      let outcome = try await sandbox.telex("refresh", "--timeout", seconds, "--json")
      #expect(outcome.status == 1)
      #expect((try outcome.json()["failed"] as? [Any])?.count == 1)
    }
  }

  @Test func `remove takes a number or an address, and all or none`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      try await sandbox.add(server.baseURL + "/rss.xml")
      let missing = try await sandbox.telex("remove", server.apiURL, "4711")
      #expect(missing.status == 2)
      #expect(missing.errors.contains("There is no such feed"))
      #expect(try await sandbox.telex("list").lines.count == 2)
      let removed = try await sandbox.telex("remove", server.apiURL, "--json")
      #expect(removed.status == 0)
      let object = try removed.json()
      #expect(Set(object.keys) == ["removed", "error"])
      #expect((object["removed"] as? [[String: Any]])?.first.map { Set($0.keys) } == feedKeys)
      #expect(try await sandbox.articles().count == 3)
      let id = try #require(try await sandbox.telex("list", "--json").json()["id"] as? Int)
      #expect(try await sandbox.telex("remove", "\(id)").status == 0)
      #expect(try await sandbox.articles().isEmpty)
    }
  }

  @Test func `What export writes import reads`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      for (path, folder) in [("/rss.xml", "A/B"), ("/rdf.xml", "A & <C>"), ("/atom.xml", nil)] {
        let arguments = ["add", server.baseURL + path] + (folder.map { ["--folder", $0] } ?? [])
        #expect(try await sandbox.telex(arguments).status == 0)
      }
      let exported = try await sandbox.telex("export")
      #expect(exported.status == 0)
      let other = try Sandbox()
      let file = try other.file("feeds.opml", exported.output)
      let imported = try await other.telex("import", file, "--trust", "--json")
      #expect(imported.status == 0)
      let object = try imported.json()
      #expect(
        Set(object.keys) == ["added", "known", "shutOut", "skipped", "warnings", "error"])
      #expect(object["added"] as? Int == 3 && object["known"] as? Int == 0)
      let again = try await other.telex("import", "-", "--json", stdin: exported.output).json()
      #expect(again["added"] as? Int == 0 && again["known"] as? Int == 3)
      // The pages of the sites are known before anything is fetched.
      let links = { (feeds: [[String: Any]]) in Set(feeds.map { $0["link"] as? String }) }
      let known = try await sandbox.telex("list", "--json").jsonLines()
      #expect(try await links(other.telex("list", "--json").jsonLines()) == links(known))
      #expect(!links(known).contains(nil))
      let refreshed = try await other.telex("refresh", "--json")
      #expect(refreshed.status == 0, "\(refreshed.testDescription)")
      #expect(try await other.articles().count == 9)
      #expect(try await other.telex("export").output == exported.output)
    }
  }

  @Test func `A file that is no database is set aside, and the command says so`() async throws {
    let sandbox = try Sandbox()
    _ = try await sandbox.telex("list")
    let store = sandbox.folder + "/.local/share/telex"
    for name in ["-wal", "-shm"] {
      try FileManager.default.removeItem(atPath: store + "/telex.sqlite" + name)
    }
    try Data(repeating: 0x58, count: 5_000).write(to: URL(filePath: store + "/telex.sqlite"))
    let outcome = try await sandbox.telex("list")
    #expect(outcome.errors.contains("There was no database of Telex's but another file"))
    #expect(outcome.errors.contains("it is kept as \(store)/telex.sqlite.damaged-"))
  }

  @Test func `A feed in a file survives export and import, where the list is trusted`() async throws
  {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      let document = try sandbox.file(
        "feed.xml",
        "<rss><channel><title>F</title><item><guid>1</guid><title>T</title></item></channel></rss>")
      try await sandbox.add(document)
      let exported = try await sandbox.telex("export").output
      let other = try Sandbox()
      let refused = try await other.telex("import", "-", "--json", stdin: exported).json()
      #expect((refused["skipped"] as? [Any])?.count == 1)
      let trusted = try await other.telex("import", "-", "--trust", "--json", stdin: exported)
        .json()
      #expect(trusted["added"] as? Int == 1)
      #expect(try await other.telex("refresh").status == 0)
      #expect(try await other.articles().count == 1)
    }
  }

  @Test func `One feed whose older pages fail stops no other`() async throws {
    try await withNewspaper(newspaper(160)) { server, sandbox in
      let other = try FeedServer(archive: newspaper(120, title: "Evening Echo"))
      try other.start()
      try await sandbox.add(server.apiURL)
      try await sandbox.add(other.apiURL)
      server.inject(.status(404), on: "/api/articles", skipping: 1, times: nil)
      let outcome = try await sandbox.telex("refresh", "--all-pages", "--json")
      await other.stop()
      #expect(outcome.status == 1)
      let report = try outcome.json()
      #expect((report["failed"] as? [Any])?.count == 1)
      #expect(report["olderPages"] as? Int == 2)
    }
  }

  @Test func `A feed of the API survives export and import`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let exported = try await sandbox.telex("export")
      let other = try Sandbox()
      #expect(try await other.telex("import", "-", "--trust", stdin: exported.output).status == 0)
      // The pages of the sites are known before anything is fetched.
      let links = { (feeds: [[String: Any]]) in Set(feeds.map { $0["link"] as? String }) }
      let known = try await sandbox.telex("list", "--json").jsonLines()
      #expect(try await links(other.telex("list", "--json").jsonLines()) == links(known))
      #expect(!links(known).contains(nil))
      let refreshed = try await other.telex("refresh", "--json")
      #expect(refreshed.status == 0, "\(refreshed.testDescription)")
      #expect(try await other.articles().count == 3)
    }
  }

  @Test func `An imported list leads to this machine only when it is trusted`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      let list = opml([server.apiURL, "javascript:alert(1)"])
      let outcome = try await sandbox.telex("import", "-", "--json", stdin: list)
      #expect(outcome.status == 0)
      let skipped = try #require(try outcome.json()["skipped"] as? [[String: Any]])
      #expect(skipped.map { Set($0.keys) } == [errorKeys])
      #expect(try await sandbox.telex("refresh").status == 1)
      #expect(server.requests.isEmpty)
    }
  }

  @Test func `export --json and opml --json print the same`() async throws {
    try await withNewspaper(newspaper(1)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let object = try await sandbox.telex("export", "--json").json()
      #expect(Set(object.keys) == ["title", "feeds", "skipped", "warnings"])
      let feeds = try #require(object["feeds"] as? [[String: Any]])
      #expect(
        feeds.map { Set($0.keys) } == [["url", "title", "htmlUrl", "categories", "attributes"]])
      let text = try await sandbox.telex("export").output
      let read = try await sandbox.telex("opml", "-", "--json", stdin: text).json()
      #expect(NSDictionary(dictionary: read) == NSDictionary(dictionary: object))
    }
  }
}

let feedKeys: Set = [
  "id", "url", "title", "link", "format", "folders", "total", "unread", "starred", "updated",
  "attempted", "nextAttempt", "error", "description", "language", "image", "icon", "authors",
  "people",
  "rights", "movedTo", "proxy", "remark", "settings", "account", "state", "failingSince",
  "failures",
]
let errorKeys: Set = ["stage", "subject", "message", "next", "status", "retryAfter"]

func opml(_ urls: [String]) -> String {
  "<opml version=\"2.0\"><body>"
    + urls.map { "<outline type=\"rss\" text=\"t\" xmlUrl=\"\($0)\"/>" }.joined()
    + "</body></opml>"
}

/// Two items: one with everything, one with hardly anything.
let rss = """
  <?xml version="1.0" encoding="UTF-8"?>
  <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/">
    <channel>
      <title>Small &amp; plain</title>
      <link>https://example.org/</link>
      <description>Two items</description>
      <language>en-GB</language>
      <item>
        <guid isPermaLink="false">full</guid>
        <title>Everything</title>
        <link>/everything</link>
        <author>ada@example.org (Ada)</author>
        <pubDate>Mon, 09 Mar 2026 07:05:00 GMT</pubDate>
        <description>In short</description>
        <content:encoded><![CDATA[<p>At <a href="/length">length</a>.</p>]]></content:encoded>
        <enclosure url="/sound.mp3" type="audio/mpeg" length="1234"/>
        <category>Sounds</category>
      </item>
      <item><title>Next to nothing</title></item>
    </channel>
  </rss>
  """
