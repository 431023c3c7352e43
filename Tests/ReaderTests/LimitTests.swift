internal import News
internal import Screen
internal import Testing

@testable internal import Reader

/// Queries over a list, and those that are kept as smart feeds.
@Suite struct LimitTests {
  private func query(_ text: String) throws -> ArticleQuery { try ArticleQuery(text) }

  private func withSmartFeeds() -> SidebarSnapshot {
    var sidebar = SidebarSnapshot.sample
    sidebar.smartFeeds = [
      SmartFeed(id: SmartFeedID(1), name: "Long reads", text: "unread total>3"),
      SmartFeed(id: SmartFeedID(2), name: "Of a newer version", text: "mood:good"),
    ]
    return sidebar
  }

  @Test func `A query limits the list in place, and back shows all of it where it was`() throws {
    var session = Session(Sample.rows(1...9))
    session.send(keys: "jj")
    let selected = session.selected
    #expect(session.send(keys: "&swift<Enter>").contains(.cancel(.list(.older))))
    let limited = Timeline.matching(try query("swift"), in: .all)
    #expect(session.state.list.query.timeline == limited)
    session.arrive(Sample.rows(1...2))
    #expect(session.lines.contains { $0.contains("All · swift · 2") })
    session.send(keys: "<Esc>")
    #expect(session.state.list.query.timeline == .all)
    #expect(session.selected == selected)
  }

  @Test func `A limit is changed and taken away by the same key`() throws {
    var session = Session(Sample.rows(1...9))
    session.send(keys: "&swift<Enter>")
    session.arrive(Sample.rows(1...2))
    session.send(keys: "&")
    #expect(session.lines.last?.contains("Filter: swift") == true)
    session.send(keys: "unread<Enter>")
    // One limit takes the place of the other.
    #expect(session.state.list.query.timeline == .matching(try query("unread"), in: .all))
    session.send(keys: "&<BS><BS><BS><BS><BS><BS><Enter>")
    #expect(session.state.list.query.timeline == .all)
  }

