internal import Foundation
internal import News
internal import Store
internal import Testing

private func linked(
  _ id: String, _ url: String?, title: String? = nil, at seconds: Int? = nil,
  content: String? = nil
) -> Entry {
  var new = entry(id, title: title, at: seconds, content: content)
  new.url = url
  return new
}

/// One article of a feed under two ids.
@Suite struct EntryIdentityTests {
  @Test func `A feed that is stored with a host outside ASCII is the one with its ASCII form`()
    async throws
  {
    let test = try TestStore()
    func subscribe(_ url: String) async throws -> (feed: FeedID, isNew: Bool) {
      try await test.store.edit { try $0.subscribe(url: url, isTyped: true, now: noon) }
    }
    let old = try await subscribe("https://bücher.example/f")
    let same = try await subscribe("https://xn--bcher-kva.example/f")
    #expect(same.feed == old.feed && !same.isNew)
    #expect(try await subscribe("https://xn--bcher-kva.example/g").isNew)
    #expect(try await subscribe("https://xn--bcher-kva.example/g").isNew == false)
  }

  @Test(arguments: [
    (
      "a guid that changes", linked("1", "https://example.org/a", title: "A", at: -50),
      linked("2", "https://example.org/a", title: "A", at: -50)
    ),
    (
      "a guid that changes with the title",
      linked("1", "https://example.org/a", title: "A", at: -50),
      linked("2", "https://example.org/a", title: "A, corrected", at: -50)
    ),
    (
      "no date", linked("1", "https://example.org/a", title: "A"),
      linked("2", "https://example.org/a", title: "A")
    ),
    (
      "a link that moves to https",
      linked("http://example.org/a", "http://example.org/a", title: "A"),
      linked("https://www.example.org/a/", "https://www.example.org/a/", title: "A")
    ),
    (
      "a page that moves",
      linked("https://example.org/a", "https://example.org/a", title: "A", at: -50),
      linked("https://example.org/new/a", "https://example.org/new/a", title: "A", at: -50)
    ),
    (
      "no link and no id of its own", linked("telex:1", nil, title: "A", at: -50),
      linked("telex:2", nil, title: "A", at: -50)
    ),
  ])
  func `An article that comes under another id stays the same`(
    _ reason: String, _ old: Entry, _ new: Entry
  ) async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge([old], into: feed)
    let id = try #require(try await test.articles(feed).first?.id)
    try await test.store.edit { try $0.setRead([id], true, now: noon) }
    let result = try await test.merge([new], into: feed)
    #expect((result.inserted, result.known) == (0, 1), "\(reason)")
    let articles = try await test.articles(feed)
    #expect(articles.map(\.id) == [id])
    #expect(articles.first?.entry == new)
    #expect(articles.first?.status.isRead == true)
    // Known by its new id from now on.
    let again = try await test.merge([new], into: feed)
    #expect((again.inserted, again.updated, again.known) == (0, 0, 1))
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test(arguments: [
    (
      "both are in the page",
      [linked("1", "https://example.org/a", title: "A", at: -50)],
      [
        linked("2", "https://example.org/a", title: "A", at: -50),
        linked("1", "https://example.org/a", title: "A", at: -50),
      ]
    ),
    (
      "another title and another date",
      [linked("1", "https://example.org/live", title: "Morning", at: -50)],
      [linked("2", "https://example.org/live", title: "Evening", at: -10)]
    ),
    (
      "the front page is no link",
      [linked("1", "https://example.org/", title: "Open thread", at: -50)],
      [linked("2", "https://example.org/", title: "Open thread", at: -10)]
    ),
    (
      "another guid and another link at the same moment",
      [linked("1", "https://example.org/1", title: "Photo", at: -50)],
      [linked("2", "https://example.org/2", title: "Photo", at: -50)]
    ),
    (
      "the picture of the day",
      [linked("1", "https://example.org/today", title: "Picture of the day", at: -90_000)],
      [linked("2", "https://example.org/today", title: "Picture of the day", at: -50)]
    ),
    (
      "the picture of the day, without a date",
      [linked("1", "https://example.org/today", title: "Picture", content: "<p>a</p>")],
      [linked("2", "https://example.org/today", title: "Picture", content: "<p>b</p>")]
    ),
    (
      "another page of the same site",
      [linked("1", "https://example.org/?p=1", title: "Weekly", at: -50)],
      [linked("2", "https://example.org/?p=2", title: "Weekly", at: -10)]
    ),
    (
      "a title without a date", [linked("1", nil, title: "Weekly")],
      [linked("2", nil, title: "Weekly")]
    ),
  ])
  func `Articles that only look alike stay apart`(
    _ reason: String, _ old: [Entry], _ new: [Entry]
  ) async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge(old, into: feed)
    try await test.merge(new, into: feed)
    #expect(try await test.articles(feed).count == 2, "\(reason)")
  }

  @Test func `Of two articles that might be it, neither is`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge(
      [
        linked("1", "https://example.org/a", title: "A", at: -50),
        linked("2", "https://example.org/a", title: "A", at: -40),
      ], into: feed)
    try await test.merge([linked("3", "https://example.org/a", title: "A", at: -30)], into: feed)
    #expect(try await test.articles(feed).count == 3)
  }
}

