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
    ("new<Enter>", ["new"], []), ("new; new ;; <Enter>", ["new"], []), ("<Enter>", [], []),
    ("<C-u>other; work<Enter>", ["other"], ["later"]), ("<C-u><Esc>", [], []),
  ])
  func `Only what changes is told, at once`(
    _ keys: String, _ added: [String], _ removed: [String]
  ) throws {
    var session = try reading(tags: ["later", "work"])
    let effects = session.send(keys: "t" + keys)
    let change = Effect.apply(.changeTags([ArticleID(5)], added: added, removed: removed))
    #expect(effects == (added.isEmpty && removed.isEmpty ? [] : [change]))
  }

  /// Labels of servers may be called anything.
  @Test(arguments: [
    ("new<Enter>", ["new"], [] as [String]), ("<C-u>a; b<Enter>", [], ["work"]),
    ("<C-u>work<Enter>", [], ["a; b"]), ("<C-u>a; bc; work<Enter>", ["a", "bc"], ["a; b"]),
  ])
  func `A tag that is there may hold the separator`(
    _ keys: String, _ added: [String], _ removed: [String]
  ) throws {
    var session = try reading(tags: ["a; b", "work"])
    #expect(
      session.send(keys: "t" + keys)
        == [.apply(.changeTags([ArticleID(5)], added: added, removed: removed))])
  }

  @Test func `The article is read once more, and no other`() throws {
    var session = try reading(tags: [])
    #expect(
      session.state.reduce(.marks(.tagged([ArticleID(5)])))
        == [.article(.open(ArticleID(5), width: session.state.articleWidth))])
    #expect(session.state.reduce(.marks(.tagged([ArticleID(4)]))) == [])
  }
}
