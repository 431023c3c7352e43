internal import Foundation
internal import GRDB
internal import News
internal import Testing

@testable internal import Store

/// What is set for single feeds, as far as the store keeps to it.
@Suite struct FeedSettingsTests {
  @Test func `What is set is kept, and nothing is kept where nothing is set`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    var settings = FeedSettings()
    settings.interval = 1_800
    settings.isPaused = true
    settings.isSilent = true
    settings.update = .unread
    settings.browser = "lynx %u"
    settings.userAgent = "Mozilla/5.0"
    settings.headers = [RequestHeader("X-A", "b; c")]
    try await test.store.edit { [settings] in try $0.feeds.setSettings(settings, of: feed) }
    let again = try Store(folder: test.folder)
    #expect(try await again.view { try $0.feeds.feed(feed)?.settings } == settings)
    try await again.edit { try $0.feeds.setSettings(FeedSettings(), of: feed) }
    #expect(try RawDatabase(test.folder).strings("SELECT settings FROM feed") == ["-"])
    // What a later version has set, or a damaged file has, is no reason to lose the feed.
    for text in [#"{"hidden":true,"later":1}"#, "{", "7"] {
      try RawDatabase(test.folder).execute("UPDATE feed SET settings = ?", [text])
      let found = try await test.store.view { view in
        (
          try view.feeds.feed(feed)?.settings.isHidden,
          try view.timeline.slice(TimelineQuery(.all)).rows.count
        )
      }
      #expect(found.0 == text.contains("hidden"))
    }
  }

  @Test func `An address that stood for a feed does so still when a setting is taken back`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    var settings = FeedSettings()
    settings.isPaused = true
    try await test.store.edit { [settings] edit in
      try edit.actions.set(settings, of: feed, now: noon)
      try edit.feeds.move(feed, to: "http://example.org/moved")
      try edit.feeds.move(feed, to: "http://example.org/again")
      #expect(try edit.journal.undo(now: noon)?.kind == .setFeed)
    }
    let kept = try await test.store.view { try $0.feeds.feed(feed)?.settings }
    #expect(kept?.isPaused == false)
    #expect(kept?.otherURLs == ["http://example.org/a", "http://example.org/moved"])
  }

  @Test func `A feed is found by the addresses that it had, but not by that of another one`()
    async throws
  {
    let test = try TestStore()
    let (feed, other) = (try await test.subscribe(), try await test.subscribe("b"))
    try await test.store.edit { edit in
      try edit.feeds.move(feed, to: "http://example.org/moved")
      try edit.feeds.move(feed, to: "http://example.org/again")
      try edit.feeds.noteOtherURL("http://example.org/b", of: feed)
    }
    try await test.merge([entry("one", at: -1)], into: feed)
    try await test.merge([entry("two", at: -1)], into: other)
    #expect(
      try await test.store.view { try $0.feeds.presentURLs() } == [
        "http://example.org/a": "http://example.org/again",
        "http://example.org/moved": "http://example.org/again",
      ])
    let query = try ArticleQuery(#"feed:/^http:..example.org.moved$/"#)
    #expect(try await test.rows(TimelineQuery(.matching(query, in: .all))).count == 1)
  }

  @Test func `A hidden feed is left out of All and Unread, and of their counts`() async throws {
    let test = try TestStore()
    let (shown, hidden) = (
      try await test.subscribe(), try await test.subscribe("b", folders: ["F"])
    )
    var both = entry("both", at: -2)
    both.url = "https://example.org/both"
    // The hidden feed has brought it first.
    try await test.merge([both, entry("h", at: -1)], into: hidden)
    try await test.merge([both, entry("s", at: -3), entry("r", at: -4)], into: shown)
    let ids = try await test.articles(shown).map(\.id)
    try await test.store.edit { edit in
      try edit.marks.set(.read(true), of: [ids[2]], now: noon)
      var settings = FeedSettings()
      settings.isHidden = true
      try edit.feeds.setSettings(settings, of: hidden)
    }
    func titles(_ timeline: Timeline, isMerged: Bool = true) async throws -> [String] {
      try await test.rows(TimelineQuery(timeline, mergesDuplicates: isMerged)).compactMap {
        if case .article(let row) = $0 { row.title } else { nil }
      }
    }
    func counts(_ timeline: Timeline, isMerged: Bool = true) async throws -> [Int] {
      let counts = try await test.store.view {
        try $0.timeline.counts(of: timeline, isMerged: isMerged)
      }
      return [counts.total, counts.unread]
    }
    // What both bring is shown: the first of the two is not.
    #expect(try await titles(.all) == ["both", "s", "r"])
    #expect(try await counts(.all) == [3, 2])
    #expect(try await counts(.all, isMerged: false) == [3, 2])
    #expect(try await titles(.unread) == ["both", "s"])
    #expect(try await counts(.unread) == [2, 2])
    #expect(try await titles(.feed(hidden)) == ["h", "both"])
    #expect(try await titles(.folder("F")) == ["h", "both"])
    #expect(try await titles(.search("h")) == ["h"])
    let query = Timeline.matching(try ArticleQuery("unread"), in: .all)
    #expect(try await titles(query).sorted() == ["both", "h", "s"])
    #expect(try await test.store.view { try $0.articles.countsOfShown().unread } == 2)
    // All of what is shown is marked, and nothing else.
    _ = try await test.store.edit { try $0.marks.markAllRead(.all, notNewerThan: nil, now: noon) }
    #expect(try await counts(.feed(hidden)) == [2, 1])
    let arrived = try await test.store.view {
      try $0.timeline.arrivals(TimelineQuery(.all, arrivedAfter: 0)).articles.count
    }
    #expect(arrived == 3)
  }

  @Test(arguments: [true, false])
  func `A changed article is unread again where its feed is set so`(isSet: Bool) async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a", content: "one")], into: feed)
    let id = try await test.articles(feed)[0].id
    try await test.store.edit { edit in
      try edit.marks.set(.read(true), of: [id], now: noon)
      var settings = FeedSettings()
      settings.update = isSet ? .unread : .nothing
      try edit.feeds.setSettings(settings, of: feed)
    }
    try await test.merge([entry("a", content: "one")], into: feed)
    #expect(try await test.articles(feed)[0].status.isRead)
    try await test.merge([entry("a", content: "two")], into: feed)
    #expect(try await test.articles(feed)[0].status.isRead == !isSet)
  }
}
