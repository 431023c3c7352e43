internal import Foundation
internal import News
internal import Screen
internal import Testing

@testable import Reader

/// Typing, questions, help, and what is told.
struct PromptTests {
  @Test func `A search shows what is found while it is typed`() {
    var session = Session(Sample.rows(1...50))
    session.send(keys: "jjj")
    let effects = session.send(keys: "/ab")
    #expect(
      effects == [
        .preferences(.recallSearches), .list(.settleSearch("a")), .list(.settleSearch("ab")),
      ])
    // An answer to what was typed before is stale.
    #expect(session.state.reduce(.list(.searchSettled("a"))) == [])
    _ = session.state.reduce(.list(.searchSettled("ab")))
    #expect(session.state.list.query.timeline == .search("ab"))
    session.arrive(Sample.rows(3...4))
    #expect(
      session.send(keys: "<Enter>") == [.cancel(.list(.search)), .preferences(.keepSearch("ab"))])
    #expect(session.state.focus == .list)
    #expect(session.send(keys: "<Enter>").last?.id == .article(.page))
  }

  @Test(arguments: ["/ab<Esc>", "/ab<C-c>", "/ab<C-g>", "/ab<BS><BS><BS>", "/ab<Enter>q"])
  func `Leaving a search goes back to the place it was begun from`(_ keys: String) {
    var session = Session(Sample.rows(1...50))
    session.send(keys: "jjj")
    let before = session.lines
    for key in Session.keys(keys) {
      _ = session.state.reduce(.input(.key(key), milliseconds: 0))
      if case .search? = session.state.prompt?.purpose, let line = session.state.prompt?.line {
        _ = session.state.reduce(.list(.searchSettled(line.text)))
      }
      if case .search = session.state.list.query.timeline { session.arrive(Sample.rows(3...4)) }
    }
    #expect(session.state.list.query.timeline == .all)
    #expect(session.lines == before)
    #expect(session.selected == 47)
    // What settles now is stale.
    #expect(session.state.reduce(.list(.searchSettled("ab"))) == [])
    session.arrive(Sample.rows(1...52))
    #expect(session.selected == 47)
  }

  @Test(arguments: ["/<Enter>", "/  <Enter>"])
  func `A search for nothing is none`(_ keys: String) {
    var session = Session(Sample.rows(1...5))
    session.send(keys: keys)
    #expect(session.state.list.query.timeline == .all)
  }

  @Test(arguments: [
    ("ahttps://e.org<Enter>", ["https://e.org"]), ("ae.or<BS><BS>org<Enter>", ["e.org"]),
    ("a  e.org<Enter>", ["e.org"]), ("ae.org<Esc>", []), ("a<Enter>", []), ("a<BS>", []),
  ])
  func `A feed is added by its address`(_ keys: String, _ addresses: [String]) {
    var session = Session(Sample.rows(1...5))
    let effects = session.send(keys: keys)
    #expect(effects == addresses.map { .subscriptions(.add($0)) })
    #expect(session.state.prompt == nil)
  }

  @Test func `An address that is pasted is one to add`() {
    var session = Session(Sample.rows(1...5))
    session.paste("no address")
    #expect(session.state.prompt == nil)
    session.paste("https://e.org/feed\n")
    #expect(session.send(keys: "<Enter>").first == .subscriptions(.add("https://e.org/feed")))
  }

  @Test func `An address that could not be added is there for another try`() {
    var session = Session(Sample.rows(1...5))
    _ = session.state.reduce(.subscriptions(.notAdded("e.org", Sample.unavailable)))
    #expect(session.state.notice?.kind == .error)
    #expect(session.send(keys: "a<End>.uk<Enter>").first == .subscriptions(.add("e.org.uk")))
    _ = session.state.reduce(.subscriptions(.notAdded("e.org.uk", Sample.unavailable)))
    session.send(keys: "<Esc>")
    _ = session.state.reduce(.subscriptions(.notAdded("e.org.uk", Sample.unavailable)))
    // Typed at once, another address takes its place.
    #expect(session.send(keys: "ae.com<Enter>").first == .subscriptions(.add("e.com")))
  }

  @Test(arguments: [true, false])
  func `A feed that was added shows`(_ isNew: Bool) {
    var session = Session(Sample.rows(1...5))
    _ = session.state.reduce(.subscriptions(.added(Sample.feed(2, "Feed 2"), isNew: isNew)))
    #expect(session.state.list.query.timeline == .feed(FeedID(2)))
    #expect(session.state.focus == .list)
    #expect(
      session.state.notice?.text
        == (isNew ? "Subscribed to Feed 2." : "You are already subscribed to Feed 2."))
  }

  @Test func `A feed of the first page of a site is added with a word`() {
    var session = Session(Sample.rows(1...5))
    _ = session.state.reduce(
      .subscriptions(.added(Sample.feed(2, "Feed 2"), isNew: true, foundAt: "https://e.org/")))
    #expect(
      session.state.notice?.text
        == "Subscribed to Feed 2. The address has no feed, but e.org links to this one.")
  }

  @Test func `A feed that was added and removed before the store was looked at again is gone`() {
    var session = Session([], of: .all)
    _ = session.state.reduce(.subscriptions(.arrived(SidebarSnapshot())))
    _ = session.state.reduce(
      .subscriptions(.added(Sample.feed(2, "Feed 2", unread: 5), isNew: true)))
    #expect(session.state.subscriptions.counts.unread == 5)
    _ = session.state.reduce(.subscriptions(.removed([FeedID(2)], title: "Feed 2")))
    #expect(session.state.subscriptions == SidebarSnapshot())
    #expect(session.state.list.query.timeline == .all)
  }

  @Test(arguments: [("y", true), ("Y", true), ("n", false), ("<Esc>", false), ("x", false)])
  func `A feed is removed after a question`(_ answer: String, _ isYes: Bool) {
    var session = Session(Sample.rows(1...5), of: .feed(FeedID(2)))
    #expect(session.send(keys: "hd") == [])
    #expect(
      session.lines.last?.contains("Unsubscribe from Feed 2 and delete its articles? y/n") == true)
    let effects = session.send(keys: answer)
    #expect(effects == (isYes ? [.subscriptions(.remove([FeedID(2)], title: "Feed 2"))] : []))
    #expect(session.state.prompt == nil)
  }

  @Test func `What is not a feed cannot be removed`() {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "hd")
    #expect(session.state.prompt == nil)
    #expect(session.state.notice?.text == "No feed is selected. Select one in the sidebar.")
  }

  // MARK: Notices

  @Test(arguments: [
    (
      Action.subscriptions(.refreshEnded(failed: 0, inserted: 0, wasAsked: true)),
      "No new articles."
    ),
    (.subscriptions(.refreshEnded(failed: 0, inserted: 3, wasAsked: true)), "3 new articles."),
    (
      .subscriptions(
        .refreshEnded(
          failed: 0, inserted: 0, wasAsked: true,
          resting: "3 feeds wait for their server until 10:33")),
      "No new articles; 3 feeds wait for their server until 10:33."
    ),
    (
      .subscriptions(.refreshEnded(failed: 1, inserted: 3, wasAsked: true)),
      "1 feed failed. H shows why."
    ),
    (
      .subscriptions(.refreshEnded(failed: 2, inserted: 0, wasAsked: true)),
      "2 feeds failed. H shows why."
    ),
    (
      .subscriptions(.refreshEnded(failed: 1, gone: 2, inserted: 0, wasAsked: true)),
      "1 feed failed, 2 feeds are gone. H shows why."
    ),
    (
      .subscriptions(.refreshEnded(failed: 0, gone: 1, inserted: 4, wasAsked: true)),
      "1 feed is gone. H shows why."
    ),
    (.subscriptions(.refreshEnded(failed: 2, inserted: 9, wasAsked: false)), ""),
    (.failed(Sample.unavailable), "example.org replied 503."),
    (.failed(SourceError(.cancelled, stage: .fetch, subject: "", message: "cancelled")), ""),
    (
      .subscriptions(.removed([FeedID(9)], title: "Feed")), "Unsubscribed from Feed."
    ),
    (.marks(.markedAllRead(0)), "All articles are already read."),
    (.marks(.turned(nil, isUndone: true)), "No change to undo."),
    (.marks(.turned(nil, isUndone: false)), "No change to redo."),
    (
      .marks(
        .turned(
          JournalEntry(id: 1, time: .distantPast, kind: .readAll, count: 4), isUndone: true)),
      "Undone: marked 4 articles as read."
    ),
  ])
  func `What happened is told`(_ action: Action, _ text: String) {
    var session = Session(Sample.rows(1...5))
    let effects = session.state.reduce(action)
    #expect(session.state.notice?.text ?? "" == text)
    #expect(effects.count == (text.isEmpty ? 0 : 1))
    if !text.isEmpty { #expect(session.lines.last?.contains(text) == true) }
  }

  @Test func `An error goes with the next key, and a feed being looked for stays in sight`() {
    var session = Session(Sample.rows(1...5))
    _ = session.state.reduce(.failed(Sample.unavailable))
    session.send(keys: "s")
    #expect(session.state.notice == nil)
    session.send(keys: "ae.org<Enter>jj")
    #expect(session.lines.last?.contains("looking for a feed at e.org …") == true)
    _ = session.state.reduce(.subscriptions(.notAdded("e.org", Sample.unavailable)))
    #expect(session.lines.last?.contains("503") == true)
    session.send(keys: "j")
    #expect(session.lines.last?.contains("? keys") == true)
  }

  @Test func `An address that could not be added comes back to be corrected, below the error`() {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "ae.rog<Enter>")
    _ = session.state.reduce(.subscriptions(.notAdded("e.rog", Sample.unavailable)))
    #expect(session.lines.last?.hasPrefix("Subscribe to: e.rog") == true)
    #expect(session.lines[10].contains("example.org replied 503"))
    session.send(keys: "<BS>")
    #expect(session.lines[10].contains("example.org replied 503"))
    #expect(session.send(keys: "<BS><BS>org<Enter>") == [.subscriptions(.add("e.org"))])
    #expect(!session.lines[10].contains("503"))
    // Given up, the error has been read.
    _ = session.state.reduce(.subscriptions(.notAdded("e.org", Sample.unavailable)))
    session.send(keys: "<Esc>")
    #expect(session.state.prompt == nil && session.state.notice == nil)
  }

  @Test(arguments: ["?", "ae.com", "j", "/"])
  func `An address does not come back into something else that was begun`(_ keys: String) {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "ae.org<Enter>" + keys)
    let before = session.state.prompt
    _ = session.state.reduce(.subscriptions(.notAdded("e.org", Sample.unavailable)))
    #expect(session.state.prompt == before)
    #expect(session.state.notice?.kind == .error)
  }

  @Test func `Looking for a feed can be cancelled, the latest first`() {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "ae.org<Enter>ae.com<Enter>")
    #expect(session.lines.last?.contains("looking for a feed at e.com …") == true)
    #expect(session.lines.last?.hasSuffix("Esc cancel") == true)
    #expect(session.send(keys: "<Esc>").first == .cancel(.subscriptions(.add("e.com"))))
    _ = session.state.reduce(.reminded(.notice(serial: session.state.serial)))
    #expect(session.lines.last?.contains("looking for a feed at e.org …") == true)
    #expect(session.send(keys: "<Esc>").first == .cancel(.subscriptions(.add("e.org"))))
    #expect(session.state.focus == .list)
    // What was cancelled is there for another try, and a further Esc is the key that it always is.
    session.send(keys: "<Esc>")
    #expect(session.state.focus == .sidebar)
    #expect(session.send(keys: "a<Enter>") == [.subscriptions(.add("e.org"))])
  }

  @Test(arguments: [
    ("#", "#"), ("<C-x>", "^X"), ("0", "0"), ("W", "W (Changes since you opened the article)"),
    ("%", "% (Change the width of the lines)"),
  ])
  func `A key without use says so and names the key that helps`(_ key: String, _ name: String) {
    for page in ["", "h", "H", "E"] {
      var session = Session(Sample.rows(1...5))
      session.send(keys: page + key)
      #expect(
        session.state.notice?.text == "\(name) does not work on this page. Press ? to see the keys."
      )
    }
  }

  @Test func `A late reminder does not take a newer notice`() {
    var session = Session(Sample.rows(1...5))
    let first = session.state.reduce(.subscriptions(.removed([FeedID(9)], title: "A")))
    let second = session.state.reduce(.subscriptions(.removed([FeedID(9)], title: "B")))
    #expect(first == [.remind(.notice(serial: 1), afterMilliseconds: 4_000)])
    #expect(second == [.remind(.notice(serial: 2), afterMilliseconds: 4_000)])
    _ = session.state.reduce(.reminded(.notice(serial: 1)))
    #expect(session.state.notice?.text == "Unsubscribed from B.")
    _ = session.state.reduce(.reminded(.notice(serial: 2)))
    #expect(session.state.notice == nil)
  }

  // MARK: Help

  @Test(arguments: ["q", "<Esc>", "x", "<Enter>"])
  func `A key that does not scroll closes the help and does nothing else`(_ key: String) {
    var session = Session(Sample.rows(1...5))
    let before = session.state.render()
    #expect(session.send(keys: "?jj" + key) == [])
    #expect(session.state.render() == before)
  }

  @Test(arguments: ["Q", "<C-c>", "hq", ":quit<Enter>"])
  func `Where it is wished for, quitting is asked about`(_ keys: String) {
    var settings = ReaderSettings()
    settings.asksBeforeQuitting = true
    var session = Session(Sample.rows(1...5), settings: settings)
    #expect(!session.send(keys: keys).contains(.quit))
    #expect(session.lines.last?.hasPrefix("Quit? y/n") == true)
    #expect(session.send(keys: "n") == [])
    session.send(keys: keys)
    #expect(session.send(keys: "y").contains(.quit))
  }

  @Test(arguments: [("j", 1), ("jk", 0), ("k", 0), ("<PgDn>", 5), ("<PgDn>b", 0), ("Gg", 0)])
  func `Help scrolls`(_ keys: String, _ offset: Int) {
    var session = Session(height: 8)
    session.send(keys: "?" + keys)
    #expect(session.state.stack[HelpState.self]?.top == offset)
  }

  @Test func `Help that was scrolled stays in sight on a larger screen`() {
    var session = Session(height: 12)
    session.send(keys: "?G")
    _ = session.state.reduce(.resized(Size(width: 100, height: 300)))
    #expect(session.state.stack[HelpState.self]?.top == 0)
    session.mouse(.wheelDown, x: 1, y: 1)
    #expect(session.state.stack[HelpState.self]?.top == 0)
    session.mouse(.click, x: 1, y: 1)
    #expect(session.state.stack[HelpState.self]?.top == nil)
  }
}
