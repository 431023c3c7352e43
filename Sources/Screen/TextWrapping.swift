/// Breaks a text into lines that fit a width.
///
/// A line is filled as far as it goes. It ends, in this order of preference, at a space, after a hyphen between two
/// words, beside an ideograph or behind the punctuation of such a text (but never before 、 or after 「), or between two
/// words of Thai, Lao, Khmer or Burmese; inside a word longer than a line, after one of the separators of an address;
/// else anywhere between two characters.
package enum TextWrapping {
  /// One line of a wrapped text, in offsets of its UTF-8 bytes.
  package struct Line: Hashable, Sendable {
    package var start: Int
    /// Behind the last byte that is shown: the spaces and the line break at the end lie beyond.
    package var end: Int
    /// The columns of the shown part.
    package var columns: Int
    /// Where the next line starts. Nothing but white space lies between `end` and here.
    package var next: Int
    /// Whether it ends at a soft hyphen, so that a hyphen is to be shown, which is one of `columns`.
    package var isHyphenated = false
  }

  /// Lines that take no more than `width` columns each. A width under 1 counts as 1.
  ///
  /// A glyph of two columns in a width of one is a line of its own that does not fit. Every "\n" ends a line. An empty
  /// text is one empty line. A line may end at ZERO WIDTH SPACE.
  ///
  /// - Parameter breaksSoftHyphens: Whether a line may end at a soft hyphen, where the caller then shows a hyphen.
  package static func lines(
    of text: some StringProtocol, width: Int, firstWidth: Int? = nil,
    breaksSoftHyphens: Bool = false
  ) -> [Line] {
    text.withUTF8Bytes { bytes in
      var wrapper = Wrapper(bytes: bytes, width: max(1, width))
      wrapper.breaksSoftHyphens = breaksSoftHyphens
      wrapper.lineWidth = max(1, firstWidth ?? width)
      return wrapper.wrap()
    }
  }

  /// The wrapped lines as texts.
  package static func wrap<Text: StringProtocol>(_ text: Text, width: Int) -> [Text.SubSequence] {
    let utf8 = text.utf8
    var start = text.startIndex
    var offset = 0
    return lines(of: text, width: width).map { line in
      start = utf8.index(start, offsetBy: line.start - offset)
      let end = utf8.index(start, offsetBy: line.end - line.start)
      defer { (start, offset) = (end, line.end) }
      return text[start..<end]
    }
  }
}

private struct Wrapper {
  /// A place where the line may end.
  struct Break {
    /// Behind what is shown, and the columns up to there.
    var end: Int
    var columns: Int
    /// Where the next line would start, and the columns up to there.
    var next: Int
    var columnsBeforeNext: Int
    var isHyphenated = false
  }

  let bytes: UnsafeBufferPointer<UInt8>
  let width: Int
  /// The width of the line that is being filled.
  var lineWidth: Int
  var breaksSoftHyphens = false

  private var lines: [TextWrapping.Line] = []
  private var start = 0
  /// Behind the last glyph that is not a space, and the columns of the line up to there.
  private var end = 0
  private var columns = 0
  /// The columns of the line with the spaces at its end.
  private var spread = 0
  private var good: Break?
  /// Inside a word, for when there is no `good` one.
  private var poor: Break?
  /// Where the character begins whose second letter is being read; nil where that is the first.
  private var whole: Break?
  /// The words of scripts without spaces, once there is such a letter.
  private var words: WordBreaks?

  init(bytes: UnsafeBufferPointer<UInt8>, width: Int) {
    self.bytes = bytes
    self.width = width
    lineWidth = width
  }

  mutating func wrap() -> [TextWrapping.Line] {
    var scanner = ClusterScanner(bytes)
    var previous: BreakClass?
    // Whether the letter before is one whose sign joins the next to it.
    var joined = false
    while let cluster = scanner.next() {
      if bytes[cluster.start] == UInt8(ascii: "\n") {
        finishLine(end: end, columns: columns, next: cluster.end)
        (end, columns, spread) = (start, 0, 0)
        (good, poor, previous, whole) = (nil, nil, nil, nil)
        continue
      }
      var kind = BreakClass(cluster)
      if kind == .hyphen || kind == .closing {
        kind = kind.placed(cluster, behind: previous, bytes)
      }
      if kind == .space {
        spread += cluster.columns
        // White space at the beginning of a paragraph is no place to end a line.
        if end > start {
          good = Break(end: end, columns: columns, next: cluster.end, columnsBeforeNext: spread)
        }
        previous = kind
        continue
      }
      if let previous, end == cluster.start, !joined { noteBreak(after: previous, before: kind) }
      if cluster.base.isOfScriptWithSigns {
        noteCharacter(cluster, joined)
        joined = cluster.marks.last?.joinsLetters == true
      } else {
        (whole, joined) = (nil, false)
      }
      while spread + cluster.columns > lineWidth, breakLine(before: cluster) {}
      spread += cluster.columns
      (columns, end) = (spread, cluster.end)
      previous = kind
      noteSoftBreak()
      guard kind == .other else { continue }
      // The word goes on: no line ends between its letters.
      let letters = scanner.skipLetters(atMost: lineWidth - spread)
      spread += letters
      (columns, end) = (spread, end + letters)
    }
    finishLine(end: end, columns: columns, next: bytes.count)
    return lines
  }

