internal import News
internal import Screen
internal import Testing

@testable internal import Reader

/// The lines between the days of a list, and between its feeds.
struct GroupTests {
  /// The texts of the lines of the list's pane, without its marks and dates.
  private func shown(_ session: Session) -> [String] {
    session.state.list.visibleLines.map { line in
      switch line {
      case .heading(.day(let day)): "= \(session.state.clock.day(day))"
      case .heading(.feed(let id)): "= \(session.state.name(of: .feed(id)))"
      case .row(let index):
        switch session.state.list.rows[index] {
        case .article(let row): row.title
        case .gap: "gap"
        }
      }
    }
  }

  private func titles(_ ids: ClosedRange<Int>) -> [String] {
    ids.reversed().map { "Article \($0)" }
  }

  /// An hour lies between two articles, and it is two minutes past two in the afternoon.
  private func session(_ ids: ClosedRange<Int64>, height: Int = 30) -> Session {
    var session = Session(Sample.rows(ids), height: height)
    session.send(keys: ".")
    return session
  }

  @Test func `A line stands before the first article of each day`() {
    var session = session(960...1_000, height: 60)
    let days =
      ["= Today"] + titles(986...1_000) + ["= Yesterday"] + titles(962...985)
      + ["= Thursday 19 November"] + titles(960...961)
    #expect(shown(session) == days)
    #expect(session.lines.contains { $0.contains("Yesterday ┄┄┄") })
    session.send(keys: ".")
    #expect(shown(session) == titles(960...1_000))
  }

  @Test func `The names of days have the year where it is another`() {
    let clock = Sample.clock
    let today = clock.local(Sample.now).dayNumber
    #expect(clock.day(today) == "Today" && clock.day(today - 1) == "Yesterday")
    #expect(clock.day(today + 1) == "Tomorrow")
    #expect(clock.day(today - 5) == "Monday 16 November")
    #expect(clock.day(today - 365) == "Friday 21 November 2025")
    #expect(clock.shortDay(today - 365) == "Fri 21 Nov 2025")
  }

