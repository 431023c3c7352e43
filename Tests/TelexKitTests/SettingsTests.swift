import Foundation
import News
import TelexKit
import TestSupport
import Testing

@Suite struct SettingsTests {
  /// `TELEX_RECORD=1` writes the list into the manual.
  @Test func `the manual lists each setting with its default, as it is declared`() throws {
    let file = fixtures.deletingLastPathComponent().appending(path: "Docs/Manual.md")
    var manual = try String(contentsOf: file, encoding: .utf8)
    let block = try #require(manual.firstRange(of: #/```toml\n\[screen\]\n(?s:.*?)```\n/#))
    let written = "```toml\n\(Settings.reference)```\n"
    if ProcessInfo.processInfo.environment["TELEX_RECORD"] != nil {
      manual.replaceSubrange(block, with: written)
      try manual.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(manual[block.lowerBound...].hasPrefix(written))
    #expect(try settings(Settings.reference).fileMistakes.isEmpty)
    let uncommented = Settings.reference.replacing("\n# ", with: "\n")
    #expect(try settings(uncommented).fileMistakes.isEmpty)
    for setting in Settings.declarations where !setting.name.contains("NAME") {
      #expect(!setting.help.isEmpty || !setting.values.contains("text"), "\(setting.name)")
    }
  }

  @Test func `The screen comes first, and the new file has the order of the page`() throws {
    let names = Settings.namedDeclarations.map(\.name)
    #expect(names.prefix(3) == ["screen.theme", "screen.background", "screen.columns"])
    let tables = Settings.namedDeclarations.map(\.table).reduce(into: [String]()) {
      if $0.last != $1 { $0.append($1) }
    }
    // A table has one heading.
    #expect(Set(tables).count == tables.count)
    let file = SettingsFile(try temporaryFolder() + "/config.toml")
    defer { try? FileManager.default.removeItem(atPath: file.path) }
    try file.create()
    let written = try String(contentsOfFile: file.path, encoding: .utf8)
    #expect(written.matches(of: /\n\[(\w+)\]/).map { String($0.1) } == tables)
    #expect(try file.values().map(\.name) == names)
  }

  /// Settings of a feed that has none of its own.
  private func defaults(
    _ text: String, of feeds: [Feed] = [Feed(id: FeedID(1), url: "http://example.org/feed")]
  ) throws -> FeedDefaults {
    try settings(text).defaults(of: feeds, browser: "firefox %u", now: now)
  }

  private let now = Date(timeIntervalSince1970: 1_700_000_000)

  @Test func `The values in force for a feed are those of the settings`() throws {
    let set = try defaults(
      """
      [refresh]
      interval_minutes = 30
      [retention]
      days = 7
      articles_per_feed = 200
      [stories]
      join = false
      [pictures]
      show = false
      [network]
      metered = "nothing"
      proxy = "http://proxy.example:3128"
      """)
    #expect(
      set.settings == [
        .interval: "default: 30 min", .paused: "default: no", .hidden: "default: no",
        .silent: "default: no", .update: "default: nothing", .pictures: "default: no",
        .browser: "default: firefox %u", .userAgent: "default: Telex/\(Version.current)",
        .headers: "default: none", .keepFor: "default: 7 days",
        .keepAtMost: "default: 200 articles", .fullText: "default: no", .stories: "default: no",
        .metered: "default: nothing",
      ])
    #expect(set.proxy == "default: http://proxy.example:3128")
    let near = Feed(id: FeedID(2), url: "https://near.example/feed")
    let direct = """
      [network]
      proxy = "http://proxy.example:3128"
      [network.proxies]
      "near.example" = "direct"
      """
    #expect(try defaults(direct, of: [near]).proxy == "default: none")
    let standard = try defaults("")
    #expect(standard.settings[.keepFor] == "default: all")
    #expect(standard.settings[.keepAtMost] == "default: all")
    #expect(Set(standard.settings.keys) == Set(FeedSetting.allCases))
    var own = FeedSettings()
    own.interval = 7_200
    #expect(set.text(of: .interval, in: own) == "2h")
    #expect(set.text(of: .keepFor, in: own) == "default: 7 days")
  }

  @Test func `The interval in force is that at which the feed or its account is fetched`() throws {
    func feed(_ id: Int64, gap: Int64?, _ account: Account = .local) -> Feed {
      var feed = Feed(id: FeedID(id), account: account, url: "https://example.org/\(id)")
      feed.state.pace = gap.map { PublishingPace(gap: $0, newest: now) }
      return feed
    }
    func interval(_ text: String, _ feeds: Feed...) throws -> String? {
      try defaults(text, of: feeds).settings[.interval]
    }
    let (often, seldom) = (feed(1, gap: 6 * 3_600), feed(2, gap: 20 * 3_600))
    #expect(try interval("", often) == "default: 3 h (as often as it publishes)")
    #expect(try interval("", often, seldom) == "default: as often as each publishes")
    let service = AccountService(AccountKind(rawValue: "items"), [.items])
    let account = Account(id: AccountID(2), service: service, base: "https://rss.example.org")
    #expect(try interval("", feed(3, gap: nil, account)) == "account: 1 h")
    for (minutes, words) in [(0, "only when you ask"), (45, "45 min")] {
      let text = "[refresh]\ninterval_minutes = \(minutes)\n"
      #expect(try interval(text, often, seldom) == "default: \(words)")
      #expect(try interval(text, feed(3, gap: nil, account)) == "account: \(words)")
    }
  }

