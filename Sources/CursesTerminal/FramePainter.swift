internal import CNcurses
internal import Screen

/// Draws frames on ncurses' screen. It hands over what changed in each row since the last frame; ncurses
/// finds the shortest bytes for it.
@MainActor
struct FramePainter {
  var colors: Int { pairs.colors }
  var pixels = PixelPainter()
  var texts = TextOrdering()
  private var emoji = EmojiPainter()

  private var pairs = ColorPairs()
  private var shown: Frame?
  /// The frame shown where its letters have another order on the screen.
  private var visual: VisualFrame?
  /// Whether a row that is shown has clusters, whose numbers mean something else in another frame.
  private var rowsWithClusters: [Bool] = []
  private var line: [cchar_t] = []
  private var text = CellText()
  /// The columns of each row that this drawing has handed over.
  private var changed: [Int: Range<Int>] = [:]

  /// Makes the next frame draw everything, over whatever is on the screen now.
  mutating func forget() {
    shown = nil
    pixels.forget()
    emoji.forget()
    werase(telex_stdscr())
    clearok(telex_stdscr(), true)
  }

  /// Takes all pixels from the terminal, and makes the next frame draw everything, after a sequence was cut off.
  mutating func startOver() {
    _ = pixels.withdraw()
    forget()
  }

  mutating func paint(_ frame: Frame) {
    visual = texts.visual(frame)
    paint(ordered: visual?.frame ?? frame)
  }

  private mutating func paint(ordered frame: Frame) {
    if shown?.size != frame.size {
      werase(telex_stdscr())
      shown = nil
      rowsWithClusters = Array(repeating: false, count: frame.size.height)
    }
    let pieces = pixels.choose(frame.pixelPieces, size: frame.size)
    let frame =
      pixels.support?.isThroughTmux == true
      ? frame.withPlaceholders(for: pieces, isDirect: colors > 256) : frame.withRoom(for: pieces)
    changed.removeAll(keepingCapacity: true)
    let isChanged = draw(frame) || pieces != pixels.shown
    if !isChanged, frame.cursor?.x == shown?.cursor?.x, frame.cursor?.y == shown?.cursor?.y {
      return
    }
    // Lines that are moved would take pixels along.
    idlok(telex_stdscr(), pieces.isEmpty && pixels.shown.isEmpty)
    redraw(pixels.lines(without: pieces), width: frame.size.width)
    redraw(emoji.choose(frame, rows: changed.keys), width: frame.size.width)
    FrameOutput.shared.gather {
      TerminalLine.write(TerminalLine.updateBegins)
      place(frame.cursor)
      wnoutrefresh(telex_stdscr())
      doupdate()
      emoji.show(rows: changed.keys.sorted(), colors: colors)
      pixels.show(pieces, changed: changed)
      TerminalLine.write(TerminalLine.updateEnds)
    }
    shown = frame
  }

  /// Asks a terminal of three lines or more for its keyboard and its emoji. No sample of these is seen.
  mutating func ask() {
    FrameOutput.shared.gather {
      TerminalLine.write(
        TerminalLine.updateBegins + "\u{1B}7" + TerminalLine.keysAsked + emoji.question()
          + "\u{1B}8")
      wredrawln(telex_stdscr(), 1, 1)
      wnoutrefresh(telex_stdscr())
      doupdate()
      TerminalLine.write(TerminalLine.updateEnds)
    }
  }

  /// Handles the column after a sample of emoji; returns whether it was the last. The next frame is drawn with emoji.
  mutating func receive(column: Int) -> Bool {
    guard emoji.receive(column: column) else { return false }
    shown = nil
    return true
  }

  /// The column of the frame that is shown at a place of the screen.
  func column(atX x: Int, y: Int) -> Int { visual?.column(atX: x, y: y) ?? x }

  /// Takes all pixels from the terminal, those that are a part of the screen with its next refresh.
  mutating func withdrawPixels() { redraw(pixels.withdraw(), width: 0) }

  /// Makes ncurses send lines whole.
  private mutating func redraw(_ lines: Set<Int>, width: Int) {
    for y in lines where y < Int(getmaxy(telex_stdscr())) {
      wredrawln(telex_stdscr(), Int32(y), 1)
      changed[y] = 0..<width
    }
  }

  // MARK: - Rows

  private mutating func draw(_ frame: Frame) -> Bool {
    if let isChanged = drawRows(of: frame) { return isChanged }
    // All numbers for colours are taken: begin anew with those that this frame needs.
    pairs.removeAll()
    shown = nil
    _ = drawRows(of: frame, beyondPairs: 0)
    return true
  }

  /// Draws the rows that differ from the frame shown; returns whether there were any, or nil where the numbers for
  /// colours ran out and there is no spare one.
  private mutating func drawRows(of frame: Frame, beyondPairs spare: Int32? = nil) -> Bool? {
    var isChanged = false
    for y in 0..<min(frame.size.height, Int(getmaxy(telex_stdscr()))) {
      guard let columns = changedColumns(ofRow: y, in: frame) else { continue }
      isChanged = true
      changed[y] = columns
      guard drawCells(columns, ofRow: y, in: frame, beyondPairs: spare) else { return nil }
    }
    return isChanged
  }

