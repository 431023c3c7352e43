/// Size of the next call with marks: grows with a quick server, shrinks with a slow one. FreshRSS
/// needs 14 ms for each mark, other servers do a thousand at once.
package struct GoogleReaderBatchSize: Hashable, Sendable {
  /// The longest time of a call, in seconds.
  private static let target = 5.0
  private static let smallest = 20

  package private(set) var count: Int
  private let largest: Int

  package init(first: Int = 200, largest: Int) {
    self.largest = max(1, largest)
    count = min(first, self.largest)
  }

  /// A call with so many marks was answered.
  package mutating func answered(_ marks: Int, in duration: Duration) {
    let seconds = duration / .seconds(1)
    guard marks > 0 else { return }
    if seconds > Self.target {
      resize(to: Int(Double(marks) * Self.target / min(seconds, 1e6)))
    } else if marks >= count, seconds < Self.target / 2 {
      resize(to: count * 2)
    }
  }

  /// A call with so many marks timed out: whether they were accepted is unknown.
  package mutating func timedOut(_ marks: Int) { resize(to: min(count, marks) / 4) }

  private mutating func resize(to wanted: Int) {
    count = min(largest, max(min(Self.smallest, largest), wanted))
  }
}
