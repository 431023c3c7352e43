internal import News
internal import Testing

@testable internal import Store

/// Pieces of texts around words that were looked for.
struct SnippetTests {
  private func marked(_ text: String, _ typed: String) -> String? {
    SnippetFinder(SoughtWords.all(in: typed)).snippet(of: text)?.parts
      .map { $0.isHit ? "[\($0.text)]" : $0.text }.joined()
  }

  @Test(arguments: [
    ("One needle here", "needle", "One [needle] here"),
    // Case and accents do not count, and the last word may be a beginning.
    ("Ein Café in CAFETERIA", "cafe", "Ein [Café] in [CAFE]TERIA"),
    // Only the last one.
    ("catalogue of cats", "cat cats", "catalogue of [cats]"),
    (
      "actor model, not the model of an actor", "\"actor model\"",
      "[actor model], not the model of an actor"
    ),
    ("a1 b2", "b2", "a1 [b2]"),
    ("two\n\nlines  of\ttext", "lines", "two [lines] of text"),
  ])
  func `The words are marked`(_ text: String, _ typed: String, _ expected: String) {
    #expect(marked(text, typed) == expected)
  }

  @Test func `A long text is cut around the first of the words`() throws {
    let text =
      String(repeating: "before ", count: 100) + "needle" + String(repeating: " after", count: 100)
    let line = try #require(marked(text, "needle"))
    #expect(line.hasPrefix("… before"))
    #expect(line.contains("[needle] after"))
    #expect(line.count < 230)
    #expect(marked("nothing of it", "needle") == nil)
    #expect(marked("needles", "\"needle\"") == nil)
    #expect(SoughtWords.all(in: "- \" ,").isEmpty)
  }

  @Test(arguments: ["", " \n"])
  func `An article whose title is blank is called by its text, else by its address`(
    _ title: String
  ) async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let url = "https://example.org/b"
    try await test.merge(
      [
        linked("a", nil, title: title, at: -1, content: "<p>The first line.</p><p>More.</p>"),
        linked("b", url, title: title, at: -2),
      ], into: feed)
    let titles = try await test.rows(TimelineQuery(.feed(feed))).compactMap { row -> String? in
      if case .article(let article) = row { article.title } else { nil }
    }
    #expect(titles == ["The first line. More.", url])
    #expect(try await test.articles(feed).map(\.entry.title) == [nil, nil])
  }

  @Test func `A slice has snippets for its texts and none for titles`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    try await test.merge(
      [
        Entry(id: "1", title: "Plain", contentHTML: "<p>some <b>needle</b> in it</p>"),
        Entry(id: "2", title: "A needle", contentHTML: "<p>nothing</p>"),
        Entry(id: "3", title: "Else", contentHTML: "<p>nothing</p>"),
      ], into: feed)
    for timeline in [
      Timeline.search("needle"), .matching(try ArticleQuery("needle -else"), in: .feed(feed)),
    ] {
      let query = TimelineQuery(timeline)
      let (slice, snippets) = try await test.store.view { view in
        let slice = try view.timeline.slice(query)
        return (slice, try view.search.snippets(of: slice, for: query))
      }
      #expect(slice.rows.count == 2)
      #expect(snippets.values.map { $0.parts.filter(\.isHit).map(\.text) } == [["needle"]])
    }
    let all = TimelineQuery(.all)
    #expect(
      try await test.store.view {
        try $0.search.snippets(of: $0.timeline.slice(all), for: all).isEmpty
      })
  }
}
