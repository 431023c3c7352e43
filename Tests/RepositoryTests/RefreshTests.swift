internal import FeedServer
internal import Foundation
internal import News
internal import Repository
internal import Store
internal import Synchronization
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct RefreshTests {
  @Test func `A feed that fails is recorded with its time, and stops no other`() async throws {
    try await withAnswers({ request in
      request.path == "/bad"
        ? .reply(WireReply(status: 500)) : .reply(.rss(["\(request.path)"]))
    }) { base, _ in
      let reader = try TestReader()
      let feeds = try await reader.add(base + "/a", base + "/bad", base + "/b")
      let report = try await reader.repository.refresh(.all)
      #expect(report.outcomes.count == 3)
      #expect(report.inserted == 2)
      #expect(report.failed.map(\.feed.id) == [feeds[1].id])
      #expect(!report.isCut)
      let state = try await reader.feed(feeds[1]).state
      #expect(state.error?.status == 500)
      #expect(state.lastAttempt == reader.clock.now)
      #expect(state.lastSuccess == nil)
      let good = try await reader.feed(feeds[0]).state
      #expect((good.error, good.lastSuccess) == (nil, reader.clock.now))
      #expect(try await reader.titles().sorted() == ["/a", "/b"])
    }
  }

  @Test func `A feed that is removed while it is being fetched is no failure`() async throws {
    let gate = Gate()
    try await withAnswers({ request in
      if request.path == "/a" { gate.wait() }
      return .reply(.rss(["\(request.path)"]))
    }) { base, server in
      let reader = try TestReader()
      let feeds = try await reader.add(base + "/a", base + "/b")
      let repository = reader.repository
      async let report = repository.refresh(.all)
      #expect(await eventually { server.requests.contains { $0.path == "/a" } })
      try await repository.unsubscribe(feeds[0].id)
      gate.open()
      #expect(try await report.failed.isEmpty)
      #expect(try await reader.titles() == ["/b"])
    }
  }

  @Test func `At most sixteen feeds are fetched at once, two of one host`() async throws {
    // Which requests the server holds at this moment, by the host the client named.
    let held = Mutex((now: [String: Int](), most: 0, mostOfOne: 0))
    let gate = Gate()
    let respond: RawServer.Responder = { request in
      let host = request.header("Host") ?? ""
      held.withLock { held in
        held.now[host, default: 0] += 1
        held.most = max(held.most, held.now.values.reduce(0, +))
        held.mostOfOne = max(held.mostOfOne, held.now[host] ?? 0)
      }
      gate.wait()
      held.withLock { $0.now[host, default: 0] -= 1 }
      return .reply(.rss(["x"]))
    }
    let servers = (0..<10).map { _ in RawServer(respond: respond) }
    let ports = try servers.map { try $0.start() }
    let reader = try TestReader()
    try await reader.add((0..<50).map { "http://127.0.0.1:\(ports[$0 % 10])/\($0)" })
    let repository = reader.repository
    // Once to begin with: curl opens a second connection to a host only when it knows from an
    // answer that the first cannot be shared.
    gate.open()
    _ = try await repository.refresh(.all)
    gate.close()
    held.withLock { ($0.most, $0.mostOfOne) = (0, 0) }
    async let report = repository.refresh(.all)
    // The bounds are reached before anything is answered, and nothing more comes.
    #expect(await eventually { held.withLock { $0.most } == 16 })
    gate.open()
    #expect(try await report.outcomes.count == 50)
    #expect(try await report.failed.isEmpty)
    #expect(held.withLock { $0.most } == 16)
    #expect(held.withLock { $0.mostOfOne } == 2)
    for server in servers { await server.stop() }
  }

  @Test func `Progress counts up to all, with the failures`() async throws {
    let gates = (0..<4).map { _ in Gate() }
    try await withAnswers({ request in
      let number = Int(request.path.dropFirst()) ?? 0
      gates[number].wait()
      return .reply(number == 1 ? WireReply(status: 404) : .rss(["x"]))
    }) { base, _ in
      let reader = try TestReader { $0.perHost = 4 }
      try await reader.add((0..<4).map { base + "/\($0)" })
      let repository = reader.repository
      // Once to begin with, as above: then no feed waits for another's connection.
      for gate in gates { gate.open() }
      _ = try await repository.refresh(.all)
      for gate in gates { gate.close() }
      var activities = repository.activities().makeAsyncIterator()
      #expect(try await activities.next() == .idle)
      async let report = repository.refresh(.all)
      for (number, gate) in gates.enumerated() {
        let failed = number > 1 ? 1 : 0
        let wanted = Activity.refreshing(done: number, total: 4, failed: failed)
        while let activity = try await activities.next(), activity != wanted {}
        gate.open()
      }
      while let activity = try await activities.next(), activity != .idle {}
      #expect(try await report.outcomes.count == 4)
    }
  }

  @Test func `What came since the last refresh that brought something is told from the rest`()
    async throws
  {
    let titles = Mutex(["one"])
    try await withAnswers({ _ in .reply(.rss(titles.withLock { $0 })) }) { base, _ in
      let reader = try TestReader()
      try await reader.add(base + "/feed")
      let new = TimelineQuery(.matching(try ArticleQuery("since:last-refresh"), in: .all))
      for (there, wanted) in [
        (["one"], ["one"]), (["two", "one"], ["two"]), (["two", "one"], ["two"]),
        (["four", "three", "two", "one"], ["four", "three"]),
      ] {
        titles.withLock { $0 = there }
        reader.clock.advance(3_600)
        _ = try await reader.repository.refresh(.all)
        let rows = try await reader.store.view { try $0.timeline.slice(new).rows }
        let found = rows.compactMap { if case .article(let row) = $0 { row.title } else { nil } }
        #expect(Set(found) == Set(wanted))
      }
    }
  }

  @Test func `Cancelling closes the connections, keeps what came, and frees the claims`()
    async throws
  {
    let server = RawServer { _ in .hang }
    let slow = "http://127.0.0.1:\(try server.start())"
    try await withAnswers({ _ in .reply(.rss(["kept"])) }) { base, _ in
      let reader = try TestReader()
      try await reader.add(base + "/fast", slow + "/1", slow + "/2")
      let repository = reader.repository
      let refresh = Task { try await repository.refresh(.all) }
      #expect(try await eventually { try await reader.titles() == ["kept"] })
      #expect(await eventually { !server.requests.isEmpty })
      refresh.cancel()
      let report = try await refresh.value
      #expect(report.outcomes.map(\.feed.url) == [base + "/fast"])
      #expect(report.isCut)
      #expect(try await reader.titles() == ["kept"])
      let ids = try await reader.store.view { try $0.feeds.all().map(\.id) }
      let now = reader.clock.now
      let claimed = try await reader.store.view {
        try $0.claims.claimed(ids, byOthersThan: "somebody else", at: now)
      }
      #expect(claimed == [])
      // Where the file system carries no locks, the end of the claimant is not seen.
      #expect(try await reader.store.view { try ids.compactMap($0.claims.claimant) } == [])
      #expect(await eventually(within: closingTime) { server.openConnections == 0 })
      let cut = try await reader.store.view { try $0.feeds.feed(url: slow + "/1") }
      #expect(cut?.state.error == nil)
    }
    await server.stop()
  }

  @Test func `A second wish joins the refresh under way, and nothing is fetched twice`()
    async throws
  {
    let gate = Gate()
    let respond: RawServer.Responder = { request in
      gate.wait()
      return .reply(.rss(["\(request.path)"]))
    }
    try await withAnswers(respond) { base, server in
      try await withAnswers(respond) { otherBase, otherServer in
        let reader = try TestReader()
        let feeds = try await reader.add(base + "/a", otherBase + "/b")
        let repository = reader.repository
        async let first = repository.refresh(.feeds([feeds[0].id]))
        #expect(await eventually { server.requests.count == 1 })
        async let second = repository.refresh(.all)
        // What is new in the second wish begins at once, though the first has not been answered.
        #expect(await eventually { otherServer.requests.count == 1 })
        gate.open()
        #expect(try await first.outcomes.count == 2)
        #expect(try await second.outcomes.count == 2)
        #expect((server.requests + otherServer.requests).map(\.target) == ["/a", "/b"])
      }
    }
  }

  @Test func `What joined a refresh goes on when the one who began it gives up`() async throws {
    let gate = Gate()
    try await withAnswers({ request in
      if request.path == "/hangs" { return .hang }
      gate.wait()
      return .reply(.rss(["b"]))
    }) { base, server in
      let reader = try TestReader { $0.concurrent = 1 }
      let feeds = try await reader.add(base + "/hangs", base + "/b")
      let repository = reader.repository
      let first = Task { try await repository.refresh(.feeds([feeds[0].id])) }
      #expect(await eventually { server.requests.count == 1 })
      async let second = repository.refresh(.feeds([feeds[1].id]))
      #expect(try await joined(2, repository))
      gate.open()
      first.cancel()
      #expect(try await second.outcomes.map(\.feed.id) == [feeds[1].id])
      #expect(try await reader.titles() == ["b"])
    }
  }

  @Test func `Many wishes at once are each answered in full`() async throws {
    try await withAnswers({ request in .reply(.rss(["\(request.path)"])) }) { base, server in
      let reader = try TestReader()
      let feeds = try await reader.add((0..<20).map { base + "/\($0)" })
      let repository = reader.repository
      try await withThrowingTaskGroup { group in
        for feed in feeds {
          group.addTask {
            let report = try await repository.refresh(.feeds([feed.id]))
            #expect(report.outcomes.contains { $0.feed.id == feed.id })
          }
        }
        try await group.waitForAll()
      }
      #expect(server.requests.count == 20)
      #expect(try await reader.titles().count == 20)
    }
  }

  private func joined(_ count: Int, _ repository: FeedRepository) async throws -> Bool {
    var activities = repository.activities().makeAsyncIterator()
    while let activity = try await activities.next() {
      if case .refreshing(_, let total, _) = activity, total == count { return true }
    }
    return false
  }
}

