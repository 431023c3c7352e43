internal import Screen

/// The command of each key, which is the same on every page. Prompts take keys as letters of a text.
package struct KeyMap: Hashable, Sendable {
  private var commands: [KeySequence: Command] = [:]
  private var keys: [Command: [KeySequence]] = [:]
  private var beginnings: Set<KeySequence> = []

  static let standard = KeyMap(.standard)

  /// The key by which a terminal interrupts a program. It quits whatever other keys do, unless the user has bound it.
  private static let interrupt = KeySequence(.control("c"))

  init(_ scheme: KeyScheme) {
    let own = scheme.own.values.joined()
    // Of a sequence and what begins it one can be pressed only.
    let taken = Set(own).union(own.flatMap(\.beginnings))
    func isFree(_ key: KeySequence) -> Bool {
      !taken.contains(key) && key.beginnings.allSatisfy { !own.contains($0) }
    }
    for command in scheme.commands {
      var keys = scheme.own[command] ?? scheme.builtIn(command).filter(isFree)
      if command == .quit, !keys.contains(Self.interrupt), isFree(Self.interrupt) {
        keys.append(Self.interrupt)
      }
      self.keys[command] = keys
      for key in keys {
        commands[key] = command
        beginnings.formUnion(key.beginnings)
      }
    }
  }

  func command(for key: KeyEvent) -> Command? { commands[KeySequence(key)] }

  func command(for keys: KeySequence) -> Command? { commands[keys] }

  /// Whether further keys can follow these.
  func isBeginning(_ keys: KeySequence) -> Bool { beginnings.contains(keys) }

  /// The first key of a command, as the help writes it; nil where it has none.
  func keyName(of command: Command) -> String? { keys[command]?.first.map(Self.name) }

  /// The keys of a command, as the help writes them; empty where it has none.
  func keyNames(of command: Command) -> String {
    let keys = keys[command] ?? []
    guard command != .number || keys.count < 3 else { return "1 … 9" }
    // A sequence has spaces of its own.
    return keys.map(Self.name).joined(separator: keys.contains { $0.keys.count > 1 } ? ", " : " ")
  }

  /// The next keys of the sequences that begin with these, with their commands.
  func continuations(of keys: [KeyEvent]) -> [(key: String, text: String)] {
    commands.filter { $0.key.keys.count > keys.count && $0.key.keys.starts(with: keys) }
      .map { sequence, command in
        (Self.name(of: KeySequence(Array(sequence.keys.dropFirst(keys.count)))), command.name)
      }.sorted { $0.0 < $1.0 }
  }
}
