internal import Foundation
internal import News
internal import TestSupport
internal import Testing

@testable internal import Store

/// What is done with new articles by rules.
@Suite struct RuleTests {
  private func add(
    _ query: String, _ action: RuleAction, until: Date? = nil, _ test: borrowing TestStore
  ) async throws -> RuleID {
    let query = try ArticleQuery(query)
    return try await test.store.edit { try $0.rules.add(query, action, until: until, now: noon) }
  }

  private func articles(
    _ feed: FeedID, _ test: borrowing TestStore
  ) async throws -> [String: Article] {
    try await test.articles(feed).reduce(into: [:]) { $0[$1.entry.title ?? ""] = $1 }
  }

  private func text(_ id: String, _ text: String, at seconds: Int = 0) -> Entry {
    var entry = entry(id, title: "Title \(id)", at: seconds)
    entry.contentHTML = "<p>\(text)</p>"
    return entry
  }

  @Test func `New articles are read, starred, tagged and hidden, by words of their texts too`()
    async throws
  {
    let test = try TestStore()
    let (feed, other) = (try await test.subscribe(), try await test.subscribe("b"))
    try await test.merge([text("old", "sports news")], into: feed)
    _ = try await add("sports", .read, test)
    _ = try await add("feed:example.org/a title:star", .star, test)
    _ = try await add("concurrency OR actors", .tag("swift"), test)
    let hiding = try await add("-science text:horoscope", .hide, test)
    try await test.merge(
      [
        text("1", "more sports"), text("star", "plain"), text("2", "the actors of a play"),
        text("3", "your horoscope"), text("4", "science of the horoscope"),
      ], into: feed)
    try await test.merge([text("star", "of another feed")], into: other)
    let found = try await articles(feed, test)
    #expect(Set(found.keys) == ["Title old", "Title 1", "Title star", "Title 2", "Title 4"])
    #expect(found.values.filter(\.status.isRead).map(\.entry.id) == ["1"])
    #expect(found.values.filter(\.status.isStarred).map(\.entry.id) == ["star"])
    #expect(found["Title 2"]?.tags == ["swift"] && found["Title 1"]?.tags == [])
    #expect(try await articles(other, test)["Title star"]?.status.isStarred == false)
    #expect(try RawDatabase(test.folder).problems() == [])

    // Hidden ones stay away, and cost no gap; the search does not find them.
    let again = try await test.merge(
      [text("5", "new", at: 5), text("3", "your horoscope")], next: "more", into: feed)
    #expect(again.inserted == 1 && again.known == 1)
    #expect(try await test.rows(TimelineQuery(.search("horoscope"))).count == 1)
    // Without the rule they come again.
    #expect(try await test.store.edit { try $0.rules.remove(hiding) })
    try await test.merge([text("3", "your horoscope")], into: feed)
    #expect(try await articles(feed, test)["Title 3"] != nil)
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `A rule ends at its time, and one about a state acts after those before it`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    _ = try await add("title:a", .star, until: noon + 100, test)
    _ = try await add("is:starred", .tag("seen"), test)
    try await test.merge([entry("a", title: "a 1")], into: feed, now: noon + 99)
    try await test.merge([entry("b", title: "a 2")], into: feed, now: noon + 100)
    let found = try await articles(feed, test)
    #expect(found["a 1"]?.status.isStarred == true && found["a 1"]?.tags == ["seen"])
    #expect(found["a 2"]?.status.isStarred == false && found["a 2"]?.tags == [])
  }

