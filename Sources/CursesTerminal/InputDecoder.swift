internal import Screen

/// Decodes what `getch` returns (bytes, and codes of ncurses above them) into events.
///
/// A state machine without a clock. ncurses waits for the rest of a sequence (25 ms, or `ESCDELAY`), so an escape
/// byte that nothing follows is the key. Sequences that ncurses does not know (bracketed paste, the
/// mouse, focus reports, keys missing from the description) are read here, and those unknown here
/// too are swallowed whole: their letters are not commands of the user.
struct InputDecoder {
  private enum State {
    case ground, escape
    /// After `ESC O`.
    case function
    /// After `ESC [`, with the bytes so far.
    case control([UInt8])
    /// After `ESC [ M`: three bytes of a mouse that does not know mode 1006.
    case mouse([UInt8])
    /// After `ESC ]`, `ESC P` or `ESC _`: perhaps a terminal's answer.
    case reply(Reply)
  }

  private struct Reply {
    /// Those after the first escape byte.
    var bytes: [UInt8]
    /// Whether the first escape byte, and the last, were given out as keys.
    var isHeadGiven = false
    var isTailGiven = false

    var isSure: Bool { TerminalReply.isSure(bytes) }
  }

  /// Whether the terminal was asked for a colour and has not answered: an escape byte may be the
  /// beginning of its answer, whose rest is on its way.
  var awaitsReply = false
  /// Whether an answer about its graphics is to come.
  var awaitsGraphics = false
  /// Whether an answer about its keyboard or its cursor is to come.
  var awaitsCursor = false
  /// Reports of the terminal, but for its background. Whoever has handled one removes it.
  var reports: [TerminalReport] = []

  var awaitsAnything: Bool { awaitsReply || awaitsGraphics || awaitsCursor }

  private var state = State.ground
  /// The bytes so far of one scalar beyond ASCII.
  private var utf8: [UInt8] = []
  private var paste: Paste?
  /// Whether the mouse has moved with its button held.
  private var isDragging = false
  /// Whether the last byte was an escape byte that was given out as the key while an answer was
  /// awaited: its rest may follow nevertheless.
  private var wasEscapeGiven = false

  private static let escape: UInt8 = 0x1B
  /// A sequence longer than this is noise.
  private static let longestSequence = 64

  /// Nobody waits so long for the rest of a paste.
  private static let longestPaste = Duration.seconds(2)
  /// A key has no more bytes than this (UTF-8).
  private static let longestKey = 4

  /// Begins a burst of input. A paste whose end has not come for two seconds is ended by the next key, which else would
  /// be taken for a part of it, as would all that is typed from then on. More bytes at once are the rest of the paste,
  /// over a slow line.
  ///
  /// - Parameters:
  ///   - count: of its bytes and codes.
  ///   - silence: how long nothing has come before.
  mutating func begin(count: Int, after silence: Duration, into events: inout [InputEvent]) {
    guard let paste, silence >= Self.longestPaste, count <= Self.longestKey else { return }
    events.append(.paste(paste.text))
    self.paste = nil
    state = .ground
    utf8 = []
  }

  /// A byte, or a code of ncurses (`KEY_UP`).
  mutating func feed(_ code: Int32, into events: inout [InputEvent]) {
    guard let byte = UInt8(exactly: code) else {
      endReply(into: &events)
      endEscape(into: &events)
      if paste == nil, let key = KeyCodes.key(forCurses: code) { events.append(.key(key)) }
      return
    }
    switch state {
    case .ground: ground(byte, into: &events)
    case .escape: afterEscape(byte, into: &events)
    case .function:
      state = .ground
      emit(KeyCodes.key(forFinal: byte, parameter: 0), into: &events)
    case .control(let bytes): control(byte, after: bytes, into: &events)
    case .mouse(let bytes): mouse(byte, after: bytes, into: &events)
    case .reply(let reply): self.reply(byte, after: reply, into: &events)
    }
  }

  /// Ends a burst of input: what looked like the beginning of a sequence counts as typed keys, unless it may
  /// be the beginning of the terminal's answer. That is held until its rest comes, or `release`.
  mutating func pause(into events: inout [InputEvent]) {
    // Nobody types inside a paste: the mark of its end is on its way.
    if paste == nil, !isHolding { endEscape(into: &events) }
  }

  /// Whether keys may be held back that look like the beginning of an answer.
  var isHolding: Bool {
    switch state {
    case .escape: awaitsAnything && paste == nil
    case .reply(let reply):
      // While an answer is awaited, Alt-] has to wait for the next key.
      reply.isSure ? reply.bytes.last == Self.escape && !reply.isTailGiven : !awaitsAnything
    case .control(let bytes):
      (awaitsGraphics || awaitsCursor) && bytes.isEmpty && paste == nil
    case .ground, .function, .mouse: false
    }
  }