  @Test func `A mistake keeps the line, with the cursor at its place`() throws {
    var session = Session(Sample.rows(1...9))
    session.send(keys: "&swift titel:x<Enter>")
    #expect(session.state.list.query.timeline == .all)
    #expect(session.state.isAsking)
    #expect(
      session.lines.contains { $0.contains("there is no field “titel”; did you mean title?") })
    session.send(keys: "<BS><BS>le<Enter>")
    #expect(!session.state.isAsking)
    #expect(session.state.list.query.timeline.limit?.text == "swift title:x")
  }

  @Test func `What a limited list lacks is said, and how to go on`() throws {
    var session = Session(Sample.rows(1...9))
    session.send(keys: "&zyx<Enter>")
    session.arrive([])
    #expect(session.lines.contains { $0.contains("No articles match “zyx”.") })
    #expect(session.lines.contains { $0.contains("& changes the filter, Esc shows the whole") })
  }

  @Test func `Smart feeds stand below Starred, with what they count`() throws {
    var session = Session(Sample.rows(1...9), sidebar: withSmartFeeds())
    #expect(session.lines.contains { $0.contains("Long reads") && $0.contains("…") })
    #expect(!session.lines.contains { $0.contains("newer version") })
    _ = session.state.reduce(.subscriptions(.counted(ListCounts(smart: [SmartFeedID(1): 12]))))
    #expect(session.lines.contains { $0.contains("Long reads") && $0.contains("12") })
    // The next snapshot of the feeds takes no count away.
    _ = session.state.reduce(.subscriptions(.arrived(withSmartFeeds())))
    #expect(session.lines.contains { $0.contains("Long reads") && $0.contains("12") })
    session.send(keys: "<S-Tab>jjj")
    let timeline = Timeline.matching(try query("unread total>3"), in: .all)
    #expect(session.state.list.query.timeline == timeline)
    #expect(session.state.name(of: timeline) == "Long reads")
  }

  @Test func `A smart feed is renamed, changed and removed as a feed is`() throws {
    var session = Session(Sample.rows(1...9), sidebar: withSmartFeeds())
    session.send(keys: "<S-Tab>jjj:rename<Enter>")
    #expect(
      session.send(keys: "Short<Enter>") == [
        .subscriptions(.renameSmartFeed(SmartFeedID(1), to: "Short"))
      ])
    session.send(keys: "c")
    #expect(session.lines.last?.contains("Query: unread total>3") == true)
    let effects = session.send(keys: "0<Enter>")
    #expect(
      effects.first == .subscriptions(.saveSmartFeed("Long reads", try query("unread total>30"))))
    // It stays the one that shows.
    let changed = Timeline.matching(try query("unread total>30"), in: .all)
    #expect(session.state.list.query.timeline == changed)
    #expect(session.state.sidebar.selected == changed)
    #expect(session.send(keys: "dy") == [.subscriptions(.removeSmartFeed(SmartFeedID(1)))])
  }

  @Test(arguments: [
    ("&swift<Enter>", Timeline.all, "swift"),
    ("&swift OR go<Enter>", .unread, "unread (swift OR go)"),
    ("&swift<Enter>", .feed(FeedID(1)), "feed:#1 (swift)"),
    ("/actor mod<Enter>", .all, "\"actor\" \"mod\"*"),
    ("/swift - \"actor model\"<Enter>", .all, "\"swift\" \"actor model\""),
  ])
  func `A limit and a search are kept as smart feeds that find the same`(
    _ keys: String, _ timeline: Timeline, _ text: String
  ) throws {
    var session = Session(Sample.rows(1...9), of: timeline, sidebar: Self.feeds)
    session.send(keys: keys)
    session.arrive(Sample.rows(1...2))
    let effects = session.send(keys: "=Mine<Enter>")
    #expect(effects.first == .subscriptions(.saveSmartFeed("Mine", try query(text))))
    #expect(session.state.sidebar.selected == .matching(try query(text), in: .all))
    #expect(!session.state.list.isLimited)
  }

  private static var feeds: SidebarSnapshot {
    SidebarSnapshot(feeds: [Sample.feed(1, "Feed 1")])
  }

  @Test func `A name or a query that another smart feed has is refused, and the list stays`() throws
  {
    var session = Session(Sample.rows(1...9), sidebar: withSmartFeeds())
    session.send(keys: "&swift<Enter>")
    session.arrive(Sample.rows(1...2))
    #expect(
      !session.send(keys: "=long READS<Enter>").contains {
        if case .subscriptions(.saveSmartFeed) = $0 { true } else { false }
      })
    #expect(session.lines.last?.contains("The smart feed “Long reads” already exists.") == true)
    #expect(session.state.list.isLimited)
    session.send(keys: "&unread total>3<Enter>")
    session.arrive(Sample.rows(1...2))
    #expect(
      !session.send(keys: "=Other<Enter>").contains {
        if case .subscriptions(.saveSmartFeed) = $0 { true } else { false }
      })
    #expect(
      session.lines.last?.contains("The smart feed “Long reads” already has this query.") == true)
    session.send(keys: "<Esc>")
    #expect(session.state.list.query.timeline == .all)
  }

  @Test func `A smart feed that is changed elsewhere stays the one that shows`() throws {
    var session = Session(Sample.rows(1...9), sidebar: withSmartFeeds())
    session.send(keys: "<S-Tab>jjj")
    var changed = withSmartFeeds()
    changed.smartFeeds[0] = SmartFeed(id: SmartFeedID(1), name: "Long reads", text: "starred")
    let effects = session.state.reduce(.subscriptions(.arrived(changed)))
    let timeline = Timeline.matching(try query("starred"), in: .all)
    #expect(session.state.list.query.timeline == timeline)
    #expect(session.state.sidebar.selected == timeline)
    #expect(
      effects.contains {
        if case .list(.observe(let query)) = $0 { query.timeline == timeline } else { false }
      })
    changed.smartFeeds.removeFirst()
    _ = session.state.reduce(.subscriptions(.arrived(changed)))
    #expect(session.state.list.query.timeline == .all)
  }

  @Test func `There is nothing to keep without a limit or a search`() {
    var session = Session(Sample.rows(1...9))
    session.send(keys: "=")
    #expect(!session.state.isAsking)
    #expect(session.lines.last?.contains("This list has no filter to save.") == true)
  }

  @Test func `Marking all read is about what the query finds`() throws {
    var session = Session(Sample.rows(1...9))
    session.send(keys: "&swift<Enter>")
    session.arrive(Sample.rows(1...2))
    let effects = session.send(keys: "Ay")
    let wanted = Timeline.matching(try query("swift"), in: .all)
    #expect(
      effects.contains {
        if case .apply(.markAllRead(let timeline, _, _, _)) = $0 {
          timeline == wanted
        } else {
          false
        }
      })
  }

  @Test func `Tab completes names and words of a query, and goes through them`() {
    var session = Session(Sample.rows(1...3))
    session.state.subscriptions.tags = ["later", "long read"]
    session.send(keys: "&unread tag:l<Tab>")
    #expect(session.lines.last?.contains("Filter: unread tag:later") == true)
    // What it goes through stands above the line.
    #expect(session.lines.dropLast().last?.contains("tag:later  tag:\"long read\"") == true)
    session.send(keys: "<Tab>")
    #expect(session.lines.last?.contains("Filter: unread tag:\"long read\"") == true)
    session.send(keys: "<Tab>")
    #expect(session.lines.last?.contains("Filter: unread tag:later") == true)
    session.send(keys: " is:h<Tab>")
    #expect(session.lines.last?.contains("Filter: unread tag:later is:heard") == true)
    #expect(session.lines.dropLast().last?.contains("is:heard") == true)
    session.send(keys: " zzz<Tab>")
    #expect(session.lines.last?.contains("is:heard zzz") == true)
    #expect(session.lines.dropLast().last?.contains("is:heard") == false)
  }

  @Test func `Tab completes a query after a verb, in the quotes of a command line`() {
    var session = Session(Sample.rows(1...3))
    session.state.subscriptions.tags = ["long read"]
    session.send(keys: ":articles tag:l<Tab>")
    #expect(session.lines.last?.contains(":articles 'tag:\"long read\"'") == true)
    session.send(keys: "<Esc>:articles 'unread tag:l<Tab>")
    #expect(session.lines.last?.contains(":articles 'unread tag:\"long read\"") == true)
    session.send(keys: "<Esc>:articles <Tab>")
    #expect(session.lines.last?.split(separator: " ") == [":articles"])
  }
}
