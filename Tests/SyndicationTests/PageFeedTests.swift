import Foundation
import Markup
import News
import Testing

@testable import Syndication

/// Articles of pages and of JSON documents, and changes of pages.
@Suite struct PageFeedTests {
  private static let page = """
    <html><head><title>News of a village</title></head><body>
    <nav><a href="/">home</a></nav>
    <div class=item><h3>One</h3><a href="/1.html">more</a><time datetime="2026-03-09T07:05:00Z">today</time>
      <p>First <i>text</i></div>
    <div class=item><a href="2.html">Two</a><span class=when>8 March 2026</span><p class=body>Second</div>
    <div class=item>Nothing but a text</div></body></html>
    """

  private func read(
    _ entries: String, _ fields: [PageMapping.Field: String] = [:]
  ) throws -> ParsedFeed {
    try PageFeedReader.read(
      Array(Self.page.utf8),
      by: PageMapping(entries: Selector(entries), fields: fields.mapValues(Selector.init)),
      contentType: "text/html; charset=utf-8", url: "https://example.org/news/")
  }

  @Test func `Title, link, date and text are where pages have them`() throws {
    let feed = try read("div.item")
    #expect(feed.description.title == "News of a village" && feed.description.format == .page)
    #expect(feed.entries.map(\.title) == ["One", "Two", "Nothing but a text"])
    #expect(
      feed.entries.map(\.url) == [
        "https://example.org/1.html", "https://example.org/news/2.html", nil,
      ])
    #expect(
      feed.entries.map(\.published) == [Date(timeIntervalSince1970: 1_773_039_900), nil, nil])
    #expect(feed.entries[0].id == "https://example.org/1.html")
    #expect(feed.entries[0].contentHTML?.contains("First <i>text</i>") == true)
    #expect(feed.entries[0].contentHTML?.contains("https://example.org/1.html") == true)
    // What has no link is known by its text.
    #expect(!feed.entries[2].id.isEmpty)
    #expect(try read("div.item").entries == feed.entries)
    #expect(feed.warnings == [])
  }

  @Test func `Selectors name other places, and one that finds nothing anywhere is told`() throws {
    let feed = try read(
      "div.item", [.date: ".when", .text: "p.body", .title: "a", .link: "a.no"])
    #expect(feed.entries.map(\.title) == ["more", "Two", "Nothing but a text"])
    #expect(feed.entries.map(\.url) == [nil, nil, nil])
    #expect(feed.entries[1].published == Date(timeIntervalSince1970: 1_772_928_000))
    #expect(feed.entries[1].contentHTML == #"<p class="body">Second</p>"#)
    #expect(feed.warnings == ["No article has a link at “a.no”."])
  }

  @Test func `A link may be what is selected itself`() throws {
    let feed = try read("div.item a[href]")
    #expect(feed.entries.map(\.title) == ["more", "Two"])
    #expect(feed.entries.map(\.url).allSatisfy { $0 != nil })
  }

  @Test func `A page on which nothing is found is an error that says why`() {
    let error = #expect(throws: SourceError.self) { try read("div.post") }
    #expect(error?.line.contains("“div.post”: it may have changed") == true, "\(error?.line ?? "")")
    #expect(error?.message.contains("News of a village") == true)
  }

  // MARK: JSON

  private func json(
    _ text: String, items: String?, _ fields: [GraphQLMapping.Field: String]
  ) throws -> ParsedFeed {
    try GraphQLReader.read(
      Array(text.utf8),
      by: JSONMapping(
        items: items.map { try GraphQLPath($0) }, fields: fields.mapValues { try GraphQLPath($0) }),
      url: "https://example.org/api")
  }

  @Test func `A JSON document is read by paths`() throws {
    let item = #"{"name":"One","at":{"href":"/1"},"when":"2026-03-09T07:05:00Z","tags":["a","b"]}"#
    let fields: [GraphQLMapping.Field: String] = [
      .title: "name", .url: "at.href", .published: "when", .category: "tags[*]",
    ]
    for (text, items) in [
      (#"{"data":{"posts":[\#(item)]}}"#, "data.posts"), ("[\(item)]", nil),
      (#"{"groups":[{"posts":[\#(item)]},{"posts":[]}]}"#, "groups[0].posts"),
    ] {
      let feed = try json(text, items: items, fields)
      #expect(feed.entries.map(\.title) == ["One"] && feed.description.format == .page)
      #expect(feed.entries.first?.url == "https://example.org/1")
      #expect(feed.entries.first?.published == Date(timeIntervalSince1970: 1_773_039_900))
      #expect(feed.entries.first?.categories.map(\.name) == ["a", "b"])
    }
  }

  @Test(arguments: [
    (#"{"a":[]}"#, "a", "no articles in a"), (#"{"a":[{}]}"#, "b", "has no b; it has: a"),
    (#"{"a":1}"#, "a", "“a” is a number, not a list"), (#"{"a":null}"#, "a", "“a” is null"),
    ("<html>", "a", "no JSON"), (#"{"a":[1]}"#, "a", "not an object"),
    (#"{"a":[{"x":1}]}"#, "a", "has no name; it has: x"), (#"{"a":[]}"#, nil, "no list; it has: a"),
  ])
  func `A document that has another form is an error that says what there is`(
    text: String, items: String?, told: String
  ) {
    let error = #expect(throws: SourceError.self) {
      try json(text, items: items, [.title: "name"])
    }
    #expect(error?.line.contains(told) == true, "\(error?.line ?? "")")
  }

  // MARK: Watching

  private func look(_ watch: PageWatch, _ html: String) throws -> PageWatch.Look? {
    try watch.look(
      at: Array(html.utf8), contentType: "text/html", url: "https://example.org/terms",
      now: Date(timeIntervalSince1970: 1_773_039_900), date: "2026-03-09 07:05")
  }

  @Test func `Each change of the text is an article that shows it`() throws {
    func page(_ lines: String...) -> String {
      "<title>Terms</title><script>\(lines)</script>"
        + lines.map { "<p class='\(lines.count)'>\($0)</p>" }.joined()
    }
    let first = try #require(try look(PageWatch(), page("one", "two", "three", "four", "a &lt; b")))
    #expect(first.feed.entries.map(\.title) == ["Terms: watching begins, 2026-03-09 07:05"])
    #expect(first.feed.entries[0].contentHTML?.contains("<p>two</p>") == true)
    #expect(first.watch.lines == ["one", "two", "three", "four", "a < b"])
    // Other markup, the same text.
    #expect(
      try look(first.watch, "<div>one<br>two</div><i>three</i><ul><li>four<li>a &lt; b</ul>") == nil
    )
    let second = try #require(
      try look(first.watch, page("one", "2 & more", "three", "four", "a < b", "six")))
    #expect(second.feed.entries.map(\.title) == ["Terms, 2026-03-09 07:05"])
    #expect(
      second.feed.entries[0].contentHTML
        == "<p>one</p><p><del>− two</del></p><p><ins>+ 2 &amp; more</ins></p><p>three</p><hr>"
        + "<p>a &lt; b</p><p><ins>+ six</ins></p>")
    #expect(second.feed.entries[0].id != first.feed.entries[0].id)
    // Within one second as well: articles of one link and one date would be one.
    let third = try #require(try look(second.watch, page("one")))
    let dates = [first, second, third].map { $0.feed.entries[0].published }
    #expect(Set(dates).count == 3, "\(dates)")
    // As it is kept with the feed.
    let kept = try JSONDecoder().decode(PageWatch.self, from: JSONEncoder().encode(second.watch))
    #expect(kept == second.watch)
  }

  @Test func `Only what is selected is watched, and a page without it is an error`() throws {
    let watch = PageWatch(selector: try Selector("#price"))
    let first = try #require(try look(watch, "<p>ad 1</p><b id=price>10</b>"))
    #expect(first.watch.lines == ["10"])
    #expect(try look(first.watch, "<p>ad 2</p><b id=price>10</b>") == nil)
    #expect(try look(first.watch, "<p>ad 2</p><b id=price>11</b>")?.watch.lines == ["11"])
    #expect(throws: SourceError.self) { try look(first.watch, "<p>moved</p>") }
    #expect(throws: SourceError.self) { try look(PageWatch(), "<script>x</script>") }
  }
}
