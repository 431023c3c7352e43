internal import News
internal import Screen
internal import Testing

@testable internal import Reader

/// Footnotes of the open article, and the ways back from them.
struct JumpTests {
  private static let filler = (1...40).map { "<p>Paragraph \($0).</p>" }.joined()

  private static let article = """
    <p>See <a href="https://example.org/">there</a> and here.<sup id="r1"><a href="#n1">1</a></sup>
    More.<sup id="r2"><a href="#n2">2</a></sup></p>\(filler)
    <ol><li id="n1">The first note. <a href="#r1">up</a></li>
    <li id="n2">The second note. <a href="#r2">up</a></li></ol>\(filler)
    """

  private func reading(_ html: String = article, height: Int = 14) throws -> Session {
    var session = Session(Sample.rows(1...5), width: 60, height: height)
    session.send(keys: "<Enter>")
    try session.articleArrives(html: html)
    return session
  }

  private func shows(_ session: Session, _ text: String) -> Bool {
    session.lines.contains { $0.contains(text) }
  }

  @Test func `A footnote is gone to by picking it, and its sign has no number`() throws {
    var session = try reading()
    #expect(shows(session, "See there[1] and here.¹ More.²"))
    #expect(
      !session.send(keys: "<Tab><Tab><Tab><Enter>").contains {
        if case .opening(.openLink) = $0 { true } else { false }
      })
    #expect(shows(session, "The second note."))
    #expect(session.lines.last?.contains("Backspace goes back.") == true)
    session.send(keys: "<BS>")
    #expect(shows(session, "See there") && session.state.article?.top == 0)
    session.send(keys: "<BS>")
    #expect(session.state.notice?.text == "You have not followed a link within this article.")
  }

  @Test func `The note leads back to where it is referred to`() throws {
    var session = try reading()
    session.send(keys: "<Tab><Tab><Enter>")
    #expect(shows(session, "The first note. up"))
    session.send(keys: "<Tab><Enter>")
    #expect(shows(session, "and here.¹"))
    // Two jumps, the last one first.
    session.send(keys: "<BS>")
    #expect(shows(session, "The first note. up"))
    session.send(keys: "<BS>")
    #expect(session.state.article?.top == 0)
  }

  @Test func `Letters and a click go to a footnote, and a number does not`() throws {
    var session = try reading()
    session.send(keys: "f")
    let hints = try #require(session.state.stack[LinkHints.self]).hints
    #expect(hints.count == 3)
    session.send(keys: hints[2].label)
    #expect(shows(session, "The second note."))
    session.send(keys: "<BS>")
    let row = try #require(session.lines.firstIndex { $0.contains("here.¹") })
    let x = try #require(session.lines[row].firstRange(of: "¹"))
    let column = session.lines[row].distance(
      from: session.lines[row].startIndex, to: x.lowerBound)
    session.mouse(.click, x: column, y: row)
    #expect(shows(session, "The first note."))
    session.send(keys: "2<Enter>")
    #expect(session.state.notice?.text == "This article has no link 2.")
  }

  @Test func `A browser has nothing to open where a link leads within the article`() throws {
    var session = try reading(Self.article)
    while session.state.article?.link != -1 { session.send(keys: "<Tab>") }
    #expect(
      session.send(keys: "w").allSatisfy {
        if case .opening(.openInBackground) = $0 { false } else { true }
      })
    #expect(
      session.state.notice?.text
        == "This link leads to another part of this article. Enter goes there.")
  }

  @Test func `Another width keeps the ways back`() throws {
    var session = try reading("<p>\(String(repeating: "word ", count: 300))</p>" + Self.article)
    session.send(keys: "<Space><Space>")
    while session.state.article?.link != -1 { session.send(keys: "<Tab>") }
    let start = try #require(session.state.article?.place)
    session.send(keys: "<Enter>")
    #expect(shows(session, "The first note."))
    _ = session.state.reduce(.resized(Size(width: 44, height: 14)))
    try session.articleArrives(
      html: "<p>\(String(repeating: "word ", count: 300))</p>" + Self.article)
    #expect(shows(session, "The first note."))
    session.send(keys: "<BS>")
    // The line that its position is on, now.
    let article = try #require(session.state.article)
    #expect(article.top == article.page?.line(at: start))
  }

  @Test func `A footnote in a table is gone to`() throws {
    let table = """
      <p>See <a href="#n">n</a>.</p>\(Self.filler)<table><tr><th>a</th><th>b</th></tr>
      <tr><td>c</td><td id="n">the cell</td></tr></table>\(Self.filler)
      """
    var session = try reading(table)
    session.send(keys: "<Tab><Enter>")
    #expect(shows(session, "the cell"))
  }
}
