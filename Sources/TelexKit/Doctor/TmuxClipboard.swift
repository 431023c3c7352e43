internal import Foundation

/// Whether copied text reaches the terminal that shows this tmux: tmux 3.2 sends it there by
/// `load-buffer -w`; an older one passes on OSC 52, and only where `set-clipboard` is `on`.
struct TmuxClipboard: Hashable {
  var version = ""
  /// The value of `set-clipboard`.
  var option = ""

  /// Asks the tmux that this program runs in, by `TMUX`; nil where there is none, or no answer.
  static func get(_ environment: [String: String]) async -> TmuxClipboard? {
    guard TmuxBuffer.isThere(environment) else { return nil }
    let arguments =
      ["display-message", "-p", "#{version}", ";"] + ["show-options", "-sqv", "set-clipboard"]
    return await TmuxBuffer.output(arguments).map { TmuxClipboard($0) }
  }

  /// - Parameter output: what it has printed.
  init(_ output: String) {
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if let first = lines.first { version = first }
    if lines.count > 1 { option = lines[1] }
  }

  /// Nil where all is well, and where it is not known.
  var finding: Finding? {
    let numbers = version.split(separator: ".").map { Int($0.prefix { $0.isNumber }) }
    guard numbers.count == 2, let major = numbers[0], let minor = numbers[1],
      (major, minor) < (3, 2), !option.isEmpty, option != "on"
    else { return nil }
    return .attention(
      "clipboard", "Clipboard",
      "tmux \(version) keeps what is copied from the terminal: set-clipboard is \(option)",
      next: "tmux set-option -s set-clipboard on")
  }
}
