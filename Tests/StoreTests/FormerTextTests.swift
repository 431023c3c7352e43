internal import Foundation
internal import News
internal import TestSupport
internal import Testing

@testable internal import Store

/// What is kept of articles that their feeds change.
@Suite struct FormerTextTests {
  private func feed(
    _ test: borrowing TestStore, _ name: String = "a", update: FeedSettings.Update = .changed
  ) async throws -> FeedID {
    let feed = try await test.subscribe(name)
    var settings = FeedSettings()
    settings.update = update
    try await test.store.edit { [settings] in try $0.feeds.setSettings(settings, of: feed) }
    return feed
  }

  private func marked(_ test: borrowing TestStore) async throws -> [ArticleID] {
    let changed = Timeline.matching(try ArticleQuery("is:changed"), in: .all)
    return try await test.rows(TimelineQuery(changed, olderCount: 100)).compactMap { row in
      guard case .article(let article) = row, article.isChanged else { return nil }
      return article.id
    }
  }

  private func former(_ id: ArticleID, _ test: borrowing TestStore) async throws -> FormerText? {
    try await test.store.view { try $0.formerTexts.text(of: id) }
  }

  @Test func `The version that was seen last is kept until a change after the article was opened`()
    async throws
  {
    let test = try TestStore()
    let feed = try await feed(test)
    try await test.merge([entry("a", content: "<p>one</p>")], into: feed)
    let id = try await test.articles(feed)[0].id
    #expect(try await former(id, test) == nil)
    try await test.merge([entry("a", content: "<p>two</p>")], into: feed, now: noon + 10)
    try await test.merge([entry("a", content: "<p>three</p>")], into: feed, now: noon + 20)
    #expect(try await marked(test) == [id])
    var kept = try #require(try await former(id, test))
    #expect(kept.contentHTML == "<p>one</p>" && kept.title == "a" && kept.isWhole)
    #expect(kept.changed == noon + 10)
    let article = try await test.articles(feed)[0]
    #expect(article.isChanged && article.changed == noon + 10)

    // It was opened and left: the difference stays until the next change.
    try await test.store.edit { try $0.formerTexts.clearChanged(id) }
    #expect(try await marked(test).isEmpty)
    #expect(try await former(id, test) == kept)
    try await test.merge([entry("a", title: "b", content: "<p>three</p>")], into: feed)
    #expect(try await marked(test) == [id])
    kept = try #require(try await former(id, test))
    #expect(kept.contentHTML == "<p>three</p>" && kept.title == "a")

    // The feed takes it back.
    try await test.merge([entry("a", content: "<p>three</p>")], into: feed)
    #expect(try await marked(test).isEmpty)
    #expect(try await former(id, test) == nil)
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test(arguments: [
    ("<p>one two</p>", "<div>one\n  two </div>", false),
    ("<p>one</p>", "<p><b>one</b></p><img src='https://example.org/a.png'>", false),
    ("<p>one</p>", "<p>one.</p>", true), ("<p>one</p>", "", true), ("", "<p>one</p>", true),
  ])
  func `Spaces, markup and dates are no change`(
    _ before: String, _ after: String, _ isChange: Bool
  ) async throws {
    let test = try TestStore()
    let feed = try await feed(test)
    try await test.merge([entry("a", at: 0, content: before)], into: feed)
    let merged = try await test.merge([entry("a", at: 50, content: after)], into: feed)
    #expect(merged.updated == 1)
    #expect(try await marked(test).isEmpty == !isChange)
    #expect(try await test.store.view { try $0.retention.estimatedBytes() } > 0)
  }

  @Test(arguments: [FeedSettings.Update.nothing, .unread])
  func `Nothing is kept where the feed is not set so`(_ update: FeedSettings.Update) async throws {
    let test = try TestStore()
    let feed = try await feed(test, update: update)
    try await test.merge([entry("a", content: "one")], into: feed)
    try await test.merge([entry("a", content: "two")], into: feed)
    #expect(try await marked(test).isEmpty)
    #expect(try RawDatabase(test.folder).strings("SELECT * FROM formerText").isEmpty)
  }

  @Test func `A title that a rule rewrites each time is no change, and a file changes nothing`()
    async throws
  {
    let test = try TestStore()
    let feed = try await feed(test)
    let rule = RuleAction.replaceTitle(try TextReplacement("^ad: ", with: ""))
    let all = try ArticleQuery("title:/./")
    _ = try await test.store.edit { try $0.rules.add(all, rule, until: nil, now: noon) }
    try await test.merge([entry("a", title: "Ad: x", at: 0, content: "one")], into: feed)
    try await test.merge([entry("a", title: "Ad: x", at: 9, content: "one")], into: feed)
    #expect(try await test.titles(feed) == ["x"])
    #expect(try await marked(test).isEmpty)
    try await test.merge(
      [entry("a", title: "x", at: 10, content: "two")], into: feed, at: .imported(areRead: false))
    #expect(try await test.articles(feed)[0].entry.contentHTML == "two")
    #expect(try await marked(test).isEmpty)
    try await test.merge(
      [entry("a", title: "x", at: 10, content: "three")], into: feed, at: .synced(read: []))
    #expect(try await marked(test).count == 1)
  }

  @Test func `A text that is too long is not kept, and the article is marked all the same`()
    async throws
  {
    let test = try TestStore()
    let feed = try await feed(test)
    // What cannot be compressed.
    var state: UInt64 = 1
    let long = (0..<100_000).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return String(state >> 16, radix: 36)
    }.joined(separator: " ")
    try await test.merge([entry("a", title: "before", content: long)], into: feed)
    try await test.merge([entry("a", title: "after", content: "short")], into: feed)
    let id = try #require(try await marked(test).first)
    let kept = try #require(try await former(id, test))
    #expect(kept.title == "before" && kept.contentHTML == nil && !kept.isWhole)
    // Of which nobody knows whether it is what it was.
    try await test.merge([entry("a", title: "before", content: long)], into: feed)
    #expect(try await marked(test) == [id])
  }

