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
