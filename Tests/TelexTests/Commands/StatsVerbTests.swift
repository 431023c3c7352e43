internal import FeedServer
internal import Foundation
internal import GRDB
internal import Testing

/// `stats`: what feeds bring and how much of it is read.
@Suite struct StatsVerbTests {
  @Test func `Each feed and all of them are told, with what could be done`() async throws {
    try await withNewspaper(newspaper(30)) { server, sandbox in
      try await sandbox.add(server.baseURL + "/rss.xml")
      #expect(try await sandbox.telex("refresh").status == 0)
      let id = try #require(
        try await sandbox.telex("articles", "--json").jsonLines().first?["id"] as? Int)
      #expect(try await sandbox.telex("star", "\(id)").status == 0)
      let early = try await sandbox.telex("stats", "--since", "10y", "--json").jsonLines()
      #expect(early.first?["groups"] as? [String] == [])
      #expect((early.last?["suggestions"] as? [Any])?.isEmpty == true)
      let store = try DatabaseQueue(path: sandbox.folder + "/.local/share/telex/telex.sqlite")
      try await store.write {
        try $0.execute(sql: "UPDATE feed SET addedAt = addedAt - 15 * 86400")
      }
      try store.close()
      let lines = try await sandbox.telex("stats", "--since", "10y", "--json").jsonLines()
      try #require(lines.count == 2)
      #expect(lines[0]["feedID"] as? Int == 1 && lines[0]["articles"] as? Int == 30)
      #expect(lines[0]["unread"] as? Int == 30 && lines[0]["starred"] as? Int == 1)
      #expect((lines[0]["weeks"] as? [Int])?.reduce(0, +) == 30)
      #expect((lines[0]["daily"] as? [Int])?.count == 28)
      #expect((lines[1]["daily"] as? [Int])?.count == 28)
      #expect((lines[0]["bytes"] as? Int ?? 0) > 0 && lines[0]["newest"] is String)
      #expect((lines[0]["groups"] as? [String])?.contains("unopened") == true)
      #expect(lines[1]["articles"] as? Int == 30 && lines[1]["feeds"] as? Int == 1)
      let suggestions = try #require(lines[1]["suggestions"] as? [[String: Any]])
      #expect(suggestions.contains { $0["command"] as? String == "telex set 1 --paused yes" })

      #expect(
        suggestions.contains {
          $0["text"] as? String == "1 feed: 0 of 30 articles opened in 2 weeks"
        })
      let text = try await sandbox.telex("stats", "--since", "10y")
      #expect(text.output.contains("█"), "\(text.testDescription)")
      #expect(text.output.contains("telex set 1 --paused yes"), "\(text.testDescription)")
      let config = try sandbox.file("config.toml", "[screen]\nsigns = \"ascii\"\n")
      let ascii = try await sandbox.telex("stats", "--since", "10y", "--config", config)
      #expect(!ascii.output.contains("█") && ascii.output.contains("@"))

      #expect(try await sandbox.telex("read", "\(id)").status == 0)
      let unopened = ["stats", "--since", "10y", "--group", "unopened"]
      #expect(try await sandbox.telex(unopened).output.isEmpty)
    }
  }

  @Test(arguments: ["x", "1h", "11y"])
  func `A time that cannot be shown is refused`(_ time: String) async throws {
    let sandbox = try Sandbox()
    #expect(try await sandbox.telex("stats", "--since", time).status == 2)
  }

  @Test func `Without feeds the sum is of nothing`() async throws {
    let line = try await Sandbox().telex("stats", "--json").json()
    #expect(line["feeds"] as? Int == 0 && line["articles"] as? Int == 0)
  }
}
