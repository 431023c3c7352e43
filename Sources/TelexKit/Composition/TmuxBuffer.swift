internal import Services

/// The buffer of the tmux that this program runs in. tmux passes on OSC 52 only where
/// `set-clipboard` is `on`.
package enum TmuxBuffer {
  package static func isThere(_ environment: [String: String]) -> Bool {
    environment["TMUX"]?.isEmpty == false
  }

  /// Copies a text into the buffer and, by `-w` (tmux 3.2), into the clipboard of the terminal.
  ///
  /// - Returns: false where tmux is older, or takes longer than two seconds.
  package static func take(_ text: String) async -> Bool {
    await output(["load-buffer", "-w", "-"], input: Array(text.utf8)) != nil
  }

  /// The output of a tmux command within two seconds; nil where it fails.
  static func output(
    _ arguments: [String], input: [UInt8] = [], mostBytes: Int = 4 << 10
  ) async -> String? {
    let output = try? await ConfinedRun.output(
      of: ["tmux"] + arguments, input: input, time: .seconds(2), mostBytes: mostBytes)
    return output.map { String(decoding: $0, as: UTF8.self) }
  }
}
