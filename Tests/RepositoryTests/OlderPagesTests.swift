internal import FeedServer
internal import Foundation
internal import News
internal import Repository
internal import Store
internal import Synchronization
internal import TestSupport
internal import Testing

@Suite struct OlderPagesTests {
  /// Five pages of two, newest first; `between` is called before each is answered.
  private func withPages(
    _ between: @escaping @Sendable (_ page: Int) -> Script? = { _ in nil },
    _ body: (borrowing TestReader, Feed, RawServer) async throws -> Void
  ) async throws {
    try await withAnswers({ request in
      let page = request.query("cursor").flatMap { Int($0) } ?? 0
      if let script = between(page) { return script }
      return .reply(.api(["\(page)a", "\(page)b"], next: page < 4 ? "\(page + 1)" : nil))
    }) { base, server in
      let reader = try TestReader()
      let now = reader.clock.now
      let feed = try await reader.store.edit { edit in
        let id = try edit.feeds.subscribe(url: base + "/api", isUserEntered: true, now: now).feed
        // What subscribing to an API would have stored.
        let page = Page.api(
          [Entry(id: "0a", title: "0a"), Entry(id: "0b", title: "0b")], next: "1")
        try edit.articles.merge(PreparedPage(page), into: id, at: .newest, now: now)
        return try edit.view.feeds.feed(id)
      }
      try await body(reader, try #require(feed), server)
    }
  }

  private static let all = (0..<5).flatMap { ["\($0)a", "\($0)b"] }

  @Test func `Each page comes once, in order, and past the end nothing is asked`() async throws {
    try await withPages { reader, feed, server in
      for _ in 0..<7 { try await reader.repository.pages.load(.feed(feed.id)) }
      #expect(try await reader.titles() == Self.all)
      #expect(server.requests.map { $0.query("cursor") } == ["1", "2", "3", "4"])
      #expect(try await reader.feed(feed).state.paging == .end)
      let snapshot = try await reader.repository.snapshots(of: TimelineQuery(.feed(feed.id)))
        .first { _ in true }
      #expect(snapshot?.older == .end)
    }
  }

  @Test func `Many wishes at once are one request`() async throws {
    let gate = Gate()
    try await withPages({ _ in
      gate.wait()
      return nil
    }) { reader, feed, server in
      let repository = reader.repository
      async let first: Void = repository.pages.load(.feed(feed.id))
      #expect(await eventually { server.requests.count == 1 })
      let snapshot = try await repository.snapshots(of: TimelineQuery(.feed(feed.id)))
        .first { _ in true }
      #expect(snapshot?.older == .loading)
      await withTaskGroup { group in
        for _ in 0..<10 { group.addTask { try? await repository.pages.load(.feed(feed.id)) } }
      }
      #expect(server.requests.count == 1)
      gate.open()
      try await first
      #expect(try await reader.titles() == ["0a", "0b", "1a", "1b"])
    }
  }

  @Test func `A cursor that comes again ends the walk`() async throws {
    try await withPages({ page in
      page == 2 ? .reply(.api(["2a"], next: "1")) : nil
    }) { reader, feed, server in
      for _ in 0..<5 { try await reader.repository.pages.load(.feed(feed.id)) }
      #expect(server.requests.count == 2)
      #expect(try await reader.titles() == ["0a", "0b", "1a", "1b", "2a"])
      #expect(try await reader.feed(feed).state.paging == .end)
    }
  }

  @Test func `A failure keeps the rows, is told, and can be tried again`() async throws {
    let isBroken = Mutex(true)
    try await withPages({ _ in
      isBroken.withLock { $0 } ? .reply(WireReply(status: 503)) : nil
    }) { reader, feed, server in
      try await reader.repository.pages.load(.feed(feed.id))
      #expect(try await reader.titles() == ["0a", "0b"])
      #expect(try await reader.feed(feed).state.paging == .failed)
      let query = TimelineQuery(.feed(feed.id))
      let failed = try await reader.repository.snapshots(of: query).first { _ in true }
      guard case .failed(let error)? = failed?.older else {
        Issue.record("not told: \(String(describing: failed?.older))")
        return
      }
      #expect(error.status == 503)
      isBroken.withLock { $0 = false }
      try await reader.repository.pages.load(.feed(feed.id))
      #expect(try await reader.titles() == ["0a", "0b", "1a", "1b"])
      #expect(server.requests.map { $0.query("cursor") } == ["1", "1"])
      let again = try await reader.repository.snapshots(of: query).first { _ in true }
      #expect(again?.older == .more)
    }
  }

  @Test func `A page that a refresh has overtaken is dropped`() async throws {
    let gate = Gate()
    try await withPages({ page in
      if page == 1 { gate.wait() }
      return nil
    }) { reader, feed, server in
      let repository = reader.repository
      // Once to begin with: see the test of the bounds.
      _ = try await repository.refresh(.feeds([feed.id]))
      async let late = repository.pages.olderPage(of: feed)?.hasMore
      #expect(await eventually { server.requests.count == 2 })
      _ = try await repository.refresh(.feeds([feed.id]))
      gate.open()
      #expect(try await late == nil)
      #expect(try await reader.titles() == ["0a", "0b"])
      // It is asked for again, and then it is there.
      try await repository.pages.load(.feed(feed.id))
      #expect(try await reader.titles() == ["0a", "0b", "1a", "1b"])
    }
  }

  @Test func `All pages are walked to the end`() async throws {
    try await withPages { reader, feed, server in
      var numbers: [Int] = []
      for try await page in reader.repository.pages.all(of: feed) {
        numbers.append(page.number)
        #expect(page.stop == nil)
      }
      #expect(numbers == [1, 2, 3, 4])
      #expect(try await reader.titles() == Self.all)
    }
  }

  @Test func `A walk that finds nothing new for three pages ends, and the next goes on`()
    async throws
  {
    // The second page has news, and so three more follow it; then the pages go on for ever.
    try await withPages({ page in
      page == 2 ? nil : .reply(.api(["0a"], next: "\(page + 1)"))
    }) { reader, feed, server in
      var seen: [OlderPages.Element] = []
      for try await page in reader.repository.pages.all(of: feed) { seen.append(page) }
      #expect(seen.map(\.number) == [1, 2, 3, 4, 5])
      #expect(seen.map(\.stop) == [nil, nil, nil, nil, .nothingNew(pages: 3)])
      #expect(server.requests.count == 5)
      server.forgetRequests()
      for try await _ in reader.repository.pages.all(of: feed) {}
      #expect(server.requests.map { $0.query("cursor") } == ["6", "7", "8"])
    }
  }

  @Test func `A walk through pages that are always new ends at its bound`() async throws {
    try await withAnswers({ request in
      let page = request.query("cursor").flatMap { Int($0) } ?? 0
      return .reply(.api(["\(page)"], next: "\(page + 1)"))
    }) { base, server in
      let reader = try TestReader { $0.maxOlderPages = 7 }
      let now = reader.clock.now
      let feed = try #require(
        try await reader.store.edit { edit in
          let id = try edit.feeds.subscribe(url: base + "/api", isUserEntered: true, now: now).feed
          let page = Page.api(next: "1")
          try edit.articles.merge(PreparedPage(page), into: id, at: .newest, now: now)
          return try edit.view.feeds.feed(id)
        })
      var last: OlderPages.Element?
      for try await page in reader.repository.pages.all(of: feed) { last = page }
      #expect(last == OlderPages.Element(number: 7, stop: .bound(pages: 7)))
      #expect(server.requests.count == 7)
      #expect(try await reader.feed(feed).state.paging == .more)
    }
  }

