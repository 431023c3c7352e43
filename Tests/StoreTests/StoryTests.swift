internal import Foundation
internal import News
internal import Testing

@testable internal import Store

/// One story in several feeds.
@Suite struct StoryTests {
  private static let merged = TimelineQuery(.all, mergesDuplicates: true)
  private static let unread = TimelineQuery(.unread, mergesDuplicates: true)

  /// A story in the words of four feeds, and something else.
  private static func telling(_ index: Int, at seconds: Int = -500) -> Entry {
    let titles = [
      "Bridge at Lindau closed after barge hits pier",
      "Cracked pier shuts Lindau to cars for weeks",
      "Barge “Seehase” rams road bridge on Monday morning",
      "Drivers of Lindau have to go by way of Hard",
    ]
    var entry = Entry(
      id: "telling-\(index)", url: "https://example.org/\(index)/story", title: titles[index],
      published: noon.addingTimeInterval(Double(seconds + index)))
    entry.contentHTML = """
      <p>The road bridge at Lindau was closed on Monday after the barge “Seehase” had rammed a pier at
      6:40 a.m. Nobody was hurt. Engineer Paula Dorn of the canton said that it would take weeks
      to mend the cracked pier, and that 14,000 cars a day have to go by way of Hard.</p>
      """
    return entry
  }

  private static func other(_ name: String) -> Entry {
    var entry = Entry(
      id: name, url: "https://example.org/\(name)", title: "Notes of \(name)",
      published: noon.addingTimeInterval(-900))
    entry.contentHTML = "<p>What \(name) has read in the \(name) library this \(name).</p>"
    return entry
  }

