import ChildProcess
import PseudoTerminal

/// Starts the sample program on a terminal of its own.
func startSample(
  _ scene: String = "events", arguments: [String] = [], environment: [String: String?] = [:],
  size: (width: Int, height: Int) = (60, 16), cell: (width: Int, height: Int)? = nil,
  answers: [(question: String, answer: String)]? = nil
) throws -> PseudoTerminal {
  try PseudoTerminal(
    executable: BuiltProduct.path(of: "terminal-sample"), arguments: [scene] + arguments,
    environment: environment, size: size, cell: cell, answers: answers)
}

/// Whether the terminal is as a shell left it: main screen, visible cursor, cooked line.
func isGivenBack(_ terminal: PseudoTerminal) -> Bool {
  let screen = terminal.screen
  let modes = terminal.modes
  return !screen.isAlternateScreen && screen.isCursorVisible && modes.echoes && modes.isCanonical
    && modes.makesSignals && modes.mapsReturn && modes.processesOutput
}
