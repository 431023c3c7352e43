internal import Markup
internal import Testing

struct ReadingTimeTests {
  private func seconds(_ html: String) -> Int {
    Markup.document(html: html) { $0 }.readingSeconds
  }

  private func text(_ word: String, _ count: Int, between: String = " ") -> String {
    Array(repeating: word, count: count).joined(separator: between)
  }

  @Test func `Words, letters without spaces, code and pictures take their time`() {
    #expect(seconds("") == 0)
    #expect(seconds("<p>word</p>") == 1)
    #expect(seconds("<p>\(text("word", 230))</p>") == 60)
    #expect(seconds("<p>\(text("don’t", 230))</p>") == 60)
    #expect(seconds("<p>\(text("字", 500, between: ""))</p>") == 60)
    #expect(seconds("<p>\(text("ก", 500, between: ""))</p>") == 60)
    #expect(seconds("<pre>\(text("word", 115))</pre>") == 60)
    #expect(seconds("<img src=\"https://example.org/a.png\">") == 5)
    #expect(seconds("<ul><li>\(text("a", 115))</li><li>\(text("b", 115))</li></ul>") == 60)
    #expect(
      seconds("<table><tr><td>\(text("a", 115))</td><td>\(text("b", 115))</td></tr></table>") == 60)
  }

  @Test func `A cell of several rows is read once, and its pictures count once`() {
    let rows = String(repeating: "<tr><td>a</td></tr>", count: 59)
    let cell = "<td rowspan=\"60\">\(text("word", 40))<img src=\"https://e.org/1\"></td>"
    let html = "<table><tr><th>A</th><th>B</th></tr><tr>\(cell)<td>a</td></tr>\(rows)</table>"
    #expect(seconds(html) < 60)
    #expect(Markup.document(html: html) { $0 }.pictureCounts.map(\.count) == [1])
  }

  @Test func `Pictures are found in lists and quotes, in their order`() {
    let html = """
      <img src="https://e.org/1"><ul><li><p>text</p><img src="https://e.org/2"></li></ul>
      <blockquote><figure><img src="https://e.org/3"></figure></blockquote><p>a <img src="https://e.org/4"> b</p>
      """
    #expect(
      Markup.document(html: html) { $0 }.figures.map(\.source)
        == ["https://e.org/1", "https://e.org/2", "https://e.org/3"])
  }
}