  @Test func `It goes with its article, comes back with it, and is united and repaired with it`()
    async throws
  {
    let test = try TestStore()
    let (feed, other) = (try await feed(test), try await feed(test, "b"))
    for content in ["one", "two"] {
      try await test.merge(["1", "2"].map { entry($0, content: content) }, into: feed)
    }
    try await test.merge([entry("1", content: "two")], into: other)
    let raw = try RawDatabase(test.folder)
    func count() throws -> [String] { try raw.strings("SELECT count(*) FROM formerText") }
    let ids = try await test.articles(feed).map(\.id)
    _ = try await test.store.edit { try $0.actions.delete([ids[0]], now: noon) }
    #expect(try count() == ["1"])
    try await test.store.edit { try $0.journal.undo(now: noon) }
    #expect(try count() == ["2"])
    try await test.store.edit { try $0.actions.remove(feed, isTold: false, now: noon) }
    #expect(try count() == ["0"])
    try await test.store.edit { try $0.journal.undo(now: noon) }
    #expect(Set(try await marked(test)) == Set(ids))
    try await test.store.edit { try FeedUnion(edit: $0, now: noon).unite(feed, into: other) }
    let united = try await test.articles(other)
    #expect(united.map(\.isChanged) == [true, true])
    for article in united {
      #expect(try await former(article.id, test)?.contentHTML == "one")
    }
    _ = try await test.store.repair()
    #expect(Set(try await marked(test)) == Set(united.map(\.id)))
    #expect(try await former(united[0].id, test)?.contentHTML == "one")
    #expect(try await test.articles(other).map(\.isChanged) == [true, true])
    _ = try await test.store.edit { try $0.actions.delete(united.map(\.id), now: noon) }
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test
  func
    `Scores are found in their index where the rows are lost, and what is marked has a former text`()
    async throws
  {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = try Store(folder: folder)
    try await store.edit { edit in
      let feed = try edit.feeds.subscribe(
        url: "http://example.org/a", isUserEntered: true, now: noon
      ).feed
      let page = PreparedPage(Page(entries: (0..<600).map { entry("\($0)", at: -$0) }))
      try edit.articles.merge(page, into: feed, at: .newest, now: noon)
    }
    try RawDatabase(folder).execute(
      "UPDATE articleStatus SET score = articleID % 7 - 3, isChanged = articleID % 5 = 0")
    try await store.tidy()
    let file = try DatabasePages(folder + "/telex.sqlite")
    let root = try #require(
      Int(
        try RawDatabase(folder).strings(
          "SELECT rootpage FROM sqlite_master WHERE name = 'articleStatus'")[0]))
    try file.overwrite(try #require(file.pages(from: root).last { $0.kind == .leaf }).number)
    let again = try Store(folder: folder)
    _ = try await again.edit { try $0.marks.set(.read(true), of: [ArticleID(1)], now: noon) }
    for number in 1...600 {
      let article = try #require(
        try await again.view { try $0.articles.article(ArticleID(Int64(number))) })
      #expect(article.score == number % 7 - 3 && !article.isChanged)
    }
    #expect(again.untoldRecovery != nil)
  }

  @Test func `What changed articles said before counts in what the store takes`() async throws {
    let test = try TestStore()
    let feed = try await feed(test)
    let before = String(repeating: "word ", count: 40) + UUID().uuidString
    try await test.merge([entry("a", content: before)], into: feed)
    let first = try await test.store.view {
      try ($0.retention.room(), $0.retention.estimatedBytes())
    }
    #expect(first.0.former == 0)
    try await test.merge([entry("a", content: "two")], into: feed)
    let second = try await test.store.view {
      try ($0.retention.room(), $0.retention.estimatedBytes())
    }
    #expect(second.0.former == first.0.feeds[0].bytes)
    #expect(second.0.feeds[0].bytes > second.0.former && second.1 > first.1)
  }
}
