import Screen

/// A row of a screen's table of keys: how the keys work and how the help tells of them.
struct KeyBinding: Hashable, Sendable {
  var command: Command
  var keys: [KeyEvent]
  var help: String
  /// The section of the help; nil for keys that it leaves out.
  var topic: KeyTopic?
  /// How the help writes many keys that belong together.
  var range: String?

  init(
    _ command: Command, _ keys: [KeyEvent], _ help: String, _ topic: KeyTopic?, range: String? = nil
  ) {
    self.command = command
    self.keys = keys
    self.help = help
    self.topic = topic
    self.range = range
  }

  /// The keys as the help writes them.
  var keyNames: String {
    range ?? keys.map(KeyMap.name).joined(separator: " ")
  }
}

/// A section of the help.
struct KeyTopic: Hashable, Sendable {
  let title: String

  init(_ title: String) { self.title = title }

  static let move = KeyTopic("Move")
  static let read = KeyTopic("Read")
  static let feeds = KeyTopic("Feeds")
  static let program = KeyTopic("Telex")
}

/// The keys of all screens, made from their tables.
///
/// A screen's own keys come first, then those that open the screens above it, then those of the whole
/// program. The map is a value of the state, so that settings may bring another one.
struct KeyMap: Hashable, Sendable {
  /// By the name of the screen.
  private var commands: [String: [KeyEvent: Command]] = [:]
  /// The help: a section for each topic. A binding that several screens have stands there once.
  private(set) var sections: [Section] = []

  struct Section: Hashable, Sendable {
    var topic: KeyTopic
    var bindings: [KeyBinding]
  }

  /// As the screens have them.
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

  /// Puts the bindings of a table that are not there yet before those that follow them in it.
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

  /// What a key asks for on a screen.
  func command(for key: KeyEvent, on kind: any ReaderScreen.Type) -> Command? {
    commands[kind.name]?[key]
  }

  /// How a key is written in the help.
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
