internal import CVTerm

/// The modes of a terminal line that a program changes for itself.
package struct LineModes: Hashable, Sendable {
  /// What is typed is shown by the line itself.
  package let echoes: Bool
  /// Input comes line by line.
  package let isCanonical: Bool
  /// Ctrl-C and Ctrl-Z are signals.
  package let makesSignals: Bool
  /// Return arrives as a line feed.
  package let mapsReturn: Bool
  /// Output is post-processed (line feeds become return and line feed).
  package let processesOutput: Bool

  init(_ modes: termios) {
    echoes = modes.c_lflag & tcflag_t(ECHO) != 0
    isCanonical = modes.c_lflag & tcflag_t(ICANON) != 0
    makesSignals = modes.c_lflag & tcflag_t(ISIG) != 0
    mapsReturn = modes.c_iflag & tcflag_t(ICRNL) != 0
    processesOutput = modes.c_oflag & tcflag_t(OPOST) != 0
  }
}
