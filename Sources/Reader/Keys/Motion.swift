/// A movement through rows or lines.
enum Motion: String, Hashable, CaseIterable {
  case down, up
  case pageDown = "page-down"
  case pageUp = "page-up"
  case halfDown = "half-down"
  case halfUp = "half-up"
  case first, last

  /// The number of rows or lines to move by, where a number was typed before. To the first and the last it is the
  /// row or line with that number, from 1.
  ///
  /// - Parameter position: the present row or line, from 0.
  func delta(height: Int, times count: Int?, from position: Int) -> Int {
    guard let count else { return delta(height: height) }
    switch self {
    case .first, .last: return count - 1 - position
    default: return delta(height: height) * count
    }
  }

  /// The number of rows or lines to move by; a huge one for the first and the last.
  ///
  /// - Parameter height: visible lines. A page is one less, so that one line stays visible.
  func delta(height: Int) -> Int {
    switch self {
    case .down: 1
    case .up: -1
    case .pageDown: max(1, height - 1)
    case .pageUp: -max(1, height - 1)
    case .halfDown: max(1, height / 2)
    case .halfUp: -max(1, height / 2)
    case .first: -1_000_000_000
    case .last: 1_000_000_000
    }
  }
}