  @Test func `Days are those of the user's time zone`() {
    var session = Session(height: 60)
    session.state = ReaderState(
      size: Size(width: 100, height: 60),
      clock: WallClock(
        now: Sample.now, offsets: [WallClock.ZoneOffset(from: .min, seconds: -10 * 3_600)]))
    session.arrive(Sample.rows(990...1_000))
    session.send(keys: ".")
    // Four in the morning.
    #expect(
      shown(session) == ["= Today"] + titles(996...1_000) + ["= Yesterday"] + titles(990...995))
  }

  @Test
  func `The oldest first have lines too, and feeds where the list is by feed, but not titles`() {
    var session = session(984...987)
    func arrive(_ order: ListOrder, _ rows: [TimelineRow]) {
      session.send(keys: ",")
      #expect(session.state.list.query.order == order)
      session.arrive(rows)
    }
    arrive(
      .oldest,
      (Int64(984)...987).map { id -> TimelineRow in
        guard case .article(var row) = Sample.row(id) else { return Sample.row(id) }
        row.position = row.position.mirrored
        return .article(row)
      })
    #expect(
      shown(session) == [
        "= Yesterday", "Article 984", "Article 985", "= Today", "Article 986", "Article 987",
      ])
    arrive(.feed, [Sample.row(984), Sample.row(986), Sample.row(985, feed: 2)])
    #expect(
      shown(session) == ["= Feed 1", "Article 984", "Article 986", "= Feed 2", "Article 985"])
    arrive(.title, Sample.rows(984...987))
    #expect(shown(session) == titles(984...987))
  }

  @Test func `Counts, the cursor and ranges pass over the lines`() {
    var session = session(960...1_000)
    session.send(keys: "14j")
    #expect(session.selected == 986)
    session.send(keys: "j")
    #expect(session.selected == 985)
    session.send(keys: "5k")
    #expect(session.selected == 990)
    session.send(keys: "v8jV")
    #expect(session.state.list.picked.ids.count == 10)
    session.send(keys: "<Esc>16g")
    #expect(session.selected == 985)
  }

  @Test func `The mouse selects the row below the pointer, and no line`() {
    var session = session(980...1_000)
    let place = PaneLayout.content(of: session.state.layout[.list]!)
    // "Today" and 15 articles, then "Yesterday".
    session.mouse(.click, x: place.x + 4, y: place.y + 3)
    #expect(session.selected == 998)
    session.mouse(.click, x: place.x + 4, y: place.y + 16)
    #expect(session.selected == 998 && session.state.focus == .list)
    session.mouse(.click, x: place.x + 4, y: place.y + 17)
    #expect(session.selected == 985)
    session.mouse(.click, x: place.x + 4, y: place.y)
    #expect(session.selected == 985)
  }

  @Test(arguments: [6, 10, 12, 26])
  func `Pages pass over no row unseen, and the selected row always shows`(height: Int) {
    // Four articles a day.
    let rows = (1...100).reversed().map {
      Sample.row(Int64($0), date: Sample.now - 6 * 3_600 * (100 - Int64($0)))
    }
    var session = Session(rows, height: height)
    session.send(keys: ".")
    func visible() -> Set<Int> {
      Set(
        session.state.list.visibleLines.compactMap {
          if case .row(let index) = $0 { index } else { nil }
        })
    }
    for (keys, order) in [("<Space>", 1), ("<C-d>", 1), ("b", -1), ("<C-u>", -1), ("3<Space>", 0)] {
      session.send(keys: order < 0 ? "G" : "g")
      var seen = visible()
      for _ in 0..<120 {
        session.send(keys: keys)
        let lines = session.state.list.visibleLines
        let selected = session.state.list.selectedIndex ?? -1
        #expect(lines.firstIndex(of: .row(selected)) == session.state.list.selection.line)
        #expect(lines.count <= session.state.list.height)
        seen.formUnion(visible())
      }
      if order != 0 { #expect(seen.count == 100) }
      #expect(session.selected == (order < 0 ? 100 : 1))
    }
    session.send(keys: "g")
    if height > 6 { #expect(session.state.list.visibleLines.first != .row(0)) }
  }

  @Test func `The list stays where it is when lines are shown or new articles come`() {
    var session = Session(Sample.rows(900...1_000), height: 20)
    session.send(keys: "40j")
    let line = session.state.list.selection.line
    session.send(keys: ".")
    #expect(session.state.list.selection.line == line && session.selected == 960)
    session.arrive(Sample.rows(900...1_005))
    #expect(session.state.list.selection.line == line && session.selected == 960)
    session.send(keys: "g")
    #expect(session.selected == 1_005 && session.state.list.isAtTop)
    #expect(shown(session).first == "= Today")
  }

  @Test func `A gap begins no day, and rows whose neighbour is not read have no line`() {
    var session = session(984...987)
    session.arrive([
      Sample.row(987), Sample.gap(between: 987, and: 985), Sample.row(985), Sample.row(984),
    ])
    #expect(
      shown(session) == [
        "= Today", "Article 987", "gap", "= Yesterday", "Article 985", "Article 984",
      ])
    session.arrive(Sample.rows(986...999), hasNewer: true)
    session.send(keys: "g")
    #expect(!shown(session).contains("= Today"))
  }

  @Test func `The lines are kept for each list`() {
    var session = Session(Sample.rows(980...1_000))
    let effects = session.send(keys: ".")
    #expect(effects.contains(.preferences(.keepListHabits(session.state.habits))))
    _ = session.state.show(.unread)
    #expect(!session.state.list.isGrouped)
    _ = session.state.show(.all)
    #expect(session.state.list.isGrouped)
    #expect(ListHabits(lines: session.state.habits.lines) == session.state.habits)
    #expect(session.state.habits.lines == ["- all+groups all"])
    var next = Session()
    LastPlace().restore(ListHabits(lines: session.state.habits.lines), in: &next.state)
    next.arrive(Sample.rows(980...1_000))
    #expect(shown(next).first == "= Today")
  }
}
