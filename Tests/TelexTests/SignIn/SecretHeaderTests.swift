import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import Synchronization
import Testing

/// A secret header of a single feed: where it goes, where it is kept, and how it is forgotten.
@Suite(.timeLimit(.minutes(10)))
struct SecretHeaderTests {
  private static let cookie = "session=s3cret-word; theme=dark"

  private func files(with text: String, in sandbox: Sandbox) throws -> [String] {
    let names = try #require(FileManager.default.enumerator(atPath: sandbox.folder))
    return names.compactMap { $0 as? String }.filter { name in
      FileManager.default.contents(atPath: sandbox.folder + "/" + name)?
        .range(of: Data(text.utf8)) != nil
    }
  }

  @Test func `A cookie is sent for its feed alone, kept with the secrets, and forgotten`()
    async throws
  {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.baseURL + "/rss.xml")
      try await sandbox.add(server.baseURL + "/atom.xml")
      server.protect("/rss.xml", with: .apiKey(header: "Cookie", key: Self.cookie))
      #expect(try await sandbox.telex("refresh").status == 1)
      // What is readable elsewhere takes no secret, and says who does.
      let readable = try await sandbox.telex("set", "1", "--headers", "Cookie: a=b")
      #expect(readable.status == 2 && readable.errors.contains("--header Cookie"))

      let set = try await sandbox.telex(
        "set", "1", "--header", "Cookie", "--secret-stdin", stdin: Self.cookie + "\n")
      #expect(set.status == 0, "\(set.testDescription)")
      server.forgetRequests()
      #expect(try await sandbox.telex("refresh").status == 0)
      let sent = server.requests.map { ($0.path, $0.header("Cookie")) }
      #expect(sent.contains { $0 == ("/rss.xml", Self.cookie) })
      #expect(sent.allSatisfy { $0.0 == "/rss.xml" || $0.1 == nil })

      var said = set.output + set.errors
      for verb in [["list", "--json"], ["export"], ["edit", "--print"], ["journal", "--json"]] {
        let outcome = try await sandbox.telex(verb)
        said += outcome.output + outcome.errors
      }
      #expect(!said.contains("s3cret-word"))
      #expect(
        try files(with: "s3cret-word", in: sandbox)
          == [".local/share/telex/secrets/credentials.json"])

      #expect(try await sandbox.telex("set", "1", "--no-secret").status == 0)
      #expect(try files(with: "s3cret-word", in: sandbox) == [])
      #expect(try await sandbox.telex("refresh").status == 1)
      let again = try await sandbox.telex("set", "1", "--no-secret")
      #expect(again.status == 2 && again.errors.lowercased().contains("no secret is kept"))
    }
  }

  @Test(arguments: [(301, true), (308, true), (308, false)])
  func `A permanent redirect to another origin does not move its feed, and the user is told`(
    status: Int, isOpen: Bool
  ) async throws {
    let elsewhere = try FeedServer(archive: newspaper(3))
    try await elsewhere.whileServing { other in
      let isMoved = Mutex(false)
      let door = RawServer { request in
        guard isMoved.withLock(\.self) else {
          return .reply(
            WireReply(
              type: "application/rss+xml",
              text: "<rss version='2.0'><channel><title>Here</title></channel></rss>"))
        }
        return .reply(
          WireReply(status: status, headers: [("Location", other + "/rss.xml")], body: []))
      }
      let url = "http://127.0.0.1:\(try door.start())/feed"
      let sandbox = try Sandbox()
      try await sandbox.add(url)
      let set = try await sandbox.telex(
        "set", "1", "--header", "X-Key", "--secret-stdin", stdin: "s3cret-word\n")
      #expect(set.status == 0, "\(set.testDescription)")
      isMoved.withLock { $0 = true }
      if !isOpen {
        elsewhere.protect("/rss.xml", with: .apiKey(header: "X-Key", key: "another"))
      }
      elsewhere.forgetRequests()
      // A second time, where nothing has changed since.
      for _ in 1...2 {
        let refreshed = try await sandbox.telex("refresh")
        #expect(refreshed.status == (isOpen ? 0 : 1), "\(refreshed.testDescription)")
        #expect(refreshed.errors.contains("the secret header X-Key"))
        #expect(refreshed.errors.contains("telex set FEED --header X-Key"))
        #expect(!refreshed.errors.contains("s3cret-word"))
      }
      let feed = try #require(try await sandbox.telex("list", "--json").jsonLines().first)
      #expect(feed["url"] as? String == url && feed["total"] as? Int == (isOpen ? 3 : 0))
      #expect(door.requests.suffix(2).allSatisfy { $0.header("X-Key") == "s3cret-word" })
      #expect(!elsewhere.requests.isEmpty)
      #expect(elsewhere.requests.allSatisfy { $0.header("X-Key") == nil })
      let reader = try sandbox.reader(size: (130, 26))
      try await reader.wait(for: isOpen ? "Story 001" : "Here")
      try reader.send("H")
      try await reader.wait(until: "it says what to do") {
        $0.contains(isOpen ? "not get the secret header X-Key" : "--header X-Key")
      }
      #expect(try await reader.quit() == .exited(0))
      // It works again where its server takes the redirect back.
      isMoved.withLock { $0 = false }
      #expect(try await sandbox.telex("refresh").status == 0)
      #expect(door.requests.last?.header("X-Key") == "s3cret-word")
      await door.stop()
    }
  }

  @Test func `It does not follow a redirect to another origin`() async throws {
    let elsewhere = try FeedServer(archive: newspaper(3))
    try await elsewhere.whileServing { other in
      let door = RawServer { _ in
        .reply(WireReply(status: 302, headers: [("Location", other + "/rss.xml")], body: []))
      }
      _ = try door.start()
      let sandbox = try Sandbox()
      try await sandbox.add("http://127.0.0.1:\(door.port)/feed")
      let set = try await sandbox.telex(
        "set", "1", "--header", "X-Key", "--secret-stdin", stdin: "s3cret-word\n")
      #expect(set.status == 0, "\(set.testDescription)")
      elsewhere.forgetRequests()
      #expect(try await sandbox.telex("refresh").status == 0)
      #expect(door.requests.contains { $0.header("X-Key") == "s3cret-word" })
      #expect(!elsewhere.requests.isEmpty)
      #expect(elsewhere.requests.allSatisfy { $0.header("X-Key") == nil })
      await door.stop()
    }
  }
}
