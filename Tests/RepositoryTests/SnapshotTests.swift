internal import FeedServer
internal import Foundation
internal import News
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import Repository
@testable internal import Store

@Suite struct SnapshotTests {
  @Test func `Two observers both see each change, and leave nothing behind`() async throws {
    try await withAnswers({ _ in .reply(.rss(["a", "b"])) }) { base, _ in
      let reader = try TestReader()
      let feed = try await reader.add(base + "/a")[0]
      let repository = reader.repository
      let query = TimelineQuery(.feed(feed.id))
      @Sendable func observe() async throws -> [Int] {
        var counts: [Int] = []
        for try await snapshot in repository.snapshots(of: query) {
          counts.append(snapshot.slice.rows.count)
          if snapshot.slice.rows.count == 2, !snapshot.freshness.isLoading { break }
        }
        return counts
      }
      async let first = observe()
      async let second = observe()
      #expect(await eventually { reader.store.listenerCount == 2 })
      _ = try await repository.refresh(.all)
      #expect(try await first.last == 2)
      #expect(try await second.last == 2)
      #expect(await eventually { reader.store.listenerCount == 0 })
    }
  }

  @Test func `The sidebar has the numbers of Later and Due`() async throws {
    try await withAnswers({ _ in .reply(.rss(["a", "b", "c"])) }) { base, _ in
      let reader = try TestReader()
      _ = try await reader.add(base + "/a")
      let repository = reader.repository
      _ = try await repository.refresh(.all)
      let rows = try await reader.store.view { try $0.timeline.slice(TimelineQuery(.all)).rows }
      let ids = rows.map(\.position.article)
      let past = Date(timeIntervalSinceNow: -60)
      try await repository.apply(.setLater([ids[0]], true))
      try await repository.apply(.setLater([ids[1]], true, until: past))
      try await repository.apply(.setLater([ids[2]], true, until: Date(timeIntervalSinceNow: 60)))
      let (sidebar, list) = try repository.firstSnapshots(of: TimelineQuery(.later))
      #expect(sidebar.later == 2 && sidebar.due == 1 && sidebar.tags == ["later"])
      #expect(Set(list.slice.rows.map(\.position.article)) == Set(ids.prefix(2)))
    }
  }

  @Test func `The list of a feed that has failed does not wait for the others`() async throws {
    let gate = Gate()
    try await withAnswers({ request in
      if request.path == "/slow" { gate.wait() }
      return .reply(request.path == "/gone" ? WireReply(status: 404) : .rss(["a"]))
    }) { base, _ in
      let reader = try TestReader()
      let feeds = try await reader.add(base + "/gone", base + "/slow")
      let repository = reader.repository
      func freshness(_ timeline: Timeline) async throws -> Freshness? {
        for try await snapshot in repository.snapshots(of: TimelineQuery(timeline)) {
          return snapshot.freshness
        }
        return nil
      }
      async let report = repository.refresh(.all)
      for try await snapshot in repository.snapshots(of: TimelineQuery(.feed(feeds[0].id))) {
        if snapshot.freshness.error != nil, !snapshot.freshness.isLoading { break }
      }
      #expect(try await freshness(.feed(feeds[1].id))?.isLoading == true)
      #expect(try await freshness(.all)?.isLoading == true)
      gate.open()
      #expect(try await report.outcomes.count == 2)
      #expect(try await freshness(.all)?.isLoading == false)
    }
  }

  @Test
  func `What was changed and changed back at once is told again, and what changed nothing is not`()
    async throws
  {
    let reader = try TestReader()
    let store = reader.store
    var values = Snapshots(store: store, pause: .zero) { _ in 1 }.makeAsyncIterator()
    #expect(try await values.next() == 1)
    for _ in 0..<2 { try await store.edit { _ in } }
    #expect(try await values.next() == 1)
    try await store.edit { _ in }
    let last = Task { [values] in
      var values = values
      return try await values.next()
    }
    try await Task.sleep(for: .milliseconds(200))
    last.cancel()
    #expect(try await last.value == nil)
  }

  @Test(arguments: [(1, 60), (50, 200), (100, 400), (9_000, 1_000)])
  func `What takes long to read is read less often`(_ cost: Int, _ rest: Int) throws {
    let snapshots = Snapshots(store: try TestReader().store) { _ in 1 }
    #expect(snapshots.rest(after: .milliseconds(cost)) == .milliseconds(rest))
  }

