/// State of tmux and of the terminals that show its session: whether pictures may pass through it.
/// They pass as commands, and stand on its screen as text (kitty's Unicode placeholders), which
/// other terminals would show, so that all attached terminals have to be known.
package struct TmuxAnswer: Hashable, Sendable {
  /// The names and versions of the terminals that are attached, as they have told them to tmux (XTVERSION).
  var terminals: [String] = []
  /// The value of `allow-passthrough`, which tmux has from version 3.3 on.
  var passthrough = ""
  /// The value of `extended-keys`. With `always` an answer of the terminal would come as other keys than it is made of.
  var extendedKeys = ""

  private static let mark = "terminal "

  /// Asks the tmux that this program runs in, by `TMUX` and `TMUX_PANE`; nil where there is none,
  /// or no answer.
  package static func get(_ environment: [String: String]) async -> TmuxAnswer? {
    guard environment["TMUX"]?.isEmpty == false, let pane = environment["TMUX_PANE"],
      pane.first == "%"
    else { return nil }
    let arguments =
      ["list-clients", "-t", pane, "-F", mark + "#{client_termtype}", ";"]
      + ["show-options", "-Apqv", "-t", pane, "allow-passthrough", ";"]
      + ["show-options", "-sqv", "extended-keys"]
    return await TmuxBuffer.output(arguments, mostBytes: 64 << 10).map { TmuxAnswer($0) }
  }

  /// - Parameter output: what it has printed.
  init(_ output: String) {
    var values: [String] = []
    for line in output.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix(Self.mark) {
        terminals.append(String(line.dropFirst(Self.mark.count)))
      } else {
        values.append(String(line))
      }
    }
    if let first = values.first { passthrough = first }
    if values.count > 1 { extendedKeys = values[1] }
  }

  /// Whether pictures may be tried.
  package var passesPictures: Bool {
    ["on", "all"].contains(passthrough) && extendedKeys != "always" && !terminals.isEmpty
      && terminals.allSatisfy(Self.drawsPlaceholders)
  }

  /// Kitty does from version 0.28 on, Ghostty from its first one.
  private static func drawsPlaceholders(_ terminal: String) -> Bool {
    if terminal.hasPrefix("ghostty ") { return true }
    guard terminal.hasPrefix("kitty(") else { return false }
    let numbers = terminal.dropFirst("kitty(".count).split(separator: ".").map {
      Int($0.prefix { $0.isNumber }) ?? 0
    }
    return numbers.count >= 2 && (numbers[0], numbers[1]) >= (0, 28)
  }
}
