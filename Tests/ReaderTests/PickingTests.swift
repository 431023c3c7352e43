internal import News
internal import Screen
internal import Testing

@testable internal import Reader

/// Commands about several articles of a list.
struct PickingTests {
  private func ids(_ numbers: Int64...) -> [ArticleID] { numbers.map { ArticleID($0) } }

  @Test func `What is picked one by one or as a range is marked at once`() {
    var session = Session(Sample.rows(1...9, read: [8]))
    session.send(keys: "vjv")
    #expect(session.state.list.picked.ids == ids(9, 7))
    #expect(session.lines.contains { $0.contains("✓") })
    session.send(keys: "jjV")
    #expect(session.state.list.picked.ids == ids(9, 7, 6, 5, 4))
    session.send(keys: "v")
    #expect(session.state.list.picked.ids == ids(9, 7, 6, 5))
    let effects = session.send(keys: "m")
    #expect(effects.contains(.apply(.mark(ids(9, 7, 6, 5), .read(true), isUndoable: true))))
    #expect(session.state.list.picked.isEmpty)
    // Without any, the command is about the selected one.
    #expect(
      session.send(keys: "s") == [.apply(.mark(ids(3), .starred(true), isUndoable: true))])
  }

  @Test func `A range may go upwards, and marks are taken away where all have them`() {
    var session = Session(Sample.rows(1...9, read: [4, 5, 6]))
    session.send(keys: "jjjjjvkkkV")
    #expect(Set(session.state.list.picked.ids) == Set(ids(4, 5, 6)))
    #expect(
      session.send(keys: "m").contains {
        if case .apply(.mark(let all, .read(false), isUndoable: true)) = $0 {
          Set(all) == Set(ids(4, 5, 6))
        } else {
          false
        }
      })
  }

  @Test func `What was picked far away counts with the marks that it had`() {
    var session = Session(Sample.rows(500...520))
    session.arrive(Sample.rows(500...520), hasOlder: true)
    session.send(keys: "vv")
    // The window of rows moves on.
    session.send(keys: "G")
    session.arrive(Sample.rows(1...20, read: [20]), hasNewer: true)
    session.send(keys: "gV")
    #expect(session.state.list.picked.ids == ids(520, 519))
    session.send(keys: "v")
    let effects = session.send(keys: "m")
    #expect(
      effects.contains {
        if case .apply(.mark(let all, .read(true), isUndoable: true)) = $0 {
          all.count == 3
        } else {
          false
        }
      })
  }

  @Test func `Tags are added and taken off, and Escape lets go`() {
    var session = Session(Sample.rows(1...9))
    session.send(keys: "vv")
    session.send(keys: "<Esc>")
    #expect(session.state.list.picked.isEmpty && session.state.focus == .list)
    session.send(keys: "ggvv")
    session.send(keys: "t")
    let effects = session.send(keys: "swift; -old; swift<Enter>")
    #expect(
      effects.contains(.apply(.changeTags(ids(9, 8), added: ["swift"], removed: ["old"]))))
    #expect(effects.count { if case .apply = $0 { true } else { false } } == 1)
  }

  @Test func `Deleting and opening are about all that is picked`() {
    var session = Session(Sample.rows(1...50))
    session.send(keys: "vvv")
    #expect(
      session.send(keys: "w")
        == ids(50, 49, 48).map { .opening(.openArticleLink($0, inBackground: true)) })
    session.send(keys: "vvv")
    #expect(session.send(keys: "d").contains(.apply(.delete(ids(47, 46, 45)))))
    session.send(keys: "gvGV")
    #expect(
      session.send(keys: "w").allSatisfy {
        if case .opening(.openArticleLink) = $0 { false } else { true }
      })
    #expect(session.state.list.picked.ids.count == 50)
  }
}
