import Screen
import Testing

/// What becomes of a frame's cells, whatever order its letters are given.
@Suite struct VisualOrderTests {
  private static func frame() -> Frame {
    var frame = Frame(size: Size(width: 12, height: 2))
    frame.put("abאב漢 1", x: 2, y: 1, style: Style(.palette(3)))
    frame.cursor = (2, 1)
    return frame
  }

  private static func reversed(
    _ letters: [Unicode.Scalar], _ direction: TextDirection
  ) -> [PlacedLetter] {
    letters.indices.reversed().map { PlacedLetter(index: $0, scalar: letters[$0]) }
  }

  @Test func `Cells go where the order puts them, and the rest stays`() {
    let shown = Self.frame().inVisualOrder(Self.reversed)
    #expect(shown.frame.text == "\n  1 漢באba")
    #expect(shown.frame.row(1)[12 + 2..<12 + 10].allSatisfy { $0.style == Style(.palette(3)) })
    #expect((0..<12).map { shown.column(atX: $0, y: 1) } == [0, 1, 9, 8, 6, 7, 5, 4, 3, 2, 10, 11])
    #expect(shown.column(atX: 4, y: 0) == 4 && shown.column(atX: 40, y: 1) == 40)
    #expect(shown.frame.cursor?.x == 9)
  }

  @Test func `An order of letters that are not there shows none of them`() {
    let shown = Self.frame().inVisualOrder { letters, _ in
      [-1, 99, letters.count].map { PlacedLetter(index: $0, scalar: "x") }
        + Self.reversed(letters, .leftToRight) + Self.reversed(letters, .leftToRight)
    }
    #expect(shown.frame.size == Size(width: 12, height: 2))
    #expect(shown.frame.text == "\n  1 漢באba")
  }

  @Test func `A letter is shown as its mirror image, with its marks`() {
    var frame = Frame(size: Size(width: 4, height: 1))
    frame.put("א(\u{301}", x: 0, y: 0)
    let shown = frame.inVisualOrder { letters, _ in
      letters.indices.map {
        PlacedLetter(index: $0, scalar: letters[$0] == "(" ? ")" : letters[$0])
      }
    }
    #expect(shown.frame.text == "א)\u{301}")
  }

  @Test(
    arguments: [
      ("abc", nil, 0), ("", nil, 0), ("abc א", .leftToRight, 1), ("1 אב", .rightToLeft, 1),
      ("(\u{200F}a א", .rightToLeft, 1), ("١٢", .leftToRight, 1), ("漢字", nil, 0),
    ] as [(String, TextDirection?, Int)])
  func `Only a text with such letters is a stretch, of the direction of its first`(
    text: String, direction: TextDirection?, count: Int
  ) {
    var frame = Frame(size: Size(width: 20, height: 1))
    frame.put(text, x: 1, y: 0)
    #expect(frame.stretches.count == count)
    #expect(frame.stretches.first?.direction == direction)
  }

  @Test func `A stretch ends where the frame does`() {
    var frame = Frame(size: Size(width: 4, height: 1))
    frame.put("אבגדהוז", x: -2, y: 0)
    #expect(frame.stretches.map { [$0.x, $0.width] } == [[0, 4]])
    frame.arrange(x: -5, y: 0, width: 100, direction: .rightToLeft)
    frame.arrange(x: 2, y: 7, width: 3, direction: .rightToLeft)
    frame.arrange(x: 9, y: 0, width: 3, direction: .rightToLeft)
    #expect(frame.stretches.map { [$0.x, $0.width] } == [[0, 4]])
    #expect(frame.inVisualOrder(Self.reversed).frame.text == String("גדהו".reversed()))
  }
}
