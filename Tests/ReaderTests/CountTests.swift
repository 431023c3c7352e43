internal import News
internal import Screen
internal import Testing

@testable internal import Reader

/// Numbers before motions.
struct CountTests {
  @Test(arguments: [
    ("3j", 17), ("12j", 8), ("5j2k", 17), ("3J", 17), ("9j2K", 13), ("3<Esc>j", 19),
    ("1<BS>2j", 18), ("3xj", 19), ("3/<Esc>j", 19), ("12G", 9), ("3g", 18), ("99G", 1), ("5mj", 19),
    ("2<Enter>j", 19), ("999j", 1),
  ])
  func `A motion in the list is done as often as was typed`(_ keys: String, _ selected: Int64) {
    var session = Session(Sample.rows(1...20), height: 30)
    session.send(keys: keys)
    #expect(session.selected == selected)
    #expect(session.state.stack.count == 0)
  }

  @Test(arguments: [("5j", 5), ("5j3k", 2), ("2<PgDn>", 18), ("7G", 6), ("9j4g", 3)])
  func `A motion in an article is done as often as was typed`(_ keys: String, _ top: Int) throws {
    var session = Session(Sample.rows(1...5), width: 60, height: 12)
    session.send(keys: "<Enter>")
    try session.articleArrives(html: Sample.paragraphs(30))
    session.send(keys: keys)
    #expect(session.state.article?.top == top)
  }

  @Test func `A number before a motion in the sidebar, and before its first row`() {
    var session = Session(Sample.rows(1...5))
    session.state.focus = .sidebar
    session.send(keys: "3j")
    #expect(session.state.sidebar.selectedIndex == 3)
    session.send(keys: "2G")
    #expect(session.state.sidebar.selectedIndex == 1)
  }

  @Test func `What is typed shows in the line at the bottom`() {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "12")
    #expect(session.lines.last?.hasPrefix("Count: 12") == true)
  }

  @Test func `A row that has not been read yet is asked for`() {
    var session = Session(width: 100, height: 30)
    session.arrive(Sample.rows(11...30), hasOlder: true)
    let effects = session.send(keys: "25G")
    guard case .list(.observe(let query))? = effects.first else {
      Issue.record("nothing is asked for")
      return
    }
    #expect(query.anchor == .newest && query.olderCount >= 25)
    session.arrive(Sample.rows(1...30))
    #expect(session.selected == 6)
  }

  @Test func `A count above the first row does not pull`() {
    var session = Session(Sample.rows(1...5))
    #expect(session.send(keys: "3k3k") == [])
    #expect(session.selected == 5)
  }
}
