internal import FeedServer
internal import Foundation
internal import News
internal import Store
internal import TestSupport
internal import Testing

@testable internal import Repository

/// What servers tell by themselves, against the reference server.
@Suite(.timeLimit(.minutes(10)))
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

  /// The first snapshot for which the condition holds.
  ///
  /// - Throws: where none comes within a minute: what does not arrive is a failure, and not a test
  ///   that never ends.
  private func snapshot(
    of query: TimelineQuery, in repository: FeedRepository,
    where condition: @escaping @Sendable (TimelineSnapshot) -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> TimelineSnapshot {
    let found = try await withThrowingTaskGroup(of: TimelineSnapshot?.self) { group in
      group.addTask { try await repository.snapshots(of: query).first(where: condition) }
      group.addTask {
        try await Task.sleep(for: .seconds(60))
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
    return try #require(found, "no such snapshot came", sourceLocation: sourceLocation)
  }

  private func becomesLive(
    _ feed: Feed, in repository: FeedRepository,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    _ = try await snapshot(
      of: TimelineQuery(.feed(feed.id)), in: repository, where: { $0.freshness.isLive },
      sourceLocation: sourceLocation)
  }

  /// The titles of all articles, once the condition holds for them.
  private func titles(
    in repository: FeedRepository, sourceLocation: SourceLocation = #_sourceLocation,
    until condition: @escaping @Sendable ([String]) -> Bool
  ) async throws -> [String] {
    try await snapshot(
      of: TimelineQuery(.all, olderCount: 100), in: repository,
      where: { condition($0.titles) }, sourceLocation: sourceLocation
    ).titles
  }

  @Test func `What is new comes by itself, once, over a drop and a restart`() async throws {
    let server = try FeedServer(archive: Archive(title: "T", articles: (0..<5).map { article($0) }))
    try await server.whileServing { _ in
      let reader = try TestReader()
      let repository = reader.repository
      let (feed, _) = try await repository.subscribe(server.apiURL)
      try await listening(to: repository) {
        try await becomesLive(feed, in: repository)
        server.insert([article(10), article(11)])
        #expect(
          try await titles(in: repository) { $0.first == "S11" }.prefix(3) == ["S11", "S10", "S4"])
        server.dropLiveConnections()
        server.insert([article(12)])
        _ = try await titles(in: repository) { $0.first == "S12" }
      }
      // Nothing is left of it.
      #expect(await eventually(within: closingTime) { server.liveConnections == 0 })
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
      while try await repository.pages.olderPage(of: feed)?.hasMore == true {}
      let before = try await reader.feed(feed).state
      try await listening(to: repository) {
        try await becomesLive(feed, in: repository)
        server.insert([article(3, updated: newest.addingTimeInterval(90_000), title: "Changed")])
        let all = TimelineQuery(.feed(feed.id), olderCount: 500)
        let changed = try await snapshot(of: all, in: repository) { $0.titles.contains("Changed") }
        #expect(changed.slice.rows.count == 120)
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
        try #require(await eventually { await !repository.network.waiters.isEmpty })
        try server.start()
        // States that follow each other at once may be one for who looks late.
        try #require(
          await eventually {
            recover(monitor)
            try? await Task.sleep(for: .milliseconds(20))
            return server.liveConnections > 0
          })
        try await becomesLive(feed, in: repository)
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
        let known = try await reader.store.view { try $0.feeds.liveEventID(of: feed.id) }
        server.inject(.status(503), on: "/api/articles", times: nil)
        server.insert([article(3)])
        try #require(await eventually { await !repository.network.waiters.isEmpty })
        #expect(try await reader.store.view { try $0.feeds.liveEventID(of: feed.id) } == known)
        server.clearFaults()
        recover(monitor)
        let all = try await titles(in: repository) { $0.first == "S3" }
        #expect(all == ["S3", "S2", "S1"])
      }
    }
  }

  @Test func `Failures count in a row only: news that were taken begin anew`() async throws {
    let server = try FeedServer(archive: Archive(title: "T", articles: [article(1)]))
    try await server.whileServing { _ in
      let reader = try TestReader()
      let repository = reader.repository
      let (feed, _) = try await repository.subscribe(server.apiURL)
      try await listeningAndFollowing(repository) { monitor in
        try await becomesLive(feed, in: repository)
        server.inject(.status(503), on: "/api/articles", times: 2)
        server.insert([article(2)])
        for count in 1...2 {
          #expect(await eventually { repository.listener.failures(of: feed.id) == count })
          #expect(await eventually { await !repository.network.waiters.isEmpty })
          recover(monitor)
        }
        _ = try await titles(in: repository) { $0.first == "S2" }
        #expect(await eventually { repository.listener.failures(of: feed.id) == 0 })
      }
    }
  }

  @Test func `The pauses between connections grow until one stays open`() {
    var (pause, now) = (ReconnectPause(), newest)
    #expect(
      (1...6).map { _ in pause.fail(at: now) }
        == [60, 120, 240, 480, 900, 900].map { .seconds($0) })
    // Opened and lost again at once.
    pause.noteOpening(at: now)
    #expect(pause.fail(at: now) == .seconds(900))
    pause.noteOpening(at: now)
    pause.noteClosing()
    now += 1_000
    #expect(pause.fail(at: now) == .seconds(900))
    pause.noteOpening(at: now)
    now += 1_000
    #expect(pause.fail(at: now) == .seconds(60))
    #expect(pause.fail(at: now) == .seconds(120))
    pause.noteNews()
    #expect(pause.fail(at: now) == .seconds(60))
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
      #expect(await eventually(within: closingTime) { server.liveConnections == 0 })
      for number in 3..<203 { server.insert([article(number)]) }
      server.forgetRequests()
      let again = makeRepository(reader.store, reader.clock)
      try await listening(to: again) {
        _ = try await titles(in: again) { $0.first == "S202" }
        #expect(await eventually { server.liveConnections == 1 })
      }
      // The newest fifty and the gap below them; how the events are split into bursts is chance.
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
        #expect(await eventually { server.requests.contains { $0.path == "/api/live" } })
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
        #expect(await eventually { server.liveConnections == 1 })
        try await repository.unsubscribe(feed.id)
        #expect(await eventually(within: closingTime) { server.liveConnections == 0 })
        // And a new one begins one.
        _ = try await repository.subscribe(server.apiURL)
        #expect(await eventually { server.liveConnections == 1 })
      }
    }
  }
}

extension TimelineSnapshot {
  fileprivate var titles: [String] {
    slice.rows.compactMap { row in
      if case .article(let article) = row { article.title } else { nil }
    }
  }
}
