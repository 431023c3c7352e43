/// Columns of a text on a terminal.
///
/// The rule is one that terminals agree on: a scalar's width comes from Unicode's East Asian Width (17.0: Wide and
/// Fullwidth, which hold nearly all of Emoji_Presentation), marks and format characters have none, and an emoji sequence
/// takes two columns (`TextCluster`).
package enum TextWidth {
  /// Columns of one user-perceived character: 0 for an invisible one, 1 or 2; more only for a cluster that terminals
  /// draw as several letters, such as an Indic conjunct.
  package static func columns(of character: Character) -> Int {
    if let ascii = character.asciiValue, ascii >= 0x20, ascii < 0x7F { return 1 }
    return columns(of: String(character))
  }

  /// Columns of a text on one line. Tabs and line breaks count as one space each.
  package static func columns(of text: some StringProtocol) -> Int {
    text.withUTF8Bytes { bytes in
      var scanner = ClusterScanner(bytes)
      var columns = 0
      while true {
        columns += scanner.asciiRun(atMost: .max).count
        guard let cluster = scanner.next() else { return columns }
        columns += cluster.columns
      }
    }
  }

  /// How many bytes from `offset` on belong to a character that begins before it, such as an accent;
  /// 0 where characters part. Looks back 64 bytes at most.
  package static func overhang(at offset: Int, of text: [UInt8]) -> Int {
    guard offset > 0, offset < text.count, text[offset] >= 0x80 else { return 0 }
    return text.withUnsafeBufferPointer { bytes in
      var start = offset - 1
      let first = max(0, offset - 64)
      while start > first, bytes[start] >= 0x80 { start -= 1 }
      while start < offset - 1, bytes[start] & 0xC0 == 0x80 { start += 1 }
      var scanner = ClusterScanner(bytes, from: start)
      while let cluster = scanner.next(), cluster.start < offset {
        if cluster.end > offset { return cluster.end - offset }
      }
      return 0
    }
  }

  /// The longest beginning of a text that fits into `columns`.
  package static func prefix<Text: StringProtocol>(
    of text: Text, fitting columns: Int
  ) -> Text.SubSequence {
    let length = text.withUTF8Bytes { bytes in
      var scanner = ClusterScanner(bytes)
      var used = 0
      while true {
        used += scanner.asciiRun(atMost: max(0, columns - used)).count
        guard let cluster = scanner.next() else { return bytes.count }
        used += cluster.columns
        if used > columns { return cluster.start }
      }
    }
    return text[..<text.utf8.index(text.startIndex, offsetBy: length)]
  }
}

/// Effect of a scalar on the line it stands in.
enum ScalarKind {
  case narrow, wide
  /// A combining mark: shown in the cell of its base.
  case mark
  /// ZERO WIDTH JOINER.
  case joiner
  /// VARIATION SELECTOR-16: asks for the emoji form of its base.
  case emojiSelector
  case skinTone
  /// One half of a flag.
  case regionalIndicator
  /// A separator that shows as a space.
  case space
  /// Never shown: controls, direction overrides, format characters, selectors.
  case dropped

  /// Not for the printable part of ASCII, which callers settle by the byte.
  init(_ scalar: Unicode.Scalar) {
    // The ranges of most text are told apart before any table is searched.
    switch scalar.value {
    case 0x09, 0x0A: self = .space
    case 0..<0x20, 0x7F..<0xA0, 0xAD: self = .dropped
    case 0..<0x300, 0x370..<0x483: self = .narrow
    // Dashes, quotes, bullets; arrows and mathematics; lines and boxes.
    case 0x2010...0x2027, 0x2030...0x205E, 0x2100...0x2319, 0x2500...0x25FC: self = .narrow
    case 0x3400...0x9FFF, 0xAC00...0xD7A3: self = .wide
    // The vowels and final consonants of Hangul join the consonant before them.
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: self = .mark
    case 0x200D: self = .joiner
    case 0xFE0F: self = .emojiSelector
    case 0x1F1E6...0x1F1FF: self = .regionalIndicator
    case 0x1F3FB...0x1F3FF: self = .skinTone
    default: self = ScalarKind.looked(up: scalar)
    }
  }

  private static func looked(up scalar: Unicode.Scalar) -> ScalarKind {
    if wideRanges.contains(scalar.value) { return .wide }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark:
      return properties.isDefaultIgnorableCodePoint ? .dropped : .mark
    case .format, .control, .surrogate: return .dropped
    case .lineSeparator, .paragraphSeparator: return .space
    default: return properties.isNoncharacterCodePoint ? .dropped : .narrow
    }
  }
}

/// Sorted, disjoint, closed ranges of scalars, as pairs of bounds.
private struct ScalarRanges {
  let bounds: [UInt32]

  func contains(_ value: UInt32) -> Bool {
    var low = 0
    var high = bounds.count / 2
    while low < high {
      let middle = (low + high) / 2
      if value > bounds[2 * middle + 1] { low = middle + 1 } else { high = middle }
    }
    return 2 * low < bounds.count && value >= bounds[2 * low]
  }
}

