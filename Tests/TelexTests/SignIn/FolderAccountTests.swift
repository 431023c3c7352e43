import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// A folder as an account, from outside: two homes as on two machines, and a folder that both see.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct FolderAccountVerbTests {
  private func withMachines(
    _ body: (_ ada: Sandbox, _ bob: Sandbox, _ folder: String, _ server: FeedServer) async throws ->
      Void
  ) async throws {
    try await withNewspaper(newspaper(5)) { server, ada in
      let bob = try Sandbox()
      let folder = try temporaryFolder()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      try await body(ada, bob, folder, server)
    }
  }

  @Test func `A mark on one machine shows on the other after its refresh`() async throws {
    try await withMachines { ada, bob, folder, server in
      let account = "file:" + folder
      try await ada.succeed("login", account)
      try await ada.succeed(
        "add", server.baseURL + "/rss.xml", "--account", account, "--title", "Mine", "--folder",
        "Work")
      let id = try #require(try await ada.articles().first?["id"] as? Int)
      try await ada.succeed("read", "\(id)")
      try await ada.succeed("refresh")

      let joined = try await bob.telex("login", account)
      #expect(joined.status == 0 && joined.output.contains("with 1 feed"), "\(joined)")
      let refreshed = try await bob.telex("refresh", "--account", account, "--json")
      #expect(refreshed.status == 0 && refreshed.errors == "", "\(refreshed.testDescription)")
      let articles = try await bob.articles("--folder", "Work", "--account", account)
      #expect(articles.count == 5)
      #expect(articles.filter { $0["read"] as? Bool == true }.count == 1)
      let feed = try await bob.telex("list", "--json").json()
      #expect(feed["title"] as? String == "Mine" && feed["folders"] as? [String] == ["Work"])
    }
  }

  @Test func `The account tells its kind, what waits and why it failed`() async throws {
    try await withMachines { ada, _, folder, server in
      let account = "file:" + folder
      try await ada.succeed("login", account)
      try await ada.succeed("add", server.baseURL + "/rss.xml", "--account", account)
      try FileManager.default.moveItem(atPath: folder, toPath: folder + ".away")
      let id = try #require(try await ada.articles().first?["id"] as? Int)
      try await ada.succeed("star", "\(id)")
      let refreshed = try await ada.telex("refresh", "--account", account)
      #expect(refreshed.status == 1 && refreshed.errors.contains("is not there"))
      let state = try await ada.telex("accounts", "--json").json()
      #expect(state["kind"] as? String == "folder" && state["scheme"] as? String == "folder")
      #expect(state["waiting"] as? Int == 1 && state["feeds"] as? Int == 1)
      #expect(try await ada.telex("outbox").output.contains("folder at file://" + folder))
      let error = try #require(state["lastError"] as? [String: Any])
      #expect((error["message"] as? String)?.contains("is not there") == true)
      try FileManager.default.moveItem(atPath: folder + ".away", toPath: folder)
      try await ada.succeed("refresh")
      let after = try await ada.telex("accounts", "--json").json()
      #expect(after["waiting"] as? Int == 0 && after["lastError"] is NSNull)
      #expect(after["lastSuccess"] is String)
    }
  }

  @Test func `A sign-out leaves the files of the folder as they are, and says so`() async throws {
    try await withMachines { ada, _, folder, server in
      let account = "file:" + folder
      try await ada.succeed("login", account)
      try await ada.succeed("add", server.baseURL + "/rss.xml", "--account", account)
      let files = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
      let out = try await ada.telex("logout", account, "--yes")
      #expect(out.status == 0 && out.output.contains("its files were left as they are"), "\(out)")
      #expect(try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() == files)
      #expect(files.contains { $0.hasSuffix("000001.tsv") })
      #expect(try await ada.telex("accounts").output == "")
      #expect(try await ada.telex("list").output == "")
      // Whoever signs in again has all of it back.
      let again = try await ada.telex("login", account)
      #expect(again.output.contains("with 1 feed"), "\(again)")
    }
  }

  @Test(arguments: [
    ("file:/nowhere/at/all", "is not there"), ("file://elsewhere.example/x", "another machine"),
    ("file:", "not the path"),
  ])
  func `A folder that cannot be used is told, and no account is made`(
    _ address: String, _ words: String
  ) async throws {
    let sandbox = try Sandbox()
    let outcome = try await sandbox.telex("login", address)
    #expect(outcome.status != 0 && outcome.errors.contains(words), "\(outcome.testDescription)")
    #expect(try await sandbox.telex("accounts").output == "")
  }
}
