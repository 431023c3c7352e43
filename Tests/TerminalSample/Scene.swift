internal import Screen

/// What the sample shows.
enum Scene: String {
  /// The size, the number of colours, the events so far, and a mark in every corner.
  case events
  /// A line for each attribute and a few colours.
  case styles
  /// Wide and combining characters, and what must not reach the terminal.
  case text
  /// More pairs of colours than a terminal of eight colours has; each key turns them around.
  case pairs
  /// A cursor on the third column of the second row.
  case cursor
  /// A picture on the fourth column between two lines of text; each key moves it up by a line, `o` lays a box over its
  /// middle, and `h` hides it.
  case picture
  /// From the first key on a Hebrew text that begins at the right edge, above what the keys were; `o` takes it away.
  case direction
  /// Words that are alike in style, with plain blanks between them.
  case gaps
  /// Emoji of several scalars between two letters, one in colours; each key takes them away or brings them back.
  case emoji

  func frame(size: Size, colors: Int, events: [String], pixels: PixelPicture? = nil) -> Frame {
    var frame = Frame(size: size)
    switch self {
    case .events: drawEvents(in: &frame, colors: colors, events: events)
    case .styles: drawStyles(in: &frame)
    case .text: drawText(in: &frame, events: events)
    case .pairs: drawPairs(in: &frame, turn: events.count)
    case .picture: drawPicture(in: &frame, pixels, events)
    case .direction: drawDirection(in: &frame, events)
    case .gaps: drawGaps(in: &frame)
    case .emoji: drawEmoji(in: &frame, areWhole: events.count.isMultiple(of: 2))
    case .cursor:
      frame.put("a cursor", x: 0, y: 0)
      if events.count.isMultiple(of: 2) { frame.cursor = (x: 2, y: 1) }
    }
    return frame
  }

  private func drawEvents(in frame: inout Frame, colors: Int, events: [String]) {
    let size = frame.size
    frame.put("size \(size.width)x\(size.height) colors \(colors)", x: 1, y: 0)
    for (offset, event) in events.suffix(max(0, size.height - 2)).enumerated() {
      frame.put(event, x: 1, y: 1 + offset)
    }
    for x in [0, size.width - 1] {
      for y in [0, size.height - 1] { frame.put("#", x: x, y: y) }
    }
  }

  private func drawStyles(in frame: inout Frame) {
    let styles: [(String, Style)] = [
      ("plain", .plain), ("bold", Style(.bold)), ("dim", Style(.dim)), ("italic", Style(.italic)),
      ("underline", Style(.underline)), ("reverse", Style(.reverse)),
      ("red", Style(.palette(1))), ("orange", Style(.palette(208))),
      ("on blue", Style(.palette(15), on: .palette(4))), ("grey", Style(.palette(8), .bold)),
    ]
    for (y, (name, style)) in styles.enumerated() { frame.put(name, x: 0, y: y, style) }
  }

  private func drawGaps(in frame: inout Frame) {
    let styles = [
      Style(.palette(1)), Style(.palette(1), .bold), Style(.palette(1), .underline),
      Style(.palette(1), on: .palette(4)), Style(.palette(1), .reverse),
    ]
    for (y, style) in styles.enumerated() {
      for (column, word) in ["one\(y)", "two", "three"].enumerated() {
        frame.put(word, x: column * 5, y: y, style)
      }
    }
  }

  private func drawEmoji(in frame: inout Frame, areWhole: Bool) {
    let emoji = areWhole ? ["🇯🇵", "☀️", "2️⃣", "👋🏿", "🧑‍🚒"] : ["JP", "☀z", "2z", "👋", "🧑"]
    for (y, text) in emoji.enumerated() {
      let style = y == 0 ? Style(.palette(15), on: .palette(4)) : .plain
      frame.put("a\(text)b", x: 0, y: y, style: style)
    }
    frame.put(areWhole ? "whole" : "parts", x: 0, y: 6, style: .plain)
  }

  private func drawText(in frame: inout Frame, events: [String]) {
    frame.put("漢字 wide", x: 0, y: 0)
    frame.put("e\u{301}te\u{301} combining", x: 0, y: 1)
    frame.put("👩‍👩‍👧 family", x: 0, y: 2)
    frame.put("❤️ heart", x: 0, y: 3)
    frame.put("a\u{1b}[31mb\u{9b}c\u{202e}d", x: 0, y: 4)
    // The two scenes differ in a cluster only, which has the same number in both.
    frame.put(events.count.isMultiple(of: 2) ? "a\u{301}" : "a\u{300}", x: 0, y: 5)
    // The first column of one wide character is the second of the other.
    frame.put(events.count.isMultiple(of: 2) ? "漢漢|" : " 漢 |", x: 0, y: 6)
    frame.put("漢", x: frame.size.width - 2, y: frame.size.height - 1)
  }

  private func drawPicture(in frame: inout Frame, _ pixels: PixelPicture?, _ events: [String]) {
    let y = 2 - events.count { $0 == "character k" }
    frame.put("above", x: 0, y: y - 1, .plain)
    let picture = CellPicture(
      columns: 6, rows: 4, cells: Array(repeating: Cell(Glyph("#")), count: 24), pixels: pixels)
    let isHidden = events.count { $0 == "character h" } % 2 == 1
    for row in 0..<(isHidden ? 0 : 4) { frame.put(row: row, of: picture, x: 3, y: y + row) }
    frame.put("below", x: 0, y: y + 4, .plain)
    if events.last == "character o" { frame.put("over", x: 4, y: y + 1, .plain) }
    // The column beside the picture changes with each event.
    frame.put("\(events.count)", x: 0, y: 3, .plain)
    frame.put("end", x: 0, y: frame.size.height - 1, .plain)
  }

  private func drawDirection(in frame: inout Frame, _ events: [String]) {
    frame.put("direction", x: 0, y: 0, .plain)
    for (y, event) in events.enumerated() { frame.put(event, x: 0, y: y + 2, .plain) }
    guard !events.isEmpty, events.last != "character o" else { return }
    let used = frame.put("שלום (world)", x: 0, y: 1, style: .plain)
    frame.arrange(x: 0, y: 1, width: frame.size.width, direction: .rightToLeft)
    frame.cursor = (used, 1)
  }

  private func drawPairs(in frame: inout Frame, turn: Int) {
    for foreground in 0..<8 {
      for background in 0..<8 {
        frame.put(
          "x", x: (foreground + turn) % 8, y: background,
          Style(.palette(UInt8(foreground)), on: .palette(UInt8(background))))
      }
      frame.put("x", x: 8, y: foreground, Style(.palette(UInt8(foreground))))
    }
    frame.put("turn \(turn)", x: 0, y: 8)
  }
}

extension Style {
  fileprivate init(_ attributes: Style.Attributes) { self.init(.standard, attributes) }
}

extension Frame {
  /// Writes characters as they are, without the filters of the real drawing.
  fileprivate mutating func put(_ text: String, x: Int, y: Int, _ style: Style = .plain) {
    var x = x
    for character in text {
      let scalars = Array(character.unicodeScalars.prefix(5))
      let isWide = [0x6F22, 0x5B57, 0x1F469, 0x1F98A, 0x2764].contains(scalars[0].value)
      let glyph = self.glyph(of: scalars)
      guard x < size.width, (0..<size.height).contains(y) else { return }
      self[x, y] = Cell(glyph, width: isWide ? 2 : 1, style: style)
      if isWide, x + 1 < size.width { self[x + 1, y] = Cell(width: 0, style: style) }
      x += isWide ? 2 : 1
    }
  }
}
