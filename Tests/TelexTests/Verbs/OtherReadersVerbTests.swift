import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// `import --from` newsraft, liferea, thunderbird and elfeed, on files that liferea 1.14 and elfeed 3.4 have written, and
/// on files as newsraft and Thunderbird write them. All have the feeds of the profile of newsboat.
@Suite(.timeLimit(.minutes(10)))
struct OtherReadersVerbTests {
  private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Fixtures").standardizedFileURL

  /// The files of a reader with the feeds' server, which has a port of its own: its addresses are as long as those in
  /// the files, so that they can be put into databases in their place.
  private struct Profile {
    let sandbox: Sandbox
    let server: RawServer
    private var files: [String] = []

    /// - Parameter readers: folders of fixtures that go into the user's own folder.
    init(_ readers: String...) throws {
      sandbox = try Sandbox()
      server = RawServer { request in
        let file = fixtures.appending(path: "newsboat/feeds" + request.path)
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return .reset }
        let body = text.replacing("127.0.0.1:61234", with: request.header("Host") ?? "")
        return .reply(
          WireReply(headers: [(name: "Content-Type", value: "text/xml")], body: Array(body.utf8)))
      }
      let (old, new) = ("127.0.0.1:61234", "127.0.0.1:\(try server.start())")
      try #require(old.count == new.count, "ports here have another number of digits")
      for reader in readers {
        let source = fixtures.appending(path: reader).path
        let names = try FileManager.default.subpathsOfDirectory(atPath: source)
        for name in names {
          var isFolder: ObjCBool = false
          _ = FileManager.default.fileExists(atPath: source + "/" + name, isDirectory: &isFolder)
          if isFolder.boolValue { continue }
          var bytes = Array(try Data(contentsOf: URL(filePath: source + "/" + name)))
          for found in bytes.indices where bytes[found...].starts(with: old.utf8) {
            bytes.replaceSubrange(found..<found + old.utf8.count, with: new.utf8)
          }
          let path = sandbox.folder + "/" + name
          try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
          try Data(bytes).write(to: URL(filePath: path))
          files.append(path)
        }
      }
    }

