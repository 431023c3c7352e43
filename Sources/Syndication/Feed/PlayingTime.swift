/// How long a file plays: seconds, or hours, minutes and seconds with colons.
enum PlayingTime {
  static func seconds(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var total = 0
    for (place, part) in parts.enumerated() {
      // A fraction of the last second does not matter.
      let whole = place == parts.count - 1 ? part.prefix { $0 != "." } : part
      guard let number = Int(whole), (0..<1_000_000).contains(number) else { return nil }
      total = total * 60 + number
    }
    return total > 0 ? total : nil
  }
}
