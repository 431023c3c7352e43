import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// The comments on an article in the built program: read, kept without a server, and answered in an editor.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ReaderConversationTests {
  /// An editor that keeps what it is given as `seen.txt` and puts a text above it, or does what else is said.
  private func editor(_ sandbox: Sandbox, _ commands: String) throws -> [String: String?] {
    let script = try sandbox.file(
      "editor", "#!/bin/sh\ncp \"$1\" '\(sandbox.folder)/seen.txt'\n\(commands)\n",
      permissions: 0o755)
    return ["EDITOR": script, "VISUAL": nil]
  }

  private static let writing =
    #"{ printf 'My answer.\n\nIts second part.\n'; cat "$1"; } > "$1.new" && cat "$1.new" > "$1" && rm "$1.new""#

  private func withTalk(
    at path: String = "/api", _ body: (FeedServer, Sandbox) async throws -> Void
  ) async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      #expect(server.addComment("The first word.", on: "story-001"))
      #expect(server.answerComment("story-001-r1", on: "story-001", with: "A reply to it."))
      try await sandbox.add(server.baseURL + path)
      try await body(server, sandbox)
    }
  }

  @Test(arguments: [(40, 10), (80, 24), (200, 60)])
  func `Comments are read, kept without the server, and what is new is counted`(
    width: Int, height: Int
  ) async throws {
    try await withTalk { server, sandbox in
      var reader = try sandbox.reader(size: (width, height))
      try await reader.wait(for: "Story 001")
      try reader.send("C")
      try await reader.wait(until: "the thread shows") {
        $0.contains("The first word.") && $0.contains("│ A reply to it.") && !$0.contains("new")
      }
      #expect(try await reader.quit() == .exited(0))
      #expect(server.answerComment("story-001-r2", on: "story-001", with: "Later."))
      reader = try sandbox.reader(size: (width, height))
      try await reader.wait(for: "Story 001")
      try reader.send("C")
      try await reader.wait(for: "The first word.")
      // What was fetched a moment ago is fetched again only by the key.
      try reader.send("r")
      try await reader.wait(for: "1 new")
      try reader.send("n")
      try await reader.wait(for: "│ │ Later.")
      #expect(try await reader.quit() == .exited(0))
      server.inject(.status(503), on: "/api", times: nil)
      reader = try sandbox.reader(size: (width, height))
      try await reader.wait(for: "Story 001")
      try reader.send("C")
      try await reader.wait(for: "The first word.")
      try reader.send("r")
      try await reader.wait(until: "it shows without the server") {
        $0.contains("The first word.") && $0.contains("as of")
      }
      #expect(try await reader.quit() == .exited(0))
    }
  }

  @Test func `What somebody says meanwhile comes into the open thread, and nothing moves`()
    async throws
  {
    try await withTalk { server, sandbox in
      for number in 1...30 {
        #expect(server.addComment("Word \(number) of many.", on: "story-001"))
      }
      let reader = try sandbox.reader()
      try await reader.wait(for: "live")
      try reader.send("C")
      try await reader.wait(for: "The first word.")
      try reader.send("jjjjjjjjjjj")
      try await reader.wait(for: "Word 10 of many.")
      let place = reader.screen.lines.firstIndex { $0.contains("Word 10 of many.") }
      #expect(server.answerComment("story-001-r1", on: "story-001", with: "Said just now."))
      try await reader.wait(for: "1 new")
      #expect(reader.screen.lines.firstIndex { $0.contains("Word 10 of many.") } == place)
      try reader.send("N")
      try await reader.wait(until: "it is marked as new") {
        $0.lines.contains { $0.contains("●") } && $0.contains("│ Said just now.")
      }
      #expect(try await reader.quit() == .exited(0))
    }
  }

  /// - Parameter ending: what an editor that ends lines as in DOS does beside.
  @Test(arguments: ["", #"sed -i 's/$/\r/' "$1""#])
  func `An answer is written in the editor, sent, and stands below what it answers`(
    ending: String
  ) async throws {
    try await withTalk { server, sandbox in
      let reader = try sandbox.reader(
        environment: try editor(sandbox, Self.writing + "\n" + ending))
      try await reader.wait(for: "Story 001")
      try reader.send("C")
      try await reader.wait(for: "A reply to it.")
      try reader.send("a")
      try await reader.wait(until: "the answer shows") {
        $0.contains("│ My answer.") && $0.contains("sent")
      }
      #expect(
        await eventually {
          let sent = server.comments(on: "story-001").last
          return sent?.text == "My answer.\n\nIts second part." && sent?.parent == "story-001-r1"
        })
      let seen = try #require(sandbox.contents(of: "seen.txt"))
      #expect(seen.contains("# Answering: somebody\n") && seen.contains("\n# The first word.\n"))
      let drafts = sandbox.folder + "/.local/share/telex/drafts"
      #expect(try FileManager.default.contentsOfDirectory(atPath: drafts) == [])
      #expect(try await reader.quit() == .exited(0))
    }
  }

  @Test func `A comment that was sent is changed by c, at once or when its server is back`()
    async throws
  {
    try await withTalk { server, sandbox in
      let reader = try sandbox.reader(environment: try editor(sandbox, Self.writing))
      try await reader.wait(for: "Story 001")
      try reader.send("C")
      try await reader.wait(for: "A reply to it.")
      try reader.send("c")
      try await reader.wait(for: "sent from Telex")
      try reader.send(":add-comment\r")
      try await reader.wait(for: "My answer.")
      try reader.send("G")
      // Until it is sent, the key is about what waits.
      try await reader.wait(for: "a answer  c change")
      let sent = try #require(server.comments(on: "story-001").last)
      try reader.send("c")
      try await reader.wait(until: "it has another text") {
        $0.lines.count { $0.contains("My answer.") } == 2 && $0.contains("changed")
      }
      let seen = try #require(sandbox.contents(of: "seen.txt"))
      #expect(seen.hasPrefix("My answer.\n\nIts second part.\n"))
      let changed = try #require(server.comments(on: "story-001").last)
      #expect(changed.id == sent.id && changed.text.hasPrefix("My answer.\n\nIts second part.\nMy"))
      server.inject(.status(503), on: "/api", times: nil)
      try reader.send("c")
      try await reader.wait(until: "another change waits") {
        $0.contains("you · waiting") && $0.lines.count { $0.contains("My answer.") } == 3
      }
      server.clearFaults()
      #expect(try await reader.quit() == .exited(0))
      #expect(try await sandbox.telex("outbox", "--retry").output == "")
      let last = try #require(server.comments(on: "story-001").last)
      #expect(last.id == sent.id && last.text.components(separatedBy: "My answer.").count == 4)
    }
  }

  @Test func `An answer that cannot be sent waits in the thread, and goes when the server is back`()
    async throws
  {
    try await withTalk { server, sandbox in
      let reader = try sandbox.reader(environment: try editor(sandbox, Self.writing))
      try await reader.wait(for: "Story 001")
      try reader.send("C")
      try await reader.wait(for: "A reply to it.")
      server.inject(.status(503), on: "/api", times: nil)
      try reader.send("a")
      try await reader.wait(until: "the answer waits") {
        $0.contains("│ you · waiting: ") && $0.contains("│ My answer.")
      }
      server.clearFaults()
      try reader.send("q")
      try await reader.wait(for: "Story 003")
      try reader.send("O")
      try await reader.wait(for: "1 waiting")
      try reader.send("r")
      try await reader.wait(for: "No changes are waiting to be sent.")
      #expect(server.comments(on: "story-001").last?.parent == "story-001-r1")
      #expect(try await reader.quit() == .exited(0))
    }
  }

  @Test func `What was written before a kill, or in an editor that fails, is there again`()
    async throws
  {
    try await withTalk { server, sandbox in
      let dying = try editor(
        sandbox, Self.writing + "\ntouch '\(sandbox.folder)/written'; exec sleep 60")
      var reader = try sandbox.reader(environment: dying)
      try await reader.wait(for: "Story 001")
      try reader.send("C")
      try await reader.wait(for: "A reply to it.")
      try reader.send("a")
      #expect(await eventually { sandbox.contents(of: "written") != nil })
      reader.signal(SIGKILL)
      _ = try await reader.waitForEnd()
      // A link to itself cannot be read, and could be replaced.
      let drafts = sandbox.folder + "/.local/share/telex/drafts"
      let name = try #require(FileManager.default.contentsOfDirectory(atPath: drafts).first)
      let (draft, aside) = (drafts + "/" + name, sandbox.folder + "/aside")
      try FileManager.default.moveItem(atPath: draft, toPath: aside)
      try FileManager.default.createSymbolicLink(atPath: draft, withDestinationPath: name)
      reader = try sandbox.reader(environment: try editor(sandbox, "exit 1"))
      try await reader.wait(for: "Story 001")
      try reader.send("C")
      try await reader.wait(for: "A reply to it.")
      try reader.send("a")
      try await reader.wait(for: "cannot be read")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: draft) == name)
      try FileManager.default.removeItem(atPath: draft)
      try FileManager.default.moveItem(atPath: aside, toPath: draft)
      try reader.send("a")
      try await reader.wait(for: "failed")
      #expect(
        sandbox.contents(of: "seen.txt")?.hasPrefix("My answer.\n\nIts second part.\n") == true)
      #expect(server.comments(on: "story-001").count == 2)
      #expect(try await reader.quit() == .exited(0))
      reader = try sandbox.reader(environment: try editor(sandbox, "exit 0"))
      try await reader.wait(for: "Story 001")
      try reader.send("C")
      try await reader.wait(for: "A reply to it.")
      try reader.send("a")
      try await reader.wait(for: "│ My answer.")
      #expect(
        await eventually {
          server.comments(on: "story-001").last?.text == "My answer.\n\nIts second part."
        })
      #expect(try await reader.quit() == .exited(0))
    }
  }

  @Test func `An empty text sends nothing`() async throws {
    try await withTalk { server, sandbox in
      let reader = try sandbox.reader(environment: try editor(sandbox, "exit 0"))
      try await reader.wait(for: "Story 001")
      try reader.send("C")
      try await reader.wait(for: "A reply to it.")
      try reader.send(":add-comment\r")
      try await reader.wait(for: "The comment is empty and was not sent.")
      #expect(server.comments(on: "story-001").count == 2)
      #expect(try await reader.quit() == .exited(0))
    }
  }

  @Test func `The comments of a web feed are read as a thread, by the screen and by the verb`()
    async throws
  {
    try await withTalk(at: "/atom.xml") { server, sandbox in
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 001")
      try reader.send("C")
      try await reader.wait(until: "the thread shows") {
        $0.contains("The first word.") && $0.contains("│ A reply to it.")
      }
      #expect(try await reader.quit() == .exited(0))
      let first = try #require(try await sandbox.articles().first?["id"] as? Int)
      let printed = try await sandbox.telex("comments", "\(first)", "--thread").output
      #expect(printed == "somebody: The first word.\n  somebody: A reply to it.\n")
    }
  }

  @Test func `A verb answers a comment, and prefetch keeps the comments for the trip`() async throws
  {
    try await withTalk { server, sandbox in
      let first = try #require(try await sandbox.articles().first?["id"] as? Int)
      let outcome = try await sandbox.telex(
        "comments", "\(first)", "--write", "By a verb", "--answering", "story-001-r2")
      #expect(outcome.output == "sent\n")
      #expect(server.comments(on: "story-001").last?.parent == "story-001-r2")
      try await sandbox.succeed("refresh")
      let packed = try await sandbox.telex("prefetch", "--metered", "--json").json()
      #expect(packed["discussed"] as? Int == 1)
      let again = try await sandbox.telex("prefetch", "--metered", "--json").json()
      #expect(again["discussed"] as? Int == 0)
      server.inject(.status(503), on: "/api", times: nil)
      let reader = try sandbox.reader()
      try await reader.wait(for: "Story 001")
      try reader.send("C")
      try await reader.wait(for: "│ │ By a verb")
      #expect(try await reader.quit() == .exited(0))
    }
  }
}
