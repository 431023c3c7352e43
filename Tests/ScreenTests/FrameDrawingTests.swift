import Screen
import Testing

struct FrameDrawingTests {
  private let red = Style(.palette(1))

  /// Each cell as its width, so that halves are seen.
  private func widths(_ frame: Frame, row: Int = 0) -> [UInt8] { frame.row(row).map(\.width) }

  private func frame(_ text: String = "", width: Int = 8, height: Int = 1) -> Frame {
    var frame = Frame(size: Size(width: width, height: height))
    frame.put(text, x: 0, y: 0)
    return frame
  }

  @Test func `Text stands where it is put, in its style`() {
    var frame = frame(width: 6, height: 2)
    #expect(frame.put("héllo", x: 1, y: 1, style: red) == 5)
    #expect(frame.text == "\n héllo")
    #expect(frame[1, 1].style == red)
    #expect(frame[0, 1].style == .plain)
  }

  @Test(arguments: [
    (-3, 0, "lo"), (6, 0, "      he"), (8, 0, ""), (0, 1, ""), (0, -1, ""), (-9, 0, ""),
  ])
  func `Nothing is written outside the frame`(x: Int, y: Int, shown: String) {
    var frame = frame()
    frame.put("hello", x: x, y: y)
    #expect(frame.text == shown)
  }

  @Test(arguments: [Int.min, Int.max, -1_000_000])
  func `Absurd places do no harm`(x: Int) {
    var frame = frame()
    frame.put("漢字 hello", x: x, y: 0)
    frame.put("漢字 hello", x: 0, y: x)
    frame.put("漢字 hello", x: x, y: 0, width: x, overflow: .ellipsis)
    #expect(frame.text == "")
  }

  @Test func `A width limits the text`() {
    var frame = frame()
    #expect(frame.put("hello", x: 0, y: 0, width: 3) == 3)
    #expect(frame.text == "hel")
    #expect(frame.put("x", x: 0, y: 0, width: 0) == 0)
    #expect(frame.text == "hel")
  }

  @Test func `A wide glyph covers two cells`() {
    let frame = frame("a漢b")
    #expect(widths(frame) == [1, 2, 0, 1, 1, 1, 1, 1])
    #expect(frame.text == "a漢b")
  }

  @Test(arguments: [(7, "       "), (-1, " ")])
  func `Half of a wide glyph is a space`(x: Int, expected: String) {
    var frame = frame("xxxxxxxx")
    frame.put("漢", x: x, y: 0)
    #expect(widths(frame).allSatisfy { $0 == 1 })
    #expect(frame[x < 0 ? 0 : 7, 0].glyph == .space)
    #expect(frame.text.filter { $0 == "x" }.count == 7)
  }

  @Test(arguments: [(1, "ax b"), (2, "a xb")])
  func `Writing over one half of a wide glyph blanks the other`(x: Int, expected: String) {
    var frame = frame("a漢b")
    frame.put("x", x: x, y: 0)
    #expect(frame.text == expected)
    #expect(widths(frame).allSatisfy { $0 == 1 })
  }

  @Test func `A text of nothing that shows changes nothing`() {
    var frame = frame("a漢b")
    let before = frame
    #expect(frame.put("\u{200B}\u{1B}", x: 2, y: 0) == 0)
    #expect(frame == before)
  }

  @Test func `Wide over wide, one column off, leaves no halves`() {
    var frame = frame("漢字漢字")
    frame.put("語", x: 1, y: 0)
    #expect(frame.text == " 語 漢字")
    #expect(widths(frame) == [1, 2, 0, 1, 2, 0, 2, 0])
  }

  @Test(arguments: [
    ("\u{1B}[2Jx", "[2Jx"), ("a\u{202E}b\u{2066}c", "abc"), ("a\u{9B}31mb", "a31mb"),
    ("a\tb", "a b"),
    ("a\r\nb", "a b"), ("a\u{0}\u{8}b", "ab"), ("a\u{200D}b", "ab"),
  ])
  func `What would steer the terminal is left out`(text: String, shown: String) {
    #expect(frame(text).text == shown)
  }

