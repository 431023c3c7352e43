internal import Markup
internal import Screen

/// The inline content of a block as one text, which wraps across changes of role.
struct FlatText {
  private struct Run {
    var end: Int
    var role: TextRole
    var link: Int?
  }

  private(set) var bytes: [UInt8] = []
  private var runs: [Run] = []
  /// The anchors in it, with their offsets.
  private(set) var anchors: [(name: String, offset: Int)] = []
  /// The signs of isolates and overrides, with their offsets.
  private var directionSigns: [(offset: Int, sign: Unicode.Scalar)] = []

  var string: String { String(decoding: bytes, as: UTF8.self) }

  /// - Parameter styled: the traits that show without signs.
  init(_ inlines: [Inline], base: TextRole, styled: Traits = []) {
    for (index, inline) in inlines.enumerated() {
      let endsLink =
        inline.link != nil
        && inline.link != inlines[(index + 1)...].first { !$0.isAnchor }?.link
      switch inline {
      case .lineBreak: append("\n", base)
      case .text(var text, let traits, let link):
        let role = link == nil ? TextRole(traits, base: base) : .link
        var (opening, closing) = ("", "")
        if !traits.isEmpty {
          let before = index > 0 ? inlines[index - 1] : .lineBreak
          let after = index + 1 < inlines.count ? inlines[index + 1] : .lineBreak
          let signs = inline.signs(base, styled)
          opening = Self.marks(of: signs.subtracting(before.signs(base, styled))).joined()
          closing = Self.marks(of: signs.subtracting(after.signs(base, styled))).reversed().joined()
          if role == .code, traits.contains(.key), styled.contains(.key) {
            text = Self.key(text, isWhole: (!before.isKey, !after.isKey))
          }
        }
        // The number stands close to the text of its link, before a space that ends it.
        let hasSpace = (endsLink || !closing.isEmpty) && text.utf8.last == 0x20
        var words = hasSpace ? text.dropLast() : text[...]
        if let link, link < 0,
          let sign = Self.noteSign(words, isGlued: bytes.last.map { $0 > 0x20 })
        {
          words = sign[...]
        }
        if !opening.isEmpty, words.utf8.first == 0x20 {
          append(" ", base)
          words.removeFirst()
        }
        append(opening + words + closing, role, link: link)
        if endsLink, let link, link > 0 { append("[\(link)]", .linkNumber, link: link) }
        if hasSpace { append(" ", base) }
      case .image(let image):
        let title = image.title.map { " (\($0))" } ?? ""
        let place = ArticleStrings.image(image.alt.isEmpty ? "" : image.alt + title)
        append(place, .imagePlace, link: image.link)
        if endsLink, let link = image.link, link > 0 {
          append("[\(link)]", .linkNumber, link: link)
        }
      case .anchor(let name): anchors.append((name, bytes.count))
      }
    }
  }

  /// The marks of struck, inserted, underlined and marked text, as Markdown has them.
  private static func marks(of traits: Traits) -> [String] {
    traits.isEmpty ? [] : marks.compactMap { traits.contains($0.trait) ? $0.mark : nil }
  }

  /// A key without its brackets, and a space between two keys.
  ///
  /// - Parameter isWhole: whether the key begins and ends with the text.
  private static func key(_ text: String, isWhole: (Bool, Bool)) -> String {
    var words = text[...]
    if isWhole.0, words.hasPrefix("[") { words = words.dropFirst() }
    if isWhole.1, words.hasSuffix("]") { words = words.dropLast() }
    return String(words.replacing("][", with: " "))
  }

  /// The number of a note as raised digits, so that it is not taken for the number of a link: of "[2]", and of "2" where
  /// it stands at a word.
  private static func noteSign(_ text: Substring, isGlued: Bool?) -> String? {
    let isBracketed = text.utf8.first == UInt8(ascii: "[") && text.utf8.last == UInt8(ascii: "]")
    let digits = isBracketed ? text.dropFirst().dropLast() : text
    guard isBracketed || isGlued == true, 1...4 ~= digits.utf8.count,
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    let signs: [Character] = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"]
    return String(digits.utf8.map { signs[Int($0 - 0x30)] })
  }

  private static let marks: [(trait: Traits, mark: String)] = [
    (.strike, "~~"), (.inserted, "++"), (.marked, "=="), (.underline, "_"),
  ]

  init(address link: Link) { append(link.url, .link, link: link.number) }

  init() {}

  mutating func append(_ text: String, _ role: TextRole, link: Int? = nil) {
    guard !text.isEmpty else { return }
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    noteDirectionSigns(from: start)
    // An accent behind a tag stands on the letter before it, and by itself would take a column.
    if let last = runs.indices.last { runs[last].end += TextWidth.overhang(at: start, of: bytes) }
    if runs.last?.end != bytes.count {
      runs.append(Run(end: bytes.count, role: role, link: link))
    }
  }

  /// U+202C to U+202E and U+2066 to U+2069 in UTF-8.
  private mutating func noteDirectionSigns(from start: Int) {
    var found: [(Int, Unicode.Scalar)] = []
    bytes.withUnsafeBufferPointer { bytes in
      var index = start
      while index + 2 < bytes.count {
        if bytes[index] == 0xE2 {
          switch (bytes[index + 1], bytes[index + 2]) {
          case (0x80, 0xAC...0xAE), (0x81, 0xA6...0xA9):
            let code = UInt32(bytes[index + 1] & 0x3F) << 6 | UInt32(bytes[index + 2] & 0x3F)
            if let sign = Unicode.Scalar(0x2000 | code) { found.append((index, sign)) }
          default: break
          }
        }
        index += 1
      }
    }
    directionSigns += found
  }

