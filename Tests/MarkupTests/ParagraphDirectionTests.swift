import Markup
import Testing

/// The direction that a page names, as the first letter of a paragraph.
@Suite struct ParagraphDirectionTests {
  private static let right = "\u{200F}"
  private static let left = "\u{200E}"

  /// The texts of the paragraphs, of items and cells too.
  private static func texts(_ html: String) -> [String] {
    func text(_ inlines: [Inline]) -> String {
      inlines.map { if case .text(let text, _, _) = $0 { text } else { "" } }.joined()
    }
    func texts(_ blocks: [Block]) -> [String] {
      blocks.flatMap { block -> [String] in
        switch block {
        case .heading(_, let inlines), .paragraph(let inlines): [text(inlines)]
        case .list(let list): list.items.flatMap(texts)
        case .quote(let blocks), .indented(let blocks): texts(blocks)
        case .table(let table): table.rows.flatMap(\.cells).map { text($0.inlines) }
        default: []
        }
      }
    }
    return texts(Markup.document(html: html).blocks)
  }

  @Test(
    arguments: [
      ("<p dir=rtl>Linux היא</p>", [right + "Linux היא"]),
      // Its first letter says so already.
      ("<p dir=rtl>היא Linux</p>", ["היא Linux"]), ("<p dir=ltr>Linux היא</p>", ["Linux היא"]),
      ("<p dir=RTL>123</p><p>123</p>", [right + "123", "123"]),
      ("<p dir=ltr>היא Linux</p>", [left + "היא Linux"]),
      ("<p style='color: red; direction: rtl'>Linux</p>", [right + "Linux"]),
      ("<p style='flex-direction: row'>Linux</p>", ["Linux"]),
      // The blocks within have it, up to where it ends.
      (
        "<div dir=rtl><p>a</p><ul><li>b</li></ul><p dir=ltr>c</p><p>d</p></div><p>e</p>",
        [right + "a", right + "b", "c", right + "d", "e"]
      ),
      ("<div dir=rtl><p dir=auto>a</p></div>", ["a"]),
      (
        "<table dir=rtl><tr><td>a<td>1<tr><td>b<td>2</table>",
        [right + "a", right + "1", right + "b", right + "2"]
      ),
      // A part of a line has its own, which is not that of the paragraph.
      ("<p>א <span dir=rtl>b</span> c</p><p>d</p>", ["א \u{2067}b\u{2069} c", "d"]),
      ("<p><bdi>היא</bdi>: 3 <i>posts</i></p>", ["\u{2068}היא\u{2069}: 3 posts"]),
      ("<p dir=rtl><bdi>ann</bdi>: 3</p>", [right + "\u{2068}ann\u{2069}: 3"]),
      ("<p>א <bdo dir=rtl> abc </bdo> c</p>", ["א \u{2067}\u{202E}abc\u{202C}\u{2069} c"]),
      ("<p>a <bdo dir=rtl>bc</bdo></p>", ["a \u{2067}\u{202E}bc\u{202C}\u{2069}"]),
      ("<p>א <b dir=ltr>x<i>y</i></b></p>", ["א \u{2066}xy\u{2069}"]),
      // Without such letters there is nothing to be kept apart, and nothing without text.
      ("<p>a <bdi>b</bdi> <span dir=auto>c</span></p>", ["a b c"]),
      ("<p>א<bdi></bdi><bdi><p>b</p></bdi></p>", ["א", "b"]),
    ] as [(String, [String])])
  func `A paragraph begins with the direction that the page names`(
    html: String, expected: [String]
  ) {
    #expect(Self.texts(html) == expected)
  }

  @Test func `A document does not decide how deep isolates nest, nor how many a paragraph has`() {
    func signs(_ html: String) -> Int {
      Self.texts(html).joined().unicodeScalars.count { (0x2066...0x2068).contains($0.value) }
    }
    let deep = String(repeating: "<bdi><span dir=rtl>", count: 150) + "א (1)"
    #expect((1...20).contains(signs("<p>\(deep)</p>")))
    let many = String(repeating: "<bdi>א</bdi> ", count: 20_000)
    #expect((100...1_000).contains(signs("<p>\(many)</p>")))
    // The next paragraph begins anew.
    #expect(signs("<p>\(many)</p><p>a <bdi>א</bdi></p>") == signs("<p>\(many)</p>") + 1)
    #expect(signs("<p>\(deep)</p><p>a <bdi>א</bdi></p>") == signs("<p>\(deep)</p>") + 1)
  }
}
