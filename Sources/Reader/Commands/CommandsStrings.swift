enum CommandsStrings {
  static let noSuchRow = "Rows are numbered from 1."
  static let rowsInPanesOnly = "Only rows of the sidebar and the list have numbers."
  static let trailingBackslash = "The line ends with \\. Write a character after \\, or remove it."
  static func ambiguous(_ name: String, _ names: [String]) -> String {
    let shown = names.prefix(4).joined(separator: ", ")
    return "“\(name)” is ambiguous: \(shown)\(names.count > 4 ? " …" : ".")"
  }
  static func noArguments(_ name: String) -> String { "\(name) takes no arguments." }
  static func openQuote(_ quote: Character) -> String {
    "A \(quote) has no closing \(quote). Add \(quote), or write \\\(quote)."
  }
  static func themes(_ names: String) -> String { "Name one theme: \(names)." }
  static func unavailable(_ name: String, palette: String) -> String {
    "\(name) does not work on this page. Press \(palette) for the commands of this page."
  }
  static func ended(status: Int32) -> String { "ended with status \(status)" }
  static func ended(signal: Int32) -> String { "ended by signal \(signal)" }
  static let needsSelection = "The command needs a selected article."
  static let refreshesForever = "Each refresh would start another one."
  static let runsProgramOnSelection =
    "That command runs a program for the selected article. Name the program instead."
  static let noOtherReader =
    "No other news reader was found on this device. Run :import FILE to import a list of feeds (OPML)."
  static func stopped(_ program: String) -> String {
    "Stopped \(program)." + (program.hasPrefix("import ") ? " :\(program) continues." : "")
  }
  static let stoppedProgram = "stopped"
  static let nothingPrinted = "No output yet."
}
