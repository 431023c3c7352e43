internal import ChildProcess
internal import FeedServer
internal import Foundation
internal import PseudoTerminal
internal import Testing

/// `undo`, `redo`, `journal`, `delete`, and what `remove` keeps.
@Suite struct JournalVerbTests {
  @Test func `What verbs do is told, taken back and done again`() async throws {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.baseURL + "/rss.xml")
      func done(_ arguments: String...) async throws -> String {
        let outcome = try await sandbox.telex(arguments)
        #expect(outcome.status == 0, "\(outcome.testDescription)")
        return outcome.output
      }
      let before = try await done("articles", "--json")
      let ids = try await sandbox.telex("articles", "--json").jsonLines().compactMap {
        ($0["id"] as? Int).map(String.init)
      }
      try #require(ids.count == 3)
      _ = try await done("star", ids[0], ids[1])
      _ = try await done("tag", "linux", ids[2])
      _ = try await done("delete", ids[0], "--yes")
      #expect(try await sandbox.telex("articles", "--json").jsonLines().count == 2)
      #expect(try await done("refresh").contains("0 new articles"))
      _ = try await done("set", "1", "--title", "Mine", "--interval", "2h")
      let removed = try await done("remove", "1", "--yes")
      #expect(removed.contains("telex undo restores it"))
      #expect(try await done("list") == "")
      #expect(try await done("export").contains("Mine") == false)

      let told = try await sandbox.telex("journal", "--json").jsonLines()
      #expect(
        told.compactMap { $0["action"] as? String } == [
          "removeFeed", "setFeed", "renameFeed", "deleteArticles", "tag", "starred", "addFeed",
        ])
      for wanted in [
        "unsubscribed from “Mine”", "set interval 2h", "renamed", "deleted",
        "removed the tag|tagged",
        "starred 2 articles",
      ] {
        let undone = try await done("undo")
        #expect(
          undone.hasPrefix("undone: ")
            && wanted.split(separator: "|").contains { undone.contains($0) }, "\(undone)")
      }
      #expect(try await done("articles", "--json") == before)
      for _ in 0..<6 { _ = try await done("redo") }
      #expect(try await done("list") == "")
      #expect(try await sandbox.telex("redo").status == 1)
      let none = try await sandbox.telex("redo", "--json")
      let error = try none.json()["error"] as? [String: Any]
      #expect(none.status == 1 && error?["message"] as? String == "No action to redo.")
      let back = try await sandbox.telex("undo", "--json").json()["done"] as? [String: Any]
      #expect(back?["undone"] as? Bool == true)
      let again = try await sandbox.telex("redo", "--json").json()["done"] as? [String: Any]
      #expect(again?["undone"] as? Bool == false)

      // Erased, though it was removed before.
      #expect(try await done("remove", "1", "--erase").contains("erased Mine"))
      #expect(try await sandbox.telex("remove", "1", "--erase").status == 2)
      #expect(try await sandbox.telex("undo").status == 1)
      #expect(try await done("journal", "--clear").contains("empty"))
      #expect(try await done("journal") == "")
    }
  }

  @Test func `Undo stops once at a comment, and takes back smart feeds and saved pages`()
    async throws
  {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let first = try #require(try await sandbox.articles().first)
      let article = "\(try #require(first["id"] as? Int))"
      #expect(try await sandbox.telex("smart", "add", "Best", "is:starred").status == 0)
      #expect(try await sandbox.telex("comments", article, "--write", "A word").status == 0)
      let told = try await sandbox.telex("undo")
      #expect(told.status == 1)
      #expect(told.output.hasPrefix("cannot be undone; telex undo again skips it: comm"))
      #expect(try await sandbox.telex("undo").output == "undone: created the smart feed “Best”\n")
      #expect(try await sandbox.telex("smart").output == "")
      _ = try await sandbox.telex("later", server.baseURL + "/nothing-there")
      let saved = try await sandbox.telex("undo")
      #expect(saved.status == 0 && saved.output.hasPrefix("undone: saved “"))
    }
  }

  @Test func `The bound of the settings trims the journal, and the last action is taken back`()
    async throws
  {
    let sandbox = try Sandbox()
    try await sandbox.add(
      try sandbox.file(
        "feed.xml",
        """
        <rss version="2.0"><channel><title>Daily</title><item><title>One</title></item>
        <item><title>Two</title></item></channel></rss>
        """))
    let ids = try await sandbox.articles().compactMap { ($0["id"] as? Int).map(String.init) }
    for id in ids { try await sandbox.succeed("star", id) }
    let reader = try sandbox.reader(size: (100, 26))
    try await reader.wait(for: "One")
    try reader.send(.enter)
    try await reader.wait(for: "This article has no text.")
    try reader.send("q")
    try await reader.wait(for: "Recently read")
    #expect(try await reader.quit() == .exited(0))
    #expect(try await sandbox.telex("journal").lines.count == 4)

    let config = try sandbox.file("config.toml", "[journal]\nkeep = 0\n")
    let kept = try await sandbox.telex("journal", "--json", "--config", config).jsonLines()
    #expect(kept.map { $0["action"] as? String } == ["starred"])
    let again = try sandbox.reader("--config", config, size: (100, 26))
    try await again.wait(for: "Two")
    #expect(!again.screen.contains("Recently read"))
    try again.send("j")
    try again.send(.enter)
    try await again.wait(for: "This article has no text.")
    try again.send("qu")
    try await again.wait(for: "Undone: starred “Two”")
    #expect(try await again.quit() == .exited(0))
    #expect(try await sandbox.articles("--starred").map { $0["title"] as? String } == ["One"])
    let left = try await sandbox.telex("journal", "--json", "--config", config).jsonLines()
    #expect(left.map { $0["action"] as? String } == ["starred"])
  }

  @Test func `A refresh ends the time of what was removed more than thirty days ago`() async throws
  {
    let python = try #require(BookReader.python)
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.baseURL + "/rss.xml")
      let store = sandbox.folder + "/.local/share/telex/telex.sqlite"
      let script = try sandbox.file(
        "age.py",
        """
        import sqlite3, sys
        store = sqlite3.connect(sys.argv[1])
        store.execute("UPDATE removal SET removedAt = removedAt - ?", [int(sys.argv[2]) * 86400])
        store.commit()
        """)
      func age(days: Int) async throws {
        let aging = try ChildProcess(python, [script, store, "\(days)"])
        #expect(await aging.end() == .exited(0))
      }
      func has(_ text: String) -> Bool {
        [store, store + "-wal"].contains { file in
          FileManager.default.contents(atPath: file)?.range(of: Data(text.utf8)) != nil
        }
      }
      #expect(try await sandbox.telex("remove", "1", "--yes").status == 0)
      try await age(days: 29)
      #expect(try await sandbox.telex("refresh").status == 0)
      #expect(has("Story 002"))
      #expect(try await sandbox.telex("undo").status == 0)
      #expect(try await sandbox.articles().count == 3)

      #expect(try await sandbox.telex("remove", "1", "--yes").status == 0)
      try await age(days: 31)
      #expect(try await sandbox.telex("refresh").status == 0)
      #expect(!has("Story 002"))
      _ = try await sandbox.telex("undo")
      #expect(try await sandbox.articles().isEmpty)
      #expect(try await sandbox.telex("list").output == "")
    }
  }
}
