internal import Foundation
internal import News
internal import Screen
internal import Testing

@testable internal import Reader

/// Reading an article aloud, and saving it in other formats.
struct ReadingAloudTests {
  @Test func `A key begins to read the selected article aloud, and the same key stops it`() {
    var session = Session(Sample.rows(1...5))
    let begun = session.send(keys: "!")
    #expect(begun.first == .article(.readAloud(ArticleID(5))))
    session.state.notice = nil
    #expect(session.lines.last?.contains("reading aloud") == true)
    // Wherever the user is meanwhile.
    let stopped = session.send(keys: "jj!")
    #expect(stopped.contains(.cancel(.article(.speech))))
    #expect(!stopped.contains { if case .article(.readAloud) = $0 { true } else { false } })
    session.state.notice = nil
    #expect(session.lines.last?.contains("reading aloud") == false)
    #expect(session.send(keys: "!").contains(.article(.readAloud(ArticleID(3)))))
  }

  @Test func `The end of one that was stopped says nothing, and an error is told`() {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "!")
    _ = session.state.reduce(.article(.speechEnded(ArticleID(4), nil)))
    #expect(session.state.spoken == ArticleID(5))
    let error = SourceError(
      .program, stage: .config, subject: "", message: "there is no program to read aloud with")
    _ = session.state.reduce(.article(.speechEnded(ArticleID(5), error)))
    #expect(session.state.spoken == nil)
    #expect(session.lines.last?.contains("There is no program to read aloud with") == true)
    #expect(Session([]).state.spoken == nil)
    var empty = Session([])
    empty.send(keys: "!")
    #expect(empty.state.spoken == nil)
  }

  @Test func `What is heard is the title, the authors and the text, in the language of the feed`() {
    var entry = Entry(
      id: "1", title: "A title", authors: [Author("Ada")],
      contentHTML: "<p>See <a href='https://e.example/'>this</a>.</p>")
    entry.language = "de-AT"
    var article = Article(
      id: ArticleID(1), feedID: FeedID(1), feedTitle: "Feed", entry: entry,
      status: ArticleStatus(), position: TimelinePosition(date: 1, id: 1))
    let spoken = SpokenArticle(article)
    #expect(spoken.text == "A title.\n\nAda.\n\nSee this.")
    #expect(spoken.language == "de")
    article.entry.language = nil
    #expect(SpokenArticle(article, language: "EN_us").language == "en")
    for language in ["", "-x", "d;e", "deutsch"] {
      article.entry.language = language
      #expect(SpokenArticle(article).language == nil)
    }
  }

  @Test func `Tab changes the format that an article is saved in`() {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "<C-s>")
    func path() -> String? { session.lines.last.map(String.init) }
    #expect(path()?.contains(".txt") == true)
    for ending in [".html", ".epub", ".md", ".txt"] {
      session.send(keys: "<Tab>")
      #expect(path()?.contains(ending) == true, "\(ending)")
    }
    session.send(keys: "<S-Tab>")
    #expect(path()?.contains(".md") == true)
    #expect(ArticleExport.path("~/notes", step: 1) == "~/notes.txt")
  }
}
