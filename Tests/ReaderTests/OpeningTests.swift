internal import News
internal import Screen
internal import Testing

@testable import Reader

/// Files, comments and links of an article, by number, in the background and all at once.
struct OpeningTests {
  private static let sound = Enclosure(
    url: "https://example.org/a.mp3", type: "audio/mpeg", title: "The talk")
  private static let text = Enclosure(url: "https://example.org/a.vtt", role: .transcript)

  private func reading(
    _ html: String = Sample.links(2), files: [Enclosure] = [sound, text],
    comments: String? = "https://example.org/comments"
  ) -> Session {
    var session = Session(Sample.rows(1...5), width: 80, height: 30)
    session.send(keys: "<Enter>")
    var article = Sample.article(ArticleID(5), html: html)
    article.entry.enclosures = files
    article.entry.comments = comments.map { CommentLinks(page: $0, count: 3) }
    let page = ArticlePage(article, width: session.state.articleWidth, clock: session.state.clock)
    _ = session.state.reduce(.article(.arrived(page)))
    return session
  }

  @Test(arguments: [
    ("2<Enter>", Effect.opening(.openLink("https://example.org/l/2"))),
    ("3<Enter>", .opening(.openFile(ArticleID(5), file: 0))),
    ("4<Enter>", .opening(.openFile(ArticleID(5), file: 1))),
    ("5<Enter>", .opening(.openLink("https://example.org/comments"))),
    ("<Tab><Tab><Tab><Enter>", .opening(.openFile(ArticleID(5), file: 0))),
    ("p", .opening(.openFile(ArticleID(5), file: nil))),
    ("qp", .opening(.openFile(ArticleID(5), file: nil))),
    ("w", .opening(.openInBackground(["https://example.org/5"]))),
    ("<Tab>w", .opening(.openInBackground(["https://example.org/l/1"]))),
    ("qw", .opening(.openArticleLink(ArticleID(5), inBackground: true))),
    (
      "<C-o>",
      .opening(
        .openInBackground([
          "https://example.org/l/1", "https://example.org/l/2", "https://example.org/comments",
        ]))
    ),
  ])
  func `Files and comments are numbered after the links, and keys open all of it`(
    _ keys: String, _ effect: Effect
  ) {
    var session = reading()
    #expect(session.send(keys: keys).contains(effect))
    #expect(
      session.lines.contains { $0.contains("[3] + The talk, audio/mpeg") }
        || keys.hasPrefix("q"))
  }

  @Test func `A letter on a file opens the file`() throws {
    var session = reading("<p>no links</p>", files: [Self.sound], comments: nil)
    session.send(keys: "f")
    #expect(session.send(keys: "f") == [.opening(.openFile(ArticleID(5), file: 0))])
  }

  @Test(arguments: [
    (Playback(seconds: 125, duration: 3_600), "audio/mpeg, 1:00:00, played up to 2:05"),
    (Playback(duration: 60, isHeard: true), "audio/mpeg, 1:00, heard"),
  ])
  func `A sound says how far it was played`(_ playback: Playback, _ text: String) {
    var article = Sample.article(ArticleID(5), html: "<p>text</p>")
    article.entry.enclosures = [Self.sound]
    article.playback = [Self.sound.url: playback]
    let page = ArticlePage(article, width: 200, clock: Sample.clock)
    #expect(page.plainText.contains(text))
  }

  @Test func `A file that the text links to has one number`() {
    let session = reading(
      "<p><a href='https://example.org/a.mp3'>listen</a></p>", files: [Self.sound], comments: nil)
    #expect(session.state.article?.linkCount == 1)
    #expect(session.lines.contains { $0.contains("[1] + The talk, audio/mpeg") })
  }

  @Test func `Many links are asked about first`() {
    var session = reading(Sample.links(6))
    #expect(session.send(keys: "<C-o>") == [])
    #expect(session.lines.last?.contains("Open 7 links? y/n") == true)
    guard case .opening(.openInBackground(let urls))? = session.send(keys: "y").first else {
      Issue.record("nothing opens")
      return
    }
    #expect(urls.count == 7)
  }

  @Test func `All addresses are shown whole, its own first`() {
    var session = reading()
    guard case .opening(.showAddresses(let addresses))? = session.send(keys: "<C-a>").first else {
      Issue.record("nothing is shown")
      return
    }
    #expect(
      addresses.map(\.url) == [
        "https://example.org/5", "https://example.org/l/1", "https://example.org/l/2",
        "https://example.org/a.mp3", "https://example.org/a.vtt", "https://example.org/comments",
      ])
    #expect(addresses[1].label == "[1] page 1" && addresses[3].label == "[3] The talk")
  }

  @Test func `Of several files the one to open is chosen`() {
    var session = reading()
    _ = session.state.reduce(
      .opening(.filesFound(ArticleID(5), title: "Two", [Self.sound, Self.sound], for: .open)))
    #expect(session.lines.last?.contains("Enter open") == true)
    #expect(session.send(keys: "j<Enter>") == [.opening(.openFile(ArticleID(5), file: 1))])
  }

  @Test func `Printed for a pipe, nothing has a number that no key opens`() {
    var article = Sample.article(ArticleID(5), html: "<p>text</p>")
    article.entry.enclosures = [Self.sound]
    let page = ArticlePage(article, width: 80, clock: Sample.clock, standsAlone: true)
    #expect(page.plainText.contains("\n+ https://example.org/a.mp3"))
  }
}
