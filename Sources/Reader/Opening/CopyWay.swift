/// The receiver of a copied text.
package enum CopyWay: Hashable, Sendable {
  /// The terminal itself, or a program that the settings name.
  case terminal
  /// tmux, which keeps it and hands it to its terminal.
  case tmux
  /// The terminal behind a tmux that hands it on only where it is set to.
  case terminalBehindTmux

  func sentence(_ text: String) -> String {
    switch self {
    case .terminal: "copied \(text)"
    case .tmux: "copied \(text) by tmux"
    case .terminalBehindTmux: "copied \(text), if tmux has set-clipboard on"
    }
  }
}
