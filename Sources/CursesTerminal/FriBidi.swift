internal import CFriBidi
internal import Screen

/// The order of letters on the screen by the bidirectional algorithm of Unicode (UAX #9), as FriBidi has it.
struct FriBidi {
  private let functions: telex_fribidi

  /// Opens the library; nil where this machine has none of version 1.0 or later.
  init?() {
    var functions = telex_fribidi()
    guard Self.fileNames.contains(where: { telex_fribidi_open($0, &functions) }) else { return nil }
    self.functions = functions
  }

  /// Names of the library, in the order in which they are tried.
  static var fileNames: [String] {
    #if canImport(Darwin)
      // The dynamic linker does not look into Homebrew's folders.
      ["", "/opt/homebrew/lib/", "/usr/local/lib/"].map { "\($0)libfribidi.0.dylib" }
    #else
      ["libfribidi.so.0"]
    #endif
  }

  /// The letters of one line from left to right, those mirrored that are read the other way. Without memory for it they
  /// stay in the order of the text.
  func order(_ text: [Unicode.Scalar], _ direction: TextDirection) -> [PlacedLetter] {
    guard !Self.nestsDeep(text) else { return inTheirOrder(text) }
    let letters = text.map(\.value)
    let count = Int32(letters.count)
    var types = [UInt32](repeating: 0, count: letters.count)
    var brackets = types
    var levels = [Int8](repeating: 0, count: letters.count)
    var map = Array(0..<count)
    var base = UInt32(
      direction == .rightToLeft ? telex_fribidi_right_to_left : telex_fribidi_left_to_right)
    functions.types(letters, count, &types)
    functions.brackets(letters, count, types, &brackets)
    guard functions.levels(types, brackets, count, &base, &levels) > 0,
      functions.reorder(0, types, count, 0, base, &levels, nil, &map) > 0
    else { return inTheirOrder(text) }
    return map.map { place in
      let index = Int(place)
      return PlacedLetter(
        index: index, scalar: levels[index] & 1 == 1 ? mirrored(text[index]) : text[index])
    }
  }

  private func inTheirOrder(_ text: [Unicode.Scalar]) -> [PlacedLetter] {
    text.indices.map { PlacedLetter(index: $0, scalar: text[$0]) }
  }

  /// Whether signs of directions nest more deeply than in any text. FriBidi 1.0.8 writes beyond its arrays at some 125
  /// levels.
  private static func nestsDeep(_ text: [Unicode.Scalar]) -> Bool {
    var depth = 0
    for scalar in text {
      switch scalar.value {
      case 0x2066...0x2068, 0x202A, 0x202B, 0x202D, 0x202E:
        depth += 1
        if depth > 60 { return true }
      case 0x2069, 0x202C: depth = max(0, depth - 1)
      default: break
      }
    }
    return false
  }

  private func mirrored(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    var image = scalar.value
    _ = functions.mirror(scalar.value, &image)
    return Unicode.Scalar(image) ?? scalar
  }
}
