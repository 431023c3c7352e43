/// Text above or below the line, written in the line: with Unicode's own signs where all of it has them, and else
/// behind `^` or `_`: "10⁶" must not become "106", nor "x^(n/2)" "xn/2".
enum ScriptText {
  case raised
  case lowered

  /// - Parameter isWhole: whether it is one name or number.
  /// - Returns: "²", "^max", "_(i,j)"; empty for nothing.
  func text(_ text: String, isWhole: Bool) -> String {
    guard !text.isEmpty else { return "" }
    return signs(for: text) ?? mark
      + (text.count == 1 || isWhole && ScriptText.isWord(text) ? text : "(\(text))")
  }

  private var mark: String { self == .raised ? "^" : "_" }

  /// Nil where a character has no sign.
  func signs(for text: String) -> String? {
    let table = self == .raised ? ScriptText.raisedSigns : ScriptText.loweredSigns
    var signs = ""
    for character in text {
      guard let sign = table[character] else { return nil }
      signs.append(sign)
    }
    return signs
  }

  static func isWord(_ text: String) -> Bool {
    text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "*" || $0 == "†" || $0 == "." }
  }

  /// Whether it is read as one name or number without brackets: "max" and "12", but not "iπ" and "2n".
  private static func isOneName(_ text: String) -> Bool {
    text.count == 1 || text.allSatisfy { $0.isASCII && $0.isLetter }
      || text.allSatisfy { $0.isASCII && $0.isNumber }
  }

  private static let raisedSigns = table(
    "0123456789+-−=()n,′°", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ,′°")
  private static let loweredSigns = table("0123456789+-−=(),", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎,")

  private static func table(_ plain: String, _ signs: String) -> [Character: Character] {
    Dictionary(uniqueKeysWithValues: zip(plain, signs))
  }

  // MARK: In running text

  /// How raised or lowered text is written in a paragraph.
  enum Form: Equatable {
    /// As it is: it has its meaning without being raised.
    case plain
    case signs
    case marked(open: String, close: String)
  }

  /// - Parameter word: what it stands at.
  func form(of text: String, behind word: Substring) -> Form {
    guard !text.isEmpty else { return .plain }
    if signs(for: text) != nil { return .signs }
    guard let base = word.last, text.contains(where: { $0.isLetter || $0.isNumber }),
      text.first != "[", text.first != "(", text.count <= 30,
      text.count <= 15 || !text.contains(" ")
    else { return .plain }
    if self == .raised, isAbbreviation(text.lowercased(), behind: word, base) { return .plain }
    return ScriptText.isOneName(text)
      ? .marked(open: mark, close: "") : .marked(open: mark + "(", close: ")")
  }

  /// Whether it ends an ordinal number or an abbreviation: 1st, XIXe, Mme, No, or is a sign of trade.
  private func isAbbreviation(_ text: String, behind word: Substring, _ base: Character) -> Bool {
    if text == "tm" || text == "sm" { return true }
    let isNumber = base.isNumber || word.allSatisfy { "IVXLCDM".contains($0) } && text != "n"
    if isNumber, ScriptText.ordinals.contains(text) { return true }
    return ScriptText.abbreviations[String(word)]?.contains(text) == true
  }

  private static let ordinals: Set<String> = [
    "st", "nd", "rd", "th", "er", "ers", "re", "res", "e", "es", "ème", "èmes", "eme", "me", "nde",
    "o", "os", "a",
    "as", "ª", "º",
  ]
  private static let abbreviations: [String: Set<String>] = [
    "M": ["me", "mes", "lle", "lles", "gr", "e", "rs", "r"], "D": ["r", "re", "rs"],
    "S": ["t", "te"],
    "n": ["o", "os"], "N": ["o", "os"], "V": ["ve"], "C": ["ie"], "P": ["r"],
  ]
}
