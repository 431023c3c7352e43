internal import News
internal import Text

/// A command line of another reader, which a shell runs with `%u` for the address in quotes and `%T` for the title.
struct ForeignProgram {
  let text: String
  /// The program and its arguments, with `%u` and `%T` in them; nil where it takes a shell to run it.
  let words: [String]?
  /// Whether it runs beside the terminal, and says nothing.
  let isInBackground: Bool
  /// Whether it wants the terminal for itself.
  let usesTerminal: Bool

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
      .replacing("'%T'", with: "%T").replacing("\"%T\"", with: "%T")
    let needsShell = plain.contains { "|&;<>$`()*?~\"'\\#!{}[]".contains($0) }
    words = needsShell ? nil : plain.split(separator: " ").map(String.init)
    self.isInBackground = isInBackground
    usesTerminal =
      !isInBackground && TerminalPrograms.contains(plain.split(separator: " ").first ?? "")
  }

  /// The command of a browser as settings have it, split at spaces.
  ///
  /// - Throws: `QueryError` with the reason, where it needs a shell.
  func browser() throws(QueryError) -> String { try settingText(of: "browser.command") }

  /// The command as a setting has it, split at spaces.
  ///
  /// - Parameter setting: its name, for messages.
  /// - Throws: `QueryError` with the reason, where it needs a shell.
  func settingText(of setting: String) throws(QueryError) -> String {
    guard let words else {
      throw QueryError(
        "it needs a shell; put it into a file of its own and name that as \(setting)", at: 0..<0)
    }
    guard words.allSatisfy({ !$0.contains(where: \.isWhitespace) }), !words.isEmpty else {
      throw QueryError(
        "an argument has a space in it; put the command into a file of its own", at: 0..<0)
    }
    let line = words.joined(separator: " ")
    do throws(CommandWords.Mistake) { _ = try CommandWords.opening(line) } catch {
      throw QueryError(error.message, at: 0..<0)
    }
    return line
  }

  /// The program and its arguments; the shell and a script where it takes one, in which the address and the title
  /// are variables: neither can become a command.
  ///
  /// - Parameter addsAddress: whether the address is the last argument where none names it.
  /// - Throws: `QueryError` with the reason, where they would stand in the script of another shell.
  func arguments(addsAddress: Bool = true) throws(QueryError) -> [String] {
    guard !text.contains("%t"), !text.contains("%F") else {
      throw QueryError(
        "only %u and %T, the address and the title, can be told to a program", at: 0..<0)
    }
    if let words {
      let named = words.map { $0.replacing("%T", with: "%t") }
      return !addsAddress || named.contains { $0.contains("%u") } ? named : named + ["%u"]
    }
    if text.contains(#/\beval\b|\b(?:ba|da|z|k)?sh\s+-\w*c/#) {
      throw QueryError("it runs another shell, in which an address could be a command", at: 0..<0)
    }
    return ["sh", "-c", try script()]
  }

  /// The text with the variables in the places of `%u` and `%T`, which are in quotes of their own or in none.
  private func script() throws(QueryError) -> String {
    var script = ""
    var quote: Character?
    var rest = text[...]
    while let character = rest.first {
      let name = rest.hasPrefix("%u") ? "TELEX_URL" : rest.hasPrefix("%T") ? "TELEX_TITLE" : nil
      if let name {
        rest = rest.dropFirst(2)
        guard let open = quote else {
          script += "\"$\(name)\""
          continue
        }
        // Quotes around nothing else are taken away; in others the sign belongs to a script of its own.
        guard script.last == open, rest.first == open else {
          throw QueryError(
            "\(name == "TELEX_URL" ? "%u" : "%T") stands inside of quotes", at: 0..<0)
        }
        script.removeLast()
        script += "\"$\(name)\""
        rest.removeFirst()
        quote = nil
        continue
      }
      rest.removeFirst()
      script.append(character)
      if character == "\\", quote != "'", let next = rest.popFirst() {
        script.append(next)
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      }
    }
    return script
  }
}
