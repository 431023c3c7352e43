/// A line of the configuration with a program and its arguments, split as a shell does, without one: words, quotes and
/// backslashes only.
struct CommandTemplate: Sendable, Hashable {
  let words: [String]

  /// - Throws: `SecretError` of kind `template`.
  init(_ text: String) throws {
    words = try CommandTemplate.split(text)
    guard let program = words.first, !program.isEmpty else {
      throw CommandTemplate.refusal("it names no program")
    }
    guard !program.contains("{user}"), !program.contains("{host}") else {
      throw CommandTemplate.refusal("the name of the program cannot be filled in")
    }
    guard !program.hasPrefix("-") else {
      throw CommandTemplate.refusal("it begins with an option instead of a program")
    }
  }

  /// The arguments with `{user}` and `{host}` filled in. A value stays within its word, and is not filled in itself.
  ///
  /// - Throws: `SecretError` of kind `value`.
  func arguments(user: String, host: String) throws -> [String] {
    let values = ["{user}": user, "{host}": host]
    return try words.map { word in
      var filled = ""
      var rest = word[...]
      while let brace = rest.firstIndex(of: "{") {
        filled += rest[..<brace]
        rest = rest[brace...]
        if let value = values.first(where: { rest.hasPrefix($0.key) }) {
          filled += try CommandTemplate.checked(value.value, for: value.key)
          rest = rest.dropFirst(value.key.count)
        } else {
          filled.append(rest.removeFirst())
        }
      }
      return filled + rest
    }
  }

  /// A program would take a value that begins with `-` for an option.
  private static func checked(_ value: String, for placeholder: String) throws -> String {
    let isControl = { (scalar: Unicode.Scalar) in scalar.value < 0x20 || scalar.value == 0x7F }
    guard !value.hasPrefix("-"), !value.unicodeScalars.contains(where: isControl) else {
      throw SecretError(
        .value, subject: "password_command",
        message: "the value for \(placeholder) begins with - or holds a control character",
        next: "leave \(placeholder) out of the command")
    }
    return value
  }

  private static func refusal(_ message: String) -> SecretError {
    SecretError(
      .template, subject: "password_command", message: message, next: "correct it in the settings"
    )
  }

  /// POSIX quoting (Shell Command Language §2.2); nothing is expanded.
  private static func split(_ text: String) throws -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var characters = text.makeIterator()
    while let character = characters.next() {
      switch (quote, character) {
      case (nil, _) where character.isWhitespace:
        if let finished = word { words.append(finished) }
        word = nil
      case (nil, "'"), (nil, "\""):
        quote = character
        word = word ?? ""
      case (let open?, _) where open == character:
        quote = nil
      case (nil, "\\"), ("\"", "\\"):
        guard let next = characters.next() else { throw refusal("it ends with a backslash") }
        // Between double quotes a backslash is itself before anything else.
        let isEscape = quote == nil || "\"\\$`".contains(next)
        word = (word ?? "") + (isEscape ? "" : "\\") + String(next)
      default:
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil else { throw refusal("a quote is not closed") }
    if let finished = word { words.append(finished) }
    guard !words.contains(where: { $0.contains("\0") }) else {
      throw refusal("it holds a character that no argument can")
    }
    return words
  }
}
