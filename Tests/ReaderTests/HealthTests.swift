internal import Foundation
internal import News
internal import Screen
internal import Testing

@testable import Reader

/// The view of the feeds by how they fare.
struct HealthTests {
  /// Every condition, from the failing to the well.
  private static let order: [Int64] = [9, 8, 7, 6, 5, 4, 3, 2, 1]

  private func session(
    width: Int = 100, height: Int = 24, _ sidebar: SidebarSnapshot = .ailing
  ) -> Session {
    var session = Session(Sample.rows(1...5), width: width, height: height, sidebar: sidebar)
    session.send(keys: "H")
    return session
  }

  @Test func `The longest failing come first, the well ones last, the stalest of them above`() {
    let session = session()
    #expect(session.ids == Self.order)
    #expect(
      session.state.healthRows.map(\.condition) == [
        .failing, .failing, .waiting, .waiting, .redirected, .gone, .neverFetched, .well, .well,
      ])
    #expect(session.selectedFeed == 9)
  }

  @Test func `The heading counts what there is`() {
    let heading = session().lines[0]
    let counts = "2 failing · 2 waiting · 1 redirected · 1 gone · 1 never fetched · 2 healthy"
    #expect(heading.contains("Health · " + counts))
    #expect(session(.sample).lines[0].contains("Health · 1 failing · 3 never fetched"))
  }

  @Test func `Selected feeds are refreshed, moved, removed and shown in the sidebar together`() {
    let ids = [FeedID(9), FeedID(8)]
    var session = session()
    session.send(keys: "vv")
    #expect(session.lines[0].contains("2 selected"))
    #expect(session.lines.count { $0.hasPrefix("✓") } == 2)
    #expect(session.send(keys: "r") == [.refresh(.askedFeeds(ids))])
    #expect(!session.lines[0].contains("selected"))
    session.send(keys: "gvGV")
    #expect(
      session.send(keys: "xy") == [
        .subscriptions(
          .move(FeedID(5), to: "https://example.com/new/5.xml", isUserEntered: false))
      ])
    session.send(keys: "gvvd")
    #expect(session.lines.last?.contains("Unsubscribe from 2 feeds") == true)
    #expect(session.send(keys: "y") == [.subscriptions(.remove(ids))])
    session.send(keys: "<Enter>")
    #expect(session.state.front is SidebarPane && session.state.sidebar.picked.ids == ids)
  }

  @Test func `A wait that is over is a failure again`() {
    var session = session()
    var clock = Sample.clock
    clock.now += 24
    _ = session.state.reduce(.clockMoved(clock))
    #expect(
      session.state.healthRows.prefix(4).map(\.condition) == [
        .failing, .failing, .failing, .waiting,
      ])
    #expect(session.ids.prefix(4) == [9, 8, 7, 6])
  }

  @Test(
    arguments: [
      ("j", 8), ("jjk", 8), ("G", 1), ("Gg", 9), ("<PgDn>", 1), ("<PgDn><PgUp>", 9), ("kk", 9),
      ("<Down><Down>", 7), ("<C-d>", 5),
    ] as [(String, Int64)])
  func `Keys move`(_ keys: String, _ feed: Int64) {
    var session = session()
    session.send(keys: keys)
    #expect(session.selectedFeed == feed)
  }

  @Test(arguments: ["q", "<Esc>", "h", "<Left>", "H"])
  func `Leaving it goes back to where it was opened`(_ key: String) {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "jj")
    let before = session.state.render()
    session.send(keys: "Hj" + key)
    #expect(session.state.health == nil)
    #expect(session.state.render() == before)
  }

  @Test(
    arguments: [
      ("r", [.refresh(.asked(.feed(FeedID(9))))]),
      ("jr", [.refresh(.asked(.feed(FeedID(8))))]),
      ("R", [.refresh(.askedFeeds([9, 8, 7, 6].map { FeedID($0) }))]),
      ("GR", [.refresh(.askedFeeds([9, 8, 7, 6].map { FeedID($0) }))]),
      ("Go", [.opening(.openLink("https://example.org/"))]),
      (
        "dy",
        [
          .subscriptions(
            .remove(
              [FeedID(9)],
              title: "A long title of a feed that has failed for weeks and weeks on end")
          )
        ]
      ),
      ("jdn", []), ("jjjjxn", []), ("jjjjx<Esc>", []),
      (
        "jjjjxy",
        [
          .subscriptions(
            .move(FeedID(5), to: "https://example.com/new/5.xml", isUserEntered: false))
        ]
      ),
      (
        "c<End>2<Enter>",
        [.subscriptions(.move(FeedID(9), to: "https://example.org/9.xml2", isUserEntered: true))]
      ),
      (
        "cother.org/f<Enter>",
        [.subscriptions(.move(FeedID(9), to: "https://other.org/f", isUserEntered: true))]
      ),
      ("c<Esc>", []), ("c<BS><C-u><Enter>", []),
    ] as [(String, [Effect])])
  func `What is done is done about the selected feed`(_ keys: String, _ effects: [Effect]) {
    var sidebar = SidebarSnapshot.ailing
    sidebar.feeds[0].link = "https://example.org/"
    var session = session(sidebar)
    #expect(session.send(keys: keys).filter { $0.id != .notice && $0 != .moveClock } == effects)
    #expect(session.state.prompt == nil)
    #expect(session.state.health != nil)
  }

  @Test(arguments: [
    ("o", "has no home page."), ("x", "has not moved. Press c"),
    ("c<Left><Enter>", "already has this address."), ("cftp://x<Enter>", "http and https only"),
  ])
  func `What cannot be done is told`(_ keys: String, _ text: String) {
    var session = session()
    session.send(keys: keys)
    let told = session.lines.suffix(3).map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(told.joined(separator: " ").contains(text))
  }

  @Test func `Nothing to try is told`() {
    var session = session(SidebarSnapshot(feeds: [Sample.feed(1, "Feed 1")]))
    session.send(keys: "R")
    #expect(session.state.notice?.text == "No feed is failing.")
  }

  @Test func `Without feeds there is no health`() {
    var session = session(SidebarSnapshot())
    #expect(session.state.health == nil)
    #expect(session.state.notice?.text == "No feeds yet. Press a to subscribe to one.")
    session = self.session()
    _ = session.state.reduce(.subscriptions(.arrived(SidebarSnapshot())))
    #expect(session.lines[0].contains("Health"))
    for keys in ["jGg<C-e><C-y><PgDn>", "r", "x", "c", "d", "o", "l", "R"] {
      session.send(keys: keys)
    }
    #expect(session.state.prompt == nil)
  }

  @Test func `Looking at a new address can be cancelled`() {
    var session = session()
    session.send(keys: "cother.org/f<Enter>")
    #expect(session.lines.last?.hasSuffix("Esc cancel") == true)
    #expect(session.send(keys: "<Esc>").first == .cancel(.subscriptions(.move(FeedID(9)))))
    #expect(session.state.health != nil)
    session.send(keys: "c")
    #expect(session.lines.last?.contains("other.org/f") == true)
  }

  @Test func `An address that was refused is there for another try`() {
    var session = session()
    session.send(keys: "cother.org/f<Enter>")
    #expect(session.lines.last?.contains("looking for a feed at https://other.org/f") == true)
    _ = session.state.reduce(
      .subscriptions(.notMoved(FeedID(9), to: "https://other.org/f", Sample.unavailable)))
    #expect(session.state.notice?.kind == .error)
    let effects = session.send(keys: "c<End>2<Enter>")
    #expect(
      effects.first
        == .subscriptions(.move(FeedID(9), to: "https://other.org/f2", isUserEntered: true)))
    _ = session.state.reduce(.subscriptions(.moved(FeedID(9), to: "https://other.org/f2")))
    session.send(keys: "c")
    #expect(session.lines.last?.contains("https://example.org/9.xml") == true)
  }

  @Test(
    arguments: [
      // What the page named leads to public hosts only; what the user makes of it, anywhere.
      ("c<Enter>", "https://other.org/f?key=1", false),
      ("c<End>2<Enter>", "https://other.org/f?key=12", true),
      ("chttps://mine.org/<Enter>", "https://mine.org/", true),
      // What was typed before goes before what the page names.
      ("cmine.org<Enter>c<End>/a<Enter>", "https://mine.org/a", true),
    ] as [(String, String, Bool)])
  func `A feed that the page at its address names is there to be taken`(
    _ keys: String, _ address: String, _ isUserEntered: Bool
  ) {
    var sidebar = SidebarSnapshot.ailing
    sidebar.feeds[8].state.error?.feedURL = "https://other.org/f?key=1"
    var session = session(sidebar)
    #expect(
      session.send(keys: keys).last { $0.id != .notice && $0 != .moveClock }
        == .subscriptions(.move(FeedID(9), to: address, isUserEntered: isUserEntered)))
  }

  @Test(arguments: [
    Action.subscriptions(.moved(FeedID(9), to: "https://other.org/f")),
    .subscriptions(.notMoved(FeedID(9), to: "https://other.org/f", Sample.unavailable)),
    .subscriptions(.moved(FeedID(8), to: "https://other.org/f")),
    .subscriptions(.notMoved(FeedID(9), to: "https://other.org/older", Sample.unavailable)),
  ])
  func `The end of a search takes no word of another away`(_ end: Action) {
    let isOwn =
      switch end {
      case .subscriptions(.moved(FeedID(9), _)),
        .subscriptions(.notMoved(_, to: "https://other.org/f", _)):
        true
      default: false
      }
    var session = session()
    session.send(keys: "cother.org/f<Enter>q")
    _ = session.state.reduce(end)
    session.state.notice = nil
    let isLookedFor = session.lines.last?.contains("looking for a feed at https://other.org/f ")
    #expect(isLookedFor == !isOwn)

    // One that is to be added goes before, and stays.
    session.send(keys: "ae.org<Enter>")
    _ = session.state.reduce(.subscriptions(.moved(FeedID(9), to: "https://other.org/f")))
    session.state.notice = nil
    #expect(session.lines.last?.contains("looking for a feed at e.org …") == true)
    session.send(keys: "Hcother.org/f<Enter>")
    _ = session.state.reduce(.subscriptions(.notAdded("e.org", Sample.unavailable)))
    session.send(keys: "q")
    #expect(session.lines.last?.contains("looking for a feed at https://other.org/f …") == true)
  }

  @Test(arguments: [(200, 1), (80, 2), (40, 4), (20, 5)])
  func `An error is told to its end, on as many lines as it takes`(_ width: Int, _ count: Int) {
    var session = session()
    _ = session.state.reduce(.resized(Size(width: width, height: 10)))
    let before = session.lines
    let error = SourceError(
      .status, stage: .fetch, subject: "https://other.org/f",
      message: "other.org replied that there is nothing at this address (404)",
      next: "check the address; the first page of the site leads to no feed either")
    _ = session.state.reduce(.failed(error))
    let told = session.lines.suffix(count).map { $0.trimmingCharacters(in: .whitespaces) }
    let whole = told.joined(separator: " ")
    #expect(width == 20 ? whole.hasSuffix("…") : whole == error.line)
    #expect(session.lines.dropLast(count) == before.dropLast(count))
    // And gone again.
    session.state.notice = nil
    #expect(session.lines == before)
  }

  @Test func `An address that is pasted takes the place of the old one`() {
    var session = session()
    session.send(keys: "c")
    session.paste("https://other.org/f")
    #expect(
      session.send(keys: "<Enter>").first
        == .subscriptions(.move(FeedID(9), to: "https://other.org/f", isUserEntered: true)))
  }

  @Test func `A feed that has moved is asked at once, whatever was asked before`() {
    var session = session()
    let wish = Effect.Refresh.asked(.feed(FeedID(8)))
    let effects = session.state.reduce(
      .subscriptions(.moved(FeedID(8), to: "https://new.example/")))
    #expect(effects.prefix(2) == [.cancel(.refresh(wish)), .refresh(wish)])
    #expect(
      session.state.notice?.text
        == "Moved Fails since today. Refreshing the feed at the new address …")
  }

  // MARK: While feeds are fetched

  @Test func `The selected feed keeps its line while others change their place`() {
    var sidebar = SidebarSnapshot.ailing
    sidebar.feeds += (10...60).map { Sample.feed($0, "Feed \($0)") }
    var session = session(sidebar)
    session.send(keys: String(repeating: "j", count: 20))
    let selected = session.selectedFeed
    let line = session.selectedLine
    // Two are well again: everything below moves up.
    for index in sidebar.feeds.indices where [8, 9].contains(sidebar.feeds[index].id.rawValue) {
      sidebar.feeds[index].state = SidebarSnapshot.ailing.feeds[0].state
    }
    _ = session.state.reduce(.subscriptions(.arrived(sidebar)))
    #expect(session.selectedFeed == selected)
    #expect(session.selectedLine == line)
    #expect(session.lines[1 + line].contains("Feed"))
  }

  @Test func `A feed that is being tried keeps its place, and says which attempt it is`() {
    var session = session()
    var sidebar = SidebarSnapshot.ailing
    sidebar.waits = [
      FeedID(9): RetryWait(attempt: 2, maxAttempts: 3, until: Sample.date(secondsAgo: -2)),
      FeedID(3): RetryWait(attempt: 3, maxAttempts: 3, until: Sample.date(secondsAgo: -1)),
    ]
    _ = session.state.reduce(.subscriptions(.arrived(sidebar)))
    #expect(session.ids == [9, 8, 3, 7, 6, 5, 4, 2, 1])
    #expect(session.lines[1].contains("trying again") && session.lines[1].contains("↻2/3"))
    #expect(session.lines.contains { $0.contains("attempt 2 of 3 in 2 s") })
  }

  @Test func `A feed that works again stays selected`() {
    var session = session()
    var sidebar = SidebarSnapshot.ailing
    sidebar.feeds[8].state = sidebar.feeds[0].state
    _ = session.state.reduce(.subscriptions(.arrived(sidebar)))
    #expect(session.selectedFeed == 9)
    #expect(session.lines.joined(separator: "\n").contains("This feed is healthy."))
  }

  @Test func `The neighbour of a feed that was removed takes its place`() {
    var session = session()
    session.send(keys: "jj")
    var sidebar = SidebarSnapshot.ailing
    sidebar.feeds.removeAll { $0.id == FeedID(7) }
    _ = session.state.reduce(.subscriptions(.arrived(sidebar)))
    #expect(session.selectedFeed == 6)
    session.send(keys: "G")
    sidebar.feeds.removeAll { $0.id == FeedID(1) }
    _ = session.state.reduce(.subscriptions(.arrived(sidebar)))
    #expect(session.selectedFeed == 2)
  }

  @Test func `A wait counts down while it shows`() {
    var session = session()
    #expect(session.lines.contains { $0.contains("Paused") && $0.contains("in 23 s") })
    var clock = Sample.clock
    clock.now += 5
    #expect(session.state.reduce(.clockMoved(clock)) == [.moveClock])
    #expect(session.lines.contains { $0.contains("Paused") && $0.contains("in 18 s") })
  }

  @Test func `A wait that was there at the start counts down from the start`() {
    var state = ReaderState(size: Size(width: 80, height: 24), clock: Sample.clock)
    // What the snapshots that the program starts with ask for is not done.
    _ = state.reduce(.subscriptions(.arrived(.ailing)))
    #expect(state.reduce(.started).contains(.moveClock))
    #expect(!state.reduce(.resized(Size(width: 90, height: 24))).contains(.moveClock))
  }

  // MARK: Details

  @Test(arguments: [10, 24, 40, 80, 200])
  func `Nothing of an error is cut`(_ width: Int) throws {
    var session = session(width: width, height: 10)
    let area = try #require(session.state.healthLayout(session.state.healthRows).text)
    let error = try #require(session.state.healthRows[0].error?.line)
    var text = ""
    for _ in 0..<200 {
      text += " " + String(session.detail(area, row: 0))
      session.send(keys: "<C-e>")
    }
    for row in 0..<area.height { text += " " + session.detail(area, row: row) }
    let joined = text.filter { !$0.isWhitespace }
    #expect(joined.contains(error.filter { !$0.isWhitespace }))
    #expect(joined.contains("https://example.org/9.xml"))
  }

  @Test(arguments: [
    (
      "",
      ["(404)", "212 times in a row", "for 21 days", "404, first attempt", "23 days ago"]
    ),
    ("j", ["did not answer in 30 s", "2 times in a row", "none, after 3 attempts"]),
    ("jj", ["in 23 s, at 14:02: its server failed too often", "502, after 3 attempts"]),
    ("jjj", ["in 10 min, at 14:11: its server asked for this wait (Retry-After)"]),
    ("jjjj", ["https://example.com/new/5.xml", "x moves the feed to its new address."]),
    (
      "jjjjj",
      ["(410); r tries now", "only when you ask; r tries again, c changes the address"]
    ),
    ("jjjjjj", ["This feed has not been fetched yet. r fetches the feed."]),
    ("G", ["This feed is healthy.", "5 min ago"]),
  ])
  func `The details tell what there is to know`(_ keys: String, _ texts: [String]) {
    var session = session(width: 110, height: 40)
    session.send(keys: keys)
    // Wrapped where the line ends: the words count.
    let text = session.lines.joined().split(separator: " ").joined(separator: " ")
    for part in texts where !text.contains(part) { Issue.record("no “\(part)” in \(text)") }
  }

  @Test func `Each feed says when it is fetched next, and why`() {
    var sidebar = SidebarSnapshot.ailing
    sidebar.feeds[0].state.pace = PublishingPace(
      gap: 36_000, newest: Sample.date(secondsAgo: 3_600))
    func text(_ interval: FetchInterval = .adaptive, _ keys: String = "G") -> String {
      var session = session(width: 110, height: 40, sidebar)
      session.state.settings.interval = interval
      session.send(keys: keys)
      return session.lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    }
    #expect(text().contains("Well every 5 h 5 min ago in 5 h"))
    #expect(text().contains("in 5 h, at 18:57: every 5 h: publishes about every 10 h"))
    #expect(text(.fixed(1_800)).contains("in 25 min, at 14:27: set to 30 min"))
    #expect(text(.fixed(86_400)).contains("at Sun 22 Nov 2026, 13:57: set to 24 h"))
    #expect(text(.never).contains("only when you ask; r fetches the feed"))
    #expect(text(.adaptive, "").contains("in 50 min, at 14:52: failed 212 times"))
    sidebar.feeds[0].state.minutesToLive = 720
    #expect(text().contains("the feed asks for 12 h"))
    sidebar.feeds[0].settings.interval = 0
    #expect(text().contains("only when you ask; r fetches the feed"))
  }

  @Test func `The calendar counts the feeds of each hour, again after each interval`() {
    func feed(_ id: Int64, last: Int64, _ change: (inout FeedState) -> Void = { _ in }) -> Feed {
      Sample.feed(id, "Feed \(id)").with {
        $0.lastAttempt = Sample.date(secondsAgo: last)
        change(&$0)
      }
    }
    // It is 14:02.
    let feeds = [
      feed(1, last: 100_000) { $0.minutesToLive = 180 }, feed(2, last: 600),
      feed(3, last: 600) { $0.isGone = true }, Sample.feed(4, "New"),
    ]
    let rows = HealthRow.rows(
      of: SidebarSnapshot(feeds: feeds), now: Sample.clock.now, interval: .adaptive)
    // The first is due now and each three hours, the second each hour from 14:52 on.
    #expect(
      HealthState.dueCounts(rows, hours: 6, Sample.clock) == [3, 1, 1, 2, 1, 1])
  }

  @Test(arguments: [
    (80, 24, "Due 14:00 ", " 13:00 · most: 8 at 14:00"), (40, 10, "Due 14:00 ", " 01:00 · most: 8"),
    (200, 60, "Due 14:00 ", " 13:00 · most: 8 at 14:00"),
  ])
  func `The calendar is a line below the rows`(
    width: Int, height: Int, start: String, end: String
  ) throws {
    var session = session(width: width, height: height)
    let footer = try #require(session.state.healthLayout(session.state.healthRows).footer)
    let line = session.lines[footer.y]
    #expect(line.contains(start) && line.contains(end), "\(line)")
    session.state.settings.interval = .never
    #expect(session.lines[footer.y].contains("No feed is due in the next"))
  }

  @Test(arguments: [nil, -3_600, 1_000] as [Int64?])
  func `A pause after failures is nothing that the server asked for`(asked: Int64?) {
    var sidebar = SidebarSnapshot.ailing
    let place = sidebar.feeds.firstIndex { $0.state.error?.status == 429 }
    sidebar.feeds[place ?? 0].state.error?.retryAfter = asked.map {
      Sample.date(secondsAgo: $0)
    }
    var session = session(width: 110, height: 40)
    _ = session.state.reduce(.subscriptions(.arrived(sidebar)))
    session.send(keys: "jjj")
    let text = session.lines.joined().split(separator: " ").joined(separator: " ")
    #expect(text.contains("its server failed too often, so Telex waits"))
    #expect(!text.contains("Retry-After"))
  }

  @Test func `A feed whose server wants a pause says until when, and why`() {
    var sidebar = SidebarSnapshot.ailing
    let end = Sample.date(secondsAgo: -900)
    let place = sidebar.feeds.firstIndex { $0.state.error?.status == 429 } ?? 0
    sidebar.feeds[place].state.error = nil
    sidebar.feeds[place].state.nextAttempt = end
    sidebar.feeds[place].state.restsUntil = end
    sidebar.feeds[place].state.lastAttempt = Sample.date(secondsAgo: 7_200)
    var session = session(width: 110, height: 40)
    _ = session.state.reduce(.subscriptions(.arrived(sidebar)))
    session.send(keys: "jjj")
    let text = session.lines.joined().split(separator: " ").joined(separator: " ")
    #expect(
      text.contains("in 15 min, at 14:17: its server got too many requests and asked for a pause"))

    let freshness = Freshness(feedCount: 1, nextAttempt: end)
    #expect(
      freshness.trouble(in: session.state)?.line
        == "The server asked for a pause. Next try in 15 min.")
  }

  @Test(arguments: [(0, .plain), (1, .error)] as [(Int, Notice.Kind)])
  func `A refresh tells of failures quietly unless a feed is gone`(gone: Int, kind: Notice.Kind) {
    var session = Session()
    _ = session.state.reduce(
      .subscriptions(.refreshEnded(failed: 2, gone: gone, inserted: 0, wasAsked: true)))
    #expect(session.state.notice?.text.contains("2") == true)
    #expect(session.state.notice?.kind == kind)
  }

  @Test func `A connection that cannot be trusted has a look of its own, wherever it shows`() {
    var sidebar = SidebarSnapshot.ailing
    sidebar.feeds[2].state.error = Sample.error(.tls, "shows a certificate that has expired")
    let feed = sidebar.feeds[2]
    func alarms(_ session: Session) -> String {
      var state = session.state
      state.theme = .dark
      let letters = state.render().cells.filter { $0.style == Theme.dark.alarm }
        .compactMap { Unicode.Scalar($0.glyph.rawValue) }
      return String(String.UnicodeScalarView(letters))
    }
    // The first of all, above those that fail in another way.
    let health = self.session(sidebar)
    #expect(health.ids.first == feed.id.rawValue)
    #expect(health.state.healthRows.first?.condition == .untrusted)
    #expect(health.lines.joined().contains("1 not trusted"))
    // The sidebar, and the list of the feed.
    var session = Session([], width: 100, height: 24, sidebar: sidebar)
    #expect(session.lines.joined().contains("⊘ \(feed.displayTitle)"))
    #expect(alarms(session).contains("⊘"))
    _ = session.state.show(.feed(feed.id))
    session.arrive(
      [], freshness: Freshness(feedCount: 1, failedCount: 1, error: feed.state.error))
    #expect(alarms(session).contains("not trusted"))
    #expect(alarms(session).contains("certificate"))
    // What fails in any other way has nothing of it.
    let plain = Session([], width: 100, height: 24, sidebar: .ailing)
    #expect(alarms(plain).isEmpty)
  }

  @Test func `A feed that says it has moved stands with those to look at, and x moves it`() {
    var sidebar = SidebarSnapshot.ailing
    sidebar.feeds[0].details.movedTo = "https://new.example/1.xml"
    // It is asked there already.
    sidebar.feeds[1].details.movedTo = sidebar.feeds[1].url
    var session = session(width: 110, height: 40, sidebar)
    #expect(session.ids == [9, 8, 7, 6, 5, 1, 4, 3, 2])
    #expect(
      session.lines[0].contains("1 redirected · 1 moved · 1 gone · 1 never fetched · 1 healthy"))
    session.send(keys: "jjjjj")
    let text = session.lines.joined(separator: "\n")
    #expect(text.contains("→ Well") && text.contains("moved"))
    #expect(text.contains("This feed says that it has moved. x moves the feed to its new address."))
    #expect(text.contains("https://new.example/1.xml"))
    let effects = session.send(keys: "xy")
    #expect(
      effects.last { $0.id != .notice && $0 != .moveClock }
        == .subscriptions(.move(FeedID(1), to: "https://new.example/1.xml", isUserEntered: false)))
    // One that fails says so first.
    sidebar.feeds[8].details.movedTo = "https://new.example/9.xml"
    session = self.session(width: 110, height: 40, sidebar)
    #expect(session.ids.first == 9)
    #expect(session.lines.contains { $0.contains("Moved to") && $0.contains("/9.xml") })
  }

  @Test func `A feed whose new address another has is merged into that one`() {
    var sidebar = SidebarSnapshot.ailing
    sidebar.feeds[0].url = "https://example.com/new/5.xml"
    let titles = [4, 0].map { sidebar.feeds[$0].displayTitle }
    var session = session(width: 110, height: 40, sidebar)
    session.send(keys: "jjjj")
    #expect(session.selectedFeed == 5)
    let text = session.lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    #expect(text.contains("duplicate"))
    #expect(
      text.contains(
        "You already subscribe to the new address of this feed, as \(titles[1])."))
    session.send(keys: "x")
    #expect(session.lines.contains { $0.contains("Merge \(titles[0]) into \(titles[1])") })
    let effects = session.send(keys: "y").filter { $0.id != .notice && $0 != .moveClock }
    #expect(effects == [.subscriptions(.merge(FeedID(5), into: FeedID(1)))])
    _ = session.state.reduce(.subscriptions(.merged(FeedID(5), into: FeedID(1))))
    #expect(session.state.notice?.text == "Merged \(titles[0]) into \(titles[1]).")
    #expect(!session.ids.contains(5))
    // The store's own list comes first where a password had to be forgotten, and counts duplicates once.
    var (merged, late) = (sidebar, self.session(width: 110, height: 40, sidebar))
    merged.feeds.remove(at: 4)
    merged.counts = ArticleCounts(total: 9, unread: 8)
    _ = late.state.reduce(.subscriptions(.arrived(merged)))
    _ = late.state.reduce(.subscriptions(.merged(FeedID(5), into: FeedID(1))))
    #expect(late.state.subscriptions.counts == merged.counts)
    // The same address in another account is another subscription.
    sidebar.feeds[0].account = Account(
      id: AccountID(7), service: AccountService(AccountKind(rawValue: "test"), .pages),
      base: "https://example.com", user: "ada")
    session = self.session(width: 110, height: 40, sidebar)
    session.send(keys: "jjjj")
    #expect(!session.lines.joined().contains("duplicate"))
  }

  @Test func `A feed that is still to be found is looked for by r, and is no failure`() {
    var sidebar = SidebarSnapshot.ailing
    sidebar.feeds[8].settings.isSought = true
    sidebar.feeds[8].state.error = Sample.error(.offline, "cannot be reached")
    var session = session(width: 110, height: 40, sidebar)
    let row = session.state.healthRows.first { $0.id == FeedID(9) }
    #expect(row?.condition == .waiting && row?.brief == "no network")
    #expect(!sidebar.feeds[8].showsFailure)
    while session.selectedFeed != 9 { session.send(keys: "j") }
    let effects = session.send(keys: "r").filter { $0.id != .notice && $0 != .moveClock }
    #expect(effects == [.subscriptions(.add(sidebar.feeds[8].url))])
    // Of several feeds the user chooses: that is an error.
    sidebar.feeds[8].state.error = Sample.error(.notAFeed, "names 3 feeds")
    #expect(sidebar.feeds[8].showsFailure)
  }

  @Test(arguments: [10, 40, 80, 200])
  func `What a feed says of itself is told below how it fares`(_ width: Int) throws {
    var sidebar = SidebarSnapshot(feeds: [SidebarSnapshot.ailing.feeds[0]])
    sidebar.feeds[0].description = String(repeating: "word ", count: 100)
    sidebar.feeds[0].link = "https://example.org/home"
    sidebar.feeds[0].language = "de-CH"
    sidebar.feeds[0].details = FeedDetails(
      image: "https://example.org/picture.png", icon: "https://example.org/icon.ico",
      authors: (1...12).map { Author("Author\($0)") }, rights: "©\u{1b}[31m Ada")
    var session = session(width: width, height: 10, sidebar)
    let area = try #require(session.state.healthLayout(session.state.healthRows).text)
    var text = ""
    for _ in 0..<200 {
      text += session.detail(area, row: 0)
      session.send(keys: "<C-e>")
    }
    for row in 0..<area.height { text += session.detail(area, row: row) }
    let joined = text.filter { !$0.isWhitespace }
    for part in [
      "https://example.org/home", "de-CH", "Author9,Author10and2more", "©",
      "https://example.org/picture.png",
    ] {
      #expect(joined.contains(part), "\(part) in \(joined)")
    }
    #expect(!joined.contains("icon.ico") && !joined.contains("\u{1b}"))
    #expect(joined.components(separatedBy: "word").count - 1 >= 100)
  }

  @Test func `Of an essay only the beginning is told`() {
    var sidebar = SidebarSnapshot(feeds: [SidebarSnapshot.ailing.feeds[0]])
    sidebar.feeds[0].description = String(repeating: "x", count: 5_000)
    let session = session(width: 110, height: 60, sidebar)
    let text = session.lines.joined()
    #expect(text.count { $0 == "x" } < 1_100 && text.contains("x…"))
  }

  // MARK: The mouse, and the way in

  @Test func `A click selects, a double click goes to the articles, the wheel moves`() {
    var session = session()
    session.mouse(.click, x: 4, y: 3)
    #expect(session.selectedFeed == 7)
    session.mouse(.wheelDown, x: 4, y: 3)
    #expect(session.selectedFeed == 4)
    session.mouse(.wheelUp, x: 4, y: 3)
    #expect(session.selectedFeed == 7)
    session.mouse(.doubleClick, x: 4, y: 1)
    #expect(session.state.health == nil)
    #expect(session.state.list.query.timeline == .feed(FeedID(9)))
  }

  @Test(arguments: ["<Enter>", "l", "<Right>"])
  func `A key goes to the articles of the feed`(_ key: String) {
    var session = session()
    session.send(keys: "jj" + key)
    #expect(session.state.health == nil)
    #expect(session.state.list.query.timeline == .feed(FeedID(7)))
    #expect(session.state.focus == .list)
  }

  @Test(arguments: [(7, 7), (1, 9)] as [(Int64, Int64)])
  func `From a feed that fails it opens on that feed`(_ shown: Int64, _ selected: Int64) {
    var session = Session(Sample.rows(1...5), of: .feed(FeedID(shown)), sidebar: .ailing)
    session.send(keys: "H")
    #expect(session.selectedFeed == selected)
  }

  @Test(arguments: [40, 80, 200])
  func `A list of a feed that fails says which key tells why`(_ width: Int) {
    var session = Session(
      Sample.rows(1...5), width: width, of: .feed(FeedID(9)), sidebar: .ailing)
    #expect(session.lines.last?.contains("H why") == false)
    session.arrive(
      Sample.rows(1...5),
      freshness: Freshness(feedCount: 1, failedCount: 1, error: Sample.unavailable))
    #expect(session.lines.last?.contains("H why") == true)
    #expect(session.lines.last?.contains("example.org replied") == true)
  }

  @Test func `The help shows above it, and goes back to it`() {
    var session = session()
    let before = session.state.render()
    session.send(keys: "?")
    #expect(session.lines[0].contains("Help: health"))
    session.send(keys: "q")
    #expect(session.state.render() == before)
  }
}

extension Session {
  fileprivate var ids: [Int64] { state.healthRows.map(\.id.rawValue) }
  fileprivate var selectedFeed: Int64? { state.health?.page.selection.id?.rawValue }

  /// The line of the list on which the selected feed shows.
  fileprivate var selectedLine: Int {
    let rows = state.healthRows
    guard let selection = state.health?.page.selection else { return 0 }
    let first = selection.firstVisible(in: rows, height: state.healthLayout(rows).rows.height)
    return (selection.nearestIndex(in: rows) ?? 0) - first
  }

  fileprivate func detail(_ area: Rect, row: Int) -> Substring {
    let frame = state.render()
    var text = String.UnicodeScalarView()
    for x in area.x..<area.maxX {
      text.append(contentsOf: frame.scalars(of: frame[x, area.y + row].glyph))
    }
    return Substring(String(text))
  }
}
