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

/// The private modes that a program has set and not reset.
func modesLeftOn(by terminal: PseudoTerminal) -> Set<String> {
  var modes: Set<String> = []
  for sequence in String(decoding: terminal.output, as: UTF8.self).split(separator: "\u{1b}[?") {
    let number = sequence.prefix { $0.isNumber }
    guard ["1000", "1002", "1006", "1049", "2004"].contains(String(number)) else { continue }
    switch sequence.dropFirst(number.count).first {
    case "h": modes.insert(String(number))
    case "l": modes.remove(String(number))
    default: break
    }
  }
  return modes
}
