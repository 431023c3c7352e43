internal import FeedServer
internal import Foundation
internal import News
internal import Repository
internal import Store
internal import Synchronization
internal import Testing

@Suite struct FetchStateTests {
  @Test func `A feed that has moved for good keeps its articles and marks`() async throws {
    let hasMoved = Mutex(false)
    try await withAnswers({ request in
      request.path == "/old" && hasMoved.withLock { $0 }
        ? .reply(WireReply(status: 301, headers: [("Location", "/new")]))
        : .reply(.rss(["a", "b"]))
    }) { base, server in
      let reader = try TestReader()
      let feed = try await reader.add(base + "/old")[0]
      _ = try await reader.repository.refresh(.all)
      let query = TimelineQuery(.feed(feed.id))
      let rows = try await reader.store.view { try $0.timeline.slice(query).rows }
      try await reader.repository.apply(.mark([ArticleID(rows[0].position.id)], .read(true)))
      hasMoved.withLock { $0 = true }
      _ = try await reader.repository.refresh(.all)
      let moved = try await reader.feed(feed)
      #expect(moved.url == base + "/new")
      #expect(moved.counts == ArticleCounts(total: 2, unread: 1, starred: 0))
      server.forgetRequests()
      _ = try await reader.repository.refresh(.all)
      #expect(server.requests.map(\.target) == ["/new"])
    }
  }

  @Test func `How each fetch went is kept, and since when they fail`() async throws {
    let status = Mutex(200)
    try await withAnswers({ request in
      let now = status.withLock { $0 }
      if request.path == "/there" { return .reply(.rss(["a"])) }
      return .reply(
        now == 200
          ? .rss(["a"])
          : WireReply(status: now, headers: now == 302 ? [("Location", "/there")] : []))
    }) { base, _ in
      let reader = try TestReader()
      let feed = try await reader.add(base + "/here")[0]
      _ = try await reader.repository.refresh(.all)
      var state = try await reader.feed(feed).state
      #expect(state.exchange == ExchangeSummary(status: 200, attempts: 1))
      #expect(state.failing == nil)

      status.withLock { $0 = 503 }
      reader.clock.advance(100)
      let since = reader.clock.now
      for _ in 0..<3 {
        _ = try await reader.repository.refresh(.all)
        reader.clock.advance(100)
      }
      state = try await reader.feed(feed).state
      #expect(state.exchange?.status == 503)
      #expect(state.failing == FailureRun(since: since, count: 3))

      // For the time being elsewhere: the address stays, and it is known where.
      status.withLock { $0 = 302 }
      _ = try await reader.repository.refresh(.all)
      let found = try await reader.feed(feed)
      #expect(found.url == base + "/here")
      #expect(found.state.exchange?.redirectedTo == base + "/there")
      #expect(found.state.failing == nil)
    }
  }

  @Test func `A feed that waits for another attempt says so, and when it is`() async throws {
    let isHeld = Gate()
    let count = Mutex(0)
    try await withAnswers({ _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number == 2 { isHeld.wait() }
      return .reply(number < 3 ? WireReply(status: 503) : .rss(["a"]))
    }) { base, server in
      let reader = try TestReader(attempts: 3)
      let feed = try await reader.add(base + "/a")[0]
      let repository = reader.repository
      async let report = repository.refresh(.all)
      var seen: [RetryWait] = []
      for try await sidebar in repository.sidebars() {
        if let wait = sidebar.waits[feed.id], seen.last != wait { seen.append(wait) }
        if !seen.isEmpty { break }
      }
      isHeld.open()
      #expect(seen.first?.attempt == 2 && seen.first?.maxAttempts == 3)
      #expect(try await report.failed.isEmpty)
      #expect(server.requests.count == 3)
      let state = try await reader.feed(feed).state
      #expect(state.exchange == ExchangeSummary(status: 200, attempts: 3))
      // Nothing is left of it once it is over.
      for try await sidebar in repository.sidebars() {
        #expect(sidebar.waits.isEmpty)
        break
      }
    }
  }

