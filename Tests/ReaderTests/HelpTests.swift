internal import News
internal import Screen
internal import Testing

@testable internal import Reader

/// The help: its order, its columns, and its filter.
struct HelpTests {
  private func headings(_ session: Session) -> [String] {
    let page = session.state.stack[HelpState.self]?.page ?? ""
    return HelpPage(session.state.keys, session.state.settings.keys, page: page)
      .lines(width: 80).filter(\.isHeading).map(\.keys)
  }

  @Test func `A text of the help is found by its title, and shows whole`() {
    let map = Session(Sample.rows(1...5)).state.keys
    func rows(_ words: String, below title: String) -> [String] {
      let lines = HelpPage(map, KeyScheme(), page: "list", matching: words).lines(width: 200)
      return lines.drop { $0.keys != title }.dropFirst().prefix { !$0.isHeading }.map(\.keys)
        .filter { !$0.isEmpty }
    }
    #expect(rows("query", below: "Words of a query").contains("has:audio"))
    #expect(rows("MOUSE", below: "Mouse") == ["click", "double click", "wheel"])
    #expect(rows("wheel", below: "Mouse") == ["wheel"])
    #expect(rows("mouse query", below: "Mouse") == [])
  }

  @Test(arguments: [("?", "list"), ("h?", "sidebar"), ("O?", "outbox"), ("<Enter>?", "article")])
  func `It begins with the keys of the page, and each is there once`(_ keys: String, _ page: String)
    throws
  {
    var session = Session(Sample.rows(1...5), height: 40)
    session.send(keys: keys)
    #expect(session.state.stack[HelpState.self]?.page == page)
    let headings = headings(session)
    #expect(headings.first == "Move" && headings.last == "Words of a query")
    let lines = HelpPage(session.state.keys, session.state.settings.keys, page: page)
      .lines(width: 200).filter { !$0.isHeading && !$0.text.isEmpty }
    // Two pages may have the same key for the same.
    var topic = ""
    var seen: Set<String> = []
    for line in HelpPage(session.state.keys, session.state.settings.keys, page: page)
      .lines(width: 200) where !line.text.isEmpty || line.isHeading
    {
      if line.isHeading { topic = line.keys }
      let isNew = seen.insert("\(topic): \(line.keys) \(line.text)").inserted
      #expect(isNew, "\(topic): \(line.text)")
    }
    let link = try #require(lines.firstIndex { $0.text.hasPrefix("pick the next link") })
    let own = try #require(lines.firstIndex { $0.text == "unread" })
    let elsewhere = try #require(headings.firstIndex { $0.hasPrefix("Elsewhere: ") })
    #expect(headings[..<elsewhere].contains("Telex"))
    // Only an article has links.
    let quit = try #require(lines.firstIndex { $0.text == "quit" })
    #expect((link < quit) == (page == "article") && quit < own)
  }

  @Test func `A wide screen has columns`() {
    for (width, columns) in [(40, 1), (80, 1), (120, 2), (200, 3)] {
      var session = Session(width: width, height: 86)
      session.send(keys: "?")
      let headings = session.lines.map { line in
        ["Move", "Read", "Signs", "Mouse"].count { line.contains($0) }
      }
      #expect(HelpPage.columns(width: width) == columns)
      if columns == 3 { #expect(session.lines.contains { $0.contains("Words of a search") }) }
      #expect(headings.contains { $0 > 0 })
    }
  }

  @Test(arguments: ["<C-l>", "<F8>"])
  func `It stays when the screen is drawn anew, or in another theme`(_ key: String) {
    var session = Session(Sample.rows(1...5), width: 80, height: 24)
    session.send(keys: "?" + key)
    #expect(session.state.stack[HelpState.self] != nil)
  }

  @Test func `Words make it shorter, and Escape shows all again`() {
    var session = Session(width: 80, height: 24)
    session.send(keys: "?/star q")
    #expect(session.lines[0].hasPrefix("/star q"))
    #expect(session.lines[1].contains("nothing has these words"))
    session.send(keys: "<BS><BS>")
    #expect(session.lines[2].contains("star"))
    #expect(!session.lines.joined().contains("page down"))
    // It stays while the lines are scrolled, and the letters are keys again.
    session.send(keys: "<Enter>j")
    #expect(session.lines[0].hasPrefix("/star") && session.state.stack.contains(HelpState.self))
    session.send(keys: "<Esc>")
    #expect(session.lines[0].contains("Move"))
    session.send(keys: "/x<Esc>")
    #expect(session.lines[0].contains("Move"))
    session.send(keys: "x")
    #expect(!session.state.stack.contains(HelpState.self))
  }

  @Test func `Letters that begin a sequence can be typed`() {
    var settings = ReaderSettings()
    settings.keys = KeyScheme(wishes: [.init("down", ["s d", "j"], place: "")])
    var session = Session(width: 80, height: 24, settings: settings)
    session.send(keys: "?/sd")
    #expect(session.lines[0].hasPrefix("/sd"))
  }
}