  /// Records a soft hyphen or a ZERO WIDTH SPACE behind the cluster that was read last.
  private mutating func noteSoftBreak() {
    guard end >= 3, bytes[end - 1] >= 0x80 else { return }
    let isHyphen = bytes[end - 2] == 0xC2 && bytes[end - 1] == 0xAD
    let isSpace = bytes[end - 3] == 0xE2 && bytes[end - 2] == 0x80 && bytes[end - 1] == 0x8B
    guard isHyphen && breaksSoftHyphens || isSpace else { return }
    let shown = columns + (isHyphen ? 1 : 0)
    guard shown <= lineWidth else { return }
    good = Break(
      end: end, columns: shown, next: end, columnsBeforeNext: spread, isHyphenated: isHyphen)
  }

  private mutating func noteBreak(after previous: BreakClass, before next: BreakClass) {
    let place = Break(end: end, columns: columns, next: end, columnsBeforeNext: columns)
    switch (previous, next) {
    case (.opening, _), (.openingIdeograph, _), (.sign, _), (_, .closing), (_, .closingIdeograph):
      break
    // A number behind a hyphen goes on with what is before it: a date (UAX #14, LB25).
    case (.hyphen, .other)
    where bytes[end - 1] == UInt8(ascii: "-") && 0x30...0x39 ~= bytes[end]:
      break
    case (.ideograph, _), (_, .ideograph), (_, .openingIdeograph), (.hyphen, .other),
      (.hyphen, .unspaced), (.closingIdeograph, .other), (.closingIdeograph, .opening),
      (.closingIdeograph, .unspaced):
      good = place
    case (.unspaced, .unspaced): if isWordEnd(end) { good = place }
    case (.separator, _): poor = place
    default: break
    }
  }

  private mutating func isWordEnd(_ offset: Int) -> Bool {
    // What is only measured has no need of words.
    guard lineWidth < .max else { return false }
    if words == nil { words = WordBreaks(in: bytes) }
    return words?.contains(offset) == true
  }

  /// Records where a character of several clusters begins.
  private mutating func noteCharacter(_ cluster: TextCluster, _ isJoined: Bool) {
    let belongs = end == cluster.start && end > start && (isJoined || cluster.base.isSpacingSign)
    guard !belongs else { return }
    whole = Break(end: end, columns: columns, next: cluster.start, columnsBeforeNext: spread)
  }

  /// Ends the line before `cluster`, which does not fit. False if the line is empty already.
  private mutating func breakLine(before cluster: TextCluster) -> Bool {
    let spaces = Break(end: end, columns: columns, next: cluster.start, columnsBeforeNext: spread)
    // A poor place is no better than any other if it leaves most of the line empty.
    let useful = poor.flatMap { $0.columns > lineWidth / 2 ? $0 : nil }
    // A sign stays with its letter, if that does not begin the line.
    let letter = whole.flatMap { $0.next > start && $0.columns > 0 ? $0 : nil }
    guard let place = good ?? useful ?? (spread > 0 ? letter ?? spaces : nil) else { return false }
    finishLine(
      end: place.end, columns: place.columns, next: place.next, isHyphenated: place.isHyphenated)
    spread -= place.columnsBeforeNext
    columns = max(0, columns - place.columnsBeforeNext)
    end = max(end, start)
    // Poor places behind the good one are still ahead.
    if var later = poor, place.next < later.end {
      later.columns -= place.columnsBeforeNext
      later.columnsBeforeNext -= place.columnsBeforeNext
      poor = later
    } else {
      poor = nil
    }
    (good, whole) = (nil, nil)
    return true
  }

  private mutating func finishLine(end: Int, columns: Int, next: Int, isHyphenated: Bool = false) {
    let shownEnd = max(end, start)
    lines.append(
      TextWrapping.Line(
        start: start, end: shownEnd, columns: columns, next: next, isHyphenated: isHyphenated))
    start = next
    lineWidth = width
  }
}

