internal import News
internal import Screen
internal import Testing

@testable import Reader

/// Panes, the sidebar and the mouse.
struct PaneTests {
  struct Walk: Sendable {
    var width: Int
    var keys: String
    var focus: Pane
    var panes: [Pane]
    var quits = false
  }

  @Test(arguments: [
    Walk(width: 60, keys: "", focus: .list, panes: [.list]),
    Walk(width: 60, keys: "h", focus: .sidebar, panes: [.sidebar]),
    Walk(width: 60, keys: "<Enter>", focus: .article, panes: [.article]),
    Walk(width: 60, keys: "<Enter>q", focus: .list, panes: [.list]),
    Walk(width: 80, keys: "", focus: .list, panes: [.sidebar, .list]),
    Walk(width: 80, keys: "<Left>", focus: .sidebar, panes: [.sidebar, .list]),
    Walk(width: 80, keys: "l", focus: .article, panes: [.article]),
    Walk(width: 80, keys: "l<Esc>", focus: .list, panes: [.sidebar, .list]),
    Walk(width: 80, keys: "<Tab>", focus: .sidebar, panes: [.sidebar, .list]),
    Walk(width: 80, keys: "<Tab><S-Tab>", focus: .list, panes: [.sidebar, .list]),
    Walk(width: 160, keys: "", focus: .list, panes: [.sidebar, .list, .article]),
    Walk(width: 160, keys: "<Enter>", focus: .article, panes: [.sidebar, .list, .article]),
    Walk(width: 160, keys: "<Enter>h<Tab>", focus: .article, panes: [.sidebar, .list, .article]),
    // q leaves one pane after the other; the other keys for back stop at the sidebar.
    Walk(width: 80, keys: "<Enter>qq", focus: .sidebar, panes: [.sidebar, .list]),
    Walk(width: 80, keys: "<Enter>qqq", focus: .sidebar, panes: [.sidebar, .list], quits: true),
    Walk(width: 80, keys: "hhhh<Esc><Esc><Left>", focus: .sidebar, panes: [.sidebar, .list]),
    Walk(width: 80, keys: "<Enter>Q", focus: .article, panes: [.article], quits: true),
    Walk(width: 80, keys: "?Q", focus: .list, panes: [.sidebar, .list], quits: true),
    Walk(width: 80, keys: "<C-c>", focus: .list, panes: [.sidebar, .list], quits: true),
  ])
  func `Keys go from pane to pane`(_ walk: Walk) {
    var session = Session(Sample.rows(1...5), width: walk.width)
    let effects = session.send(keys: walk.keys)
    #expect(session.state.focus == walk.focus)
    let layout = session.state.layout
    let shown = [(Pane.sidebar, layout.sidebar), (.list, layout.list), (.article, layout.article)]
    #expect(shown.filter { $0.1 != nil }.map(\.0) == walk.panes)
    #expect(effects.contains(.quit) == walk.quits)
  }

