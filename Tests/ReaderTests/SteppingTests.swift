internal import News
internal import Screen
internal import Testing

@testable import Reader

/// Steps from one article or feed to another, and marks of one side of an article.
@Suite struct SteppingTests {
  private func feed(_ id: Int64, _ title: String, unread: Int, folders: [String] = []) -> Feed {
    var feed = Feed(id: FeedID(id), url: "https://e.org/\(id)")
    feed.title = title
    feed.folders = folders
    feed.counts = ArticleCounts(total: 9, unread: unread, starred: 0)
    return feed
  }

  private var feeds: SidebarSnapshot {
    SidebarSnapshot(feeds: [
      feed(1, "Ada’s Letters", unread: 3, folders: ["Tech/Far"]), feed(2, "Bread", unread: 0),
      feed(3, "Café News", unread: 2), feed(4, "Nothing", unread: 0),
      feed(5, "Zebra News of Ada", unread: 1),
    ])
  }

  @Test
  func `Feeds with unread articles follow each other, in closed folders too, and begin again`() {
    var session = Session(Sample.rows(1...3), sidebar: feeds)
    for _ in session.state.sidebar.items {
      if case .folder = session.state.sidebar.selected { break }
      session.state.sidebar.select(session.state.sidebar.selectedIndex + 1)
    }
    session.state.sidebar.toggleFolder(of: session.state.subscriptions)
    session.state.sidebar.select(0)
    var shown: [Timeline] = []
    for _ in 1...4 {
      session.send(keys: ")")
      shown.append(session.state.shownTimeline)
    }
    #expect(shown == [1, 3, 5, 1].map { .feed(FeedID($0)) })
    session.send(keys: "(")
    #expect(session.state.shownTimeline == .feed(FeedID(5)))
    #expect(session.state.sidebar.selected == .feed(FeedID(5)))
    #expect(session.state.focus == .list)
  }

  @Test func `A feed that is read up is followed by the next one that has unread articles`() {
    var session = Session(Sample.rows(1...3), sidebar: feeds)
    session.send(keys: "))")
    #expect(session.state.shownTimeline == .feed(FeedID(3)))
    session.state.habits[.feed(FeedID(5))].order = .oldest
    // Nothing was found in the feed, and the newest of all is offered.
    let effects = session.state.reduce(.list(.nextUnreadFound(.unread, Sample.position(2))))
    #expect(effects == [.list(.findNextUnread(.feed(FeedID(5)), .oldest, after: nil))])
    let opened = session.state.reduce(.list(.nextUnreadFound(.feed(FeedID(5)), Sample.position(9))))
    #expect(session.state.shownTimeline == .feed(FeedID(5)))
    #expect(session.state.list.query.anchor == .around(Sample.position(9)), "\(opened)")
    #expect(session.state.focus == .article)
    // Its count was of before: it is not asked again and again.
    let asked = session.state.reduce(.list(.nextUnreadFound(.unread, Sample.position(2))))
    guard case .list(.findNextUnread(let next, _, after: nil))? = asked.first else {
      Issue.record("\(asked)")
      return
    }
    _ = session.state.reduce(.list(.nextUnreadFound(.unread, Sample.position(2))))
    #expect(session.state.shownTimeline == .unread && next == .feed(FeedID(1)))
    // A list of several feeds has no next one.
    _ = session.state.show(.starred)
    _ = session.state.reduce(.list(.nextUnreadFound(.unread, Sample.position(2))))
    #expect(session.state.shownTimeline == .unread)
  }

  @Test func `The list of the next feed shows the rows above its first unread article`() {
    var session = Session(
      Sample.rows(1...3), width: 80, height: 24,
      sidebar: SidebarSnapshot(feeds: [feed(1, "A", unread: 0), feed(5, "B", unread: 1)]))
    _ = session.state.show(.feed(FeedID(1)))
    session.arrive(Sample.rows(1...3, read: [1, 2, 3]))
    _ = session.state.reduce(.list(.nextUnreadFound(.feed(FeedID(5)), Sample.position(7))))
    session.arrive(Sample.rows(1...12, read: Set(8...12)))
    #expect(session.selected == 7)
    #expect(session.state.list.firstVisibleRow == 0)
  }

