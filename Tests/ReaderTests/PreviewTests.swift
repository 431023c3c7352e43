internal import News
internal import Screen
internal import Testing

@testable import Reader

/// The selected article in its pane, before it is opened.
struct PreviewTests {
  /// A page of an article at the width that it was asked for with.
  private func page(_ id: Int64, in session: Session, html: String = "<p>Its text.</p>")
    -> ArticlePage
  {
    ArticlePage(
      Sample.article(ArticleID(id), html: html), width: session.state.articleWidth,
      clock: session.state.clock)
  }

  private func session(
    _ size: Size = Size(width: 200, height: 40), change: (inout ReaderSettings) -> Void = { _ in }
  ) -> Session {
    var settings = ReaderSettings()
    change(&settings)
    return Session(
      Sample.rows(1...9), width: size.width, height: size.height, settings: settings)
  }

  @Test(arguments: [Size(width: 200, height: 40), Size(width: 120, height: 34)])
  func `The selected article shows once it has been read, and stays unread`(_ size: Size) throws {
    var session = session(size)
    let effects = session.send(keys: "j")
    let id = try #require(session.selected)
    #expect(effects == [.article(.preview(ArticleID(id), width: session.state.articleWidth))])
    #expect(session.state.reduce(.article(.arrived(page(id, in: session)))) == [])
    #expect(session.lines.contains { $0.contains("Its text.") })
    #expect(session.state.focus == .list)
    #expect(session.state.article?.status?.isRead == false)
    #expect(session.send(keys: "j").count == 1)
    // It stays until the next one is there.
    #expect(session.lines.contains { $0.contains("Its text.") })
  }

  @Test func `An article that comes after the selection has gone on is not shown`() throws {
    var session = session()
    session.send(keys: "j")
    let passed = try #require(session.selected)
    session.send(keys: "j")
    #expect(session.state.reduce(.article(.arrived(page(passed, in: session)))) == [])
    #expect(session.state.article == nil)
  }

  @Test(arguments: ["<Enter>", "<Tab>", "n"])
  func `With the focus it is opened, and marked as read`(_ key: String) throws {
    var session = session()
    let id = try #require(session.selected)
    _ = session.state.reduce(.article(.arrived(page(id, in: session))))
    let effects = session.send(keys: key)
    #expect(session.state.focus == .article)
    #expect(session.state.article?.id == ArticleID(id))
    #expect(effects.contains(.apply(.mark([ArticleID(id)], .read(true), isUndoable: false))))
    // Its text is there already.
    #expect(!effects.contains { if case .article(.open) = $0 { true } else { false } })
    #expect(session.lines.contains { $0.contains("Its text.") })
  }

  @Test func `Only an article that was opened keeps how far it was read`() throws {
    var session = session()
    let id = try #require(session.selected)
    let long = String(repeating: "<p>Line</p>", count: 200)
    _ = session.state.reduce(.article(.arrived(page(id, in: session, html: long))))
    session.mouse(.wheelDown, x: 180, y: 20)
    session.send(keys: "j")
    let next = try #require(session.selected)
    #expect(session.state.reduce(.article(.arrived(page(next, in: session)))) == [])
    session.send(keys: "k")
    _ = session.state.reduce(.article(.arrived(page(id, in: session, html: long))))
    session.send(keys: "<Enter><Space>")
    let effects = session.send(keys: "q")
    #expect(
      effects.contains {
        if case .article(.keepPlace(ArticleID(id), _?)) = $0 { true } else { false }
      })
  }

  @Test func `An article that cannot be read says so in its pane`() throws {
    var session = session()
    let id = try #require(session.selected)
    _ = session.state.reduce(.article(.failed(ArticleID(id), Sample.unavailable)))
    #expect(session.state.article?.error == Sample.unavailable)
    // Enter tries again.
    #expect(
      session.send(keys: "<Enter>").contains {
        if case .article(.open) = $0 { true } else { false }
      })
  }

  @Test func `Where it is not wished for, or has no place, nothing is asked for`() {
    var off = session { $0.previews = false }
    #expect(off.send(keys: "jjk") == [])
    var narrow = session(Size(width: 110, height: 40))
    #expect(narrow.send(keys: "jjk") == [])
  }

  @Test func `A list without articles has no article beside it`() throws {
    var session = session()
    let id = try #require(session.selected)
    _ = session.state.reduce(.article(.arrived(page(id, in: session))))
    session.arrive([])
    #expect(session.state.article == nil)
  }

  @Test func `A smaller screen takes it away, a larger one brings it back`() throws {
    var session = session()
    let id = try #require(session.selected)
    _ = session.state.reduce(.article(.arrived(page(id, in: session))))
    _ = session.state.reduce(.resized(Size(width: 80, height: 24)))
    #expect(session.state.article == nil)
    let effects = session.state.reduce(.resized(Size(width: 200, height: 40)))
    #expect(effects == [.article(.preview(ArticleID(id), width: session.state.articleWidth))])
  }

  @Test func `After the time of the setting it is marked as read, if it still shows`() throws {
    var session = session { $0.secondsUntilRead = 3 }
    let id = try #require(session.selected)
    let article = ArticleID(id)
    #expect(
      session.state.reduce(.article(.arrived(page(id, in: session))))
        == [.remind(.looked(article), afterMilliseconds: 3_000)])
    var gone = session
    gone.send(keys: "j")
    let next = try #require(gone.selected)
    _ = gone.state.reduce(.article(.arrived(page(next, in: gone))))
    #expect(gone.state.reduce(.reminded(.looked(article))) == [])
    #expect(
      session.state.reduce(.reminded(.looked(article)))
        == [.apply(.mark([article], .read(true), isUndoable: false))])
  }

  @Test func `What was asked for before the reader had started is asked for again`() throws {
    var session = session()
    let id = try #require(session.selected)
    let effects = session.state.reduce(.started)
    #expect(effects.contains(.article(.preview(ArticleID(id), width: session.state.articleWidth))))
  }
}
