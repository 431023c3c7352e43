import ChildProcess
import FeedServer
import Foundation
import GRDB
import PseudoTerminal
import TestSupport
import Testing

/// What the open reader does after a failure that has passed.
@Suite(.timeLimit(.minutes(10)))
struct ReaderRecoveryTests {
  @Test func `The sidebar goes on after a failure of the store`() async throws {
    try await withNewspaper(newspaper(2)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let reader = try sandbox.reader(size: (120, 24))
      try await reader.wait(for: "Story 001")
      let store = try DatabaseQueue(
        path: sandbox.folder + "/.local/share/telex/telex.sqlite")
      try await store.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA legacy_alter_table = ON; PRAGMA busy_timeout = 20000")
        try db.execute(sql: "ALTER TABLE feedState RENAME TO feedStateAway")
      }
      try await reader.wait(until: "the failure is told") { $0.words.contains("feedState") }
      try await store.writeWithoutTransaction { db in
        try db.execute(sql: "ALTER TABLE feedStateAway RENAME TO feedState")
      }
      let id = try #require(
        try await sandbox.telex("list", "--json").jsonLines().first?["id"] as? Int)
      #expect(try await sandbox.telex("set", "\(id)", "--title", "Evening").status == 0)
      try await reader.wait(for: "Evening")
      #expect(try await reader.quit() == .exited(0))
    }
  }

  @Test func `A search for a feed holds up neither marks nor the end`() async throws {
    let server = RawServer { _ in Script([.hang]) }
    let slow = "127.0.0.1:\(try server.start())/slow"
    try await withNewspaper(newspaper(2)) { newspaper, sandbox in
      try await sandbox.add(newspaper.apiURL)
      try FileManager.default.createDirectory(
        atPath: sandbox.folder + "/shared", withIntermediateDirectories: true)
      let joined = try await sandbox.telex("login", "file:\(sandbox.folder)/shared")
      #expect(joined.status == 0, "\(joined.testDescription)")
      let reader = try sandbox.reader(size: (120, 24))
      try await reader.wait(for: "Story 001")
      try reader.send("a")
      try await reader.wait(for: "Subscribe to:")
      try reader.send("\t")
      try await reader.wait(for: "Subscribe in folder at")
      try reader.send("http://\(slow)\r")
      try await reader.wait(for: "looking for a feed at http://\(slow)")
      #expect(await eventually { !server.requests.isEmpty })
      try reader.send("s")
      try await reader.wait(for: "★")
      // Kept while the server is still asked.
      #expect(
        try await eventually { try await sandbox.articles("--starred").count == 1 })
      #expect(try await reader.quit() == .exited(0))
    }
    await server.stop()
  }
}
