internal import News
internal import Screen
internal import Testing

@testable import Reader

/// A user at the keys: a state, the time, and what the state has asked for so far.
struct Session {
  var state: ReaderState
  /// Of the clock that never goes back.
  var milliseconds: Int64 = 100_000
  /// The highest article id of the store.
  var lastID: Int64 = 0

  init(
    width: Int = 100, height: Int = 12, theme: Theme = .none,
    sidebar: SidebarSnapshot = .sample, settings: ReaderSettings = ReaderSettings()
  ) {
    state = ReaderState(
      size: Size(width: width, height: height), clock: Sample.clock, theme: theme,
      settings: settings)
    _ = state.reduce(.started)
    _ = state.reduce(.subscriptions(.arrived(sidebar)))
  }

  /// A session that shows a list.
  init(
    _ rows: [TimelineRow], width: Int = 100, height: Int = 12, of timeline: Timeline = .all,
    sidebar: SidebarSnapshot = .sample, settings: ReaderSettings = ReaderSettings()
  ) {
    self.init(width: width, height: height, sidebar: sidebar, settings: settings)
    if timeline != .all { _ = state.show(timeline) }
    arrive(rows)
  }

  /// Types: letters as they are, other keys by name, as in `jj<Enter><C-d>`.
  ///
  /// - Parameter pause: Milliseconds before each key.
  @discardableResult
  mutating func send(keys: String, pause: Int64 = 1_000) -> [Effect] {
    var effects: [Effect] = []
    for key in Self.keys(keys) {
      milliseconds += pause
      effects += state.reduce(.input(.key(key), milliseconds: milliseconds))
    }
    return effects
  }

  @discardableResult
  mutating func mouse(_ kind: MouseEvent.Kind, x: Int, y: Int, pause: Int64 = 1_000) -> [Effect] {
    milliseconds += pause
    let event = InputEvent.mouse(MouseEvent(kind, x: x, y: y))
    return state.reduce(.input(event, milliseconds: milliseconds))
  }

  @discardableResult
  mutating func paste(_ text: String) -> [Effect] {
    state.reduce(.input(.paste(text), milliseconds: milliseconds))
  }

  /// The store answers what the list asks for with these rows. Where what has arrived is asked for
  /// then, it answers that, too: rows with a higher id than any before have, unless they are `old`.
  @discardableResult
  mutating func arrive(
    _ rows: [TimelineRow], hasNewer: Bool = false, hasOlder: Bool = false,
    older: OlderArticles = .none, counts: ArticleCounts? = nil,
    freshness: Freshness = Sample.fresh, old: Set<Int64> = [], ofNewFeed: Set<Int64> = []
  ) -> [Effect] {
    for row in rows { lastID = max(lastID, row.position.id) }
    func answer() -> [Effect] {
      let since = state.list.query.arrivedAfter ?? lastID
      let arrived = rows.map(\.position).filter { $0.id > since && !old.contains($0.id) }
      let snapshot = TimelineSnapshot(
        query: state.list.query,
        slice: TimelineSlice(rows: rows, hasNewer: hasNewer, hasOlder: hasOlder),
        counts: counts ?? Sample.counts(of: rows), freshness: freshness, older: older,
        arrivals: Arrivals(
          since: since, lastID: lastID,
          articles: arrived.map {
            Arrivals.Arrival($0, isFromNewFeed: ofNewFeed.contains($0.id))
          }))
      return state.reduce(.list(.arrived(snapshot)))
    }
    let query = state.list.query
    let effects = answer()
    var asked = query
    asked.arrivedAfter = state.list.query.arrivedAfter
    guard asked == state.list.query, asked != query else { return effects }
    return answer()
  }

  /// The text of the open article arrives, laid out for the width that is asked for.
  mutating func articleArrives(
    html: String, place: ReadingPosition? = nil, pictures: PictureRoom? = nil
  ) throws {
    let id = try #require(state.article?.id)
    let article = Sample.article(id, html: html, place: place)
    let page = ArticlePage(
      article, width: state.articleWidth, clock: state.clock, pictures: pictures)
    let effects = state.reduce(.article(.arrived(page)))
    #expect(effects.isEmpty || pictures != nil)
  }

  /// The id of the selected article.
  var selected: Int64? { state.list.selectedArticle?.id.rawValue }

  /// The lines of the screen.
  var lines: [Substring] {
    state.render().text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  private static let named: [String: KeyEvent] = [
    "Enter": .enter, "Esc": .escape, "Tab": .tab, "S-Tab": .backTab, "BS": .backspace,
    "Del": .delete, "Up": .up, "Down": .down, "Left": .left, "Right": .right, "PgUp": .pageUp,
    "PgDn": .pageDown, "Home": .home, "End": .end, "F1": .function(1), "F5": .function(5),
    "F8": .function(8),
    "Space": .character(" "), "lt": .character("<"),
  ]

  static func keys(_ script: String) -> [KeyEvent] {
    var keys: [KeyEvent] = []
    var rest = Substring(script)
    while let first = rest.popFirst() {
      guard first == "<", let end = rest.firstIndex(of: ">") else {
        keys.append(.character(first))
        continue
      }
      let name = String(rest[..<end])
      rest = rest[rest.index(after: end)...]
      if name.hasPrefix("C-"), let letter = name.last {
        keys.append(.control(letter))
      } else if let key = named[name] {
        keys.append(key)
      } else {
        Issue.record("no key is named \(name)")
      }
    }
    return keys
  }
}