/// East Asian Width W and F of Unicode 17.0, made by `Tools/make-width-table`, without four kinds: marks
/// (they are combining), the filler of Hangul (it shows nothing), regional indicators (two are a flag
/// of two columns), and the trigrams and monograms U+2630–2637 and U+268A–268F, which became wide in
/// Unicode 16 and are narrow in most terminals.
private let wideRanges = ScalarRanges(
  bounds: [
    0x1100, 0x115F, 0x231A, 0x231B, 0x2329, 0x232A, 0x23E9, 0x23EC, 0x23F0, 0x23F0,
    0x23F3, 0x23F3, 0x25FD, 0x25FE, 0x2614, 0x2615, 0x2648, 0x2653, 0x267F, 0x267F,
    0x2693, 0x2693, 0x26A1, 0x26A1, 0x26AA, 0x26AB, 0x26BD, 0x26BE, 0x26C4, 0x26C5,
    0x26CE, 0x26CE, 0x26D4, 0x26D4, 0x26EA, 0x26EA, 0x26F2, 0x26F3, 0x26F5, 0x26F5,
    0x26FA, 0x26FA, 0x26FD, 0x26FD, 0x2705, 0x2705, 0x270A, 0x270B, 0x2728, 0x2728,
    0x274C, 0x274C, 0x274E, 0x274E, 0x2753, 0x2755, 0x2757, 0x2757, 0x2795, 0x2797,
    0x27B0, 0x27B0, 0x27BF, 0x27BF, 0x2B1B, 0x2B1C, 0x2B50, 0x2B50, 0x2B55, 0x2B55,
    0x2E80, 0x2E99, 0x2E9B, 0x2EF3, 0x2F00, 0x2FD5, 0x2FF0, 0x3029, 0x3030, 0x303E,
    0x3041, 0x3096, 0x309B, 0x30FF, 0x3105, 0x312F, 0x3131, 0x3163, 0x3165, 0x318E,
    0x3190, 0x31E5, 0x31EF, 0x321E, 0x3220, 0x3247, 0x3250, 0xA48C, 0xA490, 0xA4C6,
    0xA960, 0xA97C, 0xAC00, 0xD7A3, 0xF900, 0xFAFF, 0xFE10, 0xFE19, 0xFE30, 0xFE52,
    0xFE54, 0xFE66, 0xFE68, 0xFE6B, 0xFF01, 0xFF60, 0xFFE0, 0xFFE6, 0x16FE0, 0x16FE3,
    0x16FF2, 0x16FF6, 0x17000, 0x18CD5, 0x18CFF, 0x18D1E, 0x18D80, 0x18DF2, 0x1AFF0, 0x1AFF3,
    0x1AFF5, 0x1AFFB, 0x1AFFD, 0x1AFFE, 0x1B000, 0x1B122, 0x1B132, 0x1B132, 0x1B150, 0x1B152,
    0x1B155, 0x1B155, 0x1B164, 0x1B167, 0x1B170, 0x1B2FB, 0x1D300, 0x1D356, 0x1D360, 0x1D376,
    0x1F004, 0x1F004, 0x1F0CF, 0x1F0CF, 0x1F18E, 0x1F18E, 0x1F191, 0x1F19A, 0x1F200, 0x1F202,
    0x1F210, 0x1F23B, 0x1F240, 0x1F248, 0x1F250, 0x1F251, 0x1F260, 0x1F265, 0x1F300, 0x1F320,
    0x1F32D, 0x1F335, 0x1F337, 0x1F37C, 0x1F37E, 0x1F393, 0x1F3A0, 0x1F3CA, 0x1F3CF, 0x1F3D3,
    0x1F3E0, 0x1F3F0, 0x1F3F4, 0x1F3F4, 0x1F3F8, 0x1F43E, 0x1F440, 0x1F440, 0x1F442, 0x1F4FC,
    0x1F4FF, 0x1F53D, 0x1F54B, 0x1F54E, 0x1F550, 0x1F567, 0x1F57A, 0x1F57A, 0x1F595, 0x1F596,
    0x1F5A4, 0x1F5A4, 0x1F5FB, 0x1F64F, 0x1F680, 0x1F6C5, 0x1F6CC, 0x1F6CC, 0x1F6D0, 0x1F6D2,
    0x1F6D5, 0x1F6D8, 0x1F6DC, 0x1F6DF, 0x1F6EB, 0x1F6EC, 0x1F6F4, 0x1F6FC, 0x1F7E0, 0x1F7EB,
    0x1F7F0, 0x1F7F0, 0x1F90C, 0x1F93A, 0x1F93C, 0x1F945, 0x1F947, 0x1F9FF, 0x1FA70, 0x1FA7C,
    0x1FA80, 0x1FA8A, 0x1FA8E, 0x1FAC6, 0x1FAC8, 0x1FAC8, 0x1FACD, 0x1FADC, 0x1FADF, 0x1FAEA,
    0x1FAEF, 0x1FAF8, 0x20000, 0x2FFFD, 0x30000, 0x3FFFD,
  ])
