internal import News
internal import Screen
internal import Testing

@testable internal import Reader

/// The help: the keys that a page needs most, and all of them.
struct HelpTests {
  private func lines(_ session: Session) -> [HelpState.Line] {
    session.state.stack[HelpState.self]?.columns(in: session.state).flatMap { $0 } ?? []
  }

  @Test(arguments: [("?", "list"), ("h?", "sidebar"), ("O?", "outbox"), ("<Enter>?", "article")])
  func `It has the keys of the page, on one screen`(_ keys: String, _ page: String) {
    var session = Session(Sample.rows(1...5), width: 80, height: 24)
    session.send(keys: keys)
    let help = session.state.stack[HelpState.self]
    #expect(help?.page == page)
    let columns = help?.columns(in: session.state) ?? []
    #expect(columns.count == 2 && columns.allSatisfy { $0.count <= 22 }, "\(columns)")
    let lines = lines(session)
    #expect(lines.first == HelpState.Line(key: "Move", isHeading: true))
    #expect(lines.contains { $0.key == ":" } && lines.contains { $0.key == "Q" })
    #expect(lines.contains { $0.text == "Find in this article" } == (page == "article"))
    #expect(Set(lines.map(\.key)).count > 8)
  }

  @Test(arguments: [(40, 10), (59, 24), (80, 24), (200, 60)])
  func `All of its lines can be seen at any size`(_ width: Int, _ height: Int) {
    var session = Session(Sample.rows(1...5), width: width, height: height)
    session.send(keys: "?")
    var seen = session.lines.joined(separator: "\n")
    for _ in 0..<60 {
      session.send(keys: "j")
      seen += session.lines.joined(separator: "\n")
    }
    for line in lines(session) where !line.text.isEmpty {
      #expect(seen.contains(line.text.prefix(12)), "\(line.text)")
    }
  }

  @Test func `Its key again shows all commands, and Enter runs one`() {
    var session = Session(Sample.rows(1...5), width: 100, height: 40)
    session.send(keys: "??")
    #expect(!session.state.stack.contains(HelpState.self))
    #expect(session.state.stack.contains(Palette.self))
    session.send(keys: "star or")
    #expect(session.lines[1].contains("toggle-star"))
    let effects = session.send(keys: "<Enter>")
    #expect(effects == [.apply(.mark([ArticleID(5)], .starred(true), isUndoable: true))])
  }

  @Test func `Every command of a page is among all, with its keys`() {
    let session = Session(Sample.rows(1...5))
    let rows = Palette.rows(for: "", in: session.state)
    for command in session.state.commands(on: ListPane.self) where command != .number {
      let row = rows.first { $0.name == command.name }
      #expect(row?.keys == session.state.keys.keyNames(of: command), "\(command.name)")
    }
  }

  @Test func `Signs and the words of a query are among all, and run nothing`() {
    var session = Session(Sample.rows(1...5), width: 100, height: 40)
    session.send(keys: "??query has:")
    #expect(session.lines[1].contains("has:audio"))
    #expect(session.send(keys: "<Enter>") == [])
    #expect(session.state.stack.count == 0)
  }

  @Test(arguments: ["<C-l>"])
  func `It stays when the screen is drawn anew`(_ key: String) {
    var session = Session(Sample.rows(1...5), width: 80, height: 24)
    session.send(keys: "?" + key)
    #expect(session.state.stack[HelpState.self] != nil)
  }
}
