import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import Synchronization
import Testing

/// Which feed `add` takes where there are several, and the list to choose from in the reader.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct DiscoveryVerbTests {
  @Test func `Without a terminal the first is taken, and the others are named`() async throws {
    try await withSite { base, sandbox in
      let outcome = try await sandbox.telex("add", base)
      #expect(outcome.status == 0 && outcome.output.contains("Feed of a"))
      for part in ["RSS   Feed B", "Comments", base + "/b", base + "/c"] {
        #expect(outcome.errors.contains(part), "\(part) in \(outcome.testDescription)")
      }
      #expect(!outcome.errors.contains(base + "/a\n"))
      let object = try await sandbox.telex("add", base, "--json").json()
      #expect(object["new"] as? Bool == false)
      let candidates = try #require(object["candidates"] as? [[String: Any]])
      #expect(
        candidates.map { Set($0.keys) } == Array(repeating: ["url", "title", "type"], count: 3))
      #expect(candidates.map { $0["url"] as? String } == ["/a", "/b", "/c"].map { base + $0 })
      #expect(candidates.map { $0["title"] as? String } == ["Feed A", "Feed B", "Comments"])
    }
  }

  @Test func `--dry-run lists, --all takes all, and one that fails stops no other`() async throws {
    try await withSite(missing: "/b") { base, sandbox in
      let listed = try await sandbox.telex("add", base, "--dry-run")
      #expect(listed.status == 0)
      #expect(listed.lines.filter { $0.contains(base) }.count == 3)
      let one = try await sandbox.telex("add", base + "/a", "--dry-run", "--json").json()
      let candidates = try #require(one["candidates"] as? [[String: Any]])
      #expect(candidates.map { $0["title"] as? String } == ["Feed of a"])
      #expect(candidates.map { $0["type"] as? String } == ["application/rss+xml"])
      #expect(try await sandbox.telex("list").output == "")

      let all = try await sandbox.telex("add", base, "--all", "--folder", "F", "--json")
      #expect(all.status == 1)
      let object = try all.json()
      #expect((object["feeds"] as? [Any])?.count == 2)
      #expect((object["failed"] as? [[String: Any]])?.map { $0["url"] as? String } == [base + "/b"])
      let feeds = try await sandbox.telex("list", "--json").jsonLines()
      #expect(feeds.map { $0["folders"] as? [String] } == [["F"], ["F"]])
    }
  }

  @Test func `Where the page is gone, add says that its site has led to the feed`() async throws {
    try await withSite(missing: "/old/post") { base, sandbox in
      let listed = try await sandbox.telex("add", base + "/old/post", "--dry-run")
      #expect(listed.status == 0 && listed.lines.filter { $0.contains(base) }.count == 3)
      let outcome = try await sandbox.telex("add", base + "/old/post")
      #expect(outcome.status == 0 && outcome.output.contains("Feed of a"))
      let sentence = "There is nothing at \(base)/old/post; \(base)/ leads to a feed."
      for outcome in [listed, outcome] {
        #expect(outcome.errors.contains(sentence), "\(outcome.testDescription)")
      }
      let terminal = try sandbox.reader("add", base + "/old/post", size: (100, 24))
      try await terminal.wait(until: "the feeds of the site are listed") {
        $0.contains("There is nothing at") && $0.contains("\(base)/ has 3 feeds")
      }
      try terminal.send("q")
      try terminal.send(.enter)
      #expect(try await terminal.waitForEnd() == .exited(0))
    }
  }

  @Test func `A list of feeds is no page, at an address as in a file`() async throws {
    let list =
      "<opml version='2.0'><body><outline text='a' xmlUrl='https://e.example/'/></body></opml>"
    let server = RawServer { _ in .reply(WireReply(type: "text/x-opml", text: list)) }
    let base = "http://127.0.0.1:\(try server.start())"
    let sandbox = try Sandbox()
    for address in [base + "/list.opml", try sandbox.file("list.opml", list)] {
      let outcome = try await sandbox.telex("add", address)
      #expect(outcome.status == 1)
      for part in ["telex: parse: ", "list.opml: ", "a list of feeds (OPML)", "telex import FILE"] {
        #expect(outcome.errors.contains(part), "\(part) in \(outcome.testDescription)")
      }
    }
    #expect(server.requests.count == 1)
    await server.stop()
  }

  @Test(arguments: [["--all", "--first"], ["--all", "--title", "T"], ["--dry-run", "--first"]])
  func `Wishes that exclude each other are refused`(_ options: [String]) async throws {
    let sandbox = try Sandbox()
    #expect(try await sandbox.telex(["add", "https://example.org"] + options).status == 2)
  }

  @Test(
    arguments: [
      ("2", ["Feed of b"]), ("", ["Feed of a"]), ("1,3", ["Feed of a", "Feed of c"]),
      ("a", ["Feed of a", "Feed of b", "Feed of c"]), ("q", []),
    ] as [(String, [String])])
  func `At a terminal it asks which`(_ answer: String, _ titles: [String]) async throws {
    try await withSite { base, sandbox in
      let terminal = try sandbox.reader("add", base)
      try await terminal.wait(until: "the feeds are listed") { screen in
        screen.contains("has 3 feeds") && screen.contains("1  RSS   Feed A")
          && screen.contains("3  Atom  Comments") && screen.contains("Which (1–3")
      }
      try terminal.send(answer)
      try terminal.send(.enter)
      #expect(try await terminal.waitForEnd() == .exited(0))
      let feeds = try await sandbox.telex("list", "--json").jsonLines()
      #expect(feeds.map { $0["title"] as? String } == titles)
    }
  }

  @Test func `A wrong answer is asked again, Ctrl-D takes none, and --first does not ask`()
    async throws
  {
    try await withSite { base, sandbox in
      let terminal = try sandbox.reader("add", base, size: (40, 24))
      try await terminal.wait(for: "Which")
      try terminal.send("7")
      try terminal.send(.enter)
      try await terminal.wait(for: "Please answer")
      try terminal.send(.control("d"))
      #expect(try await terminal.waitForEnd() == .exited(0))
      #expect(try await sandbox.telex("list").output == "")
      let second = try sandbox.reader("add", base, "--first")
      #expect(try await second.waitForEnd() == .exited(0))
      #expect(try await sandbox.telex("list").lines.count == 1)
    }
  }

  @Test(arguments: [(80, 24), (40, 10)])
  func `The reader lists the feeds of a page, and subscribes to the one that is picked`(
    width: Int, height: Int
  ) async throws {
    try await withSite { base, sandbox in
      let reader = try sandbox.reader(size: (width, height))
      try await reader.wait(for: "No feeds yet")
      try await reader.add(base)
      try await reader.wait(until: "the feeds show") {
        $0.contains("Feeds of 127.0.0.1") && $0.row("Feed A")?.contains("RSS") == true
          && $0.contains(base + "/a")
      }
      try reader.send("j")
      try await reader.wait(for: base + "/b")
      try reader.send("q")
      try await reader.wait(until: "it is closed") { !$0.contains("Feeds of") }
      #expect(try await sandbox.telex("list").output == "")
      try await reader.add(base)
      try await reader.wait(for: "Feeds of 127.0.0.1")
      try reader.send("G")
      try await reader.wait(for: base + "/c")
      try reader.send(.enter)
      try await reader.wait(for: "Story of c")
      #expect(try await reader.quit() == .exited(0))
      #expect(try await sandbox.telex("list").output.contains("Feed of c"))
    }
  }

  @Test func `A feed that has become a page names the new one in the view of the health`()
    async throws
  {
    let isMoved = Switch()
    let server = RawServer { request in
      if request.path == "/new.xml" { return .reply(feed("new")) }
      return .reply(
        isMoved.isOn
          ? WireReply(
            type: "application/rss+xml",
            text: "<!doctype html><link rel=alternate type=application/rss+xml href=/new.xml>")
          : feed("old"))
    }
    let base = "http://127.0.0.1:\(try server.start())"
    let sandbox = try Sandbox()
    try await sandbox.add(base + "/old.xml")
    isMoved.turnOn()
    let refreshed = try await sandbox.telex("refresh")
    #expect(refreshed.status == 1)
    #expect(refreshed.errors.contains("the page names \(base)/new.xml"))
    let reader = try sandbox.reader()
    try await reader.wait(for: "Story of old")
    try reader.send("H")
    try await reader.wait(for: base + "/new.xml")
    try reader.send("c")
    // The address is there: it need not be typed.
    try await reader.wait(for: "Address: \(base)/new.xml")
    try reader.send(.enter)
    try await reader.wait(for: "1 healthy")
    #expect(try await reader.quit() == .exited(0))
    let feeds = try await sandbox.telex("list", "--json").jsonLines()
    #expect(feeds.map { $0["url"] as? String } == [base + "/new.xml"])
    await server.stop()
  }
}