  @Test func `A failure that named the time of the next attempt is due then, and not before`()
    async throws
  {
    let isBusy = Mutex(true)
    try await withAnswers({ _ in
      .reply(
        isBusy.withLock { $0 }
          ? WireReply(status: 429, headers: [("Retry-After", "600")]) : .rss(["a"]))
    }) { base, server in
      let reader = try TestReader()
      let feed = try await reader.add(base + "/a")[0]
      let (repository, clock) = (reader.repository, reader.clock)
      _ = try await repository.refresh(.due)
      let next = try #require(try await reader.feed(feed).state.nextAttempt)
      isBusy.withLock { $0 = false }
      // The server's wish is counted by the machine's own clock.
      clock.set(next.addingTimeInterval(-5))
      #expect(try await repository.refresh(.due).outcomes.isEmpty)
      clock.set(next)
      #expect(try await repository.refresh(.due).outcomes.count == 1)
      #expect(server.requests.count == 2)
    }
  }

  @Test func `A feed is due by how often it publishes, and at once where the user asks`()
    async throws
  {
    let start = Date.now
    try await withAnswers({ _ in
      let items = [1, 11, 21].map { hour in
        let date = start.addingTimeInterval(-3_600 * Double(hour)).formatted(.iso8601)
        return "<entry><id>\(hour)</id><title>\(hour)</title><published>\(date)</published></entry>"
      }
      return .reply(
        WireReply(
          type: "application/atom+xml",
          text: "<feed xmlns='http://www.w3.org/2005/Atom'>\(items.joined())</feed>"))
    }) { base, server in
      let reader = try TestReader()
      let feed = try await reader.add(base + "/a")[0]
      let (repository, clock) = (reader.repository, reader.clock)
      clock.set(start)
      _ = try await repository.refresh(.due)
      #expect(try await reader.feed(feed).state.pace?.gap == 36_000)
      clock.advance(17_900)
      #expect(try await repository.refresh(.due).outcomes.isEmpty)
      #expect(try await repository.refresh(.all).outcomes.count == 1)
      clock.advance(17_900)
      #expect(try await repository.refresh(.due).outcomes.isEmpty)
      clock.advance(200)
      #expect(try await repository.refresh(.due).outcomes.count == 1)
      #expect(server.requests.count == 3)
    }
  }

  @Test(arguments: ["/a", "/b"])
  func `A list tells of the failure that needs the user first`(missing: String) async throws {
    try await withAnswers({ request in
      .reply(WireReply(status: request.path == missing ? 404 : 403))
    }) { base, _ in
      let reader = try TestReader()
      try await reader.add(base + "/a", base + "/b")
      _ = try await reader.repository.refresh(.all)
      let freshness = try reader.repository.firstSnapshots(of: TimelineQuery(.all)).1.freshness
      #expect(freshness.failedCount == 2 && freshness.error?.status == 404)
    }
  }

  @Test func `A feed that is gone keeps its articles and is not due again`() async throws {
    let isGone = Mutex(false)
    try await withAnswers({ _ in
      .reply(isGone.withLock { $0 } ? WireReply(status: 410) : .rss(["a"]))
    }) { base, server in
      let reader = try TestReader()
      let feed = try await reader.add(base + "/a")[0]
      _ = try await reader.repository.refresh(.due)
      isGone.withLock { $0 = true }
      reader.clock.advance(4_000)
      _ = try await reader.repository.refresh(.due)
      #expect(try await reader.feed(feed).state.isGone)
      for timeline in [Timeline.all, .feed(feed.id)] {
        let freshness = try reader.repository.firstSnapshots(of: TimelineQuery(timeline)).1
          .freshness
        #expect(freshness.failedCount == 0 && freshness.goneCount == 1)
      }
      server.forgetRequests()
      reader.clock.advance(1_000_000)
      let repository = reader.repository
      #expect(try await repository.refresh(.due).outcomes.isEmpty)
      #expect(try await repository.refresh(.all).outcomes.isEmpty)
      #expect(try await repository.refresh(.timeline(.all)).outcomes.isEmpty)
      #expect(server.requests.isEmpty)
      #expect(try await reader.titles() == ["a"])
      // Named, it is asked; and it may have come back.
      isGone.withLock { $0 = false }
      #expect(try await repository.refresh(.timeline(.feed(feed.id))).outcomes.count == 1)
      #expect(try await !reader.feed(feed).state.isGone)
    }
  }

