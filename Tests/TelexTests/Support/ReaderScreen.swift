import ChildProcess
import PseudoTerminal

extension ScreenText {
  /// The line of an article in the list; nil where it does not show.
  func row(_ title: String) -> String? { lines.first { $0.contains(title) } }

  /// The number of the story that stands lowest in the list; nil where none shows.
  var lastStory: Int? {
    lines.compactMap { $0.firstMatch(of: /Story (\d{3})/).flatMap { Int($0.1) } }.last
  }

  func isUnread(_ title: String) -> Bool { row(title)?.contains("●") == true }
  func isRead(_ title: String) -> Bool { row(title).map { !$0.contains("●") } ?? false }
  func isStarred(_ title: String) -> Bool { row(title)?.contains("★") == true }
}

extension PseudoTerminal {
  /// Whether the terminal is as a shell left it: main screen, visible cursor, cooked line.
  var isGivenBack: Bool {
    let (screen, modes) = (screen, modes)
    return !screen.isAlternateScreen && screen.isCursorVisible && modes.echoes
      && modes.isCanonical && modes.makesSignals && modes.mapsReturn && modes.processesOutput
  }

  /// Quits the reader, which must end well.
  func quit() async throws -> ProcessEnding {
    try send("Q")
    return try await waitForEnd()
  }

  /// Adds a feed by its address, as a user does.
  func add(_ address: String) async throws {
    try send("a")
    try await wait(for: "Subscribe to:")
    try send(address)
    try send(.enter)
  }
}