  /// Feeds that tell a story, one after the other, and what each has of it.
  private func tell(
    _ test: borrowing TestStore, _ count: Int
  ) async throws -> (feeds: [FeedID], articles: [ArticleID]) {
    var feeds: [FeedID] = []
    var articles: [ArticleID] = []
    for index in 0..<count {
      let feed = try await test.subscribe("\(index)")
      try await test.merge([Self.telling(index), Self.other("o\(index)")], into: feed)
      feeds.append(feed)
      let told = try #require(
        try await test.articles(feed).first { $0.entry.id.hasPrefix("telling") })
      articles.append(told.id)
    }
    return (feeds, articles)
  }

  private func rows(
    _ test: borrowing TestStore, _ query: TimelineQuery
  ) async throws -> [ArticleRow] {
    try await test.rows(query).compactMap { if case .article(let row) = $0 { row } else { nil } }
  }

  private func story(
    _ test: borrowing TestStore, _ query: TimelineQuery = merged
  ) async throws -> [[ArticleID]] {
    try await rows(test, query).filter { !$0.tellings.isEmpty }.map { [$0.id] + $0.tellings }
  }

  private func isRead(_ test: borrowing TestStore, _ articles: [ArticleID]) async throws -> [Bool] {
    try await test.store.view { view in
      try articles.map { try #require(try view.articles.article($0)).status.isRead }
    }
  }

  private func counts(
    _ test: borrowing TestStore, _ timeline: Timeline = .all
  ) async throws -> [Int] {
    let counts = try await test.store.view { try $0.timeline.counts(of: timeline, isMerged: true) }
    return [counts.total, counts.unread]
  }

  private func settings(_ change: (inout FeedSettings) -> Void) -> FeedSettings {
    var settings = FeedSettings()
    change(&settings)
    return settings
  }

  // MARK: Lists

  @Test func `A story is one row where feeds lie together, and one each in their own`()
    async throws
  {
    let test = try TestStore()
    let (feeds, articles) = try await tell(test, 3)
    #expect(try await story(test) == [articles])
    #expect(try await story(test, Self.unread) == [articles])
    #expect(try await rows(test, Self.merged).count == 4)
    #expect(try await counts(test) == [4, 4])
    #expect(try await counts(test, .unread) == [4, 4])
    for feed in feeds {
      #expect(try await rows(test, TimelineQuery(.feed(feed))).count == 2)
      #expect(try await counts(test, .feed(feed)) == [2, 2])
    }
    // A script sees all there is.
    let all = try await rows(test, TimelineQuery(.all))
    #expect(all.count == 6 && all.count { $0.storyOf == articles[0] } == 2)
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `An article that its feed has rewritten is compared by what it says now`() async throws
  {
    let test = try TestStore()
    let feeds = [try await test.subscribe("0"), try await test.subscribe("1")]
    try await test.merge([Self.telling(0)], into: feeds[0])
    var rewritten = Self.telling(0)
    rewritten.title = "Notes of a library"
    rewritten.contentHTML = Self.other("rewritten").contentHTML
    try await test.merge([rewritten], into: feeds[0])
    try await test.merge([Self.telling(1)], into: feeds[1])
    #expect(try await story(test) == [])
    #expect(try await rows(test, Self.merged).count == 2)
  }

  @Test func `An article that links to a front page may lead anywhere`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe("0")
    var entry = Self.other("front")
    entry.url = "https://front.example.org/"
    try await test.merge([entry], into: feed)
    let id = try #require(try await test.articles(feed).first).id
    let text = FullText(
      url: "https://front.example.org/en/home", html: "<p>Home.</p>", fetched: noon)
    let isKept = try await test.store.edit { edit in
      try edit.fullTexts.keep(text, of: id, page: "https://front.example.org/", now: noon)
    }
    #expect(isKept)
    #expect(try await story(test) == [])
  }

  /// One feed gives the page of a story, and the other an address that leads to it.
  @Test(arguments: [true, false])
  func `What links lead to is one story`(pageComesFirst: Bool) async throws {
    let test = try TestStore()
    let feeds = [try await test.subscribe("0"), try await test.subscribe("1")]
    var linked = Self.other("linked")
    linked.url = "https://news.example.org/bridge"
    var led = Self.other("led")
    led.url = "https://go.example.net/x7"
    if pageComesFirst { try await test.merge([linked], into: feeds[0]) }
    try await test.merge([led], into: feeds[1])
    let reading = try #require(try await test.articles(feeds[1]).first).id
    let text = FullText(
      url: "https://news.example.org/bridge", html: "<p>The bridge is open.</p>", fetched: noon)
    let isKept = try await test.store.edit { edit in
      try edit.fullTexts.keep(text, of: reading, page: "https://go.example.net/x7", now: noon)
    }
    #expect(isKept)
    if !pageComesFirst { try await test.merge([linked], into: feeds[0]) }
    let other = try #require(try await test.articles(feeds[0]).first).id
    // What may be being read stays where it is.
    #expect(try await story(test) == [[reading, other]])
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `It unfolds below its first article, in the order in which they came`() async throws {
    let test = try TestStore()
    let (_, articles) = try await tell(test, 3)
    var query = Self.merged
    query.unfolded = [articles[0]]
    let rows = try await rows(test, query)
    #expect(rows.map(\.id).firstRange(of: articles) != nil)
    #expect(rows.filter(\.isUnfolded).map(\.id) == [articles[1], articles[2]])
    let first = try #require(rows.first { $0.id == articles[0] })
    #expect(rows.allSatisfy { !$0.isUnfolded || $0.position == first.position })
    #expect(rows.count == 6)
  }

  /// Lists of all feeds, with what limits them.
  private static let lists: [(whole: Timeline, query: String?)] = [
    (.all, nil), (.unread, nil), (.starred, nil), (.search("Lindau"), nil), (.search("lind"), nil),
    (.all, "Lindau"), (.all, "unread"), (.all, "starred"), (.unread, "Lindau"),
    (.search("Lindau"), "starred"),
  ]

  @Test(arguments: lists)
  func `No list of all feeds shows more of a story than All, and each counts what it shows`(
    _ list: (whole: Timeline, query: String?)
  ) async throws {
    let timeline =
      try list.query.map { .matching(try ArticleQuery($0), in: list.whole) } ?? list.whole
    let test = try TestStore()
    let (_, articles) = try await tell(test, 4)
    try await test.store.edit { try $0.marks.set(.starred(true), of: articles, now: noon) }
    let query = TimelineQuery(timeline, mergesDuplicates: true)
    let shown = try await rows(test, query)
    #expect(shown.count { articles.contains($0.id) } == 1)
    #expect(try await counts(test, timeline) == [shown.count, shown.count])
    // The others show in lists of unread articles.
    try await test.store.edit { try $0.marks.set(.read(true), of: [articles[0]], now: noon) }
    var unread = query
    unread.unreadOnly = true
    let count = try await counts(test, timeline)[1]
    #expect(try await rows(test, unread).count == count)
    #expect(count == shown.count + 2)
  }

  @Test func `Read is what was marked, and unread ones behind a first one that was read show`()
    async throws
  {
    let test = try TestStore()
    let (_, articles) = try await tell(test, 3)
    try await test.store.edit { try $0.marks.set(.read(true), of: [articles[0]], now: noon) }
    #expect(try await isRead(test, articles) == [true, false, false])
    let unread = try await rows(test, Self.unread).map(\.id)
    #expect(Set(unread).isSuperset(of: articles[1...]) && unread.count == 5)
    #expect(try await counts(test, .unread) == [5, 5])
    #expect(try await counts(test) == [4, 5])
    // It stays for as long as the list does; as a row of what is not unread, it is unread with those behind it.
    var query = Self.unread
    query.keeping = [articles[0]]
    #expect(try await rows(test, query).count == 6)
    #expect(try await story(test, query) == [])
    let whole = try await rows(test, Self.merged)
    #expect(whole.first { $0.id == articles[0] }?.status.isRead == false)
    #expect(whole.count == 4)
    // Unfolded, each shows what it is, and stands below the first one alone.
    query.unfolded = [articles[0]]
    let unfolded = try await rows(test, query)
    #expect(
      unfolded.count == 6 && unfolded.filter(\.isUnfolded).map(\.id) == [articles[1], articles[2]])
    #expect(unfolded.first { $0.id == articles[0] }?.status.isRead == true)
  }

  @Test func `One that is read and kept stands behind its first article, and once`() async throws {
    let test = try TestStore()
    let (_, articles) = try await tell(test, 3)
    try await test.store.edit { try $0.marks.set(.read(true), of: [articles[1]], now: noon) }
    var query = Self.unread
    query.keeping = [articles[1]]
    #expect(try await rows(test, query).count == 4)
    #expect(try await story(test, query) == [articles])
    query.unfolded = [articles[0]]
    let rows = try await rows(test, query)
    #expect(rows.map(\.id).firstRange(of: articles) != nil)
    #expect(Set(rows.map(\.id)).count == rows.count && rows.count == 6)
  }

  @Test func `What came behind a story after the user looked stays unread`() async throws {
    let test = try TestStore()
    let (_, articles) = try await tell(test, 2)
    let last = try await test.store.view { try $0.timeline.arrivals(Self.merged).lastID }
    let feed = try await test.subscribe("late")
    try await test.merge([Self.telling(2)], into: feed)
    let late = try #require(try await test.articles(feed).first?.id)
    try await test.store.edit {
      _ = try $0.marks.markAllRead(
        .all, notNewerThan: nil,
        except: UnseenRegion(above: TimelinePosition(date: .min, id: .min), since: last), now: noon)
    }
    #expect(try await isRead(test, articles + [late]) == [true, true, false])
    #expect(try await rows(test, Self.unread).map(\.id) == [late])
  }

  @Test func `A hidden feed begins no story of feeds that are shown`() async throws {
    let test = try TestStore()
    let hidden = try await test.subscribe("hidden")
    let settings = settings { $0.isHidden = true }
    try await test.store.edit { try $0.feeds.setSettings(settings, of: hidden) }
    try await test.merge([Self.telling(3)], into: hidden)
    let (_, articles) = try await tell(test, 2)
    let rows = try await rows(test, Self.merged)
    #expect(rows.map(\.id).contains(articles[0]) && !rows.map(\.id).contains(articles[1]))
    #expect(rows.count == 3)
    #expect(try await counts(test) == [3, 3])
  }

  @Test func `Marking all of a list reads whole stories, and undo takes that back`() async throws {
    let test = try TestStore()
    let (feeds, articles) = try await tell(test, 3)
    let now = noon
    #expect(try await test.store.view { try $0.articles.countsOfShown().unreadArticles } == 6)
    let count = try await test.store.edit {
      try $0.marks.markAllRead(.all, notNewerThan: nil, now: now)
    }
    // Four rows, and two articles behind one of them.
    #expect(count == 6)
    #expect(try await counts(test) == [4, 0])
    #expect(try await isRead(test, articles) == [true, true, true])
    #expect(try await test.store.edit { try $0.journal.undo(now: now)?.count } == 6)
    #expect(try await counts(test) == [4, 4])
    // Of a feed's own list it reads that feed's article alone.
    _ = try await test.store.edit {
      try $0.marks.markAllRead(.feed(feeds[0]), notNewerThan: nil, now: now)
    }
    #expect(try await isRead(test, articles) == [true, false, false])
  }

  @Test func `A story that has been read is told anew by the next feed`() async throws {
    let test = try TestStore()
    let (_, articles) = try await tell(test, 2)
    try await test.store.edit { try $0.marks.set(.read(true), of: articles, now: noon) }
    let feed = try await test.subscribe("late")
    try await test.merge([Self.telling(2)], into: feed)
    let late = try #require(try await test.articles(feed).first?.id)
    #expect(try await story(test, Self.unread) == [[late] + articles])
    #expect(try await story(test) == [[late] + articles])
    #expect(try await counts(test) == [3, 3])
  }

  @Test func `A folder and a query have a story as one row too, of what is theirs`() async throws {
    let test = try TestStore()
    let (feeds, articles) = try await tell(test, 4)
    try await test.store.edit { edit in
      for feed in feeds[1...] { try edit.subscriptions.setFolders(["Towns"], of: feed) }
    }
    let others = Array(articles.dropFirst())
    let queries = [
      TimelineQuery(.folder(FolderID("Towns")), mergesDuplicates: true),
      TimelineQuery(
        .matching(try ArticleQuery("folder:Towns Lindau"), in: .all), mergesDuplicates: true),
    ]
    for var query in queries {
      // The first article is in none of them.
      #expect(try await story(test, query) == [others], "\(query.timeline)")
      // None was opened.
      for order in ListOrder.allCases where order != .opened {
        query.order = order
        #expect(try await story(test, query) == [others], "\(order)")
      }
      query.unreadOnly = true
      query.order = .newest
      #expect(try await story(test, query) == [others])
      query.unfolded = [articles[1]]
      let unfolded = try await rows(test, query)
      #expect(unfolded.map(\.id).firstRange(of: articles[1...]) != nil)
      #expect(unfolded.filter(\.isUnfolded).map(\.id) == Array(others.dropFirst()))
      query.unfolded = []
      query.newerCount = 5
      query.anchor = .article(articles[1])
      #expect(try await story(test, query) == [others])
    }
    #expect(try await rows(test, queries[0]).count == 4)
    #expect(try await rows(test, queries[1]).count == 1)
    // Where the list has the first article, that one stands for the others.
    let whole = TimelineQuery(
      .matching(try ArticleQuery("Lindau"), in: .all), mergesDuplicates: true)
    #expect(try await story(test, whole) == [articles])
    // What is unread behind one that has been read shows.
    try await test.store.edit { try $0.marks.set(.read(true), of: [articles[1]], now: noon) }
    var unread = queries[0]
    unread.unreadOnly = true
    let left = try await rows(test, unread).map(\.id)
    #expect(Set(left).isSuperset(of: articles[2...]))
    let folder = unread.timeline
    let marked = try await test.store.edit {
      try $0.marks.markAllRead(folder, notNewerThan: nil, now: noon)
    }
    #expect(marked == 5)
    #expect(try await rows(test, unread).isEmpty)
  }

  @Test func `A story whose first article another feed has brought before is one row of a query`()
    async throws
  {
    let test = try TestStore()
    let original = try await test.subscribe("original")
    try await test.merge([Self.telling(0)], into: original)
    let (feeds, articles) = try await tell(test, 3)
    let first = try #require(try await test.articles(original).first?.id)
    let copy = try await rows(test, TimelineQuery(.feed(feeds[0]))).first { $0.id == articles[0] }
    #expect(copy?.duplicateOf == first)
    let query = TimelineQuery(
      .matching(try ArticleQuery("Lindau"), in: .all), mergesDuplicates: true)
    let rows = try await rows(test, query)
    #expect(rows.count == 1)
    #expect(Set(rows.flatMap { [$0.id] + $0.tellings }) == [first, articles[1], articles[2]])
  }

  @Test func `With stories off each article stands for itself, and nothing joins`() async throws {
    let test = try TestStore()
    let (_, articles) = try await tell(test, 2)
    let plain = try Store(folder: test.folder, joinsStories: false)
    let late = try await test.subscribe("late")
    let page = PreparedPage(Page(entries: [Self.telling(2)]))
    try await plain.edit { _ = try $0.articles.merge(page, into: late, at: .newest, now: noon) }
    let slice = try await plain.view { try $0.timeline.slice(Self.merged) }
    let shown = slice.rows.compactMap { if case .article(let row) = $0 { row } else { nil } }
    #expect(shown.count == 5 && shown.allSatisfy { $0.tellings.isEmpty && $0.storyOf == nil })
    let count = try await plain.view { try $0.timeline.counts(of: .all, isMerged: true) }
    #expect(count.total == 5 && count.unread == 5)
    let marked = try await plain.edit {
      try $0.marks.markAllRead(.all, notNewerThan: nil, now: noon)
    }
    #expect(marked == 5)
    // What was joined before is there again with them on.
    #expect(try await story(test) == [articles])
  }

  @Test func `A feed that comes back is in its stories again`() async throws {
    let test = try TestStore()
    let (feeds, articles) = try await tell(test, 4)
    try await test.store.edit { try $0.actions.remove(feeds[1], isTold: false, now: noon) }
    #expect(try await story(test) == [[articles[0], articles[2], articles[3]]])
    _ = try await test.store.edit { try $0.journal.undo(now: noon) }
    #expect(try await story(test) == [articles])
    // The first one too, alone and with the next.
    try await test.store.edit { try $0.actions.remove(feeds[0], isTold: false, now: noon) }
    #expect(try await story(test) == [Array(articles.dropFirst())])
    _ = try await test.store.edit { try $0.journal.undo(now: noon) }
    #expect(try await story(test) == [articles])
    try await test.store.edit {
      _ = try $0.actions.remove([feeds[0], feeds[1]], told: [], now: noon)
    }
    #expect(try await story(test) == [Array(articles[2...])])
    _ = try await test.store.edit { try $0.journal.undo(now: noon) }
    #expect(try await story(test) == [articles])
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `A feed comes back behind what stands in the place of its story's first article`()
    async throws
  {
    let test = try TestStore()
    let (feeds, articles) = try await tell(test, 3)
    try await test.store.edit { try $0.actions.remove(feeds[1], isTold: false, now: noon) }
    try await test.store.edit { try $0.feeds.unsubscribe(feeds[0]) }
    _ = try await test.store.edit { try $0.journal.undo(now: noon) }
    // Nothing tells any more what it had in common with the third.
    #expect(try await story(test) == [])
    #expect(try await rows(test, Self.merged).map(\.id).contains(articles[1]))
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  // MARK: What joins

  @Test func `An article of the same feed, and one of another week, are something else`()
    async throws
  {
    let test = try TestStore()
    let one = try await test.subscribe("1")
    let two = try await test.subscribe("2")
    let three = try await test.subscribe("3")
    try await test.merge([Self.telling(0)], into: one)
    try await test.merge([Self.telling(1), Self.telling(2)], into: two)
    // Two articles of one feed are two things that it tells.
    #expect(try await story(test).map(\.count) == [2])
    try await test.merge([Self.telling(3, at: -8 * 86_400)], into: three)
    #expect(try await story(test).map(\.count) == [2])
  }

  @Test func `Links to one page are one story, whatever the titles`() async throws {
    let test = try TestStore()
    func link(_ name: String, _ url: String, _ title: String) -> Entry {
      Entry(id: name, url: url, title: title, published: noon.addingTimeInterval(-60))
    }
    let one = try await test.subscribe("1")
    let two = try await test.subscribe("2")
    let three = try await test.subscribe("3")
    try await test.merge(
      [link("a", "https://www.example.com/p?utm_source=x", "Why we left")], into: one)
    try await test.merge([link("b", "http://example.com/p/", "A farewell to arms")], into: two)
    #expect(try await story(test).map(\.count) == [2])
    // Where a feed has it several times, the page is that of a series.
    try await test.merge(
      [
        link("c", "https://example.com/p", "Part one"),
        link("d", "https://example.com/p", "Part two"),
      ],
      into: three)
    #expect(try await story(test).map(\.count) == [2])
  }

  @Test func `Of pages that are written at once, the one that came first begins the story`()
    async throws
  {
    let test = try TestStore()
    let one = try await test.subscribe("1")
    let two = try await test.subscribe("2")
    let pages = (0..<2).map { index in
      var entry = Self.telling(index)
      entry.url = "https://example.org/story?utm_source=\(index)"
      return PreparedPage(Page(entries: [entry]))
    }
    try await test.store.edit { edit in
      _ = try edit.articles.merge(pages[0], into: one, at: .newest, now: noon)
      _ = try edit.articles.merge(pages[1], into: two, at: .newest, now: noon)
    }
    let articles = [try await test.articles(one)[0].id, try await test.articles(two)[0].id]
    #expect(try await story(test) == [articles])
    let all = try await rows(test, TimelineQuery(.all))
    #expect(all.map(\.storyOf).filter { $0 != nil } == [articles[0]])
  }

  @Test func `A feed that tells no stories leaves those it is in, and joins none`() async throws {
    let test = try TestStore()
    let (feeds, articles) = try await tell(test, 4)
    let settings = settings { $0.joinsStories = false }
    try await test.store.edit { try $0.feeds.setSettings(settings, of: feeds[0]) }
    #expect(try await story(test) == [[articles[1], articles[2], articles[3]]])
    try await test.store.edit { try $0.feeds.setSettings(settings, of: feeds[2]) }
    #expect(try await story(test) == [[articles[1], articles[3]]])
    let late = try await test.subscribe("late")
    try await test.store.edit { try $0.feeds.setSettings(settings, of: late) }
    var again = Self.telling(0, at: -100)
    again.url = "https://example.org/again"
    try await test.merge([again], into: late)
    #expect(try await story(test) == [[articles[1], articles[3]]])
    // Four others, one story, and three that tell it for themselves.
    #expect(try await rows(test, Self.merged).count == 8)
  }

  @Test func `Where the first article goes, the next one takes its place`() async throws {
    let test = try TestStore()
    let (feeds, articles) = try await tell(test, 3)
    try await test.store.edit { try $0.actions.remove(feeds[0], isTold: false, now: noon) }
    #expect(try await story(test) == [[articles[1], articles[2]]])
    try await test.store.edit { try $0.actions.remove(feeds[1], isTold: false, now: noon) }
    #expect(try await story(test) == [])
    #expect(try await rows(test, Self.merged).map(\.id).contains(articles[2]))
    #expect(try RawDatabase(test.folder).problems() == [])
  }

  @Test func `A story in a hidden feed hides none of those that are shown`() async throws {
    let test = try TestStore()
    let (feeds, articles) = try await tell(test, 3)
    let settings = settings { $0.isHidden = true }
    try await test.store.edit { try $0.feeds.setSettings(settings, of: feeds[0]) }
    let shown = try await rows(test, Self.merged)
    #expect(Set(shown.map(\.id)).isSuperset(of: articles[1...]) && shown.count == 4)
    #expect(try await counts(test) == [4, 4])
  }

  // MARK: Labelled articles

  private struct Labelled: Decodable {
    var story: String?
    var feed, url, title, lead: String
    var date: Date
  }

  /// Counts the pairs of a file that are joined as they should be, those that should be, and those that should not.
  private func pairs(_ name: String) async throws -> (right: Int, wanted: Int, wrong: [String]) {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures/stories/\(name).jsonl")
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let articles = try Data(contentsOf: file).split(separator: UInt8(ascii: "\n"))
      .map { try decoder.decode(Labelled.self, from: $0) }.sorted { $0.date < $1.date }
    let test = try TestStore()
    var feeds: [String: FeedID] = [:]
    for (index, article) in articles.enumerated() {
      var feed = feeds[article.feed]
      if feed == nil { feed = try await test.subscribe(article.feed) }
      feeds[article.feed] = feed
      var entry = Entry(
        id: "\(index)", url: article.url, title: article.title, published: article.date)
      entry.contentHTML = article.lead.isEmpty ? nil : "<p>\(article.lead)</p>"
      // Each as a refresh brings it when it has just been written.
      try await test.merge([entry], into: try #require(feed), now: article.date + 600)
    }
    var story: [String: Int64] = [:]
    for row in try await rows(test, TimelineQuery(.all, olderCount: 2_000)) {
      let entry = try await test.store.view { try $0.articles.article(row.id)?.entry.id }
      story[try #require(entry)] = (row.storyOf ?? row.duplicateOf ?? row.id).rawValue
    }
    var (right, wanted) = (0, 0)
    var wrong: [String] = []
    for (index, one) in articles.enumerated() {
      for other in articles.indices.dropFirst(index + 1) where articles[other].feed != one.feed {
        let isOne = one.story != nil && one.story == articles[other].story
        let isJoined = story["\(index)"] == story["\(other)"]
        wanted += isOne ? 1 : 0
        right += isOne && isJoined ? 1 : 0
        if isJoined, !isOne { wrong.append("\(one.title) / \(articles[other].title)") }
      }
    }
    return (right, wanted, wrong)
  }

  /// - Parameter most: pairs that may be joined wrongly: of what nothing was fitted to, the match of the women and that of
  ///   the men of two clubs, with one score on one day.
  @Test(arguments: [("fitted", 0.7, 0), ("held-out", 0.55, 1)])
  func `Of labelled articles hardly one is joined wrongly, and most are that should be`(
    name: String, share: Double, most: Int
  ) async throws {
    let (right, wanted, wrong) = try await pairs(name)
    #expect(wrong.count <= most, "\(wrong)")
    #expect(Double(right) >= share * Double(wanted), "\(right) of \(wanted)")
    print("\(name): \(right) of \(wanted), \(wrong.count) wrong")
  }
}