  @Test func `A feed in several folders has its turn once`() {
    var session = Session(
      Sample.rows(1...3),
      sidebar: SidebarSnapshot(feeds: [
        feed(1, "A", unread: 1, folders: ["X", "Y"]), feed(2, "B", unread: 1, folders: ["Y"]),
        feed(3, "C", unread: 1, folders: ["Y"]),
      ]))
    var shown: [Timeline] = []
    for _ in 1...4 {
      session.send(keys: ")")
      shown.append(session.state.shownTimeline)
    }
    #expect(shown == [1, 2, 3, 1].map { .feed(FeedID($0)) })
  }

  @Test func `A query in a line comes out of it as it was`() throws {
    for scope in [#"folder:"My News""#, #"title:/\d+ '\"/"#, "feed:#12", "it's"] {
      let words = try TypedWords.split("read \(TypedWords.quoted("(\(scope))")) before:1w")
      #expect(words == ["read", "(\(scope))", "before:1w"])
    }
    let folder = Timeline.folder(FolderID("My News", of: .local))
    var session = Session(
      Sample.rows(1...3), of: folder,
      sidebar: SidebarSnapshot(feeds: [feed(1, "A", unread: 1, folders: ["My News"])]))
    let effects = session.send(keys: "_<Enter>")
    let verbs = effects.compactMap {
      if case .programs(.runVerb(_, let words, _)) = $0 { words } else { nil }
    }
    #expect(verbs.isEmpty, "no verb is known here")
    session.state.settings.verbs = [.init("read", help: "Mark articles as read.")]
    let known = session.send(keys: "_<Enter>")
    #expect(
      known.contains {
        if case .programs(.runVerb(_, let words, _)) = $0 {
          words == ["read", #"(folder:"My News")"#, "before:1w"]
        } else {
          false
        }
      })
  }

  @Test func `Where no other feed has any, that is said`() {
    var session = Session(
      Sample.rows(1...3), sidebar: SidebarSnapshot(feeds: [feed(1, "One", unread: 1)]))
    session.send(keys: ")")
    #expect(session.state.shownTimeline == .feed(FeedID(1)))
    session.send(keys: ")")
    #expect(session.state.notice?.text == "No other feed has unread articles.")
  }

