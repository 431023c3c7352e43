import ChildProcess
import FeedServer
import Foundation
import TestSupport
import Testing

/// `edit` and `apply`: the subscriptions as text, through the built program.
@Suite(.timeLimit(.minutes(10)))
struct EditVerbTests {
  /// An editor that puts a text into the place of what it is given, and keeps what that was as `seen.txt`.
  private func editor(_ sandbox: Sandbox, leaving text: String) throws -> [String: String?] {
    let next = try sandbox.file("next.txt", text)
    let script = try sandbox.file(
      "an editor",
      "#!/bin/sh\n[ \"$1\" = --wait ] || exit 9\ncp \"$2\" '\(sandbox.folder)/seen.txt'\ncp '\(next)' \"$2\"\n",
      permissions: 0o755)
    return ["EDITOR": "'\(script)' \"--wait\"", "VISUAL": nil, "TMPDIR": sandbox.folder]
  }

  private func text(_ sandbox: Sandbox) async throws -> String {
    try await sandbox.telex("edit", "--print").output
  }

  @Test func `An address that leads to a subscribed feed keeps it, with its articles and marks`()
    async throws
  {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      let door = RawServer { _ in
        .reply(
          WireReply(status: 301, headers: [(name: "Location", value: server.baseURL + "/rss.xml")]))
      }
      let address = "http://127.0.0.1:\(try door.start())/new"
      try await sandbox.add(server.baseURL + "/rss.xml")
      try await sandbox.succeed("star", "story")
      let starred = try await sandbox.articles("--starred").count
      let list = try sandbox.file("list.txt", address + "\n")
      for _ in 0..<2 {
        try await sandbox.succeed("apply", list, "--prune")
        let feeds = try await sandbox.telex("list", "--json").jsonLines()
        #expect(feeds.compactMap { $0["id"] as? Int } == [1])
        #expect(try await sandbox.articles("--starred").count == starred && starred == 3)
      }
      await door.stop()
    }
  }

  /// What an editor leaves behind that was ended in a hurry: an empty file, none, or one with remarks alone.
  @Test(arguments: [": > \"$1\"", "rm \"$1\"", "echo '# later' > \"$1\""])
  func `A text without feeds changes nothing, and is kept where something is in it`(
    command: String
  ) async throws {
    try await withNewspaper(newspaper(1)) { server, sandbox in
      try await sandbox.add(server.baseURL + "/rss.xml")
      let script = try sandbox.file("editor", "\(command)\n")
      let folder = sandbox.folder + "/drafts"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let outcome = try await sandbox.telex(
        ["edit", "--yes"],
        environment: ["EDITOR": "/bin/sh \(script)", "VISUAL": nil, "TMPDIR": folder])
      #expect(outcome.status == 1, "\(outcome.testDescription)")
      let left = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(left.isEmpty == !command.contains("later"))
      for draft in left { #expect(outcome.errors.contains(draft)) }
      #expect(try await sandbox.telex("list", "--json").jsonLines().count == 1)
    }
  }

  @Test func `An edited text subscribes, removes, renames, files and sets, and each is taken back`()
    async throws
  {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      let base = server.baseURL
      try await sandbox.add(base + "/rss.xml")
      try await sandbox.add(base + "/atom.xml")
      let before = try await text(sandbox)
      #expect(before == "# Feeds for telex apply\n\n\(base)/atom.xml\n\(base)/rss.xml\n")
      let after = """
        # Feeds for telex apply

        [News/World]
        \(base)/feed.json

        \(base)/rss.xml
            title = Mine
            folder = Other
            interval = 2h
            hidden = yes

        """
      let environment = try editor(sandbox, leaving: after)
      let edited = try await sandbox.telex(["edit"], environment: environment)
      #expect(edited.status == 0 && edited.errors == "", "\(edited.testDescription)")
      #expect(
        edited.output == """
          ~ The Loopback Times: called “Mine”, in News/World and in Other, interval 2h, hidden yes
          + \(base)/feed.json: in News/World
          - The Loopback Times  \(base)/atom.xml
          1 feed added, 1 feed changed, 1 feed removed

          """)
      let seen = try #require(sandbox.contents(of: "seen.txt"))
      #expect(seen.contains("\(base)/rss.xml  # The Loopback Times\n"))
      #expect(try await text(sandbox) == after)
      // It was fetched at once.
      let counts = try await sandbox.telex("list", "--json").jsonLines().compactMap {
        $0["total"] as? Int
      }
      #expect(counts == [3, 3])

      // The same again changes nothing, and leaves no file behind.
      let again = try await sandbox.telex(["edit"], environment: environment)
      #expect(
        again.status == 0 && again.output == "nothing to change\n", "\(again.testDescription)")

      for _ in 0..<5 { try await sandbox.succeed("undo") }
      #expect(try await text(sandbox) == before)
      for _ in 0..<5 { try await sandbox.succeed("redo") }
      #expect(try await text(sandbox) == after)
    }
  }

  @Test func `A text with a mistake changes nothing, is kept, and says where the mistake is`()
    async throws
  {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.baseURL + "/rss.xml")
      let before = try await text(sandbox)
      let environment = try editor(
        sandbox, leaving: "\(server.baseURL)/atom.xml\n  interval = soon\n[x\n")
      let edited = try await sandbox.telex(["edit", "--yes"], environment: environment)
      #expect(edited.status == 1 && edited.output == "", "\(edited.testDescription)")
      #expect(edited.errors.contains("feeds.txt:2:14: Interval takes a time"))
      #expect(edited.errors.contains("feeds.txt:3:2: The heading"))
      let path = try #require(edited.errors.firstMatch(of: #/your text is in (\S+feeds\.txt)/#))
      #expect(FileManager.default.fileExists(atPath: String(path.1)))
      #expect(try await text(sandbox) == before)

      // Neither does one without any feed, or an editor that fails or is not there.
      for (leaving, change) in [("# nothing\n", nil), ("", "false"), ("", "no-such-editor")] {
        var environment = try editor(sandbox, leaving: leaving)
        if let change { environment["VISUAL"] = change }
        let edited = try await sandbox.telex(["edit", "--yes"], environment: environment)
        #expect(
          edited.status == 1 && edited.errors.contains("telex: "), "\(edited.testDescription)")
      }
      #expect(try await text(sandbox) == before)
    }
  }

  @Test func `A list from a file is applied once, and removes others only with --prune`()
    async throws
  {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      let base = server.baseURL
      try await sandbox.add(base + "/rss.xml")
      let list = """
        \(base)/atom.xml
          title = Atom
        [Elsewhere]
        \(base)/nothing-here.xml
        http://127.0.0.1:9/refused.xml
          paused = yes
        """
      let file = try sandbox.file("feeds.txt", list)
      let dry = try await sandbox.telex("apply", file, "--dry-run")
      #expect(dry.status == 0 && dry.output.contains("+ \(base)/atom.xml: called “Atom”"))
      #expect(try await sandbox.telex("list", "--json").jsonLines().count == 1)

      let applied = try await sandbox.telex("apply", file)
      #expect(applied.status == 0, "\(applied.testDescription)")
      #expect(applied.output.hasSuffix("3 feeds added\n"))
      #expect(applied.errors.contains("1 feed subscribed but never fetched"))
      let feeds = try await sandbox.telex("list", "--json").jsonLines()
      #expect(feeds.count == 4)
      for same in [["apply", file], ["apply", "-"]] {
        let again = try await sandbox.telex(same, stdin: list)
        #expect(
          again.status == 0 && again.output == "nothing to change\n", "\(again.testDescription)")
      }
      let printed = try await text(sandbox)
      #expect(try await sandbox.telex("apply", "-", stdin: printed).output == "nothing to change\n")

      let pruned = try await sandbox.telex("apply", file, "--prune")
      #expect(pruned.output.contains("- The Loopback Times  \(base)/rss.xml"))
      #expect(try await sandbox.telex("list", "--json").jsonLines().count == 3)
      try await sandbox.succeed("undo")
      #expect(try await sandbox.telex("list", "--json").jsonLines().count == 4)
      #expect(try await sandbox.articles("--feed", "1").count == 3)
    }
  }

  @Test(arguments: [["--prune"], ["--prune", "--dry-run"]])
  func `A list without a feed removes nothing`(options: [String]) async throws {
    try await withNewspaper(newspaper(1)) { server, sandbox in
      let empty = try await sandbox.telex(["apply", "-"] + options)
      #expect(empty.status == 0 && empty.output.contains("nothing to change"))
      try await sandbox.add(server.baseURL + "/rss.xml")
      for list in ["", "# none\n"] {
        let outcome = try await sandbox.telex(["apply", "-"] + options, stdin: list)
        #expect(outcome.status == 1, "\(outcome.testDescription)")
        #expect(outcome.errors.contains("The list has no feeds"))
      }
      #expect(try await sandbox.telex("list").lines.count == 1)
    }
  }

  @Test func `An editor that fails without a word leaves no file behind`() async throws {
    let sandbox = try Sandbox()
    let folder = sandbox.folder + "/drafts"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder) }
    let failed = try await sandbox.telex(
      ["edit"], environment: ["EDITOR": "false", "VISUAL": nil, "TMPDIR": folder])
    #expect(failed.status == 1 && failed.errors.contains("nothing has changed"))
    #expect(try !failed.errors.contains(folder) && files() == [])
    let script = try sandbox.file("editor", "echo '# mine' >> \"$1\"; exit 1\n")
    let kept = try await sandbox.telex(
      ["edit"], environment: ["EDITOR": "/bin/sh \(script)", "VISUAL": nil, "TMPDIR": folder])
    #expect(kept.status == 1 && kept.errors.contains("your text is in \(folder)"))
    #expect(try files().count == 1)
  }

  @Test func `The address of a page stands for its feed from then on`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      let list = "\(server.baseURL)/\n  hidden = yes\n"
      let applied = try await sandbox.telex("apply", "-", "--json", stdin: list)
      #expect(applied.status == 0, "\(applied.testDescription)")
      let feed = try await sandbox.telex("list", "--json").json()
      #expect(feed["url"] as? String != server.baseURL + "/")
      #expect(try await sandbox.telex("apply", "-", stdin: list).output == "nothing to change\n")
      // Taking a setting back does not forget it.
      try await sandbox.succeed("set", "1", "--hidden", "no")
      try await sandbox.succeed("undo")
      #expect(
        try await sandbox.telex("apply", "-", "--prune", stdin: list).output
          == "nothing to change\n")
    }
  }

  @Test func `Feeds of an account stand under it, and its server is told of changes`() async throws
  {
    let server = GoogleReaderServer(.freshRSS)
    var library = GoogleReaderModel()
    _ = library.subscribe(
      to: "https://a.example/feed", title: "News", page: "https://a.example/", folders: ["Work"])
    server.addUser("ada", password: "secret", library: library)
    let sandbox = try Sandbox()
    try await server.whileServing { _ in
      let login = try await sandbox.telex(
        "login", server.siteURL, "--user", "ada", "--password-stdin", stdin: "secret\n")
      try #require(login.status == 0, "\(login.testDescription)")
      let before = try await text(sandbox)
      #expect(
        before == """
          # Feeds for telex apply

          account \(server.apiURL) ada
          [Work]
          https://a.example/feed

          """)
      let after = before.replacing("[Work]", with: "[Play]").appending("    title = Mine\n")
      let applied = try await sandbox.telex("apply", "-", stdin: after)
      #expect(applied.status == 0 && applied.errors == "", "\(applied.testDescription)")
      let there = server.library(of: "ada").feeds
      #expect(there.map(\.title) == ["Mine"])
      #expect(try await sandbox.telex("apply", "-", stdin: after).output == "nothing to change\n")
      // Below no account it leaves the account, with its articles.
      let moved = try await sandbox.telex(
        "apply", "-", "--prune", stdin: "[Play]\nhttps://a.example/feed\n    title = Mine\n")
      #expect(moved.output.contains("in no account"), "\(moved.testDescription)")
      #expect(server.library(of: "ada").feeds == [])
      #expect(try await sandbox.telex("list", "--json").jsonLines().count == 1)
      let back = try await sandbox.telex("apply", "-", "--prune", stdin: after)
      #expect(back.status == 0 && back.output.contains("1 feed changed"), "\(back.testDescription)")
      #expect(server.library(of: "ada").feeds.map(\.folders) == [["Play"]])
      #expect(
        try await sandbox.telex("apply", "-", "--prune", stdin: after).output
          == "nothing to change\n")
      // On a machine without the account nothing is done for it.
      let other = try Sandbox()
      let refused = try await other.telex("apply", "-", stdin: after)
      #expect(refused.status == 1 && refused.errors.contains("not signed in"))
      #expect(try await other.telex("list", "--json").output == "")
      #expect(!before.contains("secret"))
    }
  }

  @Test func `A list that is stopped by Ctrl-C names what is not done, and goes on with it`()
    async throws
  {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      server.inject(.hang, on: "/atom.xml", times: nil)
      let base = server.baseURL
      let list = try sandbox.file("list.txt", "\(base)/rss.xml\n\(base)/atom.xml\n")
      let process = try ChildProcess(
        BuiltProduct.path(of: "telex"), ["apply", list],
        environment: ProcessInfo.processInfo.environment.merging(
          sandbox.home.compactMapValues { $0 }
        ) { $1 },
        in: sandbox.folder)
      let isThere = await eventually {
        (try? await sandbox.telex("list").output.contains("rss.xml")) == true
      }
      #expect(isThere)
      process.signal(SIGINT)
      #expect(try #require(await process.end()) == .exited(130))
      #expect(process.errors.contains("1 of 2 changes not made"), "\(process.errors)")
      #expect(process.errors.contains("not done: + 127.0.0.1:\(server.port)/atom.xml"))
      server.clearFaults()
      #expect(try await sandbox.telex("apply", list).output.contains("1 feed added"))
    }
  }

  @Test func `No password is in the text, and a feed keeps its own`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      server.addUser("ada", password: "pa55word")
      let address = "http://ada:pa55word@127.0.0.1:\(server.port)/rss.xml"
      try await sandbox.add(address)
      let before = try await text(sandbox)
      #expect(before == "# Feeds for telex apply\n\n\(server.baseURL)/rss.xml\n")
      let after = before + "    title = Mine\n"
      #expect(try await sandbox.telex("apply", "-", "--prune", stdin: after).status == 0)
      #expect(try await sandbox.telex("refresh").status == 0)
      let refused = try await sandbox.telex("apply", "-", stdin: address + "\n")
      #expect(refused.status == 1 && refused.errors.contains("standard input:1:1"))
      #expect(!refused.testDescription.contains("pa55word"))
    }
  }
}
