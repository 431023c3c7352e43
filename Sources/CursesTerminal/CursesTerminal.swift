// The front door of this module: `CursesTerminal`, the terminal that ncurses knows. Nothing else in
// the program touches ncurses, and no pointer of it leaves the module.

internal import CNcurses
internal import Dispatch
package import Screen

/// The terminal on standard input and output, claimed through ncurses.
///
/// Make one for the whole life of the program, and call `restore()` before it ends; after a crash (a trap, a bad address)
/// and on SIGQUIT a signal handler restores the terminal. No other signal is handled here: the program watches SIGWINCH
/// (then `resize()`), SIGTSTP (`stop()`), SIGCONT (`resume()`), SIGTERM and SIGHUP (`restore()`).
///
/// The terminal is in raw mode: Ctrl-C, Ctrl-Z and Ctrl-\ arrive as `.control` keys. For Ctrl-Z call `stop()`.
@MainActor
package final class CursesTerminal: Terminal {
  package private(set) var size: Size
  /// The size of a cell in pixels, as of the last resize; nil where it is not known.
  package private(set) var cell: Size?
  /// The size of a cell by the terminal's answer, before its last resize perhaps.
  private var toldCell: Size?
  /// How many colours can be shown: 0, 8, 16, 256 or 2²⁴.
  package var colors: Int { painter.colors }
  /// Whether the terminal is gone: the window was closed, or the connection dropped. `events()` stays empty
  /// then, and the input handler is not called again.
  package private(set) var hasHungUp = false

  private enum Phase {
    case claimed, lent, restored
  }

  private var phase = Phase.claimed
  private let wantsMouse: Bool
  /// The modes before the claim.
  private let modes: termios
  private let keyboard: UnsafeMutableRawPointer
  private var painter: FramePainter
  private var decoder = InputDecoder()
  private var clicks = ClickCounter()
  private var source: InputSource?
  /// As `TERM` names it.
  private let type: String
  private var asked: ContinuousClock.Instant?
  /// Since when the decoder has held back what may be keys.
  private var held: ContinuousClock.Instant?
  /// When something was read last.
  private var lastRead: ContinuousClock.Instant?
  /// The name given to the window; nil for none.
  private var windowTitle: String?
  /// The question about pictures, until the terminal has answered or is not waited for any more.
  private var question: GraphicsQuestion?
  private var questionAsked: ContinuousClock.Instant?
  private var whenAnswered: (@MainActor (PixelSupport?) -> Void)?
  /// The last frame, drawn again as its pixels are sent, or once emoji can be drawn.
  private var latest: Frame?
  private var awaitsPixels = false
  /// Whether the line took nothing when the modes should have been set.
  private var owesModes = false
  /// How long a line that takes nothing is waited for before the terminal is given away, in milliseconds.
  private static let longestStall: Int32 = 2_000
  /// Whether the terminal offers kitty's keyboard protocol.
  private var hasKeyProtocol = false
  /// The last frame, while the line takes nothing.
  private var delayed: Frame?
  /// Events that came while the terminal's answer was awaited.
  private var early: [InputEvent] = []

  /// How long a key that looks like the beginning of an answer is held.
  private static let longestHold = Duration.milliseconds(100)
  /// How long an escape byte may begin an answer. A later answer is swallowed.
  private static let longestReply = Duration.seconds(10)

  /// How long the answer to a question about pictures is waited for, each time.
  private static let longestAnswer = Duration.seconds(1)

  /// Claims the terminal.
  ///
  /// A type without a description on this machine is treated as an xterm. A locale that is not UTF-8 is replaced by
  /// `C.UTF-8` for this process.
  ///
  /// - Parameters:
  ///   - mouse: Whether clicks and the wheel are reported. The terminal's own selection then needs Shift.
  ///   - ordersText: Whether right-to-left texts are put into the order of the screen here, with FriBidi. Terminals that
  ///     do so themselves are told not to, at the first such text. Else letters keep the order of the text.
  /// - Throws: `TerminalError`.
  package init(mouse: Bool = true, ordersText: Bool = true) throws {
    guard isatty(TerminalLine.input) == 1 else { throw TerminalError.inputIsNotATerminal }
    guard isatty(TerminalLine.output) == 1 else { throw TerminalError.outputIsNotATerminal }
    _ = telex_claim_utf8()
    modes = TerminalLine.modes
    (keyboard, type) = try Self.openScreen(over: modes)
    wantsMouse = mouse
    painter = FramePainter()
    if !ordersText { painter.texts = .none }
    size = TerminalLine.size
    cell = TerminalLine.cell
    resizeterm(Int32(size.height), Int32(size.width))
    Rescue.install(modes: modes)
    enterModes()
  }

  /// Whether right-to-left text can be put into order. Opens FriBidi.
  package nonisolated static var canOrderText: Bool { FriBidi() != nil }

  /// Calls the handler on the main actor when input has arrived or the line has gone, and then not
  /// again before `events()` has been called. A later call replaces the handler.
  package func onInput(_ handler: @escaping @MainActor () -> Void) {
    source?.cancel()
    source = InputSource(descriptor: TerminalLine.input, handler: handler)
  }

  /// Asks the terminal, where its type knows questions, for its keyboard, its emoji, and its background if that is wanted:
  /// after the first frame, which waits for no answer. That about the background may come among the events.
  package func ask(background: Bool) {
    guard phase == .claimed, takesCommands else { return }
    asked = .now
    if background {
      decoder.awaitsReply = true
      TerminalLine.write(BackgroundQuestion.text)
    }
    // No sample of emoji may be wrapped.
    guard size.width >= 8, size.height >= 3 else { return }
    decoder.awaitsCursor = true
    painter.ask()
  }

  /// Lets the terminal copy a text (OSC 52), which it may ignore; false where its type knows no such sequences.
  package func copy(base64: String) -> Bool {
    guard phase == .claimed, takesCommands else { return false }
    TerminalLine.write("\u{1B}]52;c;\(base64)\u{07}")
    return true
  }

  /// Names the window (OSC 2), without control characters. Its former name comes back when the terminal is given away,
  /// where the terminal keeps one.
  package func name(window title: String) {
    guard phase == .claimed, takesCommands, title != windowTitle else { return }
    if windowTitle == nil { TerminalLine.write(TerminalLine.titleKept) }
    windowTitle = title
    TerminalLine.write("\u{1B}]2;\(title)\u{1B}\\")
  }

  /// Whether terminals of this type swallow unknown commands (OSC). Others print them.
  package var takesCommands: Bool { BackgroundQuestion.isUnderstood(byType: type) }

  /// Alerts the user; the screen stays as it is. tmux passes on wrapped commands where it is allowed to.
  package func alert(_ alert: Alert, isInTmux: Bool) {
    guard phase == .claimed, takesCommands || alert == .bell else { return }
    TerminalLine.write(alert.bytes(isInTmux: isInTmux))
  }

  /// Draws a frame; only what differs from the previous one is sent.
  package func present(_ frame: Frame) {
    guard phase == .claimed else { return }
    latest = frame
    painter.pixels.cell = cell
    switch TerminalLine.mend() {
    case .nothing: break
    case .mended:
      painter.startOver()
      if owesModes { writeModes() }
    case .stalled: return presentLater(frame)
    }
    delayed = nil
    painter.paint(frame)
    schedulePixels()
  }

  /// Draws a frame, or the one after it, when the line may take something again.
  private func presentLater(_ frame: Frame) {
    let isAwaited = delayed != nil
    delayed = frame
    guard !isAwaited else { return }
    after(.milliseconds(100)) { terminal in
      guard let frame = terminal.delayed else { return }
      terminal.delayed = nil
      terminal.present(frame)
    }
  }

  // MARK: - Pixels

  /// Asks the terminal whether it shows pictures in pixels, and shows those of the frames from then on. The handler is
  /// called once, after two seconds at most; where the terminal is lent before it has answered, it is asked anew
  /// afterwards.
  ///
  /// - Parameters:
  ///   - wanted: the protocol to use whatever it answers.
  ///   - isBehind: whether a program with a screen of its own, such as tmux, is between.
  ///   - isThroughTmux: whether that is tmux, which passes commands on to a terminal that draws kitty's graphics in the
  ///     place of text.
  package func askGraphics(
    wanted: PixelProtocol?, isBehind: Bool, isThroughTmux: Bool = false,
    _ handler: @escaping @MainActor (PixelSupport?) -> Void
  ) {
    guard phase == .claimed, takesCommands, question == nil,
      isThroughTmux
        || GraphicsQuestion.mayBeAsked(type: type, isBehind: isBehind, wanted: wanted)
    else { return handler(nil) }
    whenAnswered = handler
    let question = GraphicsQuestion(wanted: wanted, type: type, isThroughTmux: isThroughTmux)
    self.question = question
    ask(question.first)
  }

  /// Asks again what the terminal had not answered before it was lent.
  private func askAgain() {
    guard let former = question else { return }
    let question = GraphicsQuestion(
      wanted: former.wanted, type: type, isThroughTmux: former.isThroughTmux)
    self.question = question
    ask(question.first)
  }

  private func ask(_ text: String) {
    let now = ContinuousClock.now
    questionAsked = now
    decoder.awaitsGraphics = true
    TerminalLine.write(text)
    after(Self.longestAnswer) { terminal in
      guard terminal.questionAsked == now, terminal.phase == .claimed else { return }
      terminal.endQuestion()
    }
  }

  /// Handles the terminal's reports on itself.
  private func handleReports() {
    let reports = decoder.reports
    decoder.reports = []
    for report in reports {
      handle(report)
      if question == nil { painter.pixels.receive(report) }
      if let next = question?.receive(report) {
        // Else all is asked anew when the terminal is back.
        if phase == .claimed { ask(next) }
      }
      if question?.isOver == true {
        decoder.awaitsGraphics = false
        endQuestion()
      }
    }
  }

  /// Handles an answer about the keyboard or the emoji.
  private func handle(_ report: TerminalReport) {
    guard decoder.awaitsCursor else { return }
    switch report {
    case .keyboard where !hasKeyProtocol:
      hasKeyProtocol = true
      if phase == .claimed { enterKeys() }
    case .cursor(let column):
      guard painter.receive(column: column) else { return }
      decoder.awaitsCursor = false
      if let latest { present(latest) }
    default: return
    }
  }

  private func endQuestion() {
    guard let question else { return }
    self.question = nil
    toldCell = question.cell ?? toldCell
    cell = cell ?? toldCell
    painter.pixels.support = question.support
    // Those that tmux keeps as text go with the text.
    if question.support?.form == .kitty, !question.isThroughTmux { Rescue.takesPictures = true }
    whenAnswered?(question.support)
    whenAnswered = nil
  }

  /// Schedules the sending of further pixels, in order with other events.
  private func schedulePixels() {
    guard painter.pixels.isPending, !awaitsPixels else { return }
    awaitsPixels = true
    after(painter.pixels.pause) { terminal in
      terminal.awaitsPixels = false
      guard terminal.phase == .claimed, let latest = terminal.latest else { return }
      terminal.painter.pixels.sendSome()
      terminal.present(latest)
    }
  }

  private func after(
    _ delay: Duration, _ work: @escaping @MainActor @Sendable (CursesTerminal) -> Void
  ) {
    let milliseconds = Int(delay / .milliseconds(1))
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
      @Sendable [weak self] in
      MainActor.assumeIsolated { if let self { work(self) } }
    }
  }

  /// The events that have arrived. Never waits.
  package func events() -> [InputEvent] {
    guard phase == .claimed else { return [] }
    Rescue.useOwnStack()
    var events = early
    early = []
    if let asked, .now - asked > Self.longestReply {
      decoder.awaitsReply = false
      decoder.awaitsCursor = false
    }
    if let questionAsked, .now - questionAsked > Self.longestReply {
      decoder.awaitsGraphics = false
    }
    if readKeys(into: &events) { held = nil }
    handleReports()
    decoder.pause(into: &events)
    releaseHeld(into: &events)
    if TerminalLine.isHungUp {
      hasHungUp = true
    } else {
      source?.drained()
    }
    return events.map { event in
      guard case .mouse(var mouse) = event else { return event }
      mouse.x = painter.column(atX: mouse.x, y: mouse.y)
      return .mouse(clicks.count(mouse, at: .now))
    }
  }

  /// - Returns: whether there were any.
  private func readKeys(into events: inout [InputEvent]) -> Bool {
    var codes: [Int32] = []
    while case let code = telex_read_key(keyboard), code != ERR { codes.append(code) }
    guard !codes.isEmpty else { return false }
    let now = ContinuousClock.now
    decoder.begin(count: codes.count, after: lastRead.map { now - $0 } ?? .zero, into: &events)
    lastRead = now
    for code in codes { decoder.feed(code, into: &events) }
    return true
  }

  /// Emits keys that the decoder has held for long enough, or schedules another look.
  private func releaseHeld(into events: inout [InputEvent]) {
    guard decoder.isHolding else { return }
    let since = held ?? .now
    guard .now - since < Self.longestHold else {
      decoder.release(into: &events)
      return
    }
    guard held == nil else { return }
    held = since
    source?.fire(after: Self.longestHold)
  }

  /// Adopts the new size of the window. The next frame is drawn whole.
  package func resize() {
    size = TerminalLine.size
    cell = TerminalLine.cell ?? toldCell
    guard phase == .claimed else { return }
    resizeterm(Int32(size.height), Int32(size.width))
    painter.forget()
    // Xterm takes pictures up to the size of its window.
    if painter.pixels.support?.largest != nil { TerminalLine.write(GraphicsQuestion.limits) }
  }

  /// Gives the terminal to another program until `resume()`.
  package func suspend() {
    guard phase == .claimed else { return }
    phase = .lent
    source?.pause()
    handleReply()
    leaveModes()
  }

  /// Waits for an answer to a recent question, a tenth of a second at most: the next program would get it as keys.
  private func handleReply() {
    let asked = [
      decoder.awaitsReply || decoder.awaitsCursor ? asked : nil,
      decoder.awaitsGraphics ? questionAsked : nil,
    ].compactMap(\.self)
    guard asked.contains(where: { .now - $0 < .seconds(1) }) else { return }
    let deadline = ContinuousClock.now + .milliseconds(100)
    while decoder.awaitsAnything, case let left = deadline - .now, left > .zero {
      let milliseconds = Int32(left / .milliseconds(1)) + 1
      guard telex_wait_for_input(TerminalLine.input, milliseconds), readKeys(into: &early) else {
        return
      }
      handleReports()
    }
  }

  /// Takes the terminal back. The next frame is drawn whole.
  package func resume() {
    guard phase != .restored else { return }
    // Claimed already, but stopped and continued from outside: the shell has changed the modes.
    if phase == .claimed {
      leaveKeys()
      endwin()
    }
    phase = .claimed
    reset_prog_mode()
    enterModes()
    resize()
    askAgain()
    source?.unpause()
    // Typed before the terminal was lent.
    if !early.isEmpty { source?.fire(after: .zero) }
  }

  /// Stops the program and the others of its job, as Ctrl-Z does where a terminal is not raw, until the job is in the
  /// foreground again. Without a shell that could continue it, the program goes on at once.
  package func stop() {
    suspend()
    telex_stop_job(TerminalLine.input)
    resume()
  }

  /// Stops the program and the others of its job while another program has the terminal.
  package func stopWhileSuspended() { telex_stop_job(TerminalLine.input) }

  /// Gives the terminal back as it was found. Calling it again does nothing.
  package func restore() {
    guard phase != .restored else { return }
    suspend()
    phase = .restored
    endQuestion()
    source?.cancel()
    source = nil
  }

  // MARK: - Claiming

  /// Makes ncurses' screen, and returns the window that input is read through.
  private static func openScreen(
    over modes: termios
  ) throws -> (keyboard: UnsafeMutableRawPointer, type: String) {
    guard let type = getenv("TERM").map({ String(cString: $0) }), !type.isEmpty else {
      throw TerminalError.typeIsNotSet
    }
    // A type of sixteen colours that is unknown here is not taken for one of 256.
    let relative = type.hasSuffix("-16color") ? [String(type.dropLast("-16color".count))] : []
    let output = FrameOutput.shared.stream
    let candidates = Self.direct(type) + [type] + relative + ["xterm-256color", "xterm", "vt100"]
    guard let screen = candidates.lazy.compactMap({ telex_newterm($0, output) }).first
    else {
      throw TerminalError.typeIsUnknown(type)
    }
    guard telex_has_cursor_address(), let keyboard = telex_open_keyboard() else {
      endwin()
      delscreen(screen)
      TerminalLine.modes = modes
      throw TerminalError.typeIsTooPlain(type)
    }
    raw()
    noecho()
    nonl()
    // ncurses has read the variable. Its own wait without it is a second, before which Escape does nothing.
    if getenv("ESCDELAY").flatMap({ Int32(String(cString: $0)) }).map({ $0 >= 0 }) != true {
      set_escdelay(25)
    }
    idlok(telex_stdscr(), true)
    // InputDecoder reads the mouse: ncurses would do so in the old encoding under some types.
    keyok(KEY_MOUSE, false)
    def_prog_mode()
    return (keyboard, type)
  }

  /// The description of a terminal with direct colours, where it claims them and this machine may have one.
  private static func direct(_ type: String) -> [String] {
    let colors = getenv("COLORTERM").map { String(cString: $0) }
    guard ["truecolor", "24bit"].contains(colors), type.hasSuffix("-256color") else { return [] }
    return [type.dropLast("-256color".count) + "-direct"]
  }

  private func enterModes() {
    Rescue.arm(true)
    // A sequence of a frame that was cut off would swallow them.
    owesModes = TerminalLine.mend() == .stalled
    TerminalLine.waitUntilWritable()
    // Comes back from endwin() here and now, not with the next frame. The modes of the keyboard belong to the screen.
    doupdate()
    if !owesModes { writeModes() }
  }

  private func writeModes() {
    owesModes = false
    TerminalLine.write(TerminalLine.pasteOn)
    if wantsMouse { TerminalLine.write(TerminalLine.mouseOn) }
    painter.texts.enterMode()
    if hasKeyProtocol { enterKeys() }
  }

  private func enterKeys() {
    // First, for a crash may come between.
    Rescue.leavesKeys = true
    TerminalLine.write(TerminalLine.keysOn)
  }

  private func leaveKeys() {
    guard Rescue.leavesKeys else { return }
    TerminalLine.write(TerminalLine.keysOff)
    Rescue.leavesKeys = false
  }

  private func leaveModes() {
    TerminalLine.mend(waiting: Self.longestStall)
    painter.withdrawPixels()
    if windowTitle != nil { TerminalLine.write(TerminalLine.titleBack) }
    windowTitle = nil
    if wantsMouse { TerminalLine.write(TerminalLine.mouseOff) }
    TerminalLine.write(TerminalLine.pasteOff)
    leaveKeys()
    painter.texts.leaveMode()
    TerminalLine.waitUntilWritable()
    // A terminal without a second screen goes on where this one ends.
    wmove(telex_stdscr(), getmaxy(telex_stdscr()) - 1, 0)
    wclrtoeol(telex_stdscr())
    wrefresh(telex_stdscr())
    endwin()
    // Terminals that keep with the first screen whether the cursor showed have it hidden there, where a part of the
    // second one was scrolled: ncurses saves the cursor for that.
    if takesCommands { TerminalLine.write(TerminalLine.cursorShown) }
    TerminalLine.modes = modes
    Rescue.arm(false)
  }
}
