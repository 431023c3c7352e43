internal import Screen

/// Report of a terminal on itself.
enum TerminalReport: Equatable {
  case background(Background)
  /// The name and version of the program (XTVERSION).
  case version(String)
  /// Whether a picture of kitty's graphics is taken.
  case kittyGraphics(Bool)
  /// Its capabilities (DA1); 4 is sixel graphics.
  case attributes([Int])
  /// A limit of its graphics (XTSMGRAPHICS): of colours (item 1), of width and height (item 2).
  case graphicsLimit(item: Int, values: [Int])
  /// The size of a cell in pixels.
  case cell(Size)
  /// The column of the cursor (CPR), from 1, in a line below the first.
  case cursor(column: Int)
  /// Support of kitty's keyboard protocol.
  case keyboard

  /// An answer that is a control sequence.
  ///
  /// - Parameter bytes: those between `CSI` and the last one.
  init?(final: UInt8, _ bytes: [UInt8]) {
    let isPrivate = bytes.first == UInt8(ascii: "?")
    let values = bytes.dropFirst(isPrivate ? 1 : 0)
      .split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { Int(String(decoding: $0.prefix(6), as: UTF8.self)) ?? -1 }
    switch (final, isPrivate) {
    case (UInt8(ascii: "c"), true): self = .attributes(values)
    // The second number is 0 where there is no error.
    case (UInt8(ascii: "S"), true) where values.count >= 3 && values[1] == 0:
      self = .graphicsLimit(item: values[0], values: Array(values.dropFirst(2)))
    case (UInt8(ascii: "t"), false) where values.count == 3 && values[0] == 6:
      self = .cell(Size(width: max(0, values[2]), height: max(0, values[1])))
    case (UInt8(ascii: "u"), true): self = .keyboard
    // In the first line it would be F3 with Shift or the like.
    case (UInt8(ascii: "R"), false) where values.count == 2 && values[0] > 1:
      self = .cursor(column: values[1])
    default: return nil
    }
  }
}

/// A terminal's answer that is a string, as bytes: to a question for one of its colours (OSC 10 to 19), for its name
/// (XTVERSION), or for kitty's graphics.
///
/// `ESC ] 11 ; rgb:1e1e/1e1e/1e1e`, ended by BEL or `ESC \`; through tmux it may come inside a DCS,
/// with every ESC doubled: `ESC P tmux; ESC ESC ] … ESC \`. `ESC P > | name ESC \`. `ESC _ G i=1;OK ESC \`. What is
/// no part of one ends it, so that an answer that is cut off takes none of the keys that follow, except those that could
/// be its digits or its words.
struct TerminalReply {
  enum Match: Equatable {
    /// So far so good. `isSure` once no keys can be meant: they would have to be typed as
    /// `Alt-]`, `1`, `1`, `;`.
    case partial(isSure: Bool)
    /// The whole of it, with what it says; nil for an answer of no interest.
    case whole(TerminalReport?)
    case none(isSure: Bool)
  }

  /// Whether the bytes after the first ESC, the beginning of an answer, can be no keys.
  static func isSure(_ bytes: [UInt8]) -> Bool { match(bytes) == .partial(isSure: true) }

  /// Matches the bytes after the first ESC.
  static func match(_ bytes: [UInt8]) -> Match {
    var scanner = Scanner(rest: bytes[...])
    do {
      return .whole(try scanner.reply())
    } catch {
      switch error {
      case .short: return .partial(isSure: scanner.isSure)
      case .wrong: return .none(isSure: scanner.isSure)
      }
    }
  }
}

private struct Scanner {
  enum Stop: Error {
    /// The bytes end before the answer does.
    case short
    case wrong
  }

  var rest: ArraySlice<UInt8>
  var isSure = false

  private static let escape: UInt8 = 0x1B
  private static let bell: UInt8 = 0x07
  /// ST as one byte (C1).
  private static let terminator: UInt8 = 0x9C
  /// Bytes of an answer in words.
  private static let mostWords = 200

