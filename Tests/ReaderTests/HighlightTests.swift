internal import News
internal import Screen
internal import Testing

@testable import Reader

/// What stands out by patterns of the settings.
struct HighlightTests {
  private static let red = Style(.palette(1))
  private static let blue = Style(.palette(4))

  private func session(_ highlights: [Highlight]) -> Session {
    var settings = ReaderSettings()
    settings.highlights = highlights
    var session = Session(Sample.rows(1...5), width: 60, settings: settings)
    session.state.theme = .dark
    return session
  }

  private func text(of style: Style, in session: Session) -> [String] {
    let frame = session.state.render()
    return (0..<frame.size.height).compactMap { y in
      let cells = frame.row(y).filter { $0.style.foreground == style.foreground }
      let text = String(
        String.UnicodeScalarView(cells.flatMap { frame.scalars(of: $0.glyph) }))
      return text.allSatisfy(\.isWhitespace) ? nil : text
    }
  }

  @Test func `A title that matches stands out, unless it is selected; the first pattern counts`()
    throws
  {
    let session = session([
      try Highlight(.title, "ARTICLE [35]", Self.red), try Highlight(.title, "3", Self.blue),
    ])
    #expect(text(of: Self.red, in: session) == ["Article 3"])
    #expect(text(of: Self.blue, in: session) == [])
  }

  @Test func `So does each title of a feed that matches`() throws {
    let session = session([try Highlight(.feed, "^feed 1$", Self.red)])
    #expect(text(of: Self.red, in: session).count == 4)
  }

  @Test func `So does the title of an article that a query is true of`() throws {
    let query = try ArticleQuery("unread tag:swift")
    var session = session([try Highlight(.query, query.text, Self.red)])
    #expect(text(of: Self.red, in: session) == [])
    var snapshot = try #require(session.state.list.snapshot)
    snapshot.highlighted = [query: [ArticleID(3)]]
    _ = session.state.reduce(.list(.arrived(snapshot)))
    #expect(text(of: Self.red, in: session) == ["Article 3"])
    #expect(throws: QueryError.self) { try Highlight(.query, "titel:x", Self.red) }
  }

  @Test func `Words that match in an article stand out, and what is looked for is above that`()
    throws
  {
    var session = session([
      try Highlight(.text, "\\bsw\\w+", Self.red), try Highlight(.text, "日", Self.blue),
      try Highlight(.text, "z*", Self.blue),
    ])
    session.send(keys: "<Enter>")
    try session.articleArrives(html: "<p>one <b>Swift</b> 日本 swim answer</p>")
    #expect(text(of: Self.red, in: session) == ["Swiftswim"])
    #expect(text(of: Self.blue, in: session).count == 1)
    session.send(keys: "/swim<Enter>")
    #expect(text(of: Self.red, in: session) == ["Swift"])
    #expect(text(of: session.state.theme.currentHit, in: session).contains("swim"))
    #expect(text(of: Self.red, in: session) == ["Swift"])
  }

  @Test func `What it stands on stays: bold, underlined, and without colours where there are none`()
    throws
  {
    let bright = Style(.palette(1), on: .standard, .italic)
    var session = session([try Highlight(.title, "3", bright)])
    let theme = session.state.theme
    let row = session.state.render().row(3)
    #expect(row.contains { $0.style == bright.over(theme.unread) && $0.glyph == Glyph("3") })
    #expect(bright.over(theme.unread).attributes == [.bold, .italic])
    session.state.theme = .none
    #expect(session.state.render().cells.allSatisfy { $0.style.foreground == .standard })
  }
}
