internal import Foundation
internal import News
internal import Testing

@testable internal import Store

@Suite struct MergeTests {
  @Test func `An entry is inserted once, left alone while unchanged, and replaced when changed`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let old = entry("a", title: "Old", at: -50, content: "<p>old</p>")
    let first = try await test.merge([old], into: feed)
    #expect((first.inserted, first.updated, first.known) == (1, 0, 0))
    let second = try await test.merge([old], into: feed)
    #expect((second.inserted, second.updated, second.known) == (0, 0, 1))
    let before = try #require(try await test.articles(feed).first)

    let new = entry("a", title: "New", at: -50, content: "<p>new</p>")
    let third = try await test.merge([new], into: feed)
    #expect((third.inserted, third.updated, third.known) == (0, 1, 1))
    let after = try #require(try await test.articles(feed).first)
    #expect(after.id == before.id)
    #expect(after.entry == new)
    // It stays where it is: a correction must not move what is being looked at.
    #expect(after.position == before.position)
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `Everything an entry carries comes back`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let whole = Entry(
      id: "tag:x", url: "http://example.org/1", title: "T", authors: [Author("A"), Author("Ü")],
      published: noon + -9, updated: noon + -3, contentHTML: "<p>\u{1F600} body</p>",
      summary: "short",
      enclosures: [Enclosure(url: "http://e/1.mp3", type: "audio/mpeg", length: 7)],
      categories: [Category("news"), Category("swift")])
    try await test.merge([whole], into: feed)
    #expect(try await test.articles(feed).map(\.entry) == [whole])
  }

  @Test func `An older update never overwrites a newer one`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a", title: "Newer", at: -50, updated: -10)], into: feed)
    let result = try await test.merge(
      [entry("a", title: "Older", at: -50, updated: -20)], into: feed, at: .older)
    #expect(result.updated == 0)
    #expect(try await test.titles(feed) == ["Newer"])
    try await test.merge([entry("a", title: "Newest", at: -50, updated: -5)], into: feed)
    #expect(try await test.titles(feed) == ["Newest"])
  }

  /// A date of the year 2099, and a local time that is marked as UTC; corrected at once, and when the time that was
  /// stated is over.
  @Test(arguments: [(2_300_000_000, 60), (7_200, 60), (7_200, 10_800)])
  func `A date in the future is corrected by an earlier one`(ahead: Int, later: Int) async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a", title: "Right", at: -50, updated: -40)], into: feed)
    try await test.merge([entry("a", title: "Wrong", at: -50, updated: ahead)], into: feed)
    #expect(try await test.titles(feed) == ["Wrong"])
    let corrected = entry("a", title: "Corrected", at: -50, updated: -20)
    try await test.merge([corrected], into: feed, now: noon + later)
    #expect(try await test.titles(feed) == ["Corrected"])
    // From then on its dates count again.
    let old = entry("a", title: "Right", at: -50, updated: -40)
    try await test.merge([old], into: feed, now: noon + 2 * later)
    #expect(try await test.titles(feed) == ["Corrected"])
  }

  @Test func `Marks and the place of reading survive a change of the text`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a", at: -50)], into: feed)
    let id = try #require(try await test.articles(feed).first?.id)
    try await test.store.edit { edit in
      try edit.marks.set(.read(true), of: [id], now: noon)
      try edit.marks.set(.starred(true), of: [id], now: noon)
      try edit.marks.setReadingPosition(id, ReadingPosition(block: 3, offset: 4))
    }
    try await test.merge([entry("a", title: "changed", at: -50)], into: feed)
    let article = try #require(try await test.articles(feed).first)
    #expect(article.entry.title == "changed")
    #expect(article.status == ArticleStatus(isRead: true, isStarred: true))
    #expect(article.readingPosition == ReadingPosition(block: 3, offset: 4))
  }

  @Test func `Entries without a date keep the feed's order, refresh after refresh`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge(["c", "b", "a"].map { entry($0) }, into: feed)
    #expect(try await test.titles(feed) == ["c", "b", "a"])
    try await test.merge(["e", "d", "c", "b", "a"].map { entry($0) }, into: feed, now: noon + 60)
    #expect(try await test.titles(feed) == ["e", "d", "c", "b", "a"])
    try await test.merge(
      ["A", "B"].map { entry($0) }, into: feed, at: .older, now: noon + 90)
    #expect(try await test.titles(feed) == ["e", "d", "c", "b", "a", "A", "B"])
    try await test.merge(
      ["C", "D"].map { entry($0) }, into: feed, at: .older, now: noon + 95)
    #expect(try await test.titles(feed) == ["e", "d", "c", "b", "a", "A", "B", "C", "D"])
  }

  @Test func `A date that is still to come sorts as first seen`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("future", at: 86_400), entry("past", at: -1)], into: feed)
    let article = try #require(try await test.articles(feed).first)
    #expect(article.entry.title == "future")
    #expect(article.position.date == Int64(noon.timeIntervalSince1970))
    #expect(article.entry.published == noon + 86_400)
    guard case .article(let row)? = try await test.rows(TimelineQuery(.all)).first else {
      Issue.record("The list has no article.")
      return
    }
    #expect(row.position.date == Int64(noon.timeIntervalSince1970))
    #expect(row.date == Int64((noon + 86_400).timeIntervalSince1970), "It is shown as written.")
    try await test.merge([entry("later", at: 30)], into: feed, now: noon + 60)
    #expect(try await test.titles(feed) == ["later", "future", "past"])
  }

  @Test func `The cursor of the first page stays through a refresh, and follows older pages`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    func cursor() async throws -> String? {
      try await test.store.view { try $0.feeds.olderCursor(of: feed)?.rawValue }
    }
    func paging() async throws -> Paging? {
      try await test.store.view { try $0.feeds.feed(feed)?.state.paging }
    }
    #expect(try await paging() == .notStarted)
    try await test.merge([entry("b", at: -10)], next: "one", into: feed)
    #expect(try await (cursor(), paging()) == ("one", .more))
    try await test.merge([entry("a", at: -20)], next: "two", into: feed, at: .older)
    try await test.merge([entry("b", at: -10)], next: "one", into: feed)
    #expect(try await (cursor(), paging()) == ("two", .more))
    try await test.store.edit { try $0.fetches.recordPagingFailure(feed) }
    #expect(try await (cursor(), paging()) == ("two", .failed))
    try await test.merge([entry("Z", at: -30)], into: feed, at: .older)
    #expect(try await (cursor(), paging()) == (nil, .end))
  }

  @Test func `The validators of a body that has been replaced are gone with it`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let all = [
      Validators(etag: "\"1\"", lastModified: "Tue, 14 Nov 2023 10:00:00 GMT"),
      Validators(etag: "\"2\"", lastModified: "Tue, 14 Nov 2023 11:00:00 GMT"), Validators(),
    ]
    for (number, validators) in all.enumerated() {
      let page = PreparedPage(Page(entries: [entry("e\(number)", at: 0)], validators: validators))
      try await test.store.edit { try $0.articles.merge(page, into: feed, at: .newest, now: noon) }
      #expect(
        try await test.store.view { try $0.feeds.knownPage(of: feed, now: noon).validators }
          == validators
      )
    }
  }

  @Test(arguments: [
    ["Ada"], ["Ada", "Bo"], [], [""], ["", ""], ["A \"B\" C"], ["a\",\"b"], ["a, b", "]", "["],
    ["back\\slash"], ["AC/DC"], ["\u{301}acute", "日本", "👩‍👩‍👧"],
  ])
  func `A list of names is read as it was written`(_ names: [String]) {
    #expect(StringList.decode(StringList.encode(names)) == names)
    #expect(AuthorList.decode(AuthorList.encode(names.map { Author($0) })).map(\.name) == names)
  }

  @Test(arguments: [
    "", "[]", "null", "[1]", "[\"a\"", "\"a\"]", "[\"a\" \"b\"]", "[\"a\";\"b\"]", "{\"a\":\"b\"}",
  ])
  func `What is no list of names is none`(_ text: String) {
    #expect(StringList.decode(text) == [])
  }

  @Test func `What a feed says of itself is kept, and written when it says something else`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let raw = try RawDatabase(test.folder)
    try raw.execute("CREATE TABLE written (id INTEGER)")
    try raw.execute(
      """
      CREATE TRIGGER feedWritten AFTER UPDATE ON feed BEGIN INSERT INTO written VALUES (NEW.id); END
      """)
    func merged(_ description: FeedDescription?) async throws -> (Feed?, writes: Int) {
      let page = PreparedPage(Page(description: description))
      let found = try await test.store.edit { edit in
        try edit.articles.merge(page, into: feed, at: .newest, now: noon)
        return try edit.view.feeds.feed(feed)
      }
      return (found, try raw.strings("SELECT id FROM written").count)
    }
    var says = FeedDescription(
      format: .rss, title: "T", link: "https://example.org/", description: "Of things",
      language: "de", image: "https://example.org/i.png", icon: "https://example.org/i.ico",
      authors: [Author("Ada", email: "ada@example.org"), Author("Bo")], rights: "© Ada",
      movedTo: "https://new.example/f")
    let details = FeedDetails(
      image: says.image, icon: says.icon, authors: says.authors, rights: says.rights,
      movedTo: says.movedTo)
    for _ in 1...3 {
      let (stored, writes) = try await merged(says)
      #expect(stored?.details == details && stored?.language == "de" && writes == 1)
      #expect(stored?.movedTo == "https://new.example/f")
    }
    // A page without a word of the feed, as the API may send, takes nothing away.
    #expect(try await merged(nil).0?.details == details)
    says.rights = "© Bo"
    says.movedTo = nil
    says.description = nil
    let (changed, writes) = try await merged(says)
    #expect(changed?.details.rights == "© Bo" && changed?.movedTo == nil && writes == 2)
    #expect(changed?.description == "Of things", "as its title and page, it stays")
    #expect(try await merged(says).writes == 2)
    says.title = "U"
    #expect(try await merged(says).writes == 3)
    #expect(try await test.store.view { try $0.feeds.all().map(\.title) } == ["U"])
  }

  @Test func `A failed edit leaves nothing of itself`() async throws {
    struct Stop: Error {}
    let test = try TestStore()
    let feed = try await test.subscribe()
    await #expect(throws: (any Error).self) {
      try await test.store.edit { edit in
        try edit.articles.merge(
          PreparedPage(Page(entries: [entry("a")], nextCursor: Cursor("c"))), into: feed,
          at: .newest, now: noon)
        throw Stop()
      }
    }
    #expect(try await test.titles(feed) == [])
    #expect(try await test.store.view { try $0.feeds.olderCursor(of: feed) } == nil)
  }
}

