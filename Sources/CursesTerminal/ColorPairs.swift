internal import CNcurses
internal import Screen

/// ncurses' numbers of pairs of colours, given out on demand.
@MainActor
struct ColorPairs {
  /// 0 for none, 8, 16, 256, or 2²⁴.
  let colors: Int
  private let capacity: Int32
  private var numbers: [ColorPair: Int32] = [:]
  /// The last look-up: neighbouring cells mostly share their style.
  private var last: (style: Style, number: Int32) = (.plain, 0)
  /// By the colours of a style, without its attributes.
  private var known: [Style: Int32] = [:]

  /// Reads the abilities of the claimed terminal. `NO_COLOR`, when set and not empty, turns colours off (no-color.org).
  init() {
    let isUnwanted = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
    if isUnwanted || start_color() == ERR || telex_colors() < 8 {
      colors = 0
    } else {
      // 88 colours have the first sixteen in common with the others.
      colors = [ColorPair.direct, 256, 16, 8].first { telex_colors() >= $0 } ?? 8
      // Pair 0 stands for the terminal's own colours from here on.
      use_default_colors()
    }
    capacity = telex_color_pairs()
  }

  /// The number for a style's colours; nil when all numbers are taken.
  mutating func number(for style: Style) -> Int32? {
    if colors == 0 { return 0 }
    let key = Style(style.foreground, on: style.background)
    if key == last.style { return last.number }
    // The nearest colours take long to find.
    if let number = known[key] {
      last = (key, number)
      return number
    }
    let pair = ColorPair(style, colors: colors)
    guard let number = pair == .standard ? 0 : numbers[pair] ?? allocate(pair) else { return nil }
    known[key] = number
    last = (key, number)
    return number
  }

  /// Forgets all pairs. The screen must be drawn anew, for ncurses recolours the cells of a number that gets another
  /// meaning.
  mutating func removeAll() {
    numbers.removeAll(keepingCapacity: true)
    known.removeAll(keepingCapacity: true)
    last = (.plain, 0)
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
