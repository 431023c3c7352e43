// A program for the tests of `CursesTerminal`: it draws the scene that its argument names, writes
// each event it gets as a line of text. Ctrl-C quits, Ctrl-Z stops the job, Ctrl-T traps, Ctrl-R
// recurses until the stack is full, Ctrl-L lends the terminal until Return. With a second argument,
// "deaf", the program takes no notice of signals; with "asks", it asks for the background; with "pixels", whether pictures
// are shown in pixels, and draws them then. "tmux" takes tmux to pass them on; "large" has a large one for iTerm2; "lends"
// lends the terminal as soon as it is asked; "hasty" has a line that does not wait for the terminal; "logical" leaves letters
// in the order of the text.

internal import CursesTerminal
internal import Dispatch
internal import Screen

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

@main
enum TerminalSample {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    do {
      let scene = arguments.first.flatMap(Scene.init) ?? .events
      if arguments.contains("hasty") { _ = fcntl(1, F_SETFL, fcntl(1, F_GETFL) | O_NONBLOCK) }
      let terminal = try CursesTerminal(ordersText: !arguments.contains("logical"))
      let last = await Sample(
        terminal: terminal, scene: scene, isDeaf: arguments.contains("deaf"),
        asks: arguments.contains("asks"), asksPixels: arguments.contains("pixels"),
        isLarge: arguments.contains("large"),
        isInTmux: arguments.contains("tmux"), lends: arguments.contains("lends")
      ).run()
      terminal.restore()
      print("sample ended: \(last)")
    } catch {
      print("sample failed: \(error)")
      exit(1)
    }
  }
}

/// What can happen to the program, in order of arrival.
private enum Happening: Sendable {
  case input
  case signal(Int32)
}

@MainActor
private final class Sample {
  private let terminal: CursesTerminal
  private let scene: Scene
  private let isDeaf: Bool
  private let asks: Bool
  private let asksPixels: Bool
  private let isLarge: Bool
  private let isInTmux: Bool
  private let lends: Bool
  private var pixels: PixelPicture?
  private var events: [String] = []
  private var ending: String?

  init(
    terminal: CursesTerminal, scene: Scene, isDeaf: Bool, asks: Bool, asksPixels: Bool,
    isLarge: Bool,
    isInTmux: Bool, lends: Bool
  ) {
    self.isInTmux = isInTmux
    self.lends = lends
    self.asks = asks
    self.asksPixels = asksPixels
    self.isLarge = isLarge
    self.terminal = terminal
    self.isDeaf = isDeaf
    self.scene = scene
  }

  /// Runs until a key or a signal ends the program, and returns which.
  func run() async -> String {
    let (happenings, inbox) = AsyncStream.makeStream(of: Happening.self)
    terminal.onInput { inbox.yield(.input) }
    // Dispatch only watches: the default action would come first.
    for number in [SIGTERM, SIGHUP, SIGTSTP] { signal(number, SIG_IGN) }
    let watched = isDeaf ? [] : [SIGWINCH, SIGTERM, SIGHUP, SIGTSTP, SIGCONT]
    let sources = watched.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler { @Sendable in inbox.yield(.signal(number)) }
      return source
    }
    // A signal that comes before its source watches is lost, so that nothing shows until all do.
    for source in sources {
      await withCheckedContinuation { continuation in
        source.setRegistrationHandler { @Sendable in continuation.resume() }
        source.activate()
      }
    }
    defer { for source in sources { source.cancel() } }
    draw()
    if asks { terminal.ask(background: true) }
    if asksPixels {
      terminal.askGraphics(wanted: nil, isBehind: isInTmux, isThroughTmux: isInTmux) {
        [weak self] support in
        self?.take(support)
        inbox.yield(.input)
      }
      if lends { lend() }
    }
    for await happening in happenings {
      switch happening {
      case .input: takeInput()
      case .signal(let number): take(signal: number)
      }
      if let ending { return ending }
      draw()
    }
    return "nothing more happens"
  }

  private func draw() {
    terminal.present(
      scene.frame(size: terminal.size, colors: terminal.colors, events: events, pixels: pixels))
  }

  /// A picture of 6 × 4 cells of 10 × 20 pixels in the terminal's own form.
  private func take(_ support: PixelSupport?) {
    events.append("pixels \(support.map { $0.form.rawValue } ?? "none")")
    guard let support else { return }
    let size = Size(width: 60, height: 80)
    let content: PixelPicture.Content =
      switch support.form {
      // Many parts.
      case .kitty: .kitty(Array(repeating: UInt8(ascii: "A"), count: 400_000))
      case .iterm:
        .iterm(Array((String(repeating: "A", count: isLarge ? 399_998 : 398) + "==").utf8))
      case .sixel:
        .sixel(
          SixelPixels(
            size: size, palette: [0xFF0000], indices: Array(repeating: 0, count: 60 * 80)))
      }
    pixels = PixelPicture(
      id: isInTmux ? PicturePlaceholders.number(70_000) : 70_000, size: size, content: content)
  }

  private func take(signal number: Int32) {
    switch number {
    case SIGWINCH: terminal.resize()
    case SIGTSTP: terminal.stop()
    case SIGCONT: terminal.resume()
    default: ending = "signal \(number)"
    }
  }

  private func takeInput() {
    for event in terminal.events() {
      switch event {
      case .key(.control("c")): ending = "Ctrl-C"
      case .key(.control("z")): terminal.stop()
      case .key(.control("t")): preconditionFailure("asked to trap")
      case .key(.control("r")): ending = recurse(1)
      case .key(.control("l")): lend()
      default: events.append(describe(event))
      }
    }
    if terminal.hasHungUp { ending = "hung up" }
  }

  private func lend() {
    terminal.suspend()
    print("lent: press Return")
    _ = readLine()
    terminal.resume()
  }

  private func recurse(_ depth: Int) -> String {
    // Not a tail call, or the compiler makes a loop of it.
    depth < 0 ? "" : recurse(depth + 1) + String(depth)
  }

  private func describe(_ event: InputEvent) -> String {
    switch event {
    case .key(.character(let character)): "character \(character)"
    case .key(.control(let character)): "control \(character)"
    case .key(let key): "\(key)"
    case .mouse(let mouse): "\(mouse.kind) at (\(mouse.x), \(mouse.y))"
    case .drag(let drag): "\(drag.isOver ? "dropped" : "dragged") at (\(drag.x), \(drag.y))"
    case .paste(let text): "paste <\(text)>"
    case .background(let background): "background \(background)"
    }
  }
}
