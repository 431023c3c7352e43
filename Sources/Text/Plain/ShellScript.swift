/// The script of a shell in the arguments of a program: `sh -c SCRIPT`.
package enum ShellScript {
  private static let shells = ["sh", "bash", "dash", "zsh", "ksh", "fish", "env"]

  /// Whether one of these signs stands in the script of a shell, where what it stands for could be a command.
  ///
  /// - Parameters:
  ///   - arguments: with the program as the first.
  ///   - signs: as in `%u`, for which a text from outside is filled in.
  package static func holds(_ signs: [String], in arguments: [String]) -> Bool {
    let name = arguments.first?.split(separator: "/").last ?? ""
    guard shells.contains(String(name)) else { return false }
    let options = arguments.firstIndex { $0.hasPrefix("-") && $0.contains("c") }
    guard let script = options.map({ $0 + 1 }), arguments.indices.contains(script) else {
      return false
    }
    return signs.contains { arguments[script].contains($0) }
  }
}

extension CommandWords {
  /// The words of a command that gets an address in the place of `%u`, or as its last argument.
  ///
  /// - Parameter home: what stands for `~`; nil leaves it as it is.
  /// - Returns: nil for a line of nothing but spaces.
  /// - Throws: `Mistake`, also where the address would stand in the script of a shell.
  package static func opening(
    _ line: String, home: String? = nil
  ) throws(Mistake) -> [String]? {
    guard !line.allSatisfy(\.isWhitespace) else { return nil }
    let words = try CommandWords(line, home: home).words
    guard !ShellScript.holds(["%u"], in: words) else {
      throw Mistake(
        message: "%u stands in the script of a shell, where an address could be a command",
        column: 1)
    }
    return words
  }
}
