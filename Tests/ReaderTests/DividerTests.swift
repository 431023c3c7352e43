internal import News
internal import Screen
internal import Testing

@testable import Reader

/// The lines between the panes, moved by keys and by the mouse, and the article alone.
struct DividerTests {
  private func session(_ width: Int, _ height: Int = 34, keys: String = "") -> Session {
    var session = Session(Sample.rows(1...9), width: width, height: height)
    session.send(keys: keys)
    return session
  }

  struct Change: Sendable {
    var width: Int
    /// After which the pane has the focus.
    var keys: String
    var divider: Divider
    /// By which the divider goes right or down with `>`.
    var step: Int
  }

  @Test(arguments: [
    Change(width: 200, keys: "h", divider: .sidebar, step: 2),
    Change(width: 200, keys: "", divider: .list, step: 2),
    Change(width: 200, keys: "<Enter>", divider: .list, step: -2),
    Change(width: 120, keys: "", divider: .above, step: 1),
    Change(width: 120, keys: "h", divider: .sidebar, step: 2),
    Change(width: 120, keys: "<Enter>", divider: .sidebar, step: -2),
    Change(width: 80, keys: "h", divider: .sidebar, step: 2),
    Change(width: 80, keys: "", divider: .sidebar, step: -2),
  ])
  func `Keys make a pane larger and smaller again`(_ change: Change) throws {
    var session = session(change.width, keys: change.keys)
    func place() throws -> Int {
      let found = session.state.layout.dividers.first { $0.divider == change.divider }
      let place = try #require(found).place
      return change.divider == .above ? place.y : place.x
    }
    let before = try place()
    let effects = session.send(keys: "><lt><lt>>>")
    #expect(
      effects.filter { if case .preferences(.keepDividers) = $0 { true } else { false } }.count == 5
    )
    #expect(try place() == before + change.step)
    #expect(
      effects.last == .preferences(.keepDividers(session.state.dividers))
        || change.divider != .above)
  }

  @Test func `A pane that is alone has no size to change`() {
    var session = session(60)
    session.send(keys: ">")
    #expect(session.lines.last?.contains("No other pane is shown") == true)
  }

  @Test(arguments: [(200, Divider.list), (120, .above), (80, .sidebar)])
  func `A divider is dragged, and kept when it is dropped`(_ width: Int, _ divider: Divider) throws
  {
    var session = session(width)
    let place = try #require(session.state.layout.dividers.first { $0.divider == divider }).place
    let (x, y) = (place.x + (divider == .above ? 5 : 0), place.y)
    let target = divider == .above ? (x, y + 4) : (x + 6, 3)
    #expect(session.mouse(.click, x: x, y: y) == [])
    func drag(isOver: Bool) -> [Effect] {
      session.state.reduce(
        .input(
          .drag(MouseDrag(x: target.0, y: target.1, isOver: isOver)), milliseconds: 200_000))
    }
    #expect(!drag(isOver: false).contains(.preferences(.keepDividers(session.state.dividers))))
    #expect(session.state.layout.divider(atX: target.0, y: target.1) == divider)
    #expect(drag(isOver: true).contains(.preferences(.keepDividers(session.state.dividers))))
    // The button is up: the line stays where it is.
    let dropped = session.state.dividers
    _ = session.state.reduce(
      .input(.drag(MouseDrag(x: 3, y: 3)), milliseconds: 200_000))
    #expect(session.state.dividers == dropped)
    // A double click brings it back to where the program puts it.
    session.mouse(.doubleClick, x: target.0, y: target.1)
    #expect(session.state.dividers == Dividers())
  }

  @Test(arguments: [80, 119, 120, 150, 179, 180, 200, 300], [-1_000, -3, 0, 5, 1_000])
  func `Wherever a divider is moved, each pane keeps some room`(_ width: Int, _ delta: Int) {
    for divider in Divider.allCases {
      var dividers = Dividers()
      dividers.move(divider, to: width / 2 + delta, in: width)
      for height in [10, 21, 24, 60] {
        for focus in Pane.allCases {
          let layout = PaneLayout(
            size: Size(width: width, height: height), focus: focus,
            sharing: PaneSharing(dividers: dividers))
          for pane in Pane.allCases {
            guard let place = layout[pane] else { continue }
            #expect(place.width >= 12 && place.height >= 3, "\(divider) \(pane)")
            #expect(place.maxX <= width && place.maxY <= height - 1)
          }
        }
      }
    }
  }

  @Test func `A place stays the same one at its size, over restarts too`() {
    for room in [80, 131, 165, 200] {
      for columns in 24...(room - 24) {
        var dividers = Dividers()
        dividers.move(.list, to: columns, in: room)
        let again = Dividers(dividers.places)
        #expect(again.columns(of: .list, in: room, standard: 0) == columns)
      }
    }
  }

  @Test func `What is no part of the room is where the program puts it`() {
    #expect(Dividers([.list: 0, .sidebar: 1_000, .above: -5]) == Dividers())
  }

  @Test func `Below the list on a middling screen, an opened article takes its place`() {
    var session = session(120)
    let layout = session.state.layout
    #expect(layout.article.map { $0.y > 0 } == true)
    #expect(layout.list.map { $0.width >= 90 } == true)
    session.send(keys: "<Enter>")
    #expect(session.state.layout.list == nil)
    #expect(session.state.article?.height == 32)
    session.send(keys: "q")
    #expect(session.state.layout.article == layout.article)
    #expect(session.state.article?.height == layout.article.map { $0.height - 1 })
  }

  @Test(arguments: [120, 200])
  func `A key shows the article alone, laid out anew, and the others again`(_ width: Int) {
    var session = session(width, keys: "<Enter>")
    session.send(keys: "`")
    #expect(session.state.layout.article?.width == width)
    #expect(session.state.layout.sidebar == nil)
    session.send(keys: "q")
    #expect(session.state.layout.sidebar == nil && session.state.layout.list?.x == 0)
    session.send(keys: "q")
    #expect(session.state.layout.sidebar != nil)
    session.send(keys: "<Enter>`")
    #expect(session.state.layout.sidebar != nil && session.state.layout.list?.x != 0)
  }

  @Test func `A narrow article is laid out for the screen when it is alone`() throws {
    var settings = ReaderSettings()
    settings.textWidth = 110
    var session = Session(Sample.rows(1...9), width: 120, height: 34, settings: settings)
    session.send(keys: "<Enter>")
    try session.articleArrives(html: "<p>Text</p>")
    let id = try #require(session.state.article?.id)
    #expect(session.send(keys: "`").contains(.article(.open(id, width: 110))))
  }

  @Test func `A click on the mark of a folder closes it, one on its name selects it`() throws {
    var session = session(80)
    let row = try #require(session.lines.firstIndex { $0.contains("▾ Work") })
    session.mouse(.click, x: 8, y: row)
    #expect(session.lines[row].contains("▾ Work"))
    session.mouse(.click, x: 1, y: row)
    #expect(session.lines[row].contains("▸ Work"))
    session.mouse(.click, x: 1, y: row)
    #expect(session.lines[row].contains("▾ Work"))
  }
}
