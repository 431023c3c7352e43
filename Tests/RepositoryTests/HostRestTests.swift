internal import FeedServer
internal import Foundation
internal import News
internal import Store
internal import Synchronization
internal import Testing

@testable internal import Repository

@Suite struct HostRestTests {
  /// Feeds of one server.
  private static let paths = (1...6).map { "/\($0)" }

  private static func busy(_ headers: [(name: String, value: String)] = []) -> WireReply {
    WireReply(status: 429, headers: headers)
  }

  @Test(arguments: [(429, "600"), (429, "600.5"), (503, "600")])
  func `A host that is asked too often rests with all of its feeds, after a restart too`(
    status: Int, pause: String
  ) async throws {
    let isBusy = Mutex(true)
    try await withAnswers({ _ in
      .reply(
        isBusy.withLock { $0 }
          ? WireReply(status: status, headers: [("Retry-After", pause)]) : .rss(["a"]))
    }) { base, server in
      let reader = try TestReader(attempts: 3)
      // Times that servers name count by the machine's own clock.
      reader.clock.set(Date())
      let feeds = try await reader.add(Self.paths.map { base + $0 })
      let report = try await reader.repository.refresh(.all)
      // Those that were under way.
      #expect((1...2).contains(server.requests.count))
      #expect(report.failed.count == server.requests.count)
      for feed in feeds {
        let state = try await reader.feed(feed).state
        let wait = try #require(state.nextAttempt).timeIntervalSince(reader.clock.now)
        #expect((590...660).contains(wait) && state.restsUntil != nil)
      }

      server.forgetRequests()
      isBusy.withLock { $0 = false }
      let clock = reader.clock
      let again = makeRepository(try Store(folder: reader.folder), clock)
      for scope in [RefreshScope.all, .due, .recovered, .unreachable, .timeline(.all)] {
        #expect(try await again.refresh(scope).outcomes.isEmpty)
      }
      #expect(server.requests.isEmpty)

      // One that is named is asked, and its good answer ends the rest.
      #expect(try await again.refresh(.timeline(.feed(feeds[3].id))).failed.isEmpty)
      #expect(server.requests.map(\.target) == ["/4"])
      #expect(try await again.refresh(.all).outcomes.count == 6)
      #expect(try await reader.feed(feeds[0]).state.nextAttempt == nil)
    }
  }

  @Test func `A host rests until the end of its pause`() async throws {
    try await withAnswers({ _ in .reply(Self.busy([("Retry-After", "600")])) }) { base, server in
      let reader = try TestReader()
      reader.clock.set(Date())
      let feeds = try await reader.add(base + "/1", base + "/2")
      _ = try await reader.repository.refresh(.feeds([feeds[0].id]))
      let end = try #require(try await reader.feed(feeds[1]).state.restsUntil)
      server.forgetRequests()
      reader.clock.set(end.addingTimeInterval(-1))
      _ = try await reader.repository.refresh(.all)
      #expect(server.requests.isEmpty)
      reader.clock.set(end)
      _ = try await reader.repository.refresh(.all)
      #expect(!server.requests.isEmpty)
    }
  }

  @Test func `A pause without a time doubles up to a day, until a good answer comes`() async throws
  {
    let isBusy = Mutex(true)
    try await withAnswers({ _ in .reply(isBusy.withLock { $0 } ? Self.busy() : .rss(["a"])) }) {
      base, _ in
      let reader = try TestReader()
      // The one that is asked first is not always the same.
      let feeds = try await reader.add(base + "/1", base + "/2")
      func rest(after feed: Feed) async throws -> Double? {
        _ = try await reader.repository.refresh(.feeds([feed.id]))
        return try await reader.feed(feeds[0]).state.restsUntil?
          .timeIntervalSince(reader.clock.now)
      }
      for (number, length) in [900.0, 1_800, 3_600, 7_200, 14_400, 28_800, 57_600, 86_400, 86_400]
        .enumerated()
      {
        #expect(try await rest(after: feeds[number % 2]) == length)
        reader.clock.advance(length)
      }
      isBusy.withLock { $0 = false }
      #expect(try await rest(after: feeds[1]) == nil)
      isBusy.withLock { $0 = true }
      #expect(try await rest(after: feeds[0]) == 900)
    }
  }