  @Test func `An observer whose task is cancelled ends`() async throws {
    let reader = try TestReader()
    let (repository, store) = (reader.repository, reader.store)
    let task = Task { for try await _ in repository.sidebars() {} }
    #expect(await eventually { store.listenerCount == 1 })
    task.cancel()
    _ = await task.result
    #expect(await eventually { store.listenerCount == 0 })
  }

  @Test func `Without a server what is cached comes first, stays, and says since when`()
    async throws
  {
    let server = RawServer { _ in .reply(.rss(["a", "b"])) }
    let base = "http://127.0.0.1:\(try server.start())"
    let reader = try TestReader()
    let feed = try await reader.add(base + "/a")[0]
    let repository = reader.repository
    _ = try await repository.refresh(.all)
    let fetched = reader.clock.now
    await server.stop()
    reader.clock.advance(500)

    // A new start, with nothing to reach.
    let restarted = makeRepository(try Store(folder: reader.folder), reader.clock)
    let query = TimelineQuery(.feed(feed.id))
    let (sidebar, first) = try restarted.firstSnapshots(of: query)
    #expect(first.slice.rows.count == 2)
    #expect(sidebar.feeds.map(\.counts.total) == [2])
    #expect(first.freshness.offlineSince == nil)
    let report = try await restarted.refresh(.all)
    #expect(report.failed.map(\.error?.kind) == [.refused])
    let offline = try await restarted.snapshots(of: query).first { _ in true }
    #expect(offline?.slice == first.slice)
    #expect(offline?.freshness.offlineSince == reader.clock.now)
    #expect(offline?.freshness.updated == fetched)
    #expect(offline?.freshness.error?.kind == .refused)
    #expect(offline?.freshness.failedCount == 1)

    // The server comes back: the next refresh says so, and that scope finds the feed.
    try server.start()
    reader.clock.advance(10)
    #expect(try await restarted.refresh(.unreachable).outcomes.count == 1)
    let online = try await restarted.snapshots(of: query).first { _ in true }
    #expect(online?.freshness.offlineSince == nil)
    #expect(online?.freshness.error == nil)
    #expect(online?.freshness.updated == reader.clock.now)
    await server.stop()
  }

  @Test func `One server that is down among others is not offline`() async throws {
    try await withRefusedPort { port in
      try await withAnswers({ _ in .reply(.rss(["a"])) }) { base, _ in
        let reader = try TestReader()
        try await reader.add([base + "/a", "http://127.0.0.1:\(port)/b"])
        _ = try await reader.repository.refresh(.all)
        let sidebar = try await reader.repository.sidebars().first { _ in true }
        #expect(sidebar?.offlineSince == nil)
      }
    }
  }

  @Test func `Asking one feed that is down does not make the network absent`() async throws {
    try await withRefusedPort { port in
      try await withAnswers({ _ in .reply(.rss(["a"])) }) { base, _ in
        let reader = try TestReader()
        let feeds = try await reader.add([base + "/a", "http://127.0.0.1:\(port)/b"])
        let report = try await reader.repository.refresh(.timeline(.feed(feeds[1].id)))
        #expect(report.failed.map(\.error?.kind) == [.refused])
        let sidebar = try await reader.repository.sidebars().first { _ in true }
        #expect(sidebar?.offlineSince == nil)
      }
    }
  }

