internal import News
internal import Screen
internal import Testing

@testable internal import Reader

/// The place where the reader was left, and the next start there.
struct LastPlaceTests {
  /// The place that these keys leave, as it is read from its file.
  private func leave(_ session: inout Session, by keys: String = "Q") throws -> LastPlace {
    let places = session.send(keys: keys).compactMap { effect -> LastPlace? in
      if case .preferences(.keepPlace(let place)) = effect { place } else { nil }
    }
    let place = try #require(places.last)
    #expect(LastPlace(lines: place.lines) == place)
    return place
  }

  /// A reader that starts at a place, and the effects of its start.
  private func reopen(
    _ place: LastPlace, _ rows: [TimelineRow], sidebar: SidebarSnapshot = .sample
  ) -> (session: Session, effects: [Effect]) {
    var session = Session()
    session.state = ReaderState(size: session.state.size, clock: Sample.clock)
    place.restore(ListHabits(), in: &session.state)
    #expect(session.state.list.query == place.firstQuery())
    _ = session.state.reduce(.subscriptions(.arrived(sidebar)))
    session.arrive(rows)
    place.reopenArticle(in: &session.state)
    return (session, session.state.reduce(.started))
  }

  @Test func `The reader opens at the row and the line where it was left`() throws {
    var session = Session(Sample.rows(901...1_000))
    session.send(keys: "jjjjjjjjjjjjjjjkk")
    let line = session.state.list.selection.line
    #expect(session.selected == 987 && line > 0)
    let place = try leave(&session)
    let next = reopen(place, Sample.rows(901...1_000)).session
    #expect(next.selected == 987 && next.state.list.selection.line == line)
    #expect(next.state.list.query.anchor == .around(Sample.position(987)))
    #expect(next.state.focus == .list && next.lines == session.lines)
  }

  @Test func `Articles that came meanwhile are counted above the row`() throws {
    var session = Session(Sample.rows(901...1_000))
    session.send(keys: "jjjjjjjjjjjjjjj")
    let next = reopen(try leave(&session), Sample.rows(901...1_003)).session
    #expect(next.selected == 985 && next.state.list.newAbove == 3)
  }

  @Test func `A list that was left at its top opens at its top`() throws {
    var session = Session(Sample.rows(901...1_000))
    let next = reopen(try leave(&session), Sample.rows(901...1_003)).session
    #expect(next.selected == 1_003)
  }

  @Test func `The neighbour of an article that is gone is selected`() throws {
    var session = Session(Sample.rows(901...1_000))
    session.send(keys: "jjj")
    #expect(session.selected == 997)
    let rows = Sample.rows(901...1_000).filter { $0.position.id != 997 }
    #expect(reopen(try leave(&session), rows).session.selected == 996)
  }

  @Test func `A read article stays in a list of unread ones`() throws {
    var session = Session(Sample.rows(901...1_000), of: .unread)
    session.send(keys: "jjj")
    let next = reopen(try leave(&session), Sample.rows(901...1_000)).session
    #expect(next.state.shownTimeline == .unread && next.state.sidebar.selected == .unread)
    #expect(next.state.list.query.keeping == [ArticleID(997)])
  }

  @Test func `The row counts only in the order in which it was left`() throws {
    var session = Session(Sample.rows(901...1_000))
    session.send(keys: "jjj")
    let place = try leave(&session)
    var habits = ListHabits()
    habits.usual = .oldest
    #expect(place.firstQuery(habits).anchor == .newest)
    #expect(place.firstQuery().anchor == .around(Sample.position(997)))
  }

