internal import FeedServer
internal import Foundation
internal import News
internal import Store
internal import Testing

@testable internal import Repository

/// What servers tell by themselves, against the reference server.
@Suite(.timeLimit(.minutes(5)))
struct ListeningTests {
  private let newest = Date(timeIntervalSince1970: 1_773_000_000)

  private func article(_ number: Int, updated: Date? = nil, title: String? = nil) -> Archive.Article
  {
    Archive.Article(
      entry: Entry(
        id: "s\(number)", title: title ?? "S\(number)", updated: updated,
        contentHTML: "<p>Body \(number)</p>"),
      section: "", published: newest.addingTimeInterval(Double(number) * 60))
  }

  private func listening(
    to repository: FeedRepository, _ body: () async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await repository.listen() }
      try await body()
      group.cancelAll()
    }
  }

  private func titles(
    in repository: FeedRepository, until condition: ([String]) -> Bool
  ) async throws -> [String] {
    var last: [String] = []
    for try await snapshot in repository.snapshots(of: TimelineQuery(.all, olderCount: 100)) {
      last = snapshot.slice.rows.compactMap { row in
        if case .article(let article) = row { article.title } else { nil }
      }
      if condition(last) { break }
    }
    return last
  }

  @Test func `What is new comes by itself, once, over a drop and a restart`() async throws {
    let server = try FeedServer(archive: Archive(title: "T", articles: (0..<5).map { article($0) }))
    try await server.whileServing { _ in
      let reader = try TestReader()
      let repository = reader.repository
      let (feed, _) = try await repository.subscribe(server.apiURL)
      try await listening(to: repository) {
        let query = TimelineQuery(.feed(feed.id))
        #expect(try await repository.snapshots(of: query).first { $0.freshness.isLive } != nil)
        server.insert([article(10), article(11)])
        #expect(
          try await titles(in: repository) { $0.first == "S11" }.prefix(3) == ["S11", "S10", "S4"])
        server.dropLiveConnections()
        server.insert([article(12)])
        _ = try await titles(in: repository) { $0.first == "S12" }
      }
      // Nothing is left of it.
      #expect(await eventuallyTrue { server.liveConnections == 0 })
      server.insert([article(13)])
      let again = makeRepository(reader.store, reader.clock)
      try await listening(to: again) {
        let all = try await titles(in: again) { $0.first == "S13" }
        #expect(all.count == 9 && Set(all).count == 9)
      }
      #expect(server.requests.contains { $0.header("Last-Event-ID") != nil })
    }
  }

  @Test func `A change of an old article arrives without its page`() async throws {
    let server = try FeedServer(
      archive: Archive(title: "T", articles: (0..<120).map { article($0) }))
    try await server.whileServing { _ in
      let reader = try TestReader()
      let repository = reader.repository
      let (feed, _) = try await repository.subscribe(server.apiURL)
      while try await repository.loadOlderPage(of: feed) == true {}
      let before = try await reader.feed(feed).state
      try await listening(to: repository) {
        let query = TimelineQuery(.feed(feed.id))
        #expect(try await repository.snapshots(of: query).first { $0.freshness.isLive } != nil)
        server.insert([article(3, updated: newest.addingTimeInterval(90_000), title: "Changed")])
        _ = try await titles(in: repository) { _ in true }
        let all = TimelineQuery(.feed(feed.id), olderCount: 500)
        let changed = try await repository.snapshots(of: all).first { snapshot in
          snapshot.slice.rows.contains { row in
            if case .article(let article) = row { article.title == "Changed" } else { false }
          }
        }
        #expect(changed?.slice.rows.count == 120)
      }
      #expect(try await reader.feed(feed).state.paging == before.paging)
    }
  }

  /// Listens while the body says of the network what it likes.
  private func listeningAndFollowing(
    _ repository: FeedRepository,
    _ body: (AsyncStream<Connectivity>.Continuation) async throws -> Void
  ) async throws {
    let (states, monitor) = AsyncStream.makeStream(of: Connectivity.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await repository.follow(states) }
      group.addTask { await repository.listen() }
      try await body(monitor)
      group.cancelAll()
      monitor.finish()
    }
  }

  private func recover(_ monitor: AsyncStream<Connectivity>.Continuation) {
    monitor.yield(.offline)
    monitor.yield(.online(isMetered: false))
  }

  @Test func `A start without the server is made good when the network is back`() async throws {
    let server = try FeedServer(archive: Archive(title: "T", articles: [article(1)]))
    try await server.whileServing { _ in
      let reader = try TestReader()
      let repository = reader.repository
      let (feed, _) = try await repository.subscribe(server.apiURL)
      await server.stop()
      try await listeningAndFollowing(repository) { monitor in
        // It has been tried in vain: somebody waits for the network.
        while await repository.networkWaiters.isEmpty {
          try await Task.sleep(for: .milliseconds(2))
        }
        try server.start()
        // States that follow each other at once may be one for who looks late.
        while server.liveConnections == 0 {
          recover(monitor)
          try await Task.sleep(for: .milliseconds(20))
        }
        let query = TimelineQuery(.feed(feed.id))
        #expect(try await repository.snapshots(of: query).first { $0.freshness.isLive } != nil)
      }
    }
  }

  @Test func `News that could not be fetched is told again`() async throws {
    let server = try FeedServer(archive: Archive(title: "T", articles: [article(1)]))
    try await server.whileServing { _ in
      let reader = try TestReader()
      let repository = reader.repository
      let (feed, _) = try await repository.subscribe(server.apiURL)
      try await listeningAndFollowing(repository) { monitor in
        // The first id has been taken, so that the drop below has something to go on from.
        server.insert([article(2)])
        _ = try await titles(in: repository) { $0.first == "S2" }
        let known = try await reader.store.view { try $0.liveEventID(of: feed.id) }
        server.inject(.status(503), on: "/api/articles", times: nil)
        server.insert([article(3)])
        while await repository.networkWaiters.isEmpty {
          try await Task.sleep(for: .milliseconds(2))
        }
        #expect(try await reader.store.view { try $0.liveEventID(of: feed.id) } == known)
        server.clearFaults()
        recover(monitor)
        let all = try await titles(in: repository) { $0.first == "S3" }
        #expect(all == ["S3", "S2", "S1"])
      }
    }
  }

  @Test func `A backlog is one refresh, not one for each event`() async throws {
    let server = try FeedServer(archive: Archive(title: "T", articles: [article(1)]))
    try await server.whileServing { _ in
      let reader = try TestReader()
      let repository = reader.repository
      _ = try await repository.subscribe(server.apiURL)
      try await listening(to: repository) {
        server.insert([article(2)])
        _ = try await titles(in: repository) { $0.first == "S2" }
      }
      #expect(await eventuallyTrue { server.liveConnections == 0 })
      for number in 3..<203 { server.insert([article(number)]) }
      server.forgetRequests()
      let again = makeRepository(reader.store, reader.clock)
      try await listening(to: again) {
        _ = try await titles(in: again) { $0.first == "S202" }
        #expect(await eventuallyTrue { server.liveConnections == 1 })
      }
      // The newest fifty and the hole below them; how the events are split into bursts is chance.
      let asked = server.requests.count { $0.path == "/api/articles" }
      #expect(asked < 40, "\(asked) refreshes for 200 events")
    }
  }

  @Test func `A feed without live news is asked once and left alone`() async throws {
    let server = try FeedServer(archive: Archive(title: "T", articles: [article(1)]))
    try await server.whileServing { _ in
      server.inject(.status(404), on: "/api/live", times: nil)
      let reader = try TestReader()
      let repository = reader.repository
      _ = try await repository.subscribe(server.apiURL)
      try await listeningAndFollowing(repository) { monitor in
        #expect(await eventuallyTrue { server.requests.contains { $0.path == "/api/live" } })
        // Not even a network that comes back makes it ask again.
        for _ in 0..<5 {
          recover(monitor)
          try await Task.sleep(for: .milliseconds(20))
        }
      }
      #expect(server.requests.count { $0.path == "/api/live" } == 1)
    }
  }

  @Test func `Unsubscribing ends the connection`() async throws {
    let server = try FeedServer(archive: Archive(title: "T", articles: [article(1)]))
    try await server.whileServing { _ in
      let reader = try TestReader()
      let repository = reader.repository
      let (feed, _) = try await repository.subscribe(server.apiURL)
      try await listening(to: repository) {
        #expect(await eventuallyTrue { server.liveConnections == 1 })
        try await repository.unsubscribe(feed.id)
        #expect(await eventuallyTrue { server.liveConnections == 0 })
        // And a new one begins one.
        _ = try await repository.subscribe(server.apiURL)
        #expect(await eventuallyTrue { server.liveConnections == 1 })
      }
    }
  }
}

/// Waits for a condition, a minute at most.
func eventuallyTrue(_ condition: () -> Bool) async -> Bool {
  let end = ContinuousClock.now + .seconds(60)
  while ContinuousClock.now < end {
    if condition() { return true }
    try? await Task.sleep(for: .milliseconds(5))
  }
  return false
}
