internal import Text

extension HTMLTag {
  var traits: Traits {
    switch self {
    case .b, .strong: .strong
    case .i, .em, .cite, .dfn, .var: .emphasis
    case .u: .underline
    case .ins: .inserted
    case .mark: .marked
    case .code, .kbd, .samp, .tt: .code
    case .s, .strike, .del: .strike
    default: []
    }
  }
}

extension Link {
  private static let longestText = 200

  /// Whether more of the link's text is welcome.
  var isUnfinished: Bool { text.utf8.count < Link.longestText }

  mutating func add(_ more: String) { text = (text + more).collapsed() }
}

extension String {
  /// With single spaces, and none at the ends.
  func collapsed() -> String {
    var text = self
    return text.withUTF8 { bytes in
      String(unsafeUninitializedCapacity: bytes.count) { collapsed in
        var length = 0
        var isBetweenWords = false
        for byte in bytes {
          if byte.isASCIISpace {
            isBetweenWords = length > 0
            continue
          }
          if isBetweenWords {
            collapsed[length] = UInt8(ascii: " ")
            length += 1
            isBetweenWords = false
          }
          collapsed[length] = byte
          length += 1
        }
        return length
      }
    }
  }

  /// With "\n" for every line end.
  func replacingLineEnds() -> String {
    guard utf8.contains(0x0D) else { return self }
    var previous: UInt8 = 0
    let bytes = utf8.compactMap { byte -> UInt8? in
      defer { previous = byte }
      if byte == 0x0D { return 0x0A }
      return byte == 0x0A && previous == 0x0D ? nil : byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Without the empty lines at the beginning and the white space at the end.
  func trimmingBlankLines() -> String {
    var text = self[...]
    while let end = text.utf8.firstIndex(of: 0x0A), text[..<end].utf8.allSatisfy(\.isASCIISpace) {
      text = text[text.utf8.index(after: end)...]
    }
    while let last = text.utf8.last, last.isASCIISpace {
      text = text[..<text.utf8.index(before: text.utf8.endIndex)]
    }
    return String(text)
  }

  /// Whether nothing of it shows: white space, spaces that do not break, and characters without width.
  var isBlank: Bool {
    utf8.allSatisfy(\.isASCIISpace)
      || unicodeScalars.allSatisfy {
        $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint
      }
  }

  var isEmoji: Bool {
    guard let first = unicodeScalars.first, first.value > 0x7F else { return false }
    return first.properties.isEmoji && dropFirst().isEmpty
  }
}