  /// A list, and a filter over it.
  @Test(
    arguments: [
      (.feed(FeedID(1)), nil), (.starred, nil), (.folder(FolderID("Work")), nil),
      (.search("fresh bread"), nil), (.all, "title:bread"), (.feed(FeedID(1)), "title:bread"),
      (.search("fresh"), "title:bread"),
    ] as [(Timeline, String?)])
  func `Feeds, folders, searches and filters open again`(
    _ list: Timeline, _ filter: String?
  ) throws {
    var session = Session(Sample.rows(990...1_000), of: list)
    let timeline = try filter.map { .matching(try ArticleQuery($0), in: list) } ?? list
    if filter != nil { _ = session.state.show(timeline, isLimited: true) }
    session.arrive(Sample.rows(990...1_000))
    let (next, effects) = reopen(try leave(&session), Sample.rows(990...1_000))
    #expect(next.state.shownTimeline == timeline)
    #expect(next.state.list.isLimited == (filter != nil))
    #expect(next.state.sidebar.selected == session.state.sidebar.selected)
    #expect(effects.contains(.list(.observe(next.state.list.query))))
    #expect(next.lines == session.lines)
  }

  @Test(arguments: [nil, "title:bread"])
  func `All opens in place of a feed that was removed`(_ filter: String?) throws {
    var session = Session(Sample.rows(990...1_000), of: .feed(FeedID(1)))
    if let filter {
      let query = try ArticleQuery(filter)
      _ = session.state.show(.matching(query, in: .feed(FeedID(1))), isLimited: true)
    }
    session.arrive(Sample.rows(990...1_000))
    var sidebar = SidebarSnapshot.sample
    sidebar.feeds.removeFirst()
    let (next, effects) = reopen(try leave(&session), Sample.rows(980...985), sidebar: sidebar)
    #expect(next.state.shownTimeline == .all && next.state.sidebar.selected == .all)
    #expect(effects.contains(.list(.observe(next.state.list.query))))
    #expect(next.state.list.query.anchor == .newest)
  }

  @Test func `The open article opens again, and stays unread where it was marked so`() throws {
    var session = Session(Sample.rows(990...1_000))
    session.send(keys: "jj<Enter>")
    let place = try leave(&session)
    let (next, effects) = reopen(place, Sample.rows(990...1_000))
    #expect(next.state.focus == .article && next.state.article?.id == ArticleID(998))
    #expect(effects.contains(.article(.open(ArticleID(998), width: next.state.articleWidth))))
    let isMarked = effects.contains { if case .apply = $0 { true } else { false } }
    #expect(!isMarked)
    #expect(next.state.list.row(of: ArticleID(998))?.status.isRead == false)

    let rows = Sample.rows(990...1_000).filter { $0.position.id != 998 }
    let gone = reopen(place, rows).session
    #expect(gone.state.focus == .list && gone.state.article == nil && gone.selected == 997)
  }

  /// Keys that leave the reader, the pane that has the focus at the next start, and whether it hides the others.
  @Test(
    arguments: [
      ("hQ", .sidebar, false), ("h<C-c>", .sidebar, false), ("hq", .list, false),
      ("`Q", .list, true), ("Q", .list, false),
    ] as [(String, Pane, Bool)])
  func `Focus and hidden panes are kept, and q leaves from the list`(
    _ keys: String, _ focus: Pane, _ isZoomed: Bool
  ) throws {
    var session = Session(Sample.rows(990...1_000))
    let next = reopen(try leave(&session, by: keys), Sample.rows(990...1_000)).session
    #expect(next.state.focus == focus && next.state.isZoomed == isZoomed)
  }

  @Test func `Unfolded stories stay unfolded`() throws {
    var session = Session(Sample.rows(990...1_000))
    session.state.list.query.unfolded = [ArticleID(995), ArticleID(997)]
    let place = try leave(&session)
    #expect(place.firstQuery().unfolded == [ArticleID(995), ArticleID(997)])
  }

  @Test func `Lines that are no place are passed over`() {
    let lines = [
      "sidebar feed x", "list", "row newest 1 2", "row - 1 2 3 ", "seen x", "unfolded", "article x",
      "focus article", "focus nowhere", "zoom", "", " ",
    ]
    #expect(LastPlace(lines: lines) == LastPlace())
  }
}
