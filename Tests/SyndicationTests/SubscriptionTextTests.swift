import News
import Syndication
import TestSupport
import Testing

/// Subscriptions as text: what is read, what is refused and where, and that writing and reading agree.
@Suite struct SubscriptionTextTests {
  private func read(_ text: String) -> (list: SubscriptionList, mistakes: [String]) {
    let (list, mistakes) = SubscriptionText.read(Array(text.utf8))
    return (list, mistakes.map { "\($0.line):\($0.column) \($0.message)" })
  }

  @Test func `Feeds, folders, settings and accounts are read`() throws {
    let (list, mistakes) = read(
      """
      \u{FEFF}# Feeds

      example.org/feed   # the address without a scheme
      \ttitle =  My   feed = yours \r
          folder = Work / Tools

      [News/World]
      HTTPS://Example.ORG:443/a
      https://example.org/b
        interval = 120min
        headers = Accept-Language: de|X-A: b
        hidden = on
        proxy = socks5h://ada@localhost:9050
        update = default
      [Other]
      https://example.org/b
        folder = Third
      account https://reader.example/api/ ada lovelace
      https://example.org/b
      file:///srv/feed.xml
      """)
    #expect(mistakes == [])
    let account = SubscriptionList.Owner(base: "https://reader.example/api/", user: "ada lovelace")
    #expect(
      list.feeds == [
        .init(url: "https://example.org/feed", title: "My feed = yours", folders: ["Work/Tools"]),
        .init(url: "https://example.org/a", folders: ["News/World"]),
        .init(
          url: "https://example.org/b", folders: ["News/World", "Other", "Third"],
          settings: [
            .interval: "2h", .headers: "Accept-Language: de | X-A: b", .hidden: "yes",
          ], proxy: .via("socks5h://ada@localhost:9050")),
        .init(owner: account, url: "https://example.org/b"),
        .init(owner: account, url: "file:///srv/feed.xml"),
      ])
  }

  @Test(arguments: [
    ("https://a.example/ b", "1:20 nothing but a comment stands behind an address"),
    ("\n  title = A", "2:3 an indented line belongs to a feed"),
    ("[News\n", "1:5 the heading has no ] at its end"),
    ("https://a.example/\n  interval = soon", "2:14 interval takes a time such as"),
    ("https://a.example/\n  colour = red", "2:3 there is no setting colour"),
    ("https://a.example/\n  hidden", "2:3 this is no setting such as"),
    ("https://a.example/\n  title =", "2:10 title has no value"),
    ("https://a.example/\n  title = A\n  title = B", "3:3 title was given before"),
    ("https://a.example/\n[A]\nhttps://a.example/\n  title = B", "4:3 this feed is in line 1"),
    ("https://a.example/\n[A]\n  title = B", "3:3 an indented line belongs to a feed"),
    ("https://ada:secret@a.example/", "1:1 the address holds a name or a password"),
    ("https://a.example/\n  proxy = http://ada:secret@p:1", "2:11 the proxy holds a password"),
    ("https://a.example/\n  headers = Cookie: secret", "2:13 Cookie: "),
    ("https://a.example/\n  headers = none", "2:13 headers takes headers such as"),
    ("ftp:x y", "1:7 nothing but a comment"), ("account", "1:7 an account is the address"),
    ("https://a..example./ü:\u{1}b", "1:1 "), ("https://", "1:1 The address names no host."),
  ])
  func `A mistake is told by its line and column, without secrets`(
    _ text: String, _ wanted: String
  ) {
    let mistakes = read(text).mistakes
    #expect(mistakes.count == 1 && mistakes.allSatisfy { $0.hasPrefix(wanted) }, "\(mistakes)")
    #expect(!mistakes.contains { $0.contains("secret@") || $0.contains(": secret") })
  }

  @Test func `All mistakes of a text are told`() {
    #expect(read("https://\n[a\nhttps://a.example/\n x").mistakes.count == 3)
  }

  @Test func `A list is written sorted, a feed a line where nothing is set for it`() {
    let account = SubscriptionList.Owner(base: "https://reader.example/", user: "ada")
    var named = SubscriptionList.Feed(url: "https://b.example/", folders: ["News"])
    named.name = "B"
    let list = SubscriptionList([
      .init(owner: account, url: "https://c.example/", folders: ["News"]), named,
      .init(
        url: "https://a.example/", title: "A", folders: ["Other", "News"],
        settings: [.paused: "yes", .interval: "1d"], proxy: .direct),
      .init(url: "https://d.example/"), .init(url: "https://e.example/#one", hasRecipe: true),
      .init(url: "https://c.example/", folders: ["News"]),
    ])
    let text = """
      # Mine

      https://d.example/

      https://e.example/#one
          recipe = own

      [News]
      https://a.example/
          title = A
          folder = Other
          interval = 1d
          paused = yes
          proxy = direct

      https://b.example/
      https://c.example/

      account https://reader.example/ ada
      [News]
      https://c.example/

      """
    #expect(SubscriptionText.write(list, comment: ["Mine"]) == text)
    #expect(
      SubscriptionText.write(list, comment: ["Mine"], namesFeeds: true)
        == text.replacing("b.example/", with: "b.example/  # B"))
  }

  // MARK: Properties

  @Test(arguments: 0..<200)
  func `What is written is read again, and changes nothing`(_ seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    let list = SubscriptionList.random(using: &random)
    let text = SubscriptionText.write(list, comment: ["A list"], namesFeeds: seed % 2 == 0)
    let (again, mistakes) = SubscriptionText.read(Array(text.utf8))
    #expect(mistakes == [], "\(text)")
    #expect(list.changes(to: again, removesOthers: true) == [], "\(text)")
    #expect(again.changes(to: list, removesOthers: true) == [], "\(text)")
    #expect(
      SubscriptionText.write(again, comment: ["A list"])
        == SubscriptionText.write(list, comment: ["A list"]))
  }

  @Test(arguments: 0..<100)
  func `What two lists differ by makes the one of the other`(_ seed: Int) {
    var random = SplitMix(seed: UInt64(1_000 + seed))
    let (old, new) = (
      SubscriptionList.random(using: &random), SubscriptionList.random(using: &random)
    )
    var feeds = old.feeds
    for change in old.changes(to: new, removesOthers: true) {
      feeds.removeAll { $0 == change.before }
      if let after = change.after { feeds.append(after) }
    }
    #expect(SubscriptionList(feeds).changes(to: new, removesOthers: true) == [])
    #expect(old.changes(to: new, removesOthers: false).allSatisfy { !$0.isRemoval })
  }

  @Test(arguments: 0..<100)
  func `Any text is read without a crash, and each mistake lies in it`(_ seed: Int) {
    var random = SplitMix(seed: UInt64(2_000 + seed))
    let list = SubscriptionList.random(using: &random)
    var bytes = Array(SubscriptionText.write(list).utf8)
    for _ in 0..<10 where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      if Bool.random(using: &random) {
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      } else {
        bytes.remove(at: place)
      }
    }
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for mistake in SubscriptionText.read(bytes).mistakes {
      #expect((1...lines.count).contains(mistake.line) && mistake.column >= 1)
    }
  }

  // MARK: Differences

  @Test func `A feed is the same by an address that it had before`() {
    var moved = SubscriptionList.Feed(url: "https://new.example/")
    moved.otherURLs = ["https://old.example/"]
    let list = SubscriptionList([moved])
    let old = SubscriptionList([.init(url: "https://old.example/")])
    #expect(list.changes(to: old, removesOthers: true) == [])
    // Named by both: the stanza of its present address counts.
    let both = SubscriptionList([
      .init(url: "https://old.example/", title: "Old"), .init(url: "https://new.example/"),
    ])
    #expect(list.changes(to: both, removesOthers: true) == [])
  }

  @Test func `A feed that stands below another account moves there`() {
    let owner = SubscriptionList.Owner(base: "https://reader.example/", user: "ada")
    let here = SubscriptionList([
      .init(url: "https://a.example/"), .init(url: "https://b.example/"),
    ])
    let there = SubscriptionList([
      .init(owner: owner, url: "https://a.example/", folders: ["F"]),
      .init(url: "https://b.example/"),
    ])
    let changes = here.changes(to: there, removesOthers: true)
    #expect(changes.map(\.parts) == [[.account(owner), .folders(["F"])]])
    #expect(there.changes(to: here, removesOthers: true).first?.parts.first == .account(nil))
    // Without removals it is in both.
    #expect(here.changes(to: there, removesOthers: false).map(\.isAddition) == [true])
  }

  @Test func `What a server calls a feed is no change where the list says the same`() {
    let owner = SubscriptionList.Owner(base: "https://reader.example/", user: "ada")
    var feed = SubscriptionList.Feed(owner: owner, url: "https://a.example/")
    feed.name = "A"
    func titles(_ title: String?) -> [SubscriptionListChange.Part] {
      SubscriptionList([feed]).changes(
        to: SubscriptionList([.init(owner: owner, url: feed.url, title: title)]),
        removesOthers: false
      ).flatMap(\.parts)
    }
    #expect(titles("A") == [] && titles(nil) == [])
    #expect(titles("B") == [.title("B")])
  }
}

