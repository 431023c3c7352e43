internal import CursesTerminal
internal import Dispatch
internal import Foundation
internal import News
internal import Reader
internal import Screen
internal import TelexKit

/// Main loop of the reader on the terminal: takes actions from the inbox, reduces the state, draws it and
/// runs the effects.
@MainActor
final class ReaderProgram {
  private let composition: Composition
  private let inbox = Inbox()
  private let terminal: CursesTerminal
  private var state: ReaderState
  private lazy var runner = EffectRunner(
    composition: composition, inbox: inbox, browser: browser, place: place, program: self)
  private let browser: Browser
  private let place: ReaderPlace
  private let namesWindow: Bool
  private var pixels = Pixels.unknown
  private var drawing = Drawing.whole
  /// How often drawings were held.
  private var holds = 0
  /// Input that came before what it is for, oldest first.
  private var typedAhead: [Action] = []
  /// How often input was held.
  private var keyHolds = 0
  private let uptime = ContinuousClock.now

  private var signals: [any DispatchSourceSignal] = []
  private var ticker: (any DispatchSourceTimer)?
  private var ending: CheckedContinuation<Int32, Never>?
  private var status: Int32?
  /// When the user or a signal asked to quit; nil before.
  private var ended: ContinuousClock.Instant?
  private let signalQueue = DispatchQueue(label: "telex.signals", qos: .userInteractive)

  /// Claims the terminal and shows what is in the store.
  ///
  /// - Parameter verbs: of the command line, which can be asked for in the reader.
  init(
    _ composition: Composition, at place: ReaderPlace, verbs: [ReaderSettings.Verb]
  ) throws {
    self.composition = composition
    var place = place
    place.copyCommand = composition.settings.screen.copyCommand
    place.speech = SpeechProgram(
      own: composition.settings.screen.speechCommand,
      environment: ProcessInfo.processInfo.environment)
    place.opener = FileOpener(
      command: composition.settings.screen.player,
      usesTerminal: composition.settings.screen.playerUsesTerminal,
      environment: ProcessInfo.processInfo.environment)
    self.place = place
    let settings = composition.settings.screen
    namesWindow = settings.namesWindow
    let environment = ProcessInfo.processInfo.environment
    browser = Browser(settings)
    // Before the terminal is claimed, so that errors are printed on the ordinary screen.
    var habits = place.listHabits.habits
    habits.usual = settings.order
    let last = settings.opensWhereLeft ? place.last.place : LastPlace()
    let first = last.firstQuery(habits)
    var readerSettings = ReaderSettings(settings, verbs)
    for mistake in composition.settings.fileMistakes {
      readerSettings.keys.note(mistake.error.message, at: mistake.error.subject)
    }
    let highlights = readerSettings.highlights.compactMap(\.query)
    let (sidebar, timeline) = try LiveSnapshots(composition).first(
      of: first, highlighting: highlights)
    terminal = try CursesTerminal(mouse: settings.mouse, ordersText: settings.ordersText)
    let background = settings.background.map(Background.init)
    var themes = ThemeChoice(settings, &readerSettings.keys)
    themes.colors = settings.colors ? terminal.colors : 0
    themes.background = background ?? Background(environment)
    readerSettings.showsPictures = composition.settings.pictures.areShown && themes.colors >= 16
    readerSettings.metered = composition.settings.metered
    readerSettings.showsIcons = composition.settings.pictures.showsIcons
    state = ReaderState(
      size: terminal.size, clock: .local(), theme: themes.theme, settings: readerSettings)
    state.themes = themes
    if sidebar.feeds.isEmpty { state.libraries = Switching.found() }
    state.dividers = place.dividers.dividers
    last.restore(habits, in: &state)
    state.folds = place.folds.folds
    let asksTerminal = background == nil && themes.colors > 0
    state.followsBackground = asksTerminal
    _ = state.reduce(.subscriptions(.arrived(sidebar)))
    _ = state.reduce(.list(.arrived(timeline)))
    last.reopenArticle(in: &state)
    // Before the first drawing: from then on the user may end the program by a signal.
    catchSignals()
    terminal.present(state.render())
    // The terminal's answer arrives among the keys.
    terminal.ask(background: asksTerminal)
  }

