extension TextWrapping {
  /// Pieces of no more than `width` columns with nothing left out, for code: they end behind spaces, inside a word longer
  /// than a piece behind punctuation, and inside a longer token anywhere.
  package static func pieces(
    of text: some StringProtocol, width: Int, firstWidth: Int? = nil
  ) -> [Line] {
    text.withUTF8Bytes { bytes in
      var cutter = Cutter(bytes: bytes, width: width, room: firstWidth ?? width)
      return cutter.pieces()
    }
  }
}

private struct Cutter {
  /// A place where the piece may end, and the columns up to there.
  private struct Place {
    var end: Int
    var columns: Int
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private let width: Int
  /// The columns of the piece that is being filled.
  private var room: Int
  private var lines: [TextWrapping.Line] = []
  private var line = TextWrapping.Line(start: 0, end: 0, columns: 0, next: 0)
  /// Whether the piece has more than spaces.
  private var hasText = false
  /// The last places behind spaces, behind a token, and behind the spaces that begin the piece.
  private var word: Place?
  private var token: Place?
  private var indent: Place?

  init(bytes: UnsafeBufferPointer<UInt8>, width: Int, room: Int) {
    self.bytes = bytes
    self.width = max(1, width)
    self.room = max(1, room)
  }

  mutating func pieces() -> [TextWrapping.Line] {
    var scanner = ClusterScanner(bytes)
    var isBehindWide = false
    while let cluster = scanner.next() {
      let isSpace = isSpace(cluster.start)
      if !isSpace { notePlace(isBetweenWide: isBehindWide && cluster.columns == 2) }
      while line.columns > 0, line.columns + cluster.columns > room { endPiece(atSpace: isSpace) }
      line.columns += cluster.columns
      line.end = cluster.end
      if !isSpace { hasText = true }
      isBehindWide = cluster.columns == 2
    }
    line.next = bytes.count
    return lines + [line]
  }

  private func isSpace(_ offset: Int) -> Bool { bytes[offset] == UInt8(ascii: " ") }

  /// Records the end of the piece as a place, as what stands before it allows; ideographs are words of their own.
  private mutating func notePlace(isBetweenWide: Bool) {
    guard line.columns > 0 else { return }
    let place = Place(end: line.end, columns: line.columns)
    if isSpace(line.end - 1) {
      if hasText { word = place } else { indent = place }
    } else if isBetweenWide {
      word = place
    } else if endsToken(line.end) {
      token = place
    }
  }

  /// Whether a token ends at an offset in a word: behind punctuation, but not within a number, an operator or a tag.
  private func endsToken(_ offset: Int) -> Bool {
    guard offset < bytes.count, Self.isPunctuation(bytes[offset - 1]),
      !Self.isPunctuation(bytes[offset])
    else { return false }
    if bytes[offset - 1] == UInt8(ascii: "."), 0x30...0x39 ~= bytes[offset] { return false }
    return offset < 2 || bytes[offset - 2] != UInt8(ascii: "<")
  }

  /// Signs of names, numbers, strings and options, and the beginning of a tag, belong to the word behind them.
  private static func isPunctuation(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case ",", ";", ":", ".", "(", ")", "[", "]", "{", "}", ">", "=", "+", "*", "/", "&", "|", "?",
      "!":
      true
    default: false
    }
  }

  /// Ends the piece before what does not fit.
  private mutating func endPiece(atSpace isSpace: Bool) {
    let here = Place(end: line.end, columns: line.columns)
    let place = isSpace ? here : word ?? token ?? indent ?? here
    lines.append(
      TextWrapping.Line(
        start: line.start, end: place.end, columns: place.columns, next: place.end))
    line = TextWrapping.Line(
      start: place.end, end: line.end, columns: line.columns - place.columns, next: 0)
    token = token.flatMap {
      $0.end > place.end ? Place(end: $0.end, columns: $0.columns - place.columns) : nil
    }
    (word, indent) = (nil, nil)
    hasText = line.columns > 0
    room = width
  }
}
