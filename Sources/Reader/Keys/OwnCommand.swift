internal import News
internal import Screen
internal import Text

package struct OwnCommand: Hashable, Sendable {
  package enum Work: Hashable, Sendable {
    /// The names of commands, which are done one after the other.
    case commands([String])
    case program(OwnProgram)
  }

  package var name: String
  package var help: String
  package var work: Work
  /// Where the settings say so, as in `config.toml:12:3`.
  package var place: String

  package init(_ name: String, help: String, work: Work, place: String) {
    self.name = name
    self.help = help
    self.work = work
    self.place = place
  }
}

package struct OwnProgram: Hashable, Sendable {
  package enum Input: String, Hashable, Sendable, CaseIterable {
    case text, html, address, none
  }

  package enum Output: String, Hashable, Sendable, CaseIterable {
    /// To a page of its own, or to the line at the bottom where it is one line.
    case page
    /// Into the place of the article's text.
    case article
    /// HTML, into the place of the article’s text.
    case articleHTML = "article-html"
    case none
    case terminal
  }

  package var name: String
  /// The program and its arguments, in which `%u` stands for the article's address, `%t` for its title, `%f` for the name
  /// of its feed and `%p` for the path of a file with the input.
  package var arguments: [String]
  package var input: Input
  package var output: Output

  package init(
    _ name: String, _ arguments: [String], input: Input = .text, output: Output = .page
  ) {
    self.name = name
    self.arguments = arguments
    self.input = input
    self.output = output
  }
}

extension OwnProgram {
  /// Whether words of the article stand in the script of a shell, where they could be commands.
  var isScriptOfTitle: Bool { ShellScript.holds(["%t", "%f", "%u"], in: arguments) }
}

extension KeyScheme {
  /// Adds the commands of the user's own, as far as they can be done.
  mutating func add(_ commands: [OwnCommand]) {
    let programs = commands.filter { if case .program = $0.work { true } else { false } }
    for command in programs + commands.filter({ !programs.contains($0) }) {
      if let message = refusal(of: command) {
        note(message, at: command.place)
      } else {
        ownCommands.append(command)
      }
    }
  }

  func isMacro(_ name: String) -> Bool {
    guard case .commands? = ownCommand(named: name)?.work else { return false }
    return true
  }

  func ownCommand(named name: String) -> OwnCommand? { ownCommands.first { $0.name == name } }
}

extension ProgramRuns {
  static func run(own: OwnCommand, at milliseconds: Int64, in state: inout ReaderState) -> [Effect]
  {
    switch own.work {
    case .program(let program):
      guard state.stack.topPage == nil, let (id, _) = state.current else {
        return state.notify(CoreStrings.noArticleSelected)
      }
      return run(program, on: id, in: &state)
    case .commands(let names):
      var effects: [Effect] = []
      for name in names {
        // A question ends the commands.
        guard !state.isAsking else { break }
        guard let done = state.run(Command(name), at: milliseconds) else {
          return effects + state.notify(KeysStrings.stopped(own.name, at: name))
        }
        effects += done
      }
      return effects
    }
  }

  static func run(
    _ program: OwnProgram, on article: ArticleID, in state: inout ReaderState
  ) -> [Effect] {
    let subject = ProgramSubject(article: article)
    switch program.output {
    case .terminal: return [.programs(.runInTerminal(program, article))]
    case .page:
      let id = start(program.name, in: &state)
      return [
        .programs(.run(id, program, subject, width: state.size.width)),
        showSlowProgram(id),
      ]
        + state.notify("\(program.name) …")
    case .none:
      let id = start(program.name, in: &state)
      return [.programs(.run(id, program, subject, width: state.size.width))]
        + state.notify("\(program.name) …")
    case .article, .articleHTML:
      // It takes the place of the open article's text.
      let opening =
        state.article?.id == article ? [] : state.open(article, row: state.list.row(of: article))
      let id = start(program.name, in: &state)
      return opening + [.programs(.run(id, program, subject, width: state.articleWidth))]
        + state.notify("\(program.name) …")
    }
  }
}
