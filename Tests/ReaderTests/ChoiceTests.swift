internal import News
internal import Screen
internal import Testing

@testable import Reader

/// Choosing one of the feeds of a page.
struct ChoiceTests {
  static let links: [FeedLink] = (1...12).map { number in
    FeedLink(
      url: "https://example.org/feed/\(number)", title: "Feed number \(number)",
      type: number.isMultiple(of: 2) ? "application/atom+xml" : "application/rss+xml")
  }

  private func session(width: Int = 80, height: Int = 24, _ links: [FeedLink] = links) -> Session {
    var session = Session(Sample.rows(1...5), width: width, height: height)
    session.send(keys: "aexample.org<Enter>")
    _ = session.state.reduce(.subscriptions(.found("example.org", links)))
    return session
  }

  private func added(_ effects: [Effect]) -> String? {
    effects.compactMap {
      if case .subscriptions(.addFound(let link, "example.org")) = $0 { link.url } else { nil }
    }
    .first
  }

  @Test func `The feeds of a page are listed with their formats, and the address of the selected`()
  {
    let session = session()
    #expect(session.lines[0].contains("Feeds of example.org") && session.lines[0].contains("1/12"))
    #expect(session.lines[1].contains("Feed number 1") && session.lines[1].contains("RSS"))
    #expect(session.lines[2].contains("Atom"))
    #expect(session.lines.contains { $0.contains(" https://example.org/feed/1") })
    #expect(session.lines.last?.contains("Enter subscribe") == true)
  }

  @Test(
    arguments: [
      ("<Enter>", 1), ("j<Enter>", 2), ("jjk<Enter>", 2), ("<Down><Down><Up>l", 2), ("k<Enter>", 1),
      ("G<Enter>", 12), ("Gj<Right>", 12), ("Gg<Enter>", 1), ("<PgDn><PgUp><Enter>", 1),
      ("<End><Home>j<Enter>", 2),
    ] as [(String, Int)])
  func `Keys move, and Enter subscribes`(_ keys: String, _ number: Int) {
    for (width, height) in [(80, 24), (40, 10), (1, 1)] {
      var session = session(width: width, height: height)
      #expect(added(session.send(keys: keys)) == "https://example.org/feed/\(number)")
      #expect(session.state.choice == nil)
    }
    var session = session()
    session.send(keys: keys)
    #expect(session.lines.last?.contains("looking for a feed at https://example.org/feed/") == true)
  }

  @Test(arguments: ["q", "<Esc>", "h", "<Left>"])
  func `Leaving it subscribes to none`(_ key: String) {
    var session = Session(Sample.rows(1...5))
    let before = session.state.render()
    _ = session.state.reduce(.subscriptions(.found("example.org", Self.links)))
    #expect(session.state.render() != before)
    #expect(session.send(keys: "j" + key) == [])
    #expect(session.state.render() == before)
  }

  @Test func `A click selects, a double click subscribes, the wheel moves`() {
    var session = session()
    session.mouse(.click, x: 5, y: 3)
    #expect(session.state.choice?.selected == 2)
    session.mouse(.wheelDown, x: 5, y: 3)
    #expect(session.state.choice?.selected == 5)
    session.mouse(.wheelUp, x: 5, y: 3)
    #expect(session.state.choice?.selected == 2)
    #expect(session.mouse(.click, x: 5, y: 22) == [])
    #expect(added(session.mouse(.doubleClick, x: 5, y: 1)) == "https://example.org/feed/1")
  }

  @Test(arguments: [1, 2, 29, 30, 40, 80], 1...14)
  func `The selected feed stays in sight at any size`(width: Int, height: Int) throws {
    var session = session(width: width, height: height)
    for key in ["j", "j", "<PgDn>", "k", "G", "<PgUp>", "g"] {
      session.send(keys: key)
      let choice = try #require(session.state.choice)
      let size = session.state.size
      let rows = max(1, ChoiceLayout(choice, size: size).rows.height)
      let first = choice.selection.firstVisible(in: choice.items, height: rows)
      #expect((first..<first + rows).contains(choice.selected))
    }
  }

  @Test func `A feed without a title shows its address`() {
    let links = [FeedLink(url: "https://e.org/a"), FeedLink(url: "https://e.org/b")]
    #expect(session(links).lines[1].contains("e.org/a"))
  }

  @Test func `A single feed is no choice`() {
    var session = Session(Sample.rows(1...5))
    let effects = session.state.reduce(.subscriptions(.found("example.org", [Self.links[0]])))
    #expect(added(effects) == Self.links[0].url)
    #expect(session.state.choice == nil)
    #expect(session.state.reduce(.subscriptions(.found("example.org", []))) == [])
  }

  @Test func `What is typed meanwhile goes where it was going`() {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "/")
    _ = session.state.reduce(.subscriptions(.found("example.org", Self.links)))
    session.send(keys: "jq")
    #expect(session.state.choice?.selected == 0)
    #expect(session.lines.last?.contains("Find in all articles: jq") == true)
  }

  @Test func `Help opens above it, and it is there afterwards`() {
    var session = session()
    session.send(keys: "j?")
    #expect(session.state.stack[HelpState.self]?.top != nil)
    session.send(keys: "q")
    #expect(session.state.choice?.selected == 1)
  }

  @Test func `A feed that cannot be added is told, and the address is there for another try`() {
    var session = session()
    session.send(keys: "<Enter>")
    _ = session.state.reduce(.subscriptions(.notAdded("example.org", Sample.unavailable)))
    #expect(session.state.notice?.kind == .error)
    session.send(keys: "a")
    #expect(session.lines.last?.contains("Subscribe to: example.org") == true)
  }
}

struct SidebarFolderTests {
  private func feed(_ id: Int64, _ folders: [String], unread: Int = 1) -> Feed {
    var feed = Sample.feed(id, "Feed \(id)", unread: unread)
    feed.folders = folders
    return feed
  }

  @Test func `Folders lie in each other, their feeds below them, counted once`() {
    var session = Session()
    let feeds = [
      feed(1, ["b/inner", "b"], unread: 3), feed(2, ["a"]), feed(3, ["b/inner"]), feed(4, []),
    ]
    _ = session.state.reduce(.subscriptions(.arrived(SidebarSnapshot(feeds: feeds))))
    let items = session.state.sidebar.items.dropFirst(3)
    #expect(
      items.map { "\($0.depth) \($0.title) \($0.count)" } == [
        "0 a 1", "1 Feed 2 1", "0 b 4", "1 inner 4", "2 Feed 1 3", "2 Feed 3 1", "1 Feed 1 3",
        "0 Feed 4 1",
      ])
    #expect(
      items.filter { $0.kind == .folder(isOpen: true) }.map(\.timeline) == [
        .folder("a"), .folder("b"), .folder("b/inner"),
      ])
  }

  @Test func `Folders a thousand deep are drawn`() {
    let paths = (1...1_000).map { depth in
      Array(repeating: "f", count: depth).joined(separator: "/")
    }
    var session = Session()
    let feeds = paths.enumerated().map { feed(Int64($0 + 1), [$1]) }
    _ = session.state.reduce(.subscriptions(.arrived(SidebarSnapshot(feeds: feeds))))
    #expect(session.state.sidebar.items.count == 3 + 2_000)
    #expect(session.state.sidebar.items[3].count == 1_000)
    _ = session.state.render()
  }
}
