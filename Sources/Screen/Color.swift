/// A colour of the terminal: its own default, one of the 256 of the xterm palette, or any by its parts.
package struct Color: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case standard
    case palette(UInt8)
    case rgb(UInt8, UInt8, UInt8)
  }

  /// −1 for the default, the number in the palette, or the three parts above bit 24.
  private let code: Int32

  private init(code: Int32) { self.code = code }

  package static let standard = Color(code: -1)

  package static func palette(_ index: UInt8) -> Color { Color(code: Int32(index)) }

  /// - Parameter rgb: red, green and blue, eight bits each.
  package static func rgb(_ rgb: UInt32) -> Color {
    Color(code: Int32(bitPattern: rgb & 0xFF_FFFF | Color.direct))
  }

  private static let direct: UInt32 = 1 << 24

  package var kind: Kind {
    switch code {
    case ..<0: .standard
    case 0...255: .palette(UInt8(code))
    default:
      .rgb(
        UInt8(truncatingIfNeeded: code >> 16), UInt8(truncatingIfNeeded: code >> 8),
        UInt8(truncatingIfNeeded: code))
    }
  }
}

// MARK: Fewer colours

extension Color {
  /// Red, green and blue from 0 to 255, as xterm shows them; nil for the default.
  package var parts: [Int]? {
    switch kind {
    case .standard: nil
    case .palette(let index): Self.parts(of: Int(index))
    case .rgb(let red, let green, let blue): [Int(red), Int(green), Int(blue)]
    }
  }

  /// The nearest colour of a terminal of 8, 16, 256 or 2²⁴ colours.
  package func nearest(of colors: Int) -> Color {
    switch (kind, colors) {
    case (.standard, _): self
    case (_, (1 << 24)...): self
    case (.palette, 256...): self
    case (.palette(let index), 16...): index < 16 ? self : nearest(among: 0..<16)
    case (.palette(let index), _): .palette(Self.nearestOfEight(index))
    // The first sixteen are what the user has made them.
    case (.rgb, 256...): nearest(among: 16..<256)
    case (.rgb, 16...): nearest(among: 0..<16)
    case (.rgb, _): nearest(of: 256).nearest(of: 8)
    }
  }

  private func nearest(among indices: Range<Int>) -> Color {
    guard let parts else { return self }
    func distance(_ index: Int) -> Int {
      zip(parts, Self.parts(of: index)).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    }
    return .palette(UInt8(indices.min { distance($0) < distance($1) } ?? 7))
  }

  /// Whether it is nearer to black than to white, as eyes see it; nil for the default.
  package var isDark: Bool? {
    parts.map { 2 * $0[0] + 5 * $0[1] + $0[2] < 8 * 115 }
  }

  private static func parts(of index: Int) -> [Int] {
    switch index {
    case 4: [0, 0, 238]
    case 7: [229, 229, 229]
    case 8: [127, 127, 127]
    case 12: [92, 92, 255]
    case ..<8: [index & 1, index >> 1 & 1, index >> 2].map { $0 * 205 }
    case ..<16: [index & 1, index >> 1 & 1, index >> 2 & 1].map { $0 * 255 }
    case ..<232: [(index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6].map(level)
    default: Array(repeating: 8 + 10 * (index - 232), count: 3)
    }
  }

  private static func level(_ step: Int) -> Int { step == 0 ? 0 : 55 + 40 * step }

  /// 0–7 are the eight, 8–15 their bright sisters, 16–231 a cube of 6 × 6 × 6, then 24 greys.
  private static func nearestOfEight(_ index: UInt8) -> UInt8 {
    switch index {
    case ..<8: return index
    case ..<16: return index - 8
    case ..<232:
      let cube = index - 16
      // Of the six levels 0, 95, 135, 175, 215 and 255 the upper four are nearer to lit.
      let red: UInt8 = cube / 36 >= 2 ? 1 : 0
      let green: UInt8 = cube / 6 % 6 >= 2 ? 2 : 0
      let blue: UInt8 = cube % 6 >= 2 ? 4 : 0
      return red + green + blue
    default: return index < 244 ? 0 : 7
    }
  }
}

// MARK: Words

extension Color {
  private static let names = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
  ]

  /// A colour as settings write it: `default`, `red`, `bright-red`, `208` or `color208`, `#ff8700` or `#f80`. Nil for
  /// anything else.
  package init?(_ word: String) {
    let word = word.lowercased()
    if word == "default" {
      self = .standard
    } else if let index = Self.names.firstIndex(of: word) {
      self = .palette(UInt8(index))
    } else if word.hasPrefix("bright-"),
      let index = Self.names.firstIndex(of: String(word.dropFirst(7)))
    {
      self = .palette(UInt8(index + 8))
    } else if let index = UInt8(word.hasPrefix("color") ? word.dropFirst(5) : word[...]) {
      self = .palette(index)
    } else if word.hasPrefix("#"), word.dropFirst().allSatisfy(\.isHexDigit) {
      let digits = word.dropFirst().map(String.init)
      let all = digits.count == 3 ? digits.flatMap { [$0, $0] } : digits
      guard all.count == 6, let rgb = UInt32(all.joined(), radix: 16) else { return nil }
      self = .rgb(rgb)
    } else {
      return nil
    }
  }
}