  /// Runs until the reader quits, or a signal ends it.
  ///
  /// - Returns: the exit status.
  func run() async -> Int32 {
    inbox.deliver { [weak self] in self?.take($0) }
    terminal.onInput { [weak self] in self?.takeInput() }
    composition.watchOtherProcesses()
    runner.lists.highlightQueries = state.settings.highlights.compactMap(\.query)
    runner.pictures.style = pictureStyle
    runner.observeSidebar()
    composition.onRepair { [inbox] in inbox.send(.storeHealed($0)) }
    inbox.send(.started)
    runner.observe()
    startTicking()
    let result: Int32 = await withCheckedContinuation { continuation in
      if let status { continuation.resume(returning: status) } else { ending = continuation }
    }
    ticker?.cancel()
    terminal.restore()
    await runner.finish()
    return result
  }

  private var pictureStyle: PictureStyle {
    let environment = ProcessInfo.processInfo.environment
    let settings = composition.settings
    var style = PictureStyle(
      colors: settings.screen.colors ? terminal.colors : 0,
      symbols: settings.pictures.symbols
        ?? PictureSettings.Symbols(
          environment, isPlain: state.settings.usesAsciiSigns, colors: terminal.colors))
    if let cell = terminal.cell { style.cell = (cell.width, cell.height) }
    style.background = state.themes.background == .light ? 0xFF_FFFF : 0
    return style
  }

  /// What is known of the pixels that the terminal shows.
  private enum Pixels {
    case unknown
    /// It was asked; who waits for its answer.
    case asked([CheckedContinuation<PixelSupport?, Never>])
    case known(PixelSupport?)
  }

  private func askPixels(isThroughTmux: Bool) {
    let environment = ProcessInfo.processInfo.environment
    let isBehind = ["TMUX", "STY"].contains { environment[$0]?.isEmpty == false }
    let wanted: PixelProtocol?
    switch composition.settings.pictures.drawing {
    case .cells: return takePixels(nil)
    case .auto: wanted = nil
    case .kitty: wanted = .kitty
    case .sixel: wanted = .sixel
    case .iterm: wanted = .iterm
    }
    terminal.askGraphics(wanted: wanted, isBehind: isBehind, isThroughTmux: isThroughTmux) {
      [weak self] in self?.takePixels($0)
    }
  }

  private func takePixels(_ support: PixelSupport?) {
    guard case .asked(let waiting) = pixels else { return }
    pixels = .known(support)
    // The terminal may have told the size of its cells besides.
    runner.pictures.style = pictureStyle
    for continuation in waiting { continuation.resume(returning: support) }
  }

  // MARK: Input

  private func takeInput() {
    let milliseconds = Int64((ContinuousClock.now - uptime) / .milliseconds(1))
    for event in terminal.events() { inbox.send(.input(event, milliseconds: milliseconds)) }
    if terminal.hasHungUp { end(by: SIGHUP) }
    inbox.drain()
  }

  private func take(_ actions: [Action]) {
    for action in actions {
      if isTyped(action), !typedAhead.isEmpty || state.holdsKeys {
        hold(action)
      } else {
        perform(action)
        while !typedAhead.isEmpty, !state.holdsKeys { perform(typedAhead.removeFirst()) }
      }
    }
    guard status == nil else { return }
    guard state.awaitsStore else {
      drawing = .whole
      return draw()
    }
    switch drawing {
    case .whole: holdDrawing()
    case .held: break
    case .partial: draw()
    }
  }

  private func perform(_ action: Action) {
    let effects = state.reduce(action)
    switch action {
    case .resized, .input(.background, _):
      let former = runner.pictures.style
      runner.pictures.style = pictureStyle
      if former != pictureStyle { inbox.send(.pictures(.iconsOutdated(canShow: true))) }
    default: break
    }
    for effect in effects {
      runner.perform(
        effect, clock: state.clock, theme: state.theme, pictures: state.pictureLook)
    }
    if case .input(.key(.control("l")), _) = action { takeSize() }
  }

  // MARK: Typing ahead

  /// How long keys wait for what they are for. After that they do what they do without it: with a slow disk a list can
  /// still be left.
  private static let longestHold: DispatchTimeInterval = .milliseconds(300)

  private func isTyped(_ action: Action) -> Bool {
    switch action {
    case .input(.background, _): false
    case .input: true
    default: false
    }
  }