@Suite(.timeLimit(.minutes(10))) struct ClaimTests {
  @Test func `Two repositories on one store fetch a feed once, and both report it`() async throws {
    let gate = Gate()
    try await withAnswers({ request in
      gate.wait()
      return .reply(request.path == "/bad" ? WireReply(status: 404) : .rss(["a"]))
    }) { base, server in
      let reader = try TestReader()
      try await reader.add(base + "/a", base + "/bad")
      let other = try Store(folder: reader.folder)
      let (first, second) = (reader.repository, makeRepository(other, reader.clock))
      async let mine = first.refresh(.all)
      // Both are claimed before the first is asked for.
      #expect(await eventually { !server.requests.isEmpty })
      async let theirs = second.refresh(.all)
      // The timer leaves them to the other instead of waiting.
      let due = try await makeRepository(other, reader.clock).refresh(.due)
      #expect(due.outcomes.isEmpty)
      gate.open()
      #expect(try await mine.outcomes.map(\.isByAnother) == [false, false])
      let report = try await theirs
      #expect(report.outcomes.map(\.isByAnother) == [true, true])
      #expect(report.failed.map(\.feed.url) == [base + "/bad"])
      #expect(report.failed.first?.error?.status == 404)
      #expect(server.requests.count == 2)
    }
  }

  @Test func `A claim that its owner gives back without a result is taken over`() async throws {
    let isSlow = Mutex(true)
    try await withAnswers({ _ in isSlow.withLock { $0 } ? .hang : .reply(.rss(["a"])) }) {
      base, server in
      let reader = try TestReader()
      try await reader.add([base + "/a"])
      let other = try Store(folder: reader.folder)
      let (first, second) = (reader.repository, makeRepository(other, reader.clock))
      let mine = Task { try await first.refresh(.all) }
      #expect(await eventually { server.requests.count == 1 })
      async let theirs = second.refresh(.all)
      #expect(try await waiting(second))
      isSlow.withLock { $0 = false }
      mine.cancel()
      let report = try await theirs
      #expect(report.outcomes.map(\.isByAnother) == [false])
      #expect(report.inserted == 1)
    }
  }

  @Test func `The claim of a process that was killed runs out`() async throws {
    try await withAnswers({ _ in .reply(.rss(["a"])) }) { base, server in
      let reader = try TestReader()
      let feed = try await reader.add(base + "/a")[0]
      let now = reader.clock.now
      _ = try await reader.store.edit {
        try $0.claims.claim([feed.id], by: "killed", until: now.addingTimeInterval(60), now: now)
      }
      let repository = reader.repository
      async let report = repository.refresh(.all)
      #expect(try await waiting(repository))
      #expect(server.requests.isEmpty)
      reader.clock.advance(61)
      #expect(try await report.inserted == 1)
    }
  }

  @Test func `Waiting for another ends when it is cancelled`() async throws {
    try await withAnswers({ _ in .reply(.rss(["a"])) }) { base, server in
      let reader = try TestReader()
      let feed = try await reader.add(base + "/a")[0]
      let now = reader.clock.now
      _ = try await reader.store.edit {
        try $0.claims.claim([feed.id], by: "other", until: now.addingTimeInterval(60), now: now)
      }
      let repository = reader.repository
      let refresh = Task { try await repository.refresh(.all) }
      #expect(try await waiting(repository))
      refresh.cancel()
      #expect(try await refresh.value.isCut)
      #expect(server.requests.isEmpty)
    }
  }

  private func waiting(_ repository: FeedRepository) async throws -> Bool {
    var activities = repository.activities().makeAsyncIterator()
    while let activity = try await activities.next() {
      if activity == .refreshing(done: 0, total: 1, failed: 0) { return true }
    }
    return false
  }
}
