/// How the items of a numbered list are written (`<ol type>`).
package enum NumberStyle: String, Hashable, Sendable {
  case decimal = "1"
  case lowerLetters = "a"
  case upperLetters = "A"
  case lowerRoman = "i"
  case upperRoman = "I"

  /// A number without the dot behind it: "3", "c", "iii". What has no letters is decimal, as in CSS Counter Styles.
  package func text(of number: Int) -> String {
    switch self {
    case .decimal: return String(number)
    case .lowerLetters, .upperLetters:
      guard number > 0, let letters = NumberStyle.letters(of: number) else { return String(number) }
      return self == .lowerLetters ? letters : letters.uppercased()
    case .lowerRoman, .upperRoman:
      guard (1...3999).contains(number) else { return String(number) }
      let roman = NumberStyle.roman(of: number)
      return self == .lowerRoman ? roman : roman.uppercased()
    }
  }

  /// a … z, aa, ab …; nil beyond five letters.
  private static func letters(of number: Int) -> String? {
    var letters: [UInt8] = []
    var rest = number
    while rest > 0 {
      rest -= 1
      letters.append(UInt8(ascii: "a") + UInt8(rest % 26))
      rest /= 26
    }
    return letters.count > 5 ? nil : String(decoding: letters.reversed(), as: UTF8.self)
  }

  private static func roman(of number: Int) -> String {
    let signs = [
      (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
      (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
    ]
    var rest = number
    var text = ""
    for (value, sign) in signs {
      while rest >= value {
        text += sign
        rest -= value
      }
    }
    return text
  }
}

struct ListNumbering {
  private let start: Int?
  private let isReversed: Bool
  let style: NumberStyle

  init(_ list: DocumentBuilder.Element) {
    start = list["start"].flatMap { Int($0) }
    isReversed = list["reversed"] != nil
    style = list["type"].flatMap(NumberStyle.init) ?? .decimal
  }

  /// - Parameter values: of all items, those without content included; nil where an item names none.
  func numbers(of values: [Int?]) -> [Int] {
    var next = start ?? (isReversed ? values.count : 1)
    return values.map { value in
      let number = value ?? next
      next = isReversed ? number &- 1 : number &+ 1
      return number
    }
  }
}
