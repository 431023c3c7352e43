import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import Testing

/// `import --from newsboat`, on a profile that newsboat 2.21 has written: feeds with ids, with links alone, with
/// titles alone, without dates, with sounds, and of Atom; one article read, two deleted, two flagged.
@Suite(.timeLimit(.minutes(10)))
struct SwitchVerbTests {
  private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Fixtures/newsboat").standardizedFileURL

  /// The profile with the feeds' server, which has a port of its own: its addresses are as long as those in the
  /// profile, so that they can be put into the database in their place.
  private struct Profile {
    let sandbox: Sandbox
    let folder: String
    let server: RawServer

    init(_ place: String = ".newsboat") throws {
      let sandbox = try Sandbox()
      server = RawServer { request in
        let file = fixtures.appending(path: "feeds" + request.path)
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return .reset }
        let body = text.replacing("127.0.0.1:61234", with: request.header("Host") ?? "")
        return .reply(
          WireReply(headers: [(name: "Content-Type", value: "text/xml")], body: Array(body.utf8)))
      }
      let (old, new) = ("127.0.0.1:61234", "127.0.0.1:\(try server.start())")
      try #require(old.count == new.count, "ports here have another number of digits")
      folder = sandbox.folder + "/" + place
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for file in ["urls", "config", "cache.db"] {
        var bytes = Array(try Data(contentsOf: fixtures.appending(path: file)))
        for found in bytes.indices where bytes[found...].starts(with: old.utf8) {
          bytes.replaceSubrange(found..<found + old.utf8.count, with: new.utf8)
        }
        try Data(bytes).write(to: URL(filePath: folder + "/" + file))
      }
      self.sandbox = sandbox
    }

