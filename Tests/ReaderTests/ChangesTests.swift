internal import Foundation
internal import News
internal import Screen
internal import Testing

@testable import Reader

/// What a feed has changed in an article.
struct ChangesTests {
  /// An article that is open, and that its feed has changed.
  private func reading(_ isChanged: Bool = true) throws -> Session {
    guard case .article(var row) = Sample.row(5) else { throw Missing() }
    row.isChanged = isChanged
    var session = Session([.article(row)] + Sample.rows(1...4), width: 60, height: 12)
    session.send(keys: "<Enter>")
    arrive(nil, isChanged, in: &session)
    return session
  }

  private struct Missing: Error {}

  private func arrive(_ other: OtherText?, _ isChanged: Bool = true, in session: inout Session) {
    var article = Sample.article(ArticleID(5), html: "<p>It is so.</p>")
    article.isChanged = isChanged
    article.changed = isChanged ? Date(timeIntervalSince1970: 1_700_000_000) : nil
    let page = ArticlePage(
      article, width: session.state.articleWidth, clock: session.state.clock, with: other)
    _ = session.state.reduce(.article(.arrived(page)))
  }

  private static let changes = OtherText(
    changes: "<p><del>− It is not so.</del></p><p><ins>+ It is so.</ins></p>")

  @Test func `A changed article is marked in the list and above its text until it is left`() throws
  {
    var session = try reading()
    #expect(session.lines[0].contains("changed"))
    #expect(session.lines.joined().contains("changed by its feed"))
    let width = session.state.articleWidth
    #expect(
      session.send(keys: "q")
        == [
          .article(.keepPlace(ArticleID(5), nil)), .article(.clearChanged(ArticleID(5))),
          .cancel(.article(.page)),
        ])
    #expect(session.lines[1].contains("±"))
    // The store has taken the mark away.
    session.arrive(Sample.rows(1...5))
    #expect(!session.lines.joined().contains("±"))

    session = try reading(false)
    #expect(!session.lines.joined().contains("changed"))
    #expect(!session.send(keys: "q").contains(.article(.clearChanged(ArticleID(5)))))
    #expect(width > 0)
  }

  @Test func `A key shows what has changed, and the article again`() throws {
    var session = try reading()
    let width = session.state.articleWidth
    #expect(session.send(keys: "W") == [.article(.showChanges(ArticleID(5), width: width))])
    arrive(Self.changes, in: &session)
    let shown = session.lines.joined(separator: "\n")
    #expect(shown.contains("− It is not so.") && shown.contains("+ It is so."))
    #expect(shown.contains("Changes to the article: − before, + now."))
    #expect(session.send(keys: "W") == [.article(.open(ArticleID(5), width: width))])
    arrive(nil, in: &session)
    session.send(keys: "W")
    arrive(Self.changes, in: &session)
    #expect(session.send(keys: "q") == [.article(.open(ArticleID(5), width: width))])

    session = try reading(false)
    let effects = session.send(keys: "W")
    #expect(!effects.contains(.article(.showChanges(ArticleID(5), width: width))))
    #expect(
      session.state.notice?.text.contains("No earlier version of this article is kept.") == true)
  }

  @Test func `An article that only shows beside the list keeps its mark`() throws {
    guard case .article(var row) = Sample.row(5) else { throw Missing() }
    row.isChanged = true
    var session = Session([.article(row)] + Sample.rows(1...4), width: 160, height: 20)
    arrive(nil, in: &session)
    #expect(!session.send(keys: "j").contains(.article(.clearChanged(ArticleID(5)))))
  }
}
