internal import CNcurses
internal import Screen

/// Draws pictures in pixels over the cells of a frame, where the terminal takes them.
///
/// With kitty's graphics a picture is sent once, a part at a time between other work, and from then on placed by a few
/// bytes; a placement while it is on its way ends that, for no other command may come between its parts. Through tmux it
/// is placed as text (`PicturePlaceholders`). Sixel graphics and iTerm2's become a part of the screen and are sent anew
/// at each place: they are drawn when the pictures have stood still for a moment, and until then cells show.
@MainActor
struct PixelPainter {
  /// The pixels that the terminal shows; nil for none.
  var support: PixelSupport?
  /// The size of a cell in pixels; nil where it is not known.
  var cell: Size?
  /// Whether the frame has pictures whose pixels are still to come: `sendSome()`, and another drawing after `pause`.
  private(set) var isPending = false
  /// The pieces on the terminal.
  private(set) var shown: [PixelPiece] = []

  /// The pieces of the last frame, and since when they are wanted.
  private var wanted: [PixelPiece] = []
  private var wantedSince = ContinuousClock.now
  /// Pictures that the terminal has, the one that was shown last at the end.
  private var kept: [PixelPicture] = []
  private var sending: (piece: PixelPiece, offset: Int)?
  /// Whether the terminal took nothing of it the last time.
  private var isStalled = false
  /// Whether placements may be left on the screen that are not in `shown`.
  private var hasStrays = false
  /// The last sequence of sixel graphics for each piece that is shown.
  private var encoded: [PixelPiece: [UInt8]] = [:]

  /// Pictures stand still after so long.
  static let rest = Duration.milliseconds(80)
  /// Bytes of pixels that a terminal with kitty's graphics is given to keep.
  private static let mostKept = 64 << 20
  /// Bytes of a file, and pixels of sixel graphics, that are written at once: while a slow line takes them, no key is
  /// answered.
  private static let (mostInOne, mostPixelsInOne) = (2 << 20, 1 << 20)
  /// Bytes of Base64 in one command, by kitty's protocol.
  private static let chunk = 4096
  /// The bytes that are sent at once.
  private static let mostAtOnce = 64 << 10

  /// How long to wait before the next drawing or sending.
  var pause: Duration {
    if sending == nil { return Self.rest }
    return isStalled ? .milliseconds(50) : .milliseconds(1)
  }

  /// Updates a limit that has changed.
  mutating func receive(_ report: TerminalReport) {
    guard case .graphicsLimit(item: 2, let values) = report, values.count == 2,
      support?.largest != nil, values.allSatisfy({ $0 > 0 })
    else { return }
    support?.largest = Size(width: values[0], height: values[1])
  }

  // MARK: - Before the cells

  /// The pieces of a frame that are to be shown as pixels now; the others are cells.
  mutating func choose(_ pieces: [PixelPiece], size: Size) -> [PixelPiece] {
    isPending = false
    guard let support, !pieces.isEmpty || !wanted.isEmpty else { return [] }
    if pieces != wanted { (wanted, wantedSince) = (pieces, .now) }
    let fitting = pieces.compactMap { fit($0, support, size) }
    if support.form == .kitty {
      let ready = fitting.filter { piece in kept.contains(piece.pixels) }
      isPending = ready.count < fitting.count || sending != nil
      if sending == nil, isAtRest, let next = fitting.first(where: { !kept.contains($0.pixels) }) {
        sending = (next, 0)
      }
      return ready
    }
    if isAtRest { return fitting }
    let ready = fitting.filter(shown.contains)
    isPending = ready.count < fitting.count
    return ready
  }

  private var isAtRest: Bool { .now - wantedSince >= Self.rest }

  /// The part of a piece that the terminal can show; nil for none.
  private func fit(_ piece: PixelPiece, _ support: PixelSupport, _ size: Size) -> PixelPiece? {
    var piece = piece
    switch (support.form, piece.pixels.content) {
    case (.kitty, .kitty):
      let longest = max(piece.columns, piece.rows)
      return support.isThroughTmux && longest > PicturePlaceholders.longestSide ? nil : piece
    case (.iterm, .iterm(let file)):
      return file.count <= Self.mostInOne && piece.isWhole && piece.lines.upperBound < size.height
        ? piece : nil
    case (.sixel, .sixel):
      // Below the last line some terminals scroll.
      if piece.lines.upperBound >= size.height { piece.rowCount -= 1 }
      guard let cell, piece.rowCount > 0,
        piece.pixels.size
          == Size(width: piece.columns * cell.width, height: piece.rows * cell.height)
      else { return nil }
      guard piece.pixels.size.width * piece.pixelRows.count <= Self.mostPixelsInOne else {
        return nil
      }
      guard let largest = support.largest else { return piece }
      return piece.pixels.size.width <= largest.width && piece.pixelRows.count <= largest.height
        ? piece : nil
    default: return nil
    }
  }

