/// The reason why the terminal cannot be claimed. Nothing has been written to it then.
package enum TerminalError: Error, Hashable, CustomStringConvertible {
  case inputIsNotATerminal, outputIsNotATerminal, typeIsNotSet
  /// Neither this type nor a common one has a description on this machine.
  case typeIsUnknown(String)
  /// The terminal of this type cannot move its cursor.
  case typeIsTooPlain(String)

  /// The reason with the next step, for the plain screen.
  package var description: String {
    switch self {
    case .inputIsNotATerminal:
      "standard input is not a terminal: start the reader without a redirection"
    case .outputIsNotATerminal:
      "standard output is not a terminal: start the reader without a redirection"
    case .typeIsNotSet:
      "TERM is not set, so the terminal's type is unknown: try TERM=xterm-256color"
    case .typeIsUnknown(let type):
      "no description of the terminal type TERM=\(type) on this machine: install ncurses-term, "
        + "or try TERM=xterm-256color"
    case .typeIsTooPlain(let type):
      "a terminal of type TERM=\(type) cannot move its cursor: try TERM=xterm-256color"
    }
  }
}
