/// How long a file plays, in seconds: a number of them, hours, minutes and seconds with colons, or each with its unit, as
/// in `1h 2m 3s`, `62 min` and `PT1H2M3S` (ISO 8601).
enum PlayingTime {
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
    var found = false
    while let first = rest.first {
      if first.isWhitespace || first == "," || first == "." || (first == "t" && !found)
        || rest.hasPrefix("and ")
      {
        rest = rest.dropFirst(rest.hasPrefix("and ") ? 4 : 1)
        continue
      }
      if first == "t", rest.dropFirst().first?.isNumber == true {
        rest = rest.dropFirst()
        continue
      }
      let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest[number.endIndex...].drop(while: \.isWhitespace)
      let unit = isStandard ? rest.prefix(1) : rest.prefix(while: \.isLetter)
      // Units may follow each other without a space: `1h2m3s`.
      guard let value = Double(number), value < 1_000_000, let seconds = units[String(unit)] else {
        return nil
      }
      rest = rest[unit.endIndex...]
      total += value * seconds
      found = true
    }
    return found && total < 1_000_000_000 ? Int(total) : nil
  }

  private static let units: [String: Double] = [
    "d": 86_400, "day": 86_400, "days": 86_400, "h": 3_600, "hr": 3_600, "hrs": 3_600,
    "hour": 3_600, "hours": 3_600, "std": 3_600, "m": 60, "min": 60, "mins": 60, "minute": 60,
    "minutes": 60, "minuten": 60, "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1,
    "sek": 1,
  ]
}
