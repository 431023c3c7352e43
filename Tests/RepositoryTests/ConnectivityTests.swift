internal import FeedServer
internal import Foundation
internal import News
internal import Repository
internal import Store
internal import Synchronization
internal import Testing

/// What follows from a network that comes and goes, as a monitor tells it.
@Suite(.timeLimit(.minutes(10)))
struct ConnectivityTests {
  /// Follows what the body says of the network, while it runs.
  private func following(
    _ repository: FeedRepository,
    _ body: (AsyncStream<Connectivity>.Continuation) async throws -> Void
  ) async throws {
    let (states, monitor) = AsyncStream.makeStream(of: Connectivity.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await repository.follow(states) }
      try await body(monitor)
      group.cancelAll()
      monitor.finish()
    }
  }

  private func sidebar(
    of repository: FeedRepository, _ condition: (SidebarSnapshot) -> Bool
  ) async throws -> SidebarSnapshot {
    try #require(try await repository.sidebars().first { condition($0) })
  }

  private func answers(_ isUp: Mutexed<Bool>) -> RawServer.Responder {
    { _ in isUp.value ? .reply(.rss(["a"])) : .init([.reset]) }
  }

  @Test func `Offline shows at once, and what failed goes again when the network is back`()
    async throws
  {
    let isUp = Mutexed(false)
    try await withAnswers(answers(isUp)) { base, server in
      let reader = try TestReader { $0.isLoopbackRemote = true }
      let feed = try await reader.add(base + "/a")[0]
      let repository = reader.repository
      try await following(repository) { monitor in
        monitor.yield(.online(isMetered: false))
        monitor.yield(.offline)
        let offline = try await sidebar(of: repository) { $0.offlineSince != nil }
        #expect(offline.offlineSince == reader.clock.now)
        // Asked for, it is tried all the same.
        #expect(try await repository.refresh(.all).failed.count == 1)
        #expect(server.requests.count == 1)
        isUp.value = true
        monitor.yield(.online(isMetered: false))
        _ = try await sidebar(of: repository) {
          $0.offlineSince == nil && $0.feeds.first?.state.error == nil
            && $0.feeds.first?.counts.total == 1
        }
        #expect(server.requests.count == 2)
        #expect(try await reader.feed(feed).state.failing == nil)
      }
    }
  }

  @Test func `In the background nothing is tried without a network, and all of it when it is back`()
    async throws
  {
    let isUp = Mutexed(true)
    try await withAnswers(answers(isUp)) { base, server in
      let reader = try TestReader { $0.isLoopbackRemote = true }
      try await reader.add(base + "/a")
      let repository = reader.repository
      try await following(repository) { monitor in
        monitor.yield(.offline)
        _ = try await sidebar(of: repository) { $0.offlineSince != nil }
        async let report = repository.refresh(.due)
        // It waits: nothing has been asked by the time something else has gone its whole way.
        _ = try await repository.apply(.undo)
        #expect(server.requests.isEmpty)
        monitor.yield(.online(isMetered: false))
        #expect(try await report.outcomes.count == 1)
        #expect(server.requests.count == 1)
      }
    }
  }

  @Test func `Waiting for a network has an end, and is called off with its task`() async throws {
    let isUp = Mutexed(true)
    try await withAnswers(answers(isUp)) { base, server in
      let reader = try TestReader {
        $0.isLoopbackRemote = true
        $0.networkPatience = .milliseconds(20)
      }
      try await reader.add(base + "/a")
      let repository = reader.repository
      try await following(repository) { monitor in
        monitor.yield(.offline)
        _ = try await sidebar(of: repository) { $0.offlineSince != nil }
        // A guess forbids nothing for good.
        #expect(try await repository.refresh(.due).outcomes.count == 1)
        #expect(server.requests.count == 1)
      }
      let patient = try TestReader { $0.isLoopbackRemote = true }
      try await patient.add(base + "/b")
      let other = patient.repository
      try await following(other) { monitor in
        monitor.yield(.offline)
        _ = try await sidebar(of: other) { $0.offlineSince != nil }
        let waiting = Task { try await other.refresh(.due) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(server.requests.count == 1)
      }
    }
  }

  @Test func `This machine's own feeds need no network`() async throws {
    try await withAnswers(answers(Mutexed(true))) { base, server in
      let reader = try TestReader()
      try await reader.add(base + "/a")
      let repository = reader.repository
      try await following(repository) { monitor in
        monitor.yield(.offline)
        #expect(try await repository.refresh(.due).outcomes.count == 1)
        let sidebar = try await sidebar(of: repository) { $0.counts.total == 1 }
        #expect(sidebar.offlineSince == nil)
      }
    }
  }

  @Test func `On a connection that costs, nothing is fetched ahead`() async throws {
    try await withAnswers(answers(Mutexed(true))) { base, server in
      let reader = try TestReader()
      try await reader.add(base + "/a")
      let repository = reader.repository
      let query = TimelineQuery(.all, olderCount: 10)
      try await following(repository) { monitor in
        monitor.yield(.online(isMetered: true))
        let saving = try await repository.snapshots(of: query).first { $0.freshness.savesData }
        #expect(saving != nil)
        // The feed itself still loads.
        #expect(try await repository.refresh(.due).outcomes.count == 1)
        monitor.yield(.online(isMetered: false))
        let free = try await repository.snapshots(of: query).first { !$0.freshness.savesData }
        #expect(free != nil)
      }
      let frugal = try TestReader { $0.isLowData = true }
      let snapshot = try await frugal.repository.snapshots(of: query).first { _ in true }
      #expect(snapshot?.freshness.savesData == true)
    }
  }

  @Test func `By choice nothing is asked until the user says otherwise, and then all that failed`()
    async throws
  {
    let isUp = Mutexed(false)
    try await withAnswers(answers(isUp)) { base, server in
      // Also of this machine's own feeds.
      let reader = try TestReader()
      let feed = try await reader.add(base + "/a")[0]
      let repository = reader.repository
      try await following(repository) { monitor in
        #expect(try await repository.refresh(.all).failed.count == 1)
        let count = server.requests.count
        isUp.value = true
        await repository.setOffline(true)
        let offline = try await sidebar(of: repository) { $0.isOfflineByChoice }
        #expect(offline.offlineSince == reader.clock.now)
        let error = await #expect(throws: SourceError.self) { try await repository.refresh(.all) }
        #expect(error?.kind == .offline)
        #expect(error?.message == "Telex is offline by choice.")
        #expect(try await repository.refresh(.due).outcomes.isEmpty)
        // A network is no answer to that.
        monitor.yield(.offline)
        monitor.yield(.online(isMetered: false))
        #expect(repository.isOffline)
        #expect(server.requests.count == count)
        await repository.setOffline(false)
        _ = try await sidebar(of: repository) {
          $0.offlineSince == nil && !$0.isOfflineByChoice && $0.feeds.first?.counts.total == 1
        }
        #expect(try await reader.feed(feed).state.failing == nil)
      }
    }
  }

  @Test(arguments: [
    (FeedSettings.Metered.text, FeedSettings.Metered?.none, 1), (.text, .nothing, 0),
    (.nothing, nil, 0), (.nothing, .text, 1),
  ])
  func `On a connection that costs, a feed is fetched by itself as far as its setting allows`(
    usual: FeedSettings.Metered, own: FeedSettings.Metered?, count: Int
  ) async throws {
    try await withAnswers(answers(Mutexed(true))) { base, _ in
      let reader = try TestReader { $0.metered = usual }
      let feed = try await reader.add(base + "/a")[0]
      let now = reader.clock.now
      _ = try await reader.store.edit { edit in
        try edit.actions.set([feed.id], now: now) { $0.metered = own }
      }
      let repository = reader.repository
      await repository.noteMetered()
      #expect(try await repository.refresh(.due).outcomes.count == count)
      // Asked for, it is fetched all the same.
      #expect(try await repository.refresh(.all).failed.isEmpty)
      #expect(try await reader.feed(feed).counts.total == 1)
    }
  }

  @Test func `An older page that failed without a network comes when it is back`() async throws {
    let archive = Archive(
      title: "Times",
      articles: (0..<60).map { index in
        Archive.Article(
          entry: Entry(id: "s\(index)", title: "S\(index)"), section: "",
          published: Date(timeIntervalSince1970: 1_773_000_000 - Double(index) * 60))
      })
    let server = try FeedServer(archive: archive)
    try await server.whileServing { _ in
      let reader = try TestReader { $0.isLoopbackRemote = true }
      let repository = reader.repository
      let (feed, _) = try await repository.subscribe(server.apiURL)
      try await following(repository) { monitor in
        monitor.yield(.offline)
        _ = try await sidebar(of: repository) { $0.offlineSince != nil }
        await server.stop()
        await #expect(throws: SourceError.self) { try await repository.pages.olderPage(of: feed) }
        try server.start()
        monitor.yield(.online(isMetered: false))
        _ = try await sidebar(of: repository) { $0.counts.total == 60 }
      }
    }
  }
}

/// A value that tasks share.
final class Mutexed<Value: Sendable>: Sendable {
  private let state: Mutex<Value>
  init(_ value: Value) { state = Mutex(value) }
  var value: Value {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
