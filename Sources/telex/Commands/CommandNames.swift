internal import ArgumentParser
internal import Foundation
internal import News
internal import Text

extension Telex {
  /// Former names of commands, with what takes their place.
  private static let formerNames = [
    "tags": "telex tag", "comment": "telex comments ARTICLE --write TEXT",
    "download": "telex transfers --download ARTICLE",
    "upload": "telex transfers --upload FILE --to ARTICLE",
    "chapters": "telex queue --chapters ARTICLE", "transcript": "telex queue --transcript ARTICLE",
    "import-articles": "telex import --articles FILE", "save": "telex later ADDRESS",
  ]

  /// Checks the first word before the parser, which knows neither topics of the help nor addresses.
  ///
  /// - Returns: the arguments to parse.
  /// - Throws: `SourceError` of stage `.arguments` for a word that is no command.
  static func checked(_ arguments: [String]) throws -> [String] {
    // The parser takes an option without a valid value for one without any.
    for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("--wait=") {
      let time = String(argument.dropFirst(7))
      guard NetworkWait(argument: time) == nil else { continue }
      throw SourceError.arguments(time, "a time has a number and a unit", next: "write --wait=5m")
    }
    var rest = arguments[...]
    while let option = rest.first, option.hasPrefix("-") {
      guard ["--store", "--config"].contains(option) else { return arguments }
      rest = rest.dropFirst(2)
    }
    let asksHelp = rest.first == "help"
    if asksHelp { rest = rest.dropFirst() }
    guard let word = rest.first, !word.hasPrefix("-") else { return arguments }
    let names = configuration.subcommands.map { $0.configuration }.filter(\.shouldDisplay)
      .flatMap { [$0.commandName ?? ""] + $0.aliases }
    let hidden = configuration.ungroupedSubcommands.compactMap { $0.configuration.commandName }
    if (names + hidden + ["help"]).contains(word) { return arguments }
    if asksHelp, let topic = topic(named: word) { throw CleanExit.message(topic) }
    if let form = formerNames[word] {
      throw SourceError.arguments(word, "this command has another form", next: "type \(form)")
    }
    if !asksHelp, isAddress(word) {
      let address = WebAddress.redacted(word)
      guard OutputOptions.isInteractive else {
        throw SourceError.arguments(
          address, "this is an address, not a command",
          next: "telex add \(address) subscribes to it")
      }
      guard try TerminalPrompt.isYes("Subscribe to \(address)? y/n ") else { throw ExitCode(1) }
      return ["add"] + arguments
    }
    let near = names.map { (name: $0, distance: distance(from: word, to: $0)) }
      .min { $0.distance < $1.distance }
    guard let near, near.distance <= 2, near.distance < word.count else {
      throw SourceError.arguments(
        word, "there is no such command", next: "telex --help lists the commands")
    }
    throw SourceError.arguments(word, "there is no such command; did you mean \(near.name)?")
  }

  /// Whether this is an address of the web, or a domain with or without a path.
  private static func isAddress(_ word: String) -> Bool {
    ["http://", "https://"].contains { word.lowercased().hasPrefix($0) }
      || !word.contains(":") && word.dropLast().contains(".")
        && word.first.map { $0.isLetter || $0.isNumber } == true
  }

  /// The least number of letters to insert, delete, replace or swap with the next one.
  private static func distance(from word: String, to name: String) -> Int {
    let (a, b) = (Array(word.prefix(20).lowercased()), Array(name))
    var rows = [Array(0...b.count)]
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var least = min(row[j], rows[i][j + 1]) + 1
        least = min(least, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          least = min(least, rows[i - 1][j - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}

// MARK: Help

extension Telex {
  /// What `telex --help` prints: 24 lines of 80 columns at most.
  static var overview: String {
    let groups = configuration.groupedSubcommands.map { group in
      let names = group.subcommands.compactMap { $0.configuration.commandName }
      return "  " + group.name.padding(toLength: 12, withPad: " ", startingAt: 0)
        + names.joined(separator: "  ")
    }
    return """
      Telex reads news. \(configuration.discussion)

      \(groups.joined(separator: "\n"))

        telex help COMMAND    what a command does, and its options
        telex help TOPIC      the commands of a group, such as telex help Offline

      Exit status: 0 done, 1 failed, 2 wrong usage, 3 no article for a digest,
      130 or 143 stopped by Ctrl-C or SIGTERM.
      """
  }

  /// The commands of a group with a line each.
  private static func topic(named word: String) -> String? {
    let group = configuration.groupedSubcommands.first {
      $0.name.lowercased() == word.lowercased()
    }
    guard let group else { return nil }
    let lines = group.subcommands.map { $0.configuration }.map {
      "  " + ($0.commandName ?? "").padding(toLength: 11, withPad: " ", startingAt: 0) + $0.abstract
    }
    return ([group.name, ""] + lines + ["", "See 'telex help COMMAND' for the options of one."])
      .joined(separator: "\n")
  }

  /// A text of the parser as it is printed: with our word for commands, and with lines of usage that
  /// fit the width.
  static func printed(_ text: String) -> String {
    if text == helpMessage() { return overview }
    let text = text.replacing("Show subcommand help", with: "Show command help")
    // Scripts of completions and JSON are for programs.
    guard text.hasPrefix("OVERVIEW: ") || text.hasPrefix("Error: ") else { return text }
    return text.replacing("subcommand", with: "command").replacing("SUBCOMMAND", with: "COMMAND")
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map {
        $0.lowercased().hasPrefix("usage: ") ? wrapped(usage: $0, to: Output.width) : String($0)
      }
      .joined(separator: "\n")
  }

  /// Breaks between options.
  private static func wrapped(usage line: Substring, to width: Int) -> String {
    var lines: [String] = []
    for part in line.replacing(" [", with: "\n[").split(separator: "\n") {
      if let last = lines.last, last.count + part.count < width {
        lines[lines.count - 1] = "\(last) \(part)"
      } else {
        lines.append((lines.isEmpty ? "" : "       ") + part)
      }
    }
    return lines.joined(separator: "\n")
  }
}