@Suite struct GapTests {
  @Test func `A refresh that does not reach back leaves a gap between new and old`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a", at: -100)], next: "old", into: feed)
    try await test.merge([entry("z", at: -1), entry("y", at: -2)], next: "gap", into: feed)
    let rows = try await test.rows(TimelineQuery(.feed(feed)))
    #expect(rows.map(isGap) == [false, false, true, false])
    let gap = try #require(try await test.gaps(feed).first)
    #expect(gap.canLoad)
    #expect(rows[1].position == gap.newer)
    #expect(rows[3].position == gap.older)
  }

  @Test func `A gap shows in all lists that have the whole feed, at its place among others`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe(folders: ["F"])
    let other = try await test.subscribe("b")
    try await test.merge([entry("a", at: -100)], next: "old", into: feed)
    try await test.merge([entry("z", at: -1), entry("y", at: -50)], next: "gap", into: feed)
    try await test.merge([entry("above", at: -40), entry("below", at: -60)], into: other)
    func shapes(_ query: TimelineQuery) async throws -> [String] {
      try await test.rows(query).map { if case .article(let row) = $0 { row.title } else { "gap" } }
    }
    #expect(
      try await shapes(TimelineQuery(.all, mergesDuplicates: true))
        == ["z", "above", "y", "gap", "below", "a"])
    #expect(try await shapes(TimelineQuery(.folder("F"))) == ["z", "y", "gap", "a"])
    #expect(try await shapes(TimelineQuery(.feed(other))) == ["above", "below"])
    let query = try ArticleQuery("unread")
    for timeline in [Timeline.starred, .search("y"), .matching(query, in: .all)] {
      #expect(try await !shapes(TimelineQuery(timeline)).contains("gap"))
    }
    // A part of the list has the gaps that lie in it.
    var part = TimelineQuery(.all, anchor: .newest, olderCount: 2)
    #expect(try await shapes(part) == ["z", "above"])
    part.anchor = .oldest
    part.olderCount = 2
    #expect(try await shapes(part) == ["below", "a"])
    // The article above it was read, and it shows all the same.
    let all = try await test.rows(TimelineQuery(.all))
    let read = all.prefix(3).compactMap { row -> ArticleID? in
      if case .article(let row) = row { row.id } else { nil }
    }
    try await test.store.edit { try $0.marks.set(.read(true), of: read, now: noon) }
    #expect(try await shapes(TimelineQuery(.unread)) == ["gap", "below", "a"])
    try await test.store.edit { edit in
      var settings = FeedSettings()
      settings.isHidden = true
      try edit.feeds.setSettings(settings, of: feed)
    }
    #expect(try await shapes(TimelineQuery(.all)) == ["above", "below"])
    #expect(try await shapes(TimelineQuery(.feed(feed))) == ["z", "y", "gap", "a"])
  }

  /// As with dates that are yet to come, which count as the time at which an article came.
  @Test func `A refresh that does not reach back leaves a gap within one second too`() async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("b", at: 0), entry("a", at: 0)], into: feed)
    try await test.merge([entry("z", at: 0), entry("y", at: 0)], next: "rest", into: feed)
    let gap = try #require(try await test.gaps(feed).first)
    let rows = try await test.rows(TimelineQuery(.feed(feed), olderCount: 10))
    #expect(rows.map(isGap) == [false, false, true, false, false])
    try await test.merge([entry("x", at: 0), entry("b", at: 0)], into: feed, at: .gap(gap.id))
    #expect(try await test.gaps(feed) == [])
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `A page from the gap narrows it; one that reaches the old closes it`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a", at: -100)], next: "old", into: feed)
    try await test.merge([entry("z", at: -1)], next: "gap", into: feed)
    let gap = try #require(try await test.gaps(feed).first)
    try await test.merge([entry("m", at: -50)], next: "gap 2", into: feed, at: .gap(gap.id))
    let narrower = try #require(try await test.gaps(feed).first)
    #expect(narrower.newer.date == gap.newer.date - 49)
    #expect(narrower.older == gap.older)
    let cursor = try await test.store.view { try $0.feeds.gap(gap.id)?.cursor?.rawValue }
    #expect(cursor == "gap 2")
    try await test.merge(
      [entry("b", at: -90), entry("a", at: -100)], next: "more", into: feed, at: .gap(gap.id))
    #expect(try await test.gaps(feed) == [])
    #expect(try await test.titles(feed) == ["z", "m", "b", "a"])
    // The walk to the older pages is another matter.
    #expect(try await test.store.view { try $0.feeds.olderCursor(of: feed)?.rawValue } == "old")
  }

  @Test func `A source that ends inside a gap closes it`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a", at: -100)], into: feed)
    try await test.merge([entry("z", at: -1)], next: "gap", into: feed)
    let gap = try #require(try await test.gaps(feed).first)
    try await test.merge([entry("m", at: -50)], into: feed, at: .gap(gap.id))
    #expect(try await test.gaps(feed) == [])
  }

  @Test func `A refresh that reaches back leaves no gap`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a", at: -100)], next: "old", into: feed)
    try await test.merge([entry("z", at: -1), entry("a", at: -100)], next: "x", into: feed)
    #expect(try await test.gaps(feed) == [])
  }

  @Test func `An entry that stands twice in a page does not hide the gap`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a", at: -100)], next: "old", into: feed)
    let result = try await test.merge(
      [entry("z", at: -1), entry("z", at: -1)], next: "gap", into: feed)
    #expect((result.inserted, result.known) == (1, 0))
    let gap = try #require(try await test.gaps(feed).first)
    try await test.merge(
      [entry("m", at: -50), entry("m", at: -50)], next: "gap 2", into: feed, at: .gap(gap.id))
    #expect(try await test.gaps(feed).count == 1)
  }

  @Test func `A stored validator that cannot be sent does no harm`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([entry("a")], into: feed)
    try RawDatabase(test.folder).execute(
      "UPDATE feedState SET etag = '\"a' || char(13, 10) || 'X: y\"', lastModified = 'caf\u{E9}'")
    #expect(
      try await test.store.view { try $0.feeds.knownPage(of: feed, now: noon).validators.isEmpty })
  }

  private func isGap(_ row: TimelineRow) -> Bool { if case .gap = row { true } else { false } }
}
