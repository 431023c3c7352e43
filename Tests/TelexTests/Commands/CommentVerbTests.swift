import ChildProcess
import FeedServer
import Foundation
import GRDB
import PseudoTerminal
import Testing

/// Comments go through the outbox, with one key for all attempts.
@Suite(.timeLimit(.minutes(10)))
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
      let outcome = try await sandbox.telex("comments", article, "--write", "A word & another <b>")
      #expect(outcome.status == 0 && outcome.output == "sent\n")
      let listed = try await sandbox.telex("comments", article)
      #expect(listed.output.contains("A word & another <b>"))
      #expect(server.comments(on: "story-001").last?.text == "A word & another <b>")
      #expect(try await sandbox.telex("outbox").output == "")
    }
  }

  @Test func `As a thread each answer is below what it answers, by list and by JSON`() async throws
  {
    try await withArticle { server, sandbox, article in
      for text in ["first", "second"] {
        #expect(try await sandbox.telex("comments", article, "--write", text).status == 0)
      }
      let first = try #require(server.comments(on: "story-001").first { $0.text == "first" })
      #expect(server.answerComment(first.id, on: "story-001", with: "an answer"))
      let plain = try await sandbox.telex("comments", article).output
      #expect(plain.hasSuffix("first\nsomebody: second\nsomebody: an answer\n"))
      let thread = try await sandbox.telex("comments", article, "--thread").output
      #expect(thread.hasSuffix("first\n  somebody: an answer\nsomebody: second\n"))
      let rows = try await sandbox.telex("comments", article, "--thread", "--json").jsonLines()
      #expect(rows.suffix(3).map { $0["depth"] as? Int } == [0, 1, 0])
      #expect(rows.suffix(3).map { $0["parent"] as? String } == [nil, first.id, nil])
    }
  }

  @Test func `A kill in the middle of an attempt leaves one comment in the end`() async throws {
    try await withArticle { server, sandbox, article in
      // The first answer is lost on its way: the server has the comment.
      server.inject(.delay(milliseconds: 60_000), on: "/api/articles/story-001/comments")
      let before = server.comments(on: "story-001").count
      let command = try sandbox.reader("comments", article, "--write", "once and no more")
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
      let outcome = try await sandbox.telex("comments", article, "--write", "third time lucky")
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
        let outcome = try await sandbox.telex(
          "comments", article, "--write", text, "--timeout", "3")
        #expect(outcome.status == 0 && outcome.output.hasPrefix("waiting to be sent"))
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
      let outcome = try await sandbox.telex("comments", article, "--write", long)
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

  @Test func `The outbox shows the marks that wait too, and for whom`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      server.addUser("ada", password: "s3cret")
      let login = try await sandbox.telex(
        "login", server.apiURL, "--user", "ada", "--password-stdin", stdin: "s3cret\n")
      try #require(login.status == 0, "\(login.testDescription)")
      try await sandbox.add(server.apiURL)
      // A server that takes marks, of which no verb tells it.
      let database = try DatabaseQueue(path: sandbox.folder + "/.local/share/telex/telex.sqlite")
      try await database.write { db in
        try db.execute(sql: "UPDATE account SET capabilities = capabilities | 8 WHERE id > 1")
      }
      try database.close()
      let articles = try await sandbox.articles()
      let numbers = try articles.map { "\(try #require($0["id"] as? Int))" }
      let title = try #require(articles[0]["title"] as? String)
      #expect(try await sandbox.telex("star", numbers[0]).status == 0)
      #expect(try await sandbox.telex("read", numbers[1]).status == 0)
      let long = String(repeating: "x", count: 10_001)
      #expect(try await sandbox.telex("comments", numbers[2], "--write", long).status == 1)

      let lines = try await sandbox.telex("outbox").lines.map { $0.components(separatedBy: "\t") }
      #expect(
        lines.map { $0.count > 1 ? $0[1] : "" } == [
          "star \(numbers[0])", "read \(numbers[1])", "comment on \(numbers[2])",
        ])
      let first = try #require(lines.first)
      #expect(first[2...4] == [title, "The Loopback Times", "ada at \(server.baseURL)"])
      #expect(first[5].hasSuffix("Z") && first[6] == "0" && first.count == 7)
      let last = try #require(lines.last)
      #expect(last.count == 8 && last[6] == "1" && last[7].hasPrefix("! "))

      let changes = try await sandbox.telex("outbox", "--json").jsonLines()
      #expect(changes.map { $0["kind"] as? String } == ["starred", "read", "comment"])
      #expect(changes.map { $0["set"] as? Bool } == [true, true, nil])
      #expect(changes.map { $0["article"] as? Int } == numbers.map(Int.init))
      #expect(changes.allSatisfy { $0["origin"] as? String == server.baseURL })
      #expect(changes.allSatisfy { $0["user"] as? String == "ada" })
      #expect(changes.map { $0["attempts"] as? Int } == [0, 0, 1])
      #expect((changes[2]["error"] as? [String: Any])?["status"] as? Int == 422)
      #expect(changes.map { $0["refused"] as? Bool } == [false, false, true])

      let star = try #require(changes[0]["id"] as? Int)
      #expect(try await sandbox.telex("outbox", "--drop", "\(star)").lines.count == 2)
      #expect(try await sandbox.articles()[0]["starred"] as? Bool == true)
    }
  }

  @Test func `A feed without comments says so`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.baseURL + "/rss.xml")
      let first = try #require(try await sandbox.articles().first?["id"] as? Int)
      for verb in [["comments", "\(first)", "--write", "text"], ["comments", "\(first)"]] {
        let outcome = try await sandbox.telex(verb)
        #expect(outcome.status == 2 && outcome.errors.contains("comments"))
      }
      #expect(try await sandbox.telex("comments", "\(first)", "--write", " ").status == 2)
    }
  }

  @Test(arguments: [
    ("--keep-mine", ["from here"]), ("--keep-theirs", ["from there"]),
    ("--keep-both", ["from there", "from here"]),
  ])
  func `A comment that was changed on both sides waits for a decision`(
    _ option: String, _ texts: [String]
  ) async throws {
    try await withArticle { server, sandbox, article in
      #expect(
        try await sandbox.telex("comments", article, "--write", "as it was").output == "sent\n")
      let comment = try #require(
        try await sandbox.telex("comments", article, "--json").jsonLines().last)
      let (id, version) = (try #require(comment["id"] as? String), comment["version"] as? String)
      #expect(version == "1")
      #expect(server.editComment(id, on: "story-001", to: "from there"))
      let outcome = try await sandbox.telex(
        "comments", article, "--write", "from here", "--edit", id, "--version", "1")
      #expect(outcome.status == 1 && outcome.errors.contains("changed at the server too"))
      let waiting = try #require(try await sandbox.telex("outbox", "--json").jsonLines().first)
      #expect(waiting["kind"] as? String == "edit-comment")
      #expect(waiting["text"] as? String == "from here")
      #expect((waiting["theirs"] as? [String: Any])?["text"] as? String == "from there")
      let number = "\(try #require(waiting["id"] as? Int))"
      let retried = try await sandbox.telex("outbox", "--retry")
      #expect(retried.status == 1 && retried.lines.count == 1, "\(retried.testDescription)")
      let decided = try await sandbox.telex("outbox", option, number)
      #expect(decided.status == 0 && decided.output == "", "\(decided.testDescription)")
      #expect(server.comments(on: "story-001").suffix(texts.count).map(\.text) == texts)
      #expect(try await sandbox.telex("outbox", option, number).status == 2)
    }
  }

  @Test func `A comment that waits can be written anew, and one that was sent changed`()
    async throws
  {
    try await withArticle { server, sandbox, article in
      await server.stop()
      #expect(
        try await sandbox.telex("comments", article, "--write", "first", "--timeout", "3").output
          .hasPrefix(
            "waiting to be sent"))
      let number = try #require(
        try await sandbox.telex("outbox", "--json").jsonLines().first?["id"] as? Int)
      try server.start()
      let again = try await sandbox.telex(
        "comments", article, "--write", "second", "--waiting", "\(number)")
      #expect(again.output == "sent\n", "\(again.testDescription)")
      let last = try #require(server.comments(on: "story-001").last)
      #expect(last.text == "second")
      #expect(
        try await sandbox.telex("comments", article, "--write", "third", "--edit", last.id).output
          == "sent\n")
      #expect(server.comments(on: "story-001").last?.text == "third")
      #expect(
        try await sandbox.telex("comments", article, "--write", "x", "--waiting", "\(number)")
          .status == 2)
    }
  }

  @Test func `Without a version a change is one of the text shown last, also without the server`()
    async throws
  {
    try await withArticle { server, sandbox, article in
      #expect(
        try await sandbox.telex("comments", article, "--write", "as it was").output == "sent\n")
      let id = try #require(server.comments(on: "story-001").last?.id)
      #expect(server.editComment(id, on: "story-001", to: "from there"))
      #expect(try await sandbox.telex("comments", article).output.contains("from there"))
      await server.stop()
      let kept = try await sandbox.telex(
        "comments", article, "--write", "from here", "--edit", id, "--timeout", "3")
      #expect(
        kept.status == 0 && kept.output.hasPrefix("waiting to be sent"), "\(kept.testDescription)")
      try server.start()
      #expect(try await sandbox.telex("refresh").status == 0)
      #expect(server.comments(on: "story-001").last?.text == "from here")
      #expect(try await sandbox.telex("outbox").output == "")
      let puts = server.requests.filter { $0.method == "PUT" }
      #expect(puts.compactMap { $0.header("If-Match") } == ["\"2\""])
      // Of a comment that was never shown the user decides once the server can be asked.
      #expect(server.addComment("Never seen.", on: "story-001"))
      let other = try #require(server.comments(on: "story-001").last?.id)
      await server.stop()
      let unseen = try await sandbox.telex(
        "comments", article, "--write", "mine", "--edit", other, "--timeout", "3")
      #expect(
        unseen.status == 0 && unseen.output.hasPrefix("waiting to be sent"),
        "\(unseen.testDescription)")
      try server.start()
      _ = try await sandbox.telex("outbox", "--retry")
      #expect(server.comments(on: "story-001").last?.text == "Never seen.")
      let waiting = try await sandbox.telex("outbox", "--json").jsonLines()
      #expect(waiting.map { $0["conflict"] as? Bool } == [true])
    }
  }

  @Test(arguments: [false, true])
  func `A kill between the answer to a change and the note of it loses neither text`(
    _ isConflict: Bool
  ) async throws {
    try await withArticle { server, sandbox, article in
      #expect(
        try await sandbox.telex("comments", article, "--write", "as it was").output == "sent\n")
      let id = try #require(server.comments(on: "story-001").last?.id)
      // The answer is made, and does not arrive.
      server.inject(
        .delay(milliseconds: 60_000), on: "/api/articles/story-001/comments/\(id)")
      if isConflict { server.editComment(id, on: "story-001", to: "from there") }
      let command = try sandbox.reader(
        "comments", article, "--write", "from here", "--edit", id, "--version", "1")
      try await command.wait(until: "it is under way") { _ in
        server.requests.contains { $0.method == "PUT" }
      }
      command.signal(SIGKILL)
      _ = try await command.waitForEnd()
      let texts = { server.comments(on: "story-001").map(\.text).suffix(1) }
      #expect(texts() == [isConflict ? "from there" : "from here"])
      #expect(try await sandbox.telex("outbox", "--json").jsonLines().count == 1)

      // The next sync finds out what has become of it.
      _ = try await sandbox.telex("refresh")
      let waiting = try await sandbox.telex("outbox", "--json").jsonLines()
      guard isConflict else {
        #expect(waiting.isEmpty)
        #expect(texts() == ["from here"])
        return
      }
      #expect(waiting.first?["conflict"] as? Bool == true)
      let number = "\(try #require(waiting.first?["id"] as? Int))"
      #expect(try await sandbox.telex("outbox", "--keep-mine", number).output == "")
      #expect(texts() == ["from here"])
    }
  }
}
