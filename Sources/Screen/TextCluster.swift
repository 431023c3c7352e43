/// Text of one cell, or two, of the screen.
///
/// Terminals disagree on the width of sequences of scalars, and agree on single scalars. So a
/// cluster is cut down to a base scalar with at most four combining marks:
///
/// - An emoji with joiners, skin tones or tags becomes its base: 👩🏽‍🚀 is shown as 👩.
/// - A base that is narrow by itself and wide as an emoji (❤️, keycaps) is drawn narrow and padded
///   with a space. Whatever a terminal makes of VARIATION SELECTOR-16, it never gets to see it.
/// - A flag shows as its two letters, one column each.
/// - A spacing vowel sign or a joined consonant of an Indic script has a column of its own, as
///   `wcwidth` has it.
/// - A mark without a base stands on a space.
struct TextCluster {
  /// Offsets in UTF-8 bytes. What is never shown may lie between two clusters.
  var start: Int
  var end: Int
  var base: Unicode.Scalar
  var marks: [Unicode.Scalar] = []
  /// Columns: 1 or 2.
  var columns: Int
  /// Whether the second column is a space beside a narrow base.
  var isPadded = false

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
      case .regionalIndicator:
        cluster.base = Unicode.Scalar(UInt8(scalar.value - 0x1F1E6) + UInt8(ascii: "A"))
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

  private mutating func extend(_ cluster: inout TextCluster) {
    while position < bytes.count, bytes[position] >= 0x80 {
      let before = position
      let scalar = decode()
      switch ScalarKind(scalar) {
      case .dropped: break
      case .mark:
        if cluster.marks.count < TextCluster.mostMarks { cluster.marks.append(scalar) }
        if scalar.value == 0x20E3, cluster.base.isKeycapBase { cluster.widen() }
      case .emojiSelector:
        if cluster.base.isPictograph { cluster.widen() }
      case .skinTone where cluster.base.isPictograph:
        cluster.widen()
      case .joiner:
        guard cluster.base.isPictograph, position < bytes.count, bytes[position] >= 0x80 else {
          break
        }
        let afterJoiner = position
        if decode().isPictograph { cluster.widen() } else { position = afterJoiner }
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
  fileprivate mutating func widen() {
    guard columns == 1 else { return }
    columns = 2
    isPadded = true
  }
}

extension Unicode.Scalar {
  /// Whether this scalar can be part of an emoji sequence. Digits have sequences of their own.
  fileprivate var isPictograph: Bool { value > 0x7F && properties.isEmoji }

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
