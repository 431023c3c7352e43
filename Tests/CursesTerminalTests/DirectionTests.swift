import ChildProcess
import PseudoTerminal
import Requirements
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Right-to-left text on a terminal, and what the terminal is told of it.
@Suite(.timeLimit(.minutes(10)), .needs(.fribidi)) struct DirectionTests {
  /// The sequences of the bidirectional mode that were sent, in order.
  private static func modes(_ terminal: PseudoTerminal) -> [String] {
    String(decoding: terminal.output, as: UTF8.self).matches(of: #/\u{1b}\[8([hl])/#)
      .map { String($0.1) }
  }

  @Test func `A text is shown from the right, and the terminal told to leave it so`() async throws {
    let terminal = try startSample("direction")
    try await terminal.wait(for: "direction")
    try terminal.send("a")
    let screen = try await terminal.wait(for: "(world) םולש")
    #expect(screen.lines[1] == String(repeating: " ", count: 48) + "(world) םולש")
    // Behind the last letter, which is on the left.
    #expect(screen.cursor.x == 47 && screen.cursor.y == 1)
    try terminal.send("b")
    try await terminal.wait(for: "character b")
    #expect(Self.modes(terminal) == ["l"])
    try terminal.send(.control("c"))
    #expect(try await terminal.waitForEnd() == .exited(0))
    #expect(Self.modes(terminal) == ["l", "h"])
  }

  @Test func `Mlterm is told in its own way, too`() async throws {
    let terminal = try startSample("direction", environment: ["MLTERM": "3.9.0"])
    try await terminal.wait(for: "direction")
    try terminal.send("a")
    try await terminal.wait(for: "םולש")
    try terminal.send(.control("c"))
    #expect(try await terminal.waitForEnd() == .exited(0))
    let settings = String(decoding: terminal.output, as: UTF8.self)
      .matches(of: #/\u{1b}\]5379;use_ctl=([a-z]+)/#).map { String($0.1) }
    #expect(settings == ["false", "true"])
  }

  @Test(arguments: [
    ["TMUX": "socket,1,0", "VTE_VERSION": "7006"], ["STY": "1.a", "KONSOLE_VERSION": "221203"],
    ["TERM_PROGRAM": "Apple_Terminal"],
  ])
  func `A terminal that orders letters and cannot be told not to has them as they are`(
    environment: [String: String]
  ) async throws {
    let terminal = try startSample("direction", environment: environment)
    try await terminal.wait(for: "direction")
    try terminal.send("a")
    let screen = try await terminal.wait(for: "שלום")
    #expect(screen.lines[1] == "שלום (world)")
    try terminal.send(.control("c"))
    #expect(try await terminal.waitForEnd() == .exited(0))
    #expect(Self.modes(terminal) == [])
  }

  @Test func `Without such a text the terminal is told nothing`() async throws {
    let terminal = try startSample("direction")
    try await terminal.wait(for: "direction")
    try terminal.send("o")
    try await terminal.wait(for: "character o")
    try terminal.send(.control("c"))
    #expect(try await terminal.waitForEnd() == .exited(0))
    #expect(Self.modes(terminal) == [])
  }

  @Test func `Where it is turned off letters stay in the order of the text`() async throws {
    let terminal = try startSample("direction", arguments: ["logical"])
    try await terminal.wait(for: "direction")
    try terminal.send("a")
    let screen = try await terminal.wait(for: "שלום")
    #expect(screen.lines[1] == "שלום (world)")
    try terminal.send(.control("c"))
    #expect(try await terminal.waitForEnd() == .exited(0))
    #expect(Self.modes(terminal) == [])
  }

  @Test func `Whoever borrows the terminal has it as it was`() async throws {
    let terminal = try startSample("direction")
    try await terminal.wait(for: "direction")
    try terminal.send("a")
    try await terminal.wait(for: "םולש")
    try terminal.send(.control("l"))
    try await terminal.wait(for: "lent: press Return")
    #expect(Self.modes(terminal) == ["l", "h"])
    try terminal.send(.enter)
    try await terminal.wait(for: "םולש")
    #expect(Self.modes(terminal) == ["l", "h", "l"])
  }

  @Test func `Ctrl-Z leaves the terminal to the shell as it was`() async throws {
    let shell = try PseudoTerminal(
      executable: "/bin/sh", arguments: ["-i"], environment: ["PS1": "ready> ", "ENV": nil],
      size: (60, 16))
    try await shell.wait(for: "ready>")
    try shell.send("\(BuiltProduct.path(of: "terminal-sample")) direction\r")
    try await shell.wait(for: "direction")
    try shell.send("a")
    try await shell.wait(for: "םולש")
    try shell.send(.control("z"))
    try await shell.wait(for: "Stopped")
    #expect(Self.modes(shell) == ["l", "h"])
    try shell.send("fg\r")
    try await shell.wait(until: "it is drawn again") {
      $0.isAlternateScreen && $0.contains("םולש")
    }
    // The terminal is told again by SIGCONT, which comes after the program has gone on.
    let modes = Self.modes(shell)
    #expect(modes.count > 2 && modes.dropFirst(2).allSatisfy { $0 == "l" }, "\(modes)")
    try shell.send(.control("c"))
    try await shell.wait(for: "sample ended: Ctrl-C")
    #expect(Self.modes(shell).last == "h")
  }

  @Test(arguments: [SIGSEGV, SIGTRAP])
  func `A crash gives the terminal back as it was`(number: Int32) async throws {
    let terminal = try startSample("direction")
    try await terminal.wait(for: "direction")
    try terminal.send("a")
    try await terminal.wait(for: "םולש")
    terminal.signal(number)
    #expect(try await terminal.waitForEnd() == .signaled(number))
    #expect(Self.modes(terminal) == ["l", "h"])
    #expect(isGivenBack(terminal))
  }

  @Test func `A click is where the text has it`() async throws {
    let terminal = try startSample("direction")
    try await terminal.wait(for: "direction")
    try terminal.send("a")
    try await terminal.wait(for: "םולש")
    try terminal.click(x: 59, y: 1)
    try await terminal.wait(for: "click at (0, 1)")
    // The r of "world", the eighth letter of the text.
    try terminal.click(x: 51, y: 1)
    try await terminal.wait(for: "click at (8, 1)")
    try terminal.click(x: 51, y: 0)
    try await terminal.wait(for: "click at (51, 0)")
  }
}
