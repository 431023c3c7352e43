/// Normalization form C (UAX #15) of what UTS #46 has mapped, for the characters that names have.
enum UnicodeComposition {
  private struct Pair: Hashable {
    var first: UInt32
    var second: UInt32
  }

  /// Compositions of two characters, without the syllables of Hangul.
  private static let composites: [Pair: UInt32] = {
    let table = DigitTable(InternationalNameTables.compositions, columns: [3, 3, 3])
    return Dictionary(
      uniqueKeysWithValues: (0..<table.count).map {
        (Pair(first: table[$0, 0], second: table[$0, 1]), table[$0, 2])
      })
  }()

  private static let parts: [UInt32: Pair] = Dictionary(
    uniqueKeysWithValues: composites.map { ($0.value, $0.key) })

  /// Characters that may compose with the one before.
  private static let seconds: Set<UInt32> = Set(composites.keys.map(\.second))

  static func composed(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    guard scalars.contains(where: changesOthers) else { return scalars }
    var values: [UInt32] = []
    for scalar in scalars { decompose(scalar.value, into: &values) }
    sort(&values)
    return compose(values).map { Unicode.Scalar($0) ?? "\u{FFFD}" }
  }

  private static func changesOthers(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x300 else { return false }
    return combiningClass(scalar.value) != 0 || seconds.contains(scalar.value)
      || Hangul.vowels.contains(scalar.value) || Hangul.ends.contains(scalar.value)
  }

  private static func combiningClass(_ value: UInt32) -> UInt32 {
    Unicode.Scalar(value).map { InternationalCharacter($0).combiningClass } ?? 0
  }

  /// Syllables of Hangul stay: they come apart into nothing that could be put in another order.
  private static func decompose(_ value: UInt32, into output: inout [UInt32]) {
    guard let pair = parts[value] else { return output.append(value) }
    decompose(pair.first, into: &output)
    output.append(pair.second)
  }

  /// Marks behind a letter in the order of their classes, those of one class as they stand.
  private static func sort(_ values: inout [UInt32]) {
    var start = 0
    while start < values.count {
      guard combiningClass(values[start]) != 0 else {
        start += 1
        continue
      }
      var end = start
      while end < values.count, combiningClass(values[end]) != 0 { end += 1 }
      // Swift's sort is stable.
      values[start..<end].sort { combiningClass($0) < combiningClass($1) }
      start = end
    }
  }

  private static func compose(_ values: [UInt32]) -> [UInt32] {
    var output: [UInt32] = []
    var starter: Int?
    var lastClass: UInt32 = 0
    for value in values {
      let ownClass = combiningClass(value)
      if let place = starter {
        // A mark of the same class or a letter between the two keeps them apart.
        let isNext = place == output.count - 1
        if isNext || lastClass < ownClass, let composite = composite(output[place], value) {
          output[place] = composite
          continue
        }
      }
      if ownClass == 0 { starter = output.count }
      lastClass = ownClass
      output.append(value)
    }
    return output
  }

  private static func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
    composites[Pair(first: first, second: second)] ?? Hangul.composite(first, second)
  }
}

/// Syllables of Hangul, whose composition is arithmetic (The Unicode Standard, 3.12).
private enum Hangul {
  static let beginnings: Range<UInt32> = 0x1100..<0x1113
  static let vowels: Range<UInt32> = 0x1161..<0x1176
  static let ends: Range<UInt32> = 0x11A8..<0x11C3
  private static let syllables: Range<UInt32> = 0xAC00..<0xD7A4
  private static let endCount: UInt32 = 28

  static func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
    if beginnings.contains(first), vowels.contains(second) {
      let pair =
        (first - beginnings.lowerBound) * UInt32(vowels.count) + second - vowels.lowerBound
      return syllables.lowerBound + pair * endCount
    }
    if syllables.contains(first), (first - syllables.lowerBound).isMultiple(of: endCount),
      ends.contains(second)
    {
      return first + second - ends.lowerBound + 1
    }
    return nil
  }
}
