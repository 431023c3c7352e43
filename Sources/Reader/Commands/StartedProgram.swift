package import News
internal import Screen

struct StartedProgram: Hashable, Sendable {
  let id: ProgramID
  let title: String
  /// Whether nothing is said when it has ended well.
  var isQuiet = false
  var output = ""
  /// Whether the user has stopped it.
  var isStopped = false
  /// Nil while it runs.
  var end: ProgramEnd?

  /// Whether it still runs, or how it failed; nil where it ended well.
  var note: String? {
    if isStopped { return CommandsStrings.stoppedProgram }
    return switch end {
    case nil: "running …"
    case .exited(0): nil
    case .exited(let status): CommandsStrings.ended(status: status)
    case .killed(let signal): CommandsStrings.ended(signal: signal)
    case .failed(let message): message
    }
  }
}

package struct ProgramID: Hashable, Sendable {
  let number: Int
}

package struct ProgramSubject: Hashable, Sendable {
  /// Nil for none.
  package var article: ArticleID?
  /// The number of new articles that it is run for.
  package var newCount = 0
}

package enum ProgramEnd: Hashable, Sendable {
  case exited(Int32)
  case killed(Int32)
  /// It could not be started; the reason.
  case failed(String)
}

enum ProgramRuns {
  /// Starts a verb, and shows its output where it is more than a line.
  static func run(verb words: [String], in state: inout ReaderState) -> [Effect] {
    let title = words.joined(separator: " ")
    let id = start(title, in: &state)
    return [
      .programs(.runVerb(id, words, width: state.size.width)), showSlowProgram(id),
    ]
      + state.notify("\(title) …")
  }

  static func start(
    _ title: String, isQuiet: Bool = false, in state: inout ReaderState
  ) -> ProgramID {
    state.serial += 1
    let id = ProgramID(number: state.serial)
    state.programs.append(StartedProgram(id: id, title: title, isQuiet: isQuiet))
    return id
  }

  /// Shows the page of a program after a moment: one that ends at once with a line needs none.
  static func showSlowProgram(_ id: ProgramID) -> Effect {
    .remind(.program(id), afterMilliseconds: 250)
  }

  static func receiveOutput(
    _ text: String, of id: ProgramID, in state: inout ReaderState
  ) -> [Effect] {
    guard let index = state.programs.firstIndex(where: { $0.id == id }) else { return [] }
    state.programs[index].output += text
    state.settleScreens()
    return []
  }

  static func receiveEnd(
    _ end: ProgramEnd, of id: ProgramID, in state: inout ReaderState
  ) -> [Effect] {
    guard let index = state.programs.firstIndex(where: { $0.id == id }) else { return [] }
    state.programs[index].end = end
    let program = state.programs[index]
    if program.isQuiet, end == .exited(0) {
      hideOutput(of: id, in: &state)
      return []
    }
    let lines = program.output.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
    guard lines.count < 2 || program.isQuiet else {
      if !isShown(id, in: state) { showOutput(of: id, in: &state) }
      state.settleScreens()
      return []
    }
    // One line goes to the bottom of the screen.
    hideOutput(of: id, in: &state)
    if program.isStopped, lines.isEmpty { return [] }
    let line = lines.first.map { $0.split(separator: "\t").joined(separator: "  ") }
    switch end {
    case .exited(0): return state.notify(line ?? "\(program.title): done.")
    case .failed(let message): return state.notify(message, .error)
    case .exited, .killed:
      return state.notify(line ?? "\(program.title) \(program.note ?? "").", .error)
    }
  }

  // MARK: Output

  /// Shows what a program has printed so far, in place of what another one has.
  static func showOutput(of id: ProgramID, in state: inout ReaderState) {
    if let other = state.stack[OutputState.self], other.id != id {
      state.programs.removeAll { $0.id == other.id && $0.end != nil }
    }
    state.stack.push(OutputState(id: id))
  }

  static func isShown(_ id: ProgramID, in state: ReaderState) -> Bool {
    state.stack[OutputState.self]?.id == id
  }

  static func hideOutput(of id: ProgramID, in state: inout ReaderState) {
    if isShown(id, in: state) { state.stack[OutputState.self] = nil }
    state.programs.removeAll { $0.id == id }
  }

  /// Shows a program that has not ended yet.
  static func showSlow(_ id: ProgramID, in state: inout ReaderState) {
    guard state.programs.contains(where: { $0.id == id }), !isShown(id, in: state) else { return }
    showOutput(of: id, in: &state)
  }
}
