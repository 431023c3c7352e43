internal import News
internal import Screen
internal import Testing

@testable internal import Reader

/// Where a search looks, and the searches before it.
struct SearchPromptTests {
  private func settled(_ session: inout Session) -> Timeline {
    if case .search? = session.state.prompt?.purpose, let line = session.state.prompt?.line {
      _ = session.state.reduce(.list(.searchSettled(line.text)))
    }
    return session.state.list.query.timeline
  }

  @Test func `Tab looks in the list that the search was begun from, and Escape goes back to it`()
    throws
  {
    var session = Session(Sample.rows(1...50))
    _ = session.state.show(.feed(FeedID(1)))
    session.arrive(Sample.rows(1...50))
    session.send(keys: "jj\\ab")
    #expect(settled(&session) == .search("ab"))
    session.send(keys: "<Tab>")
    #expect(settled(&session) == .matching(try ArticleQuery("\"ab\"*"), in: .feed(FeedID(1))))
    #expect(session.lines.last?.contains("Find in Feed 1: ab") == true, "\(session.lines)")
    session.send(keys: "<Esc>/ab")
    #expect(settled(&session) == .matching(try ArticleQuery("\"ab\"*"), in: .feed(FeedID(1))))
    session.send(keys: "<Tab>")
    #expect(settled(&session) == .search("ab"))
    session.send(keys: "<Tab>")
    _ = settled(&session)
    session.send(keys: "<Enter>")
    #expect(session.state.list.isSearch && session.state.list.isPassing)
    session.send(keys: "<Esc>")
    #expect(session.state.list.query.timeline == .feed(FeedID(1)))
    #expect(session.selected == 48)
  }

  @Test(arguments: [
    "title:swift", "-draft", "a OR b", "tag:later", "unread swift", "after:1w \"actor model\"",
  ])
  func `A query is one in a search too, and can be left and kept like any filter`(_ text: String)
    throws
  {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "/" + text)
    let timeline = Timeline.matching(try ArticleQuery(text), in: .all)
    #expect(settled(&session) == timeline)
    session.send(keys: "<Enter>")
    #expect(session.state.list.query.timeline == timeline && session.state.list.isPassing)
    session.send(keys: "=")
    #expect(session.state.prompt?.purpose == .newSmartName(try ArticleQuery(text)))
    session.send(keys: "<Esc><Esc>")
    #expect(session.state.list.query.timeline == .all)
  }

  @Test func `A query with a mistake is searched as words, and says so on Enter`() {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "/after:swift")
    #expect(settled(&session) == .search("after:swift"))
    session.send(keys: "<Enter>")
    #expect(session.state.notice?.text.hasSuffix("The list shows articles with its words.") == true)
    // Words alone are no query.
    session.send(keys: "/two words<Enter>")
    #expect(session.state.notice == nil)
    #expect(session.state.list.query.timeline == .search("two words"))
  }

  @Test func `In the list of everything the line says that there is nothing more to search`() {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "/ab<Tab>")
    #expect(session.lines.contains { $0.contains("All articles are already being searched.") })
    #expect(session.state.prompt?.line?.text == "ab")
    session.send(keys: "<Esc>")
    #expect(!session.lines.contains { $0.contains("All articles are already being searched.") })
  }

  @Test func `Searches come back with the arrow, those of earlier times too`() {
    var session = Session(Sample.rows(1...5))
    _ = session.state.reduce(.preferences(.searchesRemembered(["old", "alpha"])))
    let effects = session.send(keys: "/beta<Enter>")
    #expect(effects.contains(.preferences(.keepSearch("beta"))))
    func line() -> String? { session.state.prompt?.line?.text }
    session.send(keys: "/")
    session.send(keys: "<Up>")
    #expect(line() == "beta")
    session.send(keys: "<Up><Up>")
    #expect(line() == "old")
    #expect(settled(&session) == .search("old"))
    session.send(keys: "<Down><Down><Down>")
    #expect(line() == "")
    // What is typed picks among them.
    session.send(keys: "al<Up>")
    #expect(line() == "alpha")
  }

  @Test func `Searches that another reader has kept meanwhile are recalled too`() {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "/own<Enter>")
    #expect(session.send(keys: "/") == [.preferences(.recallSearches)])
    _ = session.state.reduce(.preferences(.searchesRemembered(["old", "own", "theirs"])))
    func line() -> String? { session.state.prompt?.line?.text }
    session.send(keys: "<Up>")
    #expect(line() == "theirs")
    session.send(keys: "<Up><Up>")
    #expect(line() == "old")
  }
}
