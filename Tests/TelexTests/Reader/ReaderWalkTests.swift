import ChildProcess
import FeedServer
import Foundation
import PseudoTerminal
import TestSupport
import Testing

/// Every key of every set, the gestures of the mouse, and every theme, at small and large sizes: the reader goes on, and
/// gives the terminal back as it was.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ReaderWalkTests {
  struct Size: Sendable, CustomTestStringConvertible {
    var width: Int
    var height: Int
    var testDescription: String { "\(width)×\(height)" }
  }

  static let sizes = [
    Size(width: 40, height: 10), Size(width: 80, height: 24), Size(width: 120, height: 34),
    Size(width: 200, height: 60),
  ]

  /// A reader in which nothing leaves the sandbox, and quitting by a key is asked about.
  private func reader(
    _ settings: String, _ size: Size, type: String = "xterm-256color", in sandbox: Sandbox
  ) throws -> PseudoTerminal {
    let config = try sandbox.file(
      "config.toml",
      """
      [screen]
      confirm_quit = true
      open_at = "all"
      \(settings)
      [player]
      command = "true"
      """)
    return try sandbox.reader(
      "--config", config, environment: ["BROWSER": "true", "TERM": type],
      size: (size.width, size.height))
  }

  /// Leaves whatever is open, and quits.
  private func end(_ reader: PseudoTerminal) async throws {
    var ending: ProcessEnding?
    let isOver = await eventually(within: .seconds(30)) {
      for _ in 0..<3 { try? reader.send(.escape) }
      try? await Task.sleep(for: .milliseconds(30))
      try? reader.send(":quit\ry")
      ending = try? await reader.waitForEnd(timeout: .milliseconds(500))
      return ending != nil
    }
    #expect(isOver, "\(reader.screen.drawing)")
    #expect(ending == .exited(0), "\(reader.screen.drawing)")
    let isGivenBack = await eventually(within: .seconds(10)) { reader.isGivenBack }
    #expect(isGivenBack)
  }

  /// The keys of a set as a terminal sends them, each once.
  private func keys(of set: String, in sandbox: Sandbox) async throws -> [Key] {
    let output = try await sandbox.telex("config", "default", "--set", set).output
    var keys: [Key] = []
    for line in output.split(separator: "\n") {
      guard let match = line.firstMatch(of: #/^# [a-z".-]+ = \[(.*)\]  #/#) else { continue }
      for name in match.1.matches(of: #/"((?:[^"\\]|\\.)*)"/#) {
        let text = String(name.1).replacing("\\\\", with: "\\").replacing("\\\"", with: "\"")
        let key = try #require(Self.key(text), "\(text)")
        if !keys.contains(key) { keys.append(key) }
      }
    }
    return keys
  }

  private static func key(_ name: String) -> Key? {
    if name.count == 1, let letter = name.first {
      let arrows: [Character: Key] = ["↓": .down, "↑": .up, "←": .left, "→": .right]
      return arrows[letter] ?? .character(letter)
    }
    if name.hasPrefix("^"), let letter = name.last {
      return .control(Character(letter.lowercased()))
    }
    if name.hasPrefix("F"), let number = Int(name.dropFirst()) { return .function(number) }
    let named: [String: Key] = [
      "Space": .character(" "), "Enter": .enter, "Esc": .escape, "Tab": .tab, "Shift-Tab": .backTab,
      "BS": .backspace, "Backspace": .backspace, "Del": .delete, "PgUp": .pageUp,
      "PgDn": .pageDown, "Home": .home, "End": .end,
    ]
    return named[name]
  }

  @Test(arguments: ["vi", "emacs", "newsboat"], sizes)
  func `Every key of a set can be pressed anywhere`(_ set: String, _ size: Size) async throws {
    try await withNewspaper(newspaper(30)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let keys = try await keys(of: set, in: sandbox)
      #expect(keys.count > 60)
      let reader = try reader("[keys]\nset = \"\(set)\"", size, in: sandbox)
      try await reader.wait(for: "Story 00")
      for key in keys {
        // On the list, in an article, and in the sidebar; then out of whatever it has opened.
        for place in ["", "\r", "h"] {
          if !place.isEmpty { try reader.send(place) }
          try reader.send(key)
          for _ in 0..<3 { try reader.send(.escape) }
          try await Task.sleep(for: .milliseconds(1))
        }
      }
      try await end(reader)
    }
  }

  @Test(arguments: sizes)
  func `The mouse can do anything anywhere`(_ size: Size) async throws {
    try await withNewspaper(newspaper(30)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      let reader = try reader("", size, in: sandbox)
      try await reader.wait(for: "Story 00")
      func mouse(_ button: Int, _ x: Int, _ y: Int, _ end: String = "M") throws {
        try reader.send("\u{1B}[<\(button);\(x);\(y)\(end)")
      }
      for y in stride(from: 1, through: size.height, by: 3) {
        for x in stride(from: 1, through: size.width, by: 7) {
          try mouse(0, x, y)
          try mouse(32, max(1, x - 9), y)
          try mouse(32, min(size.width, x + 9), min(size.height, y + 3))
          try mouse(0, x, y, "m")
          try mouse(0, x, y)
          try mouse(0, x, y)
          try mouse(64, x, y)
          try mouse(65, x, y)
        }
        try await Task.sleep(for: .milliseconds(5))
      }
      try await end(reader)
    }
  }

  @Test(arguments: ["dark", "light"], sizes)
  func `Every theme is drawn with all the colours that the terminal has`(
    _ background: String, _ size: Size
  ) async throws {
    try await withNewspaper(newspaper(5)) { server, sandbox in
      try await sandbox.add(server.apiURL)
      for (type, sequence) in [
        ("xterm", "\u{1B}[3"), ("xterm-16color", "\u{1B}["), ("xterm-256color", "\u{1B}[38;5;"),
      ] {
        let reader = try reader("background = \"\(background)\"", size, type: type, in: sandbox)
        try await reader.wait(for: "Story 00")
        for name in ["solarized", "gruvbox", "nord", "rose", "contrast", "mono", "telex"] {
          try reader.send(":theme \(name)\r")
          try await reader.wait(until: "the theme is told") {
            $0.lines.joined(separator: " ").contains("screen.theme is \(name),")
          }
          try reader.send("\r")
          try await reader.wait(until: "the article is open") { $0.contains("body of") }
          try reader.send("?")
          try reader.send("q")
          try reader.send(.escape)
        }
        #expect(String(decoding: reader.output, as: UTF8.self).contains(sequence))
        try await end(reader)
      }
    }
  }
}
