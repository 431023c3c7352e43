internal import News
internal import Screen
internal import Testing

@testable internal import Reader

/// Commands about several feeds of the sidebar.
@Suite struct PickingFeedsTests {
  private func ids(_ numbers: Int64...) -> [FeedID] { numbers.map { FeedID($0) } }

  /// All, Unread, Starred, then the folder Work with Inner (3) and feed 2, then the feeds 1 and 4 without a folder.
  private func session(width: Int = 100, height: Int = 14) -> Session {
    var session = Session(Sample.rows(1...5), width: width, height: height)
    session.send(keys: "h")
    return session
  }

  private func select(_ timeline: Timeline, in session: inout Session) {
    session.state.sidebar.select(timeline, among: session.state.subscriptions)
  }

  private func status(_ session: Session) -> String { String(session.lines.last ?? "") }

  private var picked: (Session) -> [FeedID] { { $0.state.sidebar.picked.ids } }

  @Test func `A feed is picked and the next one selected; a folder stands for its feeds`() {
    var session = session()
    select(.feed(FeedID(1)), in: &session)
    session.send(keys: "v")
    #expect(picked(session) == ids(1) && session.state.sidebar.selected == .feed(FeedID(4)))
    #expect(session.lines.first?.hasPrefix(" 1 selected") == true)
    #expect(session.lines.contains { $0.hasPrefix("✓") && $0.contains("Feed 1") })
    #expect(!session.lines.contains { $0.hasPrefix("✓") && $0.contains("Feed 4") })
    select(.folder("Work"), in: &session)
    session.send(keys: "v")
    #expect(Set(picked(session)) == Set(ids(1, 2, 3)))
    #expect(session.lines.contains { $0.hasPrefix("✓") && $0.contains("Work") })
    #expect(session.lines.contains { $0.hasPrefix("✓") && $0.contains("Inner") })
    // Again, and its feeds are let go.
    select(.folder("Work"), in: &session)
    session.send(keys: "v")
    #expect(picked(session) == ids(1))
    // What is no feed is not picked.
    session.send(keys: "gv")
    #expect(
      picked(session) == ids(1)
        && status(session).contains("Only feeds and folders can be selected"))
  }

  @Test func `A range takes what lies in it, and no more of an open folder than that`() {
    var session = session()
    // Feed 3 is in Inner, feed 2 in Work, below it.
    select(.feed(FeedID(3)), in: &session)
    session.send(keys: "vjV")
    #expect(picked(session) == ids(3, 2, 1))
    // Upwards to a folder, which is picked whole.
    session.send(keys: "<Esc>")
    select(.feed(FeedID(4)), in: &session)
    session.send(keys: "v")
    select(.folder("Work"), in: &session)
    session.send(keys: "V")
    #expect(Set(picked(session)) == Set(ids(1, 2, 3, 4)))
    // Over an open folder's heading, from a row above it: of that folder only what is in the range.
    session.send(keys: "<Esc>")
    select(.feed(FeedID(2)), in: &session)
    session.send(keys: "v")
    select(.folder("Work/Inner"), in: &session)
    session.send(keys: "V")
    #expect(Set(picked(session)) == Set(ids(2, 3)))
    // A closed folder stands for what it has.
    session.send(keys: "<Esc>")
    session.state.sidebar.toggle("Work", of: session.state.subscriptions)
    select(.folder("Work"), in: &session)
    session.send(keys: "vV")
    #expect(Set(picked(session)) == Set(ids(1, 2, 3)))
  }

  @Test func `A range from a row that does not show is refused`() {
    var session = session()
    select(.feed(FeedID(3)), in: &session)
    session.send(keys: "v")
    session.state.sidebar.toggle("Work", of: session.state.subscriptions)
    select(.feed(FeedID(4)), in: &session)
    session.send(keys: "V")
    #expect(
      picked(session) == ids(3) && status(session).contains("too far away to select up to here."))
  }

  @Test func `Escape lets go, and stays in the sidebar`() {
    var session = session()
    select(.feed(FeedID(1)), in: &session)
    session.send(keys: "v<Esc>")
    #expect(picked(session).isEmpty && session.state.focus == .sidebar)
    #expect(status(session).contains("Selection cleared."))
    #expect(!session.lines.contains { $0.hasPrefix("✓") })
  }

  @Test func `What is picked stays so with a new snapshot, but for what is gone`() {
    var session = session()
    select(.folder("Work"), in: &session)
    session.send(keys: "v")
    var snapshot = session.state.subscriptions
    snapshot.feeds[0].title = "Another name"
    _ = session.state.reduce(.subscriptions(.arrived(snapshot)))
    #expect(Set(picked(session)) == Set(ids(2, 3)))
    snapshot.feeds.removeAll { $0.id == FeedID(3) }
    _ = session.state.reduce(.subscriptions(.arrived(snapshot)))
    #expect(picked(session) == ids(2))
    snapshot.feeds = []
    _ = session.state.reduce(.subscriptions(.arrived(snapshot)))
    #expect(picked(session).isEmpty && session.lines.first?.contains("selected") == false)
  }

  @Test func `A picked feed keeps its row where what is read is left out`() {
    var session = session()
    select(.feed(FeedID(3)), in: &session)
    session.send(keys: "v")
    session.send(keys: "GU")
    #expect(session.state.sidebar.hidesRead)
    #expect(session.state.sidebar.items.contains { $0.timeline == .feed(FeedID(3)) })
    session.send(keys: "<Esc>")
    _ = session.state.reduce(.subscriptions(.arrived(session.state.subscriptions)))
    #expect(!session.state.sidebar.items.contains { $0.timeline == .feed(FeedID(3)) })
  }

  @Test func `Marking and refreshing are about what is picked, which is let go`() throws {
    var session = session()
    select(.folder("Work"), in: &session)
    session.send(keys: "v")
    let feeds = picked(session)
    let query = try ArticleQuery(feeds.map { "feed:#\($0.rawValue)" }.joined(separator: " OR "))
    #expect(
      session.send(keys: "A").contains(
        .apply(
          .markAllRead(
            .matching(query, in: .all), notNewerThan: nil,
            except: UnseenRegion(
              above: TimelinePosition(date: .min, id: .min), since: session.lastID)))))
    #expect(picked(session).isEmpty)
    select(.folder("Work"), in: &session)
    session.send(keys: "v")
    #expect(session.send(keys: "r").contains(.refresh(.askedFeeds(feeds))))
    #expect(picked(session).isEmpty)
  }

  @Test func `Feeds are moved and removed together, after one question`() {
    var session = session()
    select(.folder("Work"), in: &session)
    session.send(keys: "v")
    let feeds = picked(session)
    session.send(keys: "M")
    #expect(status(session).hasPrefix("Folders of 2 feeds:"))
    #expect(
      session.send(keys: "News; Daily<Enter>") == [
        .subscriptions(.file(feeds, into: ["News", " Daily"]))
      ])
    #expect(picked(session).isEmpty)
    var moved = session.state.subscriptions.feeds.filter { feeds.contains($0.id) }
    for index in moved.indices { moved[index].folders = ["News"] }
    _ = session.state.reduce(.subscriptions(.filed(moved)))
    #expect(status(session).contains("Moved 2 feeds to News. u undoes this."))
    #expect(session.state.feed(feeds[0])?.folders == ["News"])

    select(.folder("News"), in: &session)
    session.send(keys: "v")
    #expect(session.send(keys: "d") == [])
    #expect(status(session).contains("Unsubscribe from 2 feeds and delete their articles? y/n"))
    session.send(keys: "n")
    #expect(Set(picked(session)) == Set(feeds))
    let effects = session.send(keys: "dy")
    #expect(effects == [.subscriptions(.remove(picked(session)))])
    _ = session.state.reduce(.subscriptions(.removed(feeds, count: 2)))
    #expect(status(session).contains("Unsubscribed from 2 feeds. u undoes this."))
    #expect(picked(session).isEmpty && session.state.feed(feeds[0]) == nil)
  }

  @Test func `A single picked feed is asked about by its name, and has its own form`() {
    var session = session()
    select(.feed(FeedID(4)), in: &session)
    session.send(keys: "vg")
    session.send(keys: "d")
    #expect(status(session).contains("Unsubscribe from Feed 4 and delete its articles"))
    session.send(keys: "n")
    #expect(session.send(keys: "M<Enter>") == [.subscriptions(.file([FeedID(4)], into: []))])
  }

  @Test func `A rule and what is older begin with what is picked`() {
    var session = session()
    select(.folder("Work"), in: &session)
    session.send(keys: "v")
    let query = picked(session).map { "feed:#\($0.rawValue)" }.joined(separator: " OR ")
    session.send(keys: "X")
    #expect(status(session).contains("rules add --hide '(\(query))' title:"))
    session.send(keys: "<Esc>")
    session.send(keys: "_")
    #expect(status(session).contains("read '(\(query))' before:1w"))
  }

  // MARK: What is set for several

  private func line(_ label: String, _ session: Session) -> String? {
    session.lines.map(String.init).first { $0.hasPrefix(" \(label)") }
  }

  @Test func `What is set for several is shown, changed at once and taken back`() {
    var session = session(height: 24)
    var snapshot = session.state.subscriptions
    for index in snapshot.feeds.indices where snapshot.feeds[index].id == FeedID(2) {
      snapshot.feeds[index].settings.isHidden = true
      snapshot.feeds[index].settings.interval = 3_600
    }
    _ = session.state.reduce(.subscriptions(.arrived(snapshot)))
    select(.folder("Work"), in: &session)
    session.send(keys: "v")
    let feeds = picked(session)
    #expect(session.send(keys: "c") == [.subscriptions(.readDefaults(feeds))])
    session.receiveFeedDefaults()
    #expect(session.lines.first?.contains("2 feeds") == true)
    #expect(line("hidden", session)?.contains("different values") == true)
    #expect(line("paused", session)?.hasSuffix(" default: no") == true)
    // Names, proxies and addresses are one's own.
    #expect(["title", "proxy", "address"].allSatisfy { line($0, session) == nil })
    session.send(keys: "jj")
    #expect(session.send(keys: "<Enter>") == [.subscriptions(.set(feeds, .paused, to: "yes"))])
    #expect(picked(session).isEmpty)
    #expect(
      session.send(keys: "j<Enter>") == [.subscriptions(.set(feeds, .hidden, to: "yes"))])
    #expect(session.send(keys: "d") == [.subscriptions(.set(feeds, .hidden, to: "default"))])
    #expect(
      session.send(keys: "kk<Enter>2h<Enter>") == [
        .subscriptions(.set(feeds, .interval, to: "2h"))
      ])
    var set = snapshot.feeds.filter { feeds.contains($0.id) }
    for index in set.indices { set[index].settings.interval = 7_200 }
    _ = session.state.reduce(.subscriptions(.set(set)))
    #expect(line("interval", session)?.contains("2h") == true)
    #expect(status(session).contains("Changed a setting of 2 feeds. u undoes this."))
    #expect(
      session.send(keys: "k<Enter>News<Enter>") == [
        .subscriptions(.file(feeds, into: ["News"]))
      ])
    session.send(keys: "q")
    #expect(session.state.focus == .sidebar && session.state.stack.count == 0)
  }

  @Test(arguments: [(200, 60), (80, 24), (40, 10), (20, 5), (8, 3), (1, 1)])
  func `Rows that are picked are drawn at any size`(_ width: Int, _ height: Int) {
    var session = session(width: width, height: height)
    select(.folder("Work"), in: &session)
    session.send(keys: "vc")
    #expect(!session.lines.isEmpty)
    session.send(keys: "GkG")
    session.send(keys: "q")
    if width >= 20, height >= 5 {
      #expect(session.lines.contains { $0.contains("✓") })
    }
  }
}