  @Test func `What a server keeps is marked as read and not removed, and the server is told`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.takeMarks(of: "http://example.org")
    _ = try await add("title:bad", .hide, test)
    try await test.merge([entry("1", title: "bad one"), entry("2", title: "good one")], into: feed)
    let found = try await articles(feed, test)
    #expect(found["bad one"]?.status.isRead == true && found["good one"]?.status.isRead == false)
    let waiting = try await test.store.view { try $0.outbox.snapshot().changes }
    #expect(waiting.count == 1)
  }

  @Test func `Scores of several rules add up within their bounds, and later rules ask for them`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    _ = try await add("swift", .score(5), test)
    _ = try await add("title:news", .score(-2), test)
    _ = try await add("flood", .score(900), test)
    _ = try await add("flood", .score(900), test)
    _ = try await add("drought", .score(-1_000), test)
    _ = try await add("drought", .score(-1), test)
    _ = try await add("score>4", .star, test)
    _ = try await add("score<=-1000", .hide, test)
    try await test.merge(
      [
        text("1", "swift"), text("news", "swift"), text("news 2", "plain"), text("2", "plain"),
        text("3", "flood"), text("4", "drought"),
      ], into: feed)
    var found = try await articles(feed, test)
    #expect(
      found.mapValues(\.score) == [
        "Title 1": 5, "Title news": 3, "Title news 2": -2, "Title 2": 0, "Title 3": 1_000,
      ])
    #expect(
      found.values.filter(\.status.isStarred).map(\.entry.id).sorted() == ["1", "3"])
    #expect(try RawDatabase(test.folder).problems() == [])

    // What the feed changes later keeps the score that it has.
    try await test.merge([text("1", "swift, changed")], into: feed)
    found = try await articles(feed, test)
    #expect(found["Title 1"]?.score == 5)
    let rules = try await test.store.view { try $0.rules.all() }
    #expect(rules.prefix(2).map(\.action.title) == ["score 5", "score -2"])
    for argument in ["0", "1001", "-1001", "x", nil] {
      #expect(RuleAction(name: "score", argument: argument) == nil)
    }
  }

  @Test
  func `A score comes back with a deleted article and a removed feed, and stays with a united one`()
    async throws
  {
    let test = try TestStore()
    let (feed, other) = (try await test.subscribe(), try await test.subscribe("b"))
    _ = try await add("feed:example.org/a", .score(7), test)
    try await test.merge([entry("1"), entry("2")], into: feed)
    try await test.merge([entry("1"), entry("3")], into: other)
    let id = try #require(try await test.articles(feed).first { $0.entry.id == "1" }).id
    _ = try await test.store.edit { try $0.actions.delete([id], now: noon) }
    try await test.store.edit { try $0.journal.undo(now: noon) }
    try await test.store.edit { try $0.actions.remove(feed, isTold: false, now: noon) }
    try await test.store.edit { try $0.journal.undo(now: noon) }
    #expect(try await test.articles(feed).map(\.score) == [7, 7])
    try await test.store.edit { try FeedUnion(edit: $0, now: noon).unite(feed, into: other) }
    let united = try await test.articles(other).reduce(into: [:]) { $0[$1.entry.id] = $1.score }
    #expect(united == ["1": 7, "2": 7, "3": 0])
  }

  @Test func `Imported articles are not touched, and rules that cannot be read are listed`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    _ = try await add("title:a", .hide, test)
    try RawDatabase(test.folder).execute(
      "INSERT INTO rule (query, action, createdAt) VALUES ('nonsense:::(', 'star', 0), ('a', 'x', 0)"
    )
    try await test.merge([entry("1", title: "a 1")], into: feed, at: .imported(areRead: false))
    try await test.merge([entry("2", title: "b 2")], into: feed)
    // Nor is what is older than what is here, and what a server hands out at first.
    try await test.merge([entry("3", title: "a 3", at: -99)], into: feed, at: .older)
    let other = try await test.subscribe("b")
    try await test.merge([entry("4", title: "a 4")], into: other, at: .synced(read: []))
    try await test.merge([entry("5", title: "a 5", at: -9)], into: other, at: .synced(read: []))
    #expect(Set(try await test.titles(other)) == ["a 4", "a 5"])
    try await test.merge([entry("6", title: "a 6", at: 9)], into: other, at: .synced(read: []))
    #expect(Set(try await test.titles(other)) == ["a 4", "a 5"])
    #expect(Set(try await test.titles(feed)) == ["a 1", "b 2", "a 3"])
    let rules = try await test.store.view { try $0.rules.all() }
    #expect(
      rules.map(\.action) == [.hide, .star] && rules.map { $0.query == nil } == [false, true])
    #expect(try await !test.store.edit { try $0.rules.remove(RuleID(99)) })
  }

  @Test func `What the newest rule would hide of what is here is found, and nothing by others`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([text("a", "sports"), text("b", "arts"), text("c", "sports")], into: feed)
    let all = try await articles(feed, test)
    func hidden(_ names: [String]) async throws -> Set<ArticleID> {
      let ids = names.compactMap { all["Title \($0)"]?.id }
      return Set(try await test.store.view { try $0.rules.hiddenByNewestRule(ids) })
    }
    #expect(try await hidden(["a", "b"]) == [])
    _ = try await add("arts", .hide, test)
    #expect(try await hidden(["a", "b"]) == [try #require(all["Title b"]).id])
    _ = try await add("sports", .hide, test)
    #expect(try await hidden(["a", "b"]) == [try #require(all["Title a"]).id])
    _ = try await add("sports", .star, test)
    #expect(try await hidden(["a", "b", "c"]) == [])
  }

  @Test func `The last articles that a query means are found, the newest first`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge(
      (0..<6).map { text("\($0)", $0 % 2 == 0 ? "even" : "odd", at: -$0) }, into: feed)
    let query = try ArticleQuery("even")
    let all = try await test.store.view { try $0.rules.lastArrived(1_000, matching: query) }
    #expect(all.map(\.title) == ["Title 0", "Title 2", "Title 4"])
    // The highest ids are those of the newest.
    let last = try await test.store.view { try $0.rules.lastArrived(3, matching: query) }
    #expect(last.map(\.title) == ["Title 0", "Title 2"])
  }

  @Test func `Of a feed only what a query means is kept, and other feeds are left alone`()
    async throws
  {
    let test = try TestStore()
    let (feed, other) = (try await test.subscribe(), try await test.subscribe("b"))
    _ = try await add("title:rust OR text:swift", .keepOnly(of: "feed:example.org/a"), test)
    try await test.merge(
      [text("rust", "x"), text("2", "about swift"), text("3", "y")], into: feed)
    try await test.merge([text("4", "z")], into: other)
    #expect(Set(try await test.titles(feed)) == ["Title rust", "Title 2"])
    #expect(try await test.titles(other) == ["Title 4"])
    // What was hidden stays away.
    let again = try await test.merge([text("3", "y")], into: feed)
    #expect(again.inserted == 0)
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `Titles and addresses are rewritten for later rules, refreshes and the search`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    _ = try await add(
      "title:ad", .replaceTitle(try TextReplacement("^Ad: (.*)$", with: "Sponsored $1")), test)
    _ = try await add(
      "title:sponsored",
      .replaceAddress(try TextReplacement("[?]utm_source=.*", with: "")), test)
    _ = try await add(
      "title:sponsored", .replaceAddress(try TextReplacement("^https:.*", with: "data:x")), test)
    func advert(_ body: String) -> Entry {
      var entry = entry("1", title: "Ad: cars")
      entry.url = "https://a.example/1?utm_source=feed"
      entry.contentHTML = "<p>\(body)</p>"
      return entry
    }
    try await test.merge([advert("first"), text("2", "plain")], into: feed)
    func check() async throws {
      let found = try #require(try await articles(feed, test)["Sponsored cars"])
      #expect(found.entry.url == "https://a.example/1" && found.entry.id == "1")
      #expect(
        try await test.rows(TimelineQuery(.search("sponsored"))).count == 1)
      #expect(try await test.rows(TimelineQuery(.search("ad"))).isEmpty)
      #expect(try RawDatabase(test.folder).problems() == [])
    }
    try await check()
    // The feed says the same again, and then something else.
    let same = try await test.merge([advert("first")], into: feed)
    #expect(same.updated == 0 && same.known == 1)
    try await check()
    let other = try await test.merge([advert("second")], into: feed)
    #expect(other.updated == 1)
    try await check()
    #expect(
      try await articles(feed, test)["Sponsored cars"]?.entry.contentHTML == "<p>second</p>")
  }

  @Test func `Rules come back as they were added, and what cannot be read does nothing`()
    async throws
  {
    let test = try TestStore()
    let actions: [RuleAction] = [
      .keepOnly(of: "feed:\"a  b\""), .replaceTitle(try TextReplacement("a  /b", with: "\\$ /$0")),
      .replaceAddress(try TextReplacement("x", with: "")), .tag("t"), .hide,
    ]
    for action in actions { _ = try await add("title:a", action, test) }
    try RawDatabase(test.folder).execute(
      """
      INSERT INTO rule (query, action, tag, createdAt)
        VALUES ('a', 'keep-only', '((', 0), ('a', 'replace-title', 's/(/x/', 0)
      """)
    #expect(try await test.store.view { try $0.rules.all() }.map(\.action) == actions)
  }
}
