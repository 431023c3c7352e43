internal import News
internal import Screen
internal import Testing

@testable import Reader

/// The screen of the program's settings.
@Suite struct SettingsScreenTests {
  private static func setting(
    _ name: String, _ kind: SettingDeclaration.Kind, _ standard: String?, _ help: String,
    value: String? = nil, line: Int? = nil, atOnce: Bool = false
  ) -> SettingValue {
    var declaration = SettingDeclaration(name: name, kind: kind)
    (declaration.standard, declaration.help, declaration.actsAtOnce) = (standard, help, atOnce)
    return SettingValue(
      declaration, value: value ?? standard.map(declaration.unquoted),
      source: line.map { .file(line: $0) } ?? .standard)
  }

  static let values = [
    setting(
      "refresh.interval_minutes", .number(0...100, unit: "min"), "60", "how often feeds are fetched"
    ),
    setting("refresh.max_pages", .number(1...99, unit: nil), "20", "pages of one feed"),
    setting(
      "screen.background", .choice(["dark", "light"]), nil, "else the terminal is asked",
      value: "light", line: 3),
    setting("screen.mouse", .boolean, "true", "clicks and the wheel are read"),
    setting(
      "screen.order", .choice(["newest", "oldest"]), "\"newest\"", "of lists", atOnce: true),
    setting("screen.theme", .text, nil, "see Themes", atOnce: true),
    setting("browser.command", .text, nil, "else $BROWSER"),
  ]

  private func session(
    _ keys: String = "", width: Int = 80, height: Int = 24,
    _ values: [SettingValue] = SettingsScreenTests.values
  ) -> Session {
    var session = Session(Sample.rows(1...3), width: width, height: height)
    session.send(keys: "$")
    _ = session.state.reduce(.settings(.arrived(values)))
    session.send(keys: keys)
    return session
  }

  private func selected(_ session: Session) -> String? {
    session.state.stack[SettingsState.self]?.selected?.name
  }

  private func live(_ change: (inout LiveSettings) -> Void = { _ in }) -> LiveSettings {
    var live = LiveSettings(
      ReadingPreferences(), usesAsciiSigns: false, order: .newest, theme: nil,
      keys: KeyScheme())
    change(&live)
    return live
  }

  @Test func `Its key and its name read the settings, and leaving gives that up`() {
    var session = Session(Sample.rows(1...3))
    #expect(session.send(keys: "$") == [.settings(.read)])
    #expect(session.lines.contains { $0.contains("Loading …") })
    #expect(session.send(keys: "q") == [.cancel(.settings)])
    #expect(session.state.stack.topPage == nil)
    #expect(session.send(keys: ":settings<Enter>").contains(.settings(.read)))
  }

