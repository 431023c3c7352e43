/// Warnings about a document: each cause once, with its first line and its count.
struct ParseWarnings {
  private struct Place {
    var line: Int?
    var count = 1
  }

  /// Further causes are only counted.
  private static let limit = 20

  /// Maximum number of flaws that are worth counting.
  private static let countLimit = 10_000

  private var places: [String: Place] = [:]
  private var total = 0
  private var others = 0

  /// Counts a flaw; false beyond the limit.
  mutating func countsNext() -> Bool {
    total += 1
    return total <= Self.countLimit
  }

  /// - Parameters:
  ///   - cause: a sentence with its full stop.
  ///   - line: from 1; nil for the whole document.
  mutating func add(_ cause: String, line: Int? = nil, count: Int = 1) {
    if places[cause] != nil {
      places[cause]?.count += count
    } else if places.count < Self.limit {
      places[cause] = Place(line: line, count: count)
    } else {
      others += count
    }
  }

  mutating func add(_ more: ParseWarnings) {
    for (cause, place) in more.places.sorted(by: { $0.key < $1.key }) {
      if places[cause] == nil, places.count >= Self.limit {
        others += place.count
      } else if let known = places[cause] {
        places[cause] = Place(
          line: [known.line, place.line].compactMap { $0 }.min(), count: known.count + place.count)
      } else {
        places[cause] = place
      }
    }
    others += more.others
  }

  /// Sorted by line, those of the whole document last.
  var sentences: [String] { sentences(linesBefore: 0) }

  /// - Parameter linesBefore: number of lines before the text that was counted.
  func sentences(linesBefore: Int) -> [String] {
    let sorted = places.sorted { a, b in
      (a.value.line ?? .max, a.key) < (b.value.line ?? .max, b.key)
    }
    var sentences = sorted.map { cause, place in
      let times = place.count > 1 ? "\(cause.dropLast()) (\(place.count) times)." : cause
      guard let line = place.line else { return times }
      return "Line \(line + linesBefore): \(times)"
    }
    if others > 0 { sentences.append("There is more that is wrong (\(others) times).") }
    return sentences
  }
}
