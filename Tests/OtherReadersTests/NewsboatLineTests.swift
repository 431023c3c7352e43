import Testing

@testable import OtherReaders

@Suite("Lines of newsboat's files")
struct NewsboatLineTests {
  @Test("A line is split at white space, but not between quotes")
  func splits() {
    #expect(
      tokens("https://a.example/feed  news \"two words\" \"~My \\\"feed\\\"\"\t!") == [
        "https://a.example/feed", "news", "two words", "~My \"feed\"", "!",
      ])
    #expect(tokens("bind-key ; open") == ["bind-key", ";", "open"])
    #expect(tokens(#"a "x\ty\n\\""#) == ["a", "x\ty\n\\"])
    #expect(tokens(#"a "not closed"#) == ["a", "not closed"])
  }

  @Test("What begins with a number sign is a comment, in an address it is not")
  func comments() {
    #expect(tokens("# nothing") == [])
    #expect(tokens("color info red blue # a comment") == ["color", "info", "red", "blue"])
    #expect(tokens("https://a.example/#feed") == ["https://a.example/#feed"])
    #expect(tokens("a \"# b\"") == ["a", "# b"])
  }

  @Test("The output of a program is noticed, a backquote after a backslash is a sign")
  func programs() {
    #expect(NewsboatLine("a `date`", number: 1).hasProgram)
    #expect(NewsboatLine("a \"`date`\"", number: 1).hasProgram)
    #expect(!NewsboatLine("a \"\\`date\\`\"", number: 1).hasProgram)
  }

  @Test("Lines have their numbers, empty ones and comments too")
  func numbers() {
    #expect(NewsboatLine.all(of: "a\n\n# b\r\nc\n").map(\.number) == [1, 4])
  }

  @Test("A line that ends with a backslash goes on in the next")
  func continued() {
    let lines = NewsboatLine.all(of: "macro a \\\n  open\nb \\\\\n# c \\\nd\ne \\")
    #expect(lines.map(\.tokens) == [["macro", "a", "open"], ["b", "\\\\"], ["d"], ["e"]])
    #expect(lines.map(\.number) == [1, 3, 5, 6])
  }

  private func tokens(_ text: String) -> [String] { NewsboatLine(text[...], number: 1).tokens }
}
