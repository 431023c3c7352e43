import Markup
import Testing

struct RepeatedTitleTests {
  static let title = "The ferry that waits – for one"

  @Test(arguments: [
    ("<h1>The Ferry that waits: for one!</h1><p>a</p>", "p a\n"),
    ("<h3><a href='https://x.example/'>The ferry  that waits, for one</a></h3>a", "p a\n"),
    ("<p><b>THE FERRY</b> that waits for one</p><p>a</p>", "p a\n"),
    ("<p>The ferry that waits for one<br>By Tove<br>a</p>", "p By Tove⏎a\n"),
    // A picture may stand before it.
    (
      "<img src='https://x.example/i' alt=i><h2>The ferry that waits for one</h2><p>a</p>",
      "figure <image i at https://x.example/i [1]>\np a\n"
    ),
    // The place of a jump moves to the text below.
    (
      "<h1 id=x>The ferry that waits for one</h1><p>a <a href=#x>b</a></p>",
      "p ⚓x a {b}[-1]\n"
    ),
  ])
  func `A first heading or line that is the title is left out`(_ html: String, _ blocks: String) {
    var document = Markup.document(html: html) { $0.hasPrefix("#") ? nil : $0 }
    document.removeRepeatedTitle(Self.title)
    let text = document.dump
    #expect(text.hasPrefix(blocks))
    #expect(document.blocks.count == blocks.split(separator: "\n").count)
  }

  @Test(arguments: [
    // More than the title, a part of it, and a later one.
    ("<h1>The ferry that waits for one passenger</h1><p>a</p>", title),
    ("<h1>The ferry</h1><p>a</p>", title),
    ("<p>a</p><h1>The ferry that waits for one</h1>", title),
    // The only text.
    ("<p>The ferry that waits for one</p>", title),
    ("<p><img src='https://x.example/i' alt=a></p><p>!</p><p>b</p>", "?"),
    ("<ul><li>The ferry that waits for one</li></ul><p>a</p>", title),
  ])
  func `Other text stays`(_ html: String, _ title: String) {
    let document = Markup.document(html: html) { $0 }
    var changed = document
    changed.removeRepeatedTitle(title)
    #expect(changed == document)
  }
}
