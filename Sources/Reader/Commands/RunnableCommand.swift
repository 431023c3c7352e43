internal import News
internal import Screen

/// A command or a verb that can be asked for by its name on a screen.
struct RunnableCommand: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case command(Command)
    /// Of the program's own command line.
    case verb
    /// A line of the help that runs nothing.
    case note
  }

  var kind: Kind
  var name: String
  /// As the help writes them; empty where it has none.
  var keys: String
  var help: String
}

extension RunnableCommand {
  /// The commands that match a text by the beginning of their names, then by any part of these, then by their help.
  /// All for an empty text.
  static func matches(_ text: String, among all: [RunnableCommand]) -> [RunnableCommand] {
    let words = text.lowercased().split(separator: " ")
    guard !words.isEmpty else { return all }
    func rank(_ command: RunnableCommand) -> Int? {
      let name = command.name
      if name == words[0], words.count == 1 { return 0 }
      if words.count == 1, name.hasPrefix(words[0]) { return 1 }
      if words.allSatisfy({ name.contains($0) }) { return 2 }
      let help = command.help.lowercased()
      return words.allSatisfy { name.contains($0) || help.contains($0) } ? 3 : nil
    }
    let ranked = all.enumerated().compactMap { place, command in
      rank(command).map { (rank: $0, place: place, command: command) }
    }
    return ranked.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.command)
  }
}

extension RunnableCommand {
  /// The commands of the topmost page in the order of the help, then those of the command line.
  static func runnableCommands(in state: ReaderState) -> [RunnableCommand] {
    let kind = type(of: state.stack.topPage ?? state.focus.screen)
    // A command of digits says nothing without one.
    let commands = state.commands(on: kind).filter { $0 != .number }.map { command in
      RunnableCommand(
        kind: .command(command), name: command.name, keys: state.keys.keyNames(of: command),
        help: state.help(of: command, on: kind))
    }
    let names = Set(commands.map(\.name))
    let verbs = state.settings.verbs.filter { !names.contains($0.name) }.map {
      RunnableCommand(kind: .verb, name: $0.name, keys: "", help: $0.help)
    }
    return commands + verbs
  }

  /// Does what a line says: a command by its name or the beginning of it, the number of a row, or a verb with its
  /// arguments.
  static func run(line: String, at milliseconds: Int64, in state: inout ReaderState) -> [Effect] {
    let words: [String]
    do { words = try TypedWords.split(line) } catch { return state.notify(error.message, .error) }
    guard var name = words.first else { return [] }
    // Fingers that know vi are not asked which of several commands they mean.
    if words == ["q"] { name = "quit" }
    if words.count == 1, name.allSatisfy({ $0.isASCII && $0.isNumber }) {
      guard state.stack.topPage == nil else { return state.notify(CommandsStrings.rowsInPanesOnly) }
      let press = KeyPress(milliseconds: milliseconds)
      return Counting.perform(Command(.first), times: name, press, in: &state)
        ?? state.notify(CommandsStrings.noSuchRow)
    }
    if words == ["sort"], state.stack.topPage == nil, state.focus != .sidebar {
      return state.chooseOrder()
    }
    let all = runnableCommands(in: state)
    let found = all.first { $0.name == name }
    if words.count == 1, let found { return run(found, [name], at: milliseconds, in: &state) }
    if let effects = run(name, with: Array(words.dropFirst()), in: &state) { return effects }
    if state.settings.verbs.contains(where: { $0.name == name }) {
      return ProgramRuns.run(verb: words, in: &state)
    }
    if let found { return run(found, words, at: milliseconds, in: &state) }
    let begun = all.filter { $0.name.hasPrefix(name) }
    switch begun.count {
    case 0: return notifyNoCommand(name, in: &state)
    case 1: return run(begun[0], [begun[0].name] + words.dropFirst(), at: milliseconds, in: &state)
    default:
      return state.notify(CommandsStrings.ambiguous(name, begun.map(\.name)), .error)
    }
  }

  static func run(
    _ found: RunnableCommand, _ words: [String], at milliseconds: Int64, in state: inout ReaderState
  ) -> [Effect] {
    guard case .command(let command) = found.kind else {
      return ProgramRuns.run(verb: words, in: &state)
    }
    guard words.count == 1 else {
      return state.notify(CommandsStrings.noArguments(found.name), .error)
    }
    return state.run(command, at: milliseconds)
      ?? state.notify(CommandsStrings.unavailable(found.name, palette: state.key(.palette)))
  }

  /// Does what asks the user for something else, with what was typed after its name.
  private static func run(
    _ name: String, with words: [String], in state: inout ReaderState
  ) -> [Effect]? {
    if name == "theme" {
      let known = state.themes.pairs.map(\.name)
      guard words.count == 1, known.contains(words[0]) else {
        return state.notify(CommandsStrings.themes(known.joined(separator: ", ")), .error)
      }
      return [.settings(.set(name: ReaderState.themeSetting, to: words[0]))]
    }
    guard state.stack.topPage == nil, !words.isEmpty else { return nil }
    if name == "sort" {
      return Ordering.changeOrder(to: words.joined(separator: " "), in: &state)
    }
    switch Command(name) {
    case .search: return state.goToList(of: .search(words.joined(separator: " ")))
    case .save:
      guard let (id, _) = state.current else { return state.notify(CoreStrings.noArticleSelected) }
      return [.article(.save(id, path: words.joined(separator: " ")))]
    case .pipe:
      guard let (id, _) = state.current else { return state.notify(CoreStrings.noArticleSelected) }
      return ProgramRuns.run(OwnProgram(words[0], words), on: id, in: &state)
    case .later where words[0] == "--until" && words.count > 1:
      let time = words.dropFirst().joined(separator: " ")
      return Marking.hideUntil(time, in: &state)
    default: return nil
    }
  }

  private static func notifyNoCommand(_ name: String, in state: inout ReaderState) -> [Effect] {
    if state.settings.keys.command(named: name) != nil {
      return state.notify(CommandsStrings.unavailable(name, palette: state.key(.palette)), .error)
    }
    return state.notify(KeyScheme.noCommand(name), .error)
  }
}
