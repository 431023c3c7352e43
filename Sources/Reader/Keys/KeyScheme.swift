internal import Screen

/// The keys that the user has chosen: one of the built-in sets, and keys of single commands.
package struct KeyScheme: Hashable, Sendable {
  /// The keys of one command in the settings.
  package struct Assignment: Hashable, Sendable {
    package var command: String
    package var keys: [String]
    /// Where that stands, as in `config.toml:12:3`.
    package var place: String
    /// The place of the user's own command that the keys belong to; nil for any other.
    package var owner: String?

    package init(_ command: String, _ keys: [String], place: String, owner: String? = nil) {
      self.command = command
      self.keys = keys
      self.place = place
      self.owner = owner
    }
  }

  /// A line of the settings that cannot be followed. The keys of its command stay as they are.
  package struct Mistake: Hashable, Sendable {
    package var place: String
    package var message: String

    package init(place: String, message: String) {
      self.place = place
      self.message = message
    }

    package var line: String { "\(place): \(message)" }
  }

  package static let sets = ["vi", "emacs", "newsboat"]

  private let set: String
  private(set) var own: [Command: [KeySequence]] = [:]
  package private(set) var mistakes: [Mistake] = []
  /// Commands of the user's own that can be done.
  package internal(set) var ownCommands: [OwnCommand] = []

  package static let standard = KeyScheme()

  /// - Parameters:
  ///   - set: one of `sets`; another one is taken for the first.
  ///   - own: commands of the user's own; their keys are among the assignments.
  ///   - mistakes: those that were found in the settings before.
  package init(
    set: String = "vi", assignments: [Assignment] = [], own: [OwnCommand] = [],
    mistakes: [Mistake] = []
  ) {
    self.set = set
    self.mistakes = mistakes
    add(own)
    for assignment in assignments { add(assignment) }
  }

  private mutating func add(_ assignment: Assignment) {
    // The mistake of a command of the user's own is noted already; its keys go with it.
    if let owner = assignment.owner,
      !ownCommands.contains(where: { $0.name == assignment.command && $0.place == owner })
    {
      return
    }
    guard let command = command(named: assignment.command) else {
      return note(Self.noCommand(assignment.command), at: assignment.place)
    }
    var keys: [KeySequence] = []
    for text in assignment.keys {
      guard let key = KeyMap.sequence(named: text) else {
        return note(KeysStrings.noKey(text), at: assignment.place)
      }
      if let message = refusal(of: key, for: command) {
        return note(message, at: assignment.place)
      }
      keys.append(key)
    }
    own[command] = keys
  }

  package mutating func note(_ message: String, at place: String) {
    mistakes.append(Mistake(place: place, message: message))
  }

  // MARK: Commands

  /// All commands in the order of the help, the user's own at the end.
  var commands: [Command] {
    Command.table.map(\.command) + ownCommands.map { Command($0.name) }
  }

  func command(named name: String) -> Command? {
    let command = Command(name)
    return command.declaration != nil || ownCommand(named: name) != nil ? command : nil
  }

  func help(of command: Command) -> String {
    command.declaration?.help ?? ownCommand(named: command.name)?.help ?? command.name
  }

  /// The keys of a command in the chosen set.
  func builtIn(_ command: Command) -> [KeySequence] { command.declaration?.keys(of: set) ?? [] }

  /// Whether all keys are those of the first set.
  var isStandard: Bool { self.set == Self.sets[0] && own.isEmpty && ownCommands.isEmpty }

  /// The command that begins with the most letters of a mistyped name; of several the shortest. Nil where none begins
  /// with four of them.
  static func near(_ typed: String) -> String? {
    func shared(_ name: String) -> Int { zip(name, typed).prefix { $0 == $1 }.count }
    return Command.table.map(\.command.name).filter { shared($0) >= 4 }.max {
      (shared($0), -$0.count) < (shared($1), -$1.count)
    }
  }

  /// A command with its keys, as settings name both.
  package struct CommandKeys: Hashable, Sendable {
    package var name: String
    package var keys: [String]
    package var help: String
  }

  /// All commands that keys can be bound to, in the order of the help, with their keys in a set.
  package static func commands(ofSet set: String) -> [CommandKeys] {
    Command.table.map {
      CommandKeys(
        name: $0.command.name, keys: $0.keys(of: set).map(KeyMap.name), help: $0.help)
    }
  }
}