  @Test func `A feed that is named during a rest does not make it longer`() async throws {
    try await withAnswers({ _ in .reply(Self.busy()) }) { base, server in
      let reader = try TestReader()
      let feed = try await reader.add(base + "/1")[0]
      for number in 1...4 {
        _ = try await reader.repository.refresh(.feeds([feed.id]))
        #expect(server.requests.count == number)
        #expect(
          try await reader.feed(feed).state.restsUntil == reader.clock.now.addingTimeInterval(900))
      }
    }
  }

  @Test func `A refresh tells which feeds wait for their server`() async throws {
    try await withAnswers({ _ in .reply(Self.busy()) }) { base, _ in
      let reader = try TestReader { $0.perHost = 1 }
      let feeds = try await reader.add(base + "/1", base + "/2")
      #expect(try await reader.repository.refresh(.all).resting.isEmpty)
      let report = try await reader.repository.refresh(.all)
      #expect(report.outcomes.isEmpty && report.resting.map(\.id) == feeds.map(\.id))
      #expect(try await reader.repository.refresh(.due).resting.isEmpty)
      #expect(try await reader.repository.refresh(.feeds([feeds[0].id])).resting.isEmpty)
    }
  }

  @Test func `Refusals of requests that were under way together are one rest`() async throws {
    let count = Mutex(0)
    let gate = Gate()
    try await withAnswers({ _ in
      let isSecond = count.withLock { count in
        count += 1
        return count == 2
      }
      if isSecond { gate.open() }
      gate.wait()
      return .reply(Self.busy())
    }) { base, server in
      let reader = try TestReader()
      let feeds = try await reader.add(Self.paths.map { base + $0 })
      _ = try await reader.repository.refresh(.all)
      #expect(server.requests.count == 2)
      let state = try await reader.feed(feeds[5]).state
      #expect(state.restsUntil == reader.clock.now.addingTimeInterval(900))
    }
  }

  @Test func `A good answer to a request from before the rest does not end it`() async throws {
    let isHeld = Gate()
    try await withAnswers({ request in
      if request.target == "/1" { return .reply(Self.busy()) }
      isHeld.wait()
      return .reply(.rss(["a"]))
    }) { base, server in
      let reader = try TestReader()
      let feeds = try await reader.add(Self.paths.map { base + $0 })
      let repository = reader.repository
      async let report = repository.refresh(.all)
      for try await sidebar in repository.sidebars()
      where sidebar.feeds.contains(where: { $0.state.restsUntil != nil }) { break }
      isHeld.open()
      #expect(try await report.failed.count == 1)
      #expect(Set(server.requests.map(\.target)) == ["/1", "/2"])
      for feed in feeds { #expect(try await reader.feed(feed).state.restsUntil != nil) }
      #expect(try await repository.refresh(.all).outcomes.isEmpty)
    }
  }

  @Test func `An answer that was the last of a quota lets its host rest, and is no failure`()
    async throws
  {
    try await withAnswers({ _ in
      .reply(.rss(["a"], headers: [("RateLimit", "\"hour\";r=0;t=600")]))
    }) { base, server in
      let reader = try TestReader { $0.perHost = 1 }
      reader.clock.set(Date())
      let feeds = try await reader.add(Self.paths.map { base + $0 })
      let report = try await reader.repository.refresh(.all)
      #expect(report.failed.isEmpty && report.inserted == 1)
      #expect(report.outcomes.count { $0.remark != nil } == 5)
      #expect(server.requests.count == 1)
      for feed in feeds {
        let state = try await reader.feed(feed).state
        #expect(state.error == nil && state.restsUntil != nil)
      }
    }
  }

  @Test func `An older page that is refused lets the host rest, too`() async throws {
    try await withAnswers({ request in
      if request.target == "/older" { return .reply(Self.busy()) }
      return .reply(
        WireReply(
          type: "application/feed+json",
          text: #"{"version": "https://jsonfeed.org/version/1.1", "title": "T", "#
            + #""next_url": "/older", "items": [{"id": "a", "title": "a"}]}"#))
    }) { base, server in
      let reader = try TestReader()
      let feeds = try await reader.add(base + "/1", base + "/2")
      _ = try await reader.repository.refresh(.feeds([feeds[0].id]))
      try await reader.repository.pages.load(.feed(feeds[0].id))
      #expect(server.requests.map(\.target) == ["/1", "/older"])
      #expect(try await reader.repository.refresh(.all).outcomes.isEmpty)
    }
  }

  @Test func `Where a redirect leads to a busy host, that one rests`() async throws {
    try await withAnswers({ _ in .reply(Self.busy()) }) { busy, busyServer in
      try await withAnswers({ request in
        .reply(
          request.target == "/away"
            ? WireReply(status: 302, headers: [("Location", busy + "/a")]) : .rss(["a"]))
      }) { base, server in
        let reader = try TestReader()
        let feeds = try await reader.add(base + "/away", base + "/1", busy + "/b")
        _ = try await reader.repository.refresh(.feeds([feeds[0].id]))
        busyServer.forgetRequests()
        _ = try await reader.repository.refresh(.all)
        #expect(server.requests.map(\.target) == ["/away", "/1"])
        #expect(busyServer.requests.isEmpty)
        #expect(try await reader.feed(feeds[1]).state.error == nil)
        #expect(try await reader.feed(feeds[2]).state.restsUntil != nil)
      }
    }
  }
}
