extension Array {
  /// Moves elements by one place in their order. Those at the end stay, and so do those directly behind them.
  ///
  /// - Parameter delta: 1 or -1.
  package mutating func shift(by delta: Int, where isMoved: (Element) -> Bool) {
    let order = delta < 0 ? [Int](indices) : [Int](indices.reversed())
    for index in order
    where indices.contains(index + delta) && isMoved(self[index]) && !isMoved(self[index + delta]) {
      swapAt(index, index + delta)
    }
  }
}