  /// Keeps what is typed until the rows or the text are there that it is for: over a slow line, and from a program that
  /// sends keys, several come at once.
  private func hold(_ action: Action) {
    typedAhead.append(action)
    guard typedAhead.count == 1 else { return }
    keyHolds += 1
    DispatchQueue.main.asyncAfter(deadline: .now() + Self.longestHold) { [weak self, keyHolds] in
      MainActor.assumeIsolated {
        guard let self, self.keyHolds == keyHolds, !self.typedAhead.isEmpty else { return }
        let typed = self.typedAhead
        self.typedAhead = []
        for action in typed { self.perform(action) }
        if self.status == nil { self.draw() }
      }
    }
  }

  private func draw() {
    terminal.present(state.render())
    if namesWindow { terminal.name(window: state.windowTitle) }
  }

  /// What is drawn while the store is read.
  private enum Drawing {
    case whole
    /// Nothing, so that what comes in a few milliseconds takes the place of what shows. Else the screen would be blanked
    /// and painted once more.
    case held
    /// What there is: the store takes longer.
    case partial
  }

  /// How long no drawing is noticed.
  private static let patience: DispatchTimeInterval = .milliseconds(40)

  private func holdDrawing() {
    drawing = .held
    holds += 1
    DispatchQueue.main.asyncAfter(deadline: .now() + Self.patience) { [weak self, holds] in
      MainActor.assumeIsolated {
        guard let self, self.holds == holds, self.drawing == .held, self.status == nil else {
          return
        }
        self.drawing = .partial
        self.draw()
      }
    }
  }

  private func startTicking() {
    let ticker = DispatchSource.makeTimerSource(queue: .main)
    ticker.schedule(deadline: .now() + 10, repeating: 10, leeway: .seconds(1))
    ticker.setEventHandler { @Sendable [inbox] in inbox.send(.ticked(.local())) }
    ticker.activate()
    self.ticker = ticker
  }

  // MARK: Signals

  /// Sets the handlers of signals, and returns when all are active: a signal between ignoring it and the
  /// start of its handler would be lost.
  private func catchSignals() {
    let isCaught = DispatchSemaphore(value: 0)
    on(SIGWINCH, isCaught) { program in
      program.takeSize()
    }
    on(SIGTSTP, isCaught) { $0.suspend() }
    on(SIGCONT, isCaught) { $0.resume() }
    for signal in [SIGTERM, SIGHUP, SIGINT] {
      on(signal, isCaught) { program in
        // A second request some time after the first: cleaning up hangs, perhaps on a disk, and is not
        // waited for. Signals and keys at about the same time count as one request.
        if let ended = program.ended, .now - ended > .seconds(3) { _exit(128 + signal) }
        program.end(by: signal)
      }
    }
    for _ in signals { _ = isCaught.wait(timeout: .now() + 2) }
  }

  private func on(
    _ number: Int32, _ isCaught: DispatchSemaphore,
    _ work: @escaping @MainActor @Sendable (ReaderProgram) -> Void
  ) {
    #if canImport(Darwin)
      // The default action would come first. On Linux the source puts a handler of its own in its
      // place; a signal that comes before that is not lost but does what it does by default.
      signal(number, number == SIGCONT || number == SIGWINCH ? SIG_DFL : SIG_IGN)
    #endif
    // Not on the main queue, which waits for the handlers.
    let source = DispatchSource.makeSignalSource(signal: number, queue: signalQueue)
    let handler: @Sendable () -> Void = { [weak self] in
      // The main queue waits for a program that has the terminal.
      if number == SIGTERM || number == SIGHUP { Spawn.pass(number) }
      if [SIGTERM, SIGHUP, SIGINT].contains(number) { PlainPage.end() }
      DispatchQueue.main.async { @Sendable in
        MainActor.assumeIsolated { if let self { work(self) } }
      }
    }
    source.setEventHandler(handler: handler)
    source.setRegistrationHandler { @Sendable in
      isCaught.signal()
      // The size of the window may have changed before the handler was set.
      if number == SIGWINCH { handler() }
    }
    source.activate()
    signals.append(source)
  }

  /// Takes the terminal back after `fg`, or when another process has stopped and continued this one.
  private func resume() {
    guard status == nil else { return }
    terminal.resume()
    noteReturn()
  }

