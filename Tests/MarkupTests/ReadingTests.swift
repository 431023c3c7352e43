import Foundation
import Markup
import Testing

/// The two ways in which a document is read.
struct ReadingTests {
  static let folder = MarkupTests.fixtures.deletingLastPathComponent()
  static let pages: [URL] = ["articles", "typesetting", "pages"].flatMap { name in
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder.appending(path: name), includingPropertiesForKeys: nil)
    return (files ?? []).filter { $0.pathExtension == "html" }
  }

  private static func reading(_ html: String) -> MarkupReading {
    MarkupReading(html: html) { $0.hasPrefix("#") ? nil : "https://blog.example" + $0 }
  }

  @Test func `Nested elements make the same document as a tree`() throws {
    var nested = 0
    for page in Self.pages {
      let reading = Self.reading(try String(contentsOf: page, encoding: .utf8))
      guard let document = reading.nestedDocument else { continue }
      nested += 1
      #expect(document == reading.treeDocument, "\(page.lastPathComponent)")
    }
    // Nearly all are nested: else it would not matter how fast that is.
    #expect(nested * 4 > Self.pages.count * 3, "\(nested) of \(Self.pages.count)")
  }

  /// What the rules of HTML move, close or repeat, and references whose end they look for.
  @Test(arguments: [
    "<table>a<tr><td>b</table>", "<table><td>a</table>", "<tr><td>a", "<table><tr>a<td>b</table>",
    "<b><p>a</b>b</p>c", "<i>a<div>b</i>c</div>", "<h1>a<h2>b</h2></h1>",
    "<form>a<form>b</form></form>c", "a&copy2024", "&notit;", "<a href='http://x/?a=1&amp'>a</a>",
    "&#65a", "&#x", "&NotEqualTilde;", "<ruby>a<p>b<rt>c</ruby>",
    String(decoding: [0x61, 0xEF, 0xBF, 0xBE], as: UTF8.self),
  ])
  func `What does not nest is left to the tree`(html: String) {
    let reading = Self.reading(html)
    #expect(reading.nestedDocument ?? reading.treeDocument == reading.treeDocument)
    #expect(reading.document == reading.treeDocument)
  }

  @Test(arguments: [
    "<p>a &amp; b &lt;c&gt; &#8217; &eacute; AT&T &x &", "<a href='http://x/?a=1&b=2&copy=3'>a</a>",
    "<table><tr><td>a<tr><td>b</tr><thead><tr><td>c</table>d",
    "<table><thead><tr><td>a<table><tr><td>b</table></table>",
    "<video><source src=http://x/><p>a</video>b", "<p><object data=http://x/><p>a</p></object>b",
    "<div hidden><p>a<b>b</b></div>c<ul><li>d<p>e<li>f</ul>", "<pre>\n\na</pre>",
    "<b><b><b><b>a</b></b></b></b>b",
  ])
  func `Ordinary markup needs no tree`(html: String) {
    let reading = Self.reading(html)
    #expect(reading.nestedDocument == reading.treeDocument)
  }
}