  @Test func `At 80 columns the meaning stands below the rows`() {
    let lines = session("jjj").lines
    #expect(lines[0].hasPrefix(" Settings"))
    #expect(lines[1] == " Refresh")
    #expect(lines[2].hasPrefix("   interval_minutes    60 min ") && lines[2].hasSuffix(" default"))
    #expect(lines[4] == " Screen")
    #expect(
      lines[5].hasPrefix("   background          light ") && lines[5].hasSuffix(" config.toml:3"))
    #expect(lines[10].hasPrefix("   command             none "))
    let rule = lines.firstIndex { $0.contains("─ screen.mouse") }
    #expect(rule == 11)
    #expect(lines[12] == " Clicks and the wheel are read.")
    #expect(lines.contains { $0.hasPrefix(" Values    True or false") })
    #expect(lines.last?.contains("Enter change") == true)
  }

  @Test func `At 120 columns the meaning stands beside the rows`() {
    let lines = session("jjj", width: 120, height: 40).lines
    #expect(lines[0].contains("│") && lines[0].contains("screen.mouse"))
    #expect(lines[1].contains("Clicks and the wheel are read."))
    #expect(lines[6].hasPrefix("   mouse               true "))
    #expect(session("jjj", width: 100).lines[0].contains("│"))
    #expect(!session("jjj", width: 99).lines[0].contains("│"))
  }

  @Test func `At 40 by 10 names and values show without their source`() {
    let lines = session("jj", width: 40, height: 10).lines
    #expect(lines.count == 10)
    #expect(lines.contains { $0.hasPrefix("   background          light") })
    #expect(!lines.contains { $0.contains("config.toml:3") && $0.contains("background") })
  }

  @Test(
    arguments: [
      ("", "refresh.interval_minutes"), ("j", "refresh.max_pages"), ("jj", "screen.background"),
      ("jjk", "refresh.max_pages"), ("jkk", "refresh.interval_minutes"), ("G", "browser.command"),
      ("Gg", "refresh.interval_minutes"), ("GjkG", "browser.command"),
    ] as [(String, String)])
  func `Motions pass over the names of the tables`(_ keys: String, _ name: String) {
    #expect(selected(session(keys)) == name)
  }

  @Test(
    arguments: [
      // The only other value, the next, and back to the default, which takes the line out.
      ("jjj", "screen.mouse", "false"), ("jjjj", "screen.order", "oldest"),
      ("jj", "screen.background", nil),
    ] as [(String, String, String?)])
  func `Enter sets the next of a few values`(_ keys: String, _ name: String, _ value: String?) {
    var session = session(keys)
    #expect(session.send(keys: "<Enter>") == [.settings(.set(name: name, to: value))])
  }

  @Test func `Enter on the theme lists all of them above the settings`() {
    var session = session("jjjjj<Enter>")
    #expect(session.lines[0].hasPrefix(" Settings") && session.lines[0].contains("│ Theme"))
    #expect(
      session.send(keys: "j<Enter>")
        == [.settings(.set(name: "screen.theme", to: ThemePair.builtIn[1].name))])
    #expect(selected(session) == "screen.theme")
    let live = live { $0.theme = ThemePair.builtIn[1].name }
    var values = Self.values
    values[5] = Self.setting(
      "screen.theme", .text, nil, "see Themes", value: ThemePair.builtIn[1].name, line: 4,
      atOnce: true)
    _ = session.state.reduce(.settings(.changed(name: "screen.theme", live, values)))
    #expect(session.state.themes.name == ThemePair.builtIn[1].name)
    #expect(
      session.lines.last?.contains(
        "screen.theme is \(ThemePair.builtIn[1].name), set in config.toml:4.") == true)
  }

  @Test func `A number is asked for, and checked before it is sent`() {
    var session = session()
    #expect(session.send(keys: "<Enter>") == [])
    #expect(session.lines.last?.hasPrefix("refresh.interval_minutes: 60") == true)
    session.send(keys: "700<Enter>")
    #expect(session.lines[22].contains("a whole number from 0 to 100"))
    #expect(
      session.send(keys: "<BS><Enter>")
        == [.settings(.set(name: "refresh.interval_minutes", to: "70"))])
  }

  @Test func `A refused text is asked for again, with the reason`() {
    var session = session("G<Enter>'x<Enter>")
    let error = SourceError.sample
    _ = session.state.reduce(
      .settings(.refused(name: "browser.command", typed: "'x", error)))
    #expect(session.lines.last?.hasPrefix("browser.command: 'x") == true)
    #expect(session.lines[22].contains(error.message.prefix(20)))
  }

  @Test func `The default is set again once, and only where there is another value`() {
    var changed = session("jj")
    #expect(
      changed.send(keys: "d") == [.settings(.set(name: "screen.background", to: nil))])
    var standard = session("jjj")
    #expect(!standard.send(keys: "d").contains { if case .settings = $0 { true } else { false } })
    #expect(standard.lines.last?.contains("screen.mouse already has its default, true.") == true)
  }

  @Test func `Letters find settings by their names and meanings while they are typed`() {
    var session = session("/whe")
    #expect(selected(session) == "screen.mouse")
    #expect(session.lines[0].contains("with “whe”"))
    #expect(session.lines[1] == " Screen" && session.lines[2].contains("mouse"))
    session.send(keys: "<Enter>")
    #expect(selected(session) == "screen.mouse")
    // The way back is over all settings.
    session.send(keys: "h")
    #expect(session.state.stack[SettingsState.self]?.rows.count == 10)
    session.send(keys: "/zzz")
    #expect(session.lines.contains { $0.contains("No setting has “zzz”") })
    session.send(keys: "<Enter>d<Esc>q")
    #expect(session.state.stack.topPage == nil)
  }

  @Test func `A change acts at once, and says where it is kept`() {
    var session = session("jjjj")
    var values = Self.values
    values[4] = Self.setting(
      "screen.order", .choice(["newest", "oldest"]), "\"newest\"", "of lists", value: "oldest",
      line: 4, atOnce: true)
    let live = live {
      $0.order = .oldest
      $0.preferences.textWidth = 66
      $0.usesAsciiSigns = true
    }
    let effects = session.state.reduce(
      .settings(.changed(name: "screen.order", live, values)))
    #expect(session.state.list.query.order == .oldest)
    #expect(effects.contains(.list(.observe(session.state.list.query))))
    #expect(session.state.settings.textWidth == 66 && session.state.settings.usesAsciiSigns)
    #expect(
      session.lines.last?.contains("screen.order is oldest, set in config.toml:4.") == true,
      "\(session.lines.last ?? "")")
    #expect(session.lines.contains { $0.hasPrefix("   order               oldest") })
  }

  @Test func `A change that has to wait says so`() {
    var session = session("jjj")
    _ = session.state.reduce(.settings(.changed(name: "screen.mouse", live(), Self.values)))
    #expect(session.lines.last?.contains("at the next start.") == true)
  }

  @Test func `A theme that is looked at stays when another setting changes`() {
    var session = session()
    session.state.themes.colors = 256
    session.send(keys: ":theme<Enter>j")
    let shown = session.state.theme
    #expect(shown != session.state.themes.theme)
    _ = session.state.reduce(.settings(.changed(name: "screen.mouse", live(), Self.values)))
    #expect(session.state.theme == shown && session.state.themes.name == "telex")
    let theme = live { $0.theme = "gruvbox" }
    _ = session.state.reduce(.settings(.changed(name: "screen.theme", theme, Self.values)))
    #expect(session.state.themes.name == "gruvbox")
    _ = session.state.reduce(.settings(.changed(name: "screen.theme", live(), Self.values)))
    #expect(session.state.themes.name == "telex")
  }

  @Test func `Keys that are changed in the file are in effect at once`() {
    var session = Session(Sample.rows(1...3))
    func follow(_ keys: KeyScheme) -> String? {
      _ = session.state.reduce(
        .settings(.followed(live { $0.keys = keys }, isThemeChanged: false)))
      return session.state.notice?.text
    }
    #expect(follow(KeyScheme(set: "newsboat"))?.contains("are in effect") == true)
    #expect(
      session.send(keys: "N")
        .contains(.apply(.mark([ArticleID(3)], .read(true), isUndoable: true))))
    // The file was changed elsewhere.
    #expect(follow(KeyScheme(set: "newsboat")) == nil)
    let mistake = KeyScheme(
      set: "newsboat", assignments: [.init("nothing", ["x"], place: "config.toml:3:1")])
    #expect(follow(mistake)?.hasPrefix("config.toml:3:1") == true)
  }

  @Test func `A theme is set and a list is sorted by name`() {
    var session = Session(Sample.rows(1...3))
    #expect(
      session.send(keys: ":theme gruvbox<Enter>")
        .contains(.settings(.set(name: "screen.theme", to: "gruvbox"))))
    session.send(keys: ":theme none<Enter>")
    #expect(session.lines.last?.contains("Name one theme: telex") == true)
    session.send(keys: ":sort oldest<Enter>")
    #expect(session.state.list.query.order == .oldest)
    #expect(session.lines.last?.contains("Sorted oldest first, from now on.") == true)
    session.send(keys: ":sort best<Enter>")
    #expect(session.lines.last?.contains("cannot be sorted by “best”") == true)
  }

  @Test func `Without a name the orders of the list are a choice`() {
    var session = Session(Sample.rows(1...3))
    session.send(keys: ":sort<Enter>")
    #expect(session.lines[0].contains("│ Sort"))
    #expect(session.lines[1].contains("newest first") && session.lines[1].hasSuffix("current"))
    #expect(session.lines.last?.contains("Enter sort") == true)
    session.send(keys: "j<Enter>")
    #expect(session.state.choice == nil && session.state.list.query.order == .oldest)
    #expect(session.lines.last?.contains("Sorted oldest first, from now on.") == true)
    session.send(keys: ":sort<Enter>jj<Esc>")
    #expect(session.state.list.query.order == .oldest)
    // In the sidebar it sorts the feeds, as the key does.
    session.send(keys: "h:sort<Enter>")
    #expect(session.state.choice == nil)
  }

  @Test func `A file that cannot be read is told in place of the rows`() {
    var session = Session(Sample.rows(1...3))
    session.send(keys: "$")
    _ = session.state.reduce(.settings(.failed(.sample)))
    #expect(session.lines.contains { $0.contains(SourceError.sample.message.prefix(20)) })
    #expect(session.send(keys: "<Enter>d/") != [.settings(.read)])
  }
}

extension SourceError {
  fileprivate static let sample = SourceError(
    .file, stage: .config, subject: "config.toml:3", message: "The line has no value at all")
}
