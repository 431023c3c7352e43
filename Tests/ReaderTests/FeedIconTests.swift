internal import News
internal import Screen
internal import Testing

@testable import Reader

/// When the icons of feeds are asked for, and where they stand.
struct FeedIconTests {
  /// Two signs instead of pixels, so that they can be seen.
  private static func icon(_ sign: Unicode.Scalar) -> CellPicture {
    CellPicture(columns: 2, rows: 1, cells: Array(repeating: Cell(Glyph(sign)), count: 2))
  }

  private static var settings: ReaderSettings {
    var settings = ReaderSettings()
    settings.showsIcons = true
    return settings
  }

  private func asked(_ effects: [Effect]) -> [FeedID] {
    effects.compactMap { if case .pictures(.loadIcon(let feed, true)) = $0 { feed } else { nil } }
  }

  @Test func `Icons stand before the titles of feeds, and nothing moves when they come`() {
    var session = Session(width: 120, height: 20, settings: Self.settings)
    let before = session.lines
    _ = session.state.reduce(.pictures(.iconArrived(FeedID(1), Self.icon("x"))))
    _ = session.state.reduce(.pictures(.iconArrived(FeedID(3), Self.icon("y"))))
    // A mark goes before the icon.
    _ = session.state.reduce(.pictures(.iconArrived(FeedID(4), Self.icon("z"))))
    let after = session.lines
    #expect(after.contains { $0.hasPrefix("xx Feed 1") })
    #expect(after.contains { $0.contains("yy Feed 3") })
    #expect(!after.joined().contains("zz"))
    #expect(
      after.map { trimmed($0.replacing("xx", with: "  ").replacing("yy", with: "  ")) }
        == before.map { trimmed($0) })
  }

  private func trimmed(_ line: some StringProtocol) -> String {
    String(line.reversed().drop { $0 == " " }.reversed())
  }

  @Test func `Each icon is asked for once, when its feed shows`() {
    var session = Session(width: 120, height: 20, settings: Self.settings)
    let effects = session.state.reduce(.subscriptions(.arrived(.sample)))
    #expect(asked(effects).isEmpty)
    session.state.icons = FeedIconBoard()
    #expect(Set(asked(session.send(keys: "j"))) == Set([1, 2, 3, 4].map { FeedID($0) }))
    #expect(asked(session.send(keys: "j")).isEmpty)
    // The terminal has another size of cells.
    #expect(asked(session.state.reduce(.pictures(.iconsOutdated(canShow: true)))).count == 4)
    // It shows no pixels.
    #expect(asked(session.state.reduce(.pictures(.iconsOutdated(canShow: false)))).isEmpty)
    #expect(asked(session.send(keys: "j")).isEmpty)
  }

  @Test func `Turned off, or with pictures turned off, none is asked for`() {
    var off = Self.settings
    off.showsIcons = false
    var session = Session(width: 120, height: 20, settings: off)
    #expect(asked(session.send(keys: "j")).isEmpty)
    off = Self.settings
    off.showsPictures = false
    session = Session(width: 120, height: 20, settings: off)
    #expect(asked(session.send(keys: "j")).isEmpty)
    #expect(asked(session.send(keys: "V")).isEmpty || session.state.picturesByKey == true)
  }

  @Test func `The network is left alone where each byte costs`() {
    var session = Session(width: 120, height: 20, settings: Self.settings)
    var freshness = Sample.fresh
    freshness.savesData = true
    session.arrive(Sample.rows(1...5), freshness: freshness)
    let effects = session.state.reduce(.pictures(.iconsOutdated(canShow: true)))
    #expect(asked(effects).isEmpty)
    #expect(effects.contains(.pictures(.loadIcon(FeedID(1), mayFetch: false))))
  }

  @Test func `The heading of an article has the icon of its feed behind the title`() {
    var session = Session(Sample.rows(1...5), width: 120, height: 30, settings: Self.settings)
    session.send(keys: "<Enter>")
    let page = ArticlePage(
      Sample.article(ArticleID(5), html: "<p>Text</p>"), width: session.state.articleWidth,
      clock: session.state.clock)
    _ = session.state.reduce(.article(.arrived(page)))
    let title = page.article.feedTitle
    _ = session.state.reduce(.pictures(.iconArrived(page.article.feedID, Self.icon("x"))))
    #expect(session.lines[0].contains("\(title) xx"))
  }
}
