import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import Synchronization
import TestSupport
import Testing

/// A feed with all that articles have.
func richFeed(_ name: String = "rich", items: Bool = true) -> String {
  let entries =
    (0..<120).map { index in
      """
      <item><guid>\(name)-\(index)</guid><title>Item \(index)</title>
      <link>https://\(name).example/\(index)</link>
      <pubDate>Mon, 23 Nov 2026 10:\(index / 60 < 10 ? "0" : "")\(index / 60):00 GMT</pubDate>
      <description>Text \(index)</description></item>
      """
    }.joined()
  return """
    <?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
      xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
      xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>The \(name) &#9;feed</title>
    \(items
      ? """
      <item><guid>\(name)-first</guid><title>世界 &#9;first &#10; 🎉 \(name)</title>
      <link>https://\(name).example/first</link><author>ada@example.org (Ada L.)</author>
      <pubDate>Tue, 24 Nov 2026 10:00:00 GMT</pubDate><category domain="https://c.example/">one</category>
      <comments>https://\(name).example/first#comments</comments>
      <source url="https://other.example/feed">Other</source>
      <content:encoded><![CDATA[<p>Hello <a href="/x">there</a> \\ "quoted"</p><script>alert(1)</script>
      From the start]]></content:encoded>
      <description>A summary</description>
      <enclosure url="https://\(name).example/a.mp3" type="audio/mpeg" length="42"/>
      <itunes:duration>1:01</itunes:duration></item>
      <item><guid>\(name)-undated</guid><title>Undated</title><description>x</description></item>
      \(entries)
      """ : "")
    </channel></rss>
    """
}

