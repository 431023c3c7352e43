/// A line of newsraft's settings, as `config` and what stands behind `<` in `feeds` have it: settings, `bind` and
/// `unbind`, with semicolons between them. `#` begins a comment.
struct NewsraftLine {
  /// What a key does.
  struct Action: Hashable {
    var name: String
    /// The command of `exec`, or what the others of `withArgument` have.
    var argument: String?
  }

  enum Item: Hashable {
    case setting(String, value: String)
    /// Nothing is done by a key that is unbound.
    case key(String, actions: [Action])
    /// What newsraft does not read either.
    case mistake(String)
  }

  private(set) var items: [Item] = []
  private var rest: Substring

  private static let withArgument: Set = ["exec", "exec-quiet", "edit", "find"]

  init(_ line: Substring) {
    rest = line
    while true {
      rest = rest.drop { $0.isWhitespace || $0 == ";" }
      guard let first = rest.first, first != "#" else { return }
      takeItem()
    }
  }

  private mutating func takeItem() {
    let word = takeWord()
    switch word {
    // Older versions want the word before a setting.
    case "set":
      let name = takeWord()
      takeSetting(name)
    case "bind", "unbind":
      items.append(.key(takeWord(), actions: []))
      if word == "bind" { takeActions() }
    default: takeSetting(word)
    }
  }

  private mutating func takeSetting(_ name: String) {
    guard let value = takeValue() else { return items.append(.mistake(name)) }
    items.append(.setting(name, value: value))
  }

  /// All that stands behind a key belongs to it.
  private mutating func takeActions() {
    guard case .key(let key, var actions)? = items.popLast() else { return }
    while true {
      rest = rest.drop { $0.isWhitespace || $0 == ";" }
      guard let first = rest.first, first != "#" else { break }
      let name = takeWord()
      guard Self.withArgument.contains(name) else {
        actions.append(Action(name: name))
        continue
      }
      guard let argument = takeValue() else { return items.append(.mistake("bind \(key)")) }
      actions.append(Action(name: name, argument: argument))
    }
    items.append(.key(key, actions: actions))
  }

  /// A word up to a space or a semicolon, or between quotes.
  private mutating func takeWord() -> String {
    rest = rest.drop(while: \.isWhitespace)
    if let quote = rest.first, quote == "\"" || quote == "'" { return takeQuoted(quote) }
    let word = rest.prefix { !$0.isWhitespace && $0 != ";" }
    rest = rest.dropFirst(word.count)
    return String(word)
  }

  /// The text up to a semicolon, or between quotes; nil where something stands behind the quotes.
  private mutating func takeValue() -> String? {
    rest = rest.drop(while: \.isWhitespace)
    guard let quote = rest.first, quote == "\"" || quote == "'" else {
      return takeRest().trimmed
    }
    let value = takeQuoted(quote)
    return takeRest().allSatisfy(\.isWhitespace) ? value : nil
  }

  private mutating func takeRest() -> Substring {
    let text = rest.prefix { $0 != ";" }
    rest = rest.dropFirst(text.count)
    return text
  }

  private mutating func takeQuoted(_ quote: Character) -> String {
    let text = rest.dropFirst().prefix { $0 != quote }
    rest = rest.dropFirst(text.count + 2)
    return String(text)
  }
}
