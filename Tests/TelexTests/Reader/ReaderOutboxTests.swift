import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// What waits to be sent, in the reader.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ReaderOutboxTests {
  private func withWaitingComment(
    _ body: (FeedServer, Sandbox) async throws -> Void
  ) async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let first = try #require(try await sandbox.articles().first?["id"] as? Int)
      server.inject(.status(422), on: "/api/articles/story-001/comments")
      #expect(try await sandbox.telex("comments", "\(first)", "--write", "a word").status == 1)
      try await body(server, sandbox)
    }
  }

  @Test(arguments: [(40, 10), (80, 24), (200, 60)])
  func `A comment that was refused shows, and r sends it`(
    width: Int, height: Int
  ) async throws {
    try await withWaitingComment { server, sandbox in
      let reader = try sandbox.reader(size: (width, height))
      try await reader.wait(for: "Story 001")
      try reader.send("O")
      try await reader.wait(until: "the comment shows") {
        $0.contains("1 waiting")
          && $0.lines.contains { $0.contains(#/comment +Story 001/#) }
      }
      try reader.send("r")
      try await reader.wait(for: "No changes are waiting to be sent.")
      #expect(server.comments(on: "story-001").last?.text == "a word")
      try reader.send("q")
      try await reader.wait(for: "updated")
      #expect(try await reader.quit() == .exited(0))
    }
  }

  @Test func `A comment that is dropped is not sent`() async throws {
    try await withWaitingComment { server, sandbox in
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 001")
      try reader.send("O")
      try await reader.wait(for: "1 waiting")
      try reader.send("d")
      try await reader.wait(for: "Remove without sending: comment, Story 001? y/n")
      try reader.send("y")
      try await reader.wait(for: "No changes are waiting to be sent.")
      let before = server.comments(on: "story-001").count
      #expect(try await reader.quit() == .exited(0))
      #expect(try await sandbox.telex("outbox", "--retry").output == "")
      #expect(server.comments(on: "story-001").count == before)
    }
  }

  @Test(arguments: [
    ("kkk", ["from here"]), ("kk", ["from there"]), ("k", ["from there", "from here"]),
  ])
  func `A comment that was changed on both sides is asked about, and the answer done`(
    _ keys: String, _ texts: [String]
  ) async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let article = "\(try #require(try await sandbox.articles().first?["id"] as? Int))"
      #expect(try await sandbox.telex("comments", article, "--write", "as it was").status == 0)
      let id = try #require(server.comments(on: "story-001").last?.id)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 001")
      // While the reader is open, from another process.
      server.editComment(id, on: "story-001", to: "from there")
      let change = ["comments", article, "--write", "from here", "--edit", id, "--version", "1"]
      #expect(try await sandbox.telex(change).status == 1)
      try await reader.wait(until: "it is asked") {
        $0.contains("Changed here and on the server") && $0.contains("from here")
          && $0.contains("from there")
      }
      try reader.send(keys)
      try reader.send("\r")
      try await reader.wait(for: "Story 001")
      #expect(
        await eventually {
          server.comments(on: "story-001").suffix(texts.count).map(\.text) == texts
        })
      try reader.send("O")
      try await reader.wait(for: "No changes are waiting to be sent.")
      #expect(try await reader.quit() == .exited(0))
    }
  }
}
