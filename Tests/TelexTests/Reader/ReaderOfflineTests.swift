import ChildProcess
import FeedServer
import PseudoTerminal
import TestSupport
import Testing

/// The reader without its server.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ReaderOfflineTests {
  @Test func `Without a server the cache is shown and read, and r finds the server again`()
    async throws
  {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.apiURL)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 001")
      await server.stop()
      try reader.send("r")
      try await reader.wait(for: "offline")
      try reader.send("j")
      try reader.send(.enter)
      try await reader.wait(for: "The body of number 002.")
      try reader.send("q")
      try await reader.wait(for: "Story 001")
      server.insertFresh(1)
      try server.start()
      try reader.send("r")
      try await reader.wait(until: "it is online again") {
        !$0.contains("offline") && $0.contains("▲ 1 new")
      }
      try reader.send("g")
      try await reader.wait(for: "New article 1")
    }
  }

  @Test func `When the server comes back the reader notices by itself`() async throws {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.apiURL)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 001")
      await server.stop()
      try reader.send("r")
      try await reader.wait(for: "offline")
      server.insertFresh(1)
      try server.start()
      try await reader.wait(until: "it has caught up", timeout: .seconds(120)) {
        !$0.contains("offline") && ($0.contains("1 new") || $0.contains("New article 1"))
      }
    }
  }

  @Test func `Esc stops a refresh, which can be asked for again`() async throws {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.apiURL)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 001")
      server.inject(.hang, on: "/api", times: nil)
      let before = server.refreshes
      try reader.send("r")
      try await reader.wait(until: "the server is asked") { _ in server.refreshes > before }
      try reader.send(.escape)
      try await reader.wait(for: "Stopped refreshing.")
      server.clearFaults()
      server.insertFresh(1)
      try reader.send("r")
      try await reader.wait(for: "1 new article")
      #expect(try await reader.quit() == .exited(0))
    }
  }

  @Test(arguments: [("reader", "Q"), ("command", "Ctrl-C")])
  func `A refresh that was ended does not keep the next one from the feed`(
    program: String, key: String
  ) async throws {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.apiURL)
      server.inject(.hang, on: "/api", times: nil)
      let before = server.refreshes
      let first = program == "reader" ? try sandbox.reader() : try sandbox.reader("refresh")
      if program == "reader" {
        try await first.wait(for: "Story 001")
        try first.send("r")
      }
      try await first.wait(until: "the server is asked") { _ in server.refreshes > before }
      try first.send(key == "Q" ? .character("Q") : .control("c"))
      _ = try await first.waitForEnd()
      server.clearFaults()
      server.insertFresh(1)
      let next = try await sandbox.telex("refresh", "--json").json()
      #expect(next["feeds"] as? Int == 1)
      #expect(next["new"] as? Int == 1)
    }
  }

  @Test func `A feed that is added offline waits in its row, and is there when the server is back`()
    async throws
  {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let reader = try sandbox.reader(size: (120, 24))
      try await reader.wait(for: "Story 001")
      await server.stop()
      try reader.send("r")
      try await reader.wait(for: "offline")
      try await reader.add(server.baseURL + "/atom.xml")
      try await reader.wait(until: "it is kept") {
        $0.contains("no network") && $0.contains("Waiting for the network to find the feed.")
      }
      try server.start()
      try reader.send("r")
      try await reader.wait(until: "it is found", timeout: .seconds(120)) {
        !$0.contains("no network") && !$0.contains("Waiting for") && $0.contains("Story 001")
      }
      #expect(try await reader.quit() == .exited(0))
      let feeds = try await sandbox.telex("list", "--json").jsonLines()
      #expect(feeds.map { $0["total"] as? Int } == [3, 3])
    }
  }

  @Test func `A start without a server shows what is in the store`() async throws {
    try await withNewspaper { server, sandbox in
      try await sandbox.add(server.apiURL)
      await server.stop()
      let asked = server.requests.count
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 001")
      try reader.send(.enter)
      try await reader.wait(for: "The body of number 001.")
      #expect(try await reader.quit() == .exited(0))
      #expect(server.requests.count == asked)
    }
  }

  @Test func `A page that fails keeps the list, and j at its end tries again`() async throws {
    try await withNewspaper(newspaper(80)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      server.inject(.status(404), on: "/api/articles", times: nil)
      let reader = try sandbox.reader(size: (120, 24))
      try await reader.wait(for: "Story 001")
      var presses = 0
      while !reader.screen.contains("older articles failed, j tries again") {
        try #require(presses < 100, "\(reader.screen)")
        let before = reader.screen.text
        try reader.send(.pageDown)
        presses += 1
        _ = await eventually(within: .seconds(2)) { reader.screen.text != before }
      }
      #expect(reader.screen.contains("Story 050"))
      server.clearFaults()
      try reader.send("Gj")
      try await reader.wait(until: "there are 80") { $0.lines.contains { $0.contains(" 80 │") } }
      try reader.send("j")
      try await reader.wait(for: "Story 051")
    }
  }

  @Test(arguments: ["G", String(repeating: "j", count: 60)])
  func `A page that fails is seen by whoever comes to the end`(keys: String) async throws {
    try await withNewspaper(newspaper(80)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      server.inject(.status(404), on: "/api/articles", times: nil)
      let reader = try sandbox.reader(size: (120, 24))
      try await reader.wait(for: "Story 001")
      try reader.send(keys)
      try await reader.wait(for: "older articles failed, j tries again")
    }
  }
}
