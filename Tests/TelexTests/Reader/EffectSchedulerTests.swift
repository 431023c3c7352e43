internal import Synchronization
internal import TestSupport
internal import Testing

@testable import telex

/// Work as a test sees it: what was begun and ended, in order.
private final class Journal: Sendable {
  private let state = Mutex<[String]>([])

  var lines: [String] { state.withLock { $0 } }

  func note(_ line: String) { state.withLock { $0.append(line) } }

  /// Work that goes on until it is cancelled.
  func endless(_ name: String) -> @Sendable () async -> Void {
    { [self] in
      note("\(name) begins")
      for await _ in AsyncStream<Void>.makeStream().stream {}
      note("\(name) is cancelled")
    }
  }

  func wait(for line: String) async {
    #expect(await eventually { lines.contains(line) }, "\(line), of \(lines)")
  }
}

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct EffectSchedulerTests {
  private let scheduler = EffectScheduler<Int>()
  private let journal = Journal()

  @Test func `New work cancels the work of its id and no other`() async {
    scheduler.start(1, journal.endless("first"))
    scheduler.start(2, journal.endless("other"))
    scheduler.start(nil, journal.endless("free"))
    for name in ["first", "other", "free"] { await journal.wait(for: "\(name) begins") }
    scheduler.start(1, journal.endless("second"))
    await journal.wait(for: "first is cancelled")
    await journal.wait(for: "second begins")
    #expect(scheduler.isRunning(1))
    #expect(!journal.lines.contains("other is cancelled"))
    scheduler.cancel(2)
    #expect(!scheduler.isRunning(2))
    await journal.wait(for: "other is cancelled")
    #expect(!journal.lines.contains("free is cancelled"))
  }

  @Test func `An id is free once its work has ended`() async {
    scheduler.start(1) { [journal] in journal.note("done") }
    #expect(scheduler.isRunning(1))
    await journal.wait(for: "done")
    // What follows the work has its turn on the main actor.
    while scheduler.isRunning(1) { await Task.yield() }
  }

  @Test func `Work has the priority it is started with, what it waits for included`() async {
    scheduler.change {}
    scheduler.start(1, afterChanges: true, priority: .utility) { [journal] in
      await withDiscardingTaskGroup { group in
        group.addTask { journal.note("\(Task.currentPriority == .utility)") }
      }
    }
    await journal.wait(for: "true")
  }

  @Test func `The end of cancelled work leaves its successor running`() async {
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    scheduler.start(1) { [journal] in
      // Does not notice that it is cancelled.
      await Task { for await _ in gate {} }.value
      journal.note("late")
    }
    scheduler.start(1, journal.endless("second"))
    opening.finish()
    await journal.wait(for: "late")
    // What follows the work has its turn on the main actor.
    for _ in 0..<100 { await Task.yield() }
    #expect(scheduler.isRunning(1))
  }

  @Test func `Changes are written in their order, and work that follows them waits`() async {
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    scheduler.change { [journal] in
      for await _ in gate {}
      journal.note("first")
    }
    scheduler.change { [journal] in journal.note("second") }
    scheduler.start(1, afterChanges: true) { [journal] in journal.note("refresh") }
    scheduler.change { [journal] in journal.note("third") }
    scheduler.start(2) { [journal] in journal.note("beside") }
    await journal.wait(for: "beside")
    #expect(journal.lines == ["beside"])
    opening.finish()
    await journal.wait(for: "refresh")
    await scheduler.finish()
    #expect(journal.lines.filter { $0 != "refresh" } == ["beside", "first", "second", "third"])
    let order = ["second", "refresh"].compactMap(journal.lines.firstIndex)
    #expect(order.count == 2 && order == order.sorted())
  }

  @Test func `Work that waits for changes does not begin once it is cancelled`() async {
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    scheduler.change { for await _ in gate {} }
    scheduler.start(1, afterChanges: true) { [journal] in journal.note("refresh") }
    scheduler.cancel(1)
    opening.finish()
    await scheduler.finish()
    #expect(journal.lines.isEmpty)
  }

  @Test func `The end writes all changes, then cancels what asks servers`() async {
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    scheduler.start(1, journal.endless("task"))
    scheduler.observe(journal.endless("observer"))
    scheduler.startErrand(journal.endless("errand"))
    for name in ["task", "observer", "errand"] { await journal.wait(for: "\(name) begins") }
    scheduler.change { [journal] in
      for await _ in gate {}
      journal.note("written")
    }
    async let end: Void = scheduler.finish { [journal] in journal.note("sent") }
    for name in ["task", "observer"] { await journal.wait(for: "\(name) is cancelled") }
    #expect(!journal.lines.contains("errand is cancelled"))
    opening.finish()
    await end
    #expect(journal.lines.suffix(3) == ["written", "sent", "errand is cancelled"])
  }

  @Test func `The end waits for what is kept, not for the server that is told of it`() async {
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let server = journal.endless("server")
    scheduler.startKeeping { [journal] noteKept in
      for await _ in gate {}
      journal.note("kept")
      noteKept()
      await server()
    }
    scheduler.change { [journal] in journal.note("next change") }
    opening.finish()
    await journal.wait(for: "server begins")
    await scheduler.finish()
    #expect(journal.lines.first == "kept")
    #expect(journal.lines.contains("next change"))
    #expect(journal.lines.last == "server is cancelled")
  }
}