  @Test(
    arguments: [
      ("👩🏽‍🚀x", "👩🏽‍🚀x", [2, 0, 1]), ("👍🏽x", "👍🏽x", [2, 0, 1]), ("☝🏽x", "☝🏽x", [2, 0, 1]),
      ("👩🏽‍⚕️x", "👩🏽‍⚕️x", [2, 0, 1]), ("👁️‍🗨️x", "👁️‍🗨️x", [2, 0, 1]),
      ("❤️x", "❤️x", [2, 0, 1]), ("⌚️x", "⌚x", [2, 0, 1]), ("❤x", "❤x", [1, 1]),
      ("1️⃣x", "1️⃣x", [2, 0, 1]), ("1\u{20E3}x", "1️⃣x", [2, 0, 1]), ("1\u{FE0F}x", "1x", [1, 1]),
      // Two flags, and one with half of another.
      ("🇩🇪🇫🇷x", "🇩🇪🇫🇷x", [2, 0, 2, 0, 1]), ("🇩🇪🇫x", "🇩🇪Fx", [2, 0, 1, 1]),
      // Longer than a cell.
      ("👨‍👩‍👧x", "👨‍👩‍👧x", [2, 0, 1]), ("👨‍👩‍👧‍👦x", "👨x", [2, 0, 1]),
      ("👩🏽‍🤝‍👨🏻x", "👩🏽x", [2, 0, 1]), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿x", "🏴x", [2, 0, 1]),
      ("☝🏽🏽🏽🏽🏽x", "☝🏽🏽🏽🏽x", [2, 0, 1]),
      ("\u{301}x", " \u{301}x", [1, 1]), ("שׁל", "שׁל", [1, 1]),
    ] as [(String, String, [UInt8])])
  func `A sequence is whole up to five scalars`(
    text: String, shown: String, widths expected: [UInt8]
  ) {
    let frame = frame(text)
    #expect(frame.text.unicodeScalars.elementsEqual(shown.unicodeScalars))
    #expect(Array(widths(frame).prefix(expected.count)) == expected)
  }

  @Test func `An emoji finds one column too few`() {
    var frame = Frame(size: Size(width: 3, height: 1))
    frame.put("ab🇩🇪", x: 0, y: 0)
    #expect(frame.text == "ab")
    frame.put("❤️❤️", x: 0, y: 0)
    #expect(frame.text == "❤️")
    frame.put("x", x: 1, y: 0)
    #expect(frame.text == " x")
  }

  @Test func `A base keeps four marks at most`() {
    let frame = frame("a" + String(repeating: "\u{301}", count: 500) + "b")
    #expect(frame.scalars(of: frame[0, 0].glyph).count == 5)
    #expect(frame[1, 0].glyph == Glyph("b"))
  }

  @Test(arguments: [
    ("hello world", 8, "hello w…"), ("hello", 5, "hello"), ("漢字漢字", 6, "漢字…"), ("ab", 1, "…"),
    ("漢字漢字漢", 8, "漢字漢…"), ("", 4, ""),
  ])
  func `A text too long for its place ends in an ellipsis`(text: String, width: Int, shown: String)
  {
    var frame = frame()
    let used = frame.put(text, x: 0, y: 0, width: width, overflow: .ellipsis)
    #expect(frame.text == shown)
    #expect(used <= width)
  }

  @Test func `A fill blanks its rectangle and the halves beside it`() {
    var frame = frame("漢字漢字")
    frame.fill(Rect(x: 1, y: -3, width: 4, height: 9), red)
    #expect(frame.text == "      字")
    #expect(frame[1, 0].style == red)
    #expect(frame[0, 0].style == .plain)
    #expect(frame[5, 0].style == .plain)
    #expect(widths(frame) == [1, 1, 1, 1, 1, 1, 2, 0])
  }

  @Test func `Equal pictures are equal frames`() {
    #expect(frame("e\u{301}e\u{301}") == frame("e\u{301}e\u{301}"))
  }

  @Test func `A frame without cells takes everything`() {
    var frame = Frame(size: Size(width: 0, height: 0))
    frame.put("漢", x: 0, y: 0)
    frame.fill(Rect(x: 0, y: 0, width: 5, height: 5))
    #expect(frame.text == "")
  }
}
