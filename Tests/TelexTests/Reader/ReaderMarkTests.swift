import ChildProcess
import FeedServer
import PseudoTerminal
import Testing

/// Marks, removal, and what other processes do meanwhile.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ReaderMarkTests {
  @Test func `s stars, m marks, and both reach the store`() async throws {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.apiURL)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 001")
      try reader.send("s")
      try await reader.wait(until: "the star shows") { $0.isStarred("Story 001") }
      try reader.send("jm")
      try await reader.wait(until: "the second is read") { $0.isRead("Story 002") }
      try reader.send("m")
      try await reader.wait(until: "the second is unread") { $0.isUnread("Story 002") }
      try reader.send("jm")
      try await reader.wait(until: "the third is read") { $0.isRead("Story 003") }
      #expect(try await reader.quit() == .exited(0))
      let rows = try await sandbox.articles("--limit", "3")
      #expect(rows.map { $0["starred"] as? Bool } == [true, false, false])
      #expect(rows.map { $0["read"] as? Bool } == [false, false, true])
    }
  }

  @Test func `Quitting twice in one breath loses no mark`() async throws {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.apiURL)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 001")
      try reader.send("sjsjsQQ")
      #expect(try await reader.waitForEnd() == .exited(0))
      let rows = try await sandbox.articles("--starred")
      #expect(rows.count == 3)
    }
  }

  @Test func `A marks all as read, and u takes it back`() async throws {
    try await withNewspaper(newspaper(12)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 001")
      try reader.send("A")
      try await reader.wait(for: "Mark 12 articles in All as read? y/n")
      try reader.send("n")
      try reader.send("A")
      try await reader.wait(for: "y/n")
      #expect(reader.screen.isUnread("Story 001"))
      try reader.send("y")
      try await reader.wait(until: "all are read") {
        $0.contains("Marked 12 articles as read. u undoes this.") && $0.isRead("Story 012")
      }
      try reader.send("u")
      try await reader.wait(until: "all are unread again") {
        $0.contains("Undone: marked 12 articles as read") && $0.isUnread("Story 001")
          && $0.isUnread("Story 012")
      }
    }
  }

  @Test func `u takes back what was starred in an earlier session`() async throws {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.apiURL)
      let first = try sandbox.reader()
      try await first.wait(for: "Story 001")
      try first.send("sQQ")
      #expect(try await first.waitForEnd() == .exited(0))
      #expect(try await sandbox.articles("--starred").count == 1)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 001")
      try reader.send("u")
      try await reader.wait(for: "Undone: ")
      #expect(try await sandbox.articles("--starred").count == 0)
    }
  }

  @Test(arguments: ["m", "s", "d", "tlinux\r", "o", "F", "\u{13}\r"])
  func `A key at an open article that another process has deleted says so, and changes nothing`(
    _ keys: String
  ) async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.baseURL + "/rss.xml")
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 001")
      try reader.send("\r")
      try await reader.wait(for: "The body of number 001")
      let number = try #require(try await sandbox.articles("--limit", "1").first?["id"] as? Int)
      try await sandbox.succeed("delete", "\(number)")
      try reader.send(keys)
      try await reader.wait(for: "no longer in the store")
      #expect(try await reader.quit() == .exited(0))
      #expect(try await sandbox.articles("--starred").isEmpty)
      #expect(try await sandbox.telex("tag").output == "")
      #expect(try await sandbox.telex("undo").output.contains("deleted"))
      #expect(try await sandbox.articles().count == 3)
    }
  }

  @Test func `In the sidebar d asks, and y removes the feed with its articles`() async throws {
    try await withNewspaper { server, sandbox in
      let reader = try sandbox.reader()
      try await reader.wait(for: "No feeds yet.")
      try await reader.add(server.apiURL)
      try await reader.wait(for: "Story 001")
      try reader.send("hd")
      try await reader.wait(for: "Unsubscribe from The Loopback Times and delete its articles? y/n")
      try reader.send("n")
      try reader.send("d")
      try await reader.wait(for: "y/n")
      #expect(reader.screen.contains("Story 001"))
      try reader.send("y")
      try await reader.wait(for: "No feeds yet.")
      #expect(!reader.screen.contains("Story 001"))
      #expect(try await reader.quit() == .exited(0))
      #expect(try await sandbox.telex("list").output == "")
    }
  }

  @Test func `What a command changes shows in the open reader`() async throws {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.apiURL)
      let other = try FeedServer(archive: newspaper(3, title: "Evening Echo"))
      try other.start()
      let reader = try sandbox.reader()
      try await reader.wait(until: "all is unread") { $0.isUnread("Story 002") }
      let id = try #require(try await sandbox.articles("--limit", "2").last?["id"] as? Int)
      #expect(try await sandbox.telex("read", "\(id)").status == 0)
      try await reader.wait(until: "the command's mark shows") { $0.isRead("Story 002") }
      #expect(try await sandbox.telex("add", other.apiURL).status == 0)
      try await reader.wait(for: "Evening Echo")
      await other.stop()
    }
  }

  @Test func `Two readers see each other's marks`() async throws {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.apiURL)
      let first = try sandbox.reader()
      let second = try sandbox.reader()
      try await first.wait(for: "Story 001")
      try await second.wait(for: "Story 001")
      try first.send("s")
      try await second.wait(until: "the star shows there too") { $0.isStarred("Story 001") }
      try second.send("m")
      try await first.wait(until: "the mark shows here too") { $0.isRead("Story 001") }
    }
  }
}
