internal import Screen

/// Everything that can be done on the page below, with its keys.
struct Palette: FilteredPage, Hashable, Sendable {
  static let name = "palette"
  static let opening: Command? = .palette
  static let words = FilteredList<String>.Words(
    title: CoreStrings.allCommands, prompt: "Command: ", nothing: CoreStrings.noCommandHasLetters)

  var filtered = FilteredList<String>()

  static func rows(for text: String, in state: ReaderState) -> [RunnableCommand] {
    RunnableCommand.matches(
      text, among: RunnableCommand.runnableCommands(in: state) + HelpNotes.all)
  }

  /// Runs a command. One of the command line gets a line for its arguments.
  static func choose(
    _ command: RunnableCommand, at milliseconds: Int64, in state: inout ReaderState
  ) -> [Effect] {
    switch command.kind {
    case .command: RunnableCommand.run(command, [command.name], at: milliseconds, in: &state)
    case .verb: state.openCommandLine(with: command.name + " ")
    case .note: []
    }
  }

  static func columns(in state: ReaderState) -> CommandRow.Columns {
    CommandRow.Columns(RunnableCommand.runnableCommands(in: state), width: state.size.width)
  }

  func draw(
    _ command: RunnableCommand, _ frame: inout Frame, _ line: Rect, _ columns: CommandRow.Columns,
    isSelected: Bool, in state: ReaderState
  ) {
    CommandRow(command: command).draw(&frame, line, columns, isSelected: isSelected, state.theme)
  }
}

extension RunnableCommand: SelectableRow {
  var selectionID: String { name }
}
