import FeedServer
import Foundation
import Testing

/// `folders`: listing, moving, merging and removing.
@Suite(.timeLimit(.minutes(10)))
struct FoldersVerbTests {
  private func folders(_ sandbox: Sandbox) async throws -> [String] {
    try await sandbox.telex("folders", "--json").jsonLines().map {
      "\($0["folder"] as? String ?? ""):\($0["feeds"] as? Int ?? 0)"
    }
  }

  @Test func `Folders are listed, moved, merged and removed, and each is taken back`() async throws
  {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      let list = """
        [A]
        \(server.baseURL)/rss.xml
        [A/In]
        \(server.baseURL)/atom.xml
        [B]
        \(server.baseURL)/rdf.xml
        """
      try #require(try await sandbox.telex("apply", "-", stdin: list).status == 0)
      #expect(try await folders(sandbox) == ["A:2", "A/In:1", "B:1"])
      let listed = try await sandbox.telex("folders")
      #expect(listed.lines.first == "A\t2 feeds\t6 unread")
      let moved = try await sandbox.telex("folder", "rename", "A", "B/Old")
      #expect(
        moved.status == 0 && moved.output == "moved 2 feeds to B/Old\n", "\(moved.testDescription)")
      #expect(try await folders(sandbox) == ["B:3", "B/Old:2", "B/Old/In:1"])
      try await sandbox.succeed("undo")
      try await sandbox.succeed("folder", "rename", "A", "B")
      #expect(try await folders(sandbox) == ["B:3", "B/In:1"])
      try await sandbox.succeed("undo")
      try await sandbox.succeed("folder", "remove", "A/In")
      #expect(try await folders(sandbox) == ["A:2", "B:1"])
      try await sandbox.succeed("folder", "remove", "A")
      #expect(try await folders(sandbox) == ["B:1"])
      for _ in 0..<2 { try await sandbox.succeed("undo") }
      #expect(try await folders(sandbox) == ["A:2", "A/In:1", "B:1"])
      let told = try await sandbox.telex("journal", "--json").jsonLines()
      #expect(told.contains { $0["action"] as? String == "moveFolder" })
      for wrong in [["rename", "C", "D"], ["rename", "A", " / "], ["remove", "C"]] {
        let outcome = try await sandbox.telex(["folder"] + wrong)
        #expect(outcome.status == 2, "\(outcome.testDescription)")
      }
    }
  }

  @Test func `A folder without feeds is made, listed, exported, moved, removed and taken back`()
    async throws
  {
    try await withNewspaper(newspaper(3)) { server, sandbox in
      try await sandbox.add(server.baseURL + "/rss.xml")
      let made = try await sandbox.telex("folders", "add", " Later / Soon ")
      #expect(made.output == "created the folder Later/Soon\n", "\(made.testDescription)")
      #expect(try await folders(sandbox) == ["Later:0", "Later/Soon:0"])
      let listed = try await sandbox.telex("list")
      #expect(listed.lines.last == "\t0/0\t\t\tLater/Soon\tno feeds", "\(listed.output)")
      #expect(try await sandbox.telex("list", "--json").jsonLines().count == 1)
      #expect(try await sandbox.telex("export").output.contains("Soon"))
      let twice = try await sandbox.telex("folders", "add", "Later/Soon")
      #expect(twice.status == 2 && twice.errors.contains("This folder already exists"))
      #expect(try await sandbox.telex("folders", "add", "/").status == 2)
      try await sandbox.succeed("set", "1", "--folder", "Later/Soon")
      try await sandbox.succeed("set", "1", "--no-folder")
      let moved = try await sandbox.telex("folder", "rename", "Later/Soon", "Now")
      #expect(moved.output == "the folder is now Now\n", "\(moved.testDescription)")
      #expect(try await folders(sandbox) == ["Now:0"])
      let removed = try await sandbox.telex("folder", "remove", "Now")
      #expect(removed.output == "removed the folder Now\n", "\(removed.testDescription)")
      #expect(try await folders(sandbox) == [])
      try await sandbox.succeed("undo")
      #expect(try await folders(sandbox) == ["Now:0"])
      try await sandbox.succeed("undo")
      #expect(try await folders(sandbox) == ["Later:0", "Later/Soon:0"])
      let told = try await sandbox.telex("journal").output
      #expect(told.contains("created the folder “Later/Soon”"), "\(told)")
    }
  }

  @Test func `The server of an account is told of a folder that moves`() async throws {
    let server = GoogleReaderServer(.freshRSS)
    var library = GoogleReaderModel()
    for name in ["a", "b"] {
      _ = library.subscribe(to: "https://\(name).example/feed", title: name, folders: ["Work"])
    }
    server.addUser("ada", password: "secret", library: library)
    let sandbox = try Sandbox()
    try await server.whileServing { _ in
      let login = try await sandbox.telex(
        "login", server.siteURL, "--user", "ada", "--password-stdin", stdin: "secret\n")
      try #require(login.status == 0, "\(login.testDescription)")
      let moved = try await sandbox.telex("folder", "rename", "Work", "Play")
      #expect(moved.status == 0 && moved.errors == "", "\(moved.testDescription)")
      #expect(server.library(of: "ada").feeds.map(\.folders) == [["Play"], ["Play"]])
      try await sandbox.succeed("undo")
      #expect(server.library(of: "ada").feeds.map(\.folders) == [["Work"], ["Work"]])
    }
  }
}
