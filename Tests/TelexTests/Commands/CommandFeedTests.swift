import FeedServer
import Foundation
import Testing

/// Feeds that programs print: `add --command`, `set --command`, `--filter`, and those of newsboat.
@Suite(.timeLimit(.minutes(10)))
struct CommandFeedTests {
  private static func rss(_ titles: [String]) -> String {
    let items = titles.map { "<item><guid>\($0)</guid><title>\($0)</title></item>" }.joined()
    return "<rss version='2.0'><channel><title>Printed</title>\(items)</channel></rss>"
  }

  private func titles(_ sandbox: Sandbox) async throws -> [String] {
    try await sandbox.articles().compactMap { $0["title"] as? String }.sorted()
  }

  @Test func `A program is added, fails, and is set anew; what came before stays`() async throws {
    let sandbox = try Sandbox()
    try sandbox.file("out.xml", Self.rss(["One", "Two"]))
    let script = try sandbox.file("feed it", "#!/bin/sh\ncat out.xml\n", permissions: 0o755)
    // By a path from here, and run in the home.
    let added = try await sandbox.telex(
      "add", "--command", "'./feed it' '; touch x' --top", "--json")
    #expect(added.status == 0, "\(added.testDescription)")
    let feed = try #require(try added.json()["feed"] as? [String: Any])
    #expect(feed["url"] as? String == "exec:'\(script)' '; touch x' --top")
    #expect(feed["title"] as? String == "Printed" && feed["total"] as? Int == 2)
    #expect(sandbox.contents(of: "x") == nil)

    try sandbox.file("out.xml", Self.rss(["Two", "Three"]))
    #expect(try await sandbox.telex("refresh").output.contains("1 new article"))
    try sandbox.file("feed it", "#!/bin/sh\necho 'no route' >&2; exit 3\n", permissions: 0o755)
    let failed = try await sandbox.telex("refresh")
    #expect(failed.status == 1)
    #expect(failed.errors.contains("exit status 3: no route"), "\(failed.testDescription)")
    #expect(try await titles(sandbox) == ["One", "Three", "Two"])

    let other = try sandbox.file("other", "#!/bin/sh\ncat out.xml\n", permissions: 0o755)
    let wrong = try await sandbox.telex("set", "1", "--command", "false")
    #expect(wrong.status == 1 && wrong.errors.contains("exit status 1"))
    #expect(try await sandbox.telex("list", "--json").output.contains("feed it"))
    let set = try await sandbox.telex("set", "1", "--command", "~/other", "--time-limit", "5min")
    #expect(set.status == 0, "\(set.testDescription)")
    let list = try await sandbox.telex("list", "--json").jsonLines()
    #expect(list.map { $0["url"] as? String } == ["exec:\(other)"])
    #expect(try await sandbox.telex("refresh").status == 0)
    // The program that failed is back, and goes again.
    try await sandbox.succeed("undo")
    #expect(try await sandbox.telex("refresh").errors.contains("exit status 3: no route"))
    try await sandbox.succeed("redo")
    #expect(try await sandbox.telex("refresh").status == 0)
    #expect(try await titles(sandbox) == ["One", "Three", "Two"])
  }

  @Test(arguments: [
    (["--command", "feed | sort"], 2, "olumn 6: “|” means something to a shell only"),
    (["--command", "feed > $HOME/x"], 2, "put it into a script"),
    (["--command", "feed 'x"], 2, "a quote is not closed"),
    (["--command", "no-such-program-here"], 1, "no-such-program-here: It cannot be started"),
    (["--command", "echo hello"], 1, "not a feed"),
    (["--command", "true", "https://example.org"], 2, "not both"),
    ([], 2, "Name the address of a feed"),
    (["--command", "true", "--time-limit", "2h"], 2, "from 1s to 1h"),
    (["--command", "sleep 1000", "--time-limit", "1s"], 1, "longer than 1 s"),
  ])
  func `What cannot be run is told, and nothing is added`(
    arguments: [String], status: Int32, told: String
  ) async throws {
    let sandbox = try Sandbox()
    let outcome = try await sandbox.telex(["add"] + arguments)
    #expect(outcome.status == status && outcome.errors.contains(told), "\(outcome.testDescription)")
    #expect(try await sandbox.telex("list").output == "")
  }

