extension Frame {
  /// Treatment of a text that is longer than its place.
  package enum Overflow: Hashable, Sendable {
    case clip
    /// The last column shows "…".
    case ellipsis
  }

  /// Writes a text from (`x`, `y`) to the right, over at most `limit` columns.
  ///
  /// Controls and direction overrides are left out, a tab or a line break shows as a space. Where a
  /// wide glyph finds only one column, a space stands. `x` may lie left of the frame.
  ///
  /// - Returns: The columns of the text, those left of the frame included.
  @discardableResult
  package mutating func put(
    _ text: String, x: Int, y: Int, style: Style = .plain, width limit: Int = .max,
    overflow: Overflow = .clip
  ) -> Int {
    // Most texts are strings. The general form below is compiled for them here only: a generic
    // function is slower when it is called from another module.
    draw(text, x: x, y: y, style: style, width: limit, overflow: overflow)
  }

  /// Writes a part of a string.
  @discardableResult
  package mutating func put(
    _ text: Substring, x: Int, y: Int, style: Style = .plain, width limit: Int = .max,
    overflow: Overflow = .clip
  ) -> Int {
    draw(text, x: x, y: y, style: style, width: limit, overflow: overflow)
  }

  /// Writes a text in which Telex itself has put the signs of isolates and overrides, which count then.
  @discardableResult
  package mutating func put(
    isolating text: String, x: Int, y: Int, style: Style = .plain, width limit: Int = .max
  ) -> Int {
    draw(text, x: x, y: y, style: style, width: limit, overflow: .clip, isolates: true)
  }

  /// Writes a part of such a text.
  @discardableResult
  package mutating func put(
    isolating text: Substring, x: Int, y: Int, style: Style = .plain, width limit: Int = .max
  ) -> Int {
    draw(text, x: x, y: y, style: style, width: limit, overflow: .clip, isolates: true)
  }

  private mutating func draw(
    _ text: some StringProtocol, x: Int, y: Int, style: Style, width limit: Int,
    overflow: Overflow, isolates: Bool = false
  ) -> Int {
    guard y >= 0, y < size.height, x < size.width, limit > 0 else { return 0 }
    // Nothing to the right of the frame is looked at.
    let columns = min(limit, size.width - max(x, .min / 2))
    if overflow == .ellipsis {
      let whole = TextWidth.prefix(of: text, fitting: limit)
      if whole.endIndex < text.endIndex {
        let kept = TextWidth.prefix(of: text, fitting: limit - 1)
        let used = draw(kept, x: x, y: y, style: style, width: columns, overflow: .clip)
        let sign = put("…", x: x + used, y: y, style: style, width: 1)
        // It ends the text, on whichever side that is.
        if let last = stretches.last, last.y == y, last.maxX == x + used {
          stretches[stretches.count - 1].width += sign
        }
        return used + sign
      }
    }
    return text.withUTF8Bytes { bytes in
      let (used, isOrdered) = write(bytes, x: x, y: y, style: style, columns: columns)
      if !isOrdered || isolates && used != bytes.count && bytes.hasIsolates {
        noteStretch(of: text, bytes, x: x, y: y, width: used, isolates: isolates)
      } else if !stretches.isEmpty {
        cutStretches(max(0, x)..<max(0, x, min(x + used, size.width)), y: y)
      }
      return used
    }
  }

  /// Writes over letters of a text, and moves with them into the order of the screen.
  package mutating func label(_ text: String, x: Int, y: Int, style: Style, width limit: Int) {
    let kept = stretches
    put(text, x: x, y: y, style: style, width: limit)
    stretches = kept
  }

  /// Blanks a rectangle in one style.
  package mutating func fill(_ rect: Rect, _ style: Style = .plain) {
    let area = rect.intersection(bounds)
    guard !area.isEmpty else { return }
    let blank = Cell(style: style)
    for y in area.y..<area.maxY {
      mend(x: area.x, y: y)
      mend(x: area.maxX, y: y)
      if !stretches.isEmpty { cutStretches(area.x..<area.maxX, y: y) }
      let row = y * size.width
      for index in row + area.x..<row + area.maxX { cells[index] = blank }
    }
  }

  /// The frame's rows without their trailing spaces, one a line, for tests.
  package var text: String {
    var text = String.UnicodeScalarView()
    for y in 0..<size.height {
      var pendingSpaces = 0
      for cell in row(y) where cell.width > 0 {
        if cell.glyph == .space {
          pendingSpaces += 1
        } else {
          text.append(contentsOf: repeatElement(" ", count: pendingSpaces))
          text.append(contentsOf: scalars(of: cell.glyph))
          pendingSpaces = 0
        }
      }
      if y < size.height - 1 { text.append("\n") }
    }
    return String(text)
  }

  private var bounds: Rect { Rect(x: 0, y: 0, width: size.width, height: size.height) }