  /// Lines whose cells are to be drawn over the pixels that they have.
  func lines(without pieces: [PixelPiece]) -> Set<Int> {
    guard let support, support.form != .kitty else { return [] }
    return Set(shown.filter { !pieces.contains($0) }.flatMap(\.lines))
  }

  // MARK: - After the cells

  /// Shows the pieces, and takes away the others.
  ///
  /// - Parameter changed: the columns of each line whose cells may have been drawn.
  mutating func show(_ pieces: [PixelPiece], changed: [Int: Range<Int>]) {
    guard let support else { return }
    var bytes: [UInt8] = []
    if support.isThroughTmux {
      return showAsText(pieces)
    } else if support.form == .kitty {
      bytes += changesOfPlacements(to: pieces)
    } else {
      encoded = encoded.filter { pieces.contains($0.key) }
      for piece in pieces where !shown.contains(piece) || Self.isTouched(piece, by: changed) {
        bytes += Self.position(piece) + sequence(for: piece)
      }
    }
    shown = pieces
    guard !bytes.isEmpty else { return }
    // ncurses must find the cursor where it left it.
    TerminalLine.write(Array("\u{1B}7".utf8) + bytes + Array("\u{1B}8".utf8))
  }

  private static func isTouched(_ piece: PixelPiece, by changed: [Int: Range<Int>]) -> Bool {
    let columns = piece.x..<piece.x + piece.columns
    return piece.lines.contains { changed[$0]?.overlaps(columns) == true }
  }

  private static func position(_ piece: PixelPiece) -> [UInt8] {
    Array("\u{1B}[\(piece.y + 1);\(piece.x + 1)H".utf8)
  }

  private mutating func sequence(for piece: PixelPiece) -> [UInt8] {
    switch piece.pixels.content {
    case .sixel(let pixels):
      if let known = encoded[piece] { return known }
      let sequence = pixels.sequence(rows: piece.pixelRows)
      encoded[piece] = sequence
      return sequence
    case .iterm(let file):
      let padding = file.suffix(2).count { $0 == UInt8(ascii: "=") }
      let head =
        "\u{1B}]1337;File=inline=1;size=\(file.count / 4 * 3 - padding);width=\(piece.columns);"
        + "height=\(piece.rows);preserveAspectRatio=0;doNotMoveCursor=1:"
      return Array(head.utf8) + file + [0x07]
    case .kitty: return []
    }
  }

  // MARK: - Kitty's graphics

  /// The pieces with their numbers among those of their picture.
  private static func numbered(_ pieces: [PixelPiece]) -> [(number: Int, piece: PixelPiece)] {
    var counts: [UInt32: Int] = [:]
    return pieces.map { piece in
      let number = counts[piece.pixels.id, default: 0] + 1
      counts[piece.pixels.id] = number
      return (number, piece)
    }
  }

  /// Updates what the terminal keeps, where the cells of the frame show the pieces.
  private mutating func showAsText(_ pieces: [PixelPiece]) {
    for piece in pieces where !shown.contains(piece) {
      kept.removeAll { $0 == piece.pixels }
      kept.append(piece.pixels)
    }
    shown = pieces
    send((isSendingUnwanted ? endSending() : "") + forgotten(beside: pieces))
  }

  /// Whether a picture on its way is wanted no more, and delays the next one.
  private var isSendingUnwanted: Bool {
    sending.map { sent in !wanted.contains { $0.pixels == sent.piece.pixels } } ?? false
  }

  private func send(_ commands: String) {
    guard !commands.isEmpty else { return }
    let isThroughTmux = support?.isThroughTmux == true
    TerminalLine.write(isThroughTmux ? TmuxPassage.wrapped(commands) : commands)
  }

