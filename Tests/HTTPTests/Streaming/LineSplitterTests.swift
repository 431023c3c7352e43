import HTTP
import Testing

@Suite struct LineSplitterTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var text: String
    /// Number and text; nil for one that is too long.
    var lines: [(Int, String?)]

    var testDescription: String { text.debugDescription }

    init(_ text: String, _ lines: [(Int, String?)]) {
      self.text = text
      self.lines = lines
    }
  }

  /// With a limit of 8 bytes.
  static let cases = [
    Case("", []), Case("\n", []), Case("a", [(1, "a")]), Case("a\n", [(1, "a")]),
    Case("a\nb", [(1, "a"), (2, "b")]), Case("a\r\nb\r\n", [(1, "a"), (2, "b")]),
    Case("a\rb\n", [(1, "a\rb")]), Case("\n\r\n\n a\n\n", [(4, " a")]),
    Case("\u{FEFF}a\nb", [(1, "a"), (2, "b")]), Case("\u{FEFF}\na", [(2, "a")]),
    Case("a\n\u{FEFF}b", [(1, "a"), (2, "\u{FEFF}b")]),
    Case("12345678\n", [(1, "12345678")]), Case("12345678\r\n", [(1, "12345678")]),
    Case("\u{FEFF}12345678\r\n", [(1, "12345678")]), Case("123456789\n", [(1, nil)]),
    Case("123456789", [(1, nil)]), Case("\u{FEFF}123456789\r\n1", [(1, nil), (2, "1")]),
    Case("a\n" + String(repeating: "x", count: 100) + "\nb\n", [(1, "a"), (2, nil), (3, "b")]),
    Case(String(repeating: "x", count: 100), [(1, nil)]), Case("ä€😀\nö", [(1, nil), (2, "ö")]),
  ]

  @Test(arguments: cases, [1, 2, 3, 5, 1000])
  func `Lines come whole, however the text is cut`(_ item: Case, size: Int) {
    let bytes = Array(item.text.utf8)
    var splitter = LineSplitter(limit: 8)
    var lines: [TextLine] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      splitter.append(Array(bytes[start..<min(start + size, bytes.count)]))
      while let line = splitter.next() { lines.append(line) }
    }
    if let line = splitter.finish() { lines.append(line) }
    #expect(lines.map(\.number) == item.lines.map(\.0))
    #expect(lines.map(\.isTooLong) == item.lines.map { $0.1 == nil })
    #expect(
      lines.map { String(decoding: $0.bytes, as: UTF8.self) } == item.lines.map { $0.1 ?? "" })
  }

  @Test func `Pieces may be added before the lines of the last are taken`() {
    var splitter = LineSplitter()
    splitter.append(Array("a\nb\nc".utf8))
    let first = splitter.next()
    #expect(first?.number == 1)
    splitter.append(Array("c\nd\n".utf8))
    var rest: [String] = []
    while let line = splitter.next() { rest.append(String(decoding: line.bytes, as: UTF8.self)) }
    #expect(rest == ["b", "cc", "d"])
  }

  @Test func `What was cut off can be dropped`() {
    var splitter = LineSplitter()
    splitter.append(Array("a\nhal".utf8))
    while splitter.next() != nil {}
    splitter.drop()
    let last = splitter.finish()
    #expect(last == nil)
  }
}
