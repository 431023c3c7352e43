internal import News
internal import Screen
internal import Testing

@testable internal import Reader

/// The order of lists, and what lists and the sidebar leave out.
struct OrderTests {
  @Test func `A key sorts the list another way, and keeps that for this list`() throws {
    var session = Session(Sample.rows(1...9))
    session.send(keys: "j")
    var orders: [ListOrder] = []
    for _ in 0..<5 {
      let effects = session.send(keys: ",")
      for case .list(.observe(let query)) in effects {
        orders.append(query.order)
        #expect(query.anchor == .article(ArticleID(8)))
      }
      #expect(effects.contains(.preferences(.keepListHabits(session.state.habits))))
    }
    #expect(orders == [.oldest, .feed, .title, .score, .newest])
    #expect(session.state.habits == ListHabits())

    session.send(keys: ",")
    _ = session.state.show(.unread)
    #expect(session.state.list.query.order == .newest)
    _ = session.state.show(.all)
    #expect(session.state.list.query.order == .oldest)
  }

  @Test func `Lists without an order of their own have that of the settings`() throws {
    var session = Session(Sample.rows(1...9))
    var habits = ListHabits()
    habits.usual = .oldest
    habits[.starred].order = .newest
    LastPlace().restore(habits, in: &session.state)
    #expect(session.state.list.query.order == .oldest)
    _ = session.state.show(.feed(FeedID(3)))
    #expect(session.state.list.query.order == .oldest)
    _ = session.state.show(.starred)
    #expect(session.state.list.query.order == .newest)
    _ = session.state.show(.all)
    session.send(keys: ",,,,,")
    // Back at the usual one, nothing is kept of the list.
    #expect(session.state.habits == habits)
    habits.usual = .feed
    #expect(habits.shown(.feed(FeedID(3))).order == .newest && habits.shown(.all).order == .feed)
    #expect(ListHabits(lines: habits.lines).usual == .newest)
  }

  @Test func `The oldest first: marks above and below are by date`() throws {
    var session = Session(Sample.rows(1...5))
    session.send(keys: ",")
    var query = session.state.list.query
    query.order = .oldest
    let rows = (1...5).map { id -> TimelineRow in
      guard case .article(var row) = Sample.row(Int64(id)) else { return Sample.row(Int64(id)) }
      row.position = row.position.mirrored
      return .article(row)
    }
    _ = session.state.reduce(
      .list(
        .arrived(
          TimelineSnapshot(
            query: query, slice: TimelineSlice(rows: rows), counts: Sample.counts(of: rows),
            freshness: Sample.fresh))))
    session.send(keys: "jj")
    #expect(session.state.list.selectedArticle?.id == ArticleID(3))
    var marked: [Intent] = []
    for case .apply(let intent) in session.send(keys: "{") + session.send(keys: "}") {
      marked.append(intent)
    }
    let position = Sample.position(3)
    guard case .markAllRead(_, let upTo, _, nil)? = marked.first,
      case .markAllRead(_, nil, _, let above)? = marked.last
    else {
      Issue.record("\(marked)")
      return
    }
    #expect(upTo == TimelinePosition(date: position.date, id: 2))
    #expect(above == position)
  }

  @Test func `How lists are shown survives as lines`() throws {
    var habits = ListHabits()
    habits[.all].order = .oldest
    habits[.feed(FeedID(12))].order = .title
    habits[.feed(FeedID(12))].hidesRead = true
    habits[.folder(FolderID("A b/c", of: AccountID(2)))].hidesRead = true
    habits[.matching(try ArticleQuery("tag:x sort:feed"), in: .all)].order = .newest
    habits.hidesReadFeeds = true
    #expect(habits.lines.count == 5)
    #expect(ListHabits(lines: habits.lines + ["", "nonsense", "oldest all feed x"]) == habits)
    // A search is no list of its own.
    habits[.search("word")].order = .oldest
    #expect(habits.lines.count == 5)
  }

  @Test func `Feeds with nothing unread leave the sidebar, but for those that fail`() throws {
    var session = Session(Sample.rows(1...3))
    _ = session.state.reduce(
      .subscriptions(
        .arrived(
          SidebarSnapshot(feeds: [
            Sample.feed(1, "Unread", unread: 3), Sample.feed(2, "Read"),
            Sample.feed(3, "Failing", error: Sample.unavailable),
            Sample.feed(4, "Read in a folder", folders: ["Empty"]),
            Sample.feed(5, "Failing in a folder", folders: ["Bad"], error: Sample.unavailable),
          ]))))
    session.send(keys: "h")
    func titles() -> [String] { session.state.sidebar.items.map(\.title) }
    let all = titles()
    session.send(keys: "U")
    #expect(
      titles() == [
        "All", "Unread", "Starred", "Bad", "Failing in a folder", "Unread", "Failing",
      ])
    session.send(keys: "U")
    #expect(titles() == all)
    // The selected one stays until another is selected.
    _ = session.state.show(.feed(FeedID(4)))
    session.send(keys: "U")
    #expect(titles().contains("Read in a folder") && titles().contains("Empty"))
    // One that is left out comes back as the list shows it.
    _ = session.state.show(.feed(FeedID(2)))
    #expect(titles().contains("Read") && !titles().contains("Read in a folder"))
    _ = session.state.show(.folder("Empty"))
    #expect(titles().contains("Empty"))
  }
}
