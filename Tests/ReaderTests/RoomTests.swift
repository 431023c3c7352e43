internal import News
internal import Screen
internal import Testing

@testable import Reader

/// The room that titles and names have at each width of the screen.
struct RoomTests {
  private static func named(_ length: Int, folders: [String] = []) -> SidebarSnapshot {
    let name = String(repeating: "N", count: length)
    return SidebarSnapshot(feeds: [Sample.feed(1, name, folders: folders, unread: 7)])
  }

  // MARK: Lists

  /// The row of an article whose title and feed have names that no screen has room for.
  private func row(
    width: Int, of timeline: Timeline = .all, settings: ReaderSettings = ReaderSettings()
  ) throws -> Substring {
    let (title, feed) = (String(repeating: "x", count: 300), String(repeating: "N", count: 60))
    let session = Session(
      [Sample.row(40, title, feedTitle: feed)], width: width, height: 34, of: timeline,
      sidebar: Self.named(60), settings: settings)
    let line = session.lines[1]
    let list = try #require(session.state.layout.list)
    return list.x == 0
      ? line
      : try #require(line.split(separator: "│", omittingEmptySubsequences: false).dropFirst().first)
  }

  private func titleRoom(_ row: Substring) -> Int { row.count { $0 == "x" } + 1 }

  @Test(arguments: [80, 81, 83, 84, 85, 90, 95, 99, 100, 119, 120, 150, 179, 180, 200])
  func `A title keeps 45 columns beside the sidebar, and feed names what is left`(
    _ width: Int
  ) throws {
    let all = try row(width: width)
    #expect(titleRoom(all) >= 45, "\(all)")
    // Less than eight columns of a name say nothing.
    #expect(all.contains("NNNNNNN…") == (width >= 84) && all.contains("12 Oct "), "\(all)")
    let own = try row(width: width, of: .feed(FeedID(1)))
    #expect(titleRoom(own) >= titleRoom(all) && !own.contains("N"), "\(own)")
  }

  @Test(arguments: [(40, 29), (60, 49)])
  func `Without room for both, a title has the columns of the feed's name`(
    _ width: Int, _ room: Int
  ) throws {
    let row = try row(width: width)
    #expect(titleRoom(row) == room && !row.contains("N") && row.contains("12 Oct "), "\(row)")
  }

  @Test(arguments: [(40, false), (80, false), (90, true), (99, true), (120, true), (200, true)])
  func `A long form of dates shows where a title keeps its room`(
    _ width: Int, _ isLong: Bool
  ) throws {
    let format = try #require(DateFormat("%Y-%m-%d %H:%M"))
    var settings = ReaderSettings()
    settings.dateFormat = format
    let row = try row(width: width, settings: settings)
    #expect(row.contains("2026-10-12 14:02 ") == isLong, "\(row)")
    #expect(row.contains(" 12 Oct ") == !isLong, "\(row)")
    #expect(titleRoom(row) >= (width < 80 ? 29 : 45), "\(row)")
  }

  @Test(arguments: [30, 60, 80, 120])
  func `Marks stand at the end of the title, before the columns behind it`(_ width: Int) throws {
    var settings = ReaderSettings()
    settings.columns = [.title, .date]
    guard case .article(var article) = Sample.row(40, String(repeating: "x", count: 300)) else {
      return
    }
    article.tellings = [ArticleID(1), ArticleID(2)]
    let session = Session(
      [.article(article)], width: width, height: 34, sidebar: Self.named(60), settings: settings)
    #expect(session.lines[1].contains("x… +2 12 Oct"), "\(session.lines[1])")
  }

  // MARK: The sidebar

  @Test(arguments: [
    (80, 60, 18), (90, 60, 22), (99, 60, 24), (100, 60, 25), (120, 60, 30), (200, 60, 50),
    (80, 5, 18), (99, 12, 21), (120, 20, 29), (200, 30, 39), (200, 5, 30),
  ])
  func `The sidebar has the columns of its longest name, up to a quarter of the screen`(
    _ width: Int, _ length: Int, _ columns: Int
  ) {
    let session = Session(width: width, height: 34, sidebar: Self.named(length))
    #expect(session.state.layout.sidebar?.width == columns)
    let name = String(repeating: "N", count: length)
    #expect(session.lines.contains { $0.contains("\(name) ") } == (length + 9 <= columns))
  }

  @Test(arguments: [40, 69])
  func `A sidebar alone has the whole screen`(_ width: Int) {
    var session = Session(width: width, height: 10, sidebar: Self.named(30))
    session.send(keys: "h")
    #expect(session.state.layout.sidebar?.width == width)
    #expect(session.lines.contains { $0.contains(String(repeating: "N", count: 30) + " ") })
  }

  @Test(arguments: [90, 120])
  func `A folder that is closed moves no pane`(_ width: Int) {
    var session = Session(width: width, height: 34, sidebar: Self.named(16, folders: ["Work"]))
    let layout = session.state.layout
    session.send(keys: "hjjjz")
    #expect(!session.lines.contains { $0.contains("NNN") })
    #expect(session.state.layout.sidebar == layout.sidebar)
  }