private final class Switch: Sendable {
  private let state = Mutex(false)
  var isOn: Bool { state.withLock { $0 } }
  func turnOn() { state.withLock { $0 = true } }
}

private func feed(_ name: String) -> WireReply {
  WireReply(
    type: "application/rss+xml",
    text: """
      <rss version="2.0"><channel><title>Feed of \(name)</title>
      <item><guid>\(name)</guid><title>Story of \(name)</title></item></channel></rss>
      """)
}

/// A page with two feeds and one of comments.
private func withSite(
  missing: String? = nil,
  _ body: nonisolated(nonsending) (_ base: String, Sandbox) async throws -> Void
) async throws {
  let page = """
    <!doctype html><html><head>
    <link rel="alternate" type="application/atom+xml" title="Comments" href="/c">
    <link rel="alternate" type="application/rss+xml" title="Feed A" href="/a">
    <link rel="alternate" type="application/rss+xml" title="Feed B" href="/b">
    </head><body>A page</body></html>
    """
  let server = RawServer { request in
    if request.path == "/" { return .reply(WireReply(type: "text/html", text: page)) }
    if request.path == missing ?? "" { return .reply(WireReply(status: 404)) }
    return .reply(feed(String(request.path.dropFirst())))
  }
  let base = "http://127.0.0.1:\(try server.start())"
  do {
    try await body(base, Sandbox())
  } catch {
    await server.stop()
    throw error
  }
  await server.stop()
}