/// One article in several feeds.
@Suite struct DuplicateTests {
  private static let shared = linked(
    "guid", "https://example.org/a?utm_source=rss", title: "Shared", at: -50)
  private static let copy = linked(
    "other", "http://www.example.org/a/?utm_medium=feed", title: "Shared", at: -45)
  private static let merged = TimelineQuery(.all, mergesDuplicates: true)

  private func rows(_ test: borrowing TestStore, _ query: TimelineQuery) async throws
    -> [ArticleRow]
  {
    try await test.rows(query).compactMap { if case .article(let row) = $0 { row } else { nil } }
  }

  @Test func `The second is known as such, in its own feed and not beside the first`()
    async throws
  {
    let test = try TestStore()
    let (one, two) = (try await test.subscribe("1"), try await test.subscribe("2"))
    try await test.merge([Self.shared], into: one)
    try await test.merge([Self.copy, entry("own", at: -60)], into: two)
    let first = try #require(try await test.articles(one).first)
    #expect(try await rows(test, Self.merged).map(\.title) == ["Shared", "own"])
    #expect(
      try await rows(test, TimelineQuery(.feed(two))).map(\.duplicateOf) == [first.id, nil])
    // A script sees all there is.
    #expect(try await rows(test, TimelineQuery(.all)).count == 3)
    #expect(first.otherFeeds == ["http://example.org/2"])
    let counts = try await test.store.view {
      (try $0.counts(of: .all, isMerged: true), try $0.counts(of: .feed(two)))
    }
    #expect((counts.0.total, counts.0.unread) == (2, 2))
    #expect((counts.1.total, counts.1.unread) == (2, 2))
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test(arguments: [true, false])
  func `Read in one feed is read in the others, and unread too`(marksFirst: Bool) async throws {
    let test = try TestStore()
    let (one, two) = (try await test.subscribe("1"), try await test.subscribe("2"))
    try await test.merge([Self.shared], into: one)
    try await test.merge([Self.copy], into: two)
    let id = try #require(try await test.articles(marksFirst ? one : two).first?.id)
    for isRead in [true, false] {
      try await test.store.edit { try $0.setRead([id], isRead, now: noon) }
      let marks = [
        try await test.articles(one).first?.status.isRead,
        try await test.articles(two).first?.status.isRead,
      ]
      #expect(marks == [isRead, isRead])
    }
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test(arguments: [true, false])
  func `Marking all of a feed reaches the others, and undo takes it back`(marksFirst: Bool)
    async throws
  {
    let test = try TestStore()
    let (one, two) = (try await test.subscribe("1"), try await test.subscribe("2"))
    try await test.merge([Self.shared], into: one)
    try await test.merge([Self.copy, entry("own", at: -60)], into: two)
    try await test.store.edit {
      _ = try $0.markAllRead(.feed(marksFirst ? one : two), notNewerThan: nil, now: noon)
    }
    #expect(try await test.articles(one).map(\.status.isRead) == [true])
    #expect(try await test.articles(two).map(\.status.isRead) == [true, !marksFirst])
    try await test.store.edit { _ = try $0.undoMarkAllRead(now: noon) }
    #expect(try await test.articles(one).map(\.status.isRead) == [false])
    #expect(try await test.articles(two).map(\.status.isRead) == [false, false])
  }

  @Test func `What has been read elsewhere arrives read`() async throws {
    let test = try TestStore()
    let (one, two) = (try await test.subscribe("1"), try await test.subscribe("2"))
    try await test.merge([Self.shared], into: one)
    let id = try #require(try await test.articles(one).first?.id)
    try await test.store.edit { try $0.setRead([id], true, now: noon) }
    try await test.merge([Self.copy], into: two)
    #expect(try await test.articles(two).map(\.status.isRead) == [true])
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `When the first of three goes, the second stands for the third`() async throws {
    let test = try TestStore()
    let feeds = [
      try await test.subscribe("1"), try await test.subscribe("2"), try await test.subscribe("3"),
    ]
    for feed in feeds { try await test.merge([Self.shared], into: feed) }
    try await test.store.edit { try $0.unsubscribe(feeds[0]) }
    let second = try #require(try await test.articles(feeds[1]).first)
    #expect(
      try await rows(test, TimelineQuery(.feed(feeds[2]))).map(\.duplicateOf) == [second.id])
    #expect(try await rows(test, Self.merged).map(\.id) == [second.id])
  }

  @Test func `An article is no duplicate of its own feed's, though another feed has both`()
    async throws
  {
    let test = try TestStore()
    let (one, two) = (try await test.subscribe("1"), try await test.subscribe("2"))
    let later = linked("later", "https://example.org/a", title: "Shared", at: -40)
    try await test.merge([Self.shared], into: one)
    try await test.merge([Self.copy], into: two)
    try await test.merge([later, Self.shared], into: one)
    #expect(
      try await rows(test, TimelineQuery(.feed(one))).map(\.duplicateOf) == [nil, nil])
  }