  @Test func `The feed of an article shows around the article`() {
    var session = Session(Sample.rows(1...20), sidebar: feeds)
    session.send(keys: "jjj")
    let effects = session.send(keys: "i")
    #expect(session.state.shownTimeline == .feed(FeedID(1)))
    #expect(
      effects.contains {
        if case .list(.observe(let query)) = $0 {
          query.timeline == .feed(FeedID(1)) && query.anchor == .around(Sample.position(17))
        } else {
          false
        }
      })
    #expect(effects.filter { if case .list(.observe) = $0 { true } else { false } }.count == 1)
    session.arrive(Sample.rows(1...20))
    #expect(session.state.list.selectedPosition == Sample.position(17))
    session.send(keys: "i")
    #expect(session.state.notice?.text == "The feed of this article is already shown.")
  }

  @Test
  func `Starred articles are selected, and opened where one is open; any unread one is opened`()
    throws
  {
    var session = Session(Sample.rows(1...20))
    session.send(keys: "j")
    let from = Sample.position(19)
    #expect(session.send(keys: "'") == [.list(.find(.nextStarred, in: .all, from: from))])
    var effects = session.state.reduce(.list(.stepFound(.nextStarred, .all, Sample.position(4))))
    #expect(effects.count == 1 && session.state.list.selectedPosition == Sample.position(4))
    _ = session.state.reduce(.list(.stepFound(.previousStarred, .all, nil)))
    #expect(session.state.notice?.text == "No starred article above.")
    // The list has changed meanwhile.
    #expect(
      session.state.reduce(.list(.stepFound(.nextStarred, .starred, Sample.position(9)))) == [])
    #expect(
      session.send(keys: "~") == [.list(.find(.randomUnread, in: .all, from: Sample.position(4)))])
    effects = session.state.reduce(.list(.stepFound(.randomUnread, .all, Sample.position(9))))
    #expect(effects.contains(.article(.open(ArticleID(9), width: session.state.articleWidth))))
    #expect(session.state.focus == .article)
    effects = session.state.reduce(.list(.stepFound(.nextStarred, .all, Sample.position(2))))
    #expect(effects.contains(.article(.open(ArticleID(2), width: session.state.articleWidth))))
    #expect(session.send(keys: "C") == [.conversation(.follow(ArticleID(2)))])
  }

  @Test func `What is above or below an article is marked read, and the article not`() {
    let feed = Timeline.feed(FeedID(1))
    var session = Session(Sample.rows(1...9), of: feed)
    session.send(keys: "jj")
    let here = Sample.position(7)
    #expect(
      session.send(keys: "{") == [
        .apply(.markAllRead(feed, notNewerThan: Sample.position(9), newerThan: here))
      ])
    #expect(
      session.send(keys: "}") == [
        .apply(
          .markAllRead(feed, notNewerThan: TimelinePosition(date: here.date, id: here.id - 1)))
      ])
  }

  @Test func `What is older than a time is marked by the verb, for the list that shows`() {
    var session = Session(Sample.rows(1...9), of: .feed(FeedID(12)))
    session.send(keys: "_")
    #expect(session.lines.last?.contains(":read (feed:#12) before:1w") == true)
    var all = Session(Sample.rows(1...9))
    all.send(keys: "_")
    #expect(all.lines.last?.contains(":read before:1w") == true)
  }

  @Test func `A rule is begun with the feed of the article`() {
    var session = Session([Sample.row(3, feed: 12)])
    session.send(keys: "X")
    #expect(session.lines.last?.contains(":rules add --hide (feed:#12) title:") == true)
    var sidebar = Session(Sample.rows(1...3), sidebar: feeds)
    sidebar.send(keys: "hX")
    #expect(sidebar.lines.last?.contains(":rules add --hide title:") == true)
  }

  // MARK: Jumping

  private func titles(_ session: Session) -> [String] {
    session.lines.dropFirst().dropLast().map { line in
      String(line.drop { $0 == " " }.prefix { $0 != " " })
    }.filter { !$0.isEmpty }
  }

  @Test func `A place is found by letters of its name, and shows`() {
    var session = Session(Sample.rows(1...3), height: 16, sidebar: feeds)
    session.send(keys: ";")
    #expect(
      titles(session) == [
        "All", "Unread", "Starred", "Tech", "Far", "Ada’s", "Bread", "Café", "Nothing", "Zebra",
      ])
    #expect(session.lines.contains { $0.contains("Tech/Far") })
    // Accents and case do not count; the title that begins so comes first, then a word that does.
    session.send(keys: "CAFE")
    #expect(titles(session) == ["Café"])
    session.send(keys: "<C-u>ada")
    #expect(titles(session) == ["Ada’s", "Zebra"])
    // Letters in their order, wherever they are.
    session.send(keys: "<C-u>zna")
    #expect(titles(session) == ["Zebra"])
    session.send(keys: "<C-u>xyz")
    #expect(session.lines.contains { $0.contains("No feed or folder matches these letters.") })
    session.send(keys: "<C-u>news<Down><Enter>")
    #expect(session.state.shownTimeline == .feed(FeedID(5)))
    #expect(session.state.focus == .list && session.state.sidebar.selected == .feed(FeedID(5)))
    session.send(keys: ";<Esc>")
    #expect(session.state.stack.topPage == nil)
  }

  @Test func `A feed in a closed folder is jumped to, and its folder opened`() {
    var session = Session(Sample.rows(1...3), sidebar: feeds)
    session.state.sidebar.closedFolders = [FolderID("Tech", of: .local)]
    session.state.sidebar.rebuildItems(from: session.state.subscriptions)
    session.send(keys: ";letters<Enter>")
    #expect(session.state.sidebar.selected == .feed(FeedID(1)))
  }

  // MARK: Tags and today

  @Test func `Later has a row while there is something, and Due while something is due`() throws {
    var sidebar = feeds
    (sidebar.tags, sidebar.later, sidebar.due) = (["later"], 3, 1)
    var session = Session(Sample.rows(1...3), height: 16, sidebar: sidebar)
    func titles() -> [String] { session.state.sidebar.items.map(\.title) }
    #expect(titles().prefix(5) == ["All", "Unread", "Later", "Due", "Starred"])
    #expect(!titles().contains("Tags"))
    session.send(keys: "hjj")
    #expect(session.state.shownTimeline == .later)
    #expect(session.lines.contains { $0.contains("Later") && $0.contains(" 3") })
    session.send(keys: "j")
    #expect(session.state.shownTimeline == .due)
    // The selected row stays when it is empty.
    (sidebar.tags, sidebar.later, sidebar.due) = ([], 0, 0)
    _ = session.state.reduce(.subscriptions(.arrived(sidebar)))
    #expect(session.state.shownTimeline == .due)
    #expect(titles().prefix(4) == ["All", "Unread", "Due", "Starred"])
    session.send(keys: "k")
    sidebar.hasReadLately = true
    _ = session.state.reduce(.subscriptions(.arrived(sidebar)))
    #expect(titles().prefix(3) == ["All", "Unread", "Starred"])
  }

  @Test func `Tags have rows below a heading that folds, with what is unread`() throws {
    var sidebar = feeds
    sidebar.tags = ["linux", "swift lang"]
    var session = Session(Sample.rows(1...3), height: 16, sidebar: sidebar)
    func titles() -> [String] { session.state.sidebar.items.map(\.title) }
    #expect(titles().prefix(6) == ["All", "Unread", "Starred", "Tags", "linux", "swift lang"])
    _ = session.state.reduce(.subscriptions(.counted(ListCounts(tags: ["swift lang": 7]))))
    session.send(keys: "h")
    #expect(session.lines.contains { $0.contains("▾ Tags") })
    #expect(session.lines.contains { $0.contains("# swift lang") && $0.contains(" 7") })
    session.send(keys: "jjj")
    #expect(session.state.shownTimeline == .matching(try ArticleQuery("is:tagged"), in: .all))
    session.send(keys: "jj")
    #expect(
      session.state.shownTimeline == .matching(try ArticleQuery("tag:\"swift lang\""), in: .all))
    // Folding from a tag selects the heading.
    session.send(keys: "z")
    #expect(titles().prefix(5) == ["All", "Unread", "Starred", "Tags", "Tech"])
    #expect(session.state.sidebar.selectedIndex == 3)
    // A new snapshot keeps them folded, and what was counted.
    _ = session.state.reduce(.subscriptions(.arrived(sidebar)))
    #expect(!titles().contains("linux"))
    session.send(keys: ";linux<Enter>")
    #expect(session.state.shownTimeline == .matching(try ArticleQuery("tag:\"linux\""), in: .all))
    #expect(titles().contains("swift lang"))
    session.mouse(.click, x: 1, y: 4)
    #expect(!titles().contains("swift lang"))
    sidebar.tags = []
    _ = session.state.reduce(.subscriptions(.arrived(sidebar)))
    #expect(!titles().contains("Tags"))
  }

  @Test func `Today shows over the list, and goes again with the same key`() throws {
    let today = Timeline.matching(try ArticleQuery("on:today"), in: .all)
    var session = Session(Sample.rows(1...3), of: .feed(FeedID(1)), sidebar: feeds)
    session.send(keys: "@")
    #expect(session.state.shownTimeline == today)
    session.arrive(Sample.rows(1...2))
    session.send(keys: "@")
    #expect(session.state.shownTimeline == .feed(FeedID(1)))
    session.send(keys: "@<Esc>")
    #expect(session.state.shownTimeline == .feed(FeedID(1)))
  }

  // MARK: The first screen

  @Test func `Without feeds another reader's library is offered, or a few feeds`() throws {
    var session = Session(sidebar: SidebarSnapshot())
    session.arrive([])
    #expect(session.lines.contains { $0.contains("I subscribes to a few feeds") })
    func verbs(_ effects: [Effect]) -> [[String]] {
      effects.compactMap {
        if case .programs(.runVerb(_, let words, _)) = $0 { words } else { nil }
      }
    }
    #expect(verbs(session.send(keys: "I")) == [["import", "--starter"]])
    session.state.libraries = [FoundLibrary(reader: "newsboat", feeds: 312)]
    #expect(
      session.lines.contains {
        $0.contains("I imports 312 feeds and their articles from newsboat.")
      })
    #expect(verbs(session.send(keys: "I")) == [["import", "--from", "newsboat"]])
    session.state.libraries.append(FoundLibrary(reader: "sfeed", feeds: 1))
    session.send(keys: "I")
    #expect(session.lines.last?.contains(":import --from newsboat") == true)
  }

  @Test func `A feed that the sidebar leaves out is jumped to`() {
    var session = Session(
      Sample.rows(1...3),
      sidebar: SidebarSnapshot(feeds: [
        feed(1, "A", unread: 1), feed(2, "Letters", unread: 0, folders: ["Post"]),
      ]))
    session.send(keys: "hU")
    #expect(session.state.sidebar.hidesRead)
    session.send(keys: ";letters<Enter>")
    #expect(session.state.shownTimeline == .feed(FeedID(2)))
  }
}
