import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import Synchronization
import Testing

/// The view of the feeds by how they fare.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ReaderHealthTests {
  @Test(arguments: [(40, 10), (80, 24), (200, 60)])
  func `A feed that fails shows with its status, and r makes it well again`(
    width: Int, height: Int
  ) async throws {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.baseURL + "/rss.xml")
      server.inject(.status(404), on: "/rss.xml", times: nil)
      let reader = try sandbox.reader(size: (width, height))
      try await reader.wait(for: "Story 001")
      try reader.send("r")
      try await reader.wait(for: "H why")
      try reader.send("H")
      try await reader.wait(until: "the feed and its error show") {
        $0.contains("1 failing") && $0.row("! The Loopback")?.contains("status 404") == true
          && $0.contains("127.0.0.1 replied")
      }
      server.clearFaults()
      try reader.send("r")
      try await reader.wait(until: "it is well") {
        $0.contains("1 healthy") && $0.contains("This feed is healthy.")
          && !$0.contains("status 404")
          // The number may be a part of the server's port.
          && !$0.contains("(404)")
      }
      try reader.send("q")
      try await reader.wait(for: "Story 001")
      #expect(try await reader.quit() == .exited(0))
    }
  }

  @Test func `A feed that is redirected is moved by x, and asked there from then on`() async throws
  {
    let server = RawServer { request in
      request.path == "/old"
        ? .reply(WireReply(status: 302, headers: [("Location", "/new")])) : .reply(onePage)
    }
    let base = "http://127.0.0.1:\(try server.start())"
    let sandbox = try Sandbox()
    try await sandbox.add(base + "/old")
    #expect(try await sandbox.telex("refresh").status == 0)
    let reader = try sandbox.reader()
    try await reader.wait(for: "The only story")
    // A mark that has to survive.
    try reader.send("s")
    try await reader.wait(until: "the star shows") { $0.isStarred("The only story") }
    try reader.send("H")
    try await reader.wait(until: "where it is redirected shows") {
      $0.contains("1 redirected") && $0.contains("Redirect") && $0.contains(base + "/new")
    }
    server.forgetRequests()
    try reader.send("x")
    try await reader.wait(for: "Move One Page to \(base)/new? y/n")
    try reader.send("y")
    try await reader.wait(for: "1 healthy")
    #expect(server.requests.map(\.target) == ["/new"])
    try reader.send("q")
    try await reader.wait(until: "its story is starred still") { $0.isStarred("The only story") }
    #expect(try await reader.quit() == .exited(0))
    let feeds = try await sandbox.telex("list", "--json").jsonLines()
    #expect(feeds.compactMap { $0["url"] as? String } == [base + "/new"])
    await server.stop()
  }

  @Test func `Two that a permanent redirect has made one are merged by x`() async throws {
    let server = RawServer { request in
      request.path == "/old"
        ? .reply(WireReply(status: 301, headers: [("Location", "/new")])) : .reply(onePage)
    }
    let base = "http://127.0.0.1:\(try server.start())"
    let sandbox = try Sandbox()
    try sandbox.file("list.opml", opml([base + "/old", base + "/new"]))
    try await sandbox.succeed("import", "list.opml", "--trust")
    #expect(try await sandbox.telex("refresh").status == 0)
    #expect(try await sandbox.telex("list", "--json").jsonLines().count == 2)
    let reader = try sandbox.reader(size: (100, 24))
    try await reader.wait(for: "The only story")
    try reader.send("H")
    try await reader.wait(until: "it says so") {
      $0.contains("duplicate") && $0.words.contains("x merges the two feeds.")
    }
    try reader.send("x")
    let host = base.dropFirst("http://".count)
    try await reader.wait(for: "Merge \(host)/old into \(host)/new? y/n")
    try reader.send("y")
    try await reader.wait(for: "1 healthy")
    #expect(try await reader.quit() == .exited(0))
    let feeds = try await sandbox.telex("list", "--json").jsonLines()
    #expect(feeds.compactMap { $0["url"] as? String } == [base + "/new"])
    #expect(feeds.compactMap { $0["total"] as? Int } == [1])
    await server.stop()
  }

  @Test func `A document without an end shows as a warning`() async throws {
    let server = RawServer { _ in
      .reply(
        WireReply(
          type: "application/rss+xml",
          text: "<rss version='2.0'><channel><title>Cut</title><item><guid>1</guid><title>One"
            + "</title></item><item><guid>2</guid><title>Two</title>"))
    }
    let base = "http://127.0.0.1:\(try server.start())"
    let sandbox = try Sandbox()
    try await sandbox.add(base + "/feed")
    #expect(try await sandbox.telex("refresh").status == 0)
    let reader = try sandbox.reader(size: (100, 24))
    try await reader.wait(for: "One")
    try reader.send("H")
    try await reader.wait(until: "it says so") {
      $0.contains("1 with a warning") && $0.contains("The document ends before it is complete")
    }
    #expect(try await reader.quit() == .exited(0))
    await server.stop()
  }

  @Test func `A podcast that says it has moved is moved by a key, not by itself`() async throws {
    let base = Mutex("")
    let server = RawServer { request in
      let home = base.withLock { $0 }
      return .reply(
        WireReply(
          type: "application/rss+xml",
          text: """
            <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>
            <title>A Podcast</title><description>Of &amp;#27;[31mcats.</description>
            <language>en</language><copyright>© Ada</copyright><link>/home</link>
            <itunes:author>Ada</itunes:author><itunes:image href="/cover.png"/>
            <itunes:new-feed-url>\(home)/new</itunes:new-feed-url>
            <item><guid>1</guid><title>The only story</title></item></channel></rss>
            """))
    }
    let home = "http://127.0.0.1:\(try server.start())"
    base.withLock { $0 = home }
    let sandbox = try Sandbox()
    try await sandbox.add(home + "/old")
    #expect(try await sandbox.telex("refresh").status == 0)
    let known = try #require(try await sandbox.telex("list", "--json").jsonLines().first)
    #expect(known["url"] as? String == home + "/old")
    #expect(known["movedTo"] as? String == home + "/new")
    #expect(known["description"] as? String == "Of [31mcats.")
    #expect(known["image"] as? String == home + "/cover.png" && known["icon"] is NSNull)
    #expect(known["authors"] as? [String] == ["Ada"] && known["rights"] as? String == "© Ada")
    let doctor = try await sandbox.telex("doctor", "1")
    #expect(doctor.status == 1, "\(doctor.testDescription)")
    #expect(doctor.output.contains("the feed says that it has moved to \(home)/new"))
    #expect(doctor.output.contains("→ x in Health (H)"))

    let machine = try await sandbox.telex("doctor")
    #expect(machine.output.contains("A Podcast says that it has moved to"))

    let reader = try sandbox.reader()
    try await reader.wait(for: "The only story")
    try reader.send("H")
    try await reader.wait(until: "it says so") {
      $0.contains("1 moved") && $0.words.contains("x moves the feed to its new address.")
        && $0.contains(home + "/new")
    }
    try reader.send("\u{5}\u{5}\u{5}")
    try await reader.wait(until: "what it says of itself shows") {
      $0.contains("Of [31mcats.") && $0.contains("Authors   Ada")
        && $0.contains("Home page \(home)/home")
    }
    try reader.send("x")
    try await reader.wait(for: "Move A Podcast to \(home)/new? y/n")
    try reader.send("y")
    try await reader.wait(for: "1 healthy")
    #expect(server.requests.last?.target == "/new")
    #expect(try await reader.quit() == .exited(0))
    let moved = try #require(try await sandbox.telex("list", "--json").jsonLines().first)
    #expect(moved["url"] as? String == home + "/new" && moved["movedTo"] is NSNull)
    await server.stop()
  }

  @Test func `What a feed gives as user and password of its new address is not listed`()
    async throws
  {
    let server = RawServer { _ in
      .reply(
        WireReply(
          type: "application/rss+xml",
          text: """
            <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>
            <title>A Podcast</title>
            <itunes:new-feed-url>https://ada:secret@e.org/new</itunes:new-feed-url>
            </channel></rss>
            """))
    }
    let sandbox = try Sandbox()
    try await sandbox.add("http://127.0.0.1:\(try server.start())/old")
    #expect(try await sandbox.telex("refresh").status == 0)
    let list = try await sandbox.telex("list", "--json")
    #expect(try list.jsonLines().first?["movedTo"] as? String == "https://e.org/new")
    #expect(!list.output.contains("secret"))
    await server.stop()
  }

  @Test func `A feed that is gone is found again at the address that is typed`() async throws {
    let isGone = Mutex(false)
    let server = RawServer { request in
      request.path == "/old" && isGone.withLock { $0 }
        ? .reply(WireReply(status: 410)) : .reply(onePage)
    }
    let base = "http://127.0.0.1:\(try server.start())"
    let sandbox = try Sandbox()
    try await sandbox.add(base + "/old")
    isGone.withLock { $0 = true }
    _ = try await sandbox.telex("refresh")
    let reader = try sandbox.reader()
    try await reader.wait(for: "The only story")
    try reader.send("H")
    try await reader.wait(until: "it is gone") {
      $0.contains("1 gone") && $0.contains("only when you ask")
    }
    try reader.send("c")
    try await reader.wait(for: "Address: \(base)/old")
    try reader.send(.control("u"))
    try reader.send("\(base)/new")
    try await reader.wait(for: "Address: \(base)/new")
    try reader.send(.enter)
    try await reader.wait(for: "1 healthy")
    #expect(server.requests.last?.target == "/new")
    #expect(try await reader.quit() == .exited(0))
    await server.stop()
  }
}

private let onePage = WireReply(
  type: "application/rss+xml",
  text: """
    <rss version="2.0"><channel><title>One Page</title>
    <item><guid>1</guid><title>The only story</title></item></channel></rss>
    """)
