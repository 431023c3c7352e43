import Foundation
import News
import Syndication
import Testing

/// Articles as documents.
@Suite struct ArticleWriterTests {
  private func article(_ entry: Entry, feed: String = "Feed", tags: [String] = []) -> WrittenArticle
  {
    let row = ArticleRow(
      id: ArticleID(7), feedID: FeedID(1), feedTitle: feed, title: entry.title ?? "Untitled",
      status: ArticleStatus(isRead: true, isStarred: true),
      position: TimelinePosition(date: 1_773_039_900, id: 7))
    return WrittenArticle(
      ListedArticle(
        row: row, entry: entry, feedURL: "https://feed.example/rss", tags: tags,
        arrived: Date(timeIntervalSince1970: 1_773_039_900)),
      html: "<p>Body</p>\n", markdown: "Body")
  }

  private func document(_ writer: some ArticleWriter, _ articles: [WrittenArticle]) -> String {
    let list = WrittenList(title: "A & <b>", updated: Date(timeIntervalSince1970: 1_773_039_900))
    var text = writer.beginning(of: list)
    if writer.hasContents {
      text += articles.map(writer.contents).joined() + writer.endOfContents
    }
    return text + articles.map(writer.text).joined() + writer.end
  }

  private let hostile: Entry = {
    var entry = Entry(
      id: "]]>\"'<&", url: "https://e.example/?a=1&b=\"<", title: "]]> </title> & \"x\" <y>",
      authors: [Author("A & \"b\"", email: "a@e.example", url: "javascript:x"), Author("Second")],
      published: Date(timeIntervalSince1970: 1_700_000_000),
      contentHTML: "<p>]]>\u{FFFE} & &amp;</p>\n\t",
      summary: "</summary>",
      enclosures: [
        Enclosure(url: "https://e.example/\"a.mp3", type: "audio/mpeg", length: 5),
        Enclosure(url: "javascript:alert(1)", type: "audio/mpeg"),
      ],
      categories: [Category("\"c\"", label: "<l>", scheme: "https://s.example/?a&b")])
    entry.language = "\"><x"
    entry.rights = "©<"
    return entry
  }()

  @Test func `An Atom document of hostile texts says what was put in`() throws {
    let text = document(AtomWriter(), [article(hostile)])
    let feed = try FeedParser.parse(Array(text.utf8))
    #expect(feed.warnings == [] && feed.description.title == "A & <b>")
    let entry = try #require(feed.entries.first)
    #expect(entry.title == hostile.title && entry.url == "https://e.example/?a=1&b=%22%3C")
    #expect(entry.authors.map(\.name) == ["A & \"b\"", "Second"])
    #expect(entry.authors.first?.url == nil && entry.authors.first?.email == "a@e.example")
    #expect(entry.contentHTML?.hasPrefix("<p>]]> & &amp;</p>") == true)
    #expect(entry.summary == "</summary>")
    #expect(entry.enclosures.map(\.length) == [5])
    #expect(entry.categories == hostile.categories)
    #expect(entry.published == hostile.published && entry.rights == hostile.rights)
    #expect(entry.id.hasPrefix("urn:uuid:") && entry.id.count == 45)
    #expect(entry.source?.feedURL == "https://feed.example/rss")
  }

  @Test func `Two articles have two ids, the same one always its own`() {
    let (one, other) = (article(Entry(id: "1")), article(Entry(id: "2")))
    let ids = document(AtomWriter(), [one, other]).matches(of: /<id>(urn:uuid:[^<]*)<\/id>/)
      .map { String($0.1) }
    #expect(ids.count == 3 && Set(ids).count == 3)
    #expect(document(AtomWriter(), [other]).contains(ids[2]))
  }

  @Test func `An entry without page and text has an empty content`() {
    let text = document(AtomWriter(), [article(Entry(id: "1"))])
    #expect(
      text.contains("<content type=\"html\"></content>") && !text.contains("rel=\"alternate\""))
    #expect(text.contains("<author><name>Feed</name></author>"))
  }

  @Test func `A page of hostile texts has no element of theirs`() {
    let page = document(PageWriter(), [article(hostile, feed: "<f>")])
    #expect(
      page.contains("<h2><a href=\"https://e.example/?a=1&amp;b=&quot;&lt;\">]]&gt; &lt;/title&gt;")
    )
    #expect(page.contains("<a href=\"#a7\">") && page.contains("<article id=\"a7\">"))
    #expect(!page.contains("javascript:") && !page.contains("<x") && !page.contains("<y>"))
    #expect(page.contains("&lt;f&gt; · A &amp; &quot;b&quot;, Second · 2023-11-14 22:13 UTC"))
  }

  @Test func `A message has headers of ASCII, and lines that begin like one are encoded`() {
    var message = article(
      Entry(
        id: "1", url: "https://e.example/1",
        title: "Ünï\ncode =?utf-8?Q?x?= " + String(repeating: "語", count: 60),
        authors: [Author("A\"b\\ <c>", email: "x@y\nBcc: z@e.example")],
        published: Date(timeIntervalSince1970: 1_700_000_000)),
      tags: ["a, b", "ö"])
    message.markdown =
      "From here\nFrom there = \u{E9} \n.\n" + String(repeating: "From ", count: 40)
    let text = document(MailboxWriter(), [message, message])
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count { $0.hasPrefix("From ") } == 2)
    #expect(lines.allSatisfy { $0.utf8.count <= 78 })
    #expect(lines[0] == "From telex@localhost Tue Nov 14 22:13:20 2023")
    #expect(text.contains("\nDate: Tue, 14 Nov 2023 22:13:20 +0000\n"))
    // A lone dot would end what a mailer reads.
    #expect(text.contains("\n=2E\n"))
    #expect(text.contains("\n=46rom here\n=46rom there =3D =C3=A9=20\n"))
    #expect(!text.contains("\nBcc:") && text.contains("<unknown@telex.invalid>"))
    #expect(text.contains("\nStatus: RO\nX-Status: F\n"))
    #expect(text.contains("@feed.example>\n"))
  }
}
