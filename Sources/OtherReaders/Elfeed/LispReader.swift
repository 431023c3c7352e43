/// An expression of Emacs Lisp as it is written; nothing is evaluated.
struct LispForm: Hashable {
  indirect enum Value: Hashable {
    case symbol(String)
    case string(String)
    case number(Double)
    /// Also a pair: its second half stands behind the first.
    case list([LispForm])
    case vector([LispForm])
    /// What `#s(` begins: the type, and its slots.
    case record([LispForm])
  }

  var value: Value
  /// From 1.
  var line: Int

  var string: String? {
    switch value {
    case .string(let text): text
    // A text with properties stands first in a list of them.
    case .list(let items):
      if case .string(let text) = items.first?.value { text } else { nil }
    default: nil
    }
  }

  var symbol: String? { if case .symbol(let name) = value { name } else { nil } }
  var number: Double? { if case .number(let number) = value { number } else { nil } }

  /// The elements of a list; none for `nil` and for what is no list.
  var elements: [LispForm] { if case .list(let items) = value { items } else { [] } }

  /// The slots of a record of this type, its name first; nil for anything else. Versions of Emacs before 26 write a
  /// vector whose name begins with `cl-struct-`.
  func slots(of type: String) -> [LispForm]? {
    switch value {
    case .record(let items) where items.first?.symbol == type: items
    case .vector(let items) where items.first?.symbol == "cl-struct-\(type)": items
    default: nil
    }
  }

  /// What a list quotes: `'(a b)`; nil for anything else.
  var quoted: LispForm? {
    let items = elements
    return items.count == 2 && items[0].symbol == "quote" ? items[1] : nil
  }

  /// The value after a name in a list of names and values.
  func property(_ name: String) -> LispForm? {
    let items = elements
    return items.indices.first { items[$0].symbol == name && $0 + 1 < items.count }
      .map { items[$0 + 1] }
  }

  /// Keys and values of a hash table; none for what is no table.
  var table: [(key: LispForm, value: LispForm)] {
    guard let items = slots(of: "hash-table") else { return [] }
    let data = LispForm(value: .list(items), line: line).property("data")?.elements ?? []
    return stride(from: 0, to: data.count - 1, by: 2).map { (data[$0], data[$0 + 1]) }
  }
}

/// A place at which a text is no Emacs Lisp.
struct LispError: Error, Hashable {
  let message: String
  let line: Int
}

/// Reads Emacs Lisp, as `prin1` writes it and as people write it in their settings.
struct LispReader {
  private enum Opening { case list, vector, record, prefix(String) }

  private struct Frame {
    let opening: Opening
    let line: Int
    var items: [LispForm] = []
    /// Whether a dot stands before the next item.
    var isAfterDot = false
  }

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var frames: [Frame] = []
  private var forms: [LispForm] = []

  /// More levels are no data and no settings.
  private static let maxDepth = 500

