/// Text of one cell, or two, of the screen: a base scalar with at most four others, as many as ncurses keeps.
///
/// - An emoji keeps its skin tone, its VARIATION SELECTOR-16 and the parts that are joined to it. One that is longer
///   shows what stands before its first joiner: 👨‍👩‍👧‍👦 is shown as 👨. Tags are left out, as those of every flag are
///   too many: 🏴󠁧󠁢󠁥󠁮󠁧󠁿 is shown as 🏴.
/// - A base that is narrow by itself and wide as an emoji (❤️, keycaps) takes two columns.
/// - Two regional indicators are a flag of two columns. A single one is drawn as its letter.
/// - A spacing vowel sign or a joined consonant of an Indic script has a column of its own, as
///   `wcwidth` has it.
/// - A mark without a base stands on a space.
///
/// Terminals disagree on the width of sequences of scalars, and agree on single scalars: a terminal is given no more of
/// an emoji than it draws in the columns of its cluster (`CursesTerminal`).
struct TextCluster {
  /// Offsets in UTF-8 bytes. What is never shown may lie between two clusters.
  var start: Int
  var end: Int
  var base: Unicode.Scalar
  var marks: [Unicode.Scalar] = []
  /// Columns: 1 or 2.
  var columns: Int

  static let mostMarks = 4
}

/// Reads a text, cluster by cluster, from UTF-8 that is known to be valid.
struct ClusterScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private(set) var position: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>, from position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  mutating func next() -> TextCluster? {
    while position < bytes.count {
      let start = position
      let byte = bytes[position]
      if byte >= 0x20, byte < 0x7F {
        position += 1
        var cluster = TextCluster(
          start: start, end: position, base: Unicode.Scalar(byte), columns: 1)
        // Only what follows outside ASCII can join.
        if position < bytes.count, bytes[position] >= 0x80 { extend(&cluster) }
        return cluster
      }
      let scalar = decode()
      var cluster = TextCluster(start: start, end: position, base: scalar, columns: 1)
      switch ScalarKind(scalar) {
      case .dropped, .joiner, .emojiSelector: continue
      case .narrow: break
      case .wide, .skinTone: cluster.columns = 2
      case .space:
        cluster.base = " "
        // A mark behind a line break has nothing to stand on, and belongs to the next line.
        if scalar == "\n" { return cluster }
      case .regionalIndicator: readFlag(&cluster)
      case .mark:
        cluster.base = " "
        cluster.marks = [scalar]
      }
      extend(&cluster)
      return cluster
    }
    return nil
  }

  /// Reads the printable ASCII at `position`, at most `count` bytes, each of them a cluster.
  mutating func asciiRun(atMost count: Int) -> Slice<UnsafeBufferPointer<UInt8>> {
    let limit = position + min(count, bytes.count - position)
    var end = position
    while end < limit, bytes[end] >= 0x20, bytes[end] < 0x7F { end += 1 }
    // A mark may follow and join the last one.
    if end > position, end < bytes.count, bytes[end] >= 0x80 { end -= 1 }
    defer { position = end }
    return bytes[position..<end]
  }

  /// Skips letters and digits of ASCII at `position`, at most `count`, each of them a cluster; returns how many.
  mutating func skipLetters(atMost count: Int) -> Int {
    let limit = position + max(0, min(count, bytes.count - position))
    var end = position
    while end < limit {
      let byte = bytes[end]
      guard 0x61...0x7A ~= byte || 0x41...0x5A ~= byte || 0x30...0x39 ~= byte else { break }
      end += 1
    }
    // A mark may follow and join the last one.
    if end > position, end < bytes.count, bytes[end] >= 0x80 { end -= 1 }
    defer { position = end }
    return end - position
  }

  /// Reads the second half of a flag. One half by itself is a letter.
  private mutating func readFlag(_ cluster: inout TextCluster) {
    let before = position
    if position < bytes.count, bytes[position] >= 0x80, case let other = decode(),
      case .regionalIndicator = ScalarKind(other)
    {
      cluster.marks = [other]
      cluster.columns = 2
      cluster.end = position
    } else {
      position = before
      cluster.base = cluster.base.flagLetter ?? cluster.base
    }
  }

  private mutating func extend(_ cluster: inout TextCluster) {
    defer { cluster.shorten() }
    while position < bytes.count, bytes[position] >= 0x80 {
      let before = position
      let scalar = decode()
      switch ScalarKind(scalar) {
      case .dropped: break
      case .mark where scalar.value == 0x20E3 && cluster.base.isKeycapBase && cluster.marks.isEmpty:
        cluster.marks = ["\u{FE0F}", scalar]
        cluster.columns = 2
      case .mark:
        if cluster.marks.count < TextCluster.mostMarks { cluster.marks.append(scalar) }
      case .emojiSelector:
        // A wide base has its emoji form without it.
        if cluster.base.isPictograph, cluster.columns == 1 || !cluster.marks.isEmpty {
          cluster.join(scalar)
        }
      case .skinTone where cluster.base.isPictograph: cluster.join(scalar)
      case .joiner:
        guard cluster.base.isPictograph, position < bytes.count, bytes[position] >= 0x80 else {
          break
        }
        let afterJoiner = position
        let part = decode()
        if part.isPictograph { cluster.join(scalar, part) } else { position = afterJoiner }
      default:
        position = before
        return
      }
      cluster.end = position
    }
  }

  /// Reads the scalar at `position`.
  private mutating func decode() -> Unicode.Scalar {
    let first = UInt32(bytes[position])
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    var value = length == 1 ? first : first & (0x7F >> UInt32(length))
    for offset in 1..<max(1, length) where position + offset < bytes.count {
      value = value << 6 | UInt32(bytes[position + offset] & 0x3F)
    }
    position = min(position + length, bytes.count)
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }
}

extension TextCluster {
  /// Adds scalars of an emoji, up to the first that are too many.
  fileprivate mutating func join(_ scalars: Unicode.Scalar...) {
    columns = 2
    if marks.count <= Self.mostMarks { marks += scalars }
  }

  /// Cuts an emoji that is too long before its first joiner.
  fileprivate mutating func shorten() {
    guard marks.count > Self.mostMarks else { return }
    marks = Array(
      marks[..<(marks.firstIndex(of: "\u{200D}") ?? Self.mostMarks)].prefix(Self.mostMarks))
  }
}

extension Unicode.Scalar {
  /// Whether this scalar can be part of an emoji sequence. Digits and flags have sequences of their own.
  fileprivate var isPictograph: Bool { value > 0x7F && properties.isEmoji && flagLetter == nil }

  /// The letter of a regional indicator.
  package var flagLetter: Unicode.Scalar? {
    guard 0x1F1E6...0x1F1FF ~= value else { return nil }
    return Unicode.Scalar(UInt8(value - 0x1F1E6) + UInt8(ascii: "A"))
  }

  fileprivate var isKeycapBase: Bool {
    switch self {
    case "0"..."9", "#", "*": true
    default: false
    }
  }
}

extension StringProtocol {
  /// The text's UTF-8 bytes, in one piece.
  func withUTF8Bytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    var copy = String(self)
    return copy.withUTF8(body)
  }
}
