import News
import Testing

@testable import Reader

/// Folders of several accounts in the sidebar.
@Suite struct AccountFolderTests {
  private let server = Account(
    id: AccountID(2),
    service: AccountService(AccountKind(rawValue: "test"), [.pages, .subscriptions]),
    base: "https://rss.example/api", user: "ada")

  private var snapshot: SidebarSnapshot {
    SidebarSnapshot(feeds: [
      Feed(
        id: FeedID(1), url: "http://a.org", title: "Mine", folders: ["News/In"],
        counts: ArticleCounts(unread: 1)),
      Feed(
        id: FeedID(2), account: server, url: "http://b.org", title: "Theirs",
        folders: ["News/In"], counts: ArticleCounts(unread: 2)),
    ])
  }

  @Test func `An account is a folder around its own`() {
    var sidebar = SidebarState()
    sidebar.rebuildItems(from: snapshot)
    let rows = sidebar.items.dropFirst(3)
    #expect(rows.map(\.title) == ["News", "In", "Mine", "rss.example", "News", "In", "Theirs"])
    #expect(rows.map(\.count) == [1, 1, 1, 2, 2, 2, 2])
    #expect(rows.map(\.depth) == [0, 1, 2, 0, 1, 2, 3])
    let theirs = ["", "News", "News/In"].map { FolderID($0, of: server.id) }
    #expect(
      rows.map(\.timeline) == [
        .folder("News"), .folder("News/In"), .feed(FeedID(1)), .folder(theirs[0]),
        .folder(theirs[1]), .folder(theirs[2]), .feed(FeedID(2)),
      ])
  }

  @Test func `Each folder is closed and opened for itself`() {
    var sidebar = SidebarState()
    sidebar.closedFolders = [FolderID("News", of: server.id)]
    sidebar.rebuildItems(from: snapshot)
    #expect(
      sidebar.items.dropFirst(3).map(\.title) == ["News", "In", "Mine", "rss.example", "News"])
    sidebar.closedFolders.insert(FolderID("", of: server.id))
    sidebar.rebuildItems(from: snapshot)
    #expect(sidebar.items.dropFirst(3).map(\.title) == ["News", "In", "Mine", "rss.example"])
    sidebar.select(.feed(FeedID(2)), among: snapshot)
    #expect(sidebar.closedFolders.isEmpty && sidebar.selected == .feed(FeedID(2)))
  }

  @Test func `An account without feeds is there, and one with a feed outside of folders`() {
    var snapshot = snapshot
    snapshot.feeds[1].folders = []
    var other = server
    other = Account(id: AccountID(3), service: server.service, base: "https://b.example/api")
    snapshot.accounts = [AccountSummary(account: server), AccountSummary(account: other)]
    var sidebar = SidebarState()
    sidebar.rebuildItems(from: snapshot)
    #expect(
      sidebar.items.dropFirst(3).map(\.title)
        == ["News", "In", "Mine", "b.example", "rss.example", "Theirs"])
  }

  @Test func `Two users of one server are told apart`() {
    var snapshot = snapshot
    let other = Account(
      id: AccountID(3), service: server.service, base: server.base, user: "bob")
    snapshot.accounts = [AccountSummary(account: server), AccountSummary(account: other)]
    var sidebar = SidebarState()
    sidebar.rebuildItems(from: snapshot)
    #expect(sidebar.items.map(\.title).contains("ada at rss.example"))
    #expect(sidebar.items.map(\.title).contains("bob at rss.example"))
  }

  @Test func `The row of an account says what is wrong, and what waits`() {
    var session = Session(width: 100, height: 20, sidebar: snapshot)
    func row() -> String {
      session.lines.first { $0.contains("rss.example") }.map { String($0.prefix(26)) } ?? ""
    }
    #expect(row().hasPrefix(" ▾ rss.example") && row().contains("2"))
    var changed = snapshot
    changed.accounts = [AccountSummary(account: server, waiting: 3)]
    _ = session.state.reduce(.subscriptions(.arrived(changed)))
    #expect(row().contains("↑3") && !row().contains("!"))
    changed.accounts[0].refused = 2
    _ = session.state.reduce(.subscriptions(.arrived(changed)))
    #expect(row().hasPrefix(" ▾ ! rss.example") && row().contains("↑3"))
    changed.accounts[0].refused = 0
    changed.accounts[0].error = SourceError(
      .status, stage: .fetch, subject: "rss.example", message: "down", status: 503)
    _ = session.state.reduce(.subscriptions(.arrived(changed)))
    #expect(row().hasPrefix(" ▾ ! rss.example"))
    (changed.accounts[0].error, changed.accounts[0].refused) = (nil, 2)
    _ = session.state.reduce(.subscriptions(.arrived(changed)))
    session.send(keys: "h")
    session.state.sidebar.select(
      .folder(FolderID("", of: server.id)), among: session.state.subscriptions)
    _ = session.state.show(.folder(FolderID("", of: server.id)))
    #expect(session.lines.last?.contains("O why 2 were refused") == true, "\(session.lines)")
  }

  @Test func `An account that is fetched for the first time says how much of it has come`() {
    var snapshot = SidebarSnapshot()
    snapshot.accounts = [AccountSummary(account: server, isNew: true)]
    var session = Session([], width: 160, height: 20, sidebar: snapshot)
    func text() -> String { session.lines.joined(separator: "\n") }
    func arrive(_ sync: AccountSummary.FirstSync?) {
      snapshot.accounts[0].firstSync = sync
      _ = session.state.reduce(.subscriptions(.arrived(snapshot)))
    }
    // Between the sign-in and the first request.
    #expect(text().contains("Fetching ada at rss.example for the first time …"))
    #expect(!text().contains("No feeds yet"))
    arrive(.init(articles: 0))
    #expect(text().contains("Fetching ada at rss.example for the first time …"))
    func row() -> String {
      session.lines.first { $0.contains("▾ rss.example") }.map(String.init) ?? ""
    }
    #expect(row().contains("…"))
    arrive(.init(articles: 200, total: 1_500))
    #expect(text().contains("200 of 1500 articles") && row().contains("200/1500"))
    arrive(.init(articles: 30))
    #expect(text().contains("30 articles") && row().contains("30"))
    snapshot.accounts[0].error = SourceError(
      .status, stage: .fetch, subject: "rss.example", message: "down", status: 503)
    arrive(nil)
    #expect(text().contains("rss.example: Down") && !text().contains("for the first time"))
    snapshot.accounts[0] = AccountSummary(account: server)
    arrive(nil)
    #expect(text().contains("No feeds yet"))
  }

  @Test func `Without fetching by itself a new account says which key does`() {
    var snapshot = SidebarSnapshot()
    snapshot.accounts = [AccountSummary(account: server, isNew: true)]
    var session = Session([], width: 100, height: 20, sidebar: snapshot)
    session.state.settings.interval = .never
    let text = session.lines.joined(separator: "\n")
    #expect(text.contains("ada at rss.example has not been fetched yet."))
  }
}