  @Test(arguments: [true, false])
  func `An unchanged feed writes no article`(hasValidator: Bool) async throws {
    try await withAnswers({ request in
      if request.header("If-None-Match") == "\"1\"" { return .reply(WireReply(status: 304)) }
      return .reply(.rss(["a", "b"], headers: hasValidator ? [("ETag", "\"1\"")] : []))
    }) { base, server in
      let reader = try TestReader()
      let feed = try await reader.add(base + "/a")[0]
      _ = try await reader.repository.refresh(.all)
      // A mark on the tables: an article that is written again would lose it.
      let now = reader.clock.now
      try await reader.store.edit { edit in
        let changed = [Entry(id: "a", title: "marked"), Entry(id: "b", title: "marked")]
        try edit.articles.merge(
          PreparedPage(Page(entries: changed)), into: feed.id, at: .older, now: now)
      }
      reader.clock.advance(100)
      let report = try await reader.repository.refresh(.all)
      #expect(report.outcomes.map(\.isUnchanged) == [true])
      #expect(try await reader.titles() == ["marked", "marked"])
      #expect(try await reader.feed(feed).state.lastSuccess == reader.clock.now)
      #expect(server.requests.count == 2)
      #expect(server.requests[1].header("If-None-Match") == (hasValidator ? "\"1\"" : nil))
    }
  }

  @Test func `Validators of a redirect's target go to that target alone`() async throws {
    let target = Mutex<String?>("/b")
    try await withAnswers({ request in
      if request.path == "/a", let target = target.withLock({ $0 }) {
        return .reply(
          target == "503"
            ? WireReply(status: 503) : WireReply(status: 302, headers: [("Location", target)]))
      }
      let tag = "\"\(request.path)\""
      return .reply(
        request.header("If-None-Match") == tag
          ? WireReply(status: 304) : .rss([String(request.path)], headers: [("ETag", tag)]))
    }) { base, server in
      let reader = try TestReader()
      try await reader.add(base + "/a")
      func asked(leadingTo place: String?) async throws -> [String?] {
        target.withLock { $0 = place }
        server.forgetRequests()
        _ = try await reader.repository.refresh(.all)
        return server.requests.map { $0.header("If-None-Match") }
      }
      #expect(try await asked(leadingTo: "/b") == [nil, nil])
      #expect(try await asked(leadingTo: "/b") == [nil, "\"/b\""])
      // A failure says nothing of the target.
      #expect(try await asked(leadingTo: "503") == [nil])
      #expect(try await asked(leadingTo: "/b") == [nil, "\"/b\""])
      #expect(try await asked(leadingTo: "/c") == [nil, nil])
      #expect(try await asked(leadingTo: "/b") == [nil, nil])
      #expect(try await asked(leadingTo: nil) == [nil])
      #expect(try await asked(leadingTo: nil) == ["\"/a\""])
      #expect(try await asked(leadingTo: "/b") == ["\"/a\"", nil])
      #expect(try await asked(leadingTo: "/b") == [nil, "\"/b\""])
    }
  }

