internal import News
internal import Screen
internal import Testing

@testable internal import Reader

/// Links by letters on them, by clicks, and their addresses.
struct LinkTests {
  private func reading(
    _ html: String, width: Int = 60, height: Int = 14
  ) throws -> Session {
    var session = Session(Sample.rows(1...5), width: width, height: height)
    session.send(keys: "<Enter>")
    try session.articleArrives(html: html)
    return session
  }

  private func opened(_ effects: [Effect]) -> [String] {
    effects.compactMap { if case .opening(.openLink(let url)) = $0 { url } else { nil } }
  }

  /// The letters that stand on the links.
  private func labels(_ session: Session) throws -> [String] {
    try #require(session.state.stack[LinkHints.self]).hints.map(\.label)
  }

  // MARK: Letters

  @Test func `Letters stand on the links that show, and typing them opens one`() throws {
    var session = try reading(Sample.links(3))
    session.send(keys: "f")
    #expect(session.lines.last?.contains("etters:") == true)
    let labels = try labels(session)
    #expect(labels.count == 3 && Set(labels).count == 3)
    for label in labels { #expect(session.lines.contains { $0.contains(label.uppercased()) }) }
    #expect(opened(session.send(keys: labels[1])) == ["https://example.org/l/2"])
    #expect(session.state.stack.count == 0)
  }

  @Test func `Many links have two letters, of which the first leaves those that begin with it`()
    throws
  {
    let text = (1...40).map { "<a href=\"https://example.org/l/\($0)\">l\($0)</a>" }
    var session = try reading("<p>\(text.joined(separator: " "))</p>", width: 100, height: 30)
    session.send(keys: "f")
    let labels = try labels(session)
    #expect(labels.count == 40 && Set(labels).count == 40)
    #expect(labels.allSatisfy { $0.count == 2 })
    session.send(keys: String(labels[39].prefix(1)))
    #expect(session.state.stack[LinkHints.self]?.typed.count == 1)
    #expect(
      opened(session.send(keys: String(labels[39].suffix(1)))) == ["https://example.org/l/40"])
  }

  @Test func `Only links that show have letters`() throws {
    var session = try reading(Sample.links(40), height: 10)
    session.send(keys: "Gf")
    let numbers = try #require(session.state.stack[LinkHints.self]).hints.map(\.place.number)
    #expect(numbers.last == 40 && numbers.count < 10)
    session.send(keys: "<Esc>")
    session = try reading("<p>none</p>")
    session.send(keys: "f")
    #expect(session.state.notice?.text == "No link is on the screen.")
  }

  @Test(arguments: ["0", "<Esc>", "<Enter>", "<Up>"])
  func `What is no letter of a link leaves them`(_ key: String) throws {
    var session = try reading(Sample.links(3))
    #expect(opened(session.send(keys: "f" + key)).isEmpty)
    #expect(session.state.stack.count == 0)
  }

  @Test func `Another size of the screen takes the letters away`() throws {
    var session = try reading(Sample.links(3))
    session.send(keys: "f")
    let label = try labels(session)[0]
    _ = session.state.reduce(.resized(Size(width: 50, height: 12)))
    #expect(opened(session.send(keys: label)).isEmpty)
  }

  // MARK: Clicks

  @Test func `A click on a link opens it, one beside it does not`() throws {
    var session = try reading(Sample.links(3), width: 160, height: 20)
    let row = try #require(session.lines.firstIndex { $0.contains("page 2") })
    let line = session.lines[row]
    let place = try #require(line.firstRange(of: "page 2"))
    let x = line.distance(from: line.startIndex, to: place.lowerBound)
    #expect(opened(session.mouse(.click, x: x + 2, y: row)) == ["https://example.org/l/2"])
    #expect(session.state.article?.link == 2)
    #expect(opened(session.mouse(.click, x: x - 2, y: row)).isEmpty)
    // From another pane the first click only goes there.
    session.state.focus = .list
    #expect(opened(session.mouse(.click, x: x + 2, y: row)).isEmpty)
    #expect(session.state.focus == .article)
  }

  // MARK: Addresses

  @Test func `Addresses are copied: that of the article, and those of links`() throws {
    var session = try reading(Sample.links(12))
    #expect(session.send(keys: "y") == [.opening(.copyArticleLink(ArticleID(5)))])
    #expect(session.send(keys: "Y12<Enter>") == [.opening(.copy("https://example.org/l/12"))])
    session.send(keys: "Y13<Enter>")
    #expect(session.state.notice?.text == "This article has no link 13.")
    #expect(session.send(keys: "<Tab>Y") == [.opening(.copy("https://example.org/l/1"))])
    _ = session.state.reduce(.opening(.copied("https://example.org/l/1")))
    #expect(session.state.notice?.text == "Copied https://example.org/l/1.")
  }
}
