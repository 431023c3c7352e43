internal import News
internal import Reader

/// Keys that another reader's settings give to commands, on top of a built-in set.
struct ImportedKeys {
  private var changes: [(command: String, keys: [String])] = []
  private let setName: String
  private let builtIn: [KeyScheme.CommandKeys]

  init(_ keys: [LibraryKey], set: String) {
    setName = set
    builtIn = KeyScheme.commands(ofSet: set)
    for key in keys {
      let name = Self.name(key.key)
      // A key of one dialog would leave the other pages without theirs.
      if key.isOfOneDialog, builtIn.contains(where: { $0.keys.contains(name) }) { continue }
      add(name, to: key.command)
    }
  }

  /// The commands whose keys differ from the built-in set.
  var commands: [String] { changes.map(\.command) }

  /// The table `[keys]` of the settings.
  var toml: String {
    "[keys]\nset = \"\(setName)\"\n"
      + changes.map { Self.line($0.command, $0.keys) + "\n" }.joined()
  }

  static func line(_ command: String, _ keys: [String]) -> String {
    let keys = keys.map { "\"\($0 == "\"" ? "\\\"" : $0 == "\\" ? "\\\\" : $0)\"" }
    return "\(command) = [\(keys.joined(separator: ", "))]"
  }

  /// The name of a key as built-in sets have it.
  private static func name(_ key: String) -> String {
    if key.hasPrefix("Ctrl-") { return "^" + key.dropFirst(5).uppercased() }
    return ["Up": "↑", "Down": "↓", "Left": "←", "Right": "→"][key] ?? key
  }

  /// Gives a key to a command, and takes it from all others; the latest assignment of a key counts.
  private mutating func add(_ key: String, to command: String?) {
    for other in builtIn.map(\.name) where other != command && keys(of: other).contains(key) {
      set(other, to: keys(of: other).filter { $0 != key })
    }
    if let command, !keys(of: command).contains(key) { set(command, to: keys(of: command) + [key]) }
  }

  private mutating func set(_ command: String, to keys: [String]) {
    if let index = changes.firstIndex(where: { $0.command == command }) {
      changes[index].keys = keys
    } else {
      changes.append((command, keys))
    }
  }

  private func keys(of name: String) -> [String] {
    (changes.first { $0.command == name }?.keys) ?? builtIn.first { $0.name == name }?.keys ?? []
  }
}