    /// The bytes and times of the files, and what lies beside them.
    func state() throws -> [String: [String]] {
      let folders = Set(files.map { ($0 as NSString).deletingLastPathComponent })
      var state: [String: [String]] = [:]
      for folder in folders {
        state[folder] = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      }
      for path in files {
        let data = try Data(contentsOf: URL(filePath: path))
        let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
        state[path] = [data.base64EncodedString(), "\(date ?? "")"]
      }
      return state
    }
  }

  /// What an import is expected to bring.
  private struct Expectation {
    var reader: String
    var feeds = 6
    var inserted = 36
    var deleted = 0
    var smartFeeds: [String] = []
    /// Files and lines of what does not come.
    var left: [String]
    var titles: [String]
    /// Queries, and how many articles they find.
    var counts: [(query: String, count: Int)]
    /// Queries, and the titles that they find.
    var found: [(query: String, titles: Set<String>)]
  }

  private func rows(_ sandbox: Sandbox, _ query: String) async throws -> [String] {
    try await sandbox.telex("articles", "--json", query).jsonLines()
      .compactMap { $0["title"] as? String }
  }

  private func check(_ profile: Profile, _ expected: Expectation) async throws {
    let sandbox = profile.sandbox
    let before = try profile.state()
    let taken = try await sandbox.telex("import", "--from", expected.reader, "--json")
    #expect(taken.status == 0, "\(taken.testDescription)")
    let report = try #require(try taken.jsonLines().first)
    #expect(report["added"] as? Int == expected.feeds)
    #expect(report["smartFeeds"] as? [String] == expected.smartFeeds)
    let counts = try #require(report["articles"] as? [String: Int])
    #expect(counts["inserted"] == expected.inserted && counts["deleted"] == expected.deleted)
    let left = try #require(report["left"] as? [[String: Any]])
    #expect(
      left.map { "\($0["file"] ?? ""):\(($0["line"] as? Int).map(String.init) ?? "")" }
        == expected.left, "\(taken.testDescription)")
    #expect(try profile.state() == before)

    let list = try await sandbox.telex("list").output
    for title in expected.titles { #expect(list.contains(title), "\(title) in \(list)") }
    func look() async throws {
      for (query, count) in expected.counts {
        #expect(try await rows(sandbox, query).count == count, "\(query)")
      }
      for (query, titles) in expected.found {
        #expect(Set(try await rows(sandbox, query)) == titles, "\(query)")
      }
    }
    try await look()

    // What the feeds list is what came.
    #expect(try await sandbox.articles().count == expected.inserted)
    for feed in try await sandbox.telex("list", "--json").jsonLines() {
      let url = try #require(feed["url"] as? String)
      let refresh = try await sandbox.telex("refresh", url)
      #expect(refresh.status == 0, "\(refresh.testDescription)")
    }
    #expect(
      try await sandbox.articles().count == 6 * expected.feeds - expected.deleted)
    try await look()

    let again = try await sandbox.telex("import", "--from", expected.reader, "--json")
    let second = try #require(try again.jsonLines().first)
    #expect(second["added"] as? Int == 0 && second["known"] as? Int == expected.feeds)
    let known = try #require(second["articles"] as? [String: Int])
    #expect(known["known"] == expected.inserted)
    #expect(known.filter { $0.key != "known" }.values.allSatisfy { $0 == 0 }, "\(known)")
    #expect(try profile.state() == before)
    await profile.server.stop()
  }

  private static let marks: [(query: String, titles: Set<String>)] = [
    ("read", ["Item 5 of ids & more"]), ("starred", ["Item 4 of ids & more"]),
  ]

  @Test func `Newsraft's feeds, sections, articles and marks come along, and are not doubled`()
    async throws
  {
    let profile = try Profile("newsraft")
    try await check(
      profile,
      Expectation(
        reader: "newsraft",
        left: ["feeds:3", "feeds:4", "config:6", "config:7", "config:14", "newsraft.sqlite3:"],
        titles: ["My ids", "Titles of mine", "Without dates"],
        counts: [
          ("folder:News", 12), ("folder:Atom", 6), ("has:audio", 6), ("text:\"Text 4\"", 6),
        ],
        found: Self.marks))
    let feeds = try await profile.sandbox.telex("list", "--json").jsonLines()
    let settings = feeds.map { ($0["settings"] as? [String: String]) ?? [:] }
    #expect(settings.compactMap { $0["interval"] }.sorted() == ["1h", "1h", "30min"])
    #expect(settings.compactMap { $0["keep-at-most"] } == ["100", "100"])
    #expect(settings.compactMap { $0["silent"] } == ["yes"])
    #expect(settings.compactMap { $0["user-agent"] } == ["Reader/1"])
    #expect(settings.allSatisfy { $0["update"] == nil })
  }

  @Test
  func `Newsraft's settings, keys, colours and rules come along, and nothing is wrong with them`()
    async throws
  {
    let profile = try Profile("newsraft")
    let sandbox = profile.sandbox
    let dry = try await sandbox.telex("import", "--from", "newsraft", "--dry-run")
    #expect(dry.status == 0 && dry.output.contains("interval_minutes = 45"))
    #expect(sandbox.contents(of: ".config/telex/config.toml") == nil)

    let taken = try await sandbox.telex("import", "--from", "newsraft")
    #expect(taken.status == 0 && taken.output.contains("written to"), "\(taken.testDescription)")
    #expect(taken.output.contains("config:6  menu-item-sorting: "))
    let text = try #require(sandbox.contents(of: ".config/telex/config.toml"))
    for line in [
      "interval_minutes = 45", "scroll_margin = 3", "date_format = \"%d.%m.\"",
      "command = \"w3m %u\"", "theme = \"newsraft\"", "unread = \"yellow bold\"",
      #"run = ["mpv", "%u"]"#, #"run = ["newsraft-w", "toggle-read", "next-article"]"#,
      #"next-starred = ["'", "p"]"#, #"last = ["End"]"#,
      // Keys that were given to others do not stay with what has them in Telex.
      #"toggle-read = ["D"]"#, #"first = ["g", "Home", "N"]"#, #"previous-unread = ["<"]"#,
      "half-up = []",
      #"mark-all-read = ["A", "^D"]"#, #"half-down = ["X"]"#, #"open-in-browser = ["o", "←"]"#,
    ] { #expect(text.contains(line), "\(line) in \(text)") }
    let check = try await sandbox.telex("config", "check")
    #expect(check.status == 0, "\(check.testDescription)")
    let rules = try await sandbox.telex("rules").output
    #expect(rules.contains("hide\ttitle:/horoscope/") && rules.contains("keep-only"), "\(rules)")

    // A key of newsraft does what it did there.
    let reader = try sandbox.reader()
    try await reader.wait(for: "Item 5 of ids")
    try reader.send("w")
    let isQueued = await eventually {
      sandbox.contents(of: "queue")?.hasPrefix("http://127.0.0.1:") == true
    }
    #expect(isQueued)
    #expect(try await reader.quit() == .exited(0))
    await profile.server.stop()
  }

  @Test
  func
    `Liferea's feeds, folders, search folders, articles and marks come along, and are not doubled`()
    async throws
  {
    let profile = try Profile("liferea")
    try await check(
      profile,
      Expectation(
        reader: "liferea", smartFeeds: ["Unread", "Important", "Bold"],
        left: ["feedlist.opml:17"], titles: ["My ids", "With links"],
        counts: [
          ("folder:News", 12), ("folder:News/Tech", 6), ("has:audio", 6), ("text:\"Text 4\"", 6),
        ],
        found: [
          ("read", ["Item 5 of ids & more", "Item 3 of titles & more"]),
          ("starred", ["Item 4 of ids & more", "Item 3 of titles & more"]),
        ]))
    let bold = try await profile.sandbox.telex("articles", "--smart", "Bold", "--json").jsonLines()
    #expect(bold.count == 11)
  }

  @Test
  func
    `Elfeed's feeds with their tags, packed and single texts, stars and tags come along`()
    async throws
  {
    let profile = try Profile("elfeed")
    try await check(
      profile,
      Expectation(
        reader: "elfeed", left: ["init.el:11"], titles: ["My \"atoms\"", "With links"],
        counts: [
          ("folder:news", 12), ("folder:tech", 6), ("has:audio", 6), ("text:\"Text 4\"", 6),
          ("is:tagged", 1),
        ],
        found: [
          ("read", ["Item 5 of ids & more", "Item 3 of links & more"]),
          ("starred", ["Item 4 of ids & more"]), ("tag:later", ["Item 3 of links & more"]),
        ]))
  }

  @Test
  func
    `The feeds, tags, folders and rules of files of elfeed-org come along`() async throws
  {
    let profile = try Profile("elfeed", "elfeed-org")
    try await check(
      profile,
      Expectation(
        reader: "elfeed",
        left: ["init.el:11", "feeds.org:15", "feeds.org:17", "init.el:10"],
        titles: ["Links of mine", "Sounds"],
        counts: [
          ("folder:news", 12), ("folder:tech", 6), ("folder:pod", 6), ("folder:\"Slow ones\"", 12),
          ("is:tagged", 1),
        ],
        found: [
          ("read", ["Item 5 of ids & more", "Item 3 of links & more"]),
          ("starred", ["Item 4 of ids & more"]),
        ]))
    let rules = try await profile.sandbox.telex("rules").output
    #expect(rules == "1\ttag junk\ttitle:/(horoscope|lottery)/\n")
  }

  @Test
  func
    `Thunderbird's feeds, folders and articles in mailboxes come along, and what is deleted stays away`()
    async throws
  {
    let profile = try Profile("thunderbird")
    try await check(
      profile,
      Expectation(
        reader: "thunderbird", feeds: 5, inserted: 23, deleted: 1, left: ["Gone:"],
        titles: ["My ids", "With titles"],
        counts: [("folder:News", 5), ("folder:Shared", 12), ("has:audio", 6)],
        found: Self.marks + [
          ("tag:important", ["Item 4 of ids & more"]), ("tag:later_on", ["Item 3 of ids & more"]),
        ]))
  }

  @Test
  func
    `Thunderbird's articles come along where each has a file of its own, with the marks of both places`()
    async throws
  {
    let profile = try Profile("thunderbird-maildir")
    try await check(
      profile,
      Expectation(
        reader: "thunderbird", feeds: 5, inserted: 17, deleted: 1, left: ["Gone:", "With titles:"],
        titles: ["My ids", "With titles"],
        counts: [("folder:News", 5), ("folder:Shared", 12), ("has:audio", 6)],
        found: Self.marks + [
          ("tag:important", ["Item 4 of ids & more"]), ("tag:later_on", ["Item 3 of ids & more"]),
        ]))
  }

  @Test func `A large maildir comes in portions, and nothing in it that is no article stops it`()
    async throws
  {
    let sandbox = try Sandbox()
    let folder = sandbox.folder + "/Mail/Feeds"
    let current = folder + "/Big/cur"
    try FileManager.default.createDirectory(atPath: current, withIntermediateDirectories: true)
    try sandbox.file(
      "Mail/Feeds/feeds.json",
      #"[{"url": "http://127.0.0.1:9/feed", "destFolder": "mailbox://nobody@Feeds/Big"}]"#)
    for number in 0..<2_300 {
      let isRead = number.isMultiple(of: 2) ? 1 : 0
      try sandbox.file(
        "Mail/Feeds/Big/cur/\(1_793_966_405_000_000 + number).eml",
        "X-Mozilla-Status: 000\(isRead)\nMessage-Id: <n\(number)>\nSubject: Story \(number)\n"
          + "Content-Base: http://127.0.0.1:9/\(number)\n\n<p>Text \(number)</p>\n")
    }
    try sandbox.file("Mail/Feeds/Big/cur/empty", "")
    try sandbox.file("Mail/Feeds/Big/cur/cut", "Subject: no id\nMessage-I")
    try Data([0xFF, 0, 0x0A, 0x0A, 0xFE]).write(to: URL(filePath: current + "/bytes"))
    try #require(mkfifo(current + "/pipe", 0o600) == 0)
    try FileManager.default.createSymbolicLink(
      atPath: current + "/link", withDestinationPath: "/nowhere")
    try FileManager.default.createDirectory(
      atPath: current + "/folder", withIntermediateDirectories: true)
    try sandbox.file("Mail/Feeds/Big/cur/.hidden", "x")
    let taken = try await sandbox.telex("import", "--from", "thunderbird", folder, "--json")
    let report = try #require(try taken.jsonLines().first)
    let counts = try #require(report["articles"] as? [String: Int])
    #expect(counts["inserted"] == 2_300, "\(taken.testDescription)")
    #expect((report["left"] as? [[String: Any]])?.map { $0["subject"] as? String } == ["6 files"])
    let read = try await sandbox.telex("articles", "--json", "read", "--limit", "3000")
    #expect(try read.jsonLines().count == 1_150)
  }

  @Test func `A reader without feeds offers what it finds of other readers`() async throws {
    let profile = try Profile("elfeed", "newsraft")
    let reader = try profile.sandbox.reader()
    try await reader.wait(for: "I takes over newsraft’s 6 feeds")
    #expect(reader.screen.text.contains(":import --from elfeed takes over elfeed’s 6 feeds"))
    #expect(try await reader.quit() == .exited(0))
    await profile.server.stop()
  }

  @Test func `A database of something else is refused, and is not changed`() async throws {
    let sandbox = try Sandbox()
    try FileManager.default.createDirectory(
      atPath: sandbox.folder + "/x/.elfeed", withIntermediateDirectories: true)
    try sandbox.file("x/feeds", "http://127.0.0.1:9/a\n")
    try sandbox.file("x/newsraft.sqlite3", "no database")
    try sandbox.file("x/.elfeed/index", "(:version 4 :feeds")
    for reader in ["newsraft", "elfeed"] {
      let refused = try await sandbox.telex("import", "--from", reader, sandbox.folder + "/x")
      #expect(refused.status == 1 && refused.errors.contains("it was not changed"))
    }
    #expect(try await sandbox.telex("list").output == "")
    let none = try await sandbox.telex("import", "--from", "liferea", sandbox.folder + "/x")
    #expect(none.status == 2 && none.errors.contains("name the folder"))
  }
}