/// Meaning of a cluster for line breaks beside it.
private enum BreakClass {
  case space, hyphen
  /// A hyphen that begins a word.
  case sign
  case ideograph
  /// Of a script without spaces between words.
  case unspaced
  /// May not end a line.
  case opening
  /// An opening of East Asian texts, before which a line may end.
  case openingIdeograph
  /// May not begin a line.
  case closing
  /// A closing of East Asian texts, behind which a line may end.
  case closingIdeograph
  /// A separator inside addresses.
  case separator
  case other

  init(_ cluster: TextCluster) {
    // Most are letters of ASCII, and else of Chinese and Korean: the lists below are long.
    switch cluster.base.value {
    case 0x61...0x7A, 0x41...0x5A: self = .other
    case 0x21...0x7E: self = BreakClass(ascii: cluster.base)
    case 0x3400...0x9FFF, 0xAC00...0xD7A3: self = .ideograph
    case 0x3000...0x30FF, 0xFF00...0xFF9F:
      self = BreakClass(eastAsian: cluster.base, hasMarks: !cluster.marks.isEmpty)
    default: self = BreakClass(rare: cluster)
    }
  }

  private init(ascii scalar: Unicode.Scalar) {
    switch scalar {
    case "-": self = .hyphen
    case "/", "?", "&", "=", "#", "_", "+", "%": self = .separator
    case "(", "[", "{": self = .opening
    case ")", "]", "}", ",", ".", ";", ":", "!": self = .closing
    default: self = .other
    }
  }

  private init(eastAsian scalar: Unicode.Scalar, hasMarks: Bool) {
    switch scalar {
    case "\u{3000}": self = hasMarks ? .other : .space
    case "「", "『", "（", "〈", "《", "【", "〔", "〖", "〘", "〚", "〝", "［", "｛", "｢":
      self = .openingIdeograph
    case "、", "。", "，", "．", "」", "』", "）", "〉", "》", "】", "〕", "〗", "〙", "〛", "〞", "〟", "］",
      "｝", "！", "？", "：", "；", "・", "ー", "々", "〻", "ゝ", "ゞ", "ヽ", "ヾ", "ぁ", "ぃ", "ぅ", "ぇ", "ぉ",
      "っ", "ゃ", "ゅ", "ょ", "ゎ", "ァ", "ィ", "ゥ", "ェ", "ォ", "ッ", "ャ", "ュ", "ョ", "ヮ", "ヵ", "ヶ", "｡",
      "｣", "､", "･", "\u{FF67}"..."\u{FF70}", "\u{FF9E}", "\u{FF9F}":
      self = .closingIdeograph
    default: self = .ideograph
    }
  }

  private init(rare cluster: TextCluster) {
    switch cluster.base {
    case "\u{A0}", "\u{202F}", "\u{2007}": self = .other
    case " ", "\u{1680}", "\u{2000}"..."\u{200A}", "\u{205F}":
      self = cluster.marks.isEmpty ? .space : .other
    case "\u{2010}", "\u{2013}", "\u{2014}": self = .hyphen
    case "“", "‘": self = .opening
    case "”", "’", "…", "‥": self = .closing
    default:
      self =
        cluster.columns == 2
        ? .ideograph : cluster.base.isOfScriptWithoutSpaces ? .unspaced : .other
    }
  }

  /// The class at its place.
  func placed(
    _ cluster: TextCluster, behind previous: BreakClass?, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> BreakClass {
    switch cluster.base {
    // One that begins a word is a minus or an option's, as is the second of two (UAX #14, LB20a).
    case "-", "\u{2010}": Self.beginsWord(cluster, behind: previous, bytes) ? .sign : self
    // These are Latin or East Asian, as what they stand behind is.
    case "”", "’", "…", "‥":
      previous == .ideograph || previous == .closingIdeograph ? .closingIdeograph : self
    default: self
    }
  }

  /// Whether a hyphen stands at the beginning of a word, or behind another one that does.
  private static func beginsWord(
    _ cluster: TextCluster, behind previous: BreakClass?, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    switch previous {
    case nil, .space, .sign, .separator, .opening, .openingIdeograph: return true
    default: break
    }
    guard cluster.start > 0 else { return true }
    // Quotation marks of ASCII do not say whether they open; and a space that does not break.
    let last = bytes[cluster.start - 1]
    return last == 0x22 || last == 0x27 || last == 0x60
      || last == 0xA0 && cluster.start > 1 && bytes[cluster.start - 2] == 0xC2
  }
}
