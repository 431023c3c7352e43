internal import News
internal import Screen
internal import Testing

@testable import Reader

struct PullTests {
  struct Pulls: Sendable {
    /// Pauses in milliseconds before each pull after the first.
    var pauses: [Int64]
    var refreshes: Int
    var hint = true
  }

  @Test(arguments: [
    Pulls(pauses: [], refreshes: 0), Pulls(pauses: [299], refreshes: 0),
    Pulls(pauses: [300], refreshes: 1, hint: false),
    Pulls(pauses: [3_000], refreshes: 1, hint: false),
    Pulls(pauses: [3_001], refreshes: 0), Pulls(pauses: [3_001, 300], refreshes: 1, hint: false),
    Pulls(pauses: [100, 250], refreshes: 0), Pulls(pauses: [100, 300], refreshes: 1, hint: false),
    Pulls(pauses: Array(repeating: 30, count: 400), refreshes: 0),
  ])
  func `Two pulls with a pause between them refresh`(_ pulls: Pulls) {
    for isWheel in [false, true] {
      var session = Session(Sample.rows(1...5))
      func pull(_ pause: Int64) -> [Effect] {
        isWheel
          ? session.mouse(.wheelUp, x: 40, y: 3, pause: pause)
          : session.send(keys: "k", pause: pause)
      }
      let first = pull(5_000)
      #expect(
        first == [.remind(.pull(since: session.milliseconds), afterMilliseconds: 3_000)])
      #expect(session.lines[0].contains("pull again to refresh"))
      var effects: [Effect] = []
      for pause in pulls.pauses { effects += pull(pause) }
      #expect(effects.count { $0 == .refresh(.asked(.all)) } == pulls.refreshes)
      #expect(session.lines[0].contains("pull again") == pulls.hint)
    }
  }

  @Test func `The hint covers no title, and does not show while a refresh runs`() {
    var session = Session(Sample.rows(1...5))
    let before = session.lines
    session.send(keys: "k")
    #expect(session.lines[0].contains("pull again"))
    #expect(session.lines[1...10] == before[1...10])
    var sidebar = SidebarSnapshot.sample
    sidebar.activity = .refreshing(done: 1, total: 4, failed: 0)
    _ = session.state.reduce(.subscriptions(.arrived(sidebar)))
    #expect(!session.lines[0].contains("pull again"))
    #expect(session.send(keys: "k") == [])
    sidebar.activity = .idle
    _ = session.state.reduce(.subscriptions(.arrived(sidebar)))
    _ = session.state.reduce(.reminded(.pull(since: session.state.list.pull.since ?? 0)))
    #expect(!session.lines[0].contains("pull again"))
  }

  @Test func `The hint goes by itself, and a late reminder does not take a newer one`() {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "k")
    let since = session.milliseconds
    session.send(keys: "jkk")
    _ = session.state.reduce(.reminded(.pull(since: since)))
    #expect(session.lines[0].contains("pull again"))
    _ = session.state.reduce(.reminded(.pull(since: session.milliseconds)))
    #expect(!session.lines[0].contains("pull again"))
  }

  @Test(arguments: [
    ("r", Effect.Refresh.asked(.feed(FeedID(1)))), ("<F5>", .asked(.feed(FeedID(1)))),
    ("R", .asked(.all)),
  ])
  func `A key refreshes`(_ key: String, _ wish: Effect.Refresh) {
    var session = Session(Sample.rows(1...5), of: .feed(FeedID(1)))
    #expect(session.send(keys: key) == [.cancel(.list(.older)), .refresh(wish)])
  }

  @Test func `Without feeds there is nothing to refresh`() {
    var session = Session([], sidebar: SidebarSnapshot())
    let effects = session.send(keys: "kkrR")
    #expect(effects.allSatisfy { if case .remind(.notice, _) = $0 { true } else { false } })
    #expect(session.state.notice?.text == "No feeds yet. Press a to subscribe to one.")
  }

  @Test(arguments: [
    (true, Activity.idle, false, Effect.Refresh?.some(.due)), (true, .idle, true, .unreachable),
    (true, .refreshing(done: 1, total: 2, failed: 0), false, nil), (false, .idle, false, nil),
  ])
  func `A tick refreshes what is due`(
    _ isOn: Bool, _ activity: Activity, _ isOffline: Bool, _ wish: Effect.Refresh?
  ) {
    var sidebar = SidebarSnapshot.sample
    sidebar.activity = activity
    if isOffline { sidebar.offlineSince = Sample.date(secondsAgo: 60) }
    var session = Session([], sidebar: sidebar)
    session.state.settings.interval = isOn ? .adaptive : .never
    #expect(session.state.reduce(.ticked(Sample.clock)) == (wish.map { [.refresh($0)] } ?? []))
  }
}
