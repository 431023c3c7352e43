internal import FeedServer
internal import Foundation
internal import Testing

/// `cache`, and trimming after a refresh.
@Suite struct CacheVerbTests {
  @Test func `The store is shown by feed, trimmed, and does not grow again`() async throws {
    try await withNewspaper(newspaper(30)) { server, sandbox in
      try await sandbox.add(server.baseURL + "/rss.xml")
      #expect(try await sandbox.telex("refresh").status == 0)
      let shown = try await sandbox.telex("cache", "--json").jsonLines()
      #expect(shown.count == 2 && shown[0]["articles"] as? Int == 30)
      #expect((shown[1]["file"] as? Int ?? 0) > (shown[0]["bytes"] as? Int ?? .max))
      #expect(try await sandbox.telex("cache", "--trim").status == 2)
      #expect(try await sandbox.telex("cache", "--dry-run").status != 0)

      let titles = {
        try await sandbox.telex("articles", "--json").jsonLines().map { $0["title"] as? String }
      }
      let ids = try await sandbox.telex("articles", "--json").jsonLines().compactMap {
        $0["id"] as? Int
      }
      try #require(ids.count == 30)
      #expect(try await sandbox.telex("star", "\(ids[29])").status == 0)
      let trim = ["cache", "--trim", "--keep", "10", "--unread"]
      let counted = try await sandbox.telex(trim + ["--dry-run"])
      #expect(counted.output.contains("19 articles would go"), "\(counted.testDescription)")
      let trimmed = try await sandbox.telex(trim)
      #expect(trimmed.output.contains("trimmed 19 articles"), "\(trimmed.testDescription)")
      #expect(try await titles().last == "Story 030")
      #expect(try await titles().count == 11)
      #expect(try await sandbox.telex("refresh").status == 0)
      #expect(try await titles().count == 11)
      #expect(try await sandbox.telex("cache", "--vacuum").status == 0)
    }
  }

  @Test func `A bound of the settings holds after each refresh, and one feed may have another`()
    async throws
  {
    try await withNewspaper(newspaper(30)) { server, sandbox in
      let config = try sandbox.file(
        "config.toml", "[retention]\narticles_per_feed = 5\nunread = true\n")
      try await sandbox.add(server.baseURL + "/rss.xml")
      try await sandbox.add(server.baseURL + "/atom.xml")
      #expect(try await sandbox.telex("set", "2", "--keep-at-most", "7").status == 0)
      #expect(try await sandbox.telex("refresh", "--config", config).status == 0)
      func count(_ feed: String) async throws -> Int {
        try await sandbox.telex("articles", "--feed", feed, "--json").jsonLines().count
      }
      #expect(try await count("1") == 5)
      #expect(try await count("2") == 7)
      #expect(try await sandbox.telex("set", "2", "--keep-at-most", "x").status == 2)
      let reset = try await sandbox.telex(
        "set", "2", "--keep-at-most", "default", "--config", config)
      #expect(reset.output.contains("keep-at-most default: 5 articles"), "\(reset.output)")
    }
  }
}
