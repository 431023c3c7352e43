internal import News
internal import Store
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import Repository

/// When what was fetched is stored.
@Suite struct FetchedBatchTests {
  private func fetched(_ id: Int64) -> FetchedFeed {
    let feed = Feed(id: FeedID(id), url: "http://e.org/\(id)")
    return FetchedFeed(
      outcome: RefreshReport.Outcome(
        feed: feed, inserted: 0, updated: 0, isUnchanged: false, warnings: [])
    ) { _ in MergeResult() }
  }

  private func filled(_ count: Int) -> FetchedBatch {
    var batch = FetchedBatch()
    for id in 0..<count { _ = batch.add(fetched(Int64(id))) }
    return batch
  }

  @Test func `The first batches are small, and later ones wait until they are worth a transaction`()
  {
    var batch = FetchedBatch()
    var sizes: [Int] = []
    for id in 0..<200 {
      _ = batch.add(fetched(Int64(id)))
      guard let stored = batch.next(isLast: false) else { continue }
      sizes.append(stored.count)
      batch.stored()
    }
    #expect(sizes == [4, 16, FetchedBatch.worthwhile, FetchedBatch.worthwhile])
  }

  @Test func `Nothing more is fetched while a whole batch waits to be stored`() {
    var batch = filled(FetchedBatch.worthwhile - 1)
    #expect(!batch.isFull)
    _ = batch.add(fetched(99))
    #expect(batch.isFull)
    #expect(batch.next(isLast: false)?.count == FetchedBatch.worthwhile)
    #expect(batch.isStoring)
    #expect(!batch.isFull)
  }

  @Test func `It does not wait where nothing follows`() {
    var batch = filled(1)
    #expect(batch.next(isLast: true)?.map(\.outcome.feed.id) == [FeedID(0)])
    #expect(!batch.isEmpty)
    batch.stored()
    #expect(batch.isEmpty)
    #expect(batch.next(isLast: true) == nil)
  }

  @Test func `It does not wait for long, and a late reminder is not for the next batch`() {
    var batch = FetchedBatch()
    let isFirst = [batch.add(fetched(1)), batch.add(fetched(2))]
    #expect(isFirst == [true, false])
    let number = batch.number
    batch.patienceRanOut(for: number)
    #expect(batch.next(isLast: false)?.count == 2)
    batch.stored()
    let isFirstAgain = batch.add(fetched(3))
    #expect(isFirstAgain)
    batch.patienceRanOut(for: number)
    #expect(batch.next(isLast: false) == nil)
  }

  @Test func `While one is being stored the next one gathers`() {
    var batch = filled(1)
    _ = batch.next(isLast: true)
    _ = batch.add(fetched(2))
    #expect(batch.next(isLast: true) == nil)
    batch.stored()
    #expect(batch.next(isLast: true)?.count == 1)
  }

  @Test func `A heavy batch is stored in parts, one feed at least`() {
    var batch = FetchedBatch()
    for (id, weight) in [FetchedBatch.heavy * 3, 10, FetchedBatch.heavy, 20].enumerated() {
      var heavy = fetched(Int64(id))
      heavy.weight = weight
      _ = batch.add(heavy)
    }
    #expect(batch.isFull)
    var parts: [Int] = []
    while let part = batch.next(isLast: false) {
      parts.append(part.count)
      batch.stored()
    }
    #expect(parts == [1, 1, 1, 1])
    #expect(batch.isEmpty && !batch.isFull)
  }

  @Test func `A change that the user waits for is written before the rest of a batch`() async throws
  {
    let reader = try TestReader()
    let feeds = try await reader.add((1...20).map { "http://e.org/\($0)" })
    let written = Mutex<[String]>([])
    let gate = Gate()
    let batch = feeds.map { feed in
      FetchedFeed(
        outcome: RefreshReport.Outcome(
          feed: feed, inserted: 0, updated: 0, isUnchanged: false, warnings: [])
      ) { _ in
        written.withLock { $0.append(feed.url) }
        gate.wait()
        var result = MergeResult()
        result.inserted = Int(feed.id.rawValue)
        return result
      }
    }
    let store = reader.store
    async let outcomes = store.store(batch)
    #expect(await eventually { written.withLock { !$0.isEmpty } })
    async let change: Void = store.change { _ in written.withLock { $0.append("change") } }
    #expect(await eventually { store.isChangeAwaited })
    gate.open()
    try await change
    #expect(await outcomes.map(\.inserted) == feeds.map { Int($0.id.rawValue) })
    #expect(!store.isChangeAwaited)
    let order = written.withLock { $0 }
    #expect(order.filter { $0 != "change" } == feeds.map(\.url))
    #expect(order.last != "change")
  }

  @Test func `The fault of one is not that of the others, and what is cancelled is stored`()
    async throws
  {
    let reader = try TestReader()
    let feeds = try await reader.add("http://e.org/a", "http://e.org/b", "http://e.org/c")
    let problem = SourceError(.store, stage: .store, subject: "b", message: "no room")
    let batch = feeds.map { feed in
      FetchedFeed(
        outcome: RefreshReport.Outcome(
          feed: feed, inserted: 0, updated: 0, isUnchanged: false, warnings: [])
      ) { edit in
        let page = PreparedPage(Page(entries: [Entry(id: "1", title: feed.url)]))
        let result = try edit.articles.merge(
          page, into: feed.id, at: .newest, now: reader.clock.now)
        if feed.id == feeds[1].id { throw problem }
        return result
      }
    }
    let store = reader.store
    let storing = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await store.store(batch)
    }
    let outcomes = await storing.value
    #expect(outcomes.map(\.inserted) == [1, 0, 1])
    #expect(outcomes.map(\.error) == [nil, problem, nil])
    #expect(try await reader.titles().sorted() == ["http://e.org/a", "http://e.org/c"])
  }
}