  @Test func `A sidebar that the user resized does not follow its names`() {
    var session = Session(width: 120, height: 34, sidebar: Self.named(5))
    session.send(keys: "h>")
    let width = session.state.layout.sidebar?.width
    _ = session.state.reduce(.subscriptions(.arrived(Self.named(60))))
    #expect(width == 24 && session.state.layout.sidebar?.width == width)
  }

  // MARK: Pages

  /// Without what stands beside it.
  private func firstRow(_ session: Session) -> Substring { session.lines[1].prefix { $0 != "│" } }

  @Test(arguments: [(40, false), (80, false), (90, true), (100, true), (120, true), (200, true)])
  func `Health says what is wrong where the names leave room for all of it`(
    _ width: Int, _ isWhole: Bool
  ) {
    var ailing = SidebarSnapshot.ailing
    // That with the longest name.
    ailing.feeds.removeLast()
    var session = Session(width: width, height: 34, sidebar: ailing)
    session.send(keys: "H")
    let line = firstRow(session)
    #expect(line.contains("! Fails"), "\(line)")
    #expect(line.contains("did not answer in 30 s.") == isWhole, "\(line)")
    #expect(line.contains("timeout") == !isWhole, "\(line)")
  }

  @Test(arguments: [120, 179, 180, 200])
  func `Names of pages have the width`(_ width: Int) {
    // Beside the details from 180 columns on.
    let name = String(repeating: "N", count: width < 180 ? 60 : 50)
    var sidebar = SidebarSnapshot.ailing
    sidebar.feeds[8].title = name
    var session = Session(width: width, height: 34, sidebar: sidebar)
    session.send(keys: "H")
    #expect(session.lines[1].contains("! \(name) "), "\(session.lines[1])")
    session.send(keys: "qS")
    let statistics = ReadingStatistics(
      now: Sample.now, span: ReadingStatistics.usualSpan,
      feeds: [FeedStatistics(feed: sidebar.feeds[8], weeks: [3, 3], days: [1, 2], bytes: 1_000)])
    _ = session.state.reduce(.statistics(.counted(statistics, .sample)))
    #expect(session.lines.contains { $0.contains("\(name) ") }, "\(session.lines)")
  }

  @Test(arguments: [(80, false), (100, true), (120, true), (200, true)])
  func `A queue shows a feed's whole name where the titles leave the room`(
    _ width: Int, _ isWhole: Bool
  ) {
    let name = String(repeating: "N", count: 60)
    var files = QueueTests.files
    files[0].feedTitle = name
    var session = Session(Sample.rows(1...3), width: width, height: 34)
    session.send(keys: "E")
    _ = session.state.reduce(.queue(.arrived(files)))
    let line = firstRow(session)
    #expect(line.contains("Episode 1 ") && line.contains("10:00"), "\(line)")
    #expect(line.contains("\(name) ") == isWhole, "\(line)")
  }

  @Test(arguments: [(80, false), (120, true), (200, true)])
  func `A failed download says why where the names leave the room`(_ width: Int, _ isWhole: Bool) {
    let failed = TransferSnapshot.sample.transfers.filter { $0.state == .failed }
      .map { transfer in
        var transfer = transfer
        transfer.title = "Bread"
        return transfer
      }
    var session = Session(Sample.rows(1...3), width: width, height: 34)
    _ = session.state.reduce(.transfers(.arrived(TransferSnapshot(failed))))
    session.send(keys: "T")
    let line = firstRow(session)
    #expect(line.contains("Bread") && line.contains("0 B"), "\(line)")
    #expect(line.contains("example.org replied 503") == isWhole, "\(line)")
  }

  @Test(arguments: [80, 120, 200])
  func `Columns without a text leave their room to the names`(_ width: Int) {
    func nameRoom(rate: Double?) -> Int {
      var transfer = TransferSnapshot.sample.transfers[2]
      transfer.title = String(repeating: "x", count: 300)
      transfer.rate = rate
      var session = Session(Sample.rows(1...3), width: width, height: 34)
      _ = session.state.reduce(.transfers(.arrived(TransferSnapshot([transfer]))))
      session.send(keys: "T")
      return session.lines[1].prefix { $0 != "…" }.count
    }
    #expect(nameRoom(rate: nil) >= nameRoom(rate: 2_000) + 10)
  }

  @Test(arguments: [(80, false), (120, true), (200, true)])
  func `The outbox shows a server's whole name where the titles leave the room`(
    _ width: Int, _ isWhole: Bool
  ) {
    let changes = OutboxSnapshot.sample.changes.map { change in
      var change = change
      change.title = "Bread"
      change.origin = "https://comments.of.a.long.name.example.com:8443"
      return change
    }
    var session = Session(Sample.rows(1...3), width: width, height: 34)
    session.send(keys: "O")
    _ = session.state.reduce(
      .outbox(.arrived(OutboxSnapshot(changes: changes, counts: OutboxSnapshot.sample.counts))))
    let line = firstRow(session)
    #expect(line.contains("Bread ") && line.contains("2 d"), "\(line)")
    #expect(line.contains("comments.of.a.long.name.example.com:8443 ") == isWhole, "\(line)")
  }
}