  @Test func `The walk stops with whoever asks: nothing is fetched ahead`() async throws {
    try await withPages { reader, feed, server in
      let pages = reader.repository.pages.all(of: feed)
      for try await page in pages where page.number == 2 { break }
      #expect(server.requests.map { $0.query("cursor") } == ["1", "2"])

      // In a task that is cancelled after its next page.
      let task = Task {
        var count = 0
        for try await _ in pages {
          count += 1
          withUnsafeCurrentTask { $0?.cancel() }
        }
        return count
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(server.requests.map { $0.query("cursor") } == ["1", "2", "3"])
      #expect(try await reader.titles() == Self.all.dropLast(2))
    }
  }

  @Test func `Cancelling a load closes its connection and is no failure`() async throws {
    try await withPages({ _ in .hang }) { reader, feed, server in
      let repository = reader.repository
      let load = Task { try await repository.pages.load(.feed(feed.id)) }
      #expect(await eventually { server.requests.count == 1 })
      load.cancel()
      try await load.value
      #expect(await eventually(within: closingTime) { server.openConnections == 0 })
      let snapshot = try await repository.snapshots(of: TimelineQuery(.feed(feed.id)))
        .first { _ in true }
      #expect(snapshot?.older == .more)
    }
  }

  @Test func `A gap is filled from its cursor until it is closed`() async throws {
    try await withPages { reader, feed, server in
      let now = reader.clock.now
      reader.clock.advance(100)
      let later = reader.clock.now
      // A refresh whose page does not reach back: the gap continues at "3".
      try await reader.store.edit { edit in
        let page = Page(entries: [Entry(id: "new", title: "new")], nextCursor: Cursor("3"))
        try edit.articles.merge(PreparedPage(page), into: feed.id, at: .newest, now: later)
      }
      #expect(now < later)
      let query = TimelineQuery(.feed(feed.id))
      for _ in 0..<4 {
        let rows = try await reader.store.view { try $0.timeline.slice(query).rows }
        for case .gap(let gap) in rows { try await reader.repository.pages.fill(gap) }
      }
      #expect(server.requests.map { $0.query("cursor") } == ["3", "4"])
      #expect(
        try await reader.titles(.feed(feed.id)) == ["new", "3a", "3b", "4a", "4b", "0a", "0b"])
    }
  }
}
