internal import News
internal import Screen
internal import Testing

@testable internal import Reader

/// `Esc`: it stops what runs before it clears a selection or goes back.
struct StoppingTests {
  private static let all = Effect.Refresh.asked(.all)

  private func session(_ count: Int64 = 9) -> Session { Session(Sample.rows(1...count)) }

  private func refreshing(_ activity: Activity) -> Action {
    var sidebar = SidebarSnapshot.sample
    sidebar.activity = activity
    return .subscriptions(.arrived(sidebar))
  }

  @Test(arguments: ["", "h", "H"])
  func `Esc stops a refresh in the list, the sidebar and Health, and then goes back`(_ way: String)
  {
    var session = session()
    #expect(session.send(keys: "R").contains(.refresh(Self.all)))
    session.send(keys: way)
    let name = type(of: session.state.front).name
    #expect(session.send(keys: "<Esc>").contains(.cancel(.refresh(Self.all))))
    #expect(
      session.state.notice?.text
        == "Stopped refreshing. Articles that came are kept; r refreshes again.")
    #expect(type(of: session.state.front).name == name)
    #expect(session.send(keys: "<Esc>").isEmpty)
    #expect(type(of: session.state.front).name == (way == "H" ? "list" : "sidebar"))
  }

  @Test func `A refresh that has ended is not stopped`() {
    let ended = Action.subscriptions(.refreshEnded(failed: 0, inserted: 1, wasAsked: true))
    for end in [ended, refreshing(.idle)] {
      var session = session()
      session.send(keys: "r")
      _ = session.state.reduce(refreshing(.refreshing(done: 1, total: 4, failed: 0)))
      _ = session.state.reduce(end)
      #expect(session.send(keys: "<Esc>").isEmpty)
      #expect(session.state.focus == .sidebar)
    }
  }

  @Test func `One that began by itself is stopped only where the list waits for it`() {
    var session = session()
    _ = session.state.reduce(refreshing(.refreshing(done: 1, total: 4, failed: 0)))
    #expect(session.send(keys: "<Esc>").isEmpty)
    session = Session([])
    var loading = Sample.fresh
    loading.isLoading = true
    _ = session.state.reduce(refreshing(.refreshing(done: 1, total: 4, failed: 0)))
    session.arrive([], freshness: loading)
    #expect(session.lines.contains { $0.contains("Loading … 1 of 4") })
    #expect(session.lines.contains { $0.contains("Esc stops.") })
    #expect(session.send(keys: "<Esc>").contains(.cancel(.refresh(.due))))
  }

  @Test func `What was stopped does not begin again by itself at once`() {
    var session = session()
    func isDue(after seconds: Int64) -> Bool {
      session.state.reduce(.ticked(WallClock(now: Sample.now + seconds))).contains(.refresh(.due))
    }
    #expect(isDue(after: 10))
    session.send(keys: "r<Esc>")
    #expect(!isDue(after: 20))
    #expect(isDue(after: 600))
    session.send(keys: "r<Esc>r")
    #expect(isDue(after: 610))
  }

  @Test func `The selection stays until nothing runs, and a filter until the selection is gone`()
    throws
  {
    var session = session()
    let query = try ArticleQuery("title:article")
    _ = session.state.show(.matching(query, in: .all), isLimited: true)
    session.arrive(Sample.rows(1...9))
    session.send(keys: "vR<Esc>")
    #expect(!session.state.list.picked.isEmpty && session.state.list.isLimited)
    session.send(keys: "<Esc>")
    #expect(session.state.list.picked.isEmpty && session.state.list.isLimited)
    session.send(keys: "<Esc>")
    #expect(!session.state.list.isLimited && session.state.focus == .list)
    session.send(keys: "<Esc>")
    #expect(session.state.focus == .sidebar)
  }

  @Test func `A question is closed before anything is stopped`() {
    var session = session()
    session.send(keys: "R:<Esc>")
    #expect(session.state.stack.count == 0)
    #expect(session.send(keys: "<Esc>").contains(.cancel(.refresh(Self.all))))
  }

  @Test func `In an article Esc stops the full text and leaves a refresh alone`() throws {
    var session = Session(Sample.rows(1...5), width: 60, height: 12)
    session.send(keys: "R<Enter>")
    try session.articleArrives(html: "<p>What the feed says.</p>")
    session.send(keys: "F")
    #expect(session.send(keys: "<Esc>").contains(.cancel(.article(.fullText))))
    #expect(session.state.notice?.text == "Stopped fetching the full text. F fetches it again.")
    #expect(session.state.focus == .article && session.state.fullTextWanted == nil)
    let effects = session.send(keys: "<Esc>")
    #expect(session.state.focus == .list && !effects.contains(.cancel(.refresh(Self.all))))
  }

  @Test func `Older articles stop loading, and are loaded by the key alone`() {
    var session = session()
    session.arrive(Sample.rows(1...9), older: .loading)
    #expect(session.send(keys: "G<Esc>").contains(.cancel(.list(.older))))
    #expect(session.state.focus == .list)
    #expect(!session.arrive(Sample.rows(1...9), older: .more).contains(.list(.loadOlder(.all))))
    #expect(session.send(keys: "j").contains(.list(.loadOlder(.all))))
  }

  @Test func `Comments stop being fetched, and the page says how to go on`() {
    var session = Session(Sample.rows(1...20), width: 80, height: 24)
    session.converse(ConversationTests.conversation(of: 0, record: ConversationRecord()))
    #expect(session.lines.contains { $0.contains("Esc stops.") })
    #expect(session.send(keys: "<Esc>").contains(.cancel(.conversation(.fetch))))
    #expect(session.lines.contains { $0.contains("The comments were not fetched.") })
    #expect(session.lines.contains { $0.contains("Press r to try again, q to go back.") })
    #expect(session.send(keys: "r") == [.conversation(.fetch(ArticleID(20)))])
    session.send(keys: "<Esc><Esc>")
    #expect(session.state.stack.count == 0)
  }

  @Test func `Downloads pause, and their page stays`() {
    var session = session()
    _ = session.state.reduce(.transfers(.arrived(.sample)))
    let effects = session.send(keys: "T<Esc>")
    #expect(effects.contains(.transfers(.change([1, 2], .pause))))
    #expect(session.state.notice?.text.hasPrefix("Paused ") == true)
    #expect(type(of: session.state.front) == TransfersState.self)
    _ = session.state.reduce(.transfers(.arrived(TransferSnapshot())))
    session.send(keys: "<Esc>")
    #expect(session.state.stack.count == 0)
  }

  @Test func `A program ends, and what it has printed stays`() throws {
    var settings = ReaderSettings()
    settings.verbs = [.init("refresh", help: "Refresh feeds.")]
    var session = Session(Sample.rows(1...9), settings: settings)
    session.send(keys: ":refresh --all-pages<Enter>")
    let id = try #require(session.state.programs.last?.id)
    _ = session.state.reduce(.reminded(.program(id)))
    #expect(session.lines.contains { $0.contains("No output yet.") })
    _ = session.state.reduce(.programs(.printed(id, "one\ntwo\n")))
    #expect(session.send(keys: "<Esc>").first == .cancel(.programs(.run(id))))
    _ = session.state.reduce(.programs(.ended(id, .killed(15))))
    #expect(session.lines[0].contains("stopped") && session.lines[2].contains("two"))
    #expect(session.send(keys: "<Esc>").isEmpty)
    #expect(session.state.stack.count == 0 && session.state.programs.isEmpty)
  }

  @Test(arguments: ["H", "O", "T"])
  func `Pages say that they are offline, and the key that tries again`(_ key: String) {
    var session = session()
    var sidebar = SidebarSnapshot.sample
    sidebar.offlineSince = Sample.date(secondsAgo: 120)
    _ = session.state.reduce(.subscriptions(.arrived(sidebar)))
    session.send(keys: key)
    #expect(session.lines.last?.contains("Offline for 2 min. r tries again.") == true)
  }

  @Test(arguments: [
    ("O", "Loading …"), ("E", "Loading …"), ("S", "Counting …"), ("$", "Loading …"),
  ])
  func `A page that loads says how to leave it`(_ key: String, _ words: String) {
    var session = session()
    session.send(keys: key)
    #expect(session.lines.contains { $0.contains(words) })
    #expect(session.lines.contains { $0.contains("q goes back.") })
  }

  @Test func `An article that cannot be read says why in full, and how to leave it`() {
    var session = session()
    session.send(keys: "<Enter>")
    let error = Sample.error(
      .file, "is gone from the store " + String(repeating: "indeed ", count: 30))
    _ = session.state.reduce(.article(.failed(ArticleID(9), error)))
    #expect(session.lines.contains { $0.contains("indeed") && !$0.contains("gone") })
    #expect(session.lines.contains { $0.contains("q goes back.") })
  }
}
