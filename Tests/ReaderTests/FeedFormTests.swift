import News
import Screen
import Testing

@testable import Reader

/// The screen of what is set for a feed.
@Suite struct FeedFormTests {
  private static let id = FeedID(21)

  private func session(
    width: Int = 80, height: Int = 24, _ settings: FeedSettings = FeedSettings()
  ) -> Session {
    var session = Session(Sample.rows(1...5), width: width, height: height)
    session.openFeedForm(settings)
    return session
  }

  private func status(_ session: Session) -> String { String(session.lines.last ?? "") }

  /// The line of a field.
  private func line(_ label: String, _ session: Session) -> String? {
    session.lines.map(String.init).first { $0.hasPrefix(" \(label)") }
  }

  @Test func `A feed's settings are shown, and who has none of them`() {
    var settings = FeedSettings()
    settings.interval = 7_200
    settings.headers = [RequestHeader("A", "b")]
    let session = session(settings)
    #expect(line("interval", session)?.contains("2h") == true)
    #expect(line("headers", session)?.contains("A: b") == true)
    #expect(line("folders", session)?.contains("Work") == true)
  }

  @Test func `Where a feed has no value of its own the one in force is shown`() {
    var session = Session(Sample.rows(1...5), width: 80, height: 24)
    session.openFeedForm(readsDefaults: false)
    #expect(line("interval", session)?.hasSuffix(" default") == true)
    // Those of other feeds come too late.
    _ = session.state.reduce(.subscriptions(.defaultsRead(.sample, of: [FeedID(22)])))
    #expect(line("interval", session)?.hasSuffix(" default") == true)
    session.receiveFeedDefaults()
    for (label, value) in [
      ("interval", "default: 30 min"), ("hidden", "default: no"), ("pictures", "default: yes"),
      ("browser", "default: xdg-open"), ("keep-for", "default: 90 days"),
      ("keep-at-most", "default: 200 articles"), ("proxy", "default: none"),
    ] {
      #expect(line(label, session)?.hasSuffix(" \(value)") == true, "\(label)")
    }
    var feed = session.state.feed(Self.id)
    feed?.settings.interval = 7_200
    _ = session.state.reduce(.subscriptions(.set([feed].compactMap(\.self))))
    #expect(line("interval", session)?.hasSuffix(" 2h") == true)
  }

  @Test func `Opening the settings reads the values in force`() {
    var session = session()
    session.send(keys: "q")
    #expect(session.send(keys: "c") == [.subscriptions(.readDefaults([Self.id]))])
  }

