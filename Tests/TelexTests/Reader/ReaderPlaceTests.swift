import ChildProcess
import FeedServer
import PseudoTerminal
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Where the reader opens after it was left.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ReaderPlaceTests {
  /// The reader with the feed's own list at its sixth row.
  private func moved(_ sandbox: Sandbox) async throws -> PseudoTerminal {
    let reader = try sandbox.reader()
    try await reader.wait(for: "Story 001")
    try reader.send("hGljjjjj")
    try await reader.wait(until: "the list has the focus") { !$0.contains("All ·") }
    return reader
  }

  @Test(arguments: [SIGTERM, SIGHUP, 0])
  func `The reader opens where it was left, by a key or a signal`(_ number: Int32) async throws {
    try await withNewspaper(newspaper(40)) { server, sandbox in
      try await sandbox.add(server.baseURL + "/rss.xml")
      let reader = try await moved(sandbox)
      try reader.send(.enter)
      try await reader.wait(for: "The body of number 006.")
      if number == 0 { try reader.send("Q") } else { reader.signal(number) }
      #expect(try await reader.waitForEnd() == .exited(number == 0 ? 0 : 128 + number))

      let next = try sandbox.reader()
      try await next.wait(for: "The body of number 006.")
      try next.send("qs")
      try await next.wait(until: "its row is selected") { $0.isStarred("Story 006") }
      #expect(!next.screen.contains("All ·"))
      #expect(try await next.quit() == .exited(0))

      let config = try sandbox.file("all.toml", "[screen]\nopen_at = \"all\"\n")
      let all = try sandbox.reader("--config", config)
      try await all.wait(for: "All ·")
      try all.send("s")
      try await all.wait(until: "the first row is selected") { $0.isStarred("Story 001") }
      #expect(try await all.quit() == .exited(0))
    }
  }

  @Test func `Of two readers the last one to be left decides, and a feed that is gone is All`()
    async throws
  {
    try await withNewspaper(newspaper(40)) { server, sandbox in
      try await sandbox.add(server.baseURL + "/rss.xml")
      let (first, second) = (try sandbox.reader(), try await moved(sandbox))
      try await first.wait(for: "All ·")
      #expect(try await first.quit() == .exited(0))
      #expect(try await second.quit() == .exited(0))
      let next = try sandbox.reader()
      try await next.wait(for: "Story 006")
      try next.send("s")
      try await next.wait(until: "its row is selected") { $0.isStarred("Story 006") }
      #expect(!next.screen.contains("All ·"))
      #expect(try await next.quit() == .exited(0))

      try await sandbox.succeed("remove", "1", "--yes")
      let last = try sandbox.reader()
      try await last.wait(for: "No feeds yet.")
      #expect(try await last.quit() == .exited(0))
    }
  }
}
