/// A command line of newsboat, which a shell runs with `%u` for the address in quotes.
struct NewsboatProgram {
  let text: String
  /// The program and its arguments, with `%u` and `%t` in them; nil where it takes a shell to run it.
  let words: [String]?
  /// Whether it wants the terminal for itself.
  let usesTerminal: Bool

  private static let terminalBrowsers: Set = [
    "w3m", "lynx", "links", "links2", "elinks", "browsh", "carbonyl", "less", "vim", "nvim", "vi",
    "nano", "tmux", "ssh",
  ]

  init(_ command: String) {
    text = command
    var rest = command[...]
    var isInBackground = false
    // A program beside the terminal says nothing: that is what these endings are for.
    let ending = #/\s*(?:&|[12]?>&?\s*(?:/dev/null|&?[12])|&>\s*/dev/null)\s*$/#
    while let match = rest.firstMatch(of: ending) {
      rest = rest[..<match.range.lowerBound]
      isInBackground = true
    }
    let plain = String(rest).replacing("'%u'", with: "%u").replacing("\"%u\"", with: "%u")
      .replacing("'%t'", with: "%t").replacing("\"%t\"", with: "%t")
    let needsShell = plain.contains { "|&;<>$`()*?~\"'\\#!{}[]".contains($0) }
    words = needsShell ? nil : plain.split(separator: " ").map(String.init)
    let name = plain.split(separator: " ").first?.split(separator: "/").last.map(String.init) ?? ""
    usesTerminal = !isInBackground && Self.terminalBrowsers.contains(name)
  }

  /// The program and its arguments; the shell and a script where it takes one, in which the address and the title
  /// are variables: neither can become a command.
  var arguments: [String] {
    if let words { return words.contains { $0.contains("%u") } ? words : words + ["%u"] }
    var script = text
    for (sign, name) in [("%u", "TELEX_URL"), ("%t", "TELEX_TITLE")] {
      for quote in ["\"", "'", ""] {
        script = script.replacing(quote + sign + quote, with: "\"$\(name)\"")
      }
    }
    return ["sh", "-c", script]
  }
}

/// The operations of a macro.
enum NewsboatMacro {
  /// Each with its arguments, and the description behind `--`.
  static func steps(of tokens: [String]) -> (steps: [[String]], help: String?) {
    var steps: [[String]] = []
    var step: [String] = []
    var help: String?
    var rest = tokens[...]
    while let token = rest.popFirst() {
      if token == "--" {
        help = rest.first
        break
      }
      // A semicolon stands by itself, or at the end of an operation; in an argument it is a part of it.
      if token == ";" {
        steps.append(step)
        step = []
      } else if token.hasSuffix(";"), !token.contains(" ") {
        steps.append(step + [String(token.dropLast())])
        step = []
      } else {
        step.append(token)
      }
    }
    steps.append(step)
    return (steps.filter { !$0.isEmpty }, help)
  }
}