  @Test func `Every eight days a feed is asked once for all of it`() async throws {
    let titles = Mutex(["a"])
    try await withAnswers({ request in
      .reply(
        request.header("If-None-Match") != nil
          ? WireReply(status: 304)
          : .rss(titles.withLock { $0 }, headers: [("ETag", "\"for ever\"")]))
    }) { base, server in
      let reader = try TestReader()
      try await reader.add(base + "/a")
      _ = try await reader.repository.refresh(.all)
      titles.withLock { $0 = ["a", "b"] }
      for _ in 1...2 {
        server.forgetRequests()
        for _ in 1...9 {
          reader.clock.advance(86_400)
          _ = try await reader.repository.refresh(.all)
        }
        let whole = server.requests.count { $0.header("If-None-Match") == nil }
        #expect(whole == 1)
      }
      #expect(try await Set(reader.titles()) == ["a", "b"])
    }
  }

  @Test func `A server's wish to be left alone is kept until it is over`() async throws {
    let isBusy = Mutex(true)
    try await withAnswers({ _ in
      .reply(
        isBusy.withLock { $0 }
          ? WireReply(status: 429, headers: [("Retry-After", "1800")]) : .rss(["a"]))
    }) { base, server in
      let reader = try TestReader()
      let feed = try await reader.add(base + "/a")[0]
      let asked = Date()
      _ = try await reader.repository.refresh(.all)
      let state = try await reader.feed(feed).state
      let next = try #require(state.nextAttempt)
      // The server counts from its answer, by the clock on the wall.
      #expect(abs(next.timeIntervalSince(asked) - 1800) < 60)
      #expect(state.error?.status == 429)

      var due = try await reader.feed(feed)
      due.state.lastAttempt = next - 10_000
      #expect(!due.isDue(at: next - 1, interval: .fixed(60)))
      #expect(due.isDue(at: next, interval: .fixed(60)))

      // The user may ask all the same, and a success ends the wish.
      isBusy.withLock { $0 = false }
      _ = try await reader.repository.refresh(.feeds([feed.id]))
      #expect(server.requests.count == 2)
      #expect(try await reader.feed(feed).state.nextAttempt == nil)
    }
  }

  @Test func `Subscribing stores the newest page at once; a failure stores nothing`() async throws {
    try await withAnswers({ request in
      request.path == "/a" ? .reply(.rss(["a", "b"])) : .reply(WireReply(status: 404))
    }) { base, server in
      let reader = try TestReader()
      await #expect(throws: SourceError.self) {
        try await reader.repository.subscribe(base + "/bad")
      }
      #expect(try await reader.store.view { try $0.feeds.all() } == [])
      let (feed, isNew) = try await reader.repository.subscribe(base + "/a", folders: ["f"])
      #expect(isNew)
      #expect(feed.counts.total == 2)
      #expect(feed.folders == ["f"])
      // The first page of the site is asked where there is nothing at an address.
      #expect(server.requests.map { String($0.path) } == ["/bad", "/", "/a"])
      #expect(try await !reader.repository.subscribe(base + "/a").isNew)
      try await reader.repository.unsubscribe(feed.id)
      #expect(try await reader.titles() == [])
    }
  }
}

