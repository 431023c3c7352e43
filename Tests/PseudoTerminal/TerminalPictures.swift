/// The pictures that a program has sent to a terminal, read from its output as a terminal would.
package struct TerminalPictures {
  package struct Placement: Hashable, Sendable {
    /// The cell of the upper left corner, from 0.
    package var x: Int
    package var y: Int
    package var columns: Int
    package var rows: Int
    /// The pixel rows of the picture that it shows.
    package var pixelRows: Range<Int>

    package init(x: Int, y: Int, columns: Int, rows: Int, pixelRows: Range<Int>) {
      self.x = x
      self.y = y
      self.columns = columns
      self.rows = rows
      self.pixelRows = pixelRows
    }
  }

  package struct Key: Hashable, Sendable {
    package var picture: Int
    package var number: Int
  }

  /// A picture of sixel graphics, or of iTerm2's.
  package struct Drawn: Hashable, Sendable {
    package var x: Int
    package var y: Int
    package var data: [UInt8]

    /// Width and height in pixels, as sixel graphics declare them.
    package var raster: (width: Int, height: Int)? {
      let head = String(decoding: data.prefix(40), as: UTF8.self)
      guard let start = head.firstIndex(of: "\"") else { return nil }
      let numbers = head[head.index(after: start)...].prefix { $0.isNumber || $0 == ";" }
        .split(separator: ";").compactMap { Int($0) }
      return numbers.count == 4 ? (numbers[2], numbers[3]) : nil
    }
  }

  /// Pictures of kitty's graphics that the terminal has: the size of each in pixels.
  package private(set) var kept: [Int: (width: Int, height: Int)] = [:]
  package private(set) var placements: [Key: Placement] = [:]
  /// How many pictures were transmitted, and how often one was placed.
  package private(set) var transmissions = 0
  package private(set) var placings = 0
  package private(set) var questions = 0
  /// Pictures that are placed as text, in how many cells.
  package private(set) var placedAsText: [Int: (columns: Int, rows: Int)] = [:]
  /// Bytes of Base64 of each picture that the terminal has.
  package private(set) var received: [Int: Int] = [:]
  package private(set) var sixels: [Drawn] = []
  package private(set) var files: [Drawn] = []
  /// What a terminal would not have taken.
  package private(set) var mistakes: [String] = []

  private var transmitting: (picture: Int, size: (width: Int, height: Int))?
  private var bytes = 0
  private var cursor = (x: 0, y: 0)

  package init(_ output: [UInt8]) {
    take(Self.unwrapped(output)[...])
  }

  /// What tmux passes on of what is wrapped for it.
  private static func unwrapped(_ output: [UInt8]) -> [UInt8] {
    let head = Array("\u{1B}Ptmux;".utf8)
    var result: [UInt8] = []
    var rest = output[...]
    while let start = rest.firstRange(of: head) {
      result += rest[..<start.lowerBound]
      rest = rest[start.upperBound...]
      while let byte = rest.popFirst() {
        if byte == 0x1B, rest.popFirst() != 0x1B { break }
        result.append(byte)
      }
    }
    return result + rest
  }

  private mutating func take(_ output: ArraySlice<UInt8>) {
    var rest = output
    while let start = rest.firstIndex(of: 0x1B), start + 1 < rest.endIndex {
      let kind = rest[start + 1]
      rest = rest[(start + 2)...]
      switch kind {
      case UInt8(ascii: "["): control(&rest)
      case UInt8(ascii: "_"), UInt8(ascii: "P"), UInt8(ascii: "]"):
        guard let (body, end) = Self.string(rest) else { return }
        rest = rest[end...]
        take(body, kind)
      default: break
      }
    }
  }

  /// The string up to BEL or `ESC \`.
  private static func string(_ bytes: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, Int)? {
    guard let end = bytes.firstIndex(where: { $0 == 0x07 || $0 == 0x1B }) else { return nil }
    return (bytes[..<end], min(end + (bytes[end] == 0x07 ? 1 : 2), bytes.endIndex))
  }

  private mutating func control(_ rest: inout ArraySlice<UInt8>) {
    let parameters = rest.prefix { 0x20..<0x40 ~= $0 }
    rest = rest.dropFirst(parameters.count)
    guard rest.popFirst() == UInt8(ascii: "H") else { return }
    let numbers = parameters.split(separator: UInt8(ascii: ";")).map {
      Int(String(decoding: $0, as: UTF8.self)) ?? 1
    }
    cursor = (x: (numbers.dropFirst().first ?? 1) - 1, y: (numbers.first ?? 1) - 1)
  }

  private mutating func take(_ body: ArraySlice<UInt8>, _ kind: UInt8) {
    switch kind {
    case UInt8(ascii: "_") where body.first == UInt8(ascii: "G"): command(body.dropFirst())
    case UInt8(ascii: "P") where body.contains(UInt8(ascii: "q")) && body.contains(0x22):
      sixels.append(Drawn(x: cursor.x, y: cursor.y, data: Array(body)))
    case UInt8(ascii: "]") where body.starts(with: Array("1337;File=".utf8)):
      files.append(Drawn(x: cursor.x, y: cursor.y, data: Array(body)))
    default: break
    }
  }

  // MARK: Kitty's graphics

  private mutating func command(_ body: ArraySlice<UInt8>) {
    let parts = body.split(separator: UInt8(ascii: ";"), maxSplits: 1)
    var keys: [String: String] = [:]
    for pair in String(decoding: parts.first ?? [], as: UTF8.self).split(separator: ",") {
      let sides = pair.split(separator: "=", maxSplits: 1).map(String.init)
      if sides.count == 2 { keys[sides[0]] = sides[1] }
    }
    let data = parts.count > 1 ? parts[1] : []
    if data.count > 4096 { mistakes.append("a part of \(data.count) bytes") }
    func number(_ key: String) -> Int { keys[key].flatMap(Int.init) ?? 0 }
    let isMore = keys["m"] == "1"
    if let (picture, size) = transmitting {
      if keys["a"] != nil { mistakes.append("a command within a picture: \(keys)") }
      if isMore, data.count % 4 != 0 { mistakes.append("a part of \(data.count) bytes") }
      bytes += data.count
      if !isMore { finish(picture, size) }
      return
    }
    switch keys["a"] {
    case "q": questions += 1
    case "t":
      transmitting = (number("i"), (number("s"), number("v")))
      bytes = data.count
      if !isMore { finish(number("i"), (number("s"), number("v"))) }
    case "p":
      if kept[number("i")] == nil { mistakes.append("picture \(number("i")) is not there") }
      placings += 1
      if number("U") == 1 {
        placedAsText[number("i")] = (number("c"), number("r"))
        break
      }
      placements[Key(picture: number("i"), number: number("p"))] = Placement(
        x: cursor.x, y: cursor.y, columns: number("c"), rows: number("r"),
        pixelRows: number("y")..<number("y") + number("h"))
    case "d": delete(keys["d"] ?? "a", number("i"), number("p"))
    default: if keys["m"] == nil { mistakes.append("\(keys)") }
    }
  }

  private mutating func finish(_ picture: Int, _ size: (width: Int, height: Int)) {
    kept[picture] = size
    received[picture] = bytes
    transmissions += 1
    transmitting = nil
  }

  private mutating func delete(_ what: String, _ picture: Int, _ number: Int) {
    switch what {
    case "a", "A":
      if what == "A" { for key in placements.keys { kept[key.picture] = nil } }
      placements = [:]
    case "i", "I":
      placements = placements.filter {
        $0.key.picture != picture || number != 0 && $0.key.number != number
      }
      if what == "I" {
        kept[picture] = nil
        placedAsText[picture] = nil
      }
    default: mistakes.append("d=\(what)")
    }
  }
}
