import News
import Testing

@testable import Reader

/// Folders of several accounts in the sidebar.
@Suite struct AccountFolderTests {
  private let server = Account(
    id: AccountID(2),
    service: AccountService(AccountKind(rawValue: "test"), [.pages, .subscriptions]))

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

  @Test func `Folders of the same name in two accounts are two rows`() {
    var sidebar = SidebarState()
    sidebar.rebuildItems(from: snapshot)
    let rows = sidebar.items.dropFirst(3)
    #expect(rows.map(\.title) == ["News", "In", "Mine", "News", "In", "Theirs"])
    #expect(rows.map(\.count) == [1, 1, 1, 2, 2, 2])
    let theirs = [FolderID("News", of: server.id), FolderID("News/In", of: server.id)]
    #expect(
      rows.map(\.timeline) == [
        .folder("News"), .folder("News/In"), .feed(FeedID(1)), .folder(theirs[0]),
        .folder(theirs[1]), .feed(FeedID(2)),
      ])
  }

  @Test func `Each of them is closed and opened for itself`() {
    var sidebar = SidebarState()
    sidebar.closedFolders = [FolderID("News", of: server.id)]
    sidebar.rebuildItems(from: snapshot)
    #expect(sidebar.items.dropFirst(3).map(\.title) == ["News", "In", "Mine", "News"])
    sidebar.select(.feed(FeedID(2)), among: snapshot)
    #expect(sidebar.closedFolders.isEmpty && sidebar.selected == .feed(FeedID(2)))
  }
}
