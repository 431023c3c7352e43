extension ReaderState {
  package static let longestHistory = 200
}

/// Lines that were typed into a prompt, the latest last: after `:`, or words of searches.
struct CommandHistory: Hashable, Sendable {
  private(set) var lines: [String] = []

  /// Adds what an earlier process has kept, before the lines of this one.
  mutating func prepend(_ earlier: [String]) {
    lines = Array(
      (earlier.filter { !lines.contains($0) } + lines).suffix(ReaderState.longestHistory))
  }

  /// Replaces the lines that any process has kept; others stay before them.
  mutating func renew(_ kept: [String]) {
    lines = Array((lines.filter { !kept.contains($0) } + kept).suffix(ReaderState.longestHistory))
  }

  /// Appends a line, or moves it to the end.
  mutating func add(_ line: String) {
    lines.removeAll { $0 == line }
    lines = Array((lines + [line]).suffix(ReaderState.longestHistory))
  }

  /// The line that a key leads to.
  ///
  /// - Parameters:
  ///   - step: -1 for an earlier one, 1 for a later one.
  ///   - place: where the user is in the history; nil on a line of their own, which `draft` keeps.
  func recalled(_ step: Int, _ current: String, place: inout Int?, draft: inout String) -> String? {
    if place == nil { draft = current }
    if let found = line(step, from: place ?? lines.count, beginningWith: draft) {
      place = found
      return lines[found]
    }
    guard step > 0, place != nil else { return nil }
    place = nil
    return draft
  }

  /// The next line before or after a place that begins with a text.
  ///
  /// - Parameters:
  ///   - step: -1 for an earlier one, 1 for a later one.
  ///   - place: an index of `lines`, or their count behind the last.
  func line(_ step: Int, from place: Int, beginningWith text: String) -> Int? {
    var place = place + step
    while lines.indices.contains(place) {
      if lines[place].hasPrefix(text) { return place }
      place += step
    }
    return nil
  }
}
