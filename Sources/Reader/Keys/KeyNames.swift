internal import Screen

/// The names of keys, in the help and in the settings.
extension KeyMap {
  /// The key that a text names, as the help writes it or as people do: `j`, `Ctrl-d`, `^D`, `C-d`, `Space`, `PgDn`,
  /// `F5`; nil where it names none.
  static func key(named text: String) -> KeyEvent? {
    if let key = named[text.lowercased()] { return key }
    if text.count == 1, let character = text.first, !character.isWhitespace || character == " " {
      return .character(character)
    }
    let name = text.lowercased()
    for prefix in ["ctrl-", "c-", "^"] where name.hasPrefix(prefix) {
      let letter = name.dropFirst(prefix.count)
      guard letter.count == 1, let character = letter.first, character.isASCII else { return nil }
      // A terminal sends another key for these.
      switch character {
      case "m", "j": return .enter
      case "i": return .tab
      case "[": return .escape
      default: return character.isLetter || "@\\]^_".contains(character) ? .control(character) : nil
      }
    }
    if name.hasPrefix("f"), let number = Int(name.dropFirst()), (1...12).contains(number) {
      return .function(number)
    }
    return nil
  }

  private static let named: [String: KeyEvent] = [
    "space": .character(" "), "enter": .enter, "return": .enter, "esc": .escape, "escape": .escape,
    "tab": .tab, "shift-tab": .backTab, "backtab": .backTab, "backspace": .backspace,
    "del": .delete, "delete": .delete, "up": .up, "↑": .up, "down": .down, "↓": .down,
    "left": .left, "←": .left, "right": .right, "→": .right, "pgup": .pageUp, "pageup": .pageUp,
    "pgdn": .pageDown, "pagedown": .pageDown, "home": .home, "end": .end,
  ]

  /// The keys that a text names, with spaces between them; nil where one of them is none.
  static func sequence(named text: String) -> KeySequence? {
    if let key = key(named: text) { return KeySequence(key) }
    let names = text.split(separator: " ")
    let keys = names.compactMap { key(named: String($0)) }
    guard (1...KeySequence.longest).contains(keys.count), keys.count == names.count else {
      return nil
    }
    return KeySequence(keys)
  }

  static func name(of sequence: KeySequence) -> String {
    sequence.keys.map(name).joined(separator: " ")
  }

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