  /// Emits held bytes as typed keys.
  mutating func release(into events: inout [InputEvent]) {
    guard isHolding else { return }
    switch state {
    case .escape:
      endEscape(into: &events)
      wasEscapeGiven = true
    case .reply(var reply) where reply.isSure:
      // An answer that was not ended, and then the key; or the answer comes in pieces.
      emit(.escape, into: &events)
      reply.isTailGiven = true
      state = .reply(reply)
    case .reply(let reply):
      replay(reply, into: &events)
      if case .escape = state { endEscape(into: &events) }
    case .control: endEscape(into: &events)
    case .ground, .function, .mouse: return
    }
  }

  /// Whether the byte after an escape byte begins a string that a terminal answers in: OSC, DCS or APC.
  private static func beginsReply(_ byte: UInt8) -> Bool {
    [UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_")].contains(byte)
  }

  // MARK: - States

  private mutating func ground(_ byte: UInt8, into events: inout [InputEvent]) {
    let followsEscape = wasEscapeGiven && awaitsAnything
    wasEscapeGiven = false
    if followsEscape, Self.beginsReply(byte) {
      state = .reply(Reply(bytes: [byte], isHeadGiven: true))
    } else if byte == Self.escape {
      state = .escape
    } else if byte >= 0x80 {
      scalarByte(byte, into: &events)
    } else if paste != nil {
      paste?.append(Unicode.Scalar(byte))
    } else {
      events.append(.key(KeyCodes.key(forByte: byte)))
    }
  }

  private mutating func afterEscape(_ byte: UInt8, into events: inout [InputEvent]) {
    switch byte {
    case UInt8(ascii: "["): state = .control([])
    case UInt8(ascii: "O"): state = .function
    case _ where Self.beginsReply(byte): state = .reply(Reply(bytes: [byte]))
    default:
      // Alt and a key, or the two keys in one packet of a slow line: no key that was typed is lost.
      endEscape(into: &events)
      ground(byte, into: &events)
    }
  }

  private mutating func control(
    _ byte: UInt8, after bytes: [UInt8], into events: inout [InputEvent]
  ) {
    // ECMA-48, 5.4: parameters and intermediates are 0x20–0x3F, the final byte 0x40–0x7E.
    switch byte {
    case 0x20...0x3F where bytes.count < Self.longestSequence: state = .control(bytes + [byte])
    case UInt8(ascii: "M") where bytes.isEmpty: state = .mouse([])
    case 0x40...0x7E:
      state = .ground
      endControl(final: byte, bytes, into: &events)
    default:
      state = .ground
      if byte == Self.escape { state = .escape }
    }
  }

  private mutating func mouse(_ byte: UInt8, after bytes: [UInt8], into events: inout [InputEvent])
  {
    guard bytes.count == 2 else {
      state = .mouse(bytes + [byte])
      return
    }
    state = .ground
    // Each value is offset by 32, and coordinates begin at 1.
    let button = Int(bytes[0]) - 32
    emitMouse(
      button: button, x: Int(bytes[1]) - 33, y: Int(byte) - 33, isRelease: button & 0b11 == 3,
      into: &events)
  }

  private mutating func endControl(
    final: UInt8, _ bytes: [UInt8], into events: inout [InputEvent]
  ) {
    if bytes.first == UInt8(ascii: "<") {
      let values = Self.parameters(bytes.dropFirst())
      // A small m is the release.
      if [UInt8(ascii: "M"), UInt8(ascii: "m")].contains(final), values.count == 3 {
        emitMouse(
          button: values[0], x: values[1] - 1, y: values[2] - 1,
          isRelease: final == UInt8(ascii: "m"), into: &events)
      }
      return
    }
    if let report = TerminalReport(final: final, bytes) {
      reports.append(report)
      return
    }
    // No key has a private parameter: an answer to a question that nobody asked.
    guard bytes.first.map({ !(0x3C...0x3F).contains($0) }) ?? true else { return }
    let parameter = Self.parameters(bytes[...]).first ?? 0
    switch (final, parameter) {
    case (UInt8(ascii: "u"), _):
      for key in KeyCodes.keys(forProtocol: bytes) { emit(key, into: &events) }
    case (UInt8(ascii: "~"), 200): paste = paste ?? Paste()
    case (UInt8(ascii: "~"), 201):
      if let text = paste?.text { events.append(.paste(text)) }
      paste = nil
    default: emit(KeyCodes.key(forFinal: final, parameter: parameter), into: &events)
    }
  }

  private mutating func reply(_ byte: UInt8, after before: Reply, into events: inout [InputEvent]) {
    let reply = Reply(bytes: before.bytes + [byte], isHeadGiven: before.isHeadGiven)
    switch TerminalReply.match(reply.bytes) {
    case .partial: state = .reply(reply)
    case .whole(let report):
      state = .ground
      guard let report else { return }
      guard case .background(let background) = report else {
        reports.append(report)
        return
      }
      awaitsReply = false
      events.append(.background(background))
    case .none(isSure: true):
      // Cut off: what cannot be a part of it was typed, with the escape byte that goes before it.
      state = .ground
      if before.bytes.last == Self.escape, !before.isTailGiven { state = .escape }
      feed(Int32(byte), into: &events)
    case .none(isSure: false): replay(reply, into: &events)
    }
  }

  /// Ends an answer that a key has interrupted.
  private mutating func endReply(into events: inout [InputEvent]) {
    wasEscapeGiven = false
    guard case .reply(let reply) = state else { return }
    if reply.isSure {
      state = reply.bytes.last == Self.escape && !reply.isTailGiven ? .escape : .ground
    } else {
      replay(reply, into: &events)
    }
  }

  /// Emits bytes as keys: `Alt-]`, or the two in one packet of a slow line.
  private mutating func replay(_ reply: Reply, into events: inout [InputEvent]) {
    state = .ground
    if !reply.isHeadGiven { emit(.escape, into: &events) }
    // The first one is no beginning of anything by itself.
    for byte in reply.bytes { feed(Int32(byte), into: &events) }
  }

  /// Ends an incomplete sequence: its escape and its letter were keys.
  private mutating func endEscape(into events: inout [InputEvent]) {
    switch state {
    case .escape: emit(.escape, into: &events)
    case .function:
      emit(.escape, into: &events)
      emit(.character("O"), into: &events)
    case .control(let bytes) where bytes.isEmpty:
      emit(.escape, into: &events)
      emit(.character("["), into: &events)
    // The rest is on its way.
    case .ground, .control, .mouse, .reply: return
    }
    state = .ground
  }

  // MARK: - Events

  private func emit(_ key: KeyEvent?, into events: inout [InputEvent]) {
    if paste == nil, let key { events.append(.key(key)) }
  }

  private mutating func emitMouse(
    button: Int, x: Int, y: Int, isRelease: Bool, into events: inout [InputEvent]
  ) {
    guard paste == nil, x >= 0, y >= 0 else { return }
    if isRelease {
      if isDragging { events.append(.drag(MouseDrag(x: x, y: y, isOver: true))) }
      isDragging = false
      return
    }
    // Bit 5 is a motion, with the button that is held.
    if button & ~0b11100 == 32 {
      isDragging = true
      events.append(.drag(MouseDrag(x: x, y: y)))
      return
    }
    // Bits 2 to 4 are Shift, Alt and Control.
    let kind: MouseEvent.Kind? =
      switch button & ~0b11100 {
      case 0: .click
      case 64: .wheelUp
      case 65: .wheelDown
      default: nil
      }
    guard let kind else { return }
    events.append(.mouse(MouseEvent(kind, x: x, y: y)))
  }

  private mutating func scalarByte(_ byte: UInt8, into events: inout [InputEvent]) {
    let isContinuation = byte & 0xC0 == 0x80
    if !isContinuation { utf8.removeAll(keepingCapacity: true) }
    utf8.append(byte)
    // The number of leading one bits of the first byte is the length.
    let length = (~utf8[0]).leadingZeroBitCount
    if utf8.count < length { return }
    defer { utf8.removeAll(keepingCapacity: true) }
    guard let scalar = String(validating: utf8, as: UTF8.self)?.unicodeScalars.first else { return }
    if paste != nil {
      paste?.append(scalar)
    } else if scalar.value >= 0xA0 {
      events.append(.key(.character(Character(scalar))))
    }
  }

  private static func parameters(_ bytes: ArraySlice<UInt8>) -> [Int] {
    bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { digits in
      digits.prefix(6).reduce(0) { value, byte in
        (0x30...0x39).contains(byte) ? value * 10 + Int(byte) - 0x30 : value
      }
    }
  }
}

/// A bracketed paste as it arrives, made fit for one line of text: controls are taken out, a line break or a tab
/// becomes a space, and line breaks at the end go: a password that was copied with one is refused.
private struct Paste {
  private(set) var text = ""
  private var count = 0
  /// Line breaks that nothing has followed yet.
  private var breaks = 0
  private var lastWasReturn = false

  /// The longest paste in bytes that is kept; the rest is dropped.
  private static let longest = 65_536

  mutating func append(_ scalar: Unicode.Scalar) {
    let followsReturn = lastWasReturn
    lastWasReturn = scalar == "\r"
    guard count < Self.longest else { return }
    switch scalar {
    case "\n" where followsReturn: return
    case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": breaks += 1
    case "\t": add(" ")
    case ..<" ", "\u{7F}"..<"\u{A0}": return
    default: add(scalar)
    }
    count += 1
  }

  private mutating func add(_ scalar: Unicode.Scalar) {
    text += String(repeating: " ", count: breaks)
    breaks = 0
    text.unicodeScalars.append(scalar)
  }
}
