internal import News
internal import Screen
internal import Testing

@testable import Reader

/// Moving in the list, and how it follows the store.
struct ListTests {
  @Test func `What arrives above a list that is shorter than the screen stays out of sight`() {
    var session = Session(Sample.rows(1...3), height: 20)
    session.arrive(Sample.rows(1...4))
    session.send(keys: "x")
    #expect(session.state.list.firstVisibleRow == 1)
    #expect(session.lines[0].contains("▲ 1 new"))
  }

  struct Move: Sendable {
    var keys: String
    var selected: Int64
    /// The id of the article on the first line.
    var top: Int64
  }

  /// Ten lines of articles.
  /// What one feed's trouble or an absent network has nothing to do with.
  @Test(arguments: [
    (Timeline.unread, "All articles are read."), (.starred, "No starred articles yet."),
    (.all, "Offline, and no articles of this list are cached."),
  ])
  func `A list that is empty by its nature says no more`(_ timeline: Timeline, _ text: String) {
    var session = Session([], of: timeline)
    let freshness = Freshness(
      offlineSince: Sample.date(secondsAgo: 60), feedCount: 4, failedCount: 1,
      error: Sample.unavailable)
    session.arrive([], freshness: freshness)
    #expect(session.lines.contains { $0.contains(text) })
  }

  @Test func `U says that Unread has no read articles`() {
    var session = Session(Sample.rows(1...5), of: .unread)
    session.send(keys: "U")
    #expect(session.state.notice?.text == "Unread never shows read articles. Open All to see them.")
    #expect(!session.state.list.query.unreadOnly)
  }

  @Test(arguments: [
    Move(keys: "j", selected: 99, top: 100), Move(keys: "<Down><Down>", selected: 98, top: 100),
    Move(keys: "jjk", selected: 99, top: 100), Move(keys: "jj<Up>", selected: 99, top: 100),
    Move(keys: "jjjjjjjjj", selected: 91, top: 100),
    Move(keys: "jjjjjjjjjj", selected: 90, top: 99),
    Move(keys: "jjjjjjjjjjk", selected: 91, top: 99), Move(keys: "<PgDn>", selected: 91, top: 91),
    Move(keys: "<Space>", selected: 91, top: 91), Move(keys: "j<C-f>", selected: 90, top: 91),
    Move(keys: "<PgDn><PgUp>", selected: 100, top: 100),
    Move(keys: "<PgDn>b", selected: 100, top: 100), Move(keys: "<C-d>", selected: 95, top: 95),
    Move(keys: "<C-d><C-u>", selected: 100, top: 100), Move(keys: "G", selected: 1, top: 10),
    Move(keys: "<End>", selected: 1, top: 10), Move(keys: "Gg", selected: 100, top: 100),
    Move(keys: "G<Home>", selected: 100, top: 100), Move(keys: "G<PgUp>", selected: 10, top: 19),
    Move(keys: "GkkG", selected: 1, top: 10), Move(keys: "Gj", selected: 1, top: 10),
    Move(keys: "J", selected: 99, top: 100), Move(keys: "]]K[", selected: 100, top: 100),
  ])
  func `Keys move in the list`(_ move: Move) throws {
    var session = Session(Sample.rows(1...100), width: 60, height: 12)
    session.send(keys: move.keys)
    #expect(session.selected == move.selected)
    #expect(session.lines[1].hasSuffix(" Article \(move.top)"))
  }

  @Test func `The last page is full`() {
    var session = Session(Sample.rows(1...25), width: 60, height: 12)
    session.send(keys: "<PgDn><PgDn><PgDn><PgDn>")
    #expect(session.selected == 1)
    #expect(session.lines[1].hasSuffix(" Article 10"))
    #expect(session.lines[10].hasSuffix(" Article 1"))
  }

  @Test(arguments: [
    (OlderArticles.more, "scroll on"), (.loading, "loading older"), (.end, "the end"),
    (.failed(Sample.unavailable), "j tries again"),
  ])
  func `What comes after the last row is seen there`(_ older: OlderArticles, _ text: String) {
    for keys in ["G", "<PgDn><PgDn><PgDn>", String(repeating: "j", count: 30)] {
      var session = Session(width: 60)
      session.arrive(Sample.rows(1...25), older: older)
      session.send(keys: keys)
      #expect(session.lines[10].contains(text))
      #expect(session.lines[9].hasSuffix(" Article 1"))
    }
  }

