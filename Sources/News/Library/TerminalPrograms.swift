/// Programs that show pages, or write mail, on the terminal that they are started in.
package enum TerminalPrograms {
  private static let names: Set<String> = [
    "w3m", "lynx", "links", "links2", "elinks", "browsh", "carbonyl", "chawan", "cha", "less",
    "vim",
    "nvim", "vi", "nano", "tmux", "ssh", "mutt", "neomutt", "aerc", "alpine", "meli", "mailx",
  ]

  /// Whether a program wants the terminal for itself, by its name alone.
  ///
  /// - Parameter program: its name, or its path.
  package static func contains(_ program: some StringProtocol) -> Bool {
    let path = String(program)
    guard let slash = path.lastIndex(of: "/") else { return names.contains(path) }
    return names.contains(String(path[path.index(after: slash)...]))
  }
}
