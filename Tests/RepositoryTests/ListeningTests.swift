internal import FeedServer
internal import Foundation
internal import News
internal import Repository
internal import Store
internal import Testing

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

  @Test func `A feed without live news is asked once and left alone`() async throws {
    let server = try FeedServer(archive: Archive(title: "T", articles: [article(1)]))
    try await server.whileServing { _ in
      server.inject(.status(404), on: "/api/live", times: nil)
      let reader = try TestReader()
      let repository = reader.repository
      _ = try await repository.subscribe(server.apiURL)
      try await listening(to: repository) {
        #expect(await eventuallyTrue { server.requests.contains { $0.path == "/api/live" } })
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
