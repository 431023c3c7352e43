internal import ArgumentParser
internal import TelexKit

/// Options of `add` and `set` for a feed whose document is made by a program.
struct DocumentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The feed is what this program prints; it is run without a shell.",
      valueName: "'PROGRAM ARGUMENTS'"))
  var command: String?
  @Option(
    help: ArgumentHelp(
      "Pass the document through this program, which reads it and prints another.",
      valueName: "'PROGRAM ARGUMENTS'"))
  var filter: String?
  @Option(
    help: ArgumentHelp(
      "End these programs after this time, such as 90s or 5min; else after a minute.",
      valueName: "TIME"))
  var timeLimit: String?

  var isGiven: Bool { command != nil || filter != nil || timeLimit != nil }

  /// The options that are given, for a message.
  var names: String {
    [("--command", command), ("--filter", filter), ("--time-limit", timeLimit)]
      .filter { $0.1 != nil }.map(\.0).joined(separator: ", ")
  }

  /// Nil without the options.
  func wish() throws -> DocumentWish? {
    isGiven ? try DocumentWish(command: command, filter: filter, timeLimit: timeLimit) : nil
  }
}