extension SubscriptionList {
  /// Feeds with odd names, folders and settings; each address once in each account.
  fileprivate static func random(using random: inout SplitMix) -> SubscriptionList {
    let words = [
      "News", "#1", "a = b", "[x]", "]", "account", "日本語", "e\u{301}", "“q”", "x  y", "title",
      "\u{202E}rtl", "|", "\\", "'", "👩‍👩‍👧", "=", "default",
    ]
    func word() -> String { words.randomElement(using: &random) ?? "" }
    var seen: Set<String> = []
    let feeds = (0..<Int.random(in: 0...12, using: &random)).compactMap { _ -> Feed? in
      let owner: Owner? =
        [
          nil, nil, Owner(base: "https://reader.example/api", user: "ada b"),
          Owner(base: "file:///srv/Sync", user: ""),
        ].randomElement(using: &random) ?? nil
      let number = Int.random(in: 0..<8, using: &random)
      let url =
        [
          "https://example.org/feed?n=\(number)", "http://localhost:8080/\(number)",
          "file:///f\(number)", "exec:/bin/x 'a  b' 100%25 %20 \(number)",
        ]
        .randomElement(using: &random) ?? ""
      guard seen.insert("\(owner?.base ?? "") \(url)").inserted else { return nil }
      var settings: [FeedSetting: String] = [:]
      let values: [(FeedSetting, String)] = [
        (.interval, "3h"), (.interval, "0"), (.interval, "1w"), (.paused, "yes"), (.hidden, "yes"),
        (.silent, "yes"),
        (.update, "unread"), (.browser, "lynx '%u' '# x'"), (.userAgent, "Mozilla/5.0 (x=y)"),
        (.headers, "A: b | C: d=e"),
      ]
      for (setting, value) in values where Int.random(in: 0..<5, using: &random) == 0 {
        settings[setting] = value
      }
      var feed = Feed(
        owner: owner, url: url, title: Bool.random(using: &random) ? word() : nil,
        folders: (0..<Int.random(in: 0...3, using: &random)).map { _ in "\(word())/\(word())" },
        settings: settings,
        proxy: [nil, .direct, .via("http://ada@proxy.example:3128")].randomElement(using: &random)
          ?? nil,
        hasRecipe: Int.random(in: 0..<9, using: &random) == 0)
      feed.name = word()
      return feed
    }
    return SubscriptionList(feeds)
  }
}
