internal import News
internal import Store
internal import Testing

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
      (try $0.timeline.counts(of: .all, isMerged: true), try $0.timeline.counts(of: .feed(two)))
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
      try await test.store.edit { try $0.marks.set(.read(isRead), of: [id], now: noon) }
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
      _ = try $0.marks.markAllRead(.feed(marksFirst ? one : two), notNewerThan: nil, now: noon)
    }
    #expect(try await test.articles(one).map(\.status.isRead) == [true])
    #expect(try await test.articles(two).map(\.status.isRead) == [true, !marksFirst])
    try await test.store.edit { _ = try $0.undone(now: noon) }
    #expect(try await test.articles(one).map(\.status.isRead) == [false])
    #expect(try await test.articles(two).map(\.status.isRead) == [false, false])
  }

  @Test func `What has been read elsewhere arrives read`() async throws {
    let test = try TestStore()
    let (one, two) = (try await test.subscribe("1"), try await test.subscribe("2"))
    try await test.merge([Self.shared], into: one)
    let id = try #require(try await test.articles(one).first?.id)
    try await test.store.edit { try $0.marks.set(.read(true), of: [id], now: noon) }
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
    try await test.store.edit { try $0.feeds.unsubscribe(feeds[0]) }
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

  /// Reports of one page, which several feeds of a site bring.
  private static let ticker = [("8:00", -7500), ("9:30", -2100)].map { time, second in
    linked(
      time, "https://example.org/traffic", title: "Traffic", at: second, content: "<p>\(time)</p>")
  }

  @Test(arguments: [false, true])
  func `Of several with one link each stands behind its own`(isReversed: Bool) async throws {
    let test = try TestStore()
    let (one, two) = (try await test.subscribe("1"), try await test.subscribe("2"))
    try await test.merge(Self.ticker, into: one)
    try await test.merge(isReversed ? Self.ticker.reversed() : Self.ticker, into: two)
    let originals = Dictionary(
      uniqueKeysWithValues: try await test.articles(one).map { ($0.entry.id, $0.id) })
    let copies = try await test.articles(two).map { ($0.entry.id, $0.id) }
    let rows = try await rows(test, TimelineQuery(.feed(two)))
    for (id, copy) in copies {
      let row = try #require(rows.first { $0.id == copy })
      #expect(row.duplicateOf != nil && row.duplicateOf == originals[id])
    }
  }

  @Test(arguments: [false, true])
  func `Two of one feed are not both hidden behind one of another`(comesAtOnce: Bool) async throws {
    let test = try TestStore()
    let (one, two) = (try await test.subscribe("1"), try await test.subscribe("2"))
    let first = linked("7:00", "https://example.org/traffic", title: "Traffic", at: -11_100)
    try await test.merge([first], into: one)
    let id = try #require(try await test.articles(one).first?.id)
    try await test.store.edit { try $0.marks.set(.read(true), of: [id], now: noon) }
    if comesAtOnce {
      try await test.merge(Self.ticker, into: two)
    } else {
      for entry in Self.ticker { try await test.merge([entry], into: two) }
    }
    let rows = try await rows(test, TimelineQuery(.feed(two)))
    #expect(rows.count { $0.duplicateOf != nil } == (comesAtOnce ? 0 : 1))
    #expect(rows.contains { !$0.status.isRead })
  }

  /// A podcast and its mirror: all episodes lead to the page of the show, and all have one title. The
  /// mirror's dates lie a minute beside, or its ids are its own.
  @Test(arguments: [true, false], [false, true])
  func `Of thousands with one link each stands behind its own`(
    sharesIDs: Bool, isReversed: Bool
  ) async throws {
    let test = try TestStore()
    let (one, two) = (try await test.subscribe("1"), try await test.subscribe("2"))
    func episodes(_ mark: String, _ second: Int) -> [Entry] {
      (0..<3000).map {
        linked(
          "\(mark)\($0)", "https://example.org/show", title: "Episode",
          at: second - $0 * 3701)
      }
    }
    let mirrored = sharesIDs ? episodes("", -160) : episodes("m", -100)
    try await test.merge(episodes("", -100), into: one)
    try await test.merge(isReversed ? mirrored.reversed() : mirrored, into: two)
    let pairs = try RawDatabase(test.folder).strings(
      """
      SELECT copy.entryID, original.entryID FROM article AS copy
        JOIN articleStatus ON articleStatus.articleID = copy.id
        LEFT JOIN article AS original ON original.id = articleStatus.duplicateOf
      WHERE copy.feedID = \(two.rawValue)
      """)
    let own = (0..<3000).map { sharesIDs ? "\($0)|\($0)" : "m\($0)|\($0)" }
    #expect(pairs.count == own.count && Set(pairs) == Set(own))
  }

  /// Feeds with the link once and more often, before and after the feed's own.
  @Test(arguments: [0, 1, 2], [1, 2])
  func `A date to the second is enough for a link that is shared, whoever shares it`(
    place: Int, count: Int
  ) async throws {
    let test = try TestStore()
    var feeds: [FeedID] = []
    for number in 0...2 { feeds.append(try await test.subscribe("\(number)")) }
    let own = feeds.remove(at: place)
    func report(_ id: String, _ second: Int) -> Entry {
      linked(id, "https://example.org/traffic", title: "Traffic", at: second)
    }
    try await test.merge((0..<count).map { report("o\($0)", -5000 - $0 * 60) }, into: feeds[0])
    try await test.merge([report("p", -90_000)], into: feeds[1])
    try await test.merge([report("q", -90_000), report("r", -5000), report("s", -5001)], into: own)
    let pairs = try RawDatabase(test.folder).strings(
      """
      SELECT copy.entryID, original.entryID FROM article AS copy
        JOIN articleStatus ON articleStatus.articleID = copy.id
        LEFT JOIN article AS original ON original.id = articleStatus.duplicateOf
      WHERE copy.feedID = \(own.rawValue) ORDER BY copy.entryID
      """)
    #expect(pairs == ["q|p", "r|o0", "s|-"])
  }

  /// Two articles of seven hours, between which a third comes.
  @Test(
    arguments: [("first", 0), ("second", 1), ("another", 0)], [[3, 1], [0, 3], [0, 1], [3, 2]])
  func `Of two that it might stand behind, it is the one with its id, else the first`(
    _ named: (id: String, original: Int), _ places: [Int]
  ) async throws {
    let test = try TestStore()
    var feeds: [FeedID] = []
    for number in 0...3 { feeds.append(try await test.subscribe("\(number)")) }
    let own = try #require(feeds.first { !places.map { feeds[$0] }.contains($0) })
    func article(_ id: String, _ seconds: Int) -> Entry {
      linked(id, "https://example.org/a", title: "Shared", at: seconds)
    }
    try await test.merge([article("first", -50_000)], into: feeds[places[0]])
    try await test.merge([article("second", -24_800)], into: feeds[places[1]])
    let originals = [
      try await test.articles(feeds[places[0]]).first?.id,
      try await test.articles(feeds[places[1]]).first?.id,
    ]
    try await test.merge([article(named.id, -37_400)], into: own)
    let row = try #require(try await rows(test, TimelineQuery(.feed(own))).first)
    #expect(row.duplicateOf == originals[named.original])
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

  /// Lists of all feeds, with what limits them.
  private static let lists: [(whole: Timeline, query: String?)] = [
    (.all, nil), (.unread, nil), (.starred, nil), (.search("Shared"), nil), (.search("shar"), nil),
    (.all, "Shared"), (.all, "unread"), (.all, "starred -title:own"), (.all, "on:2023-11-14"),
    (.unread, "Shared"),
  ]

  @Test(arguments: lists, [false, true])
  func `No list of all feeds shows more than one of them, and each counts what it shows`(
    _ list: (whole: Timeline, query: String?), hasHiddenFeed: Bool
  ) async throws {
    let timeline =
      try list.query.map { .matching(try ArticleQuery($0), in: list.whole) } ?? list.whole
    let test = try TestStore()
    let feeds = try await subscribeToThree(test, hidingFirst: hasHiddenFeed)
    for order in ListOrder.allCases where order != .opened {
      var query = TimelineQuery(timeline, mergesDuplicates: true)
      query.order = order
      let rows = try await rows(test, query)
      #expect(rows.count { $0.title == "Shared" } == 1, "\(order)")
      let isMerged = query.hidesDuplicates
      let counts = try await test.store.view {
        try $0.timeline.counts(of: timeline, isMerged: isMerged)
      }
      #expect(counts.total == rows.count && counts.unread == rows.count, "\(order)")
    }
    let unread = try await test.store.view { view in
      (try view.articles.countsOfShown().unread, try view.articles.countsOfShown().starred)
    }
    #expect(try await rows(test, TimelineQuery(.unread, mergesDuplicates: true)).count == unread.0)
    #expect(try await rows(test, TimelineQuery(.starred, mergesDuplicates: true)).count == unread.1)
    // A feed shows what is its own.
    #expect(try await rows(test, TimelineQuery(.feed(feeds[2]), mergesDuplicates: true)).count == 2)
  }

  @Test func `Smart feeds and tags count one of them`() async throws {
    let test = try TestStore()
    _ = try await subscribeToThree(test)
    let query = try ArticleQuery("title:Shared")
    try await test.store.edit { edit in
      try edit.smartFeeds.save("S", query, now: noon)
      for case .article(let row) in try edit.view.timeline.slice(TimelineQuery(.all)).rows {
        _ = try edit.actions.tag([row.id], "t", true, now: noon)
      }
    }
    let counts = try await test.store.view {
      (try $0.smartFeeds.unread().values.map(\.self), try $0.tags.unread())
    }
    #expect(counts.0 == [1] && counts.1 == ["t": 4])
  }

  @Test func `Where a list has only the copies, the first of them shows`() async throws {
    let test = try TestStore()
    let feeds = try await subscribeToThree(test)
    let timeline = Timeline.matching(try ArticleQuery("is:duplicate"), in: .all)
    let query = TimelineQuery(timeline, mergesDuplicates: true)
    #expect(try await rows(test, query).map(\.feedID) == [feeds[1]])
    #expect(
      try await test.store.view { try $0.timeline.counts(of: timeline, isMerged: true) }.total == 1)
    let marked = try await test.store.edit {
      try $0.marks.markAllRead(timeline, notNewerThan: nil, now: noon)
    }
    // All three are read with it.
    #expect(marked == 1)
    #expect(try await test.store.view { try $0.articles.counts().unread } == 3)
  }

  @Test(arguments: [false, true])
  func `What arrives in two feeds has arrived once`(isSearch: Bool) async throws {
    let timeline =
      isSearch ? Timeline.search("Late") : .matching(try ArticleQuery("Late"), in: .all)
    let test = try TestStore()
    let (one, two) = (try await test.subscribe("1"), try await test.subscribe("2"))
    for feed in [one, two] { try await test.merge([entry("first", at: -100)], into: feed) }
    let seen = try await test.store.view { try $0.timeline.arrivals(TimelineQuery(.all)).lastID }
    let late = linked("late", "https://example.org/late", title: "Late", at: -10)
    for feed in [one, two] { try await test.merge([late], into: feed) }
    let arrived = try await test.store.view {
      try $0.timeline.arrivals(TimelineQuery(timeline, mergesDuplicates: true, arrivedAfter: seen))
        .articles
    }
    #expect(arrived.count == 1)
  }

  /// Three feeds that bring the shared article, starred in each, and one of their own.
  private func subscribeToThree(
    _ test: borrowing TestStore, hidingFirst: Bool = false
  ) async throws -> [FeedID] {
    var feeds: [FeedID] = []
    for number in 1...3 {
      let feed = try await test.subscribe("\(number)")
      try await test.merge([Self.shared, entry("own \(number)", at: -60 - number)], into: feed)
      feeds.append(feed)
    }
    let first = feeds[0]
    try await test.store.edit { edit in
      for case .article(let row) in try edit.view.timeline.slice(TimelineQuery(.all)).rows
      where row.title == "Shared" {
        try edit.marks.set(.starred(true), of: [row.id], now: noon)
      }
      guard hidingFirst else { return }
      var settings = FeedSettings()
      settings.isHidden = true
      try edit.feeds.setSettings(settings, of: first)
    }
    return feeds
  }

  @Test func `When the first goes with its feed, the second takes its place`() async throws {
    let test = try TestStore()
    let (one, two) = (try await test.subscribe("1"), try await test.subscribe("2"))
    try await test.merge([Self.shared], into: one)
    try await test.merge([Self.copy], into: two)
    try await test.store.edit { try $0.feeds.unsubscribe(one) }
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
    #expect(
      try await rows(test, TimelineQuery(.feed(two))).map(\.duplicateOf) == [nil], "\(reason)")
  }

  @Test func `The same id behind the same link is enough`() async throws {
    let test = try TestStore()
    let (one, two) = (try await test.subscribe("1"), try await test.subscribe("2"))
    try await test.merge([Self.shared], into: one)
    try await test.merge(
      [linked("guid", "https://example.org/a", title: "Ann: Shared")], into: two)
    #expect(try await rows(test, Self.merged).count == 1)
  }

  @Test func `Episodes of two shows are two, though they have one page and one title`()
    async throws
  {
    let test = try TestStore()
    let (one, two) = (try await test.subscribe("1"), try await test.subscribe("2"))
    let page = "https://example.org/shows"
    try await test.merge(
      [linked("1", page, title: "Trailer", at: -50, file: "https://e.org/1.mp3")], into: one)
    try await test.merge(
      [linked("2", page, title: "Trailer", at: -50, file: "https://e.org/2.mp3")], into: two)
    #expect(try await rows(test, Self.merged).count == 2)
  }

  @Test func `What was hidden behind an article that becomes another one is seen`() async throws {
    let test = try TestStore()
    let feeds = [
      try await test.subscribe("1"), try await test.subscribe("2"), try await test.subscribe("3"),
    ]
    for feed in feeds { try await test.merge([Self.shared], into: feed) }
    var other = Self.shared
    other.title = "Something else"
    other.url = "https://example.org/b"
    try await test.merge([other], into: feeds[0])
    let second = try #require(try await test.articles(feeds[1]).first)
    #expect(
      Set(try await rows(test, Self.merged).map(\.title)) == ["Something else", "Shared"])
    #expect(
      try await rows(test, TimelineQuery(.feed(feeds[2]))).map(\.duplicateOf) == [second.id])
    let counts = try await test.store.view { try $0.timeline.counts(of: .all, isMerged: true) }
    #expect((counts.total, counts.unread) == (2, 2))
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `A duplicate that becomes another article is seen, and one that is corrected is not`()
    async throws
  {
    let test = try TestStore()
    let (one, two) = (try await test.subscribe("1"), try await test.subscribe("2"))
    try await test.merge([Self.shared], into: one)
    try await test.merge([Self.copy], into: two)
    var corrected = Self.copy
    corrected.contentHTML = "<p>corrected</p>"
    try await test.merge([corrected], into: two)
    #expect(try await rows(test, Self.merged).count == 1)
    corrected.title = "Something else"
    try await test.merge([corrected], into: two)
    #expect(try await rows(test, Self.merged).count == 2)
  }

  @Test(arguments: [2, 3, 4], [false, true])
  func `A title that all feeds correct leaves one original`(
    count: Int, isReversed: Bool
  ) async throws {
    let test = try TestStore()
    var feeds: [FeedID] = []
    for number in 1...count { feeds.append(try await test.subscribe("\(number)")) }
    func article(_ feed: FeedID, _ title: String) -> Entry {
      linked("\(feed)", "https://example.org/a", title: title, at: -50)
    }
    for feed in feeds { try await test.merge([article(feed, "Shared")], into: feed) }
    for feed in isReversed ? feeds.reversed() : feeds {
      try await test.merge([article(feed, "Corrected")], into: feed)
    }
    let rows = try await rows(test, TimelineQuery(.all))
    #expect(rows.count == count && rows.allSatisfy { !$0.status.isRead })
    let original = try #require(rows.first { $0.duplicateOf == nil }?.id)
    #expect(rows.count { $0.duplicateOf == original } == count - 1)
  }

  @Test func `A duplicate that becomes another feed's article goes behind that`() async throws {
    let test = try TestStore()
    let (one, two) = (try await test.subscribe("1"), try await test.subscribe("2"))
    let other = linked("o", "https://example.org/o", title: "Other", at: -50)
    try await test.merge([Self.shared, other], into: one)
    try await test.merge([Self.copy], into: two)
    var changed = other
    changed.id = Self.copy.id
    try await test.merge([changed], into: two)
    let originals = try await test.articles(one).filter { $0.entry.title == "Other" }.map(\.id)
    let copies = try await rows(test, TimelineQuery(.feed(two))).map(\.duplicateOf)
    #expect(copies.last == originals.first)
  }

  @Test(arguments: [true, false])
  func `The server is told that a duplicate is read, whether it is new or has become one`(
    isNew: Bool
  ) async throws {
    let test = try TestStore()
    let (one, two) = (try await test.subscribe("1"), try await test.subscribe("2"))
    try await test.merge([Self.shared], into: one)
    var early = Self.copy
    early.title = "Another"
    early.url = "https://example.org/another"
    if !isNew { try await test.merge([early], into: two) }
    let account = try await test.takeMarks(of: "http://example.org")
    let original = try #require(try await test.articles(one).first?.id)
    try await test.store.edit { try $0.marks.set(.read(true), of: [original], now: noon) }
    try await test.merge([Self.copy], into: two)
    let copy = try #require(try await test.articles(two).first)
    #expect(copy.status.isRead)
    let outbox = try await test.store.view { try $0.outbox.items() }
    #expect(outbox.map(\.change) == [.mark(original, .read(true)), .mark(copy.id, .read(true))])
    #expect(outbox.map(\.account) == [account, account])
  }
}
