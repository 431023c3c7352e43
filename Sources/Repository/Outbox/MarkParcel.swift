/// Marks of one call as ranges to be sent: a refused range is halved until the refused mark stands
/// alone. Pure.
struct MarkParcel {
  /// The next one last.
  private var pending: [Range<Int>]
  private(set) var refused: [Int] = []

  init(count: Int) { pending = count > 0 ? [0..<count] : [] }

  var left: [Range<Int>] { pending.reversed() }

  /// The next range to send; nil at the end.
  mutating func next(atMost limit: Int) -> Range<Int>? {
    guard let range = pending.popLast() else { return nil }
    let end = min(range.upperBound, range.lowerBound + max(1, limit))
    if end < range.upperBound { pending.append(end..<range.upperBound) }
    return range.lowerBound..<end
  }

  /// Queues a range to be sent again.
  mutating func again(_ range: Range<Int>) { pending.append(range) }

  /// - Returns: whether a single mark was refused.
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
