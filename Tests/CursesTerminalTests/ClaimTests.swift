import ChildProcess
import PseudoTerminal
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite(.timeLimit(.minutes(10)))
struct ClaimTests {
  @Test func `The terminal is claimed, and given back at the end`() async throws {
    let terminal = try startSample()
    try await terminal.wait(for: "size 60x16")
    #expect(terminal.screen.isAlternateScreen && !terminal.screen.isCursorVisible)
    #expect(!terminal.modes.echoes && !terminal.modes.isCanonical && !terminal.modes.makesSignals)
    try terminal.send(.control("c"))
    #expect(try await terminal.waitForEnd() == .exited(0))
    #expect(isGivenBack(terminal))
    #expect(terminal.screen.contains("sample ended: Ctrl-C"))
    #expect(modesLeftOn(by: terminal) == [])
  }

  @Test(arguments: [SIGTERM, SIGHUP])
  func `A signal to end gives the terminal back first`(number: Int32) async throws {
    let terminal = try startSample()
    try await terminal.wait(for: "size 60x16")
    terminal.signal(number)
    #expect(try await terminal.waitForEnd() == .exited(0))
    #expect(isGivenBack(terminal))
    #expect(terminal.screen.contains("sample ended: signal \(number)"))
  }

  @Test(arguments: [SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP])
  func `A crash gives the terminal back and stays a crash`(number: Int32) async throws {
    let terminal = try startSample()
    try await terminal.wait(for: "size 60x16")
    terminal.signal(number)
    #expect(try await terminal.waitForEnd() == .signaled(number))
    #expect(isGivenBack(terminal))
    #expect(modesLeftOn(by: terminal) == [])
  }

  @Test func `A full stack gives the terminal back`() async throws {
    let terminal = try startSample()
    try await terminal.wait(for: "size 60x16")
    try terminal.send(.control("r"))
    let ending = try await terminal.waitForEnd()
    #expect([.signaled(SIGSEGV), .signaled(SIGBUS)].contains(ending))
    #expect(isGivenBack(terminal))
  }

  @Test func `A trap in Swift gives the terminal back`() async throws {
    let terminal = try startSample()
    try await terminal.wait(for: "size 60x16")
    try terminal.send(.control("t"))
    let ending = try await terminal.waitForEnd()
    #expect([.signaled(SIGILL), .signaled(SIGTRAP)].contains(ending))
    #expect(isGivenBack(terminal))
  }

  @Test func `Another program may borrow the terminal`() async throws {
    let terminal = try startSample()
    try await terminal.wait(for: "size 60x16")
    try terminal.send(.control("l"))
    try await terminal.wait(for: "lent: press Return")
    try await terminal.wait(until: "the terminal is lent") { _ in isGivenBack(terminal) }
    // Typed for the other program: not an event of this one.
    try terminal.send("x")
    try terminal.send(.enter)
    let screen = try await terminal.wait(until: "it is drawn again") {
      $0.isAlternateScreen && $0.contains("size 60x16")
    }
    #expect(!screen.contains("character x"))
    try terminal.send("y")
    try await terminal.wait(for: "character y")
  }

  @Test func `Ctrl-Z leaves the terminal to the shell, and fg brings the program back`()
    async throws
  {
    // A shell, for without one the kernel does not stop a job.
    let shell = try PseudoTerminal(
      executable: "/bin/sh", arguments: ["-i"], environment: ["PS1": "ready> ", "ENV": nil],
      size: (60, 16))
    try await shell.wait(for: "ready>")
    try shell.send("\(BuiltProduct.path(of: "terminal-sample"))\r")
    try await shell.wait(for: "size 60x16")
    try shell.send("a")
    try await shell.wait(for: "character a")
    for _ in 1...2 {
      try shell.send(.control("z"))
      try await shell.wait(until: "the shell has the terminal") {
        $0.contains("Stopped") && isGivenBack(shell)
      }
      try shell.send("fg\r")
      try await shell.wait(until: "the program is drawn again") {
        $0.isAlternateScreen && $0.contains("size 60x16") && $0.contains("character a")
      }
    }
    try shell.send("b")
    try await shell.wait(for: "character b")
    try shell.send(.control("c"))
    try await shell.wait(for: "sample ended: Ctrl-C")
    #expect(isGivenBack(shell))
  }

  @Test func `A program stopped from outside claims the terminal anew when continued`() async throws
  {
    let terminal = try startSample()
    try await terminal.wait(for: "size 60x16")
    terminal.signal(SIGSTOP)
    terminal.signal(SIGCONT)
    try terminal.send("a")
    try await terminal.wait(until: "it goes on") {
      $0.isAlternateScreen && !$0.isCursorVisible && $0.contains("character a")
    }
    #expect(!terminal.modes.echoes)
  }

  @Test func `Ctrl-Z without a shell changes nothing`() async throws {
    let terminal = try startSample()
    try await terminal.wait(for: "size 60x16")
    try terminal.send(.control("z"))
    try terminal.send("a")
    try await terminal.wait(for: "character a")
    #expect(terminal.screen.isAlternateScreen && !terminal.modes.echoes)
  }

  @Test(
    arguments: [
      (["TERM": nil], "TERM is not set"), (["TERM": ""], "TERM is not set"),
      (["TERM": "dumb"], "TERM=dumb cannot move its cursor"),
    ] as [([String: String?], String)])
  func `A terminal that cannot be used is named in the error`(
    environment: [String: String?], message: String
  ) async throws {
    let terminal = try startSample(environment: environment, size: (150, 16))
    #expect(try await terminal.waitForEnd() == .exited(1))
    #expect(terminal.screen.text.contains("sample failed: "))
    #expect(terminal.screen.text.contains(message))
    #expect(isGivenBack(terminal))
  }

  @Test func `Without a terminal there is an error instead of a screen`() async throws {
    let shell = try PseudoTerminal(
      executable: "/bin/sh",
      arguments: [
        "-c", "\"$0\" </dev/null; \"$0\" | cat", BuiltProduct.path(of: "terminal-sample"),
      ],
      size: (120, 10))
    #expect(try await shell.waitForEnd() == .exited(0))
    #expect(shell.screen.contains("standard input is not a terminal"))
    #expect(shell.screen.contains("standard output is not a terminal"))
  }

  @Test(arguments: ["C", "POSIX", "no_SUCH.locale"])
  func `A locale without UTF-8 does not cost the characters`(locale: String) async throws {
    let terminal = try startSample("text", environment: ["LANG": nil, "LC_ALL": locale])
    let screen = try await terminal.wait(for: "heart")
    #expect(screen.lines[0] == "漢字 wide")
  }
}
