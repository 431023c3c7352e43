internal import News
internal import Screen
internal import Testing

@testable import Reader

/// Rows of the list as the settings want them, and signs of ASCII.
struct RowTests {
  private func session(
    width: Int = 100, height: Int = 12, rows: ClosedRange<Int64> = 1...40,
    _ change: (inout ReaderSettings) -> Void
  ) -> Session {
    var settings = ReaderSettings()
    change(&settings)
    return Session(Sample.rows(rows), width: width, height: height, settings: settings)
  }

  @Test(arguments: [
    ([ListColumn.title], "●  Article 40"),
    ([.title, .date], "●  Article 40"),
    ([.feed, .title], "●  Feed"),
    ([.date, .title], "●  12 Oct Art"),
  ])
  func `Columns stand in the order of the settings`(_ columns: [ListColumn], _ begin: String) {
    let session = session { $0.columns = columns }
    let line = session.lines[1].drop { $0 != "│" }.dropFirst()
    #expect(line.hasPrefix(begin), "\(line)")
    if columns.last == .date {
      #expect(line.hasSuffix(" 12 Oct"), "\(line)")
    }
    #expect(line.contains("Feed 1") == columns.contains(.feed))
  }

  @Test func `A title ends before what stands behind it`() {
    var settings = ReaderSettings()
    settings.columns = [.title, .feed, .date]
    let row = Sample.rows(1...1).map { row -> TimelineRow in
      guard case .article(var article) = row else { return row }
      article.title = String(repeating: "x", count: 300)
      return .article(article)
    }
    for width in 84...140 {
      let session = Session(row, width: width, height: 30, settings: settings)
      #expect(session.lines[1].contains("x… Fee"), "\(width): \(session.lines[1])")
    }
  }

  @Test(arguments: [
    ("%d.%m.%Y", "12.10.2026"), ("%y-%m-%d %H:%M", "26-10-12 14:02"), ("%a %e %b", "Mon 12 Oct"),
    ("%I%p", "pm"), ("100%%", "100%"), ("%%x", "%x"),
  ])
  func `Dates are written by the format`(_ pattern: String, _ text: String) throws {
    let format = try #require(DateFormat(pattern))
    let session = session { $0.dateFormat = format }
    #expect(session.lines[1].contains(text), "\(session.lines[1])")
  }

  @Test(arguments: ["%", "%q", "a %", "%%%"])
  func `What is no format is none`(_ pattern: String) {
    #expect(DateFormat(pattern) == nil)
  }

  @Test func `Midnight and noon are twelve`() throws {
    let format = try #require(DateFormat("%I %p"))
    let clock = WallClock(now: 0, offsets: [])
    #expect(clock.text(0, format) == "12 am" && clock.text(43_200, format) == "12 pm")
    #expect(clock.text(46_800, format) == "01 pm")
  }

  @Test(arguments: [0, 2, 3, 50])
  func `Rows stay around the selected one, but at the ends`(_ margin: Int) {
    var session = session { $0.scrollMargin = margin }
    let height = session.state.list.height
    let kept = min(margin, (height - 1) / 2)
    for key in Array(repeating: "j", count: 39) + Array(repeating: "k", count: 39) {
      session.send(keys: key)
      let index = session.state.list.selectedIndex ?? 0
      let line = session.state.list.selection.line
      #expect(line >= min(kept, index) && height - 1 - line >= min(kept, 39 - index))
    }
    #expect(session.state.list.selection.line == 0)
  }

  @Test(arguments: Scene.all)
  func `Signs of ASCII are all that Telex draws, each in its place`(_ scene: Scene) throws {
    for size in scene.sizes {
      var state = try scene.state(at: size)
      let before = state.render()
      state.settings.usesAsciiSigns = true
      let after = state.render()
      for (old, new) in zip(before.cells, after.cells) {
        #expect(old.width == new.width && old.style == new.style)
        let value = new.glyph.rawValue
        // Punctuation, arrows, signs, lines and dots; not the letters and pictures of titles.
        #expect(!(0x2010...0x25FF).contains(value) && !(0x2800...0x28FF).contains(value))
      }
    }
  }
}
