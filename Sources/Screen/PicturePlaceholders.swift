// Pictures as text, for terminals with kitty's graphics: each cell has the sign U+10EEEE, and two marks above it for the
// row and the column of the picture. The number of the picture is its colour and a third mark. A program in between that
// keeps a screen of its own, such as tmux, moves and clips such pictures as any text.

package enum PicturePlaceholders {
  /// The most rows, and the most columns.
  package static let longestSide = marks.count

  private static let sign: Unicode.Scalar = "\u{10EEEE}"

  /// Number N is the mark for N (kitty's graphics protocol, "Unicode placeholders"): combining characters of class 230
  /// in Unicode 6.0 that no normalization joins with others.
  private static let marks: [Unicode.Scalar] = ranges.joined().compactMap { Unicode.Scalar($0) }

  private static let ranges: [ClosedRange<UInt32>] = [
    0x0305...0x0305, 0x030D...0x030E, 0x0310...0x0310, 0x0312...0x0312, 0x033D...0x033F,
    0x0346...0x0346, 0x034A...0x034C, 0x0350...0x0352, 0x0357...0x0357, 0x035B...0x035B,
    0x0363...0x036F, 0x0483...0x0487, 0x0592...0x0595, 0x0597...0x0599, 0x059C...0x05A1,
    0x05A8...0x05A9, 0x05AB...0x05AC, 0x05AF...0x05AF, 0x05C4...0x05C4, 0x0610...0x0617,
    0x0657...0x065B, 0x065D...0x065E, 0x06D6...0x06DC, 0x06DF...0x06E2, 0x06E4...0x06E4,
    0x06E7...0x06E8, 0x06EB...0x06EC, 0x0730...0x0730, 0x0732...0x0733, 0x0735...0x0736,
    0x073A...0x073A, 0x073D...0x073D, 0x073F...0x0741, 0x0743...0x0743, 0x0745...0x0745,
    0x0747...0x0747, 0x0749...0x074A, 0x07EB...0x07F1, 0x07F3...0x07F3, 0x0816...0x0819,
    0x081B...0x0823, 0x0825...0x0827, 0x0829...0x082D, 0x0951...0x0951, 0x0953...0x0954,
    0x0F82...0x0F83, 0x0F86...0x0F87, 0x135D...0x135F, 0x17DD...0x17DD, 0x193A...0x193A,
    0x1A17...0x1A17, 0x1A75...0x1A7C, 0x1B6B...0x1B6B, 0x1B6D...0x1B73, 0x1CD0...0x1CD2,
    0x1CDA...0x1CDB, 0x1CE0...0x1CE0, 0x1DC0...0x1DC1, 0x1DC3...0x1DC9, 0x1DCB...0x1DCC,
    0x1DD1...0x1DE6, 0x1DFE...0x1DFE, 0x20D0...0x20D1, 0x20D4...0x20D7, 0x20DB...0x20DC,
    0x20E1...0x20E1, 0x20E7...0x20E7, 0x20E9...0x20E9, 0x20F0...0x20F0, 0x2CEF...0x2CF1,
    0x2DE0...0x2DFF, 0xA66F...0xA66F, 0xA67C...0xA67D, 0xA6F0...0xA6F1, 0xA8E0...0xA8F1,
    0xAAB0...0xAAB0, 0xAAB2...0xAAB3, 0xAAB7...0xAAB8, 0xAABE...0xAABF, 0xAAC1...0xAAC1,
    0xFE20...0xFE26, 0x10A0F...0x10A0F, 0x10A38...0x10A38, 0x1D185...0x1D189, 0x1D1AA...0x1D1AD,
    0x1D242...0x1D244,
  ]

  /// The number of the picture of this count, which a cell can show: the high byte by a mark, the low byte by one of 240
  /// colours. 61,200 counts have numbers of their own.
  package static func number(_ count: UInt32) -> UInt32 {
    (count / 240 % 255 + 1) << 24 | (16 + count % 240)
  }

  /// The scalars of a cell.
  static func cluster(row: Int, column: Int, of number: UInt32) -> [Unicode.Scalar] {
    [sign, marks[row], marks[column], marks[Int(number >> 24)]]
  }
}

extension Frame {
  /// The frame with these pieces as text, none longer than `PicturePlaceholders.longestSide` and each numbered by
  /// `PicturePlaceholders.number`.
  ///
  /// - Parameter isDirect: whether the terminal takes colours by their parts.
  package func withPlaceholders(for pieces: [PixelPiece], isDirect: Bool) -> Frame {
    var frame = self
    for piece in pieces {
      let low = piece.pixels.id & 0xFF
      let style = Style(isDirect ? .rgb(low) : .palette(UInt8(low)), on: piece.background)
      for (offset, y) in piece.lines.enumerated() {
        for column in 0..<piece.columns {
          let cluster = PicturePlaceholders.cluster(
            row: piece.firstRow + offset, column: column, of: piece.pixels.id)
          frame[piece.x + column, y] = Cell(frame.glyph(of: cluster), style: style)
        }
      }
    }
    return frame
  }
}