  /// Takes over the size of the window, and draws all of it.
  private func takeSize() {
    terminal.resize()
    inbox.send(.resized(terminal.size))
  }

  /// The terminal is back: meanwhile the window may have got another size, and time has passed.
  private func noteReturn() {
    inbox.send(.resized(terminal.size))
    inbox.send(.ticked(.local()))
    inbox.send(.resumed)
  }

  /// Ends without a key: what the user would leave by one is kept.
  private func end(by signal: Int32) {
    guard status == nil else { return }
    for effect in state.leave() {
      runner.perform(
        effect, clock: state.clock, theme: state.theme, pictures: state.pictureLook)
    }
    end(with: 128 + signal)
  }

  private func end(with status: Int32) {
    guard self.status == nil else { return }
    self.status = status
    ended = .now
    terminal.restore()
    ending?.resume(returning: status)
    ending = nil
  }
}

extension ReaderProgram: ProgramControl {
  func suspend() {
    guard status == nil else { return }
    // Returns when the job is in the foreground again.
    terminal.stop()
    inbox.send(.resized(terminal.size))
  }

  func quit() {
    end(with: 0)
  }

  func open(
    _ url: String, with browser: Browser, onEnd: @escaping @Sendable (ProgramEnd) -> Void
  ) throws {
    guard browser.usesTerminal else { return try browser.open(url, onEnd: onEnd) }
    try lendTerminal { try browser.open(url, stop: $0) }
  }

  func show(_ addresses: [ShownAddress]) {
    lendTerminal { _ in
      PlainPage.show(addresses, hasHyperlinks: terminal.takesCommands)
    }
  }

  func pixelSupport(isThroughTmux: Bool) async -> PixelSupport? {
    if case .known(let support) = pixels { return support }
    return await withCheckedContinuation { continuation in
      guard case .asked(let others) = pixels else {
        pixels = .asked([continuation])
        return askPixels(isThroughTmux: isThroughTmux)
      }
      pixels = .asked(others + [continuation])
    }
  }

  func copy(_ text: String) -> Bool {
    terminal.copy(base64: Data(text.utf8).base64EncodedString())
  }

  func signal(_ signal: NewArticleRule.Signal, _ text: String) {
    let isInTmux = Environment["TMUX"]?.isEmpty == false
    switch signal {
    case .bell: terminal.alert(.bell, isInTmux: isInTmux)
    case .osc9: terminal.alert(.osc9("Telex: \(text)"), isInTmux: isInTmux)
    case .osc777: terminal.alert(.osc777(title: "Telex", body: text), isInTmux: isInTmux)
    case .none, .notifySend: break
    }
  }

  func lendTerminal<Result>(_ work: (_ stop: () -> Void) throws -> Result) rethrows -> Result {
    terminal.suspend()
    defer {
      terminal.resume()
      noteReturn()
    }
    return try work { terminal.stopWhileSuspended() }
  }
}

extension ReaderSettings {
  fileprivate init(_ settings: ScreenSettings, _ verbs: [Verb]) {
    self.init()
    self.verbs = verbs
    preferences = settings.preferences
    usesAsciiSigns = Self.usesAsciiSigns(settings)
    keys = KeyScheme(settings)
    highlights = Highlight.all(of: settings, &keys)
    events = keys.checked(ReaderEvents(settings.events), place: settings.events.place)
  }
}

extension ReaderSettings {
  /// Whether signs of ASCII stand for others: by the settings, else by the terminal.
  static func usesAsciiSigns(_ settings: ScreenSettings) -> Bool {
    // Consoles without a desktop have few signs in their fonts.
    let type = Environment["TERM"] ?? ""
    return settings.usesAsciiSigns
      ?? ["linux", "vt", "ansi", "cons25", "sun"].contains { type.hasPrefix($0) }
  }
}

extension Background {
  fileprivate init(_ setting: ScreenSettings.Background) {
    self =
      switch setting {
      case .dark: .dark
      case .light: .light
      }
  }

  /// The background where it is known without asking the terminal: the Linux console is dark, and does not
  /// answer.
  fileprivate init?(_ environment: [String: String]) {
    if let told = environment["COLORFGBG"].flatMap(Background.init(colorFGBG:)) {
      self = told
    } else if environment["TERM"]?.hasPrefix("linux") == true {
      self = .dark
    } else {
      return nil
    }
  }
}