  private mutating func changesOfPlacements(to pieces: [PixelPiece]) -> [UInt8] {
    var text = hasStrays ? Self.command("a=d,d=a") : ""
    hasStrays = false
    let (old, new) = (Self.numbered(shown), Self.numbered(pieces))
    for (number, piece) in old
    where !new.contains(where: { $0.number == number && $0.piece.pixels == piece.pixels }) {
      text += Self.command("a=d,d=i,i=\(piece.pixels.id),p=\(number)")
    }
    for (number, piece) in new
    where !old.contains(where: { $0.number == number && $0.piece == piece }) {
      let (rows, size) = (piece.pixelRows, piece.pixels.size)
      text += String(decoding: Self.position(piece), as: UTF8.self)
      // C=1 leaves the cursor where it is.
      text += Self.command(
        "a=p,i=\(piece.pixels.id),p=\(number),x=0,y=\(rows.lowerBound),w=\(size.width),"
          + "h=\(rows.count),c=\(piece.columns),r=\(piece.rowCount),C=1")
      kept.removeAll { $0 == piece.pixels }
      kept.append(piece.pixels)
    }
    text += forgotten(beside: pieces)
    return Array((text.isEmpty && !isSendingUnwanted ? "" : endSending() + text).utf8)
  }

  /// Ends a picture that is on its way; it is sent anew later.
  private mutating func endSending() -> String {
    defer { sending = nil }
    guard let (piece, offset) = sending, offset > 0 else { return "" }
    return "\u{1B}_Gq=2,m=0;\u{1B}\\" + Self.command("a=d,d=I,i=\(piece.pixels.id)")
  }

  /// Removes the pictures that the terminal has kept for longest, where it has too many.
  private mutating func forgotten(beside pieces: [PixelPiece]) -> String {
    var room = kept.reduce(0) { $0 + $1.size.width * $1.size.height * 4 }
    var text = ""
    for picture in kept where room > Self.mostKept {
      guard !pieces.contains(where: { $0.pixels == picture }) else { continue }
      kept.removeAll { $0 == picture }
      room -= picture.size.width * picture.size.height * 4
      text += Self.command("a=d,d=I,i=\(picture.id)")
    }
    return text
  }

  /// q=2: no answers, which would come among the keys.
  private static func command(_ keys: String) -> String { "\u{1B}_G\(keys),q=2\u{1B}\\" }

  /// Sends more of the picture that is on its way, as much as the terminal takes without a wait.
  mutating func sendSome() {
    guard let (piece, start) = sending, case .kitty(let data) = piece.pixels.content else { return }
    let picture = piece.pixels
    var offset = start
    while offset < data.count, offset - start < Self.mostAtOnce, TerminalLine.isWritable {
      let end = min(offset + Self.chunk, data.count)
      let more = "m=\(end < data.count ? 1 : 0)"
      let keys =
        offset > 0
        ? more
        : "a=t,t=d,f=32,o=z,s=\(picture.size.width),v=\(picture.size.height),i=\(picture.id),q=2,\(more)"
      send("\u{1B}_G\(keys);" + String(decoding: data[offset..<end], as: UTF8.self) + "\u{1B}\\")
      offset = end
    }
    sending = (piece, offset)
    isStalled = offset == start
    guard offset >= data.count else { return }
    if support?.isThroughTmux == true {
      // Where there is text for it.
      send(Self.command("a=p,U=1,i=\(picture.id),c=\(piece.columns),r=\(piece.rows)"))
    }
    kept.append(picture)
    sending = nil
  }

  // MARK: - Ends

  /// Forgets what is shown: the screen is about to be cleared.
  mutating func forget() {
    shown = []
    encoded = [:]
    hasStrays = support?.form == .kitty
    guard support?.isThroughTmux == true else { return }
    // The terminal behind tmux may be another one now, which has none of them. What is on its way has to end: else the
    // next picture is taken for more of it.
    send(endSending())
    hasStrays = false
    kept = []
  }

  /// Takes all pictures from the terminal, and returns the lines whose cells are to be drawn over their pixels.
  mutating func withdraw() -> Set<Int> {
    defer {
      (shown, wanted, kept, sending, encoded) = ([], [], [], nil, [:])
      hasStrays = false
    }
    guard support?.form == .kitty, !kept.isEmpty || sending != nil else {
      return lines(without: [])
    }
    var text = endSending()
    for picture in kept { text += Self.command("a=d,d=I,i=\(picture.id)") }
    send(text)
    return []
  }
}
