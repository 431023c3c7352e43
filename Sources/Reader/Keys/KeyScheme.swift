internal import Screen

/// The keys that the user wants: one of the built-in sets, and keys of single commands.
package struct KeyScheme: Hashable, Sendable {
  package struct Wish: Hashable, Sendable {
    /// The command, or the screen and the command with a dot between them.
    package var command: String
    package var keys: [String]
    /// Where that stands, as in `config.toml:12:3`.
    package var place: String
    /// Where the command of the user's own is that the wish is a part of; nil for any other.
    package var owner: String?

    package init(_ command: String, _ keys: [String], place: String, owner: String? = nil) {
      self.command = command
      self.keys = keys
      self.place = place
      self.owner = owner
    }
  }

  /// A wish that cannot be met. The keys of its command stay as they are.
  package struct Mistake: Hashable, Sendable {
    package var place: String
    package var message: String

    package init(place: String, message: String) {
      self.place = place
      self.message = message
    }

    package var line: String { "\(place): \(message)" }
  }

  /// The names of the sets; the first is that of the tables of the screens.
  package static let sets = ["vi", "emacs", "newsboat"]

  /// By command, or by screen and command.
  let builtIn: [String: [KeySequence]]
  private(set) var own: [String: [KeySequence]] = [:]
  package private(set) var mistakes: [Mistake] = []
  /// Commands of the user's own that can be done.
  package internal(set) var ownCommands: [OwnCommand] = []

  package static let standard = KeyScheme()

  /// - Parameters:
  ///   - set: one of `sets`; another one is taken for the first.
  ///   - own: commands of the user's own; their keys are among the wishes.
  ///   - mistakes: those that were found in the settings before.
  package init(
    set: String = "vi", wishes: [Wish] = [], own: [OwnCommand] = [], mistakes: [Mistake] = []
  ) {
    builtIn = KeySets.keys(of: set)
    self.mistakes = mistakes
    add(own)
    var owners: [String: [KeySequence: Wish]] = [:]
    let named = Set(wishes.map(\.command))
    // Keys for one screen take precedence over those for all.
    for wish in wishes where wish.isOfOneScreen { add(wish, among: named, &owners) }
    for wish in wishes where !wish.isOfOneScreen { add(wish, among: named, &owners) }
    noteTakenKeys(by: wishes, from: set)
  }

  /// Says which commands of screens are left without a key because it is that of the whole program now. A command of
  /// which the settings say what keys it has, none perhaps, is left to them.
  private mutating func noteTakenKeys(by wishes: [Wish], from set: String) {
    let takers = wishes.filter { own[$0.command] != nil && isOfAllScreens($0) }
    guard !takers.isEmpty else { return }
    let (before, kinds) = (KeyScheme(set: set), ScreenStack.kinds)
    for taker in takers {
      var losers: [(command: String, key: KeySequence, screens: [String])] = []
      for kind in kinds where kind.layer < .prompt {
        let left = KeyMap.bindings(of: kind, among: kinds, self)
        for binding in KeyMap.bindings(of: kind, among: kinds, before) {
          let command = binding.command
          guard keys(of: command, on: kind.name)?.rank != .own,
            !left.contains(where: { $0.command == command && !$0.keys.isEmpty }),
            let key = binding.keys.first(where: { isTaken($0, by: taker) })
          else { continue }
          if let index = losers.firstIndex(where: { $0.command == command.name && $0.key == key }) {
            if !losers[index].screens.contains(kind.name) {
              losers[index].screens.append(kind.name)
            }
          } else {
            losers.append((command.name, key, [kind.name]))
          }
        }
      }
      for (command, key, screens) in losers {
        let places =
          screens.count > 3 ? "\(screens.count) screens" : screens.joined(separator: ", ")
        note(
          taker,
          "\(KeyMap.name(of: key)) is the key of \(command) (\(places)), which has none left: give "
            + "\(command) another one, or [] for none")
      }
    }
  }

  private func isTaken(_ key: KeySequence, by taker: Wish) -> Bool {
    (own[taker.command] ?? []).contains {
      $0 == key || $0.beginnings.contains(key) || key.beginnings.contains($0)
    }
  }

  /// Whether its command is one of every screen, and not of the user's own, who has chosen the key for it.
  private func isOfAllScreens(_ wish: Wish) -> Bool {
    wish.isOfProgram || ScreenStack.kinds.contains { $0.opening?.command.name == wish.command }
  }

  /// - Parameter named: what there are wishes for; one for a single screen goes before that for all.
  private mutating func add(
    _ wish: Wish, among named: Set<String>, _ owners: inout [String: [KeySequence: Wish]]
  ) {
    let all = screens(ofCommand: wish.command)
    // The mistake of a command of the user's own is noted already; its keys go with it.
    if let owner = wish.owner,
      !ownCommands.contains(where: { $0.name == wish.command && $0.place == owner })
    {
      return
    }
    let screens = all.filter { !named.contains("\($0).\(wish.command)") }
    guard !all.isEmpty else {
      let name = wish.command.split(separator: ".").last.map(String.init) ?? wish.command
      let near = KeyMap.commandName(near: name)
      return note(
        wish, "there is no command “\(wish.command)”" + (near.map { "; did you mean \($0)?" } ?? "")
      )
    }
    var keys: [KeySequence] = []
    for text in wish.keys {
      guard let key = KeyMap.sequence(named: text) else {
        return note(
          wish,
          "there is no key “\(text)”; write a letter, Ctrl-x, Space, Enter, F5, PgDn …, or several "
            + "with spaces between them: g u")
      }
      keys.append(key)
    }
    /// Keys that are another command's on a screen alone.
    var ceded: [String: Set<KeySequence>] = [:]
    for screen in screens {
      for key in keys {
        for (taken, other) in owners[screen] ?? [:] where other.clashes(with: wish) {
          if other.isOfOneScreen, !wish.isOfOneScreen,
            key == taken || key.beginnings.contains(taken) || taken.beginnings.contains(key)
          {
            ceded[screen, default: []].insert(key)
            continue
          }
          guard key != taken else {
            return note(wish, "\(KeyMap.name(of: key)) is the key of \(other.command) already")
          }
          if key.beginnings.contains(taken) || taken.beginnings.contains(key) {
            return note(
              wish,
              "of \(KeyMap.name(of: key)) and \(KeyMap.name(of: taken)), the key of "
                + "\(other.command), one begins the other")
          }
        }
      }
    }
    for screen in screens {
      let left = keys.filter { ceded[screen]?.contains($0) != true }
      for key in left { owners[screen, default: [:]][key] = wish }
      if left != keys { own["\(screen).\(wish.command)"] = left }
    }
    own[wish.command] = keys
  }

  /// A command with its keys, as settings name both.
  package struct CommandKeys: Hashable, Sendable {
    package var name: String
    package var keys: [String]
    package var help: String
  }

  /// All commands that keys can be bound to, in the order of the help, with their keys in a set. A command that has other
  /// keys on one screen is named with that as well.
  package static func commands(ofSet set: String) -> [CommandKeys] {
    let scheme = KeyScheme(set: set)
    var commands: [CommandKeys] = []
    for kind in ScreenStack.kinds {
      for binding in KeyMap.bindings(of: kind, among: ScreenStack.kinds, scheme) {
        let keys = binding.keys.map { KeyMap.name(of: $0) }
        let name = binding.command.name
        let known = commands.first { $0.name == name }
        if known == nil {
          commands.append(CommandKeys(name: name, keys: keys, help: binding.help))
        } else if known?.keys != keys {
          let place = "\(kind.name).\(name)"
          commands.append(CommandKeys(name: place, keys: keys, help: binding.help))
        }
      }
    }
    return commands
  }

  private mutating func note(_ wish: Wish, _ message: String) { note(message, at: wish.place) }

  package mutating func note(_ message: String, at place: String) {
    mistakes.append(Mistake(place: place, message: message))
  }

  /// Whether all keys are those of the tables.
  var isStandard: Bool { builtIn.isEmpty && own.isEmpty && ownCommands.isEmpty }

  /// The keys of a command on a screen as the user, or the set, has them; nil where neither says anything.
  func keys(of command: Command, on screen: String) -> (keys: [KeySequence], rank: KeyMap.Rank)? {
    let names = ["\(screen).\(command.name)", command.name]
    if let own = names.lazy.compactMap({ own[$0] }).first { return (own, .own) }
    return names.lazy.compactMap { builtIn[$0] }.first.map { ($0, .set) }
  }
}

extension KeyScheme.Wish {
  fileprivate var name: Substring { command.split(separator: ".").last ?? "" }

  /// Whether it says what its command has on one screen alone.
  fileprivate var isOfOneScreen: Bool { command.contains(".") }

  fileprivate var isOfProgram: Bool {
    KeyBinding.program.contains { $0.command.name == name }
  }

  /// Whether one key cannot be both. A command may be named twice, with a screen and without; and a screen's own keys
  /// go before those of the whole program.
  fileprivate func clashes(with other: KeyScheme.Wish) -> Bool {
    name != other.name && !isOfProgram && !other.isOfProgram
  }
}