  /// The settings of a file with this text.
  private func settings(_ text: String) throws -> Settings {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = folder + "/config.toml"
    try Data(text.utf8).write(to: URL(filePath: file))
    return try Settings.load(named: file)
  }

  @Test(arguments: [
    ("\"espeak-ng --stdin\"", ["espeak-ng", "--stdin"]),
    ("[\"say\", \"-v\", \"A Voice\"]", ["say", "-v", "A Voice"]), ("\"\"", nil), ("[]", nil),
  ])
  func `the program that reads aloud is a text or a list`(value: String, words: [String]?) throws {
    #expect(try settings("[speech]\ncommand = \(value)\n").screen.speechCommand == words)
    for wrong in ["5", "[\"a\", 5]", "\"-x\"", "[\"\"]"] {
      #expect(try settings("[speech]\ncommand = \(wrong)\n").fileMistakes.count == 1)
    }
    #expect(try settings("[speech]\nvoice = \"a\"\n").fileMistakes.count == 1)
  }

  @Test func `a file that is there and cannot be looked at is not taken for none`() throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = folder + "/config.toml"
    try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "config.toml")
    let error = #expect(throws: SourceError.self) { try Settings.load(named: file) }
    #expect(error?.stage == .config && error?.message.contains("symbolic links") == true)
  }

  @Test func `screen settings are plain values for the front end`() throws {
    let screen = try settings(
      """
      [refresh]
      interval_minutes = 0
      [screen]
      background = "light"
      colors = false
      mouse = false
      text_width = 66
      [browser]
      command = "w3m"
      uses_terminal = true
      """
    ).screen
    var expected = ScreenSettings()
    expected.background = .light
    expected.colors = false
    expected.mouse = false
    expected.textWidth = 66
    expected.interval = .never
    expected.browser = "w3m"
    expected.browserUsesTerminal = true
    #expect(screen == expected)
    #expect(try settings("").screen == ScreenSettings())
  }

  @Test(arguments: [
    ("[keys]", "proxy = \"socks5h://localhost:9050\""), ("[keys]", "low_data = true"),
    ("[keys]", "pins = { \"example.org\" = [\"sha256//x\"] }"),
    ("[keys.article]", "ca_file = \"/etc/ca.pem\""), ("[macros]", "connect_timeout = 5"),
    ("[commands]", "log = \"telex.log\""), ("[speech]", "min_tls = \"1.3\""),
    ("[commands.fix]\nrun = \"git fix\"", "proxy = \"direct\""), ("[events]", "live = \"off\""),
    ("[themes]", "proxy = \"direct\""),
    ("[themes.dusk]\ntitle = \"red\"", "proxies = { \"example.org\" = \"direct\" }"),
  ])
  func `a setting of the network below the heading of another table stops the program`(
    heading: String, line: String
  ) throws {
    let error = try #require(throws: SourceError.self) {
      _ = try settings("[screen]\nmouse = true\n\(heading)\n\(line)\n")
    }
    // It is told once.
    #expect(error.next?.contains("more:") == false)
    let number = 3 + heading.split(separator: "\n").count
    #expect(error.subject.hasSuffix("config.toml:\(number):1"))
    #expect(error.message.contains("this setting belongs to [network]"))
    #expect(error.next?.contains("[network]") == true)
  }

  @Test(arguments: [
    "[commands.log]\nrun = \"git log\"\n[keys]\nlog = \"Ctrl-l\"\n",
    "[macros.live]\nrun = [\"refresh\"]\nkeys = \"L\"\n", "[themes.proxy]\ntitle = \"red\"\n",
    "[keys]\nnonsense = \"Ctrl-l\"\n",
  ])
  func `what can be meant where it stands stops nothing`(text: String) throws {
    #expect(try settings(text).fileMistakes.isEmpty)
  }

  @Test func `a file that is named must be there`() throws {
    let error = try #require(throws: SourceError.self) {
      _ = try Settings.load(named: "/nowhere/telex.toml")
    }
    #expect(error.stage == .config && error.subject == "/nowhere/telex.toml")
  }

  @Test(arguments: [
    ("direct", "direct"), ("default", nil),
    ("socks5h://localhost:9050", "socks5h://localhost:9050"),
    ("http://ada:pa55word@proxy.example:3128", "http://ada@proxy.example:3128"),
  ])
  func `a wish for a proxy has no password in its address`(text: String, proxy: String?) throws {
    let change = try ProxyChange(text, subject: "--proxy")
    #expect(change.proxy?.text == proxy)
    #expect(change.password == (text.contains("pa55word") ? "pa55word" : nil))
    #expect((change.originWithUser != nil) == text.contains("ada"))
  }

  @Test func `a wish for what is no proxy is refused`() throws {
    let error = try #require(throws: SourceError.self) {
      _ = try ProxyChange("htp://ada:pa55word@p:1", subject: "--proxy")
    }
    #expect(error.subject == "--proxy" && !error.line.contains("pa55word"))
  }
}
