import Testing

@testable import Screen

/// Styles as settings write them, and colours on terminals that have fewer.
struct StyleWordsTests {
  @Test(
    arguments: [
      ("", .plain), ("red", Style(.palette(1))), ("bright-blue", Style(.palette(12))),
      ("yellow on #202020 bold", Style(.palette(3), on: .rgb(0x20_2020), .bold)),
      ("208", Style(.palette(208))), ("color7 on default", Style(.palette(7))),
      ("#F80", Style(.rgb(0xFF_8800))),
      ("reverse italic", Style(.standard, on: .standard, [.reverse, .italic])),
      ("on 4", Style(.standard, on: .palette(4))), ("plain", .plain),
    ] as [(String, Style)])
  func `Words make a style`(_ words: String, _ style: Style) throws {
    #expect(try Style(words: words) == style)
  }

  @Test(arguments: ["purple", "256", "#12345", "#ggg", "red on", "bright-", "color", "-1"])
  func `What is no style says so`(_ words: String) {
    #expect(throws: Style.Mistake.self) { try Style(words: words) }
  }

  @Test(
    arguments: [
      (.rgb(0xFF_8700), 1 << 24, .rgb(0xFF_8700)), (.rgb(0xFF_8700), 256, .palette(208)),
      (.rgb(0x00_0000), 256, .palette(16)), (.rgb(0xFE_0101), 16, .palette(9)),
      (.rgb(0x00_00FF), 8, .palette(4)), (.palette(208), 256, .palette(208)),
      (.palette(9), 16, .palette(9)), (.palette(9), 8, .palette(1)), (.standard, 8, .standard),
      (.rgb(0x80_8080), 256, .palette(244)),
    ] as [(Color, Int, Color)])
  func `A colour becomes the nearest one`(_ color: Color, _ colors: Int, _ nearest: Color) {
    #expect(color.nearest(of: colors) == nearest)
  }
}
