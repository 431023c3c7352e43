internal import News
internal import Screen
internal import Testing

@testable internal import Reader

/// The order of the feeds in the sidebar.
struct FeedOrderTests {
  private func snapshot(
    _ unread: [Int64: Int] = [1: 2, 2: 9, 3: 0, 4: 5, 5: 7],
    activity: Activity = .idle
  ) -> SidebarSnapshot {
    func feed(_ id: Int64, _ title: String, _ folders: [String] = [], _ error: SourceError? = nil)
      -> Feed
    {
      Sample.feed(id, title, folders: folders, unread: unread[id] ?? 0, error: error)
    }
    // By name, as the store has them.
    return SidebarSnapshot(
      feeds: [
        feed(5, "Apples"), feed(2, "Bread", ["Y"]), feed(4, "Cheese", ["X"]), feed(1, "Dates"),
        feed(3, "Eggs", [], Sample.unavailable),
      ], activity: activity)
  }

  private func titles(_ session: Session) -> [String] {
    session.state.sidebar.items.dropFirst(3).map(\.title)
  }

  private static let byName = ["X", "Cheese", "Y", "Bread", "Apples", "Dates", "Eggs"]
  private static let byUnread = ["Y", "Bread", "X", "Cheese", "Apples", "Dates", "Eggs"]

  @Test func `A key sorts by name, by what is unread and as added, and keeps that`() {
    var session = Session(sidebar: snapshot())
    session.arrive([])
    session.send(keys: "h")
    #expect(titles(session) == Self.byName)
    let effects = session.send(keys: ",")
    #expect(titles(session) == Self.byUnread)
    #expect(effects.contains(.preferences(.keepListHabits(session.state.habits))))
    #expect(session.state.habits.lines == ["feeds by unread"])
    var next = Session(width: 100, height: 12, sidebar: SidebarSnapshot())
    next.state = ReaderState(size: next.state.size, clock: Sample.clock)
    LastPlace().restore(ListHabits(lines: session.state.habits.lines), in: &next.state)
    _ = next.state.reduce(.subscriptions(.arrived(snapshot())))
    #expect(titles(next) == Self.byUnread)
    session.send(keys: ",")
    #expect(titles(session) == ["X", "Cheese", "Y", "Bread", "Dates", "Eggs", "Apples"])
    session.send(keys: ",")
    #expect(titles(session) == Self.byName && session.state.habits == ListHabits())
  }

  @Test func `Feeds do not move while counts change, but when the sidebar is entered`() {
    var session = Session(height: 8, sidebar: snapshot())
    session.arrive([])
    session.send(keys: "h,")
    session.send(keys: "7j")
    #expect(session.state.sidebar.selected == .feed(FeedID(5)))
    let line = session.state.sidebar.selection.line
    let later = snapshot([1: 20, 2: 0, 3: 0, 4: 1, 5: 0])
    _ = session.state.reduce(.subscriptions(.arrived(later)))
    #expect(titles(session) == Self.byUnread)
    session.send(keys: "<Tab>")
    #expect(titles(session) == Self.byUnread)
    session.send(keys: "<S-Tab>")
    #expect(titles(session) == ["X", "Cheese", "Y", "Bread", "Dates", "Apples", "Eggs"])
    // The cursor stays on its feed, which was not moved off the screen.
    #expect(session.state.sidebar.selected == .feed(FeedID(5)))
    #expect(session.state.sidebar.items[session.state.sidebar.selectedIndex].title == "Apples")
    #expect(session.state.sidebar.selection.line == line)
  }

  @Test func `Feeds are sorted anew when a refresh is over, and none that fails is hidden`() {
    var session = Session(sidebar: snapshot())
    session.arrive([])
    session.send(keys: "h,")
    let later = [Int64(1): 20, 2: 0, 3: 0, 4: 1, 5: 0]
    _ = session.state.reduce(
      .subscriptions(.arrived(snapshot(later, activity: .refreshing(done: 1, total: 5, failed: 0))))
    )
    #expect(titles(session) == Self.byUnread)
    _ = session.state.reduce(.subscriptions(.arrived(snapshot(later))))
    #expect(titles(session) == ["X", "Cheese", "Y", "Bread", "Dates", "Apples", "Eggs"])
    session.send(keys: "U")
    #expect(titles(session) == ["X", "Cheese", "Dates", "Eggs"])
  }
}
