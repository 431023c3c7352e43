internal import Services

/// The buffer of the tmux that this program runs in. tmux passes OSC 52 of the programs inside of it on only where
/// `set-clipboard` is `on`; by default it is `external`, and they are dropped.
package enum TmuxBuffer {
  private static let time = Duration.seconds(2)

  /// Whether this program runs in tmux.
  package static func isThere(_ environment: [String: String]) -> Bool {
    environment["TMUX"]?.isEmpty == false
  }

  /// Puts a text into the buffer and, by `-w`, which tmux has from version 3.2 on, into the clipboard of the terminal
  /// that shows it.
  ///
  /// - Returns: false where tmux is older, or does not take it within two seconds.
  package static func take(_ text: String) async -> Bool {
    let output = try? await ConfinedRun.output(
      of: ["tmux", "load-buffer", "-w", "-"], input: Array(text.utf8), time: time,
      mostBytes: 4 << 10)
    return output != nil
  }
}
