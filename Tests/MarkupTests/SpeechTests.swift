import Markup
import Testing

/// Documents as text for the ear.
struct SpeechTests {
  @Test(arguments: [
    ("<h2>A heading</h2><p>A <b>bold</b> word.", "A heading.\n\nA bold word."),
    // Links have no numbers, and marks of notes are nothing to be heard.
    ("<p>See <a href='https://e.example/'>the page</a> now.", "See the page now."),
    (
      "<p>Text<sup><a href='#n'>1</a></sup> goes on.</p><p id=n>The note <a href='#n'>↩</a></p>",
      "Text goes on.\n\nThe note"
    ),
    ("<ul><li>one<li>two!</ul>", "one.\n\ntwo!"),
    ("<ol start=3><li>a<li>b</ol>", "3. a.\n\n4. b."),
    ("<p>Here <img src='https://e.example/i' alt='a cat'> sits.", "Here a cat sits."),
    ("<p><img src='https://e.example/i' alt='A cat'></p>", "Picture: A cat."),
    ("<p>a</p><p><img src='https://e.example/i'></p><hr><p>b", "a\n\nb"),
    (
      "<table><tr><th>Name<th>Age<tr><td>Ada<td>36<tr><td>Bob<td></table>",
      "Name: Ada, Age: 36.\n\nName: Bob."
    ),
    ("<table><tr><td>a<td>b</table>", "a, b."),
    ("<blockquote><p>said</p></blockquote>", "said"),
  ])
  func `A document is read aloud as sentences`(html: String, text: String) {
    #expect(Markup.document(html: html).spoken == text)
  }

  @Test(arguments: [
    (
      "<h1>Head</h1><figure><img src='https://e.example/i' alt='A cat'></figure><p>A <b>bold</b> word"
        + "<sup><a href='#n'>1</a></sup> of<br>all.</p><p id=n>More.</p>", 300,
      "A bold word of all. More."
    ),
    (
      "<p>Say <math><semantics><msup><mi>x</mi><mn>2</mn></msup><annotation encoding='application/x-tex'>x^2"
        + "</annotation></semantics></math> now.", 300, "Say x² now."
    ),
    (
      "<p>Text<sup>1</sup><span class=sidenote>The note.</span> goes on.", 300,
      "Text¹ [The note.] goes on."
    ),
    ("<p>one two three</p>", 9, "one two"), ("<p>one two three</p>", 7, "one two"),
    ("<p>日本語の文章です</p>", 10, "日本語"), ("<ul><li>one<li>two</ul>", 300, "one. two."),
  ])
  func `The beginning of a document stands for it in one line`(
    html: String, limit: Int, text: String
  ) {
    #expect(Markup.document(html: html).excerpt(limit: limit) == text)
  }
}
