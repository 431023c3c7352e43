/// Duration in seconds: `3723`, `1:02:03`, `1h 2m 3s`, `62 min`, or `PT1H2M3S` (ISO 8601).
enum EpisodeDuration {
  static func seconds(_ text: String) -> Int? {
    let total = text.contains(where: \.isLetter) ? spelled(text) : counted(text)
    return total.flatMap { $0 > 0 && $0 < 1_000_000_000 ? $0 : nil }
  }

  private static func counted(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var total = 0
    for (place, part) in parts.enumerated() {
      // A fraction of the last second does not matter.
      let whole = place == parts.count - 1 ? part.prefix { $0 != "." } : part
      guard let number = Int(whole), (0..<1_000_000).contains(number) else { return nil }
      total = total * 60 + number
    }
    return total
  }

  private static func spelled(_ text: String) -> Int? {
    var rest = text.lowercased()[...]
    let isStandard = rest.first == "p"
    if isStandard { rest = rest.dropFirst() }
    var total = 0.0
    var unitSize: Double?
    while let first = rest.first {
      if first.isWhitespace || first == "," || first == "." || (first == "t" && unitSize == nil)
        || rest.hasPrefix("and ")
      {
        rest = rest.dropFirst(rest.hasPrefix("and ") ? 4 : 1)
        continue
      }
      if first == "t", rest.dropFirst().first?.isNumber == true {
        rest = rest.dropFirst()
        continue
      }
      let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
      rest = rest[number.endIndex...].drop(while: \.isWhitespace)
      let unit = isStandard ? rest.prefix(1) : rest.prefix(while: \.isLetter)
      // The last unit may be left out: `1h02`.
      let size = unit.isEmpty ? unitSize.flatMap { $0 > 60 ? $0 / 60 : nil } : Self.size(of: unit)
      guard let value = Double(number.replacing(",", with: ".")), value < 1_000_000, let size else {
        return nil
      }
      // Units may follow each other without a space: `1h2m3s`.
      rest = rest[unit.endIndex...]
      total += value * size
      unitSize = size
    }
    return unitSize != nil && total < 1_000_000_000 ? Int(total) : nil
  }

  /// Seconds of a unit. Most languages use the same first letters.
  private static func size(of unit: Substring) -> Double? {
    switch unit.first {
    case "d": 86_400
    case "h", "時", "时", "小": 3_600
    case "s" where unit.hasPrefix("st"): 3_600
    case "m" where !unit.hasPrefix("mo"), "分": 60
    case "s", "秒": 1
    default: nil
    }
  }
}