  /// The direction of its first letter; nil where it has no letters.
  var direction: TextDirection? {
    guard bytes.mayBeRightToLeft else {
      return bytes.contains { $0 >= 0x41 } ? .leftToRight : nil
    }
    return TextDirection(of: string)
  }

  func lines(width: Int) -> [TextWrapping.Line] {
    TextWrapping.lines(of: string, width: width, breaksSoftHyphens: true)
  }

  /// The columns of the longest line, if none is wrapped.
  var columns: Int { lines(width: .max).map(\.columns).max() ?? 0 }

  /// The text of a line, role by role.
  func spans(of line: TextWrapping.Line) -> [StyledSpan] {
    var spans = spans(from: line.start, to: line.end)
    // An isolate goes on in the next line of its text.
    if line.start > 0, !spans.isEmpty {
      spans[0].text = openIsolates(at: line.start) + spans[0].text
    }
    if line.isHyphenated, !spans.isEmpty { spans[spans.count - 1].text += "-" }
    return spans
  }

  /// The text between two offsets, role by role.
  func spans(from start: Int, to end: Int) -> [StyledSpan] {
    var spans: [StyledSpan] = []
    var from = start
    var index = firstRun(endingBehind: start)
    while from < end, index < runs.count {
      let to = min(runs[index].end, end)
      let text = String(decoding: bytes[from..<to], as: UTF8.self).withoutSoftBreaks
      if !text.isEmpty {
        spans.append(StyledSpan(text, runs[index].role, link: runs[index].link))
      }
      from = to
      index += 1
    }
    return spans
  }

  /// The signs of the isolates and overrides that begin before an offset and end behind it.
  private func openIsolates(at offset: Int) -> String {
    var open: [Unicode.Scalar] = []
    for (_, sign) in directionSigns.prefix(while: { $0.offset < offset }) {
      switch sign.value {
      case 0x2066...0x2068, 0x202D, 0x202E: open.append(sign)
      case 0x202C, 0x2069: _ = open.popLast()
      default: break
      }
    }
    return String(String.UnicodeScalarView(open))
  }

  private func firstRun(endingBehind offset: Int) -> Int {
    var low = 0
    var high = runs.count
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].end <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension [UInt8] {
  /// Whether UTF-8 may hold a letter, or a mark, of right-to-left text. Most texts have none of the first bytes of these.
  fileprivate var mayBeRightToLeft: Bool {
    withUnsafeBufferPointer { bytes in
      // A loop that the compiler turns into one over many bytes at once.
      var greatest: UInt8 = 0
      for byte in bytes { greatest = Swift.max(greatest, byte) }
      guard greatest >= 0xD6 else { return false }
      for index in bytes.indices where bytes[index] >= 0xD6 {
        let next = index + 1 < bytes.count ? bytes[index + 1] : 0
        switch bytes[index] {
        case 0xD6...0xDF: return true
        case 0xE0: if (0xA0...0xA3).contains(next) { return true }
        case 0xE2:
          // RIGHT-TO-LEFT MARK.
          if next == 0x80, index + 2 < bytes.count, bytes[index + 2] == 0x8F { return true }
        case 0xEF: if (0xAC...0xBB).contains(next) { return true }
        case 0xF0: if next == 0x90 || next == 0x9E { return true }
        default: break
        }
      }
      return false
    }
  }
}

extension String {
  /// Without soft hyphens and spaces of no width, which only say where a line may end.
  fileprivate var withoutSoftBreaks: String {
    guard utf8.contains(where: { $0 == 0xC2 || $0 == 0xE2 }) else { return self }
    var text = ""
    text.unicodeScalars.append(
      contentsOf: unicodeScalars.filter { $0.value != 0xAD && $0.value != 0x200B })
    return text
  }
}

extension Inline {
  fileprivate var link: Int? {
    switch self {
    case .text(_, _, let link): link
    case .image(let image): image.link
    case .lineBreak, .anchor: nil
    }
  }
}

extension Inline {
  fileprivate var isKey: Bool {
    if case .text(_, let traits, _) = self { traits.contains(.key) } else { false }
  }

  /// The traits that have marks in the text: those that neither its role nor the screen shows.
  fileprivate func signs(_ base: TextRole, _ styled: Traits) -> Traits {
    guard case .text(let text, let traits, let link) = self else { return [] }
    let marked = traits.intersection(.withMarks)
    // Changes of a feed have signs of their own.
    guard !marked.isEmpty, text != " ", !text.hasPrefix("− "), !text.hasPrefix("+ ") else {
      return []
    }
    guard link == nil else { return marked }
    return marked.subtracting(styled.intersection(TextRole(traits, base: base).shownTraits))
  }
}

extension Traits {
  /// Made once: a literal of several traits costs a search for conformances each time.
  fileprivate static let withMarks: Traits = [.strike, .inserted, .marked, .underline]
}

extension TextRole {
  fileprivate init(_ traits: Traits, base: TextRole) {
    if traits.isEmpty {
      self = base
    } else if traits.contains(.code) {
      self = .code
    } else if traits.contains(.strike) {
      self = .strike
    } else if base == .heading1 || base == .heading2 || base == .heading3 || base == .tableHeader {
      self = base
    } else if traits.contains(.marked) {
      self = .marked
    } else if traits.contains(.underline) || traits.contains(.inserted) {
      self = .underlined
    } else if traits.contains(.strong) {
      self = traits.contains(.emphasis) ? .strongEmphasis : .strong
    } else if traits.contains(.emphasis) {
      self = .emphasis
    } else {
      self = base
    }
  }
}
