import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import Testing

/// A story that several feeds tell, from their servers to the screen.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ReaderStoryTests {
  /// Three feeds: two print one report under different titles, each with an article of its own beside it.
  private func withPapers(
    _ body: nonisolated(nonsending) (Sandbox, _ address: (String) -> String) async throws -> Void
  ) async throws {
    let date = ISO8601DateFormatter().string(from: Date.now.addingTimeInterval(-3_600))
    let report = """
      The road bridge at Lindau was closed on Monday after the barge Seehase had rammed a pier at 6:40 in the
      morning. Nobody was hurt. Engineer Paula Dorn of the canton said that mending the cracked pier takes weeks,
      and that 14,000 cars a day have to go by way of Hard.
      """
    let titles = [
      "courier": "Bridge at Lindau closed after barge hits pier",
      "tribune": "Cracked pier shuts Lindau to cars for weeks",
    ]
    let server = RawServer { request in
      let name = String(request.path.dropFirst())
      let told = titles[name].map {
        "<entry><id>\(name)-1</id><title>\($0)</title><updated>\(date)</updated><summary>\(report)</summary></entry>"
      }
      return .reply(
        WireReply(
          type: "application/atom+xml",
          text: """
            <feed xmlns="http://www.w3.org/2005/Atom"><id>\(name)</id><title>\(name.capitalized)</title>
            \(told ?? "")<entry><id>\(name)-2</id><title>Only in the \(name)</title>
            <updated>2026-01-02T03:04:05Z</updated></entry></feed>
            """))
    }
    let origin = "http://127.0.0.1:\(try server.start())/"
    do { try await body(Sandbox(), { origin + $0 }) } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  @Test func `One row stands for both, unfolds, and is read for both`() async throws {
    try await withPapers { sandbox, address in
      for name in ["courier", "tribune", "echo"] { try await sandbox.add(address(name)) }
      let reader = try sandbox.reader()
      try await reader.wait(until: "the story is one row") {
        $0.contains("Bridge at Lindau closed") && $0.contains("+1")
          && !$0.contains("Cracked pier shuts")
      }
      try reader.send("z")
      try await reader.wait(for: "└ Cracked pier shuts")
      try reader.send("z")
      try await reader.wait(until: "it is folded again") { !$0.contains("Cracked pier shuts") }
      try reader.send("m")
      try await reader.wait(until: "it is read") { $0.isRead("Bridge at Lindau closed") }
      #expect(try await reader.quit() == .exited(0))

      let rows = try await sandbox.articles()
      let first = try #require(
        rows.first { $0["feed"] as? String == "Courier" && $0["read"] as? Bool == true })
      let second = try #require(
        rows.first { ($0["title"] as? String)?.hasPrefix("Cracked") == true })
      #expect(second["read"] as? Bool == true && second["storyOf"] as? Int == first["id"] as? Int)
      #expect(rows.count == 5 && rows.count { $0["read"] as? Bool == true } == 2)
    }
  }

  @Test func `A setting turns stories off`() async throws {
    try await withPapers { sandbox, address in
      for name in ["courier", "tribune"] { try await sandbox.add(address(name)) }
      let config = try sandbox.file("telex.toml", "[stories]\njoin = false\n")
      let reader = try sandbox.reader("--config", config)
      try await reader.wait(until: "both are rows") {
        $0.contains("Bridge at Lindau closed") && $0.contains("Cracked pier shuts")
          && !$0.contains("+1")
      }
      #expect(try await reader.quit() == .exited(0))
    }
  }

  @Test func `A feed that joins no stories shows its articles by themselves`() async throws {
    try await withPapers { sandbox, address in
      for name in ["courier", "tribune"] { try await sandbox.add(address(name)) }
      try await sandbox.succeed("set", address("tribune"), "--stories", "no")
      let reader = try sandbox.reader()
      try await reader.wait(until: "both are rows") {
        $0.contains("Bridge at Lindau closed") && $0.contains("Cracked pier shuts")
          && !$0.contains("+1")
      }
      #expect(try await reader.quit() == .exited(0))
    }
  }
}
