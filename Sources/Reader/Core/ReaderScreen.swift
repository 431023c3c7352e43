import News
import Screen

/// A screen as a value: its state, its table of keys, its reaction to events, and its drawing.
///
/// Screens lie on the stack of the `ReaderState`, above the panes. The topmost one gets the input first. It
/// is taken off the stack while it handles an event, and put back unless it closes.
///
/// A new screen is a folder with a type of this kind, and a line in `ScreenStack.kinds`.
protocol ReaderScreen: Hashable, Sendable {
  /// Names its table of keys.
  static var name: String { get }
  static var layer: ScreenLayer { get }
  /// Its own keys, in the order of the help. The `KeyMap` adds those that open other screens and those of
  /// the whole program.
  static var bindings: [KeyBinding] { get }
  /// The key that opens it from any screen of the same or a lower layer; nil where no key does.
  static var opening: KeyBinding? { get }
  static func open(in state: inout ReaderState) -> [Effect]

  /// Whether keys are letters of a text now, and begin no sequence.
  var isTyping: Bool { get }

  /// Handles a key. By default it is looked up in the screen's table and given to `perform`.
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
  var key: String
  var text: String
  /// Whether it takes precedence over the text at the right end of the line.
  var isKept = false

  init(_ key: String, _ text: String, isKept: Bool = false) {
    self.key = key
    self.text = text
    self.isKept = isKept
  }
}

/// The reason why the articles that show are not fresher, as one line.
struct StatusTrouble: Hashable, Sendable {
  var line: String
  /// Whether it is about a connection that cannot be trusted.
  var isAlarm = false
}

extension ReaderScreen {
  static var opening: KeyBinding? { nil }
  var isTyping: Bool { false }
  static func open(in state: inout ReaderState) -> [Effect] { [] }

  mutating func handle(_ press: KeyPress, in state: inout ReaderState) -> ScreenResponse {
    if press.key == .escape, Self.layer <= .page,
      let effects = AddressSearches.cancelSearch(in: &state)
    {
      return .done(effects)
    }
    guard let key = press.key, let command = state.keys.command(for: key, on: Self.self)
    else { return .ignored }
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
