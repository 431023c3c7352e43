/// Flaws of a document that did not keep it from being read: each cause once, with the line
/// it was first met in and how often it was met.
struct ParseWarnings {
  private struct Place {
    var line: Int?
    var count = 1
  }

  /// Causes beyond these are counted together.
  private static let limit = 20

  /// So many are counted; a document that is nothing but dirt is not worth more time.
  private static let countLimit = 10_000

  private var places: [String: Place] = [:]
  private var total = 0
  private var others = 0

  /// Counts one more; false where it does not matter any more what was wrong.
  mutating func countsNext() -> Bool {
    total += 1
    return total <= Self.countLimit
  }

  /// - Parameters:
  ///   - cause: a sentence that ends with its full stop.
  ///   - line: counted from 1; nil where the whole document is meant.
  ///   - count: how often it was met.
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

  /// The warnings in the order of their lines, those of the whole document last.
  var sentences: [String] { sentences(linesBefore: 0) }

  /// - Parameter linesBefore: lines that whoever counted was not given.
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
