internal import News
internal import Screen
internal import Testing

@testable internal import Reader

/// Packing for a trip, and the marks of what is packed.
@Suite struct TripTests {
  static let packed: PackedArticles = {
    var packed = PackedArticles()
    for number in 1...214 {
      packed.add(
        ArticleID(Int64(number)), of: FeedID(1), bytes: 84_113, seconds: 60)
    }
    return packed
  }()

  private static func report(_ change: (inout PackingReport) -> Void = { _ in }) -> PackingReport {
    var report = PackingReport()
    (report.wantedSeconds, report.candidates) = (10_800, 400)
    (report.articles, report.wholeArticles, report.seconds) = (57, 55, 4_644)
    (report.bytes, report.pictures, report.fullTexts) = (12_300_000, 120, 14)
    change(&report)
    return report
  }

  private func session(width: Int = 100) -> Session {
    Session(Sample.rows(1...3), width: width, height: 24)
  }

  private static var bounds: PackingBounds {
    var bounds = PackingBounds(seconds: 10_800, bytes: 200_000_000)
    bounds.takesFullTexts = true
    return bounds
  }

  @Test func `The key begins to pack, with the time and the room that packing takes`() {
    var session = session()
    #expect(session.send(keys: "<C-t>") == [.trip(.pack(Self.bounds))])
    _ = session.state.reduce(.trip(.progressed(Self.report())))
    #expect(session.lines[0].contains("packing 43 %"))
    #expect(
      session.lines.contains { $0.contains("57 articles checked, 55 complete, 12.3 MB fetched") })
    // Once is enough.
    #expect(!session.send(keys: "<Enter>").contains(.trip(.pack(Self.bounds))))
    #expect(session.send(keys: "<Esc>").first == .cancel(.trip))
    #expect(session.lines.contains { $0.contains("Stopped: 57 articles checked") })
    // What was on its way changes nothing.
    _ = session.state.reduce(.trip(.ended(Self.report())))
    #expect(session.lines.contains { $0.contains("Stopped: 57 articles checked") })
    var longer = Self.bounds
    longer.seconds = 6 * 3_600
    #expect(session.send(keys: "+<Enter>") == [.trip(.pack(longer))])
  }

  @Test func `Sounds and films are packed where a key says so`() {
    var session = session()
    session.send(keys: "<C-t><Esc>")
    var withFiles = Self.bounds
    withFiles.takesFiles = true
    #expect(session.send(keys: "D<Enter>") == [.trip(.pack(withFiles))])
    _ = session.state.reduce(.trip(.ended(Self.report { $0.files = 3 })))
    #expect(session.lines.contains { $0.contains("Downloading 3 files. Fetched 120 pictures") })
    #expect(session.lines.contains { $0.contains("of pictures, episodes and videos.") })
    #expect(session.send(keys: "D<Enter>") == [.trip(.pack(Self.bounds))])
  }

  @Test func `It goes on when its page is left: the list shows how far it is, and what has come`() {
    var session = session()
    session.send(keys: "<C-t>")
    #expect(session.send(keys: "q") == [])
    _ = session.state.reduce(.trip(.progressed(Self.report())))
    #expect(session.lines[0].contains("packing 43%"))
    var report = Self.report()
    report.wholeBytes = 18_000_000
    _ = session.state.reduce(.trip(.ended(report)))
    #expect(session.lines.last?.contains("55 articles, 18.0 MB, readable offline") == true)
    #expect(!session.lines[0].contains("packing"))
  }

  @Test func `The page says what can be read without a network`() {
    var session = session()
    _ = session.state.reduce(.trip(.packedFound(Self.packed)))
    session.send(keys: "<C-t>")
    _ = session.state.reduce(
      .trip(
        .ended(
          Self.report {
            ($0.missing, $0.isFull) = (2, true)
            $0.failures = ["a": Sample.unavailable, "b": Sample.unavailable]
          })))
    let text = session.lines.joined(separator: "\n")
    #expect(text.contains("214 articles, 18.0 MB, readable offline"))
    #expect(text.contains("About 4 h to read"))
    #expect(text.contains("Fetched 120 pictures and 14 full texts, 12.3 MB."))
    #expect(text.contains("Missing on their servers: 2 pictures."))
    #expect(text.contains("Not all articles were packed: size limit reached."))
    #expect(text.contains("example.org replied 503") && text.contains("(2 times)"))
  }

  @Test(arguments: [
    (220, 214, "6 articles could not be packed."), (214, 214, "All articles are already packed."),
    (0, 0, "No articles were packed: none are unread."),
  ])
  func `A packing that has fetched nothing says why`(_ looked: Int, _ whole: Int, _ words: String) {
    var session = session()
    session.send(keys: "<C-t>")
    var report = PackingReport()
    (report.articles, report.wholeArticles) = (looked, whole)
    _ = session.state.reduce(.trip(.ended(report)))
    #expect(session.lines.contains { $0.contains(words) })
  }

  @Test func `Nothing is fetched where each byte costs, or without a network`() {
    var session = Session(width: 100, height: 24)
    session.arrive(
      Sample.rows(1...3), freshness: Freshness(updated: Sample.fresh.updated, savesData: true))
    #expect(session.send(keys: "<C-t>") == [])
    #expect(
      session.lines.contains {
        $0.contains("Telex saves data on this connection: no articles are fetched.")
      })
    #expect(!session.send(keys: "<Enter>").contains(.trip(.pack(Self.bounds))))
    #expect(session.state.notice?.text.contains("$ shows network.low_data") == true)

    session = self.session()
    var sidebar = SidebarSnapshot.sample
    sidebar.offlineSince = Sample.date(secondsAgo: 120)
    _ = session.state.reduce(.subscriptions(.arrived(sidebar)))
    #expect(!session.send(keys: "<C-t>").contains(.trip(.pack(Self.bounds))))
    #expect(session.lines.contains { $0.contains("Offline for 2 min. R in a list tries again.") })
    // A link that turns out to cost says nothing elsewhere.
    session = self.session()
    session.send(keys: "<C-t>q")
    _ = session.state.reduce(.trip(.ended(Self.report { $0.wasMetered = true })))
    #expect(session.lines.last?.contains("offline") != true)
  }

  @Test func `A list marks what is packed, also without Unicode`() throws {
    var session = session()
    var packed = PackedArticles()
    packed.add(ArticleID(2), of: FeedID(1), bytes: 10, seconds: 60)
    _ = session.state.reduce(.trip(.packedFound(packed)))
    func row(_ title: String) throws -> Substring {
      try #require(session.lines.first { $0.contains(title) })
    }
    #expect(try row("Article 2").contains("▣"))
    #expect(try !row("Article 1").contains("▣"))
    session.state.settings.usesAsciiSigns = true
    #expect(try row("Article 2").contains("#"))
    #expect(try !row("Article 1").contains("#"))
  }
}
