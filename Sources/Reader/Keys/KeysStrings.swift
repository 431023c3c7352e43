internal import News

enum KeysStrings {
  static func noKey(_ name: String) -> String {
    "There is no key “\(name)”. Write a letter, Ctrl-x, Space, Enter, F5 or PgDn, or several with spaces between them, such as g u."
  }
  static func cannotRun(_ name: String, in owner: String, _ reason: String) -> String {
    "\(owner) cannot run “\(name)”. \(reason)"
  }
  static func stopped(_ owner: String, at name: String) -> String {
    "\(owner) stopped: \(name) does not work on this page."
  }
}

extension KeyScheme {
  /// The message about a key that another command of the settings has, or begins, or is begun by; nil where it is free.
  func refusal(of key: KeySequence, for command: Command) -> String? {
    for (other, keys) in own where other != command {
      for taken in keys {
        if key == taken {
          return "\(KeyMap.name(of: key)) is already the key of \(other.name). Choose another key."
        }
        if key.beginnings.contains(taken) || taken.beginnings.contains(key) {
          return
            "\(KeyMap.name(of: key)) conflicts with \(KeyMap.name(of: taken)), the key of \(other.name): one begins with the other."
        }
      }
    }
    return nil
  }

  /// Says that there is no command of a name, and which was meant.
  static func noCommand(_ name: String) -> String {
    let parts = name.split(separator: ".")
    if parts.count == 2, Command(String(parts[1])).declaration != nil {
      return
        "A key does the same on every page. Write \(String(parts[1])) without \(String(parts[0]))."
    }
    let bare = parts.last.map(String.init) ?? name
    if let present = Command.renamed[bare] { return "“\(name)” is now “\(present)”." }
    return "There is no command “\(name)”." + (near(bare).map { " Did you mean “\($0)”?" } ?? "")
  }

  func refusal(of command: OwnCommand) -> String? {
    let isName = command.name.allSatisfy {
      $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-")
    }
    guard isName, command.name.contains(where: \.isLetter) else {
      return
        "“\(command.name)” cannot be the name of a command. Use lower-case letters, digits and “-”."
    }
    guard self.command(named: command.name) == nil else {
      return "There is already a command “\(command.name)”. Choose another name."
    }
    switch command.work {
    case .program(let program):
      guard program.arguments.first?.isEmpty == false else {
        return "The command “\(command.name)” has no program. Name one in its “run”."
      }
      return program.isScriptOfTitle
        ? "“\(command.name)” would run a title as part of its script. Write \"$TELEX_TITLE\", \"$TELEX_FEED\" and \"$TELEX_URL\" in place of %t, %f and %u."
        : nil
    case .commands(let names):
      guard !names.isEmpty else {
        return "The macro “\(command.name)” has no commands. Name some in its “run”."
      }
      for name in names where self.command(named: name) == nil || isMacro(name) {
        return KeysStrings.cannotRun(
          name, in: command.name,
          isMacro(name) ? "“\(name)” runs several commands itself." : Self.noCommand(name))
      }
      return nil
    }
  }
}
