/// The question for a terminal's background colour.
enum BackgroundQuestion {
  /// OSC 11. Ended by BEL, which every terminal that knows the question takes; some answer a question
  /// that is ended by `ESC \` without ending the answer.
  static let text = "\u{1b}]11;?\u{07}"

  /// Whether terminals of a type answer, or swallow what they do not know. Others print it: the
  /// consoles of kernels, `vt100` and other terminals of its time, `dumb`.
  static func isUnderstood(byType type: String) -> Bool {
    let family = type.prefix { $0 != "-" && $0 != "." && $0 != "+" }.lowercased()
    return families.contains(family)
  }

  private static let families: Set<String> = [
    "xterm", "tmux", "screen", "rxvt", "alacritty", "foot", "kitty", "wezterm", "konsole", "gnome",
    "vte", "st", "stterm", "contour", "ghostty", "mlterm", "mintty", "nsterm", "iterm", "iterm2",
    "putty", "terminology", "rio", "ms",
  ]
}