  @Test(arguments: [1, 2, 19, 20, 21, 69, 70, 119, 120, 121, 200, 500])
  func `Panes fill the screen side by side`(_ width: Int) {
    for focus in [Pane.sidebar, .list, .article] {
      let layout = PaneLayout(size: Size(width: width, height: 10), focus: focus)
      let panes = [layout.sidebar, layout.list, layout.article].compactMap { $0 }
      #expect(panes.first?.x == 0 && panes.last?.maxX == width)
      for (left, right) in zip(panes, panes.dropFirst()) { #expect(left.maxX + 1 == right.x) }
    }
  }

  @Test func `An article that is left while it loads still comes where it stays in sight`() throws {
    var session = Session(Sample.rows(1...5), width: 160)
    let effects = session.send(keys: "<Enter>q")
    #expect(!effects.contains(.cancel(.article(.page))))
    try session.articleArrives(html: "<p>Here it is.</p>")
    #expect(session.lines.contains { $0.contains("Here it is.") })
  }

  // MARK: The sidebar

  @Test(arguments: [
    (0, Timeline.all), (1, .unread), (2, .starred), (3, .folder("Work")),
    (4, .folder("Work/Inner")), (5, .feed(FeedID(3))), (6, .feed(FeedID(2))),
    (7, .feed(FeedID(1))), (8, .feed(FeedID(4))), (9, .feed(FeedID(4))),
  ])
  func `Moving in the sidebar shows each list`(_ moves: Int, _ timeline: Timeline) {
    var session = Session()
    session.send(keys: "h" + String(repeating: "j", count: moves))
    #expect(session.state.list.query.timeline == timeline)
    session.send(keys: "<Enter>")
    #expect(session.state.focus == .list)
  }

  @Test(arguments: [
    ("z", ["All", "Unread", "Starred", "Work", "Feed 1", "Feed 4"]),
    ("zz", ["All", "Unread", "Starred", "Work", "Inner", "Feed 3", "Feed 2", "Feed 1", "Feed 4"]),
    ("jz", ["All", "Unread", "Starred", "Work", "Inner", "Feed 2", "Feed 1", "Feed 4"]),
  ])
  func `Folders fold and unfold`(_ keys: String, _ titles: [String]) {
    var session = Session()
    session.send(keys: "hjjj" + keys)
    #expect(session.state.sidebar.items.map(\.title) == titles)
  }

  @Test func `A closed folder shows that a feed inside it failed`() {
    let sidebar = SidebarSnapshot(
      feeds: [Sample.feed(1, "Bad", folders: ["F"], error: Sample.unavailable)])
    var session = Session(sidebar: sidebar)
    session.send(keys: "hjjjz")
    #expect(session.state.sidebar.items.map(\.hasError) == [false, false, false, true])
  }

  @Test(
    arguments: [
      (Sample.unavailable, false, Theme.dark.dim),
      (Sample.error(.timeout, "is slow"), false, Theme.dark.dim),
      (Sample.error(.status, "wants a password", 401), true, Theme.dark.error),
      (Sample.error(.status, "has nothing there", 404), true, Theme.dark.error),
      (Sample.error(.notAFeed, "is a page"), true, Theme.dark.error),
    ] as [(SourceError, Bool, Style)])
  func `A failure is quiet unless the user has to do something`(
    _ error: SourceError, needsUser: Bool, style: Style
  ) {
    let feed = Sample.feed(1, "Bad", folders: ["F"], error: error)
    #expect(feed.needsUser == needsUser)
    var session = Session(sidebar: SidebarSnapshot(feeds: [feed]))
    session.state.theme = .dark
    func mark(_ sign: Unicode.Scalar, in lines: Range<Int>) -> Style? {
      let frame = session.state.render()
      let cells = lines.flatMap { frame.row($0) }
      return cells.first { $0.glyph == Glyph(sign) }?.style
    }
    #expect(mark("!", in: 1..<8) == style)
    // The heading of all articles, and that of the feed.
    let freshness = Freshness(
      updated: Sample.date(secondsAgo: 60), feedCount: 2, failedCount: 1, error: error)
    session.arrive(Sample.rows(1...2), freshness: freshness)
    #expect(mark("!", in: 0..<1) == style)
    session.send(keys: "hjjjz")
    #expect(session.state.sidebar.items.map(\.needsUser) == [false, false, false, needsUser])
  }

  @Test func `A feed that is gone does not count as failing`() {
    let gone = Sample.feed(1, "Bad", folders: ["F"], error: Sample.unavailable)
      .with { $0.isGone = true }
    var session = Session(sidebar: SidebarSnapshot(feeds: [gone]))
    #expect(session.lines[5].contains("× Bad"))
    session.send(keys: "hjjjz")
    #expect(!session.state.sidebar.items.contains { $0.hasError })
    #expect(session.state.sidebar.items.last?.needsUser == true)
  }

  @Test func `A feed in a closed folder that comes to be shown opens the folder`() {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "hjjjz")
    _ = session.state.reduce(.list(.nextUnreadFound(.feed(FeedID(3)), Sample.position(2))))
    let sidebar = session.state.sidebar
    #expect(sidebar.items[sidebar.selectedIndex].timeline == .feed(FeedID(3)))
  }

