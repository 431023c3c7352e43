import Testing

@testable import Reader

@Suite struct SparklineTests {
  @Test func `The highest number has the highest bar, and one article differs from none`() {
    #expect(Sparkline.text([0, 1, 50, 100], columns: 9) == "▁▂▅█")
    #expect(Sparkline.text([0, 1, 100], columns: 9, isASCII: true) == ".:@")
    #expect(Sparkline.text([0, 0], columns: 9) == "▁▁")
    #expect(Sparkline.text([], columns: 9) == "")
  }

  @Test func `Where there are more weeks than columns, several share a bar, the newest ones whole`()
  {
    #expect(Sparkline.grouped([1, 2, 3, 4, 5], into: 3) == [1, 5, 9])
    #expect(Sparkline.grouped([1, 2], into: 3) == [1, 2])
    #expect(Sparkline.grouped([1], into: 0) == [])
  }
}
