internal import Screen

extension Command {
  static let palette = Command("palette")
}

/// Everything that can be done on the page below, with its keys.
struct Palette: FilteredPage, Hashable, Sendable {
  static let name = "palette"
  static let opening: KeyBinding? = KeyBinding(
    .palette, [.control("p"), .function(2)], "everything that can be done here", .program)
  static let words = FilteredList<String>.Words(
    title: "What can be done here", prompt: "Do: ", nothing: "nothing of that name")

  var filtered = FilteredList<String>()

  static func rows(for text: String, in state: ReaderState) -> [RunnableCommand] {
    RunnableCommand.matches(text, among: RunnableCommand.runnableCommands(in: state))
  }

  /// Runs a command. A verb gets a line for its arguments.
  static func choose(
    _ command: RunnableCommand, at milliseconds: Int64, in state: inout ReaderState
  ) -> [Effect] {
    guard command.kind == .verb else {
      return RunnableCommand.run(command, [command.name], at: milliseconds, in: &state)
    }
    return state.openCommandLine(with: command.name + " ")
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
