internal import Foundation
internal import News
internal import Testing

@testable internal import Store

/// What the database holds that is made of something else. Where one of these has to change, every
/// database needs a migration that makes it anew: articles are found by their keys, and are taken out
/// of the search index by the very text that was put in.
@Suite struct StoredFormTests {
  @Test(
    arguments: [
      ("<p>One <b>two</b></p><p>three</p>", nil, "One two three"),
      (nil, "A summary", "A summary"),
      ("<p>Text</p>", "A summary", "Text\nA summary"),
      ("", "", ""),
      (nil, nil, ""),
      (
        "a&amp;b &lt;c&gt; &nbsp;&eacute;&Eacute; &#233;&#xE9; &check;&hearts;&NotEqualTilde;", nil,
        "a&b <c> éÉ éé ✓♥&NotEqualTilde;"
      ),
      (
        "&bogus; &amp &ampx; &#0; &#x110000; &#128; &#xD800;", nil,
        "&bogus; & &ampx; \u{FFFD} \u{FFFD} € \u{FFFD}"
      ),
      ("<script>no()</script><style>p{}</style>yes<!-- no -->", nil, "yes"),
      ("<ul><li>a<li>b</ul><table><tr><td>c<td>d</table>e<br>f<hr>g", nil, "a b c d e f g"),
      ("<pre>  a\n  b</pre>  c\t\n d", nil, "a b c d"),
      ("<img alt='picture' src='a.png'><a href='x' title='t'>link</a>", nil, "link"),
      ("a < b > c <3 </unopened> <unclosed", nil, "a < b > c <3"),
      (
        "\u{1B}[31mred\u{7} \u{202E}right\u{202C} zero\u{200B}width so\u{AD}ft", nil,
        "[31mred right zero\u{200B}width soft"
      ),
      ("e\u{301} 漢字 👩‍👩‍👧 \u{FFFD}", "ß ẞ", "e\u{301} 漢字 👩‍👩‍👧 \u{FFFD}\nß ẞ"),
    ] as [(String?, String?, String)])
  func `The text that is searched is the same in every release`(
    _ content: String?, _ summary: String?, _ text: String
  ) {
    #expect(ArticleText.make(content: content, summary: summary) == text)
  }

  @Test func `The details of an article are the same text in every release`() {
    var stored = entry("1", updated: 60)
    stored.enclosures = [Enclosure(url: "u")]
    stored.categories = [Category("c")]
    stored.language = "de"
    stored.image = "i"
    stored.comments = CommentLinks(page: "p", count: 2)
    stored.source = EntrySource(title: "S", feedURL: "f")
    stored.rights = "© Ada"
    let text = EntryDetails.encode(stored, storedAt: noon)
    #expect(
      text
        == #"{"comments":{"count":2,"page":"p"},"files":[{"url":"u"}],"image":"i","isAhead":true,"#
        + #""language":"de","names":["c"],"rights":"© Ada","source":{"feedURL":"f","title":"S"}}"#)
    var read = Entry(id: "1")
    EntryDetails.decode(text).add(to: &read)
    #expect(read.extras == stored.extras && read.categories == stored.categories)
    #expect(read.enclosures == stored.enclosures && EntryDetails.decode(text).isDatedAhead)
  }

  @Test func `Of a long body the beginning is searched`() {
    let body = String(repeating: "<p>word</p>", count: 100_000)
    #expect(ArticleText.make(content: body, summary: nil).utf8.count == 262_144)
  }

  @Test(
    arguments: [
      ("", -5_074_799_942_789_715_900), ("0", 7_288_840_501_369_022_612),
      ("https://example.org/a", -6_224_267_517_065_825_540),
      ("urn:uuid:1", 1_421_989_828_501_990_961), ("Ä", 6_648_133_286_825_816_230),
    ] as [(String, Int64)])
  func `The key of an id is the same in every release`(_ id: String, _ key: Int64) {
    #expect(PreparedPage.key(ofEntry: id) == key)
  }

  @Test(
    arguments: [
      ("https://example.org/a", -1_361_684_847_324_554_766),
      ("http://www.example.org/a/?utm_source=rss", -1_361_684_847_324_554_766),
      ("https://example.org/?p=1#b", 2_761_841_336_677_252_029), ("https://example.org/", nil),
    ] as [(String, Int64?)])
  func `The key of a link is the same in every release`(_ url: String, _ key: Int64?) {
    #expect(PreparedPage.key(ofLink: url) == key)
  }
}