  /// From the first to the last cell that differs; nil when none does.
  private func changedColumns(ofRow y: Int, in frame: Frame) -> Range<Int>? {
    let width = frame.size.width
    guard width > 0 else { return nil }
    guard let shown else { return 0..<width }
    return frame.cells.withUnsafeBytes { new in
      shown.cells.withUnsafeBytes { old in
        let start = y * width * MemoryLayout<Cell>.stride
        let count = width * MemoryLayout<Cell>.stride
        // Padding may make equal cells differ here, which costs only the closer look below.
        let isSame = memcmp(new.baseAddress! + start, old.baseAddress! + start, count) == 0
        if isSame, !rowsWithClusters[y] { return nil }
        // Loops, because a closure of the main actor asks at each call whether it is there.
        var first = y * width
        var end = first + width
        while first < end, !Self.differs(at: first, frame, shown) { first += 1 }
        while end > first, !Self.differs(at: end - 1, frame, shown) { end -= 1 }
        return first < end ? first - y * width..<end - y * width : nil
      }
    }
  }

  private nonisolated static func differs(at index: Int, _ frame: Frame, _ shown: Frame) -> Bool {
    let cell = frame.cells[index]
    if cell != shown.cells[index] { return true }
    return cell.glyph.scalar == nil
      && frame.scalars(of: cell.glyph) != shown.scalars(of: cell.glyph)
  }

  // MARK: - Cells

  /// False when the numbers for colours ran out.
  private mutating func drawCells(
    _ columns: Range<Int>, ofRow y: Int, in frame: Frame, beyondPairs spare: Int32?
  ) -> Bool {
    let row = frame.row(y)
    let origin = row.startIndex
    var x = columns.lowerBound
    // A wide glyph is handed over as a whole.
    while x > 0, row[origin + x].width == 0 { x -= 1 }
    let start = x
    line.removeAll(keepingCapacity: true)
    // Neighbouring cells mostly share their style.
    var style: Style?
    var (pair, attributes): (Int32, attr_t) = (0, 0)
    while x < columns.upperBound {
      let cell = row[origin + x]
      if cell.style != style, !Self.isGap(at: x, of: row, after: style) {
        guard let number = pairs.number(for: cell.style) ?? spare else { return false }
        (style, pair, attributes) = (cell.style, number, self.attributes(of: cell.style))
      }
      let width = min(max(1, Int(cell.width)), frame.size.width - x)
      append(cell, width: width, attributes, pair, from: frame)
      x += width
    }
    rowsWithClusters[y] = Self.hasClusters(row)
    line.withUnsafeBufferPointer { cells in
      _ = mvwadd_wchnstr(
        telex_stdscr(), Int32(y), Int32(start), cells.baseAddress, Int32(cells.count))
    }
    return true
  }

  /// The longest gap between two words that is sent as blanks and not jumped over.
  private nonisolated static let longestGap = 6

  /// Whether a blank looks the same in the style of the cell before it: a short gap between two words of other colours
  /// then takes no change of colours there and back, which is more than the words are.
  private nonisolated static func isGap(
    at x: Int, of row: ArraySlice<Cell>, after style: Style?
  ) -> Bool {
    guard let style else { return false }
    let start = row.startIndex + x
    func isBlank(_ index: Int) -> Bool {
      row[index].glyph.scalar == " " && row[index].width == 1
        && row[index].style.hasBlanks(like: style)
    }
    var end = start
    while end < row.endIndex, end - start <= longestGap, isBlank(end) { end += 1 }
    // Blanks up to the end of the row are cleared by one command, in the style they have.
    return end > start && end - start <= longestGap && end < row.endIndex
  }

  /// Not of the main actor: a closure of the main actor asks at each call whether it is there.
  private nonisolated static func hasClusters(_ row: ArraySlice<Cell>) -> Bool {
    row.contains { $0.glyph.scalar == nil }
  }

  private mutating func append(
    _ cell: Cell, width: Int, _ attributes: attr_t, _ pair: Int32, from frame: Frame
  ) {
    if cell.width == 0 {
      // Not covered by a wide glyph after all.
      text.set(" ", width: 1)
    } else if let scalar = cell.glyph.scalar {
      text.set(scalar, width: width)
    } else {
      let scalars = frame.scalars(of: cell.glyph)
      let letters = scalars.compactMap(\.flagLetter)
      if letters.count == 2, width == 2 {
        for letter in letters { line.append(telex_cell([letter.value], 1, attributes, pair)) }
        return
      }
      text.set(scalars, width: width)
    }
    line.append(telex_cell(text.scalars, Int32(text.scalars.count), attributes, pair))
    if text.width < width {
      let space: [UInt32] = [0x20]
      line.append(telex_cell(space, 1, attributes, pair))
    }
  }

  private func attributes(of style: Style) -> attr_t {
    let asked = style.attributes
    if asked.isEmpty { return 0 }
    return telex_attributes(
      asked.contains(.bold), asked.contains(.dim), asked.contains(.italic),
      asked.contains(.underline), asked.contains(.reverse))
  }

  // MARK: - Cursor

  private func place(_ cursor: (x: Int, y: Int)?) {
    guard let cursor else {
      // Hidden, it may stay wherever the drawing left it.
      leaveok(telex_stdscr(), true)
      curs_set(0)
      return
    }
    leaveok(telex_stdscr(), false)
    let right = Int(getmaxx(telex_stdscr())) - 1
    let bottom = Int(getmaxy(telex_stdscr())) - 1
    wmove(telex_stdscr(), Int32(min(max(0, cursor.y), bottom)), Int32(min(max(0, cursor.x), right)))
    curs_set(1)
  }
}

extension Glyph {
  /// Nil for a cluster.
  var scalar: Unicode.Scalar? { Unicode.Scalar(rawValue) }
}
