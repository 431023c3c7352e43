import Foundation
import News
import Screen
import Testing

@testable import Reader

/// Names and folders of feeds, and the account that a new one belongs to.
@Suite struct FeedEditingTests {
  private static func account(_ id: Int64, _ name: String) -> Account {
    Account(
      id: AccountID(id),
      service: AccountService(AccountKind(rawValue: "test"), [.items, .subscriptions]),
      base: "https://\(name).example", user: "ada")
  }

  private static let (first, second) = (account(2, "alpha"), account(3, "beta"))

  /// A session with feed 1 of its own and a feed at each of two servers, the one with a number picked.
  private func session(picking picked: Int64) -> Session {
    var session = Session(Sample.rows(1...5))
    var snapshot = session.state.subscriptions
    var (alpha, beta) = (
      Sample.feed(21, "Alpha", folders: ["Work", "Home"]), Sample.feed(31, "Beta")
    )
    (alpha.account, beta.account) = (Self.first, Self.second)
    snapshot.feeds = [Sample.feed(11, "Mine"), beta, alpha]
    _ = session.state.reduce(.subscriptions(.arrived(snapshot)))
    session.state.focus = .sidebar
    session.state.sidebar.select(.feed(FeedID(picked)), among: snapshot)
    return session
  }

  private func status(_ session: Session) -> String { String(session.lines.last ?? "") }

