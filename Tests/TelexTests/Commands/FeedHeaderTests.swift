import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import Testing

/// Headers that the user has set for a feed: to which servers they go, and what a redirect does to them.
@Suite(.timeLimit(.minutes(10)))
struct FeedHeaderTests {
  private static let headers = "Accept-Language: de | X-Reader: mine"

  /// Runs the body with a server that redirects `/old` for good, and another one with the feed.
  private func withDoor(
    to target: @escaping @Sendable (_ door: String, _ other: String) -> String,
    _ body:
      nonisolated(nonsending) (
        Sandbox, _ door: RawServer, _ url: String, _ elsewhere: FeedServer
      ) async throws -> Void
  ) async throws {
    let elsewhere = try FeedServer(archive: newspaper(3))
    try await elsewhere.whileServing { other in
      let door = RawServer { request in
        guard request.path == "/old" else {
          return .reply(
            WireReply(
              type: "application/rss+xml",
              text: """
                <rss version='2.0'><channel><title>Here</title><item><guid>1</guid>
                <title>Talk</title><enclosure type='audio/mpeg' length='4'
                url='\(other)/rss.xml'/></item></channel></rss>
                """))
        }
        let origin = "http://\(request.header("Host") ?? "")"
        return .reply(
          WireReply(status: 301, headers: [("Location", target(origin, other))], body: []))
      }
      let url = "http://127.0.0.1:\(try door.start())/old"
      let sandbox = try Sandbox()
      do {
        try sandbox.file(
          "list.opml", "<opml version='2.0'><body><outline xmlUrl='\(url)'/></body></opml>")
        try await sandbox.succeed("import", sandbox.folder + "/list.opml", "--trust")
        try await sandbox.succeed("set", "1", "--headers", Self.headers, "--user-agent", "Mine/1")
        elsewhere.forgetRequests()
        try await body(sandbox, door, url, elsewhere)
      } catch {
        await door.stop()
        throw error
      }
      await door.stop()
    }
  }

  private func feed(_ sandbox: Sandbox) async throws -> [String: Any] {
    try #require(try await sandbox.telex("list", "--json").jsonLines().first)
  }

  @Test func `They do not follow a permanent redirect to another server, nor does the address`()
    async throws
  {
    try await withDoor(to: { _, other in other + "/rss.xml" }) { sandbox, door, url, elsewhere in
      for _ in 1...2 {
        let refreshed = try await sandbox.telex("refresh")
        #expect(refreshed.status == 0)
        #expect(refreshed.errors.contains("the headers set for it stay at their server: move it"))
        #expect(try await feed(sandbox)["url"] as? String == url)
      }
      #expect(try await feed(sandbox)["total"] as? Int == 3)
      let sent = door.requests.filter { $0.path == "/old" }
      #expect(sent.count >= 2)
      #expect(sent.allSatisfy { $0.header("X-Reader") == "mine" })
      #expect(elsewhere.requests.count >= 2)
      for request in elsewhere.requests {
        #expect(request.header("X-Reader") == nil && request.header("Accept-Language") == nil)
        // What the program calls itself is for every server.
        #expect(request.header("User-Agent") == "Mine/1")
      }
      // The user is told, and decides.
      let doctor = try await sandbox.telex("doctor", url)
      #expect(doctor.output.contains("the stored address stays, for whose server alone"))
      let reader = try sandbox.reader(size: (130, 26))
      try await reader.wait(for: "Story 001")
      try reader.send("H")
      try await reader.wait(for: "This feed is redirected to another server")
      #expect(try await reader.quit() == .exited(0))
    }
  }

  @Test func `They go along a redirect at their server, and to no file elsewhere`() async throws {
    try await withDoor(to: { door, _ in door + "/new" }) { sandbox, door, url, elsewhere in
      #expect(try await sandbox.telex("refresh").status == 0)
      let moved = url.replacing("/old", with: "/new")
      #expect(try await feed(sandbox)["url"] as? String == moved)
      let there = try #require(door.requests.last { $0.path == "/new" })
      #expect(there.header("X-Reader") == "mine" && there.header("Accept-Language") == "de")

      let id = try #require(try await sandbox.articles().first?["id"] as? Int)
      elsewhere.forgetRequests()
      let saved = try await sandbox.telex("transfers", "--download", "\(id)")
      #expect(saved.status == 0, "\(saved.testDescription)")
      #expect(!elsewhere.requests.isEmpty)
      #expect(elsewhere.requests.allSatisfy { $0.header("X-Reader") == nil })
    }
  }

  @Test func `add takes the name of the program, and the feed keeps it`() async throws {
    let server = RawServer { request in
      guard request.header("User-Agent") == "Other/1" else {
        return .reply(WireReply(status: 403, headers: [("cf-mitigated", "challenge")]))
      }
      return .reply(
        WireReply(
          type: "application/rss+xml",
          text:
            "<rss version='2.0'><channel><title>T</title><item><guid>1</guid></item></channel></rss>"
        ))
    }
    let url = "http://127.0.0.1:\(try server.start())/feed"
    let sandbox = try Sandbox()
    let refused = try await sandbox.telex("add", url)
    #expect(refused.status == 1, "\(refused.testDescription)")
    #expect(refused.errors.contains("bot check of Cloudflare"))
    #expect(refused.errors.contains("--user-agent of telex add"))
    #expect(server.requests.allSatisfy { $0.header("User-Agent")?.hasPrefix("Telex/") == true })
    try await sandbox.succeed("add", url, "--user-agent", "Other/1")
    try await sandbox.succeed("refresh")
    let settings = try #require(try await feed(sandbox)["settings"] as? [String: Any])
    #expect(settings["user-agent"] as? String == "Other/1")
    let again = try await sandbox.telex("add", url, "--user-agent", "Other/1", "--json").json()
    #expect(again["new"] as? Bool == false && again["changed"] as? [String] == [])
    let account = try await sandbox.telex("add", url, "--account", url, "--user-agent", "X")
    #expect(account.status == 2 && account.errors.contains("--user-agent"))
    await server.stop()
  }
}