  @Test func `A list of feeds neither makes such a feed nor tells of one`() async throws {
    let sandbox = try Sandbox()
    let script = try sandbox.file("feed", "#!/bin/sh\ntouch ran\n", permissions: 0o755)
    try sandbox.file(
      "list.opml",
      "<opml version='2.0'><body><outline type='rss' xmlUrl='exec:\(script)'/></body></opml>")
    for options in [[], ["--trust"]] {
      let taken = try await sandbox.telex(["import", "list.opml"] + options)
      #expect(taken.errors.contains("line 1"), "\(taken.testDescription)")
      #expect(try await sandbox.telex("list").output == "")
    }
    #expect(sandbox.contents(of: "ran") == nil)

    try sandbox.file(
      "feed", "#!/bin/sh\necho '\(Self.rss(["One"]).replacing("'", with: "\""))'\n",
      permissions: 0o755)
    try await sandbox.succeed("add", "--command", "./feed", "--title", "Mine")
    let exported = try await sandbox.telex("export")
    #expect(!exported.output.contains("exec:"), "\(exported.output)")
    #expect(exported.errors.contains("Mine: left out"))
  }

  @Test func `A filter is added to a feed, changed, and taken away`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      let address = server.baseURL + "/rss.xml"
      try await sandbox.add(address)
      let set = try await sandbox.telex("set", "1", "--filter", "sed 's/Story/Tale/g'")
      #expect(set.status == 0, "\(set.testDescription)")
      #expect(try await titles(sandbox).allSatisfy { $0.hasPrefix("Tale") })
      #expect(try await sandbox.telex("set", "1", "--filter", "false").status == 1)
      #expect(try await sandbox.telex("set", "1", "--command", "true").status == 2)
      try await sandbox.succeed("set", "1", "--filter", "default")
      #expect(try await titles(sandbox).allSatisfy { $0.hasPrefix("Story") })
      let list = try await sandbox.telex("list", "--json").jsonLines()
      #expect(list.map { $0["url"] as? String } == [address])
    }
  }

  @Test func `A preview prints what would be read and adds nothing`() async throws {
    let sandbox = try Sandbox()
    try sandbox.file("out.xml", Self.rss(["One", "Two"]))
    let preview = try await sandbox.telex("add", "--command", "cat out.xml", "--preview")
    #expect(preview.status == 0, "\(preview.testDescription)")
    #expect(preview.output.contains("One\n  (no link)") && preview.output.contains("2 articles"))
    #expect(try await sandbox.telex("list").output == "")
  }

  @Test func `Newsboat's programs come with the option alone, and no shell runs them`() async throws
  {
    let sandbox = try Sandbox()
    try FileManager.default.createDirectory(
      atPath: sandbox.folder + "/.newsboat", withIntermediateDirectories: true)
    let script = try sandbox.file("feed", "#!/bin/sh\ncat out.xml\n", permissions: 0o755)
    try sandbox.file("out.xml", Self.rss(["One"]))
    try sandbox.file(
      ".newsboat/urls",
      """
      "exec:~/feed --top '; touch x'" news "~Mine"
      "exec:~/feed | sort; touch x"
      filter:~/sift:http://127.0.0.1:9/feed
      exec:bin/feed
      """)
    func left(_ arguments: String...) async throws -> [Int?] {
      let taken = try await sandbox.telex(["import", "--from", "newsboat", "--json"] + arguments)
      #expect(taken.status == 0, "\(taken.testDescription)")
      let left = try #require(try taken.json()["left"] as? [[String: Any]])
      return left.filter { $0["file"] as? String == "urls" }.map { $0["line"] as? Int }
    }
    #expect(try await left() == [1, 2, 3, 4])
    #expect(try await sandbox.telex("list").output == "")
    #expect(try await left("--commands") == [2, 4])
    let list = try await sandbox.telex("list", "--json").jsonLines()
    #expect(
      Set(list.compactMap { $0["url"] as? String })
        == ["exec:\(script) --top '; touch x'", "http://127.0.0.1:9/feed"])
    let mine = try #require(list.first { $0["title"] as? String == "Mine" })
    #expect(mine["folders"] as? [String] == ["news"])
    let refreshed = try await sandbox.telex("refresh", "--json")
    #expect(try await titles(sandbox) == ["One"], "\(refreshed.testDescription)")
    #expect(sandbox.contents(of: "x") == nil)
    #expect(try await left("--commands") == [2, 4])
    #expect(try await sandbox.telex("list", "--json").jsonLines().count == 2)
    #expect(try await sandbox.telex("import", "--commands", "list.opml").status == 2)
  }
}