  @Test func `Keys go through the lines, and type or change their values`() {
    var session = session()
    #expect(session.form?.selected == .title)
    session.send(keys: "<Tab><Tab>")
    #expect(session.form?.selected == .setting(.interval))
    session.send(keys: "<Enter>")
    #expect(status(session).hasPrefix("interval:"))
    #expect(
      session.send(keys: "30min<Enter>") == [
        .subscriptions(.set([Self.id], .interval, to: "30min"))
      ])
    #expect(session.send(keys: "j<Enter>") == [.subscriptions(.set([Self.id], .paused, to: "yes"))])
    var feed = session.state.feed(Self.id)
    feed?.settings.isPaused = true
    _ = session.state.reduce(.subscriptions(.set([feed].compactMap(\.self))))
    #expect(line("paused", session)?.contains("yes") == true)
    #expect(session.send(keys: "<Enter>") == [.subscriptions(.set([Self.id], .paused, to: "no"))])
    #expect(session.send(keys: "d") == [.subscriptions(.set([Self.id], .paused, to: "default"))])
    #expect(
      !session.send(keys: "jd").contains {
        if case .subscriptions(.set) = $0 { true } else { false }
      })
    session.send(keys: "<S-Tab>k")
    #expect(session.form?.selected == .setting(.interval))
    session.send(keys: "G")
    #expect(session.form?.selected == .address)
    session.send(keys: "q")
    #expect(session.form == nil)
  }

  @Test func `The title and the folders are asked for as in the sidebar`() {
    var session = session()
    #expect(
      session.send(keys: "<Enter>Other<Enter>") == [.subscriptions(.rename(Self.id, to: "Other"))])
    #expect(
      session.send(keys: "j<Enter>News<Enter>") == [
        .subscriptions(.file([Self.id], into: ["News"]))
      ])
    #expect(session.form != nil)
  }

  @Test(arguments: [
    (FeedSetting.interval, "soon", "interval takes a time such as"),
    (.headers, "Cookie: a", "Cookie: "), (.headers, "nothing", "headers takes headers such as"),
    (.browser, "ü", "browser takes a command"),
  ])
  func `A value that is none is told, and the former one stays`(
    _ setting: FeedSetting, _ value: String, _ message: String
  ) throws {
    var session = session()
    let place = try #require(FeedForm.Field.all.firstIndex(of: .setting(setting)))
    session.send(keys: String(repeating: "j", count: place) + "<Enter>")
    let effects = session.send(keys: value + "<Enter>")
    #expect(!effects.contains { if case .subscriptions(.set) = $0 { true } else { false } })
    #expect(
      session.state.notice?.text.hasPrefix(message) == true, "\(session.state.notice?.text ?? "")")
    // It can be mended, or given up.
    #expect(session.state.prompt != nil)
    session.send(keys: "<Esc>")
    #expect(session.form?.selected == .setting(setting))
    #expect(session.state.feed(Self.id)?.settings == FeedSettings())
  }

  @Test(arguments: [(200, 60), (80, 24), (40, 10), (20, 5), (8, 3), (1, 1)])
  func `Every line can be reached and is drawn at any size`(_ width: Int, _ height: Int) {
    var session = session(width: width, height: height)
    for field in FeedForm.Field.all {
      #expect(session.form?.selected == field)
      if width >= 40 {
        #expect(line(field.label, session) != nil, "\(field)")
      }
      session.send(keys: "j")
    }
  }

  @Test func `What has no feed has no settings, and a feed that goes closes them`() {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "hc")
    #expect(session.form == nil && status(session).contains("No feed is selected."))
    session.openFeedForm()
    _ = session.state.reduce(.subscriptions(.arrived(SidebarSnapshot(feeds: []))))
    #expect(!session.lines.isEmpty)
    session.send(keys: "<Enter>")
    #expect(session.form == nil)
  }
}

extension Session {
  fileprivate var form: FeedForm? { state.stack[FeedForm.self] }

  /// Opens the settings of feed 21 from the sidebar.
  mutating func openFeedForm(
    _ settings: FeedSettings = FeedSettings(), readsDefaults: Bool = true
  ) {
    var snapshot = state.subscriptions
    var feed = Sample.feed(21, "The Loopback Times", folders: ["Work", "Home"])
    feed.settings = settings
    snapshot.feeds = [feed]
    _ = state.reduce(.subscriptions(.arrived(snapshot)))
    state.focus = .sidebar
    state.sidebar.select(.feed(FeedID(21)), among: snapshot)
    send(keys: "c")
    if readsDefaults { receiveFeedDefaults() }
  }

  /// The values in force arrive for the feeds of the form.
  mutating func receiveFeedDefaults() {
    _ = state.reduce(.subscriptions(.defaultsRead(.sample, of: form?.ids ?? [])))
  }
}

extension FeedDefaults {
  fileprivate static let sample = FeedDefaults(
    settings: [
      .interval: "default: 30 min", .paused: "default: no", .hidden: "default: no",
      .silent: "default: no", .update: "default: nothing", .pictures: "default: yes",
      .browser: "default: xdg-open", .userAgent: "default: Telex/1.0", .headers: "default: none",
      .keepFor: "default: 90 days", .keepAtMost: "default: 200 articles",
      .fullText: "default: no", .stories: "default: yes", .metered: "default: text",
    ], proxy: "default: none")
}
