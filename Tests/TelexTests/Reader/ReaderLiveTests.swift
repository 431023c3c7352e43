import ChildProcess
import FeedServer
import News
import PseudoTerminal
import TestSupport
import Testing

/// News that the server tells by itself, in the built program.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ReaderLiveTests {
  @Test(arguments: ["events", "websocket"])
  func `What is new waits above the list, and nothing moves`(wire: String) async throws {
    try await withNewspaper(newspaper(60)) { server, sandbox in
      server.addUser("ada", password: "secret")
      _ = try await sandbox.telex(
        "login", server.apiURL, "--user", "ada", "--password-stdin", stdin: "secret\n")
      try await sandbox.add(server.apiURL)
      let config = try sandbox.file("config.toml", "[network]\nlive = \"\(wire)\"\n")
      let reader = try sandbox.reader("--config", config)
      try await reader.wait(for: "live")
      try reader.send("jjj")
      let before = reader.screen
      server.insertFresh(2)
      try await reader.wait(for: "▲ 2 new")
      for title in ["Story 002", "Story 003", "Story 010"] {
        let place = reader.screen.lines.firstIndex { $0.contains(title) }
        #expect(place == before.lines.firstIndex { $0.contains(title) } && place != nil)
      }
      try reader.send("g")
      try await reader.wait(until: "the newest show") {
        !$0.contains("▲") && $0.lastStory ?? 0 < 60
      }
      let live = try #require(server.requests.first { $0.path == "/api/live" })
      #expect(live.header("Authorization")?.hasPrefix("Bearer ") == true)
      #expect((live.header("Upgrade") != nil) == (wire == "websocket"))
      #expect(try await reader.quit() == .exited(0))
      #expect(await eventually { server.liveConnections == 0 })
    }
  }

  @Test func `A drop is mended by itself, and off means off`() async throws {
    try await withNewspaper(newspaper(10)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let reader = try sandbox.reader()
      try await reader.wait(for: "live")
      server.dropLiveConnections()
      server.insertFresh(1)
      try await reader.wait(for: "▲ 1 new")
      #expect(try await reader.quit() == .exited(0))
      server.forgetRequests()
      let config = try sandbox.file("config.toml", "[network]\nlive = \"off\"\n")
      let silent = try sandbox.reader("--config", config)
      try await silent.wait(for: "Story 001")
      try silent.send("r")
      try await silent.wait(until: "it is refreshed") { _ in server.refreshes > 0 }
      #expect(!server.requests.contains { $0.path == "/api/live" })
      #expect(try await silent.quit() == .exited(0))
    }
  }
}
