import Foundation
import News
import Screen
import Testing

@testable import Reader

/// The article of an article's page in the place of what its feed says.
struct FullTextTests {
  private static let id = ArticleID(5)

  private func article(_ fullText: FullText? = nil, url: String? = "https://example.org/page")
    -> Article
  {
    var article = Sample.article(Self.id, html: "<p>What the feed says.</p>")
    article.entry.url = url
    article.fullText = fullText
    return article
  }

  private func text(isShown: Bool = true) -> FullText {
    FullText(
      url: "https://example.org/page", html: "<p>What the page says, in whole.</p>", pages: 2,
      fetched: Date(timeIntervalSince1970: 1_700_000_000), isShown: isShown)
  }

  private func page(_ article: Article, in session: Session) -> ArticlePage {
    ArticlePage(article, width: session.state.articleWidth, clock: session.state.clock)
  }

  /// An article that is open.
  private func reading(_ article: Article) -> Session {
    var session = Session(Sample.rows(1...5), width: 60, height: 12)
    session.send(keys: "<Enter>")
    let page = page(article, in: session)
    _ = session.state.reduce(.article(.arrived(page)))
    return session
  }

  private func shown(_ session: Session) -> String { session.lines.joined(separator: "\n") }

  @Test func `A key fetches the full text, marks it as such, and goes back and forth`() {
    var session = reading(article())
    let width = session.state.articleWidth
    #expect(session.send(keys: "F").first == .article(.showFullText(Self.id, width: width)))
    #expect(shown(session).contains("Fetching the full text from example.org"))
    #expect(shown(session).contains("What the feed says."))
    let full = page(article(text()), in: session)
    #expect(session.state.reduce(.article(.fullTextArrived(full))) == [])
    #expect(shown(session).contains("What the page says, in whole."))
    #expect(shown(session).contains("full text · example.org · 2 pages"))
    #expect(!shown(session).contains("fetching"))
    #expect(session.send(keys: "F") == [.article(.showFeedText(Self.id, width: width))])
    let back = page(article(text(isShown: false)), in: session)
    _ = session.state.reduce(.article(.arrived(back)))
    #expect(shown(session).contains("What the feed says."))
    #expect(!shown(session).contains("full text ·"))
    // It is stored: nothing is fetched, and nothing is said of that.
    #expect(session.send(keys: "F") == [.article(.showFullText(Self.id, width: width))])
    #expect(!shown(session).contains("fetching"))
  }

  @Test func `Where it cannot be had the feed's text stays, and the reason is told`() {
    var session = reading(article())
    session.send(keys: "F")
    let error = SourceError(
      .decoding, stage: .parse, subject: "example.org",
      message: "the page shows the whole article to subscribers only")
    _ = session.state.reduce(.article(.fullTextFailed(Self.id, error)))
    #expect(session.state.notice?.text.contains("subscribers only") == true)
    #expect(shown(session).contains("What the feed says."))
    session = reading(article(url: nil))
    #expect(
      !session.send(keys: "F").contains {
        if case .article(.showFullText) = $0 { true } else { false }
      })
    #expect(session.state.notice?.text.contains("has no link to a page") == true)
  }

  @Test func `Leaving the article ends what is on its way`() {
    var session = reading(article())
    session.send(keys: "F")
    #expect(session.send(keys: "q").contains(.cancel(.article(.fullText))))
    let late = page(article(text()), in: session)
    #expect(session.state.reduce(.article(.fullTextArrived(late))) == [])
    #expect(!shown(session).contains("in whole"))
    session = reading(article())
    session.send(keys: "F")
    #expect(session.send(keys: "J").contains(.cancel(.article(.fullText))))
  }

  @Test func `In the list the key opens the article and asks for its full text`() {
    var session = Session(Sample.rows(1...5), width: 60, height: 12)
    let effects = session.send(keys: "F")
    let width = session.state.articleWidth
    #expect(effects.contains(.article(.open(Self.id, width: width))))
    let first = page(article(), in: session)
    #expect(
      session.state.reduce(.article(.arrived(first))).first
        == .article(.showFullText(Self.id, width: width)))
    // One that is shown already is not asked for.
    session = Session(Sample.rows(1...5), width: 60, height: 12)
    session.send(keys: "F")
    let full = page(article(text()), in: session)
    #expect(session.state.reduce(.article(.arrived(full))) == [])
    #expect(shown(session).contains("in whole"))
  }

  @Test func `A place in one text is none in the other`() {
    let long = String(repeating: "<p>A line of it.</p>", count: 60)
    var session = Session(Sample.rows(1...5), width: 60, height: 12)
    session.send(keys: "<Enter>")
    var article = article()
    article.entry.contentHTML = long
    _ = session.state.reduce(.article(.arrived(page(article, in: session))))
    session.send(keys: "jjjjjjjjjj")
    #expect(session.state.article?.place != nil)
    article.fullText = text()
    session.send(keys: "F")
    _ = session.state.reduce(.article(.fullTextArrived(page(article, in: session))))
    #expect(session.state.article?.place == nil && session.state.article?.top == 0)
  }

  @Test func `A key saves the page of the selected link, and without one the article for later`() {
    var session = Session(Sample.rows(1...5), width: 60, height: 12)
    session.send(keys: "<Enter>")
    var article = article()
    article.entry.contentHTML = "<p><a href='https://example.com/there'>there</a></p>"
    _ = session.state.reduce(.article(.arrived(page(article, in: session))))
    #expect(session.send(keys: "<Tab>B").first == .article(.savePage("https://example.com/there")))
    _ = session.state.reduce(.article(.pageSaved("https://example.com/there", nil)))
    #expect(session.state.notice?.text == "example.com/there is in Later.")
    #expect(session.send(keys: "<Esc>B") == [.apply(.setLater([Self.id], nil))])
  }
}
