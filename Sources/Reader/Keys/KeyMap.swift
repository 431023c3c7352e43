internal import Screen

/// The keys of all screens, made from their tables.
///
/// A screen's own keys take precedence over those that open other screens, and these over those of the
/// whole program. Screens look keys up in the map of the state, so that settings can change it later.
package struct KeyMap: Hashable, Sendable {
  /// The command of each key, by the name of the screen.
  private var commands: [String: [KeySequence: Command]] = [:]
  /// The beginnings of sequences, by the name of the screen.
  private var beginnings: [String: Set<KeySequence>] = [:]
  /// The name of the first key of each command, by the name of the screen and that of the command.
  private var keyNames: [String: [String: String]] = [:]
  /// The help, a section for each topic. A binding of several screens is listed once.
  private(set) var sections: [Section] = []

  struct Section: Hashable, Sendable {
    var topic: KeyTopic
    var bindings: [KeyBinding]
  }

  static let standard = KeyMap(ScreenStack.kinds)

  /// The origin of a key of a command; that of the user counts most.
  enum Rank: Int, Comparable {
    case own, set, table

    static func < (a: Rank, b: Rank) -> Bool { a.rawValue < b.rawValue }
  }

  init(_ kinds: [any ReaderScreen.Type], scheme: KeyScheme = .standard) {
    var all = MergedBindings()
    for kind in kinds {
      let bindings = Self.bindings(of: kind, among: kinds, scheme)
      var ofKeys: [KeySequence: Command] = [:]
      var begun: Set<KeySequence> = []
      var names: [String: String] = [:]
      for binding in bindings {
        for key in binding.keys where ofKeys[key] == nil {
          ofKeys[key] = binding.command
          if key.keys.count > 1 { begun.formUnion(key.beginnings) }
        }
        if let key = binding.keys.first, names[binding.command.name] == nil {
          names[binding.command.name] = binding.range ?? Self.name(of: key)
        }
      }
      commands[kind.name] = ofKeys
      beginnings[kind.name] = begun
      keyNames[kind.name] = names
      all.merge(bindings)
    }
    for binding in all.bindings where !binding.keys.isEmpty {
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

  /// All keys with those of a scheme. A key that it gives to a command is taken from all others.
  static func bindings(
    of kind: any ReaderScreen.Type, among kinds: [any ReaderScreen.Type], _ scheme: KeyScheme
  ) -> [KeyBinding] {
    let table = bindings(of: kind, among: kinds) + scheme.ownBindings(on: kind.name)
    guard !scheme.isStandard else { return table }
    let wished = table.map { binding in
      let (keys, rank) = scheme.keys(of: binding.command, on: kind.name) ?? (binding.keys, .table)
      let wish = keys.map { (key: $0, rank: rank) }
      // It stays a way out whatever other keys quit, unless it is another command's.
      guard binding.command == .quit, !keys.contains(interrupt) else { return wish }
      return wish + [(interrupt, .table)]
    }
    // Of a sequence and what begins it one can be pressed only.
    var best: [KeySequence: Rank] = [:]
    var bestBegun: [KeySequence: Rank] = [:]
    for (key, rank) in wished.joined() {
      best[key] = min(best[key] ?? rank, rank)
      for part in key.beginnings { bestBegun[part] = min(bestBegun[part] ?? rank, rank) }
    }
    return zip(table, wished).map { binding, wish in
      var binding = binding
      let keys = wish.filter { key, rank in
        best[key] == rank && (bestBegun[key] ?? rank) >= rank
          && key.beginnings.allSatisfy { (best[$0] ?? rank) >= rank }
      }.map(\.key)
      if keys != binding.keys { binding.range = nil }
      binding.keys = keys
      return binding
    }
  }

  /// The key by which a terminal interrupts a program.
  private static let interrupt = KeySequence(.control("c"))

  // MARK: Commands by their names

  /// The names of all commands, in the order of the help.
  package static let commandNames: [String] = {
    var names: [String] = []
    for kind in ScreenStack.kinds {
      for binding in bindings(of: kind, among: ScreenStack.kinds)
      where !names.contains(binding.command.name) {
        names.append(binding.command.name)
      }
    }
    return names
  }()

  /// The command that begins with the most letters of a mistyped name; of several the shortest. Nil where none begins
  /// with four of them.
  static func commandName(near typed: String) -> String? {
    func shared(_ name: String) -> Int { zip(name, typed).prefix { $0 == $1 }.count }
    return commandNames.filter { shared($0) >= 4 }.max {
      (shared($0), -$0.count) < (shared($1), -$1.count)
    }
  }

  /// The names of the screens on which a key can be bound to a command, which may be named with one of them; none
  /// where there is no such command.
  static func screens(ofCommand name: String) -> [String] {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    let (screen, command) = parts.count == 2 ? (Optional(parts[0]), parts[1]) : (nil, name)
    return ScreenStack.kinds.filter { kind in
      screen == nil || kind.name == screen
    }.filter { kind in
      bindings(of: kind, among: ScreenStack.kinds).contains { $0.command.name == command }
    }.map { $0.name }
  }

  /// Hints that name keys of the screens' own tables, with the keys that their commands have here. One whose command
  /// has no key is left out.
  func translated(_ hints: [KeyHint], on kind: any ReaderScreen.Type) -> [KeyHint] {
    hints.compactMap { hint in
      var hint = hint
      let names = hint.key.split(separator: " ").map { name -> String? in
        guard let key = Self.key(named: String(name)),
          let command = Self.standard.command(for: key, on: kind)
        else { return String(name) }
        return self.command(for: key, on: kind) == command
          ? String(name) : keyName(of: command, on: kind)
      }
      guard names.allSatisfy({ $0 != nil }) else { return nil }
      hint.key = names.compactMap(\.self).joined(separator: " ")
      return hint
    }
  }

  /// The first key of a command on a screen, as the help writes it; nil where it has none.
  func keyName(of command: Command, on kind: any ReaderScreen.Type) -> String? {
    keyNames[kind.name]?[command.name]
  }

  func command(for key: KeyEvent, on kind: any ReaderScreen.Type) -> Command? {
    command(for: KeySequence(key), on: kind)
  }

  func command(for keys: KeySequence, on kind: any ReaderScreen.Type) -> Command? {
    commands[kind.name]?[keys]
  }

  /// Whether further keys can follow these on a screen.
  func isBeginning(_ keys: KeySequence, on kind: any ReaderScreen.Type) -> Bool {
    beginnings[kind.name]?.contains(keys) == true
  }

  /// The next keys of the sequences that begin with these, with what they do, by their names.
  func continuations(of keys: [KeyEvent], on kind: any ReaderScreen.Type) -> [KeyHint] {
    let found = (commands[kind.name] ?? [:]).filter {
      $0.key.keys.count > keys.count && $0.key.keys.starts(with: keys)
    }
    return found.map { sequence, command in
      KeyHint(Self.name(of: KeySequence(Array(sequence.keys.dropFirst(keys.count)))), command.name)
    }.sorted { $0.key < $1.key }
  }
}