  @Test func `A search finds what only one of them says`() async throws {
    let test = try TestStore()
    let (one, two) = (try await test.subscribe("1"), try await test.subscribe("2"))
    var full = Self.copy
    full.contentHTML = "<p>a zebra</p>"
    try await test.merge([Self.shared], into: one)
    try await test.merge([full], into: two)
    let query = TimelineQuery(.search("zebra"), mergesDuplicates: true)
    #expect(try await rows(test, query).map(\.feedID) == [two])
  }

  @Test func `When the first goes with its feed, the second takes its place`() async throws {
    let test = try TestStore()
    let (one, two) = (try await test.subscribe("1"), try await test.subscribe("2"))
    try await test.merge([Self.shared], into: one)
    try await test.merge([Self.copy], into: two)
    try await test.store.edit { try $0.unsubscribe(one) }
    let rows = try await rows(test, Self.merged)
    #expect(rows.map(\.title) == ["Shared"] && rows.map(\.duplicateOf) == [nil])
  }

  @Test(arguments: [
    ("another title", linked("x", "https://example.org/a", title: "What others say of it")),
    ("another page", linked("x", "https://example.org/b", title: "Shared")),
    ("another anchor", linked("x", "https://example.org/a#comment-1", title: "Shared")),
    ("no link", linked("x", nil, title: "Shared", at: -50)),
    ("another day", linked("x", "https://example.org/a", title: "Shared", at: -200_000)),
  ])
  func `What only looks alike is no duplicate`(_ reason: String, _ other: Entry) async throws {
    let test = try TestStore()
    let (one, two) = (try await test.subscribe("1"), try await test.subscribe("2"))
    try await test.merge([Self.shared], into: one)
    try await test.merge([other], into: two)
    #expect(try await rows(test, Self.merged).count == 2, "\(reason)")
  }

  @Test func `The same id behind the same link is enough`() async throws {
    let test = try TestStore()
    let (one, two) = (try await test.subscribe("1"), try await test.subscribe("2"))
    try await test.merge([Self.shared], into: one)
    try await test.merge(
      [linked("guid", "https://example.org/a", title: "Ann: Shared")], into: two)
    #expect(try await rows(test, Self.merged).count == 1)
  }
}
