/// Validity of a label of an international name (UTS #46 §4.1).
enum LabelRules {
  /// Whether the label is valid apart from its direction.
  ///
  /// - Parameter isDecoded: whether it comes from Punycode, and so may hold anything.
  static func isValid(_ label: [Unicode.Scalar], isDecoded: Bool) -> Bool {
    if let first = label.first, InternationalCharacter(first).isMark { return false }
    if isDecoded {
      guard label.allSatisfy({ InternationalCharacter($0).isValid && $0 != "." }),
        UnicodeComposition.composed(label) == label
      else { return false }
    }
    return label.indices.allSatisfy { hasJoinerInPlace(label, at: $0) }
  }

  /// Whether a character makes its name one that has a direction to be checked (RFC 5893 §1.4).
  static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x590 else { return false }
    switch InternationalCharacter(scalar).direction {
    case .rightToLeft, .arabicLetter, .arabicNumber: return true
    default: return false
    }
  }

  /// The Bidi rule (RFC 5893 §2).
  static func keepsDirection(_ label: [Unicode.Scalar]) -> Bool {
    let directions = label.map { InternationalCharacter($0).direction }
    guard let first = directions.first else { return true }
    let last = directions.last { $0 != .mark }
    switch first {
    case .rightToLeft, .arabicLetter:
      let allowed: Set<InternationalCharacter.Direction> = [
        .rightToLeft, .arabicLetter, .arabicNumber, .europeanNumber, .europeanSeparator,
        .commonSeparator, .europeanTerminator, .neutral, .boundaryNeutral, .mark,
      ]
      let ends: Set<InternationalCharacter.Direction> = [
        .rightToLeft, .arabicLetter, .arabicNumber, .europeanNumber,
      ]
      return directions.allSatisfy(allowed.contains) && last.map(ends.contains) ?? false
        && !(directions.contains(.europeanNumber) && directions.contains(.arabicNumber))
    case .leftToRight:
      let allowed: Set<InternationalCharacter.Direction> = [
        .leftToRight, .europeanNumber, .europeanSeparator, .commonSeparator, .europeanTerminator,
        .neutral, .boundaryNeutral, .mark,
      ]
      return directions.allSatisfy(allowed.contains)
        && (last == .leftToRight || last == .europeanNumber)
    default: return false
    }
  }

  /// The rules for the two joiners, which show nothing by themselves (RFC 5892, appendix A.1 and A.2);
  /// true for any other character.
  private static func hasJoinerInPlace(_ label: [Unicode.Scalar], at index: Int) -> Bool {
    let isNonJoiner = label[index] == "\u{200C}"
    guard isNonJoiner || label[index] == "\u{200D}" else { return true }
    if index > 0, InternationalCharacter(label[index - 1]).combiningClass == 9 { return true }
    guard isNonJoiner else { return false }
    func joining(_ scalars: some Sequence<Unicode.Scalar>) -> InternationalCharacter.Joining? {
      scalars.lazy.map { InternationalCharacter($0).joining }.first { $0 != .transparent }
    }
    let before = joining(label[..<index].reversed())
    let after = joining(label[(index + 1)...])
    return (before == .left || before == .dual) && (after == .right || after == .dual)
  }
}
