import News
import Screen

/// A screen as a value: its state, its commands, its reaction to events, and its drawing.
///
/// Screens lie on the stack of the `ReaderState`, above the panes. The topmost one gets the input first. It
/// is taken off the stack while it handles an event, and put back unless it closes.
///
/// A new screen is a folder with a type of this kind, and a line in `ScreenStack.kinds`.
protocol ReaderScreen: Hashable, Sendable {
  static var name: String { get }
  static var layer: ScreenLayer { get }
  /// The commands that it performs, the most useful first. Those that open other screens and those of the whole
  /// program come on top.
  static var commands: [Command] { get }
  /// The help of commands that are special here.
  static var help: [Command: String] { get }
  /// The command that opens it from any screen of the same or a lower layer; nil where none does.
  static var opening: Command? { get }
  static func open(in state: inout ReaderState) -> [Effect]

  /// Whether keys are letters of a text now, and begin no sequence.
  var isTyping: Bool { get }

  /// Stops what it waits for, or what the user has started on it; nil where nothing runs.
  mutating func stop(in state: inout ReaderState) -> [Effect]?
  /// Handles a key. By default `Esc` stops what runs, and any other command is given to `perform`.
  mutating func handle(_ press: KeyPress, in state: inout ReaderState) -> ScreenResponse
  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse
  mutating func handle(_ mouse: MousePress, in state: inout ReaderState) -> ScreenResponse
  mutating func handle(pasted text: String, in state: inout ReaderState) -> ScreenResponse
  /// Handles an action other than input, such as the answer to an effect of its own.
  mutating func handle(_ action: Action, in state: inout ReaderState) -> ScreenResponse
  /// Adjusts its state after the size, the time or the subscriptions have changed.
  mutating func settle(in state: ReaderState)

  /// Draws it. Total: any state at any size.
  func draw(_ frame: inout Frame, in state: ReaderState)
  func hints(in state: ReaderState) -> [KeyHint]
  /// Why the articles that show are not fresher, for the right end of the status line.
  func trouble(in state: ReaderState) -> StatusTrouble?
}

/// The place of a kind of screen in the stack. It keeps a screen that opens by itself from covering a
/// question that the user is answering.
enum ScreenLayer: Int, Comparable, Sendable {
  case panes
  /// A full page, such as the health of the feeds.
  case page
  /// A decision that must be made first.
  case dialog
  case help
  /// A question in the status line. The screens below stay visible.
  case prompt

  static func < (a: ScreenLayer, b: ScreenLayer) -> Bool { a.rawValue < b.rawValue }
}

/// A key press, or a command that was asked for by its name.
struct KeyPress: Hashable, Sendable {
  var key: KeyEvent?
  /// Of a monotonic clock.
  var milliseconds: Int64
  /// The number that was typed before a motion; nil where none was.
  var count: Int?
}

/// A click or a turn of the wheel.
struct MousePress: Hashable, Sendable {
  var event: MouseEvent
  /// Of a monotonic clock.
  var milliseconds: Int64

  var kind: MouseEvent.Kind { event.kind }
  var x: Int { event.x }
  var y: Int { event.y }
}

/// The reaction of a screen to an event.
enum ScreenResponse: Hashable, Sendable {
  /// Not handled. A key is looked up among the shared ones next.
  case ignored
  /// Handled; the screen stays open.
  case done([Effect])
  /// Handled; the screen closes.
  case closed([Effect])
}

/// A key in the status line, with one or two words on what it does.
struct KeyHint: Hashable, Sendable {
  private var name = ""
  private var commands: [Command] = []
  var text: String
  /// Whether it takes precedence over the text at the right end of the line.
  var isKept = false

  static let keys = KeyHint(.help, "keys")
  static let back = KeyHint(.leave, "back")

  /// A key of a prompt, which is the same in all sets.
  init(_ name: String, _ text: String) {
    self.name = name
    self.text = text
  }

  init(_ command: Command, _ text: String, isKept: Bool = false) {
    commands = [command]
    self.text = text
    self.isKept = isKept
  }

  init(_ first: Command, _ second: Command, _ text: String) {
    commands = [first, second]
    self.text = text
  }

  /// Nil where one of its commands has no key.
  func key(in keys: KeyMap) -> String? {
    guard !commands.isEmpty else { return name }
    let names = commands.compactMap(keys.keyName)
    return names.count == commands.count ? names.joined(separator: " ") : nil
  }
}

/// The reason why the articles that show are not fresher, as one line.
struct StatusTrouble: Hashable, Sendable {
  var line: String
  /// Whether it is about a connection that cannot be trusted.
  var isAlarm = false
}

extension ReaderScreen {
  static var commands: [Command] { [] }
  static var help: [Command: String] { [:] }
  static var opening: Command? { nil }
  /// Whether it is one of its own commands. The one that opens it closes it.
  static func canPerform(_ command: Command) -> Bool {
    command == opening || commands.contains(command)
  }
  var isTyping: Bool { false }
  static func open(in state: inout ReaderState) -> [Effect] { [] }

  mutating func stop(in state: inout ReaderState) -> [Effect]? { nil }

  mutating func handle(_ press: KeyPress, in state: inout ReaderState) -> ScreenResponse {
    if press.key == .escape, Self.layer <= .page,
      let effects = AddressSearches.cancelSearch(in: &state) ?? stop(in: &state)
    {
      return .done(effects)
    }
    guard let command = press.key.flatMap(state.keys.command), Self.canPerform(command) else {
      return .ignored
    }
    return perform(command, press, in: &state)
  }

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse { .ignored }
  mutating func handle(_ mouse: MousePress, in state: inout ReaderState) -> ScreenResponse {
    .ignored
  }
  mutating func handle(
    pasted text: String, in state: inout ReaderState
  ) -> ScreenResponse { .ignored }
  mutating func handle(_ action: Action, in state: inout ReaderState) -> ScreenResponse { .ignored }
  mutating func settle(in state: ReaderState) {}
  func hints(in state: ReaderState) -> [KeyHint] { [] }
  func trouble(in state: ReaderState) -> StatusTrouble? { nil }
}
