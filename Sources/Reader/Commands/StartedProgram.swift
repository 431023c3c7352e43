package import News
internal import Screen

/// A program that was started from the reader, with what it has printed so far.
struct StartedProgram: Hashable, Sendable {
  let id: ProgramID
  /// What was typed to start it.
  let title: String
  /// Whether nothing is said when it has ended well.
  var isQuiet = false
  var output = ""
  /// Nil while it runs.
  var end: ProgramEnd?

  /// Whether it still runs, or how it failed; nil where it ended well.
  var note: String? {
    switch end {
    case nil: "running …"
    case .exited(0): nil
    case .exited(let status): "ended with status \(status)"
    case .killed(let signal): "ended by signal \(signal)"
    case .failed(let message): message
    }
  }
}

/// Identity of a program that was started from the reader.
package struct ProgramID: Hashable, Sendable {
  let number: Int
}

/// What a program is run for.
package struct ProgramSubject: Hashable, Sendable {
  /// Nil for none.
  package var article: ArticleID?
  /// The number of new articles that it is run for.
  package var newCount = 0
}

/// How a program has ended.
package enum ProgramEnd: Hashable, Sendable {
  /// With an exit status.
  case exited(Int32)
  /// By a signal.
  case killed(Int32)
  /// It could not be started, and why.
  case failed(String)
}

extension ReaderState {
  /// Starts a verb, and shows its output where it is more than a line.
  mutating func run(verb words: [String]) -> [Effect] {
    let title = words.joined(separator: " ")
    let id = start(title)
    return [.programs(.runVerb(id, words, width: size.width)), showSlowProgram(id)]
      + notify("\(title) …")
  }

  /// Notes a program as started.
  mutating func start(_ title: String, isQuiet: Bool = false) -> ProgramID {
    serial += 1
    let id = ProgramID(number: serial)
    programs.append(StartedProgram(id: id, title: title, isQuiet: isQuiet))
    return id
  }

  /// Programs that end at once need no page for a single line.
  func showSlowProgram(_ id: ProgramID) -> Effect {
    .remind(.program(id), afterMilliseconds: 250)
  }

  mutating func receiveOutput(_ text: String, of id: ProgramID) -> [Effect] {
    guard let index = programs.firstIndex(where: { $0.id == id }) else { return [] }
    programs[index].output += text
    settleScreens()
    return []
  }

  mutating func receiveEnd(_ end: ProgramEnd, of id: ProgramID) -> [Effect] {
    guard let index = programs.firstIndex(where: { $0.id == id }) else { return [] }
    programs[index].end = end
    let program = programs[index]
    if program.isQuiet, end == .exited(0) {
      hideOutput(of: id)
      return []
    }
    let lines = program.output.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
    guard lines.count < 2 || program.isQuiet else {
      if !isShown(id) { showOutput(of: id) }
      settleScreens()
      return []
    }
    // One line goes to the bottom of the screen.
    hideOutput(of: id)
    let line = lines.first.map { $0.split(separator: "\t").joined(separator: "  ") }
    switch end {
    case .exited(0): return notify(line ?? "\(program.title): done")
    case .exited(let status):
      return notify(line ?? "\(program.title) has ended with status \(status)", .error)
    case .killed(let signal):
      return notify(line ?? "\(program.title) was ended by signal \(signal)", .error)
    case .failed(let message): return notify(message, .error)
    }
  }
}
