internal import News

/// Styles of other readers in the words of themes.
enum ForeignStyle {
  /// A style as themes have it, of a colour, a colour behind it, and attributes.
  static func text(_ words: [String]) throws(QueryError) -> String {
    var style: [String] = []
    for (index, word) in words.enumerated() {
      let word = word.lowercased()
      switch index {
      case 0: style.append(try color(word))
      case 1:
        let color = try color(word)
        // The default behind is what is there anyway.
        if color != "default" { style += ["on", color] }
      default:
        switch word {
        case "bold", "dim", "underline", "reverse", "italic": style.append(word)
        case "underlined": style.append("underline")
        case "standout": style.append("reverse")
        default: break
        }
      }
    }
    return style.joined(separator: " ")
  }

  private static let names: Set = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "default",
  ]

  private static func color(_ word: String) throws(QueryError) -> String {
    if names.contains(word) { return word }
    if word.hasPrefix("color"), let number = Int(word.dropFirst(5)), (0...255).contains(number) {
      return String(number)
    }
    throw QueryError("\(word) is no colour", at: 0..<0)
  }
}
