/// Bar chart in one line.
package enum Sparkline {
  private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  private static let asciiBars: [Character] = [".", ":", "-", "=", "+", "*", "#", "@"]

  /// The heights of bars: 0 for 0, 7 for the highest number.
  static func levels(_ numbers: [Int]) -> [Int] {
    let top = numbers.max() ?? 0
    guard top > 0 else { return numbers.map { _ in 0 } }
    // Rounded up, so that a single article differs from none.
    return numbers.map { max(0, $0) == 0 ? 0 : max(1, ($0 * 7 + top - 1) / top) }
  }

  /// Sums of at most so many groups; the newest group is complete.
  static func grouped(_ numbers: [Int], into count: Int) -> [Int] {
    guard count > 0 else { return [] }
    guard numbers.count > count else { return numbers }
    let size = (numbers.count + count - 1) / count
    var groups: [Int] = []
    var end = numbers.count
    while end > 0 {
      groups.append(numbers[max(0, end - size)..<end].reduce(0, +))
      end -= size
    }
    return groups.reversed()
  }

  /// - Parameter columns: the most bars; more numbers share them.
  package static func text(_ numbers: [Int], columns: Int, isASCII: Bool = false) -> String {
    let bars = isASCII ? asciiBars : bars
    return String(levels(grouped(numbers, into: columns)).map { bars[$0] })
  }
}