  // MARK: The window

  @Test func `Near the edge of what was read the window follows`() throws {
    var session = Session()
    session.arrive(Sample.rows(851...1_000), hasOlder: true)
    #expect(session.send(keys: String(repeating: "j", count: 75)) == [])
    let effects = session.send(keys: "j")
    let query = session.state.list.query
    #expect(effects == [.list(.observe(query))])
    #expect(query.anchor == .around(Sample.position(924)))
    #expect(query.newerCount == 150 && query.olderCount == 150)
    // The answer is not cancelled by the keys that follow.
    #expect(session.send(keys: "jjj") == [])
    session.arrive(Sample.rows(775...1_000), hasOlder: true)
    #expect(session.selected == 921)
  }

  @Test(arguments: [("G", TimelineQuery.Anchor.oldest), ("g", .newest)])
  func `The ends beyond the window are read from the store`(
    _ key: String, _ anchor: TimelineQuery.Anchor
  ) {
    var session = Session()
    session.arrive(Sample.rows(400...700), hasNewer: true, hasOlder: true)
    let effects = session.send(keys: key)
    #expect(session.state.list.query.anchor == anchor)
    #expect(effects == [.list(.observe(session.state.list.query))])
    session.arrive(Sample.rows(1...150), hasNewer: key == "G", hasOlder: key == "g")
    #expect(session.selected == (key == "G" ? 1 : 150))
  }

  @Test func `An answer to an earlier wish is not shown`() {
    var session = Session(Sample.rows(1...5))
    let old = TimelineSnapshot(query: TimelineQuery(.starred), slice: TimelineSlice())
    #expect(session.state.reduce(.list(.arrived(old))) == [])
    #expect(session.state.list.rows.count == 5)
  }

  // MARK: Nothing moves

  struct Change: Sendable {
    var keys: String
    var rows: [TimelineRow]
    var selected: Int64
    var notice: String?
  }

