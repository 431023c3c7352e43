/// Commands to the terminal behind tmux, which tmux passes on where `allow-passthrough` is set.
enum TmuxPassage {
  /// Each escape byte is doubled, so that none ends the whole.
  static func wrapped(_ commands: String) -> String {
    "\u{1B}Ptmux;" + commands.replacing("\u{1B}", with: "\u{1B}\u{1B}") + "\u{1B}\\"
  }
}
