/// The marks of one call as ranges that are still to be sent: a range that the server refuses is halved until
/// the mark that it refuses stands alone.
///
/// Pure: what was sent, and what came of it, comes in as values.
struct MarkParcel {
  /// The next one last.
  private var pending: [Range<Int>]
  /// The marks that were refused alone.
  private(set) var refused: [Int] = []

  init(count: Int) { pending = count > 0 ? [0..<count] : [] }

  /// The marks that are not sent yet.
  var left: [Range<Int>] { pending.reversed() }

  /// What is to be sent next; nil where nothing is left.
  mutating func next(atMost limit: Int) -> Range<Int>? {
    guard let range = pending.popLast() else { return nil }
    let end = min(range.upperBound, range.lowerBound + max(1, limit))
    if end < range.upperBound { pending.append(end..<range.upperBound) }
    return range.lowerBound..<end
  }

  /// What was sent is to be sent once more.
  mutating func again(_ range: Range<Int>) { pending.append(range) }

  /// The server refuses what was sent.
  ///
  /// - Returns: whether it was a single mark.
  mutating func refuse(_ range: Range<Int>) -> Bool {
    guard range.count > 1 else {
      refused += range
      return true
    }
    let middle = range.lowerBound + range.count / 2
    pending.append(middle..<range.upperBound)
    pending.append(range.lowerBound..<middle)
    return false
  }
}