  /// - Returns: The columns, and whether all letters are read from left to right.
  private mutating func write(
    _ bytes: UnsafeBufferPointer<UInt8>, x: Int, y: Int, style: Style, columns: Int
  ) -> (columns: Int, isOrdered: Bool) {
    let row = y * size.width
    let end = x + columns
    var column = x
    var scanner = ClusterScanner(bytes)
    var isOrdered = true
    let start = max(x, 0)
    let startsInsideGlyph = cells[row + start].width == 0
    while column < end {
      let ascii = scanner.asciiRun(atMost: end - column)
      if !ascii.isEmpty {
        for byte in ascii {
          if column >= 0 { cells[row + column] = Cell(Glyph(Unicode.Scalar(byte)), style: style) }
          column += 1
        }
        continue
      }
      guard let cluster = scanner.next() else { break }
      if cluster.base.isOfRightToLeftScript { isOrdered = false }
      write(cluster, x: column, y: y, end: end, style: style)
      column = min(column + cluster.columns, end)
    }
    guard column > start else { return (column - x, true) }
    // Glyphs of which one half is now covered lose the other, too.
    if startsInsideGlyph { cells[row + start - 1] = Cell(style: cells[row + start - 1].style) }
    if column < size.width, cells[row + column].width == 0 {
      cells[row + column] = Cell(style: cells[row + column].style)
    }
    return (column - x, isOrdered)
  }

  /// Makes the columns of a text one stretch.
  private mutating func noteStretch(
    of text: some StringProtocol, _ bytes: UnsafeBufferPointer<UInt8>, x: Int, y: Int, width: Int,
    isolates: Bool
  ) {
    let columns = max(0, x)..<min(x + width, size.width)
    cutStretches(columns, y: y)
    var stretch = TextStretch(
      y: y, x: columns.lowerBound, width: columns.count,
      direction: TextDirection(of: text) ?? .leftToRight, place: columns.lowerBound)
    stretch.marks = Self.marks(in: bytes, x: x, before: columns.upperBound, isolates: isolates)
      // Behind the last column what begins in the text ends.
      .filter { $0.x >= columns.lowerBound && $0.x <= columns.upperBound }
    stretches.append(stretch)
  }

  /// The marks of direction of a text, which no cell shows.
  private static func marks(
    in bytes: UnsafeBufferPointer<UInt8>, x: Int, before end: Int, isolates: Bool
  ) -> [TextStretch.Mark] {
    func isMark(_ scalar: Unicode.Scalar) -> Bool {
      scalar.isDirectionMark || isolates && scalar.isIsolateSign
    }
    var marks: [TextStretch.Mark] = []
    var scanner = ClusterScanner(bytes)
    var (column, read) = (x, 0)
    while column < end, let cluster = scanner.next() {
      let skipped = String(decoding: bytes[read..<cluster.start], as: UTF8.self).unicodeScalars
      marks += skipped.filter(isMark).map { TextStretch.Mark(scalar: $0, x: column) }
      column += cluster.columns
      let own = String(decoding: bytes[cluster.start..<cluster.end], as: UTF8.self).unicodeScalars
      marks += own.filter(isMark).map { TextStretch.Mark(scalar: $0, x: column) }
      read = cluster.end
    }
    return marks
  }

  private mutating func write(_ cluster: TextCluster, x: Int, y: Int, end: Int, style: Style) {
    let row = y * size.width
    let isWhole = x >= 0 && x + cluster.columns <= end
    guard isWhole else {
      for column in max(x, 0)..<max(min(x + cluster.columns, end), max(x, 0)) {
        cells[row + column] = Cell(style: style)
      }
      return
    }
    let glyph =
      cluster.marks.isEmpty ? Glyph(cluster.base) : glyph(of: [cluster.base] + cluster.marks)
    cells[row + x] = Cell(glyph, width: UInt8(cluster.columns), style: style)
    if cluster.columns == 2 { cells[row + x + 1] = Cell(width: 0, style: style) }
  }

  /// Makes (`x`, `y`) a boundary between glyphs: a wide glyph across it becomes two spaces.
  private mutating func mend(x: Int, y: Int) {
    guard x > 0, x < size.width else { return }
    let index = y * size.width + x
    guard cells[index].width == 0 else { return }
    cells[index - 1] = Cell(style: cells[index - 1].style)
    cells[index] = Cell(style: cells[index].style)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether UTF-8 has signs of isolates or overrides.
  fileprivate var hasIsolates: Bool {
    var index = 0
    while index + 2 < count {
      if self[index] == 0xE2 {
        switch (self[index + 1], self[index + 2]) {
        case (0x80, 0xAA...0xAE), (0x81, 0xA6...0xA9): return true
        default: break
        }
      }
      index += 1
    }
    return false
  }
}
