internal import Foundation
internal import Markup
internal import News
internal import Screen
internal import Testing

@testable import Reader

/// The first lines of a long article, which show before the rest is laid out.
struct BeginningTests {
  private static let html = Sample.paragraphs(400)

  private func setting(
    _ html: String = html, width: Int = 60, place: ReadingPosition? = nil
  ) -> ArticleSetting {
    let article = Sample.article(ArticleID(5), html: html, place: place)
    return ArticleSetting(article, width: width, clock: Sample.clock)
  }

  private func opened(place: ReadingPosition? = nil) throws -> (Session, whole: ArticlePage) {
    var session = Session(Sample.rows(1...5), width: 60, height: 12)
    session.send(keys: "<Enter>")
    var setting = setting(place: place)
    let first = setting.beginning()
    let beginning = try #require(first)
    _ = session.state.reduce(.article(.arrived(beginning)))
    return (session, setting.whole())
  }

  @Test(arguments: ["articles", "typesetting"], [80, 40])
  func `An article begins with the lines of its beginning, wherever that ends`(
    folder: String, width: Int
  ) throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: ArticleLayoutTests.fixtures.deletingLastPathComponent().appending(path: folder),
      includingPropertiesForKeys: nil)
    var beginnings = 0
    for file in files where file.pathExtension == "html" {
      let html = try String(contentsOf: file, encoding: .utf8)
      let article = ArticlePage(
        Sample.article(ArticleID(5), html: html), width: width, clock: Sample.clock)
      for lines in 1...40 {
        var setting = setting(html, width: width)
        guard let beginning = setting.beginning(lines: lines) else { break }
        beginnings += 1
        #expect(beginning.lines == Array(article.lines.prefix(beginning.lines.count)))
        #expect(beginning.isBeginning && beginning.lines.count < article.lines.count)
        #expect(setting.whole() == article)
      }
    }
    #expect(beginnings > 40)
  }

  @Test func `A short article has no beginning of its own`() throws {
    var setting = setting(Sample.paragraphs(20))
    #expect(setting.beginning() == nil)
    #expect(setting.whole().isBeginning == false)
  }

  /// Nothing moves when the rest comes, and what went beyond the beginning gets there.
  @Test(arguments: ["", "j", "<Space><Space>", "G", "Gk", "Gg", "GGjj"])
  func `Keys that are pressed before the rest is there do what they do then`(keys: String) throws {
    var (session, whole) = try opened()
    session.send(keys: keys)
    let before = session.lines
    _ = session.state.reduce(.article(.arrived(whole)))
    var other = Session(Sample.rows(1...5), width: 60, height: 12)
    other.send(keys: "<Enter>")
    _ = other.state.reduce(.article(.arrived(whole)))
    other.send(keys: keys)
    #expect(session.lines == other.lines)
    #expect(session.state.article?.place == other.state.article?.place)
    // But for what is said of the place in it.
    let text = (session.lines.dropFirst().dropLast(), before.dropFirst().dropLast())
    if !keys.contains("G") { #expect(text.0 == text.1) }
  }

  @Test func `The end of a beginning is not the end of the article`() throws {
    var session = try opened().0
    session.send(keys: "G")
    #expect(session.state.article?.isAtEnd == false)
    session.send(keys: "<Space>")
    #expect(session.state.article?.id == ArticleID(5))
  }

  @Test func `What is to open beyond the beginning waits for the whole`() throws {
    let place = ReadingPosition(block: 300, offset: 0)
    var (session, whole) = try opened(place: place)
    #expect(session.state.article?.page == nil)
    _ = session.state.reduce(.article(.arrived(whole)))
    #expect(session.state.article?.place == place)
    #expect((session.state.article?.top ?? 0) > ArticleSetting.firstLines)
  }

  @Test func `A beginning that comes late changes nothing`() throws {
    var (session, whole) = try opened()
    _ = session.state.reduce(.article(.arrived(whole)))
    var setting = setting()
    let first = setting.beginning()
    let beginning = try #require(first)
    _ = session.state.reduce(.article(.arrived(beginning)))
    #expect(session.state.article?.page == whole)
  }
}
