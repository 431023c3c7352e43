/// The direction of a paragraph that a document names (HTML's `dir`).
///
/// A text has the direction of its first letter, in a `Document` as in plain text anywhere else (UAX #9, rule P2). Where
/// the document says otherwise, a mark of direction, which shows nothing, is the first letter.
enum ParagraphDirection: Hashable {
  case leftToRight
  case rightToLeft

  func applied(to inlines: [Inline]) -> [Inline] {
    let texts = inlines.lazy.compactMap(\.text)
    guard texts.contains(where: { !$0.isEmpty }) else { return inlines }
    // Isolated text does not count (UAX #9, rule P2).
    var depth = 0
    var first: ParagraphDirection?
    for text in texts {
      first = Self.ofFirstLetter(in: text, isolates: &depth)
      if first != nil { break }
    }
    guard first != self, first != nil || self == .rightToLeft else { return inlines }
    return [.text(self == .rightToLeft ? "\u{200F}" : "\u{200E}")] + inlines
  }

  private static func ofFirstLetter(in text: String, isolates: inout Int) -> ParagraphDirection? {
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x2066...0x2068: isolates += 1
      case 0x2069: isolates = max(0, isolates - 1)
      case _ where isolates > 0: break
      case 0x200E: return .leftToRight
      case 0x200F, 0x061C: return .rightToLeft
      case _ where scalar.isReadFromRight:
        if scalar.properties.generalCategory == .otherLetter { return .rightToLeft }
      default: if scalar.properties.isAlphabetic { return .leftToRight }
      }
    }
    return nil
  }
}

extension DocumentBuilder.Element {
  /// The direction by `dir` or style. The inner nil stands for `dir=auto`, where the first letter decides; the outer one for
  /// nothing.
  var namedDirection: ParagraphDirection?? {
    switch self["dir"]?.lowercased() {
    case "rtl": return .some(.rightToLeft)
    case "ltr": return .some(.leftToRight)
    case "auto": return .some(nil)
    default: break
    }
    guard let style = self["style"], style.contains("direction") else { return nil }
    let rules = style.lowercased().filter { !$0.isWhitespace }.split(separator: ";")
    if rules.contains("direction:rtl") { return .some(.rightToLeft) }
    return rules.contains("direction:ltr") ? .some(.leftToRight) : nil
  }
}

extension DocumentBuilder.Leaving {
  /// Whether it ends one block or several.
  var isOfBlock: Bool {
    switch self {
    case .block, .heading, .containers, .table, .tableHead, .captionBlock: true
    default: false
    }
  }
}
