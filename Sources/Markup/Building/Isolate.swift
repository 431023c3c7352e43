/// Text that has a direction of its own within a paragraph: `<bdi>`, `<bdo>`, and inline elements with a `dir`. As CSS has
/// it (Writing Modes §2.4.2), the isolates of Unicode (UAX #9 §2.4) stand around it, which show nothing.
struct Isolate: Hashable {
  /// Levels of isolates in isolates. What is nested deeper has none: no writing needs them, and the algorithm that orders
  /// them knows a bounded number (UAX #9, BD2: 125).
  static let deepest = 12
  static let most = 500

  let opening: String
  let closing: String

  private init(_ opening: String, _ closing: String = "\u{2069}") {
    self.opening = opening
    self.closing = closing
  }

  /// - Returns: nil for an element whose text is part of that around it.
  init?(_ element: DocumentBuilder.Element) {
    switch (element.tag, element["dir"]?.lowercased()) {
    case (.bdo, "rtl"): self.init("\u{2067}\u{202E}", "\u{202C}\u{2069}")
    case (.bdo, "ltr"): self.init("\u{2066}\u{202D}", "\u{202C}\u{2069}")
    case (.bdo, _): return nil
    case (_, "rtl"): self.init("\u{2067}")
    case (_, "ltr"): self.init("\u{2066}")
    // The first letter decides.
    case (_, "auto"), (.bdi, _): self.init("\u{2068}")
    default: return nil
    }
  }

  static func isSign(_ scalar: Unicode.Scalar) -> Bool {
    (0x2066...0x2069).contains(scalar.value) || (0x202C...0x202E).contains(scalar.value)
  }

  /// The inlines without the signs, where all letters are read from left to right without them.
  static func needed(in inlines: [Inline]) -> [Inline] {
    let isNeeded = inlines.contains { inline in
      inline.text?.unicodeScalars.contains { $0.value == 0x202E || $0.isReadFromRight } == true
    }
    guard !isNeeded else { return inlines }
    return inlines.map { inline in
      guard case .text(let text, let traits, let link) = inline else { return inline }
      var plain = ""
      plain.unicodeScalars.append(contentsOf: text.unicodeScalars.lazy.filter { !isSign($0) })
      return .text(plain, traits, link: link)
    }
  }
}

extension Unicode.Scalar {
  /// Whether it is a letter of a script that is written from right to left, or a mark that stands for one.
  var isReadFromRight: Bool {
    switch value {
    case 0x200F, 0x061C: true
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x1_0800...0x1_0FFF,
      0x1_E800...0x1_EFFF:
      true
    default: false
    }
  }
}
