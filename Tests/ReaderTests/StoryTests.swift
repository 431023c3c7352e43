internal import News
internal import Screen
internal import Testing

@testable internal import Reader

/// Stories that several feeds tell, as rows of the list.
struct StoryTests {
  private func ids(_ numbers: Int64...) -> [ArticleID] { numbers.map { ArticleID($0) } }

  /// A row that stands for a story of three, between two others.
  private func rows(isUnfolded: Bool = false) -> [TimelineRow] {
    var rows = Sample.rows(8...10)
    guard case .article(var first) = rows[1] else { return rows }
    first.tellings = ids(4, 6)
    rows[1] = .article(first)
    guard isUnfolded else { return rows }
    let others = first.tellings.map { id -> TimelineRow in
      guard case .article(var row) = Sample.row(id.rawValue, feed: id.rawValue) else {
        preconditionFailure("a sample is an article")
      }
      (row.storyOf, row.isUnfolded, row.position) = (first.id, true, first.position)
      return .article(row)
    }
    rows.insert(contentsOf: others, at: 2)
    return rows
  }

  @Test func `A row tells of how many others it stands for`() throws {
    let session = Session(rows())
    let line = try #require(session.lines.first { $0.contains("Article 9") })
    #expect(line.contains("+2"))
    #expect(session.lines.count { $0.contains("+2") } == 1)
  }

  @Test func `z unfolds it, and z on any of them folds it again`() {
    var session = Session(rows())
    session.send(keys: "j")
    session.send(keys: "z")
    #expect(session.state.list.query.unfolded == Set(ids(9)))
    session.arrive(rows(isUnfolded: true))
    #expect(session.state.list.selectedArticle?.id == ArticleID(9))
    #expect(session.lines.contains { $0.contains("└ Article 4") })
    session.send(keys: "jj")
    #expect(session.state.list.selectedArticle?.id == ArticleID(6))
    session.send(keys: "z")
    #expect(session.state.list.query.unfolded == [])
    session.arrive(rows())
    #expect(session.state.list.selectedArticle?.id == ArticleID(9))
  }

  @Test func `A row without others says so`() {
    var session = Session(rows())
    session.send(keys: "z")
    #expect(session.state.list.query.unfolded == [])
    #expect(session.lines.contains { $0.contains("No other feed has an article on this story.") })
  }

  @Test func `What is folded is read with its row, and what is unfolded by itself`() {
    var session = Session(rows())
    session.send(keys: "j")
    #expect(
      session.send(keys: "m").contains(.apply(.mark(ids(9, 4, 6), .read(true), isUndoable: true))))
    session.send(keys: "z")
    session.arrive(rows(isUnfolded: true))
    // By then all of them are read.
    #expect(session.send(keys: "m").contains(.apply(.mark(ids(9), .read(false), isUndoable: true))))
    #expect(
      session.send(keys: "jm").contains(.apply(.mark(ids(4), .read(false), isUndoable: true))))
  }

  @Test func `Picked rows are read with all that they stand for`() {
    var session = Session(rows())
    session.send(keys: "vv")
    let effects = session.send(keys: "m")
    #expect(effects.contains(.apply(.mark(ids(10, 9, 4, 6), .read(true), isUndoable: true))))
  }

  @Test func `A day begins above a story, not within it`() {
    var session = Session(rows())
    session.state.list.isGrouped = true
    var unfolded = rows(isUnfolded: true)
    if case .article(var row) = unfolded[2] {
      // Written the day before.
      row.written = (row.written ?? row.position.time) - 86_400
      unfolded[2] = .article(row)
    }
    session.arrive(unfolded)
    #expect(session.state.list.group(beginningAt: 2) == nil)
    #expect(session.state.list.group(beginningAt: 3) == nil)
    #expect(session.state.list.group(beginningAt: 4) == nil)
  }
}
