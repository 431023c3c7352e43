/// Why a test's terminal could not do what it was asked to.
package enum PseudoTerminalError: Error, CustomStringConvertible {
  case cannotStart(String, reason: String)
  /// What was waited for, and the last screen.
  case timeout(String, ScreenText)
  /// The program has not read its input for ten seconds, or it has gone.
  case doesNotRead

  package var description: String {
    switch self {
    case .cannotStart(let program, let reason): "cannot start \(program): \(reason)"
    case .timeout(let expectation, let screen):
      "waited in vain until \(expectation); the screen shows\n\(screen.drawing)"
    case .doesNotRead: "the program does not read its input"
    }
  }
}
