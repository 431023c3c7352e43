import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import Testing

/// Comments go through the outbox, with one key for all attempts.
@Suite(.timeLimit(.minutes(5)))
struct CommentVerbTests {
  private func withArticle(
    _ body: (FeedServer, Sandbox, _ number: String) async throws -> Void
  ) async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let first = try #require(try await sandbox.articles().first)
      try await body(server, sandbox, "\(try #require(first["id"] as? Int))")
    }
  }

  private func posts(_ server: FeedServer) -> [String] {
    server.requests.filter { $0.method == "POST" }.compactMap { $0.header("Idempotency-Key") }
  }

  @Test func `A comment is sent once and can be read`() async throws {
    try await withArticle { server, sandbox, article in
      let outcome = try await sandbox.telex("comment", article, "A word & another <b>")
      #expect(outcome.status == 0 && outcome.output == "sent\n")
      let listed = try await sandbox.telex("comments", article)
      #expect(listed.output.contains("A word & another <b>"))
      #expect(server.comments(on: "story-001").last?.text == "A word & another <b>")
      #expect(try await sandbox.telex("outbox").output == "")
    }
  }

  @Test func `A kill in the middle of an attempt leaves one comment in the end`() async throws {
    try await withArticle { server, sandbox, article in
      // The first answer is lost on its way: the server has the comment.
      server.inject(.delay(milliseconds: 60_000), on: "/api/articles/story-001/comments")
      let before = server.comments(on: "story-001").count
      let command = try sandbox.reader("comment", article, "once and no more")
      try await command.wait(until: "it is under way") { _ in !posts(server).isEmpty }
      command.signal(SIGKILL)
      _ = try await command.waitForEnd()
      let waiting = try await sandbox.telex("outbox")
      #expect(waiting.output.contains("once and no more"))
      let again = try await sandbox.telex("outbox", "--retry")
      #expect(again.status == 0 && again.output == "")
      #expect(server.comments(on: "story-001").count == before + 1)
      let keys = posts(server)
      #expect(keys.count == 2 && Set(keys).count == 1)
    }
  }

  @Test func `An attempt that fails in passing is repeated with the same key`() async throws {
    try await withArticle { server, sandbox, article in
      server.inject(.status(503), on: "/api/articles/story-001/comments", times: 2)
      let outcome = try await sandbox.telex("comment", article, "third time lucky")
      #expect(outcome.output == "sent\n", "\(outcome.testDescription)")
      let attempts = server.requests.filter { $0.method == "POST" }
      #expect(attempts.map { $0.header("X-Request-Attempt") } == ["1", "2", "3"])
      #expect(Set(attempts.map { $0.header("X-Request-ID") }).count == 1)
      #expect(Set(posts(server)).count == 1)
    }
  }

  @Test func `Without the server it waits, in order, and goes with the next refresh`() async throws
  {
    try await withArticle { server, sandbox, article in
      await server.stop()
      for text in ["first", "second"] {
        let outcome = try await sandbox.telex("comment", article, text, "--timeout", "3")
        #expect(outcome.status == 0 && outcome.output.hasPrefix("kept"))
      }
      #expect(try await sandbox.telex("outbox", "--json").jsonLines().count == 2)
      try server.start()
      #expect(try await sandbox.telex("refresh").status == 0)
      #expect(server.comments(on: "story-001").suffix(2).map(\.text) == ["first", "second"])
      #expect(try await sandbox.telex("outbox").output == "")
    }
  }

  @Test func `What the server refuses stays with its reason until it is dropped`() async throws {
    try await withArticle { server, sandbox, article in
      let long = String(repeating: "x", count: 10_001)
      let outcome = try await sandbox.telex("comment", article, long)
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("422"))
      let sent = posts(server).count
      #expect(sent == 1)
      #expect(try await sandbox.telex("refresh").status == 0)
      #expect(posts(server).count == sent)
      let waiting = try await sandbox.telex("outbox", "--json").jsonLines()
      let number = try #require(waiting.first?["id"] as? Int)
      #expect(try await sandbox.telex("outbox", "--drop", "\(number)").output == "")
      #expect(try await sandbox.telex("outbox", "--drop", "\(number)").status == 2)
    }
  }

  @Test func `A feed without comments says so`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.baseURL + "/rss.xml")
      let first = try #require(try await sandbox.articles().first?["id"] as? Int)
      for verb in [["comment", "\(first)", "text"], ["comments", "\(first)"]] {
        let outcome = try await sandbox.telex(verb)
        #expect(outcome.status == 2 && outcome.errors.contains("comments"))
      }
      #expect(try await sandbox.telex("comment", "\(first)", " ").status == 2)
    }
  }
}
