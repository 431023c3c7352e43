import FeedServer
import Foundation
import Synchronization
import TestSupport
import Testing

/// Lists that the subscriptions are kept in step with.
@Suite(.timeLimit(.minutes(10)))
struct ListFollowingTests {
  private func opml(_ urls: [String]) -> String {
    let outlines = urls.map { "<outline text=\"F\" xmlUrl=\"\($0)\"/>" }.joined()
    return
      "<opml version=\"2.0\"><body><outline text=\"Theirs\">\(outlines)</outline></body></opml>"
  }

  private func names(_ sandbox: Sandbox) async throws -> [String] {
    try await sandbox.telex("list", "--json").jsonLines().compactMap {
      ($0["url"] as? String).flatMap { URL(string: $0)?.lastPathComponent }
    }.sorted()
  }

  @Test func `A list that is cut removes nothing, and a feed of two lists stays with the other`()
    async throws
  {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      func urls(_ names: String...) -> [String] { names.map { "\(server.baseURL)/\($0)" } }
      let whole = opml(urls("rss.xml", "atom.xml", "rdf.xml"))
      let one = try sandbox.file("one.opml", whole)
      let two = try sandbox.file("two.opml", opml(urls("rdf.xml", "feed.json")))
      for list in [one, two] { try await sandbox.succeed("apply", "--follow", list) }
      #expect(try await names(sandbox) == ["atom.xml", "feed.json", "rdf.xml", "rss.xml"])
      let end = try #require(whole.range(of: "<outline text=\"F\" xmlUrl=\"\(server.baseURL)/rdf"))
      try sandbox.file("one.opml", String(whole[..<end.lowerBound]) + "<outline te")
      let cut = try await sandbox.telex("apply", "--follow")
      #expect(cut.status == 1 && cut.errors.contains("cut off"), "\(cut.testDescription)")
      #expect(try await names(sandbox).count == 4)

      try sandbox.file("one.opml", opml(urls("rss.xml", "atom.xml")))
      try await sandbox.succeed("apply", "--follow")
      #expect(try await names(sandbox).contains("rdf.xml"))
      // It goes with the last of them, and what is taken back stays.
      try sandbox.file("two.opml", opml(urls("feed.json")))
      try await sandbox.succeed("apply", "--follow")
      #expect(try await names(sandbox) == ["atom.xml", "feed.json", "rss.xml"])
      try await sandbox.succeed("undo")
      try await sandbox.succeed("apply", "--follow")
      #expect(try await names(sandbox).contains("rdf.xml"))
    }
  }

  @Test func `A list on the web brings feeds and takes them away, and leaves the user's own alone`()
    async throws
  {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      let base = server.baseURL
      let text = Mutex("")
      let door = RawServer { _ in
        .reply(WireReply(type: "text/x-opml", text: text.withLock { $0 }))
      }
      let list = "http://127.0.0.1:\(try door.start())/list.opml"
      func serve(_ names: String...) {
        text.withLock { $0 = opml(names.map { "\(base)/\($0)" }) }
      }
      try await sandbox.add(base + "/rss.xml")

      serve("rss.xml", "atom.xml", "rdf.xml")
      let followed = try await sandbox.telex("apply", "--follow", list)
      #expect(
        followed.status == 0 && followed.output.hasSuffix("2 feeds added\n"),
        "\(followed.testDescription)")
      #expect(try await names(sandbox) == ["atom.xml", "rdf.xml", "rss.xml"])
      let again = try await sandbox.telex("apply", "--follow", list)
      #expect(again.output.hasSuffix("nothing to change\n"))

      // What the user has removed is not brought again.
      let feeds = try await sandbox.telex("list", "--json").jsonLines()
      let rdf = try #require(feeds.first { ($0["url"] as? String)?.hasSuffix("rdf.xml") == true })
      let number = try #require(rdf["id"] as? Int)
      try await sandbox.succeed("remove", "\(number)", "--yes")
      #expect(try await sandbox.telex("apply", "--follow").output.hasSuffix("nothing to change\n"))

      // What leaves the list is removed, what was there before stays.
      serve("feed.json")
      let changed = try await sandbox.telex("apply", "--follow")
      #expect(
        changed.output.hasSuffix("1 feed added, 1 feed removed\n"), "\(changed.testDescription)")
      #expect(try await names(sandbox) == ["feed.json", "rss.xml"])
      try await sandbox.succeed("undo")
      #expect(try await names(sandbox) == ["rss.xml"])
      try await sandbox.succeed("undo")
      #expect(try await names(sandbox) == ["atom.xml", "rss.xml"])

      // A list that is empty or broken removes nothing.
      for broken in ["<opml><body/></opml>", "<html>down</html>", ""] {
        text.withLock { $0 = broken }
        let outcome = try await sandbox.telex("apply", "--follow")
        #expect(outcome.status == 1, "\(outcome.testDescription)")
        #expect(try await names(sandbox) == ["atom.xml", "rss.xml"])
      }

      // A refresh reads it once a day: it has just been read.
      serve("rdf.xml")
      let requests = door.requests.count
      #expect(try await sandbox.telex("refresh").status == 0)
      #expect(door.requests.count == requests)
      let path = sandbox.folder + "/.local/share/telex/lists"
      let kept = try #require(sandbox.contents(of: ".local/share/telex/lists"))
      let old = kept.replacing(#/"checked" : \d+/#, with: "\"checked\" : 1000")
      try Data(old.utf8).write(to: URL(filePath: path))
      let refreshed = try await sandbox.telex("refresh")
      // What the user has taken back stays.
      #expect(
        refreshed.errors.contains("1 feed added") && !refreshed.errors.contains("removed"),
        "\(refreshed.testDescription)")

      // Its feeds stay once it is forgotten.
      serve("atom.xml", "rdf.xml", "feed.json")
      try await sandbox.succeed("apply", "--follow", list)
      let before = try await names(sandbox)
      try await sandbox.succeed("apply", "--unfollow", list)
      #expect(try await names(sandbox) == before)
      #expect(try await sandbox.telex("apply", "--follow").output == "")
      #expect(try await sandbox.telex("apply", "--unfollow", list).status == 2)
      await door.stop()
    }
  }

  @Test func `A text in a file is followed too, but addresses of others lead to public hosts only`()
    async throws
  {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      let file = try sandbox.file(
        "list.txt", "[Shared]\n\(server.baseURL)/rss.xml\n    title = Ours\n")
      let followed = try await sandbox.telex("apply", file, "--follow", "--json")
      #expect(followed.status == 0, "\(followed.testDescription)")
      let feed = try await sandbox.telex("list", "--json").json()
      #expect(feed["title"] as? String == "Ours" && feed["folders"] as? [String] == ["Shared"])
      #expect(feed["total"] as? Int == 3)

      let other = try Sandbox()
      let text = opml(["\(server.baseURL)/rss.xml"])
      let door = RawServer { _ in .reply(WireReply(type: "text/x-opml", text: text)) }
      let list = "http://127.0.0.1:\(try door.start())/list.opml"
      server.forgetRequests()
      _ = try await other.telex("apply", "--follow", list)
      #expect(server.requests.isEmpty)
      await door.stop()
    }
  }

  @Test func `A list that is forgotten while it is read stays so`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      let text = Mutex(opml(["\(server.baseURL)/rss.xml"]))
      let gate = DispatchSemaphore(value: 1)
      let door = RawServer { _ in
        gate.wait()
        return .reply(WireReply(type: "text/x-opml", text: text.withLock { $0 }))
      }
      let list = "http://127.0.0.1:\(try door.start())/list.opml"
      try await sandbox.succeed("apply", "--follow", list)
      text.withLock { $0 = opml(["\(server.baseURL)/rss.xml", "\(server.baseURL)/atom.xml"]) }
      let (requests, known) = (door.requests.count, try await names(sandbox))
      let reading = Task { try await sandbox.telex("apply", "--follow") }
      #expect(await eventually { door.requests.count > requests })
      try await sandbox.succeed("apply", "--unfollow", list)
      gate.signal()
      #expect(try await reading.value.status == 0)
      #expect(try await names(sandbox) == known)
      gate.signal()
      #expect(try await sandbox.telex("apply", "--follow").output == "")
      await door.stop()
    }
  }

  @Test func `What another process writes meanwhile is not lost`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      let one = try sandbox.file("one.opml", opml(["\(server.baseURL)/rss.xml"]))
      try await sandbox.succeed("list")
      let path = sandbox.folder + "/.local/share/telex/lists"
      let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      #expect(lock >= 0 && flock(lock, LOCK_EX) == 0)
      let following = Task { try await sandbox.telex("apply", "--follow", one) }
      var isThere = false
      while !isThere { isThere = try await names(sandbox) == ["rss.xml"] }
      let other = #"[{"source" : "/other.opml", "urls" : ["https://example.org/feed"]}]"#
      try Data(other.utf8).write(to: URL(filePath: path))
      close(lock)
      #expect(try await following.value.status == 0)
      let kept = try #require(sandbox.contents(of: ".local/share/telex/lists"))
      #expect(kept.contains("/other.opml") && kept.contains("https://example.org/feed"))
      #expect(kept.contains(one))
    }
  }

  @Test func `Lists that cannot be read are told of, and not written over`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      let one = try sandbox.file("one.opml", opml(["\(server.baseURL)/rss.xml"]))
      try await sandbox.add(server.baseURL + "/atom.xml")
      let damaged = #"[{"source" : "/other.opml", "#
      try sandbox.file(".local/share/telex/lists", damaged)
      for words in [["--follow", one], ["--follow"], ["--unfollow", one]] {
        let outcome = try await sandbox.telex(["apply"] + words)
        #expect(
          outcome.status == 1 && outcome.errors.contains("telex/lists")
            && outcome.errors.contains("follow its lists again"), "\(outcome.testDescription)")
      }
      // Feeds are refreshed nevertheless.
      let refreshed = try await sandbox.telex("refresh")
      #expect(refreshed.status == 0 && refreshed.errors.contains("is damaged"))
      #expect(sandbox.contents(of: ".local/share/telex/lists") == damaged)
      #expect(try await names(sandbox) == ["atom.xml"])
    }
  }
}