/// What scripts ask of verbs: names and forms of values, lines in pipes and at terminals, quiet runs.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ScriptVerbTests {
  @Test func `A row of JSON has address, people, feed, folders, tags and files`() async throws {
    let sandbox = try Sandbox()
    let path = try sandbox.file("feed.xml", richFeed())
    try await sandbox.succeed("add", path, "--folder", "News/World")
    try await sandbox.succeed("tag", "big news", "\"first\"")
    let row = try #require(try await sandbox.articles("\"first\"").first)
    #expect(row["url"] as? String == "https://rich.example/first")
    #expect(row["authors"] as? [String] == ["Ada L."])
    #expect((row["feedURL"] as? String)?.hasSuffix("/feed.xml") == true)
    #expect(row["account"] is NSNull)
    #expect(row["folders"] as? [String] == ["News/World"])
    #expect(row["tags"] as? [String] == ["big news"])
    #expect((row["arrived"] as? String)?.hasSuffix("Z") == true)
    let file = try #require((row["enclosures"] as? [[String: Any]])?.first)
    #expect(file["url"] as? String == "https://rich.example/a.mp3")
    #expect(file["type"] as? String == "audio/mpeg" && file["length"] as? Int == 42)
    #expect(file["duration"] as? Int == 61 && file["role"] as? String == "media")
    let found = try await sandbox.telex("search", "hello", "--json").jsonLines()
    #expect(found.count == 1 && found[0]["tags"] as? [String] == ["big news"])
  }

  @Test func `A list over many pages has each article once, with its own values`() async throws {
    let sandbox = try Sandbox()
    for name in ["one", "two", "three"] {
      try await sandbox.add(try sandbox.file("\(name).xml", richFeed(name)))
    }
    let lines = try await sandbox.telex("articles", "--format", "{id}\\t{url}\\t{feed}").lines
    #expect(lines.count == 366 && Set(lines).count == 366)
    let rows = try await sandbox.articles()
    #expect(
      lines
        == rows.map {
          "\($0["id"] ?? "")\t\($0["url"] as? String ?? "")\t\($0["feed"] as? String ?? "")"
        })
    #expect(
      rows.allSatisfy { row in
        let name = (row["feed"] as? String)?.split(separator: " ")[1] ?? "-"
        let url = row["url"] as? String ?? "https://\(name).example/"
        return url.hasPrefix("https://\(name).example/")
      })
    let rest = try await sandbox.telex(
      "articles", "--cursor", rows[249]["cursor"] as? String ?? "", "--format", "{id}", "--limit",
      "5")
    #expect(rest.lines == rows[250..<255].map { "\($0["id"] ?? "")" })
  }

  @Test func `A format fills names, dates and escapes, and names what it does not know`()
    async throws
  {
    let sandbox = try Sandbox()
    try await sandbox.succeed(
      "add", try sandbox.file("feed.xml", richFeed()), "--folder", "A", "--folder", "B")
    try await sandbox.succeed("star", "\"first\"")
    func line(_ format: String) async throws -> String {
      let outcome = try await sandbox.telex("articles", "starred", "--format", format)
      #expect(outcome.status == 0, "\(outcome.testDescription)")
      return outcome.output
    }
    #expect(
      try await line(#"{title}\t{date:%Y-%m-%d %H:%M}\n\{id\} {x"#)
        == "世界 first 🎉 rich\t2026-11-24 10:00\n{id} {x\n")
    #expect(
      try await line("{date} {read} {starred} {folders} {authors} {enclosure}")
        == "2026-11-24T10:00:00Z unread starred A, B Ada L. https://rich.example/a.mp3\n")
    for (format, message) in [
      ("{titel}", "{title}, {url}, {feed}"), ("{title:%Y}", "{title} is no date"),
      ("{date:%Q}", "%Q is no date format"),
    ] {
      let wrong = try await sandbox.telex("articles", "--format", format)
      #expect(wrong.status == 2 && wrong.errors.contains(message), "\(wrong.testDescription)")
      #expect(wrong.output == "")
    }
    let feeds = try await sandbox.telex("list", "--format", "{id} {title} {unread}/{total} {state}")
    #expect(feeds.output == "1 The rich feed 122/122 fetched\n")
    #expect(try await sandbox.telex("articles", "--json", "--format", "{id}").status == 2)
  }

  @Test func `In a pipe each row has the same number of values, whatever is in them`()
    async throws
  {
    let sandbox = try Sandbox()
    try await sandbox.add(try sandbox.file("feed.xml", richFeed()))
    try await sandbox.succeed("tag", "a\tb", "\"first\"")
    for (verb, count) in [("articles", 7), ("list", 6), ("tag", 3), ("journal", 3)] {
      let outcome = try await sandbox.telex(verb)
      #expect(!outcome.lines.isEmpty)
      for line in outcome.lines {
        #expect(line.split(separator: "\t", omittingEmptySubsequences: false).count == count)
      }
    }
    let first = try await sandbox.telex("articles", "\"first\"").lines.first
    let values = (first ?? "").components(separatedBy: "\t")
    #expect(
      values[4...] == ["世界 first 🎉 rich", "https://rich.example/first", "2026-11-24T10:00:00Z"])
  }

  @Test(arguments: [30, 60])
  func `At a terminal rows are columns within its width`(width: Int) async throws {
    let sandbox = try Sandbox()
    let long = richFeed().replacing("Item ", with: "長い見出し Long heading of an item ")
    try await sandbox.succeed("add", try sandbox.file("feed.xml", long), "--folder", "A")
    let terminal = try sandbox.reader("articles", "--limit", "12", size: (width, 24))
    #expect(try await terminal.waitForEnd() == .exited(0))
    let lines = terminal.screen.lines.filter { !$0.allSatisfy(\.isWhitespace) }
    // No row takes more than a line.
    #expect(lines.count == 13, "\(lines)")
    #expect(lines[0].hasPrefix("NUMBER  DATE"))
    if width == 60 {
      #expect(lines[0].contains("FEED") && lines[0].contains("TITLE"))
      #expect(lines.count { $0.contains("…") } >= 10)
    }
    let feeds = try sandbox.reader("list", size: (width, 24))
    #expect(try await feeds.waitForEnd() == .exited(0))
    let rows = feeds.screen.lines.filter { !$0.allSatisfy(\.isWhitespace) }
    #expect(rows.count == 2 && rows[0].hasPrefix("NUMBER"))
  }

  @Test(arguments: [
    ("articles", "No articles match."), ("list", "No feeds match."), ("journal", "No entries."),
    ("folders", "No folders."), ("smart", "No smart feeds."), ("rules", "No rules."),
    ("outbox", "No changes are waiting"), ("transfers", "No transfers."),
    ("queue", "The queue is empty."),
    ("accounts", "No accounts."), ("apply --follow", "No list is followed."),
  ])
  func `A command without a result says so at a terminal only`(
    command: String, note: String
  ) async throws {
    let sandbox = try Sandbox()
    let words = command.split(separator: " ").map(String.init)
    let piped = try await sandbox.telex(words)
    #expect(piped.status == 0 && piped.output == "" && piped.errors == "")
    let terminal = try sandbox.shellAtTerminal("telex \(command) >output")
    #expect(try await terminal.waitForEnd() == .exited(0))
    #expect(terminal.screen.contains(note), "\(terminal.screen.drawing)")
    #expect(sandbox.contents(of: "output") == "")
    let json = try sandbox.shellAtTerminal("telex \(command) --json")
    #expect(try await json.waitForEnd() == .exited(0))
    #expect(json.screen.lines.allSatisfy { $0.allSatisfy(\.isWhitespace) })
  }

  @Test func `Tables of all commands have a heading at a terminal`() async throws {
    let sandbox = try Sandbox()
    try await sandbox.succeed(
      "add", try sandbox.file("feed.xml", richFeed()), "--folder", "A folder")
    try await sandbox.succeed("smart", "add", "Mine", "unread")
    try await sandbox.succeed("rules", "add", "--star", "title:x")
    for (command, heading) in [
      ("folders", "FOLDER"), ("smart", "NAME"), ("rules", "NUMBER"), ("cache", "NUMBER"),
      ("stats", "NUMBER"),
    ] {
      let terminal = try sandbox.reader(command, size: (80, 24))
      #expect(try await terminal.waitForEnd() == .exited(0))
      #expect(terminal.screen.lines[0].hasPrefix(heading), "\(terminal.screen.drawing)")
      let piped = try await sandbox.telex(command)
      #expect(!piped.output.hasPrefix(heading))
    }
  }

  @Test func `list says what was never fetched and what fails since when, and filters`()
    async throws
  {
    let sandbox = try Sandbox()
    try await sandbox.add(try sandbox.file("feed.xml", richFeed()))
    let gone = try sandbox.file("gone.xml", richFeed("gone"))
    try await sandbox.succeed("add", gone, "--folder", "Old")
    try await sandbox.succeed("read", "feed:gone")
    try FileManager.default.removeItem(atPath: gone)
    #expect(try await sandbox.telex("refresh").status == 1)
    let list = try sandbox.file("list.opml", opml(["http://127.0.0.1:9/later"]))
    try await sandbox.succeed("import", list, "--trust")
    let lines = try await sandbox.telex("list").lines
    #expect(lines.count == 3)
    #expect(lines.contains { $0.contains("\tOld\t! There is no such file. Since ") }, "\(lines)")
    #expect(lines.contains { $0.hasSuffix("\tnever fetched") })
    let states = try await sandbox.telex("list", "--json").jsonLines()
    #expect(states.map { $0["state"] as? String } == ["fetched", "failing", "never fetched"])
    #expect(states[1]["failures"] as? Int == 1 && states[1]["failingSince"] is String)
    func ids(_ options: String...) async throws -> [String] {
      try await sandbox.telex(["list", "--format", "{id}"] + options).lines
    }
    #expect(try await ids("--failing") == ["2"])
    #expect(try await ids("--unread") == ["1"])
    #expect(try await ids("--folder", "Old") == ["2"])
    #expect(try await sandbox.telex("list", "--folder", "None").status == 2)
  }

  @Test func `A feed that is gone fails nowhere`() async throws {
    let statuses = ["/gone": 410, "/ill": 500]
    let isDown = Mutex(false)
    let door = RawServer { request in
      .reply(
        isDown.withLock { $0 }
          ? WireReply(status: statuses[String(request.path)] ?? 200)
          : WireReply(type: "application/rss+xml", text: richFeed(String(request.path.dropFirst())))
      )
    }
    let base = "http://127.0.0.1:\(try door.start())"
    let sandbox = try Sandbox()
    for path in statuses.keys.sorted() { try await sandbox.add(base + path) }
    isDown.withLock { $0 = true }
    #expect(try await sandbox.telex("refresh").status == 1)
    let states = try await sandbox.telex("list", "--json").jsonLines()
    #expect(states.map { $0["state"] as? String } == ["gone", "failing"])
    #expect(try await sandbox.telex("status").output.hasSuffix(", 1 failing\n"))
    #expect(try await sandbox.telex("list", "--failing", "--format", "{id}").lines == ["2"])
    let failing = try await sandbox.telex("articles", "is:failing", "--json").jsonLines()
    let all = try await sandbox.telex("articles", "--json").jsonLines()
    #expect(!failing.isEmpty && failing.count < all.count)
    let doctor = try await sandbox.telex("doctor")
    #expect(doctor.output.contains("1 of 2 fails, 1 of 2 is gone"), "\(doctor.testDescription)")
    let reader = try sandbox.reader()
    try await reader.wait(for: "! 1")
    try reader.send("r")
    try await reader.wait(for: "1 feed failed. H shows why")
    try reader.send("H")
    try await reader.wait(for: "1 failing · 1 gone")
    try reader.send("jr")
    try await reader.wait(for: "1 feed is gone")
    #expect(try await reader.quit() == .exited(0))
    await door.stop()
  }

  @Test func `A quiet refresh prints nothing unless something failed`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      server.insertFresh(1)
      let well = try await sandbox.telex("refresh", "--quiet")
      #expect(well.status == 0 && well.output == "" && well.errors == "")
      #expect(try await sandbox.articles().count == 4)
      server.inject(.status(404), on: "/api", times: nil)
      server.inject(.status(404), on: "/api/articles", times: nil)
      let failed = try await sandbox.telex("refresh", "-q")
      #expect(failed.status == 1 && failed.output == "")
      #expect(failed.errors.contains("The Loopback Times"), "\(failed.testDescription)")
      let list = try sandbox.file("list.opml", opml(["http://127.0.0.1:9/x"]))
      let taken = try await sandbox.telex("import", list, "--trust", "--quiet")
      #expect(taken.status == 0 && taken.output == "" && taken.errors == "")
      #expect(try await sandbox.telex("refresh", "--quiet", "--json").status == 2)
    }
  }
}
