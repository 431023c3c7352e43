internal import News
internal import Screen
internal import Testing

@testable internal import Reader

/// Tags of the open article.
struct TaggingTests {
  private func reading(tags: [String]) throws -> Session {
    var session = Session(Sample.rows(1...5), width: 60, height: 12)
    session.send(keys: "<Enter>")
    try session.articleArrives(html: "<p>Text</p>")
    session.state.article?.page?.article.tags = tags
    return session
  }

  @Test func `The line has the tags that are there, and room for another`() throws {
    var session = try reading(tags: ["later", "two words"])
    session.send(keys: "t")
    #expect(session.lines.last?.hasPrefix("Tags: later; two words;") == true)
  }

  @Test(arguments: [
    ("new<Enter>", [("new", true)]), ("new; new ;; <Enter>", [("new", true)]),
    ("<Enter>", []), ("<C-u>other; work<Enter>", [("later", false), ("other", true)]),
    ("<C-u><Esc>", []),
  ])
  func `Only what changes is told`(_ keys: String, _ changes: [(String, Bool)]) throws {
    var session = try reading(tags: ["later", "work"])
    let effects = session.send(keys: "t" + keys)
    #expect(effects == changes.map { .apply(.setTag([ArticleID(5)], $0.0, $0.1)) })
  }

  @Test func `The article is read once more, and no other`() throws {
    var session = try reading(tags: [])
    #expect(
      session.state.reduce(.tagged([ArticleID(5)]))
        == [.open(ArticleID(5), width: session.state.articleWidth)])
    #expect(session.state.reduce(.tagged([ArticleID(4)])) == [])
  }
}