  @Test(arguments: [
    Change(keys: "", rows: Sample.rows(1...53), selected: 50, notice: "▲ 3 new · g"),
    Change(keys: "jjj", rows: Sample.rows(1...51), selected: 47, notice: "▲ 1 new · g"),
    Change(keys: "<PgDn>jj", rows: Sample.rows(1...62), selected: 39, notice: "▲ 12 new · g"),
    Change(keys: "<PgDn>", rows: Sample.rows(1...50), selected: 41, notice: nil),
  ])
  func `Nothing on the screen moves when articles arrive above`(_ change: Change) {
    var session = Session(Sample.rows(1...50), width: 60, height: 12)
    session.send(keys: change.keys)
    let before = session.lines
    session.arrive(change.rows)
    let after = session.lines
    #expect(session.selected == change.selected)
    #expect(after[1...10] == before[1...10])
    #expect(after[0].contains("▲") == (change.notice != nil))
    if let notice = change.notice { #expect(after[0].contains(notice)) }
    session.send(keys: "g")
    #expect(session.selected == change.rows.first?.position.id)
    #expect(!session.lines[0].contains("▲"))
  }

  @Test func `What was stored later without having arrived is not counted`() {
    var session = Session(Sample.rows(1...50), width: 60, height: 12)
    session.send(keys: "<PgDn><PgDn>")
    // As older pages of another feed lie above the screen.
    session.arrive(Sample.rows(1...60), old: Set(51...60))
    #expect(!session.lines[0].contains("▲"))
    session.arrive(Sample.rows(1...61), old: Set(51...60))
    #expect(session.lines[0].contains("▲ 1 new · g"))
  }

  @Test func `Of a feed that is new only what is newer than the top is news`() {
    let rows = Sample.rows(1...30) + Sample.rows(41...60)
    var session = Session(rows.sorted { $0.position > $1.position }, width: 60, height: 12)
    session.send(keys: "<PgDn><PgDn>")
    // Later ids than all others, but dates below the top.
    session.lastID = 60
    let late = (61...63).map { id in
      let row = Sample.row(Int64(id))
      guard case .article(var article) = row else { return row }
      article.position.date = Sample.position(id == 63 ? 63 : 35).date
      return .article(article)
    }
    let all = (rows + late).sorted { $0.position > $1.position }
    session.arrive(all, ofNewFeed: [61, 62, 63])
    #expect(session.lines[0].contains("▲ 1 new"))
  }

  @Test func `What has arrived is asked for once, and only away from the top`() {
    var session = Session(width: 60, height: 12)
    func snapshot(_ rows: [TimelineRow], since: Int64?, lastID: Int64) -> Action {
      .list(
        .arrived(
          TimelineSnapshot(
            query: session.state.list.query, slice: TimelineSlice(rows: rows),
            freshness: Sample.fresh,
            arrivals: Arrivals(since: since ?? lastID, lastID: lastID))))
    }
    #expect(session.state.reduce(snapshot(Sample.rows(1...50), since: nil, lastID: 50)) == [])
    #expect(session.state.reduce(snapshot(Sample.rows(1...50), since: nil, lastID: 70)) == [])
    #expect(session.send(keys: "<PgDn>") == [])
    let effects = session.state.reduce(snapshot(Sample.rows(1...50), since: nil, lastID: 71))
    #expect(session.state.list.query.arrivedAfter == 70)
    #expect(effects == [.list(.observe(session.state.list.query))])
    #expect(session.send(keys: "<C-d>") == [])
    #expect(session.state.reduce(snapshot(Sample.rows(1...50), since: 70, lastID: 71)) == [])
  }

  @Test func `More than the window holds are counted`() {
    var session = Session(Sample.rows(1...50), width: 60, height: 12)
    session.send(keys: "<PgDn>")
    session.lastID = 2_000
    let query = session.state.list.query
    func answer() -> [Effect] {
      session.state.reduce(
        .list(
          .arrived(
            TimelineSnapshot(
              query: session.state.list.query,
              slice: TimelineSlice(rows: Sample.rows(20...50), hasNewer: true, hasOlder: true),
              freshness: Sample.fresh,
              arrivals: Arrivals(
                since: session.state.list.query.arrivedAfter ?? 2_000, lastID: 2_000,
                articles: (51...62).map { Arrivals.Arrival(Sample.position($0)) })))))
    }
    _ = answer()
    #expect(session.state.list.query != query)
    _ = answer()
    #expect(session.lines[0].contains("▲ 12 new"))
  }

  struct Notes: Sendable {
    var freshness: Freshness
    var isRefreshing = false
    var text: String
  }

  private static let freshness = Freshness(
    updated: Sample.date(secondsAgo: 120), feedCount: 40, failedCount: 3)

  @Test(arguments: [
    Notes(freshness: freshness, text: "  updated 2 min ago · ! 3"),
    Notes(
      freshness: freshness, isRefreshing: true,
      text: "  refreshing 1/2 · updated 2 min ago · ! 3"),
    Notes(
      freshness: Freshness(updated: freshness.updated, feedCount: 40, goneCount: 3),
      text: "  updated 2 min ago"),
    Notes(
      freshness: Freshness(updated: freshness.updated, feedCount: 1, isLive: true),
      text: "  live · updated 2 min ago"),
    Notes(
      freshness: Freshness(updated: freshness.updated, feedCount: 1, failedCount: 1, isLive: true),
      text: "  live · cached 2 min ago · failed"),
    Notes(
      freshness: Freshness(updated: freshness.updated, feedCount: 1, goneCount: 1),
      text: "  cached 2 min ago · gone"),
    Notes(
      freshness: Freshness(
        updated: freshness.updated, offlineSince: Sample.date(secondsAgo: 60), feedCount: 40,
        failedCount: 40), text: "  cached 2 min ago · offline"),
    Notes(
      freshness: Freshness(feedCount: 40, failedCount: 2), text: "  never fetched · ! 2"),
    Notes(freshness: Freshness(feedCount: 1, failedCount: 1), text: "  failed"),
  ])
  func `When the list was last confirmed is never hidden`(_ notes: Notes) {
    var session = Session(width: 100)
    if notes.isRefreshing {
      var sidebar = SidebarSnapshot.sample
      sidebar.activity = .refreshing(done: 1, total: 2, failed: 0)
      _ = session.state.reduce(.subscriptions(.arrived(sidebar)))
    }
    session.arrive(Sample.rows(1...5), freshness: notes.freshness)
    #expect(session.lines[0].hasSuffix(notes.text), "\(session.lines[0])")
  }

  struct Heading: Sendable {
    var title: String
    var width: Int
    var contains: [String]
  }

  @Test(arguments: [
    Heading(title: "Short", width: 60, contains: [" Short · 50 unread  ▲ 3 new · g "]),
    Heading(
      title: String(repeating: "long ", count: 30), width: 60,
      contains: [" long long ", "… · 50 unread  ▲ 3 new ", "updated 5 min ago"]),
    Heading(
      title: String(repeating: "long ", count: 30), width: 40,
      contains: [" long ", "… · 50 unread", "▲ 3", "5 min"]),
    Heading(
      title: String(repeating: "字", count: 30), width: 40,
      contains: ["… · 50 unread", "▲ 3", "5 min"]),
    Heading(title: "Short", width: 20, contains: [" · 50", "▲ 3", "5 min"]),
  ])
  func `A name is cut before its count, and what is fresh always shows`(_ heading: Heading) {
    var sidebar = SidebarSnapshot.sample
    sidebar.feeds[0].title = heading.title
    var session = Session(
      Sample.rows(1...50), width: heading.width, height: 12, of: .feed(FeedID(1)),
      sidebar: sidebar)
    session.send(keys: "<PgDn>")
    session.arrive(
      Sample.rows(1...53), counts: ArticleCounts(total: 53, unread: 50))
    for text in heading.contains {
      #expect(session.lines[0].contains(text), "\(session.lines[0])")
    }
  }

  @Test func `Nothing moves either after rows above have gone`() {
    var session = Session(Sample.rows(1...50), width: 60, height: 12)
    session.send(keys: "jjjjj")
    session.arrive(Sample.rows(1...47))
    #expect(session.selected == 45)
    let before = session.lines
    session.arrive(Sample.rows(1...50))
    #expect(session.lines[2...10] == before[2...10])
  }

  @Test(arguments: [
    // The row that follows takes the place of one that is gone, the last row that of the end.
    (1, 20), (10, 11), (20, 20),
  ])
  func `A row that is gone leaves its place to its neighbour`(_ gone: Int64, _ count: Int) {
    var session = Session(Sample.rows(1...20), width: 60, height: 12)
    session.send(keys: String(repeating: "j", count: Int(20 - gone)))
    #expect(session.selected == gone)
    session.arrive(Sample.rows(1...20).filter { $0.position.id != gone })
    #expect(session.selected == (gone == 1 ? 2 : gone - 1))
  }

  @Test func `What arrives in great number moves the window, and not the selection`() throws {
    var session = Session(Sample.rows(1...50), width: 60, height: 12)
    session.send(keys: "jjj")
    #expect(session.selected == 47)
    let before = session.lines
    // So many have come before it that it is not among the first that were read.
    let effects = session.arrive(Sample.rows(101...300), hasOlder: true)
    let position = try #require(session.state.list.selectedPosition)
    #expect(position.id == 47)
    #expect(effects == [.list(.observe(session.state.list.query))])
    #expect(session.state.list.query.anchor == .around(position))
    #expect(session.selected == 47 && session.lines[2...10] == before[2...10])
    session.arrive(Sample.rows(1...180), hasNewer: true)
    #expect(session.selected == 47 && session.lines[2...10] == before[2...10])
    // Where it is gone, the row that follows it takes its place.
    session.arrive(Sample.rows(1...180).filter { $0.position.id != 47 }, hasNewer: true)
    #expect(session.selected == 46)
  }

  @Test func `A list that was emptied and filled again is at its top`() {
    var session = Session(Sample.rows(1...20))
    session.send(keys: "jjj")
    session.arrive([])
    #expect(session.selected == nil)
    #expect(session.send(keys: "jkGg<PgDn><PgUp><Enter>ms").filter { $0.id == nil } == [])
    session.arrive(Sample.rows(1...20))
    #expect(session.selected == 20)
  }

  @Test(arguments: [(12, 5), (5, 12), (12, 2), (30, 1), (6, 40)])
  func `A resize keeps the place`(_ from: Int, _ to: Int) {
    var session = Session(Sample.rows(1...50), width: 60, height: from)
    session.send(keys: "jjjjjjjj")
    #expect(session.state.reduce(.resized(Size(width: 60, height: to))) == [])
    #expect(session.selected == 42)
    let first = session.state.list.firstVisibleRow
    #expect((first..<first + session.state.list.height).contains(8))
  }

  @Test func `A screen that grows at the end of a list is filled`() {
    var session = Session(Sample.rows(1...50), width: 60, height: 12)
    session.send(keys: "G")
    _ = session.state.reduce(.resized(Size(width: 60, height: 32)))
    #expect(session.lines[1].contains("Article 30"))
    #expect(session.selected == 1)
  }

  // MARK: Older articles

  struct Older: Sendable {
    var keys = ""
    var count: Int64 = 20
    var hasOlder = false
    var older = OlderArticles.more
    var isOffline = false
    var isAsked = false
  }

  @Test(arguments: [
    Older(keys: "jjjjj", isAsked: true), Older(keys: "jjj"), Older(keys: "G", isAsked: true),
    Older(keys: "Gkkjj", isAsked: true), Older(keys: "jjjjj", hasOlder: true),
    Older(keys: "G", older: .none), Older(keys: "G", older: .loading),
    Older(keys: "G", older: .end),
    Older(keys: "G", older: .failed(Sample.unavailable)), Older(keys: "G", isOffline: true),
    Older(keys: "Gj", older: .failed(Sample.unavailable), isAsked: true),
    Older(keys: "Gj", older: .end), Older(keys: "Gj", older: .loading),
  ])
  func `Older articles are asked for near the end, and once`(_ older: Older) {
    var session = Session([], of: .feed(FeedID(1)))
    var freshness = Sample.fresh
    if older.isOffline { freshness.offlineSince = Sample.date(secondsAgo: 60) }
    var effects = session.arrive(
      Sample.rows(1...older.count), hasOlder: older.hasOlder, older: older.older,
      freshness: freshness)
    effects += session.send(keys: older.keys)
    let asked = effects.filter { $0.id == .list(.older) }
    #expect(asked == (older.isAsked ? [.list(.loadOlder(.feed(FeedID(1))))] : []))
  }

  @Test func `Each page of older articles is asked for`() {
    var session = Session([], of: .feed(FeedID(1)))
    #expect(
      session.arrive(Sample.rows(41...50), older: .more) == [.list(.loadOlder(.feed(FeedID(1))))])
    #expect(session.arrive(Sample.rows(41...50), older: .loading) == [])
    #expect(
      session.arrive(Sample.rows(36...50), older: .more) == [.list(.loadOlder(.feed(FeedID(1))))])
    #expect(session.arrive(Sample.rows(1...50), older: .more) == [])
  }

  @Test func `Enter on a gap loads what is missing`() throws {
    let gap = Sample.gap(between: 990, and: 960)
    var session = Session([Sample.row(990), gap, Sample.row(960)])
    guard case .gap(let value) = gap else { return }
    let effects = session.send(keys: "j<Enter>")
    #expect(effects.first == .list(.fill(value)))
    #expect(session.state.article == nil)
  }

  @Test func `J and K say that there is no further article`() {
    var session = Session(Sample.rows(1...3))
    session.send(keys: "K")
    #expect(session.state.notice?.text == "This is the first article.")
    session.send(keys: "JJ")
    session.arrive(Sample.rows(1...3), hasOlder: true)
    #expect(session.state.notice == nil)
    session.send(keys: "J")
    // The store has more, which is on its way.
    #expect(session.state.notice == nil)
    session.arrive(Sample.rows(1...3))
    session.send(keys: "J")
    #expect(session.state.notice?.text == "This is the last article.")
  }

  @Test(arguments: ["J", "n"])
  func `Behind an open article that was removed comes what stood after it`(_ key: String) throws {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "jj<Enter>")
    try session.articleArrives(html: "<p>three</p>")
    #expect(session.state.article?.id == ArticleID(3))
    session.arrive(Sample.rows(1...5).filter { $0.position.id != 3 })
    session.send(keys: key)
    #expect(session.state.article?.id == ArticleID(2))
  }
}