  @Test func `A feed in two folders is passed by in both`() {
    let feeds = [
      Sample.feed(1, "Both", folders: ["A", "B"]), Sample.feed(2, "Other", folders: ["B"]),
    ]
    var session = Session(sidebar: SidebarSnapshot(feeds: feeds))
    session.send(keys: "hjjjjjj")
    #expect(session.state.sidebar.selectedIndex == 6)
    session.send(keys: "j")
    #expect(session.state.list.query.timeline == .feed(FeedID(2)))
  }

  @Test func `When the feed that shows is removed, all feeds show`() {
    var session = Session(Sample.rows(1...3), of: .feed(FeedID(1)))
    var sidebar = SidebarSnapshot.sample
    sidebar.feeds.removeFirst()
    let effects = session.state.reduce(.subscriptions(.arrived(sidebar)))
    #expect(effects.contains(.list(.observe(session.state.list.query))))
    #expect(session.state.list.query.timeline == .all)
  }

  @Test func `A long sidebar scrolls with its selection`() {
    let feeds = (1...40).map { Sample.feed($0, "Feed \($0 + 100)") }
    var session = Session(height: 12, sidebar: SidebarSnapshot(feeds: feeds))
    session.send(keys: "hG")
    #expect(session.lines[10].contains("Feed 140"))
    session.send(keys: "kkk")
    #expect(session.lines[10].contains("Feed 140"))
    session.send(keys: "g")
    #expect(session.lines[1].contains("All"))
  }

  // MARK: The mouse

  @Test func `A click picks a row, a second opens it`() {
    var session = Session(Sample.rows(1...20))
    #expect(session.mouse(.click, x: 40, y: 4) == [])
    #expect(session.selected == 17)
    session.mouse(.click, x: 40, y: 4)
    #expect(session.state.article?.id == ArticleID(17))
  }

  @Test func `A double click opens a row`() {
    var session = Session(Sample.rows(1...20))
    session.mouse(.doubleClick, x: 40, y: 2)
    #expect(session.state.article?.id == ArticleID(19))
  }

  @Test(arguments: [(0, 40), (11, 40), (10, 40), (0, 2), (11, 2)])
  func `A click beside the rows opens nothing`(_ y: Int, _ x: Int) {
    var session = Session(Sample.rows(18...20))
    session.mouse(.click, x: x, y: y)
    session.mouse(.doubleClick, x: x, y: y)
    #expect(session.selected == 20)
    #expect(session.state.article == nil)
  }

  @Test func `The wheel moves in the pane it is over`() throws {
    var session = Session(Sample.rows(1...50), width: 160)
    session.mouse(.wheelDown, x: 60, y: 3)
    #expect(session.selected == 47)
    session.mouse(.wheelUp, x: 60, y: 3)
    #expect(session.selected == 50)
    session.send(keys: "<Enter>")
    try session.articleArrives(html: Sample.paragraphs(30))
    session.send(keys: "q")
    session.mouse(.wheelDown, x: 150, y: 3)
    #expect(session.state.article?.top == 3)
    session.mouse(.wheelUp, x: 150, y: 3)
    #expect(session.state.article?.top == 0)
    session.mouse(.click, x: 150, y: 3)
    #expect(session.state.focus == .article)
  }

  @Test func `A click in the sidebar shows a list, a double click folds a folder`() {
    var session = Session(Sample.rows(1...5))
    session.mouse(.click, x: 3, y: 3)
    #expect(session.state.list.query.timeline == .starred)
    #expect(session.state.focus == .sidebar)
    session.mouse(.doubleClick, x: 3, y: 4)
    #expect(session.state.sidebar.closedFolders == ["Work"])
    session.mouse(.doubleClick, x: 3, y: 5)
    #expect(session.state.list.query.timeline == .feed(FeedID(1)))
    #expect(session.state.focus == .list)
  }

  @Test func `While something is typed the mouse does nothing`() {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "/")
    #expect(session.mouse(.doubleClick, x: 40, y: 3) == [])
    #expect(session.selected == 5 && session.state.article == nil)
  }
}