  @Test func `A feed gets another name`() {
    var session = session(picking: 21)
    session.send(keys: ":rename<Enter>")
    #expect(status(session).hasPrefix("Title: Alpha"))
    #expect(
      session.send(keys: "Other<Enter>") == [.subscriptions(.rename(FeedID(21), to: "Other"))])
    _ = session.state.reduce(.subscriptions(.renamed(FeedID(21), to: "Other")))
    #expect(session.state.feed(FeedID(21))?.displayTitle == "Other")
    #expect(status(session).contains("Renamed the feed to Other."))
    // The same name, and none, change nothing.
    for typed in ["<Enter>", " <Enter>"] {
      session.send(keys: ":rename<Enter>")
      #expect(session.send(keys: typed) == [])
    }
  }

  @Test(arguments: [
    ("MPapers<Enter>", ["Papers"]), ("MPapers/Daily; Home<Enter>", ["Papers/Daily", " Home"]),
    ("M <Enter>", []), ("M<Enter>", ["Work", " Home"]),
  ])
  func `A feed is put into folders, and out of all others`(_ keys: String, _ folders: [String]) {
    var session = session(picking: 21)
    #expect(session.send(keys: keys) == [.subscriptions(.file([FeedID(21)], into: folders))])
    var filed = session.state.feed(FeedID(21))
    filed?.folders = ["Papers"]
    _ = session.state.reduce(.subscriptions(.filed([filed].compactMap(\.self))))
    #expect(session.state.feed(FeedID(21))?.folders == ["Papers"])
    #expect(status(session).contains("to Papers."))
  }

  @Test func `Tab goes through the accounts that a feed may move to`() {
    var session = session(picking: 21)
    session.send(keys: "M")
    #expect(status(session).hasPrefix("Folders in ada at alpha.example: Work; Home"))
    session.send(keys: "<Tab>")
    #expect(status(session).hasPrefix("Folders in ada at beta.example: Work; Home"))
    #expect(
      session.send(keys: "News<Enter>")
        == [.subscriptions(.transfer(FeedID(21), to: Self.second, into: ["News"]))])
    session.send(keys: "M<Tab><Tab>")
    #expect(status(session).hasPrefix("Folders: Work; Home"))
    #expect(
      session.send(keys: "<Enter>")
        == [.subscriptions(.transfer(FeedID(21), to: nil, into: ["Work", " Home"]))])
    // Around again to where it is: only the folders change.
    #expect(
      session.send(keys: "M<Tab><Tab><Tab>News<Enter>") == [
        .subscriptions(.file([FeedID(21)], into: ["News"]))
      ])
    var moved = Sample.feed(21, "Alpha", folders: ["News"])
    moved.account = Self.second
    _ = session.state.reduce(.subscriptions(.transferred(FeedID(21), moved)))
    #expect(session.state.feed(FeedID(21))?.account == Self.second)
    #expect(status(session).contains("Moved Alpha to ada at beta.example."))
  }

  @Test func `A folder without feeds is made, moved and removed, and has its row`() {
    var session = session(picking: 11)
    session.send(keys: ":add-folder<Enter>")
    #expect(status(session).hasPrefix("New folder:"))
    #expect(session.send(keys: " <Enter>") == [])
    session.send(keys: ":add-folder<Enter>")
    #expect(session.send(keys: "Later/Soon<Enter>") == [.subscriptions(.addFolder("Later/Soon"))])
    _ = session.state.reduce(.subscriptions(.folderAdded("Later/Soon")))
    #expect(session.state.sidebar.selected == .folder("Later/Soon"))
    #expect(status(session).contains("Created the folder Later/Soon."))
    let rows = session.state.sidebar.items.filter(\.isEmpty).map(\.title)
    #expect(rows == ["Later", "Soon"])
    // The next one begins in it.
    session.send(keys: ":add-folder<Enter>")
    #expect(status(session).hasPrefix("New folder: Later/Soon/"))
    session.send(keys: "<Esc>")
    _ = session.state.reduce(.subscriptions(.folderMoved("Later", to: "Now", feeds: 0)))
    #expect(session.state.subscriptions.folders == ["Now/Soon"])
    #expect(status(session).contains("Moved the folder to Now. u undoes this."))
    session.send(keys: "d")
    #expect(status(session).contains("Remove the folder Now? y/n"))
    #expect(session.send(keys: "y") == [.subscriptions(.removeFolder("Now"))])
    _ = session.state.reduce(.subscriptions(.folderMoved("Now", to: nil, feeds: 0)))
    #expect(status(session).contains("Removed the folder. u undoes this."))
    // Nothing is picked with a folder that has nothing.
    session.send(keys: "v")
    #expect(session.state.sidebar.picked.isEmpty)
    #expect(status(session).contains("This folder has no feeds to select."))
  }

  @Test(arguments: ["c", "M", ":rename<Enter>"])
  func `A folder gets another path, and stays picked and closed`(_ key: String) {
    var session = session(picking: 21)
    let folder = FolderID("Work", of: Self.first.id)
    session.state.sidebar.select(.folder(folder), among: session.state.subscriptions)
    #expect(session.send(keys: "z") == [.preferences(.keepFolds(Folds(folders: [folder])))])
    session.send(keys: key)
    #expect(status(session).hasPrefix("Move the folder to: Work"))
    #expect(
      session.send(keys: "/ Daily <Enter>") == [
        .subscriptions(.moveFolder(folder, to: "Work/Daily"))
      ])
    let moved = FolderID("Work/Daily", of: Self.first.id)
    let effects = session.state.reduce(
      .subscriptions(.folderMoved(folder, to: moved.path, feeds: 1)))
    #expect(effects.contains(.preferences(.keepFolds(Folds(folders: [moved])))))
    #expect(session.state.sidebar.selected == .folder(moved))
    #expect(session.state.feed(FeedID(21))?.folders == ["Work/Daily", "Home"])
    #expect(
      session.state.notice?.text == "Moved the folder with 1 feed to Work/Daily. u undoes this.")
    // The same path, and none, change nothing.
    #expect(session.send(keys: "M<Enter>") == [] && session.send(keys: "M<C-u> <Enter>") == [])
  }

  @Test func `A folder is removed after a question, not its feeds`() {
    var session = session(picking: 21)
    let folder = FolderID("Work", of: Self.first.id)
    session.state.sidebar.select(.folder(folder), among: session.state.subscriptions)
    session.send(keys: "d")
    #expect(status(session).contains("Remove the folder Work, not its feeds? y/n"))
    #expect(session.send(keys: "y") == [.subscriptions(.removeFolder(folder))])
    _ = session.state.reduce(.subscriptions(.folderMoved(folder, to: nil, feeds: 1)))
    #expect(session.state.notice?.text == "Removed the folder, not its 1 feed. u undoes this.")
  }

  @Test(arguments: [":rename<Enter>", "c", "M"])
  func `What has no feed is not renamed, changed or moved`(_ keys: String) {
    var session = Session(Sample.rows(1...5))
    session.state.focus = .sidebar
    session.send(keys: keys)
    #expect(session.state.prompt == nil && status(session).contains("No feed is selected."))
  }

  @Test func `A new feed goes to the account of what is picked`() {
    var session = session(picking: 21)
    session.send(keys: "a")
    #expect(status(session).hasPrefix("Subscribe in ada at alpha.example to:"))
    #expect(
      session.send(keys: "e.org/feed<Enter>") == [
        .subscriptions(.addToAccount("e.org/feed", Self.first))
      ])
  }

  @Test
  func `A search for an account's feed is shown, is cancelled, and asks again for the account`() {
    var session = session(picking: 21)
    session.send(keys: "ae.org/feed<Enter>")
    #expect(status(session).contains("looking for a feed at e.org/feed"))
    #expect(session.send(keys: "<Esc>").contains(.cancel(.subscriptions(.add("e.org/feed")))))
    #expect(!status(session).contains("looking for"))
    session.send(keys: "a<C-u>e.org/other<Enter>")
    _ = session.state.reduce(.subscriptions(.notAdded("e.org/other", Sample.unavailable)))
    #expect(status(session).hasPrefix("Subscribe in ada at alpha.example to: e.org/other"))
  }

  @Test func `Tab goes through the accounts that a new feed may belong to`() {
    var session = session(picking: 11)
    session.send(keys: "ae.org")
    #expect(status(session).hasPrefix("Subscribe to: e.org"))
    session.send(keys: "<Tab>")
    #expect(status(session).hasPrefix("Subscribe in ada at alpha.example to: e.org"))
    session.send(keys: "<Tab>")
    #expect(status(session).hasPrefix("Subscribe in ada at beta.example to: e.org"))
    session.send(keys: "<Tab>")
    #expect(session.send(keys: "<Enter>") == [.subscriptions(.add("e.org"))])
  }

  @Test func `What a server has not heard of is told, and why it refuses`() {
    var session = session(picking: 21)
    var change = WaitingChange(
      id: 1, kind: .subscription(SubscriptionChange(.rename("Other"), url: "https://e.org/")),
      created: Date(timeIntervalSince1970: 0))
    _ = session.state.reduce(.subscriptions(.waits(change)))
    #expect(status(session).contains("The change is waiting to be sent. O shows the outbox."))
    change.error = Sample.unavailable
    _ = session.state.reduce(.subscriptions(.waits(change)))
    #expect(status(session).contains("waiting to be sent: example.org replied 503"))
    change.error = Sample.error(.status, "refuses this", 400)
    _ = session.state.reduce(.subscriptions(.waits(change)))
    #expect(status(session).contains("refuses this"))
  }
}
