internal import News
internal import Screen
internal import Testing

@testable import Reader

/// The question which text of a comment stays.
struct ConflictTests {
  private static let seen = CommentConflict.changed(WaitingChange.inConflict.conflict!.comment!)

  private func session(
    _ changes: [WaitingChange] = [.inConflict], width: Int = 80, height: Int = 24
  ) -> Session {
    var session = Session(Sample.rows(1...5), width: width, height: height)
    _ = session.state.reduce(.outbox(.conflictsArrived(changes)))
    return session
  }

  private func asked(_ session: Session) -> WaitingChange.ID? {
    session.state.stack[ConflictState.self]?.change.id
  }

  private func decisions(_ effects: [Effect]) -> [Effect] {
    effects.filter { if case .outbox(.resolve) = $0 { true } else { false } }
  }

  @Test func `It opens by itself, with both texts`() {
    let session = session()
    #expect(asked(session) == 7)
    let text = session.lines.joined(separator: "\n")
    #expect(text.contains("Changed here and on the server"))
    #expect(text.contains("The ferry went at nine") && text.contains("The ferry went at ten."))
  }

  @Test(
    arguments: [
      ("g<Enter>", .mine), ("gj<Enter>", .theirs), ("k<Enter>", .both), ("kk<Enter>", .theirs),
      ("kkk<Enter>", .mine), ("gjl", .theirs),
    ] as [(String, ConflictAnswer)])
  func `Moving selects, and Enter decides`(_ keys: String, _ answer: ConflictAnswer) {
    for (width, height) in [(80, 24), (40, 10), (1, 1)] {
      var session = session(width: width, height: height)
      let effects = session.send(keys: keys)
      #expect(decisions(effects) == [.outbox(.resolve(7, answer, seeing: Self.seen))])
      #expect(asked(session) == nil)
    }
  }

  @Test(arguments: ["<Enter>", "l", "q", "<Esc>", "h", "gq", "kkj<Esc>", "kj<Enter>", "mt<Enter>"])
  func `A key that was meant for something else decides nothing`(_ keys: String) {
    var session = session()
    #expect(decisions(session.send(keys: keys)) == [])
    #expect(asked(session) == nil)
    // It is not asked again by itself, and it is still in the outbox.
    _ = session.state.reduce(.outbox(.conflictsArrived([.inConflict, .deleted])))
    #expect(asked(session) == 8)
  }

  @Test func `The outbox asks again`() {
    var session = session()
    session.send(keys: "qO")
    _ = session.state.reduce(
      .outbox(.arrived(OutboxSnapshot(changes: [OutboxSnapshot.sample.changes[0], .inConflict]))))
    session.send(keys: "<Enter>")
    #expect(asked(session) == nil)
    #expect(session.state.notice?.text == "This change has no conflict to decide.")
    session.send(keys: "j<Enter>")
    #expect(asked(session) == 7)
    #expect(decisions(session.send(keys: "kk<Enter>")).count == 1)
    #expect(session.state.front is OutboxState)
  }

  @Test func `Several are asked about one after the other`() {
    var session = session([.inConflict, .deleted])
    #expect(asked(session) == 7)
    session.send(keys: "g<Enter>")
    #expect(asked(session) == 8)
    #expect(
      decisions(session.send(keys: "kk<Enter>")) == [
        .outbox(.resolve(8, .theirs, seeing: .deleted))
      ]
    )
    #expect(asked(session) == nil)
  }

  @Test func `One that was decided elsewhere, or has changed again, makes way`() {
    var session = session([.inConflict, .deleted])
    _ = session.state.reduce(.outbox(.conflictsArrived([.deleted])))
    #expect(asked(session) == 8)
    var other = WaitingChange.inConflict
    other.kind = .edit(
      CommentEdit(
        comment: "c1", version: "1", text: "a",
        conflict: .changed(Comment(id: "c1", text: "b", version: "3"))))
    _ = session.state.reduce(.outbox(.conflictsArrived([other])))
    #expect(session.state.stack[ConflictState.self]?.change == other)
    _ = session.state.reduce(.outbox(.conflictsArrived([])))
    #expect(asked(session) == nil)
    _ = session.state.reduce(.outbox(.conflictResolved(.mine, wasOpen: false)))
    #expect(session.state.notice?.text.hasPrefix("Your choice was not applied") == true)
  }

  @Test func `It covers no question that is being answered`() {
    var session = Session(Sample.rows(1...5))
    session.send(keys: "/harb")
    _ = session.state.reduce(.outbox(.conflictsArrived([.inConflict])))
    #expect(session.state.front is Prompt)
    session.send(keys: "m<Esc>")
    #expect(asked(session) == 7)
    // Another decision comes first.
    var choosing = Session(Sample.rows(1...5))
    _ = choosing.state.reduce(.subscriptions(.found("example.org", ChoiceTests.links)))
    _ = choosing.state.reduce(.outbox(.conflictsArrived([.inConflict])))
    #expect(choosing.state.front is Choice)
    choosing.send(keys: "q")
    _ = choosing.state.reduce(.ticked(choosing.state.clock))
    #expect(asked(choosing) == 7)
  }

  @Test func `All of both texts can be read on a small screen`() {
    var session = session(width: 40, height: 10)
    var seen = ""
    for _ in 0..<20 {
      seen += " " + session.lines.joined(separator: " ")
      session.send(keys: "<C-e>")
    }
    for word in "nine, captain too. ten. late.".split(separator: " ") {
      #expect(seen.contains(word), "\(word)")
    }
  }
}
