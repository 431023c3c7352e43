internal import News
internal import Screen
internal import TestSupport
internal import Testing

@testable import Reader

/// What holds whatever is pressed, whatever arrives, however large the screen.
struct PropertyTests {
  @Test(arguments: Scene.all)
  func `A scene can be drawn at any size`(_ scene: Scene) throws {
    let small = (0...30).flatMap { width in (0...12).map { Size(width: width, height: $0) } }
    let large = [(69, 20), (70, 1), (119, 2), (120, 3), (121, 60), (300, 90)].map(Size.init)
    let start = try scene.state(at: Size(width: 80, height: 24))
    for size in small + large {
      var state = start
      _ = state.reduce(.resized(size))
      check(state.render(), size)
    }
    for size in large + [(0, 0), (1, 1), (2, 3), (20, 2)].map(Size.init) {
      check(try scene.state(at: size).render(), size)
      // A state of another size, before the reducer has heard of this one.
      var state = start
      state.size = size
      check(state.render(), size)
    }
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `Random keys, clicks and snapshots keep the invariants`(_ seed: UInt64) {
    var random = SplitMix(seed: seed)
    var session = Session(
      width: [12, 60, 90, 150].randomElement(using: &random) ?? 60,
      height: Int.random(in: 1...30, using: &random))
    var world = World()
    for _ in 0..<1_000 {
      let effects = step(&session, &world, &random)
      checkInvariants(session.state, effects, world)
      let size = session.state.size
      check(session.state.render(), size)
    }
  }

  // MARK: Random steps

  /// The store as it might be.
  private struct World {
    var newest: Int64 = 1_060
    var oldest: Int64 = 1_000
    var feeds = SidebarSnapshot.sample
    /// Ids that have been in a snapshot, or named by an action.
    var known: Set<ArticleID> = []
  }

  private func step(
    _ session: inout Session, _ world: inout World, _ random: inout SplitMix
  ) -> [Effect] {
    switch Int.random(in: 0..<20, using: &random) {
    case 0...10:
      let key = Self.keys.randomElement(using: &random) ?? .enter
      session.milliseconds += Int64.random(in: 1...2_000, using: &random)
      return session.state.reduce(.input(.key(key), milliseconds: session.milliseconds))
    case 11:
      let size = session.state.size
      return session.mouse(
        [.click, .doubleClick, .wheelUp, .wheelDown].randomElement(using: &random) ?? .click,
        x: Int.random(in: 0...size.width, using: &random),
        y: Int.random(in: 0...size.height, using: &random))
    case 12:
      let size = Size(
        width: Int.random(in: 0...160, using: &random),
        height: Int.random(in: 0...40, using: &random))
      return session.state.reduce(.resized(size))
    case 13:
      world.feeds.feeds.shuffle(using: &random)
      if Bool.random(using: &random) { world.feeds.feeds = SidebarSnapshot.sample.feeds }
      if Int.random(in: 0..<3, using: &random) == 0 {
        world.feeds.feeds = SidebarSnapshot.ailing.feeds.shuffled(using: &random)
      }
      // The first feed stays: the next unread article may be found in it.
      if Int.random(in: 0..<8, using: &random) == 0 {
        world.feeds.feeds.removeAll { $0.id == FeedID(.random(in: 2...4, using: &random)) }
      }
      return session.state.reduce(.subscriptions(.arrived(world.feeds)))
    case 14:
      guard let id = session.state.article?.id else { return [] }
      let article = Sample.article(id, html: Sample.paragraphs(20) + Sample.links(12))
      let width = session.state.articleWidth
      return session.state.reduce(
        .article(.arrived(ArticlePage(article, width: width, clock: Sample.clock))))
    case 15:
      if Bool.random(using: &random) {
        let links = ChoiceTests.links.prefix(.random(in: 0...12, using: &random))
        return session.state.reduce(.subscriptions(.found("example.org", Array(links))))
      }
      if Bool.random(using: &random) {
        let outboxes = [OutboxSnapshot(), .sample, .many]
        return session.state.reduce(
          .outbox(.arrived(outboxes.randomElement(using: &random) ?? .sample)))
      }
      guard let prompt = session.state.prompt, case .search = prompt.purpose, let line = prompt.line
      else { return [] }
      return session.state.reduce(.list(.searchSettled(line.text)))
    case 16:
      let position = Sample.position(Int64.random(in: 1_000...1_060, using: &random))
      world.known.insert(ArticleID(position.id))
      return session.state.reduce(
        .list(
          .nextUnreadFound(
            [.all, .feed(FeedID(1))].randomElement(using: &random) ?? .all, position)))
    default:
      return arrive(&session, &world, &random)
    }
  }

  private func arrive(
    _ session: inout Session, _ world: inout World, _ random: inout SplitMix
  ) -> [Effect] {
    world.newest += Int64.random(in: 0...3, using: &random)
    let low = Int64.random(in: world.oldest...world.newest, using: &random)
    var rows = Sample.rows(low...world.newest)
    rows.removeAll { _ in Int.random(in: 0..<10, using: &random) == 0 }
    if Int.random(in: 0..<10, using: &random) == 0 { rows = [] }
    if rows.count > 3 { rows.insert(Sample.gap(between: rows[1].position.id, and: 1), at: 2) }
    for case .article(let row) in rows { world.known.insert(row.id) }
    let older: [OlderArticles] = [.none, .more, .loading, .end, .failed(Sample.unavailable)]
    let effects = session.arrive(
      rows, hasNewer: Bool.random(using: &random), hasOlder: Bool.random(using: &random),
      older: older.randomElement(using: &random) ?? .none)
    if session.state.list.selectedIndex == nil, !rows.isEmpty {
      Issue.record("no row is selected among \(rows.count)")
    }
    return effects
  }

  private static let keys: [KeyEvent] =
    Command.table.flatMap { $0.keys(of: "vi") }.flatMap(\.keys) + [
      .character("y"), .escape, .backspace,
    ]
    + Array(repeating: .character("j"), count: 12) + Array(repeating: .enter, count: 4)

  // MARK: Checks

  private func check(_ frame: Frame, _ size: Size) {
    guard frame.size == size else {
      Issue.record("a frame of \(frame.size) for \(size)")
      return
    }
    for y in 0..<size.height where frame.row(y).reduce(0, { $0 + Int($1.width) }) != size.width {
      Issue.record("row \(y) of \(size) is not \(size.width) columns wide")
    }
  }

  private func checkInvariants(_ state: ReaderState, _ effects: [Effect], _ world: World) {
    let list = state.list
    if let index = list.selectedIndex {
      let first = state.list.firstVisibleRow
      if !(first..<first + state.list.height).contains(index) {
        Issue.record("the selected row is out of sight")
      }
    }
    if let page = state.article?.page, let top = state.article?.top {
      if top < 0 || top >= max(1, page.lines.count) { Issue.record("the article starts at \(top)") }
    }
    if !state.sidebar.items.contains(where: { $0.timeline == state.sidebar.selected }) {
      Issue.record("\(state.sidebar.selected) is not in the sidebar")
    }
    if let health = state.health {
      let rows = state.healthRows
      if let index = health.page.selection.nearestIndex(in: rows) {
        let height = max(1, state.healthLayout(rows).rows.height)
        let first = health.page.selection.firstVisible(in: rows, height: height)
        if !(first..<first + height).contains(index) {
          Issue.record("the selected feed is out of sight")
        }
      } else if !rows.isEmpty {
        Issue.record("no feed is selected among \(rows.count)")
      }
    }
    if let outbox = state.outbox, let index = outbox.page.selection.nearestIndex(in: outbox.changes)
    {
      let height = max(1, outbox.layout(state.size).rows.height)
      let first = outbox.page.selection.firstVisible(in: outbox.changes, height: height)
      if !(first..<first + height).contains(index) {
        Issue.record("the selected change is out of sight")
      }
    }
    let observed = effects.compactMap {
      if case .list(.observe(let query)) = $0 { query } else { nil }
    }
    if let last = observed.last, last != list.query {
      Issue.record("what is observed is not what is waited for")
    }
    for id in effects.flatMap(\.articles) where !world.known.contains(id) {
      Issue.record("nobody knows article \(id.rawValue)")
    }
  }
}

extension Effect {
  fileprivate var articles: [ArticleID] {
    switch self {
    case .article(.open(let id, _)), .article(.keepPlace(let id, _)),
      .opening(.openArticleLink(let id, _)):
      [id]
    case .apply(.mark(let ids, _, _)): ids
    default: []
    }
  }
}
