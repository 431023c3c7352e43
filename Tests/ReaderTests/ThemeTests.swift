internal import Foundation
internal import News
internal import Screen
internal import Testing

@testable import Reader

struct ThemeTests {
  @Test(arguments: Scene.all)
  func `Without colours no cell has one`(_ scene: Scene) throws {
    for size in scene.sizes {
      let frame = try scene.state(at: size, theme: .none).render()
      #expect(
        frame.cells.allSatisfy {
          $0.style.foreground == .standard && $0.style.background == .standard
        })
    }
  }

  static let themes: [Theme] =
    [
      .none, .dark, .light, .safe, .basicDark, .basicLight,
    ] + ThemePair.builtIn.flatMap { [$0.dark, $0.light] }

  @Test(arguments: themes)
  func `What is selected, unread or a link looks different from plain text`(_ theme: Theme) {
    let styles = [theme.text, theme.unread, theme.selected, theme.selectedElsewhere]
    #expect(Set(styles).count == styles.count)
    #expect(theme.hit != theme.currentHit && theme.hit != theme.text)
    #expect(theme.link != theme.text && theme.status != theme.text && theme.error != theme.text)
  }

  @Test(arguments: themes)
  func `Unread titles have the terminal's own colour`(_ theme: Theme) {
    #expect(theme.unread == Style(.standard, on: .standard, .bold))
    #expect(theme.text == .plain)
  }

  /// Backgrounds that are common: black, dark grey, Solarized, Gruvbox, Nord; white, paper, and the same.
  private static let darkOnes: [[Int]] = [
    [0, 0, 0], [30, 30, 30], [0, 43, 54], [40, 40, 40], [46, 52, 64],
  ]
  private static let lightOnes: [[Int]] = [
    [255, 255, 255], [250, 250, 250], [253, 246, 227], [251, 241, 199], [236, 239, 244],
  ]

  /// What WCAG asks of text (1.4.3, AA), with 256 colours and with all of them.
  @Test(arguments: ThemePair.builtIn.map(\.name), [256, 1 << 24])
  func `Each colour of a theme can be read on the backgrounds that it is for`(
    _ name: String, _ colors: Int
  ) throws {
    let pair = try #require(ThemePair.builtIn.first { $0.name == name })
    for (background, below) in [
      (Background.dark, Self.darkOnes), (.light, Self.lightOnes),
      // Who has chosen another one sees its dark half.
      (nil, name == "telex" ? [Self.darkOnes[0], Self.lightOnes[0]] : Self.darkOnes),
    ] {
      let theme = pair.theme(colors: colors, background: background)
      expectContrast(of: theme, on: below) { $0.nearest(of: colors).parts }
    }
  }

  /// The first sixteen colours as terminals have them, and the backgrounds that go with them.
  struct Sixteen: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var colors: [UInt32]
    var dark: [UInt32]
    var light: [UInt32]

    func parts(_ color: Color) -> [Int]? {
      guard case .palette(let index) = color.nearest(of: 16).kind else { return nil }
      return Self.parts(colors[Int(index)])
    }

    static func parts(_ rgb: UInt32) -> [Int] {
      [Int(rgb >> 16 & 0xFF), Int(rgb >> 8 & 0xFF), Int(rgb & 0xFF)]
    }
  }

  static let sixteens = [
    Sixteen(
      testDescription: "xterm",
      colors: [
        0x00_0000, 0xCD_0000, 0x00_CD00, 0xCD_CD00, 0x00_00EE, 0xCD_00CD, 0x00_CDCD, 0xE5_E5E5,
        0x7F_7F7F, 0xFF_0000, 0x00_FF00, 0xFF_FF00, 0x5C_5CFF, 0xFF_00FF, 0x00_FFFF, 0xFF_FFFF,
      ], dark: [0x00_0000], light: [0xFF_FFFF]),
    Sixteen(
      testDescription: "Tango",
      colors: [
        0x2E_3436, 0xCC_0000, 0x4E_9A06, 0xC4_A000, 0x34_65A4, 0x75_507B, 0x06_989A, 0xD3_D7CF,
        0x55_5753, 0xEF_2929, 0x8A_E234, 0xFC_E94F, 0x72_9FCF, 0xAD_7FA8, 0x34_E2E2, 0xEE_EEEC,
      ], dark: [0x00_0000, 0x2E_3436], light: [0xFF_FFFF, 0xEE_EEEC]),
    Sixteen(
      testDescription: "Solarized",
      colors: [
        0x07_3642, 0xDC_322F, 0x85_9900, 0xB5_8900, 0x26_8BD2, 0xD3_3682, 0x2A_A198, 0xEE_E8D5,
        0x00_2B36, 0xCB_4B16, 0x58_6E75, 0x65_7B83, 0x83_9496, 0x6C_71C4, 0x93_A1A1, 0xFD_F6E3,
      ], dark: [0x00_2B36], light: [0xFD_F6E3]),
  ]

  @Test(arguments: sixteens)
  func `With sixteen colours all can be read in the palettes that are common`(_ sixteen: Sixteen) {
    for pair in ThemePair.builtIn {
      for (background, below) in [
        (Background.dark, sixteen.dark), (.light, sixteen.light),
        (nil, sixteen.dark + sixteen.light),
      ] {
        let theme = pair.theme(colors: 16, background: background)
        expectContrast(of: theme, on: below.map(Sixteen.parts), isFew: true) { sixteen.parts($0) }
      }
    }
  }

  @Test func `The manual names each part of a theme`() throws {
    let project = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let manual = try String(
      contentsOf: project.appending(path: "Docs/Manual.md"), encoding: .utf8)
    let list = try #require(manual.firstMatch(of: /The parts of a theme are ([^.]*)\./)).1
    #expect(list.matches(of: /`([^`]+)`/).map { String($0.1) } == Theme.partNames)
  }

  private func expectContrast(
    of theme: Theme, on backgrounds: [[Int]], isFew: Bool = false, _ parts: (Color) -> [Int]?
  ) {
    for (name, part) in Theme.parts where name != "border" {
      let style = theme[keyPath: part]
      // A colour of its own stands on a background that is known.
      if style.foreground == .standard {
        #expect(style.background == .standard, "\(name)")
        continue
      }
      guard let above = parts(style.foreground) else { continue }
      for below in parts(style.background).map({ [$0] }) ?? backgrounds {
        let found = contrast(above, below)
        #expect(found >= 4.5, "\(name): \(above) on \(below): \(found)")
        // Some terminals show bold text in the brighter sister of one of the eight.
        guard isFew, style.attributes.contains(.bold),
          case .palette(let index) = style.foreground.kind, index < 8,
          let brighter = parts(.palette(index + 8))
        else { continue }
        #expect(contrast(brighter, below) >= 4.5, "\(name): bold \(brighter) on \(below)")
      }
    }
  }

  @Test(
    arguments: [
      (0, nil, .none), (0, .light, .none), (8, .dark, .basicDark), (8, .light, .basicLight),
      (16, nil, .basicLight), (16, .light, .basicLight), (256, .dark, .dark), (256, .light, .light),
      (256, nil, .safe),
    ] as [(Int, Background?, Theme)])
  func `A theme goes by the colours and the background`(
    _ colors: Int, _ background: Background?, _ theme: Theme
  ) {
    #expect(ThemePair.telex.theme(colors: colors, background: background) == theme)
  }

  @Test func `The terminal's answer changes the theme, unless the settings name one`() {
    var session = Session(Sample.rows(1...5))
    session.state.theme = .safe
    let answer = Action.input(.background(.light), milliseconds: 0)
    #expect(session.state.reduce(answer) == [])
    #expect(session.state.theme == .safe)
    session.state.themes.colors = 256
    session.state.followsBackground = true
    session.send(keys: "x")
    let notice = session.state.notice
    #expect(session.state.reduce(answer) == [])
    #expect(session.state.theme == .light && session.state.notice == notice)
  }

  @Test func `One's own theme changes parts of another, for one background or both`() throws {
    let red = Style(.palette(1))
    let blue = Style(.palette(4), on: .standard, .bold)
    let mine = ThemePair(
      "mine", changing: .gruvbox,
      [.init("heading", red), .init("heading", blue, on: .light), .init("nothing", red)])
    for colors in [16, 256] {
      let (dark, light) = (
        mine.theme(colors: colors, background: .dark),
        mine.theme(colors: colors, background: .light)
      )
      #expect(dark.header == red && light.header == blue)
      #expect(dark.link == ThemePair.gruvbox.theme(colors: colors, background: .dark).link)
    }
    #expect(mine.theme(colors: 0, background: .dark) == .none)
  }

  @Test func `A theme with a background of its own fills the screen with it`() throws {
    let own = Style(.rgb(0xEE_EEEE), on: .rgb(0x10_1010))
    let mine = ThemePair("mine", changing: .nord, [.init("text", own)])
    let theme = mine.theme(colors: 256, background: .dark)
    // One has a state of its own.
    for scene in Scene.all where scene.name != "never-loaded" {
      let frame = try scene.state(at: Size(width: 130, height: 30), theme: theme).render()
      #expect(frame.cells.allSatisfy { $0.style.background != .standard }, "\(scene)")
    }
  }

  /// A session that has opened the list of themes on a dark terminal.
  private func choosing(_ keys: String = ":theme<Enter>", colors: Int = 256) -> Session {
    var session = Session(Sample.rows(1...5))
    session.state.themes.colors = colors
    session.state.themes.background = .dark
    session.state.theme = session.state.themes.theme
    session.send(keys: keys)
    return session
  }

  @Test func `Each theme shows on the page as it is selected in the list of themes`() {
    var session = choosing()
    let page = session.lines
    #expect(page[0].contains("│ Theme") && page[0].hasSuffix("1/\(ThemePair.builtIn.count)"))
    #expect(page[1].contains("│ telex") && page[1].hasSuffix("current"))
    // The page stays in sight at the left of the list and below it.
    #expect(page[0].hasPrefix(" Telex") && page[5].contains("Article"))
    var seen = [session.state.theme]
    for pair in ThemePair.builtIn.dropFirst() {
      session.send(keys: "j")
      #expect(session.state.theme == pair.theme(colors: 256, background: .dark))
      seen.append(session.state.theme)
    }
    #expect(Set(seen).count == ThemePair.builtIn.count)
    session.mouse(.click, x: 80, y: 2)
    #expect(session.state.theme == seen[1])
    #expect(session.state.themes.name == "telex")
  }

  @Test(arguments: ["<Esc>", "q", ":theme<Enter><Esc>"])
  func `Leaving the list of themes shows the former theme`(_ keys: String) {
    var session = choosing()
    let former = session.state.theme
    session.send(keys: "jj")
    #expect(session.state.theme != former)
    #expect(!session.send(keys: keys).contains { if case .settings = $0 { true } else { false } })
    #expect(session.state.theme == former && session.state.choice == nil)
  }

  @Test func `Enter keeps the theme in the settings, and a refusal shows the former one`() {
    var session = choosing()
    let former = session.state.theme
    let second = ThemePair.builtIn[1]
    #expect(
      session.send(keys: "j<Enter>")
        == [.settings(.set(name: "screen.theme", to: second.name))])
    #expect(session.state.choice == nil)
    #expect(session.state.theme == second.theme(colors: 256, background: .dark))
    let error = SourceError(
      .file, stage: .config, subject: "config.toml", message: "The file cannot be written")
    _ = session.state.reduce(
      .settings(.refused(name: "screen.theme", typed: second.name, error)))
    #expect(session.state.theme == former)
    #expect(session.state.notice?.kind == .error)
  }

  @Test func `Feeds that are found meanwhile show in the former theme`() {
    var session = choosing()
    let former = session.state.theme
    session.send(keys: "j")
    _ = session.state.reduce(.subscriptions(.found("example.org", ChoiceTests.links)))
    #expect(session.state.theme == former)
    #expect(session.lines[0].contains("Feeds of example.org"))
    // A theme is no answer here.
    session.send(keys: ":theme<Enter>")
    #expect(session.lines[0].contains("Feeds of example.org"))
  }

  @Test func `The list of themes says where they look alike`() {
    #expect(choosing(colors: 16).state.notice?.text == "With 16 colours themes look alike.")
    #expect(choosing().state.notice?.text.contains("alike") != true)
  }

  @Test(
    arguments: [
      ("15;0", .dark), ("0;15", .light), ("0;default;15", .light), ("7;8", .dark), ("12;7", .light),
      ("15;default", nil), ("", nil), (";", nil), ("0;99", nil), ("0;-1", nil),
    ] as [(String, Background?)])
  func `COLORFGBG tells the background`(_ value: String, _ background: Background?) {
    #expect(Background(colorFGBG: value) == background)
  }

  @Test(arguments: Scene.all)
  func `A theme changes no text`(_ scene: Scene) throws {
    for size in scene.sizes {
      let plain = try scene.state(at: size).render().text
      #expect(try scene.state(at: size, theme: .dark).render().text == plain)
      #expect(try scene.state(at: size, theme: .light).render().text == plain)
    }
  }
}

/// WCAG 2.1, 1.4.3.
private func contrast(_ a: [Int], _ b: [Int]) -> Double {
  func luminance(_ color: [Int]) -> Double {
    let parts = color.map { part in
      let value = Double(part) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }
  let (lighter, darker) = (max(luminance(a), luminance(b)), min(luminance(a), luminance(b)))
  return (lighter + 0.05) / (darker + 0.05)
}