  /// The expressions of a text, one after the other.
  ///
  /// - Throws: `LispError`.
  static func read(_ text: String) throws(LispError) -> [LispForm] {
    var reader = LispReader(bytes: Array(text.utf8))
    try reader.read()
    return reader.forms
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private func mistake(_ message: String) -> LispError { LispError(message: message, line: line) }

  private mutating func read() throws(LispError) {
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case 0x0A:
        line += 1
        position += 1
      case 0x20, 0x09, 0x0D, 0x0C: position += 1
      case UInt8(ascii: ";"):
        while position < bytes.count, bytes[position] != 0x0A { position += 1 }
      case UInt8(ascii: "("): try open(.list, length: 1)
      case UInt8(ascii: "["): try open(.vector, length: 1)
      case UInt8(ascii: ")"), UInt8(ascii: "]"):
        position += 1
        try close()
      case UInt8(ascii: "'"): try open(.prefix("quote"), length: 1)
      case UInt8(ascii: "`"): try open(.prefix("backquote"), length: 1)
      case UInt8(ascii: ","):
        let isSplice = position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "@")
        try open(.prefix("comma"), length: isSplice ? 2 : 1)
      case UInt8(ascii: "\""): add(.string(string()))
      case UInt8(ascii: "?"): add(.number(character()))
      case UInt8(ascii: "#"): try hash()
      default: atom()
      }
    }
    if let frame = frames.last { throw LispError(message: "it is not closed", line: frame.line) }
  }

  private mutating func open(_ opening: Opening, length: Int) throws(LispError) {
    guard frames.count < Self.maxDepth else { throw mistake("it is too deep") }
    frames.append(Frame(opening: opening, line: line))
    position += length
  }

  private mutating func close() throws(LispError) {
    guard let frame = frames.popLast() else { throw mistake("nothing is open here") }
    switch frame.opening {
    case .list: add(.list(frame.items), line: frame.line)
    case .vector: add(.vector(frame.items), line: frame.line)
    case .record: add(.record(frame.items), line: frame.line)
    case .prefix: throw mistake("something is missing here")
    }
  }

  private mutating func add(_ value: LispForm.Value, line: Int? = nil) {
    let form = LispForm(value: value, line: line ?? self.line)
    guard var frame = frames.popLast() else { return forms.append(form) }
    if case .prefix(let name) = frame.opening {
      let quoting = LispForm(value: .symbol(name), line: frame.line)
      return add(.list([quoting, form]), line: frame.line)
    }
    if frame.isAfterDot, case .list(let rest) = value {
      frame.items += rest
    } else if !frame.isAfterDot || form.symbol != "nil" {
      frame.items.append(form)
    }
    frame.isAfterDot = false
    frames.append(frame)
  }

  private mutating func string() -> String {
    position += 1
    var text: [UInt8] = []
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      var byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\\"), position < bytes.count {
        byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "n"): byte = 0x0A
        case UInt8(ascii: "t"): byte = 0x09
        case UInt8(ascii: "r"): byte = 0x0D
        // The end of a line that goes on, and a sign for nothing.
        case 0x0A, 0x20:
          line += byte == 0x0A ? 1 : 0
          continue
        default: break
        }
      } else if byte == 0x0A {
        line += 1
      }
      text.append(byte)
    }
    position += 1
    return String(decoding: text, as: UTF8.self)
  }

  /// `?a`, `?\(` and the like.
  private mutating func character() -> Double {
    position += 1
    if position < bytes.count, bytes[position] == UInt8(ascii: "\\") { position += 1 }
    guard position < bytes.count else { return 0 }
    let first = bytes[position]
    position += 1
    while position < bytes.count, bytes[position] & 0xC0 == 0x80 { position += 1 }
    return Double(first)
  }

  private mutating func hash() throws(LispError) {
    let next = position + 1 < bytes.count ? bytes[position + 1] : 0
    switch next {
    case UInt8(ascii: "s") where position + 2 < bytes.count && bytes[position + 2] == 0x28:
      try open(.record, length: 3)
    case UInt8(ascii: "("): try open(.list, length: 2)
    case UInt8(ascii: "["): try open(.vector, length: 2)
    case UInt8(ascii: "'"): try open(.prefix("function"), length: 2)
    case UInt8(ascii: "<"), UInt8(ascii: "@"): throw mistake("this can be read by no program")
    default: atom()
    }
  }

  private mutating func atom() {
    let start = position
    var name: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      if byte <= 0x20 || "()[]\"';`,".utf8.contains(byte) { break }
      position += 1
      if byte == UInt8(ascii: "\\"), position < bytes.count {
        name.append(bytes[position])
        position += 1
      } else {
        name.append(byte)
      }
    }
    if position == start { position += 1 }
    let text = String(decoding: name, as: UTF8.self)
    if text == ".", !frames.isEmpty, !frames[frames.count - 1].items.isEmpty {
      frames[frames.count - 1].isAfterDot = true
      return
    }
    let isNumber =
      name.first.map { (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2B } ?? false
    add(isNumber ? Double(text).map { .number($0) } ?? .symbol(text) : .symbol(text))
  }
}
