internal import News
internal import Screen
internal import Testing

@testable import Reader

/// The screen of what waits to be sent.
struct OutboxTests {
  private func session(
    _ snapshot: OutboxSnapshot = .sample, width: Int = 80, height: Int = 24
  ) -> Session {
    var session = Session(Sample.rows(1...5), width: width, height: height)
    session.send(keys: "O")
    _ = session.state.reduce(.outbox(.arrived(snapshot)))
    return session
  }

  @Test func `It follows the store while it is open, and no longer`() {
    var session = Session(Sample.rows(1...5))
    #expect(session.send(keys: "O") == [.outbox(.observe)])
    #expect(session.lines[2].contains("Loading"))
    _ = session.state.reduce(.outbox(.arrived(OutboxSnapshot())))
    #expect(session.lines[2].contains("No changes are waiting"))
    #expect(session.send(keys: "q") == [.cancel(.outbox(.changes))])
    let before = session.state
    _ = session.state.reduce(.outbox(.arrived(.sample)))
    #expect(session.state == before)
  }

  @Test(arguments: ["q", "<Esc>", "h", "O"])
  func `It is left to where it was opened from`(_ key: String) {
    var session = Session(Sample.rows(1...5))
    let before = session.state.render()
    session.send(keys: "O")
    _ = session.state.reduce(.outbox(.arrived(.sample)))
    session.send(keys: "jj" + key)
    #expect(session.state.render() == before)
  }

  @Test func `r sends all that waits, where anything does`() {
    var session = session()
    #expect(session.send(keys: "jr").first == .outbox(.send))
    _ = session.state.reduce(.outbox(.sent(waiting: 2)))
    #expect(session.state.notice?.text == "Still waiting to be sent: 2 changes.")
    _ = session.state.reduce(.outbox(.arrived(OutboxSnapshot())))
    #expect(!session.send(keys: "r").contains(.outbox(.send)))
    #expect(session.state.notice?.text == "No changes are waiting to be sent.")
  }

  @Test(arguments: [("y", true), ("n", false), ("<Esc>", false), ("d", false)])
  func `d asks first, and only y drops the change`(_ key: String, _ isDropped: Bool) {
    var session = session()
    #expect(session.send(keys: "jd") == [])
    #expect(session.lines.last?.contains("Remove without sending: comment, A title") == true)
    #expect(session.send(keys: key) == (isDropped ? [.outbox(.drop([2]))] : []))
    #expect(session.state.outbox?.page.selection.id == 2)
  }

  @Test func `What was asked about is dropped, whatever has come or gone meanwhile`() {
    var session = session()
    session.send(keys: "jd")
    var snapshot = OutboxSnapshot.sample
    snapshot.changes.removeFirst(2)
    _ = session.state.reduce(.outbox(.arrived(snapshot)))
    #expect(session.send(keys: "y") == [.outbox(.drop([2]))])
    _ = session.state.reduce(.outbox(.dropped(0, of: 1)))
    #expect(session.state.notice?.text == "This change had already been sent.")
    #expect(session.send(keys: "d") == [])
    #expect(session.send(keys: "y") == [.outbox(.drop([4]))])
  }

  @Test func `Selected changes are removed together after one question`() {
    var session = session()
    session.send(keys: "vv")
    #expect(session.lines[0].contains("2 selected"))
    #expect(session.send(keys: "d") == [])
    #expect(session.lines.last?.contains("Remove 2 changes without sending") == true)
    #expect(session.send(keys: "y") == [.outbox(.drop([1, 2]))])
    _ = session.state.reduce(.outbox(.dropped(1, of: 2)))
    #expect(
      session.state.notice?.text
        == "Removed 1 change from the outbox without sending; 1 had already been sent.")
    var snapshot = OutboxSnapshot.sample
    snapshot.changes.removeFirst(2)
    _ = session.state.reduce(.outbox(.arrived(snapshot)))
    #expect(!session.lines[0].contains("selected"))
  }

  @Test func `A change that is sent makes way for the next, which keeps its line`() {
    var session = session()
    session.send(keys: "jjj")
    #expect(session.state.outbox?.page.selection.id == 4)
    var snapshot = OutboxSnapshot.sample
    snapshot.changes.removeAll { $0.id == 1 }
    _ = session.state.reduce(.outbox(.arrived(snapshot)))
    #expect(session.state.outbox?.page.selection.id == 4)
    snapshot.changes.removeAll { $0.id == 4 }
    _ = session.state.reduce(.outbox(.arrived(snapshot)))
    #expect(session.state.outbox?.page.selection.id == 5)
  }

  @Test func `The whole error and the whole comment can be read on a small screen`() {
    var session = session(width: 40, height: 10)
    session.send(keys: "j")
    var seen = session.lines.dropFirst(2).joined(separator: " ")
    for _ in 0..<30 {
      session.send(keys: "<C-e>")
      seen += " " + session.lines.dropFirst(2).joined(separator: " ")
    }
    let words = Set(seen.split(separator: " "))
    for word in "refused the comment more words than are taken All of it is true, there."
      .split(separator: " ")
    {
      #expect(words.contains(word), "\(word)")
    }
    session.send(keys: "k")
    #expect(session.state.outbox?.page.detailsTop == 0)
  }

  @Test func `Health and the outbox lie above each other, the latest on top`() {
    var session = session()
    session.send(keys: "H")
    #expect(session.state.front is HealthState)
    session.send(keys: "O")
    #expect(session.state.front is OutboxState)
    // What it knew is there at once.
    #expect(session.state.outbox?.snapshot == .sample)
    session.send(keys: "qq")
    #expect(session.state.front is ListPane)
  }

  @Test func `A click selects, and the wheel moves`() {
    var session = session()
    session.mouse(.click, x: 5, y: 3)
    #expect(session.state.outbox?.page.selection.id == 3)
    session.mouse(.click, x: 5, y: 23)
    session.mouse(.wheelUp, x: 5, y: 3)
    #expect(session.state.outbox?.page.selection.id == 1)
    session.mouse(.wheelDown, x: 5, y: 3)
    #expect(session.state.outbox?.page.selection.id == 4)
  }
}
