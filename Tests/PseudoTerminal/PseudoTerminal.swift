// The front door of this module: `PseudoTerminal` runs a program on a terminal of its own and shows
// what a user would see there. `ScreenText` is one look at that screen.

internal import CVTerm
package import ChildProcess
internal import Dispatch
internal import Synchronization

/// A program running on a pseudo-terminal whose other end is libvterm, an emulation of xterm.
///
/// Keys, pastes and the mouse go through the emulation too: they are encoded as the program has
/// asked for, and what it has not asked for is not sent. May be used from any task. The program is
/// ended with the value.
package final class PseudoTerminal: Sendable {
  package let processID: Int32
  private let master: Int32
  private let emulator: SharedEmulator
  private let ending = Mutex<ProcessEnding?>(nil)

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - environment: What differs from the default environment, which is `PATH`, `HOME`,
  ///     `TERM=xterm-256color` and `LANG=C.UTF-8`; nil takes a variable out.
  ///   - cell: in pixels; a terminal that does not tell them has none.
  ///   - answers: What the terminal answers to what it is asked, pairs of sequences; nil leaves that to the emulation.
  /// - Throws: `PseudoTerminalError` when there is no terminal to be had, or no such program.
  package init(
    executable: String, arguments: [String] = [], environment: [String: String?] = [:],
    size: (width: Int, height: Int) = (80, 24), cell: (width: Int, height: Int)? = nil,
    answers: [(question: String, answer: String)]? = nil
  ) throws {
    let variables = Environment.default.merging(environment) { $1 }
    let texts = variables.compactMap { name, value in value.map { "\(name)=\($0)" } }
    var master: Int32 = -1
    processID = withCStrings([executable] + arguments) { arguments in
      withCStrings(texts) { environment in
        telex_pty_spawn(
          executable, arguments, environment, Int32(size.width), Int32(size.height), &master)
      }
    }
    guard processID > 0 else {
      throw PseudoTerminalError.cannotStart(executable, reason: String(cString: telex_last_error()))
    }
    let emulator = SharedEmulator(width: size.width, height: size.height)
    if let answers { emulator.locked { $0.answers = TerminalAnswers(answers) } }
    self.master = master
    self.emulator = emulator
    if let cell {
      _ = telex_pty_resize(
        master, Int32(size.width), Int32(size.height), Int32(size.width * cell.width),
        Int32(size.height * cell.height))
    }
    // The reader has a descriptor of its own, and may outlive this value by a moment.
    let descriptor = telex_duplicate(master)
    DispatchQueue(label: "pseudo-terminal").async { @Sendable in
      emulator.readAll(from: descriptor)
      close(descriptor)
    }
  }

  deinit {
    if ending.withLock({ $0 }) == nil {
      var value: Int32 = 0
      kill(processID, SIGKILL)
      _ = telex_wait(processID, true, &value)
    }
    emulator.abandon()
    close(master)
  }

  // MARK: - Output

  /// What the terminal shows now.
  package var screen: ScreenText { emulator.locked { $0.screen } }

  /// The bytes that the program has written: the last megabyte of them.
  package var output: [UInt8] { emulator.locked { $0.output } }

  /// Waits until the screen is as it should be, and returns it.
  ///
  /// - Parameter expectation: What is waited for, for the error's text.
  /// - Throws: `PseudoTerminalError.timeout`, which shows the last screen; `CancellationError`.
  @discardableResult
  package func wait(
    until expectation: String, timeout: Duration = .seconds(60),
    _ isMet: (ScreenText) throws -> Bool
  ) async throws -> ScreenText {
    let deadline = ContinuousClock.now + timeout
    while true {
      let screen = screen
      if try isMet(screen) { return screen }
      if ContinuousClock.now >= deadline {
        throw PseudoTerminalError.timeout(expectation, screen)
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Waits until the text is somewhere on the screen.
  @discardableResult
  package func wait(for text: String, timeout: Duration = .seconds(60)) async throws -> ScreenText {
    try await wait(until: "the screen shows \"\(text)\"", timeout: timeout) { $0.contains(text) }
  }

  /// Takes nothing of what the program writes, as a terminal that hangs, until it is told to go on.
  package func takeNothing(_ isSo: Bool) { emulator.locked { $0.takesNothing = isSo } }

  /// Answers otherwise from now on.
  package func answer(_ answers: [(question: String, answer: String)]) {
    emulator.locked { $0.answers = TerminalAnswers(answers) }
  }

  // MARK: - Input

  /// Sends the text as if typed.
  package func send(_ text: String) throws { try write(Array(text.utf8)) }

  package func send(_ key: Key) throws { try write(emulator.encoded { $0.press(key) }) }

  /// Sends the text as a paste, bracketed when the program has asked for that.
  package func paste(_ text: String) throws {
    try write(
      emulator.encoded { $0.bracketPaste(begins: true) } + Array(text.utf8)
        + emulator.encoded { $0.bracketPaste(begins: false) })
  }

  package func click(x: Int, y: Int) throws {
    try write(emulator.encoded { $0.click(.left, x: x, y: y) })
  }

  package func turnWheel(_ direction: WheelDirection, x: Int, y: Int) throws {
    try write(emulator.encoded { $0.click(direction == .up ? .wheelUp : .wheelDown, x: x, y: y) })
  }

  /// Sends the bytes as they are, encoded by nobody.
  package func write(_ bytes: [UInt8]) throws {
    guard telex_pty_write(master, bytes, bytes.count) else {
      throw PseudoTerminalError.doesNotRead
    }
  }

  // MARK: - Terminal and process

  /// Gives the window another size, which the program learns by SIGWINCH.
  ///
  /// - Parameter cell: in pixels; a terminal that does not tell them has none.
  package func resize(width: Int, height: Int, cell: (width: Int, height: Int) = (0, 0)) {
    emulator.locked { $0.resize(width: width, height: height) }
    _ = telex_pty_resize(
      master, Int32(width), Int32(height), Int32(width * cell.width), Int32(height * cell.height))
  }

  /// The modes of the line, as `stty` would show them.
  package var modes: LineModes {
    var modes = termios()
    tcgetattr(master, &modes)
    return LineModes(modes)
  }

  /// The process group that has the terminal now: Ctrl-C and Ctrl-Z go to it, and it may read.
  package var foregroundGroup: Int32 { tcgetpgrp(master) }

  /// Takes the terminal away, as when its window is closed. Nothing can be sent or read any more.
  package func hangUp() {
    emulator.abandon()
    telex_pty_hang_up(master)
  }

  package func signal(_ number: Int32) { kill(processID, number) }

  /// Waits for the program's end, and for all that it wrote.
  ///
  /// - Throws: `PseudoTerminalError.timeout`, which shows the last screen; `CancellationError`.
  package func waitForEnd(timeout: Duration = .seconds(60)) async throws -> ProcessEnding {
    let deadline = ContinuousClock.now + timeout
    while true {
      // What it wrote last may still be on its way, unless a child of its own keeps the line open.
      if let ending = reap(), emulator.isEnded || ContinuousClock.now >= deadline { return ending }
      if ContinuousClock.now >= deadline {
        throw PseudoTerminalError.timeout("the program ends", screen)
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  private func reap() -> ProcessEnding? {
    ending.withLock { ending in
      if ending != nil { return ending }
      var value: Int32 = 0
      switch telex_wait(processID, false, &value) {
      case 1: ending = .exited(value)
      case 2: ending = .signaled(value)
      default: break
      }
      return ending
    }
  }
}