    /// The bytes and times of the profile's files.
    func state() throws -> [String: [String]] {
      try FileManager.default.contentsOfDirectory(atPath: folder).reduce(into: [:]) {
        let path = folder + "/" + $1
        let data = try Data(contentsOf: URL(filePath: path))
        let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
        $0[$1] = [data.base64EncodedString(), "\(date ?? "")"]
      }
    }
  }

  private func rows(_ sandbox: Sandbox, _ query: String...) async throws -> Set<String> {
    Set(
      try await sandbox.telex(["articles", "--json"] + query).jsonLines()
        .compactMap { $0["title"] as? String })
  }

  @Test
  func
    `Feeds, folders, queries, articles and marks come along, and are not doubled by a refresh`()
    async throws
  {
    let profile = try Profile()
    let sandbox = profile.sandbox
    let before = try profile.state()
    let taken = try await sandbox.telex("import", "--from", "newsboat", "--star", "a", "--json")
    #expect(taken.status == 0, "\(taken.testDescription)")
    let report = try #require(try taken.jsonLines().first)
    #expect(report["added"] as? Int == 6)
    #expect(report["smartFeeds"] as? [String] == ["Unread news"])
    #expect(report["rules"] as? [String] == ["hide title:/horoscope/"])
    let counts = try #require(report["articles"] as? [String: Int])
    #expect(counts["inserted"] == 34 && counts["deleted"] == 2)
    #expect(counts["starred"] == 1 && counts["tagged"] == 2)
    // The feed with the tag "!" is hidden.
    let feeds = try await sandbox.telex("list", "--json").jsonLines()
    #expect(feeds.count { ($0["settings"] as? [String: String])?["hidden"] == "yes" } == 1)
    let left = try #require(report["left"] as? [[String: Any]])
    #expect(
      left.map { "\($0["file"] ?? ""):\(($0["line"] as? Int).map(String.init) ?? "")" } == [
        "urls:9", "urls:10", "config:",
      ])

    // As newsboat has it: nothing of its files has changed, and there is nothing beside them.
    #expect(try profile.state() == before)
    #expect(try await rows(sandbox, "read") == ["Item 5 of ids & more"])
    #expect(try await rows(sandbox, "starred") == ["Item 4 of ids & more"])
    #expect(try await rows(sandbox, "tag:flag-b") == ["Item 3 of ids & more"])
    #expect(try await rows(sandbox, "tag:flag-upper-z") == ["Item 3 of ids & more"])
    #expect(try await rows(sandbox, "folder:news").count == 10)
    let smart = try await sandbox.telex("articles", "--smart", "Unread news", "--json").jsonLines()
    #expect(smart.count == 9)
    let list = try await sandbox.telex("list")
    #expect(list.output.contains("My ids") && list.output.contains("Pod \"cast\""))

    // What the feeds list is what came, and the deleted one stays away.
    let all = try await sandbox.articles().compactMap { $0["title"] as? String }.sorted()
    let refresh = try await sandbox.telex("refresh")
    #expect(refresh.status == 0, "\(refresh.testDescription)")
    #expect(try await sandbox.articles().compactMap { $0["title"] as? String }.sorted() == all)
    #expect(try await rows(sandbox, "title:\"Item 2 of ids\"") == [])
    #expect(try await rows(sandbox, "title:\"Item 2 of links\"") == [])
    #expect(try await rows(sandbox, "read") == ["Item 5 of ids & more"])
    #expect(try await rows(sandbox, "starred") == ["Item 4 of ids & more"])

    #expect(try await sandbox.telex("rules").output == "1\thide\ttitle:/horoscope/\n")
    let again = try await sandbox.telex("import", "--from", "newsboat", "--star", "a", "--json")
    #expect(try again.jsonLines().first?["rules"] as? [String] == [])
    let second = try #require(try again.jsonLines().first?["articles"] as? [String: Int])
    #expect(second["known"] == 34)
    #expect(second.filter { $0.key != "known" }.values.allSatisfy { $0 == 0 })
    #expect(try await sandbox.articles().compactMap { $0["title"] as? String }.sorted() == all)
    await profile.server.stop()
  }

  @Test
  func
    `Keys are added to settings without keys, else written beside them, and nothing is wrong with them`()
    async throws
  {
    let profile = try Profile(".config/newsboat")
    let sandbox = profile.sandbox
    let taken = try await sandbox.telex("import", "--from", "newsboat")
    #expect(taken.status == 0, "\(taken.testDescription)")
    #expect(taken.output.contains("keys  the set of newsboat, and yours for sort\n"))
    #expect(taken.output.contains("in effect at once, also in an open reader; written to"))
    let text = try #require(sandbox.contents(of: ".config/telex/config.toml"))
    #expect(
      text == """
        [keys]
        set = "newsboat"
        sort = ["g"]

        """)
    let check = try await sandbox.telex("config", "check")
    #expect(check.status == 0, "\(check.testDescription)")

    try sandbox.file(".config/telex/config.toml", "[screen]\ntext_width = 70\n")
    #expect(try await sandbox.telex("import", "--from", "newsboat").status == 0)
    let both = "[screen]\ntext_width = 70\n\n" + text
    #expect(sandbox.contents(of: ".config/telex/config.toml") == both)
    #expect(sandbox.contents(of: ".config/telex/newsboat.toml") == nil)
    let again = try await sandbox.telex("import", "--from", "newsboat")
    #expect(again.status == 0 && again.output.contains("not in effect"), "\(again.testDescription)")
    #expect(sandbox.contents(of: ".config/telex/config.toml") == both)
    #expect(sandbox.contents(of: ".config/telex/newsboat.toml") == text)
    await profile.server.stop()
  }

  @Test func `Articles that are here keep their text, and get the marks that they have there`()
    async throws
  {
    let profile = try Profile()
    let sandbox = profile.sandbox
    let origin = "http://127.0.0.1:\(profile.server.port)"
    try await sandbox.add(origin + "/ids.xml")
    let ids = try await sandbox.numbers()
    try await sandbox.succeed("star", try #require(ids["Item 0 of ids & more"]))
    let taken = try await sandbox.telex("import", "--from", "newsboat", profile.folder, "--json")
    let counts = try #require(try taken.jsonLines().first?["articles"] as? [String: Int])
    // Of the two that are deleted there one is here: it stays.
    #expect(counts["known"] == 5 && counts["read"] == 1 && counts["deleted"] == 1)
    #expect(try await rows(sandbox, "read") == ["Item 5 of ids & more"])
    #expect(try await rows(sandbox, "starred") == ["Item 0 of ids & more"])
    #expect(try await rows(sandbox, "tag:flag-a") == ["Item 4 of ids & more"])
    #expect(try await sandbox.numbers().filter { ids[$0.key] != nil } == ids)
    await profile.server.stop()
  }

  @Test func `The list of addresses may be named itself`()
    async throws
  {
    let profile = try Profile()
    let sandbox = profile.sandbox
    let taken = try await sandbox.telex(
      "import", "--from", "newsboat", profile.folder + "/urls", "--json")
    #expect(try taken.jsonLines().first?["added"] as? Int == 6, "\(taken.testDescription)")
    let counts = try #require(try taken.jsonLines().first?["articles"] as? [String: Int])
    #expect(counts["inserted"] == 34)
    let other = try Sandbox()
    let file = try other.file("feeds.txt", "https://example.org/feed news\n")
    let alone = try await other.telex("import", "--from", "newsboat", file)
    #expect(alone.status == 0 && alone.output.contains("1 new"), "\(alone.testDescription)")
    await profile.server.stop()
  }

  @Test
  func `A dry run changes nothing, and a reader that is not there is reported with the next step`()
    async throws
  {
    let profile = try Profile()
    let sandbox = profile.sandbox
    let dry = try await sandbox.telex("import", "--from", "newsboat", "--dry-run")
    #expect(dry.status == 0 && dry.output.contains("feeds  6"), "\(dry.testDescription)")
    #expect(dry.output.contains("set = \"newsboat\""))
    #expect(try await sandbox.telex("list").output == "")
    #expect(sandbox.contents(of: ".config/telex/config.toml") == nil)

    let none = try await sandbox.telex("import", "--from", "newsboat", sandbox.folder)
    #expect(none.status == 2 && none.errors.contains("name the folder"))
    try sandbox.file(".newsboat/cache.db", "no database at all, whatever its name may be")
    let broken = try await sandbox.telex("import", "--from", "newsboat")
    #expect(broken.status == 1 && broken.errors.contains("cache.db"), "\(broken.testDescription)")
    #expect(try await sandbox.telex("import").status == 2)
    #expect(try await sandbox.telex("import", "--dry-run", "file").status == 2)
    let other = try await sandbox.telex("import", "--from", "liferea")
    #expect(other.status == 2 && other.errors.contains("as OPML"), "\(other.testDescription)")
    await profile.server.stop()
  }

  @Test func `A reader without feeds offers what it finds of other readers`() async throws {
    let profile = try Profile()
    let sandbox = profile.sandbox
    try FileManager.default.createDirectory(
      atPath: sandbox.folder + "/.sfeed", withIntermediateDirectories: true)
    try sandbox.file(".sfeed/sfeedrc", "feeds() {\n  feed a 'http://127.0.0.1:9/a'\n}\n")
    let reader = try sandbox.reader()
    try await reader.wait(for: "I imports 6 feeds and their articles from newsboat.")
    #expect(reader.screen.text.contains(":import --from sfeed imports 1 feed."))
    #expect(try await reader.quit() == .exited(0))
    await profile.server.stop()
  }

  @Test func `The feeds and articles of sfeed come along`() async throws {
    let sandbox = try Sandbox()
    try FileManager.default.createDirectory(
      atPath: sandbox.folder + "/.sfeed/feeds", withIntermediateDirectories: true)
    try sandbox.file(
      ".sfeed/sfeedrc",
      "feeds() {\n  feed 'a/b' 'http://127.0.0.1:9/a'\n  feed \"$x\" 'http://127.0.0.1:9/c'\n}\n")
    try sandbox.file(
      ".sfeed/feeds/a_b",
      (0..<1_500).map {
        "\(1_700_000_000 + $0)\tTitle \($0)\thttp://127.0.0.1:9/\($0)\ttext\tplain\t\t\t\t"
      }
      .joined(separator: "\n"))
    try sandbox.file(".sfeed/urls", "http://127.0.0.1:9/7\nhttp://127.0.0.1:9/1400\n")
    let taken = try await sandbox.telex("import", "--from", "sfeed", "--json").jsonLines()
    let counts = try #require(taken.first?["articles"] as? [String: Int])
    #expect(counts["inserted"] == 1_500)
    #expect((taken.first?["left"] as? [[String: Any]])?.map { $0["line"] as? Int } == [3])
    #expect(try await rows(sandbox, "read") == ["Title 7", "Title 1400"])
    #expect(try await sandbox.telex("list").output.contains("a/b"))
  }
}
