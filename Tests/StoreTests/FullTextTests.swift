internal import Foundation
internal import GRDB
internal import News
internal import TestSupport
internal import Testing

@testable internal import Store

/// The articles of pages, kept beside what feeds say.
@Suite struct FullTextTests {
  private static let page = "http://example.org/page"

  private func linkedEntry(_ id: String = "a", _ url: String = page) -> Entry {
    var entry = entry(id, content: "<p>A teaser of it</p>")
    entry.url = url
    return entry
  }

  /// The error of the last attempt to fetch the page of the only article that has one.
  private func failure(in test: borrowing TestStore) async throws -> SourceError? {
    try await test.store.view {
      StoredError.decode(try String.fetchOne($0.db, sql: "SELECT error FROM fullText"))
    }
  }

  private func text(_ html: String = "<p>The <b>lighthouse</b> in whole</p>") -> FullText {
    FullText(
      url: "http://example.org/moved", html: html, title: "T", byline: "B", siteName: "S",
      picture: "http://example.org/p.png", language: "en", published: noon, pages: 2,
      fetched: noon + 5)
  }

  private func count(_ words: String, _ test: borrowing TestStore) async throws -> Int {
    try await test.rows(TimelineQuery(.search(words))).count
  }

  /// A feed with one article, whose page is kept.
  private func kept(_ test: borrowing TestStore) async throws -> (FeedID, ArticleID) {
    let feed = try await test.subscribe()
    try await test.merge([linkedEntry()], into: feed)
    let id = try #require(try await test.articles(feed).first).id
    let text = text()
    #expect(
      try await test.store.edit { try $0.fullTexts.keep(text, of: id, page: Self.page, now: noon) })
    return (feed, id)
  }

  @Test func `The full text of an article is kept as it was and found beside the feed's`()
    async throws
  {
    let test = try TestStore()
    let (feed, id) = try await kept(test)
    #expect(try await test.articles(feed)[0].fullText == text())
    #expect(try await test.articles(feed)[0].entry.contentHTML == "<p>A teaser of it</p>")
    #expect(try await count("lighthouse whole", test) == 1)
    #expect(try await count("teaser lighthouse", test) == 1)
    let slice = try await test.store.view { view in
      let query = TimelineQuery(.search("lighthouse"))
      return try view.search.snippets(of: view.timeline.slice(query), for: query)
    }
    #expect(slice[id]?.parts.contains { $0.text == "lighthouse" && $0.isHit } == true)
    let raw = try RawDatabase(test.folder)
    let long = text("<p>\(String(repeating: "again ", count: 1_000))</p>")
    try await test.store.edit { try $0.fullTexts.keep(long, of: id, page: Self.page, now: noon) }
    #expect(try await count("lighthouse", test) == 0)
    #expect(try await count("again", test) == 1)
    #expect(try raw.strings("SELECT length(content) < 500 FROM fullText") == ["1"])
    #expect(try raw.problems() == [])
  }

  @Test func `What the user reads of an article is stored`() async throws {
    let test = try TestStore()
    let (feed, id) = try await kept(test)
    #expect(try await test.articles(feed)[0].shownFullText != nil)
    func written() async throws -> String? {
      try await test.store.view { view in
        let slice = try view.timeline.slice(TimelineQuery(.feed(feed)))
        let rows = slice.rows.compactMap { if case .article(let row) = $0 { row } else { nil } }
        return try view.timeline.listed(rows, withText: true).first?.entry.contentHTML
      }
    }
    #expect(try await written() == text().html)
    try await test.store.edit { try $0.fullTexts.show(false, of: id) }
    #expect(try await written() == "<p>A teaser of it</p>")
    #expect(try await test.articles(feed)[0].shownHTML == "<p>A teaser of it</p>")
    #expect(try await test.articles(feed)[0].shownFullText == nil)
    #expect(try await test.articles(feed)[0].fullText != nil)
  }

  @Test func `A feed that changes an article keeps its full text unless the address is another`()
    async throws
  {
    let test = try TestStore()
    let (feed, id) = try await kept(test)
    let raw = try RawDatabase(test.folder)
    var changed = linkedEntry()
    changed.contentHTML = "<p>Another start</p>"
    try await test.merge([changed], into: feed)
    #expect(try await test.articles(feed)[0].fullText == text())
    #expect(try await count("another lighthouse", test) == 1)
    #expect(try await count("teaser", test) == 0)
    #expect(try raw.problems() == [])
    changed.url = "http://example.org/elsewhere"
    try await test.merge([changed], into: feed)
    #expect(try await test.articles(feed)[0].fullText == nil)
    #expect(try await count("lighthouse", test) == 0)
    #expect(try await count("another", test) == 1)
    #expect(try raw.strings("SELECT * FROM fullText") == [])
    // What was on its way for the former address is not kept.
    let late = text()
    #expect(
      try await test.store.edit { try $0.fullTexts.keep(late, of: id, page: Self.page, now: noon) }
        == false)
    #expect(try raw.problems() == [])
  }

  @Test func `A full text goes with its article and comes back with it`() async throws {
    let test = try TestStore()
    let (feed, id) = try await kept(test)
    let raw = try RawDatabase(test.folder)
    #expect(try await test.store.edit { try $0.actions.delete([id], now: noon).count } == 1)
    #expect(try await count("lighthouse", test) == 0)
    #expect(try raw.strings("SELECT * FROM fullText") == [])
    try await test.store.edit { _ = try $0.journal.undo(now: noon) }
    #expect(try await test.articles(feed)[0].fullText == text())
    #expect(try await count("lighthouse", test) == 1)
    #expect(try raw.problems() == [])
    try await test.store.edit { try $0.feeds.unsubscribe(feed) }
    #expect(try raw.strings("SELECT * FROM fullText") == [])
    #expect(try await count("lighthouse", test) == 0)
    #expect(try raw.problems() == [])
  }

  @Test func `What full texts take is counted`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([linkedEntry()], into: feed)
    let id = try await test.articles(feed)[0].id
    let before = try await test.store.view {
      try ($0.retention.room(), $0.retention.estimatedBytes())
    }
    #expect(before.0.full == 0)
    var letters = SplitMix(seed: 1)
    let words = (0..<4_000).map { _ in String(letters.next(), radix: 36) }
    let long = text(words.joined(separator: " "))
    try await test.store.edit { try $0.fullTexts.keep(long, of: id, page: Self.page, now: noon) }
    let room = try await test.store.view { try $0.retention.room() }
    #expect(room.full > 20_000)
    #expect(room.feeds[0].bytes == before.0.feeds[0].bytes + room.full)
    #expect(try await test.store.view { try $0.retention.estimatedBytes() } > before.1 + room.full)
  }

  @Test func `A page that failed before the clock was set back is wanted again`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([linkedEntry()], into: feed)
    let id = try await test.articles(feed)[0].id
    let error = SourceError(
      .status, stage: .fetch, subject: "example.org", message: "the server said 503", status: 503)
    let ahead = noon.addingTimeInterval(20 * 365 * 86_400)
    try await test.store.edit {
      try $0.fullTexts.noteFailure(error, of: id, page: Self.page, now: ahead)
    }
    let wanted = try await test.store.view {
      try $0.fullTexts.wanted(of: [feed], limit: 10, now: noon).map(\.article)
    }
    #expect(wanted == [id])
  }

  @Test func `A page that could not be fetched is wanted again later, and not for ever`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge(
      [linkedEntry("a"), linkedEntry("b", "http://example.org/b"), entry("c")], into: feed)
    func wanted(_ time: Date) async throws -> [String] {
      try await test.store.view {
        try $0.fullTexts.wanted(of: [feed], limit: 10, now: time).map(\.url)
      }
    }
    #expect(try await Set(wanted(noon)) == [Self.page, "http://example.org/b"])
    #expect(
      try await test.store.view { try $0.fullTexts.wanted(of: [feed], limit: 1, now: noon) }.count
        == 1)
    let id = try #require(try await test.articles(feed).first { $0.entry.url == Self.page }).id
    let error = SourceError(
      .status, stage: .fetch, subject: "example.org", message: "the server said 503", status: 503)
    var time = noon
    let waits: [TimeInterval] = [3_600, 14_400, 57_600, 230_400]
    for wait in waits {
      try await test.store.edit { [time] in
        try $0.fullTexts.noteFailure(error, of: id, page: Self.page, now: time)
      }
      #expect(try await wanted(time + wait - 1) == ["http://example.org/b"])
      time += wait
      #expect(try await wanted(time).count == 2)
    }
    #expect(try await failure(in: test) == error)
    try await test.store.edit { [time] in
      try $0.fullTexts.noteFailure(error, of: id, page: Self.page, now: time)
    }
    #expect(try await wanted(time + 1e8) == ["http://example.org/b"])
    #expect(try await test.articles(feed).allSatisfy { $0.fullText == nil })
    // The user may ask all the same.
    let text = text()
    try await test.store.edit { try $0.fullTexts.keep(text, of: id, page: Self.page, now: noon) }
    #expect(try await failure(in: test) == nil)
    // A failure later leaves what is there.
    try await test.store.edit {
      try $0.fullTexts.noteFailure(error, of: id, page: Self.page, now: noon)
    }
    #expect(try await test.store.view { try $0.fullTexts.text(of: id) } == text)
    // What is read is not wanted.
    let other = try #require(try await test.articles(feed).first { $0.entry.id == "b" }).id
    try await test.store.edit { try $0.marks.set(.read(true), of: [other], now: noon) }
    #expect(try await wanted(noon + 1e8).isEmpty)
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `Two feeds that become one keep the full text of either`() async throws {
    let test = try TestStore()
    let (feed, _) = try await kept(test)
    let other = try await test.subscribe("b")
    try await test.merge([linkedEntry()], into: other)
    try await test.store.edit { try FeedUnion(edit: $0, now: noon).unite(feed, into: other) }
    #expect(try await test.articles(other).map(\.fullText) == [text()])
    #expect(try await count("lighthouse", test) == 1)
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `A page that is saved waits for its text, and stays whatever the bounds are`()
    async throws
  {
    let test = try TestStore()
    let saved = try await test.store.edit {
      try $0.savedPages.save(Self.page, title: "example.org/page", isTyped: true, now: noon)
    }
    #expect(!saved.hasText)
    func waiting(_ time: Date) async throws -> [WantedFullText] {
      try await test.store.view { try $0.savedPages.waiting(limit: 5, now: time) }
    }
    let feed = try #require(try await test.store.view { try $0.feeds.all() }.first)
    #expect(feed.isSaved && feed.displayTitle == "Saved")
    #expect(
      try await waiting(noon) == [
        WantedFullText(article: saved.article, feed: feed.id, url: Self.page, isTyped: true)
      ])
    let error = SourceError(.status, stage: .fetch, subject: "example.org", message: "503")
    try await test.store.edit {
      try $0.fullTexts.noteFailure(error, of: saved.article, page: Self.page, now: noon)
    }
    #expect(try await waiting(noon + 10).isEmpty)
    #expect(try await waiting(noon + 3_600).map(\.isTyped) == [true])
    // The user asks again.
    let again = try await test.store.edit {
      try $0.savedPages.save(Self.page, title: "x", isTyped: true, now: noon + 20)
    }
    #expect(again.article == saved.article)
    #expect(try await waiting(noon + 20).count == 1)
    let text = text()
    try await test.store.edit {
      try $0.savedPages.keep(text, excerpt: "E", of: saved.article, page: Self.page, now: noon + 30)
    }
    #expect(try await waiting(noon + 1e8).isEmpty)
    let article = try #require(try await test.articles(feed.id).first)
    #expect(article.entry.title == "T" && article.entry.authors.map(\.name) == ["B"])
    #expect(article.shownFullText == text)
    #expect(try await count("lighthouse", test) == 1)
    try await test.store.edit { try $0.marks.set(.read(true), of: [article.id], now: noon) }
    let retention = Retention(age: 1, articlesPerFeed: 0, bytes: 1)
    #expect(
      try await test.store.view { try $0.retention.articles(beyond: retention, now: noon + 1e9) }
        .isEmpty)
    #expect(try RawDatabase(test.folder).problems() == [])
  }
}