  mutating func reply() throws(Stop) -> TerminalReport? {
    guard let first = rest.first else { throw .short }
    switch first {
    case UInt8(ascii: "_"): return try graphics()
    case UInt8(ascii: "P"): rest = rest.dropFirst()
    default: return try answer(endingIn: [Self.escape]).map(TerminalReport.background)
    }
    guard let second = rest.first else { throw .short }
    return second == UInt8(ascii: ">")
      ? try version() : try wrappedColor().map(TerminalReport.background)
  }

  private mutating func version() throws(Stop) -> TerminalReport {
    try expect(Array(">|".utf8))
    isSure = true
    return .version(try words())
  }

  private mutating func graphics() throws(Stop) -> TerminalReport {
    try expect(Array("_Gi=".utf8))
    isSure = true
    return .kittyGraphics(try words().hasSuffix(";OK"))
  }

  /// Printable ASCII up to the end of the answer.
  private mutating func words() throws(Stop) -> String {
    var words: [UInt8] = []
    while case let byte = try next(), byte != Self.bell {
      if byte == Self.escape {
        try expect([UInt8(ascii: "\\")])
        break
      }
      guard 0x20..<0x7F ~= byte, words.count < Self.mostWords else { throw .wrong }
      words.append(byte)
    }
    return String(decoding: words, as: UTF8.self)
  }

  private mutating func wrappedColor() throws(Stop) -> Background? {
    try expect(Array("tmux;".utf8))
    isSure = true
    try expect([Self.escape, Self.escape])
    let background = try answer(endingIn: [Self.escape, Self.escape])
    try expect([Self.escape, UInt8(ascii: "\\")])
    return background
  }

  private mutating func answer(endingIn escape: [UInt8]) throws(Stop) -> Background? {
    try expect([UInt8(ascii: "]"), UInt8(ascii: "1")])
    let number = try next()
    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(number) else { throw .wrong }
    try expect([UInt8(ascii: ";")])
    isSure = true
    let color = try color()
    if rest.first == Self.bell || rest.first == Self.terminator {
      rest = rest.dropFirst()
    } else {
      try expect(escape + [UInt8(ascii: "\\")])
    }
    // Of the others only that they are no keys is of interest.
    return number == UInt8(ascii: "1") ? color : nil
  }

  /// `rgb:` and three parts of one to four digits, `rgba:` and four, or `#` and three parts.
  private mutating func color() throws(Stop) -> Background {
    if rest.first == UInt8(ascii: "#") {
      rest = rest.dropFirst()
      let digits = try digits(atMost: 12)
      guard !digits.isEmpty, digits.count.isMultiple(of: 3) else { throw .wrong }
      let width = digits.count / 3
      return Self.background((0..<3).map { Array(digits[$0 * width..<($0 + 1) * width]) })
    }
    try expect(Array("rgb".utf8))
    let hasAlpha = rest.first == UInt8(ascii: "a")
    if hasAlpha { rest = rest.dropFirst() }
    try expect([UInt8(ascii: ":")])
    var parts: [[UInt8]] = []
    for part in 0..<(hasAlpha ? 4 : 3) {
      if part > 0 { try expect([UInt8(ascii: "/")]) }
      // All parts have as many digits as the first.
      let digits = try digits(atMost: parts.first?.count ?? 4)
      guard !digits.isEmpty else { throw .wrong }
      parts.append(digits)
    }
    return Self.background(parts)
  }

  /// - Throws: `.short` where more digits may follow.
  private mutating func digits(atMost most: Int) throws(Stop) -> [UInt8] {
    var digits: [UInt8] = []
    while digits.count < most {
      guard let byte = rest.first else { throw .short }
      guard let value = Character(Unicode.Scalar(byte)).hexDigitValue else { break }
      digits.append(UInt8(value))
      rest = rest.dropFirst()
    }
    return digits
  }

  private mutating func next() throws(Stop) -> UInt8 {
    guard let byte = rest.popFirst() else { throw .short }
    return byte
  }

  private mutating func expect(_ bytes: [UInt8]) throws(Stop) {
    for byte in bytes {
      guard try next() == byte else { throw .wrong }
    }
  }

  private static func background(_ parts: [[UInt8]]) -> Background {
    let values = parts.map { digits in
      digits.reduce(0) { $0 * 16 + Double($1) }
        / digits.reduce(0) { largest, _ in largest * 16 + 15 }
    }
    return Background(red: values[0], green: values[1], blue: values[2])
  }
}
