import News
import Screen

/// A screen as a value: its state, its keys, what it makes of them, and how it looks.
///
/// Screens lie on the stack of the `ReaderState`; below them all are the panes. The one at the top answers
/// first. While it answers it is off the stack; it goes back unless it closes.
///
/// A new screen is a folder with a type of this kind, and a line in `ScreenStack.kinds`.
protocol ReaderScreen: Hashable, Sendable {
  /// The name of its table of keys.
  static var name: String { get }
  static var layer: ScreenLayer { get }
  /// Its own keys, in the order of the help. Those that open other screens and those of the whole program
  /// are added by the `KeyMap`.
  static var bindings: [KeyBinding] { get }
  /// The key that opens it, wherever it can lie above; nil for one that comes by itself.
  static var opening: KeyBinding? { get }
  /// Opens it, or tells why not.
  static func open(in state: inout ReaderState) -> [Effect]

  /// Takes a key as it is; looks for its command unless the screen does something else.
  mutating func take(_ press: KeyPress, in state: inout ReaderState) -> ScreenResponse
  /// Does what a key of its table stands for.
  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse
  mutating func take(
    _ mouse: MouseEvent, at milliseconds: Int64, in state: inout ReaderState
  ) -> ScreenResponse
  mutating func take(pasted text: String, in state: inout ReaderState) -> ScreenResponse
  /// Takes what it has asked for.
  mutating func take(_ action: Action, in state: inout ReaderState) -> ScreenResponse
  /// Comes to terms with another size, another time or other subscriptions.
  mutating func settle(in state: ReaderState)

  /// Draws it. Total: any state at any size.
  func draw(_ frame: inout Frame, in state: ReaderState)
  /// The most useful keys for the line at the bottom, the most important first.
  func hints(in state: ReaderState) -> [KeyHint]
  /// Why what shows is not fresher, for the right end of that line.
  func trouble(in state: ReaderState) -> StatusTrouble?
}

/// How high a screen lies in the stack: one that comes by itself does not cover a question that is being
/// answered.
enum ScreenLayer: Int, Comparable, Sendable {
  case panes
  /// A page of its own, as the health of the feeds.
  case page
  /// Something to be decided before all else goes on.
  case dialog
  case help
  /// A question in the line at the bottom. All below it shows on.
  case prompt

  static func < (a: ScreenLayer, b: ScreenLayer) -> Bool { a.rawValue < b.rawValue }
}

/// A key that was pressed.
struct KeyPress: Hashable, Sendable {
  var key: KeyEvent
  /// Of a clock that never goes back.
  var milliseconds: Int64
}

/// What a screen makes of what it is told.
enum ScreenResponse: Hashable, Sendable {
  /// Nothing; the shared keys come next.
  case ignored
  case done([Effect])
  /// It leaves the stack.
  case closed([Effect])
}

/// A key for the line at the bottom, and what it does in a word or two.
struct KeyHint: Hashable, Sendable {
  var key: String
  var text: String
  /// Whether it has its place before what stands at the right end of the line.
  var isKept = false

  init(_ key: String, _ text: String, isKept: Bool = false) {
    self.key = key
    self.text = text
    self.isKept = isKept
  }
}

/// Why what shows is not fresher, in a line.
struct StatusTrouble: Hashable, Sendable {
  var line: String
  /// Whether it is about a connection that cannot be trusted.
  var isAlarm = false
}

extension ReaderScreen {
  static var opening: KeyBinding? { nil }
  static func open(in state: inout ReaderState) -> [Effect] { [] }

  mutating func take(_ press: KeyPress, in state: inout ReaderState) -> ScreenResponse {
    if press.key == .escape, Self.layer <= .page, let effects = state.cancelSearch() {
      return .done(effects)
    }
    guard let command = state.keys.command(for: press.key, on: Self.self) else { return .ignored }
    return perform(command, press, in: &state)
  }

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse { .ignored }
  mutating func take(
    _ mouse: MouseEvent, at milliseconds: Int64, in state: inout ReaderState
  ) -> ScreenResponse { .ignored }
  mutating func take(
    pasted text: String, in state: inout ReaderState
  ) -> ScreenResponse { .ignored }
  mutating func take(
    _ action: Action, in state: inout ReaderState
  ) -> ScreenResponse { .ignored }
  mutating func settle(in state: ReaderState) {}
  func hints(in state: ReaderState) -> [KeyHint] { [] }
  func trouble(in state: ReaderState) -> StatusTrouble? { nil }
}
