package enum TextDirection: Hashable, Sendable {
  case leftToRight, rightToLeft

  /// The direction of the first letter that has one (UAX #9, rules P2 and P3), isolates passed over; nil where none has.
  package init?(of text: some StringProtocol) {
    var isolates = 0
    for scalar in text.unicodeScalars {
      if scalar.value >= 0x2066, scalar.value <= 0x2069 {
        isolates = max(0, isolates + (scalar.value == 0x2069 ? -1 : 1))
      }
      guard isolates == 0 else { continue }
      guard let direction = scalar.direction else { continue }
      self = direction
      return
    }
    return nil
  }
}

extension Unicode.Scalar {
  /// The direction that a letter gives to its text; nil for digits, marks and punctuation, which have none.
  package var direction: TextDirection? {
    switch value {
    case 0x41...0x5A, 0x61...0x7A, 0x200E: .leftToRight
    case 0x200F, 0x061C: .rightToLeft
    case ..<0xAA: nil
    default:
      switch properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .letterNumber, .spacingMark:
        isOfRightToLeftScript ? .rightToLeft : .leftToRight
      default: nil
      }
    }
  }

  /// Whether it is of a block of Unicode for scripts written from right to left.
  @inline(__always)
  package var isOfRightToLeftScript: Bool { value >= 0x590 && isInRightToLeftBlock }

  private var isInRightToLeftBlock: Bool {
    switch value {
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x1_0800...0x1_0FFF,
      0x1_E800...0x1_EFFF:
      true
    default: false
    }
  }

  /// Whether it is a mark of direction: LEFT-TO-RIGHT MARK, RIGHT-TO-LEFT MARK, ARABIC LETTER MARK.
  var isDirectionMark: Bool { value == 0x200E || value == 0x200F || value == 0x061C }

  /// Whether it begins or ends text that is read in a direction of its own: overrides and isolates.
  var isIsolateSign: Bool {
    switch value {
    case 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
