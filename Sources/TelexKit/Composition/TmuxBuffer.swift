internal import Services

/// The buffer of the tmux that this program runs in. tmux passes on OSC 52 only where
/// `set-clipboard` is `on`.
package enum TmuxBuffer {
  private static let time = Duration.seconds(2)

  package static func isThere(_ environment: [String: String]) -> Bool {
    environment["TMUX"]?.isEmpty == false
  }

  /// Copies a text into the buffer and, by `-w` (tmux 3.2), into the clipboard of the terminal.
  ///
  /// - Returns: false where tmux is older, or takes longer than two seconds.
  package static func take(_ text: String) async -> Bool {
    let output = try? await ConfinedRun.output(
      of: ["tmux", "load-buffer", "-w", "-"], input: Array(text.utf8), time: time,
      mostBytes: 4 << 10)
    return output != nil
  }
}
