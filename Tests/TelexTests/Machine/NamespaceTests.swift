import ChildProcess
import FeedServer
import Foundation
import Requirements
import TestSupport
import Testing

/// A disk without room and a machine without a network: a small disk and no network of the test's
/// own, in namespaces that go with it.
@Suite(.needs(.mountNamespace))
struct NamespaceTests {
  @Test func `Without any network the error says so, and what is cached is printed`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      // A number that is nobody's (RFC 5737): where there is no network there is no way to it.
      let telex = "'\(BuiltProduct.path(of: "telex"))'"
      let outcome = try await TelexCommand.run(
        [
          "-rn", "sh", "-c",
          "\(telex) fetch http://198.51.100.7/feed --json; \(telex) articles --json",
        ],
        executable: "unshare", environment: sandbox.home, in: sandbox.folder)
      let objects = try outcome.jsonLines()
      #expect(objects.count == 4)
      let error = try #require(objects.first?["error"] as? [String: Any])
      #expect(error["stage"] as? String == "connect")
      #expect((error["message"] as? String)?.contains("there is no network") == true)
    }
  }

  @Test func `A command waits for a network, and fails as without that when the time is over`()
    async throws
  {
    let sandbox = try Sandbox()
    let outcome = try await TelexCommand.run(
      [
        "-rn", BuiltProduct.path(of: "telex"), "fetch", "http://198.51.100.7/feed", "--wait=1s",
      ],
      executable: "unshare", environment: sandbox.home, in: sandbox.folder)
    #expect(outcome.status == 1, "\(outcome.testDescription)")
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.first == "telex: waiting for a network; Ctrl-C ends this")
    #expect(lines.count == 2 && lines.last?.contains("there is no network") == true)
  }

  @Test func `What is added without any network is kept, and found by the next refresh with one`()
    async throws
  {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      let telex = "'\(BuiltProduct.path(of: "telex"))'"
      let address = server.baseURL + "/rss.xml"
      // The name cannot be looked up either, and is no mistake for that.
      let outcome = try await TelexCommand.run(
        [
          "-rn", "sh", "-c",
          """
          \(telex) add '\(address)' --folder Work || exit 9
          \(telex) add https://site.example/ --json || exit 8
          \(telex) add https://other.example/ --dry-run && exit 7
          \(telex) add '\(address)' --preview && exit 6
          \(telex) list
          """,
        ],
        executable: "unshare", environment: sandbox.home, in: sandbox.folder)
      try #require(outcome.status == 0, "\(outcome.testDescription)")
      let lines = outcome.lines
      try #require(lines.count == 4, "\(outcome.testDescription)")
      #expect(lines[0].hasSuffix("is kept; Telex looks for the feed once there is a network"))
      #expect(outcome.errors.contains("nothing was kept: run this again when there is a network"))
      #expect(lines[1].contains(#""waiting":true"#) && lines[1].contains(#""new":true"#))
      #expect(lines[2...].allSatisfy { $0.contains("waiting for the network to find the feed") })
      #expect(try await sandbox.telex("refresh", "1").status == 0)
      let found = try #require(
        try await sandbox.telex("list", "--json").jsonLines().first { $0["id"] as? Int == 1 })
      #expect(found["title"] as? String == "The Loopback Times")
      #expect(found["folders"] as? [String] == ["Work"] && found["total"] as? Int == 3)
      #expect(found["state"] as? String == "fetched")
      // With a network a wrong name is a mistake again.
      let wrong = try await sandbox.telex("add", "http://127.0.0.1:9/feed")
      #expect(wrong.status == 1 && wrong.output.isEmpty)
    }
  }

  /// The name alone does not say so; the hosts file is the test's own.
  @Test
  func `A name in a list that stands for this machine is not asked, on a kept connection either`()
    async throws
  {
    let other = RawServer { _ in .reply(WireReply(status: 404)) }
    let otherPort = try other.start()
    try await withNewspaper(newspaper(3)) { server, sandbox in
      let base = "http://news.example.org:\(server.port)/rss.xml"
      let typed = (1...3).map { "\(base)?typed=\($0)" }
      let listed =
        (1...3).map { "\(base)?listed=\($0)" } + ["http://other.example.org:\(otherPort)/feed"]
      try sandbox.file("list.opml", opml(typed + listed))
      // One after the other, so that each finds the connection of the one before it.
      try sandbox.file("telex.toml", "[network]\nconcurrent_per_host = 1\n")
      let script = """
        echo "127.0.0.1 localhost news.example.org other.example.org" >hosts
        mount --bind hosts /etc/hosts || exit 9
        telex() { '\(BuiltProduct.path(of: "telex"))' "$@" --config telex.toml; }
        telex import list.opml >/dev/null || exit 8
        for feed in \(typed.map { "'\($0)'" }.joined(separator: " ")); do
          telex add "$feed" >/dev/null || exit 7
        done
        telex refresh >/dev/null 2>&1
        telex list --json
        """
      let outcome = try await TelexCommand.run(
        ["-rm", "sh", "-c", script], executable: "unshare", environment: sandbox.home,
        in: sandbox.folder)
      let feeds = try outcome.jsonLines()
      try #require(feeds.count == 7, "\(outcome.testDescription)")
      for feed in feeds {
        let url = try #require(feed["url"] as? String)
        let message = (feed["error"] as? [String: Any])?["message"] as? String
        let isRefused = message?.contains("not a public address") == true
        #expect(isRefused == listed.contains(url), "\(url): \(message ?? "no error")")
      }
      #expect(server.requests.count { $0.query("typed") != nil } == 6)
      #expect(!server.requests.contains { $0.query("listed") != nil })
    }
    #expect(other.madeConnections == 0)
    await other.stop()
  }

  @Test func `On a full disk what is cached can be read, and nothing is lost`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      let script = """
        mkdir disk && mount -t tmpfs -o size=6m tmpfs disk || exit 9
        telex() {
          echo "== $1" >&2
          '\(BuiltProduct.path(of: "telex"))' "$@" --store disk/store
          echo "$1: $?"
        }
        telex add "\(server.apiURL)"
        dd if=/dev/zero of=disk/filler bs=1k 2>/dev/null
        telex articles --limit 1
        telex search quokka
        telex show 3
        telex star 3
        telex add "\(server.baseURL)/rss.xml"
        rm disk/filler
        telex star 3
        telex refresh
        telex articles --starred
        """
      let outcome = try await TelexCommand.run(
        ["-rm", "sh", "-c", script], executable: "unshare", environment: sandbox.home,
        in: sandbox.folder)
      let statuses = outcome.lines.filter { $0.contains(/^[a-z]+: \d+$/) }
      #expect(
        statuses == [
          "add: 0", "articles: 0", "search: 0", "show: 0", "star: 1", "add: 1", "star: 0",
          "refresh: 0", "articles: 0",
        ], "\(outcome.testDescription)")
      #expect(outcome.output.contains("The body of number 001."))
      let complaints = outcome.errors.split(separator: "\n").filter { !$0.hasPrefix("==") }
      #expect(complaints.count == 2)
      #expect(
        complaints.allSatisfy {
          $0.hasPrefix("telex: store: disk/store: The disk is full; nothing was changed; make room")
        })
    }
  }
}
