internal import Foundation
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

  static let themes: [Theme] = [
    .none, .dark, .light, .safe, .basicDark, .basicLight, .basicSafe,
  ]

  @Test(arguments: themes)
  func `What is selected, unread or a link looks different from plain text`(_ theme: Theme) {
    let styles = [theme.text, theme.dim, theme.unread, theme.selected, theme.selectedElsewhere]
    #expect(Set(styles).count == styles.count)
    #expect(theme.link != theme.text && theme.status != theme.text && theme.error != theme.text)
  }

  @Test(arguments: themes)
  func `Unread titles have the terminal's own colour`(_ theme: Theme) {
    #expect(theme.unread == Style(.standard, on: .standard, .bold))
    #expect(theme.text == .plain)
  }

  /// Backgrounds that are common: black, dark grey, Solarized; white, paper, Solarized.
  private static let darkOnes: [[Double]] = [[0, 0, 0], [30, 30, 30], [0, 43, 54]]
  private static let lightOnes: [[Double]] = [[255, 255, 255], [250, 250, 250], [253, 246, 227]]

  /// What WCAG asks of text is 4.5, and 3 of large or bold text.
  @Test(
    arguments: [
      (.dark, darkOnes, 4), (.light, lightOnes, 4),
      (.safe, [darkOnes[0], lightOnes[0]], 4), (.basicDark, [darkOnes[0]], 3),
      (.basicLight, [lightOnes[0]], 4), (.basicSafe, [darkOnes[0], lightOnes[0]], 3),
    ] as [(Theme, [[Double]], Double)])
  func `Each colour can be read on the backgrounds that it is for`(
    _ theme: Theme, _ backgrounds: [[Double]], _ least: Double
  ) {
    let styles = [
      theme.dim, theme.star, theme.header, theme.selected, theme.selectedElsewhere, theme.status,
      theme.statusError, theme.error, theme.warning, theme.accent, theme.link, theme.code,
      theme.quote,
    ]
    for style in styles where style.foreground != .standard {
      let below = style.background == .standard ? backgrounds : [rgb(style.background)]
      for background in below {
        #expect(contrast(rgb(style.foreground), background) >= least, "\(style) on \(background)")
      }
    }
    // A colour of its own stands on a background that is known.
    #expect(styles.allSatisfy { $0.background == .standard || $0.foreground != .standard })
  }

  @Test(
    arguments: [
      (0, nil, .none), (0, .light, .none), (8, .dark, .basicDark), (8, .light, .basicLight),
      (16, nil, .basicSafe), (16, .light, .basicLight), (256, .dark, .dark), (256, .light, .light),
      (256, nil, .safe),
    ] as [(Int, Background?, Theme)])
  func `A theme goes by the colours and the background`(
    _ colors: Int, _ background: Background?, _ theme: Theme
  ) {
    #expect(Theme.matching(colors: colors, background: background) == theme)
  }

  @Test func `The terminal's answer changes the theme, unless the settings name one`() {
    var session = Session(Sample.rows(1...5))
    session.state.theme = .safe
    let answer = Action.input(.background(.light), milliseconds: 0)
    #expect(session.state.reduce(answer) == [])
    #expect(session.state.theme == .safe)
    session.state.adaptiveColors = 256
    session.send(keys: "x")
    let notice = session.state.notice
    #expect(session.state.reduce(answer) == [])
    #expect(session.state.theme == .light && session.state.notice == notice)
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

/// As xterm shows a colour: red, green and blue from 0 to 255.
private func rgb(_ color: Color) -> [Double] {
  let index = Int(color.index)
  let basic: [[Double]] = [
    [0, 0, 0], [205, 0, 0], [0, 205, 0], [205, 205, 0], [0, 0, 238], [205, 0, 205], [0, 205, 205],
    [229, 229, 229], [127, 127, 127], [255, 0, 0], [0, 255, 0], [255, 255, 0], [92, 92, 255],
    [255, 0, 255], [0, 255, 255], [255, 255, 255],
  ]
  if index < 16 { return basic[index] }
  if index >= 232 { return Array(repeating: Double(8 + 10 * (index - 232)), count: 3) }
  let levels: [Double] = [0, 95, 135, 175, 215, 255]
  return [(index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6].map { levels[$0] }
}

/// WCAG 2.1, 1.4.3.
private func contrast(_ a: [Double], _ b: [Double]) -> Double {
  func luminance(_ color: [Double]) -> Double {
    let parts = color.map { part in
      let value = part / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }
  let (lighter, darker) = (max(luminance(a), luminance(b)), min(luminance(a), luminance(b)))
  return (lighter + 0.05) / (darker + 0.05)
}
