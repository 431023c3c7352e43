internal import CNcurses
internal import Screen

/// The numbers under which ncurses knows pairs of colours, given out on demand.
@MainActor
struct ColorPairs {
  /// 0 for none, 8, 16, or 256.
  let colors: Int
  private let capacity: Int32
  private var numbers: [ColorPair: Int32] = [:]
  /// The last look-up: neighbouring cells mostly share their style.
  private var last: (pair: ColorPair, number: Int32) = (.standard, 0)

  /// Reads what the claimed terminal can do. `NO_COLOR`, when set and not empty, turns colours off
  /// (no-color.org).
  init() {
    let isUnwanted = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
    if isUnwanted || start_color() == ERR || telex_colors() < 8 {
      colors = 0
    } else {
      // 88 colours have the first sixteen in common with the others.
      colors = [256, 16, 8].first { telex_colors() >= $0 } ?? 8
      // Pair 0 stands for the terminal's own colours from here on.
      use_default_colors()
    }
    capacity = telex_color_pairs()
  }

  /// The number for a style's colours; nil when all numbers are taken.
  mutating func number(for style: Style) -> Int32? {
    if colors == 0 { return 0 }
    let pair = ColorPair(style, colors: colors)
    if pair == last.pair { return last.number }
    guard let number = pair == .standard ? 0 : numbers[pair] ?? allocate(pair) else { return nil }
    last = (pair, number)
    return number
  }

  /// Forgets all pairs. What is on the screen must be drawn anew, for ncurses recolours the cells
  /// of a number that gets another meaning.
  mutating func removeAll() {
    numbers.removeAll(keepingCapacity: true)
    last = (.standard, 0)
  }

  private mutating func allocate(_ pair: ColorPair) -> Int32? {
    let number = Int32(numbers.count) + 1
    guard number < capacity, telex_init_pair(number, pair.foreground, pair.background) else {
      return nil
    }
    numbers[pair] = number
    return number
  }
}