  @Test func `What is starred has no older pages to ask for`() async throws {
    try await withAnswers({ _ in
      .reply(
        WireReply(
          type: "application/json",
          text: #"{"items": [{"id": "1", "title": "a"}], "nextCursor": "2"}"#))
    }) { base, _ in
      let reader = try TestReader()
      _ = try await reader.add(base)
      try await reader.store.edit { edit in
        let page = Page.api([Entry(id: "1")], next: "2")
        let feed = try #require(try edit.view.feeds.all().first)
        try edit.articles.merge(
          PreparedPage(page), into: feed.id, at: .newest, now: reader.clock.now)
      }
      for (timeline, older) in [(Timeline.all, OlderArticles.more), (.starred, .none)] {
        let snapshot = try await reader.repository.snapshots(of: TimelineQuery(timeline))
          .first { _ in true }
        #expect(snapshot?.older == older)
      }
    }
  }

  @Test func `A mark is in the store when it is made, and seen`() async throws {
    let reader = try TestReader()
    let repository = reader.repository
    let now = reader.clock.now
    try await reader.store.edit { edit in
      let feed = try edit.feeds.subscribe(url: "http://e.org", isUserEntered: true, now: now).feed
      let page = Page(entries: [Entry(id: "1"), Entry(id: "2")])
      try edit.articles.merge(PreparedPage(page), into: feed, at: .newest, now: now)
    }
    var snapshots = repository.snapshots(of: TimelineQuery(.unread)).makeAsyncIterator()
    let row = try #require(try await snapshots.next()?.slice.rows.first)
    try await repository.apply(.mark([ArticleID(row.position.id)], .read(true)))
    #expect(try await snapshots.next()?.counts.unread == 1)
    #expect(try await repository.apply(.markAllRead(.all, notNewerThan: nil)).count == 1)
    #expect(try await repository.apply(.undo).count == 1)
    #expect(
      try await repository.store.view { try $0.nextUnread(in: .starred, after: nil)?.timeline }
        == .unread)
    #expect(try await reader.store.view { try $0.outbox.items() } == [])
  }

  @Test func `The subscriptions are read once for each change, whoever looks`() async throws {
    let reader = try TestReader()
    try await reader.add("https://example.org/a")
    let store = reader.store
    let reading = SubscriptionReading()
    @Sendable func count(_ change: UInt64, isFirst: Bool = false) async throws -> Int {
      let moment = StoreMoment(change: change, isFirst: isFirst)
      return try await store.view { try reading.state(in: $0, at: moment).feeds.count }
    }
    let change = store.changeNumber
    #expect(try await count(change) == 1)
    try await reader.add("https://example.org/b")
    // Asked about the same change, it is not read again; about the next, it is.
    #expect(try await count(change) == 1)
    #expect(store.changeNumber == change + 1)
    #expect(try await count(change + 1) == 2)
    store.announce()
    #expect(store.changeNumber == change + 1)
    // Another process may have written what nobody has noticed.
    let other = try Store(folder: reader.folder)
    let now = reader.clock.now
    try await other.edit { edit in
      _ = try edit.feeds.subscribe(url: "https://example.org/c", isUserEntered: true, now: now)
    }
    #expect(try await count(change + 1) == 2)
    #expect(try await count(change + 1, isFirst: true) == 3)
  }

  @Test func `A further list does not read subscriptions that nobody has changed`() async throws {
    let reader = try TestReader()
    try await reader.add("https://example.org/a")
    let store = reader.store
    let times = Mutex(0)
    let reading = SubscriptionReading { view in
      times.withLock { $0 += 1 }
      return try SubscriptionReading.read(view)
    }
    let begin = StoreMoment(change: store.changeNumber, isFirst: true)
    var stamps: [ViewStamp] = []
    /// Of 20 lists: how often feeds were read, and through how many connections that had not read them yet.
    func reads(
      feeds: Int, at moment: StoreMoment
    ) async throws -> (times: Int, connections: Int) {
      times.withLock { $0 = 0 }
      let known = stamps.count
      for _ in 0..<20 {
        let stamp = try await store.view { view in
          #expect(try reading.state(in: view, at: moment).feeds.count == feeds)
          return try #require(view.stamp)
        }
        if !stamps.contains(where: stamp.isOfSameConnection) { stamps.append(stamp) }
      }
      return (times.withLock { $0 }, stamps.count - known)
    }
    let first = try await reads(feeds: 1, at: begin)
    #expect(first.times == first.connections && first.times < 20)
    // A change is announced that was none.
    let announced = StoreMoment(change: store.changeNumber + 1, isFirst: false)
    let again = try await reads(feeds: 1, at: announced)
    #expect(again.times <= again.connections)
    let other = try Store(folder: reader.folder)
    let now = reader.clock.now
    try await other.edit { edit in
      _ = try edit.feeds.subscribe(url: "https://example.org/c", isUserEntered: true, now: now)
    }
    // Whoever has seen what was before sees that it is no longer so.
    stamps = []
    let then = try await reads(feeds: 2, at: begin)
    #expect(then.times == then.connections)
  }
}