@Suite struct DueTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var isDue: Bool
    var interval = FetchInterval.fixed(3600)
    var ttl: Int?
    var last: Double?
    var next: Double?
    var isGone = false

    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(name: "never fetched", isDue: true),
    Case(name: "only when asked", isDue: false, interval: .never),
    Case(name: "just fetched", isDue: false, last: -10),
    Case(name: "a second short of the interval", isDue: false, last: -3599),
    Case(name: "exactly the interval", isDue: true, last: -3600),
    Case(name: "a longer ttl", isDue: false, ttl: 120, last: -7199),
    Case(name: "a longer ttl that is over", isDue: true, ttl: 120, last: -7200),
    Case(name: "a shorter ttl does not hurry", isDue: false, ttl: 5, last: -600),
    Case(name: "told to wait", isDue: false, last: -10_000, next: 1),
    Case(name: "the wait is over", isDue: true, last: -10_000, next: 0),
    Case(name: "told to wait, never fetched", isDue: false, next: 60),
    Case(name: "gone", isDue: false, last: -1_000_000, isGone: true),
    Case(name: "a clock that was set back", isDue: true, last: 100_000),
    Case(name: "a clock that was set back a little", isDue: false, last: 30),
    Case(
      name: "told to wait by a clock that was set back", isDue: true, last: 100_000, next: 103_600),
    Case(name: "told to wait for longer than is granted", isDue: true, last: -10_000, next: 90_000),
    Case(name: "told to wait for a day", isDue: false, last: -10_000, next: 86_400),
  ])
  func `A feed is due by its times`(_ item: Case) {
    let now = Date(timeIntervalSince1970: 1_700_000_000)
    let state = FeedState(
      lastAttempt: item.last.map(now.addingTimeInterval),
      nextAttempt: item.next.map(now.addingTimeInterval), isGone: item.isGone,
      minutesToLive: item.ttl)
    let feed = Feed(id: FeedID(1), url: "http://e.org", state: state)
    #expect(feed.isDue(at: now, interval: item.interval) == item.isDue)
  }

  @Test(
    arguments: [
      ("in order", 16, 2, ["a/1", "b/1", "c/1"], ["a/1", "b/1", "c/1"]),
      ("two of a host", 16, 2, ["a/1", "a/2", "a/3", "b/1"], ["a/1", "a/2", "b/1"]),
      ("in total", 2, 2, ["a/1", "b/1", "c/1"], ["a/1", "b/1"]),
      ("hosts without case", 16, 1, ["a/1", "A/2"], ["a/1"]),
      ("ports are hosts of their own", 16, 1, ["a:1/1", "a:2/1"], ["a:1/1", "a:2/1"]),
      (
        "the hosts of Reddit are one", 16, 1, ["www.reddit.com/1", "old.reddit.com/2", "a/1"],
        ["www.reddit.com/1", "a/1"]
      ),
      ("at least one", 0, 0, ["a/1", "b/1"], ["a/1"]),
    ] as [(String, Int, Int, [String], [String])])
  func `The queue hands out what its bounds allow`(
    name: String, concurrent: Int, perHost: Int, waiting: [String], first: [String]
  ) {
    var queue = RefreshQueue(concurrent: concurrent, perHost: perHost)
    queue.add(feeds(waiting), in: .ahead)
    var running: [Feed] = []
    while let feed = queue.next() { running.append(feed) }
    #expect(running.map(\.url) == first.map { "http://" + $0 })
    // Everything comes in the end, once.
    var all = running
    while !running.isEmpty {
      queue.finished(running.removeFirst())
      while let feed = queue.next() {
        running.append(feed)
        all.append(feed)
      }
    }
    #expect(Set(all.map(\.url)) == Set(waiting.map { "http://" + $0 }))
    #expect(all.count == waiting.count)
    #expect(queue.isEmpty)
  }

  @Test func `What the user asks for goes before what waits in the background`() {
    let feeds = feeds(["a/1", "b/1", "c/1", "d/1", "e/1"])
    var queue = RefreshQueue(concurrent: 1, perHost: 1)
    queue.add(Array(feeds[..<3]), in: .ahead)
    var order: [String] = []
    func run() -> Feed? {
      let feed = queue.next()
      feed.map { order.append($0.url) }
      return feed
    }
    let running = run()
    queue.add(Array(feeds[3...]), in: .asked)
    // One that waits in the background already is moved to the front.
    queue.promote(feeds[2])
    #expect(queue.next() == nil)
    if let running { queue.finished(running) }
    while let feed = run() { queue.finished(feed) }
    #expect(order == ["a/1", "d/1", "e/1", "c/1", "b/1"].map { "http://" + $0 })
    #expect(queue.isEmpty)
  }

  private func feeds(_ names: [String]) -> [Feed] {
    names.enumerated().map { Feed(id: FeedID(Int64($0)), url: "http://" + $1) }
  }
}
