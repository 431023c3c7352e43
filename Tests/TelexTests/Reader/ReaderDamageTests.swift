import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import Testing

/// What the open reader says where its store is damaged or taken away.
@Suite(.timeLimit(.minutes(10)))
struct ReaderDamageTests {
  @Test func `A store that is taken away is told, and no mark shows as kept`() async throws {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.apiURL)
      let store = sandbox.folder + "/.local/share/telex"
      let reader = try sandbox.reader(size: (120, 24))
      try await reader.wait(for: "Story 001")
      try FileManager.default.moveItem(atPath: store, toPath: store + ".away")
      try await reader.wait(until: "the loss is told") {
        $0.words.contains("The store is no longer there")
      }
      // The keys after the mark have been read when the end of the list shows.
      try reader.send("sG")
      try await reader.wait(for: "Story 050")
      try reader.send("g")
      try await reader.wait(until: "the mark is gone again") {
        $0.contains("Story 001") && !$0.contains("Story 050") && !$0.contains("★")
      }
      try FileManager.default.moveItem(atPath: store + ".away", toPath: store)
      try reader.send("s")
      try await reader.wait(for: "★")
      #expect(try await reader.quit() == .exited(0))
      let starred = try await sandbox.articles("--starred")
      #expect(starred.count == 1, "\(starred)")
    }
  }

  @Test func `Damage is told with how much was carried over, by the reader and by a verb`()
    async throws
  {
    try await withNewspaper(newspaper(20)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      try await damage(sandbox, server)
      let before = 21
      let reader = try sandbox.reader(size: (120, 24))
      try await reader.wait(until: "it tells of what was carried over") {
        $0.words.contains("1 feed and \(before) articles were carried into a new one")
      }
      try await reader.wait(for: "Story 001")
      #expect(try await reader.quit() == .exited(0))
      try await damage(sandbox, server)
      let listed = try await sandbox.telex("list")
      #expect(listed.status == 0 && listed.lines.count == 1)
      #expect(listed.errors.contains("\(before + 1) articles were carried into a new one"))
      #expect(listed.errors.contains("the damaged file is kept as "), "\(listed.errors)")
      #expect(try await sandbox.telex("list").errors == "")
      let removed = try await sandbox.telex("remove", "1", "--erase")
      #expect(removed.errors.contains("may still hold what was removed"), "\(removed.errors)")
    }
  }

  @Test func `The doctor repairs only when asked to`() async throws {
    try await withNewspaper(newspaper(20)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      try await damage(sandbox, server)
      let looked = try await sandbox.telex("doctor")
      #expect(looked.status == 1 && looked.output.contains("✗ Database"), "\(looked.output)")
      let repaired = try await sandbox.telex("doctor", "--repair")
      #expect(repaired.errors.contains("21 articles were carried into a new one"))
      #expect(repaired.output.contains("✓ Database"), "\(repaired.output)")
      #expect(repaired.output.contains("remove it once nothing is missed"))
      #expect(try await sandbox.articles().count == 21)
    }
  }

  /// Overwrites the header, but for the word that all databases begin with.
  private func damage(_ sandbox: Sandbox, _ server: FeedServer) async throws {
    // After a refresh that brought something, nothing is left in the log that the file has not.
    server.insertFresh(1)
    #expect(try await sandbox.telex("refresh", "--json").json()["new"] as? Int == 1)
    let path = sandbox.folder + "/.local/share/telex/telex.sqlite"
    let file = try FileHandle(forUpdating: URL(filePath: path))
    try file.seek(toOffset: 16)
    try file.write(contentsOf: Data(repeating: 0xA5, count: 84))
    try file.close()
    // A header in the log would be read instead.
    try FileManager.default.removeItem(atPath: path + "-wal")
  }
}
