internal import News
internal import Screen
internal import Testing

internal import struct Foundation.Date

@testable import Reader

/// A list as cards: what is asked for, what each key decides, and the end.
struct DeckTests {
  static let rows: [ArticleRow] = Sample.rows(1...3).compactMap {
    if case .article(let row) = $0 { row } else { nil }
  }

  private func deck(
    rows: [ArticleRow]? = rows, width: Int = 80, height: Int = 24
  ) -> (session: Session, effects: [Effect]) {
    var session = Session(Sample.rows(1...3), width: width, height: height)
    let begun = session.send(keys: "P")
    #expect(begun == [.deck(.collect(.all, .newest, most: 200))])
    let effects = rows.map { session.state.reduce(.deck(.collected($0))) } ?? []
    return (session, effects)
  }

  private func wishes(_ effects: [Effect]) -> [CardWish] {
    effects.compactMap { if case .deck(.deal(let wish)) = $0 { wish } else { nil } }
  }

  private func card(_ wish: CardWish, html: String, pictures: PictureRoom? = nil) -> ArticleCard {
    ArticleCard(
      Sample.article(wish.article, html: html), width: wish.width, rows: wish.rows,
      clock: Sample.clock, pictures: pictures)
  }

  @Test
  func `A card shows the title, the feed and the first words, and nothing is marked by looking`()
    throws
  {
    var (session, effects) = deck()
    let asked = wishes(effects)
    #expect(asked.map(\.article) == [ArticleID(3), ArticleID(2), ArticleID(1)])
    #expect(
      session.lines[0].contains("All") && session.lines[0].contains("1 of 3 · about 1 min left"))
    let first = try #require(asked.first)
    _ = session.state.reduce(
      .deck(
        .dealt(
          first, card(first, html: "<h1>Head</h1><p>The first words.</p><p>More of them.</p>"))))
    let text = session.lines.joined(separator: "\n")
    #expect(text.contains("Article 3") && text.contains("Feed 1 · A. Writer"))
    #expect(text.contains("The first words.") && text.contains("More of them."))
    #expect(!text.contains("Head\n"))
    #expect(session.send(keys: "  ") == [])
    #expect(session.lines[0].contains("3 of 3"))
    #expect(session.send(keys: " ") == [])
    #expect(session.lines.contains { $0.contains("No more cards.") })
    #expect(session.lines.contains { $0.contains("3 unchanged") })
  }

  @Test func `Each key decides about a card, goes on, and is taken back`() {
    var (session, _) = deck()
    #expect(
      session.send(keys: "s") == [.apply(.mark([ArticleID(3)], .starred(true), isUndoable: true))])
    #expect(session.send(keys: "B") == [.apply(.setLater([ArticleID(2)], true))])
    #expect(
      session.send(keys: "m") == [.apply(.mark([ArticleID(1)], .read(true), isUndoable: true))])
    #expect(session.lines.contains { $0.contains("1 starred, 1 in Later, 1 marked as read") })
    let decided: [(Int64, UserActionKind, String)] = [
      (1, .read, "3 of 3"), (2, .tag, "2 of 3"), (3, .starred, "1 of 3"),
    ]
    for (article, kind, place) in decided {
      #expect(session.send(keys: "u") == [.apply(.undoLast(kind, of: ArticleID(article)))])
      takeBack(kind, of: article, &session)
      #expect(session.lines[0].contains(place))
      #expect(session.state.notice?.text.hasPrefix("Undone: ") == true)
    }
    session.send(keys: "u")
    #expect(session.lines.contains { $0.contains("No decision to undo yet.") })
  }

  private func takeBack(_ kind: UserActionKind, of article: Int64?, _ session: inout Session) {
    let entry = JournalEntry(
      id: 1, time: .distantPast, kind: kind, article: article.map { ArticleID($0) })
    _ = session.state.reduce(.marks(.turned(entry, isUndone: true)))
  }

  @Test func `What a new rule hides goes, and comes back with it`() throws {
    var (session, _) = deck()
    session.state.settings.verbs = [.init("rules", help: "List rules, or change them.")]
    session.send(keys: "s")
    let run = session.send(keys: "X<Enter>").compactMap { effect -> ProgramID? in
      if case .programs(.runVerb(let id, _, _)) = effect { id } else { nil }
    }
    let id = try #require(run.first)
    let asked = session.state.reduce(.programs(.ended(id, .exited(0))))
    #expect(asked.contains(.deck(.findHidden([3, 2, 1].map { ArticleID($0) }))))
    _ = session.state.reduce(.deck(.hiddenFound([ArticleID(3), ArticleID(2)])))
    #expect(session.lines[0].contains("1 of 1"))
    #expect(session.lines.contains { $0.contains("Article 1") })
    session.send(keys: "B")
    #expect(session.lines.contains { $0.contains("1 in Later") })
    session.send(keys: "u")
    takeBack(.tag, of: 1, &session)
    #expect(session.send(keys: "u") == [.apply(.undoLast(.addRule, of: nil))])
    takeBack(.addRule, of: nil, &session)
    #expect(session.lines[0].contains("2 of 3"))
    #expect(session.lines.contains { $0.contains("Article 2") })
    session.send(keys: "u")
    takeBack(.starred, of: 3, &session)
    #expect(session.lines[0].contains("1 of 3"))
    session.send(keys: "u")
    #expect(session.state.notice?.text.hasPrefix("No decision to undo yet.") == true)
  }

  @Test func `A rule that hides no card is taken back here too`() throws {
    var (session, _) = deck()
    session.send(keys: "X<Enter>")
    _ = session.state.reduce(.deck(.hiddenFound([])))
    #expect(session.lines[0].contains("1 of 3"))
    #expect(session.send(keys: "u") == [.apply(.undoLast(.addRule, of: nil))])
    takeBack(.addRule, of: nil, &session)
    #expect(session.lines[0].contains("1 of 3"))
  }

  @Test func `Keys in a row take back no more than was decided here`() {
    var (session, _) = deck()
    session.send(keys: "s")
    #expect(session.send(keys: "uu").count { if case .apply = $0 { true } else { false } } == 1)
  }

  @Test func `What was taken back elsewhere brings no card back, and nothing to take back does`() {
    var (session, _) = deck()
    session.send(keys: "s")
    session.send(keys: "u")
    takeBack(.setFeed, of: nil, &session)
    takeBack(.starred, of: 2, &session)
    #expect(session.lines[0].contains("2 of 3"))
    _ = session.state.reduce(.marks(.turned(nil, isUndone: true)))
    #expect(session.lines[0].contains("1 of 3"))
  }

  @Test func `A card whose article has been deleted meanwhile is taken out`() {
    var (session, _) = deck()
    session.send(keys: " ")
    _ = session.state.reduce(.deck(.gone(ArticleID(2))))
    #expect(session.lines[0].contains("2 of 2"))
    #expect(session.lines.contains { $0.contains("Article 1") })
    _ = session.state.reduce(.deck(.gone(ArticleID(3))))
    #expect(session.lines[0].contains("1 of 1"))
    _ = session.state.reduce(.deck(.gone(ArticleID(3))))
    _ = session.state.reduce(.deck(.gone(ArticleID(1))))
    #expect(session.lines.contains { $0.contains("No unread articles in this list.") })
  }

  @Test func `Leaving an article leads back to the card from which it was opened`() throws {
    var (session, _) = deck()
    session.send(keys: "s<Enter>")
    #expect(session.state.stack.count == 0 && session.state.article?.id == ArticleID(2))
    try session.articleArrives(html: "<p>text</p>")
    session.send(keys: "q")
    #expect(session.lines[0].contains("2 of 3"))
    #expect(session.lines.contains { $0.contains("Article 2") })
    // What was read there is taken back from here.
    session.send(keys: "u")
    takeBack(.opened, of: 2, &session)
    #expect(session.lines[0].contains("2 of 3"))
    session.send(keys: " m")
    #expect(session.lines.contains { $0.contains("1 starred, 1 marked as read, 1 unchanged") })
    session.send(keys: "q")
    #expect(session.state.stack.count == 0 && session.state.focus == .list)
  }

  @Test func `Another article that was opened in between leads back to the list`() throws {
    var (session, _) = deck()
    session.send(keys: "<Enter>")
    try session.articleArrives(html: "<p>text</p>")
    session.send(keys: "Jq")
    #expect(session.state.stack.count == 0 && session.state.focus == .list)
  }

  @Test func `The cards go on where they were left, without those that were decided`() {
    var (session, _) = deck()
    session.send(keys: "s q")
    session.send(keys: "P")
    _ = session.state.reduce(.deck(.collected(Self.rows)))
    #expect(session.lines[0].contains("2 of 2"))
    // After the end it begins with what was left.
    session.send(keys: "mq")
    session.send(keys: "P")
    _ = session.state.reduce(.deck(.collected(Self.rows)))
    #expect(session.lines[0].contains("1 of 1"))
    session.send(keys: "q")
    _ = session.state.show(.feed(FeedID(1)))
    session.arrive(Sample.rows(1...3))
    session.send(keys: "P")
    _ = session.state.reduce(.deck(.collected(Self.rows)))
    #expect(session.lines[0].contains("1 of 3"))
  }

  @Test func `A card is muted by a rule, opened, or left`() {
    var (session, _) = deck()
    session.send(keys: "X")
    #expect(
      session.lines.last?.contains(#":rules add --hide '"#) == true
        && session.lines.last?.contains(#"title:"Article 3"'"#) == true,
      "\(session.lines.last ?? "")")
    session.send(keys: "<Esc>")
    let opened = session.send(keys: "<Enter>")
    #expect(opened.contains(.article(.open(ArticleID(3), width: session.state.articleWidth))))
    #expect(session.state.stack.count == 0 && session.state.focus == .article)
    var (other, _) = deck()
    #expect(other.send(keys: "q") == [.cancel(.deck(.cards))])
    #expect(other.state.stack.count == 0)
  }

  @Test func `The picture of a card is brought, and no longer waited for when the cards are left`()
    throws
  {
    var (session, effects) = deck()
    let wish = try #require(wishes(effects).first)
    let card = card(
      wish,
      html: "<p>Words.</p><img src=\"https://example.org/a.png\" width=\"100\" height=\"100\">",
      pictures: PictureRoom(rows: 20) { _ in nil })
    let picture = session.state.reduce(.deck(.dealt(wish, card))).compactMap {
      if case .pictures(.load(let wish)) = $0 { wish } else { nil }
    }
    let asked = try #require(picture.first)
    #expect((asked.columns, asked.rows) == (10, 5))
    let cells = CellPicture(
      columns: 10, rows: 5, cells: Array(repeating: Cell(Glyph("x")), count: 50))
    var shown = session
    _ = shown.state.reduce(.pictures(.arrived(asked, cells)))
    #expect(shown.lines.count { $0.contains("xxxxxxxxxx") } == 5)
    #expect(shown.lines.contains { $0.contains("Words.") })
    #expect(session.send(keys: "q").contains(.cancel(.pictures(.picture(asked)))))
  }

  @Test func `A list without unread articles says so, and small screens show what fits`() {
    var (session, _) = deck(rows: [])
    #expect(session.lines.contains { $0.contains("No unread articles in this list.") })
    #expect(session.send(keys: "sBm") == [])
    for size in [
      Size(width: 1, height: 1), Size(width: 12, height: 3), Size(width: 40, height: 10),
    ] {
      var (small, effects) = deck(width: size.width, height: size.height)
      for wish in wishes(effects) {
        _ = small.state.reduce(.deck(.dealt(wish, card(wish, html: Sample.paragraphs(9)))))
      }
      #expect(small.lines.count == size.height)
      _ = small.send(keys: " s m")
    }
  }

  @Test func `Another size asks for cards of that size`() throws {
    var (session, effects) = deck()
    let before = wishes(effects)
    let after = wishes(session.state.reduce(.resized(Size(width: 60, height: 20))))
    #expect(after.map(\.article) == before.map(\.article))
    #expect(after.first?.width == 56)
  }
}
