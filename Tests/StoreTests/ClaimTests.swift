internal import Dispatch
internal import Foundation
internal import News
internal import Testing

@testable internal import Store

/// Claims on feeds, and the other waits of one process for another.
@Suite struct ClaimTests {
  @Test func `A claim ends with its claimant`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    var first: Claimant? = await test.store.claimant(program: "telex \u{1B}[1mtest")
    let second = await test.store.claimant(program: "telex")
    let name = try #require(first?.name)
    #expect(try await claim(feed, name, test.store))
    #expect(try await !claim(feed, second.name, test.store))
    #expect(try await test.store.view { try $0.claims.claimant(of: feed) } == name)
    #expect(
      test.store.holder(ofClaimsBy: name) == "telex [1mtest (process \(getpid()))")
    first = nil
    #expect(try await isFree(feed, to: second.name, test.store))
    #expect(try await claim(feed, second.name, test.store))
  }

  /// As a kill leaves it: the file is there, and nobody locks it.
  @Test func `The claim of a process that was killed is none, and its file goes`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let killed = "claim-00000000-0000-4000-8000-000000000000"
    let file = test.folder + "/" + killed
    try Data("telex\n1\nhere\n".utf8).write(to: URL(filePath: file))
    let lock = open(file, O_RDWR | O_CLOEXEC)
    #expect(flock(lock, LOCK_EX) == 0)
    #expect(try await claim(feed, killed, test.store))
    do {
      let second = await test.store.claimant(program: "telex")
      #expect(try await !claim(feed, second.name, test.store))
    }
    #expect(FileManager.default.fileExists(atPath: file))
    // A child that another test is starting may have the descriptor until it runs its program.
    flock(lock, LOCK_UN)
    close(lock)
    let third = await test.store.claimant(program: "telex")
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(try await claim(feed, third.name, test.store))
  }

  @Test func `Where there is no lock, or its owner does not move, a claim ends by its time`()
    async throws
  {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let stopped = await test.store.claimant(program: "telex")
    for name in ["0b9d6ac1-5f1f-4d8f-8f56-d4ee6d4b6a2e", "claim-../telex.sqlite", stopped.name] {
      #expect(try await claim(feed, name, test.store))
      #expect(try await !claim(feed, "another", test.store), "\(name)")
      #expect(try await claim(feed, "another", test.store, at: noon + 121), "\(name)")
      try await test.store.edit { try $0.claims.release(of: "another") }
    }
  }

  @Test func `A claim that is given up is free at once, while its owner goes on`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let claimant = await test.store.claimant(program: "telex")
    for name in [claimant.name, "no lock"] {
      #expect(try await claim(feed, name, test.store))
      try await test.store.edit { try $0.claims.release(of: "another") }
      #expect(try await !isFree(feed, to: "another", test.store))
      try await test.store.edit { try $0.claims.release(of: name) }
      #expect(try await isFree(feed, to: "another", test.store))
    }
  }

  @Test func `Where no file can be made, there is a claimant all the same`() async throws {
    let test = try TestStore()
    let feed = try await test.subscribe()
    let claimant = Claimant(program: "telex", in: test.folder + "/missing")
    #expect(try await claim(feed, claimant.name, test.store))
    #expect(try await !claim(feed, "another", test.store))
    #expect(test.store.holder(ofClaimsBy: claimant.name) == "another Telex")
  }

  @Test func `Another that writes is waited for until the deadline at most`() async throws {
    let test = try TestStore()
    let store = try Store(folder: test.folder, deadline: .now + .milliseconds(50))
    let other = test.store
    let (isWriting, begun) = AsyncStream.makeStream(of: Void.self)
    let mayEnd = DispatchSemaphore(value: 0)
    async let writing: Void = other.edit { edit in
      try edit.feeds.subscribe(url: "a", isUserEntered: true, now: noon)
      begun.yield()
      mayEnd.wait()
    }
    for await _ in isWriting { break }
    // Without a deadline it would be tried for ten seconds; then the other has long let go.
    let alarm = Task {
      try await Task.sleep(for: .seconds(6))
      mayEnd.signal()
    }
    let error = await #expect(throws: SourceError.self) {
      try await store.edit { try $0.feeds.subscribe(url: "b", isUserEntered: true, now: noon) }
    }
    #expect(error?.message == "Another Telex has been writing for too long.")
    alarm.cancel()
    mayEnd.signal()
    try await writing
  }

  private func claim(
    _ feed: FeedID, _ name: String, _ store: Store, at now: Date = noon
  ) async throws -> Bool {
    try await store.edit {
      try !$0.claims.claim([feed], by: name, until: now + 120, now: now).isEmpty
    }
  }

  private func isFree(_ feed: FeedID, to name: String, _ store: Store) async throws -> Bool {
    try await store.view { try $0.claims.claimed([feed], byOthersThan: name, at: noon).isEmpty }
  }
}
