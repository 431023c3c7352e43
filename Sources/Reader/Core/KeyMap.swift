import Screen

/// The keys of all screens, made from their tables.
///
/// A screen's own keys take precedence over those that open other screens, and these over those of the
/// whole program. Screens look keys up in the map of the state, so that settings can change it later.
struct KeyMap: Hashable, Sendable {
  /// The command of each key, by the name of the screen.
  private var commands: [String: [KeyEvent: Command]] = [:]
  /// The help, a section for each topic. A binding of several screens is listed once.
  private(set) var sections: [Section] = []

  struct Section: Hashable, Sendable {
    var topic: KeyTopic
    var bindings: [KeyBinding]
  }

  /// The keys as the screens declare them.
  static let standard = KeyMap(ScreenStack.kinds)

  init(_ kinds: [any ReaderScreen.Type]) {
    var all: [KeyBinding] = []
    for kind in kinds {
      let bindings = Self.bindings(of: kind, among: kinds)
      for binding in bindings {
        for key in binding.keys where commands[kind.name]?[key] == nil {
          commands[kind.name, default: [:]][key] = binding.command
        }
      }
      Self.merge(bindings, into: &all)
    }
    for binding in all {
      guard let topic = binding.topic else { continue }
      if let index = sections.firstIndex(where: { $0.topic == topic }) {
        sections[index].bindings.append(binding)
      } else {
        sections.append(Section(topic: topic, bindings: [binding]))
      }
    }
  }

  /// All keys that work on a screen, in the order of the help.
  static func bindings(
    of kind: any ReaderScreen.Type, among kinds: [any ReaderScreen.Type]
  ) -> [KeyBinding] {
    guard kind.layer < .prompt else { return kind.bindings }
    let openings = kinds.compactMap { kind.layer <= $0.layer ? $0.opening : nil }
    return kind.bindings + openings + KeyBinding.program
  }

  /// Merges a table: each binding that is not there yet goes before the one that follows it in the table.
  private static func merge(_ table: [KeyBinding], into all: inout [KeyBinding]) {
    var place = all.endIndex
    for binding in table.reversed() {
      if let index = all.firstIndex(of: binding) {
        place = index
      } else {
        all.insert(binding, at: place)
      }
    }
  }

  /// The command of a key on a screen.
  func command(for key: KeyEvent, on kind: any ReaderScreen.Type) -> Command? {
    commands[kind.name]?[key]
  }

  /// The name of a key in the help.
  static func name(of key: KeyEvent) -> String {
    switch key {
    case .character(" "): "Space"
    case .character(let character): String(character)
    case .control(let character): "^" + character.uppercased()
    case .enter: "Enter"
    case .escape: "Esc"
    case .tab: "Tab"
    case .backTab: "Shift-Tab"
    case .backspace: "Backspace"
    case .delete: "Del"
    case .up: "↑"
    case .down: "↓"
    case .left: "←"
    case .right: "→"
    case .pageUp: "PgUp"
    case .pageDown: "PgDn"
    case .home: "Home"
    case .end: "End"
    case .function(let number): "F\(number)"
    }
  }
}
