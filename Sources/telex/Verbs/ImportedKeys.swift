internal import News
internal import Reader

/// Keys that another reader's settings give to commands, on top of a built-in set.
struct ImportedKeys {
  /// The commands whose keys differ from the built-in set.
  private var wishes: [(command: String, keys: [String])] = []
  private let setName: String
  private let builtIn: [String: [String]]
  /// The keys that were assigned: no other command keeps them from the built-in set.
  private var given: [(key: String, screen: Substring?, command: String)] = []

  init(_ keys: [LibraryKey], set: String) {
    setName = set
    builtIn = KeyScheme.commands(ofSet: set).reduce(into: [:]) { $0[$1.name] = $1.keys }
    for key in keys {
      var key = key
      key.key = Self.name(key.key)
      take(key)
    }
  }

  /// The table `[keys]` of the settings.
  var toml: String {
    "[keys]\nset = \"\(setName)\"\n" + wishes.map { Self.line($0.command, $0.keys) + "\n" }.joined()
  }

  static func line(_ command: String, _ keys: [String]) -> String {
    let keys = keys.map { "\"\($0 == "\"" ? "\\\"" : $0 == "\\" ? "\\\\" : $0)\"" }
    let name = command.contains(".") ? "\"\(command)\"" : command
    return "\(name) = [\(keys.joined(separator: ", "))]"
  }

  /// The name of a key as built-in sets have it.
  private static func name(_ key: String) -> String {
    if key.hasPrefix("Ctrl-") { return "^" + key.dropFirst(5).uppercased() }
    return ["Up": "↑", "Down": "↓", "Left": "←", "Right": "→"][key] ?? key
  }

  private mutating func take(_ key: LibraryKey) {
    // `[keys]` stands for all screens, `[keys.list]` for one.
    let screen = key.table == "[keys]" ? nil : key.table.dropFirst(6).dropLast()
    let name = key.command.map { command in screen.map { "\($0).\(command)" } ?? command }
    // The latest assignment of a key counts.
    for index in wishes.indices where wishes[index].command != name {
      guard screen == nil || wishes[index].command.hasPrefix("\(screen ?? "").") else { continue }
      wishes[index].keys.removeAll { $0 == key.key }
    }
    guard let name else {
      // Sorted, so that the same settings are written each time.
      let holders = builtIn.filter { $0.value.contains(key.key) }.keys.sorted()
      for command in holders {
        guard screen == nil || command.hasPrefix("\(screen ?? "").") else { continue }
        set(command, to: keys(of: command).filter { $0 != key.key })
      }
      return
    }
    given.removeAll { $0.key == key.key && $0.screen == screen }
    given.append((key.key, screen, name))
    let known = keys(of: name).filter { old in
      !given.contains {
        $0.key == old && $0.command != name
          && ($0.screen == nil || screen == nil || $0.screen == screen)
      }
    }
    if !known.contains(key.key) { set(name, to: known + [key.key]) }
  }

  private mutating func set(_ command: String, to keys: [String]) {
    if let index = wishes.firstIndex(where: { $0.command == command }) {
      wishes[index].keys = keys
    } else {
      wishes.append((command, keys))
    }
  }

  private func keys(of name: String) -> [String] {
    if let wish = wishes.first(where: { $0.command == name }) { return wish.keys }
    let command = name.split(separator: ".").last.map(String.init) ?? name
    return builtIn[name] ?? wishes.first { $0.command == command }?.keys ?? builtIn[command] ?? []
  }
}
