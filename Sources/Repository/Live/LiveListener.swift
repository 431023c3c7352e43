internal import News
internal import Store
internal import Synchronization

/// Listens for news that servers tell by themselves: it goes into the store, and reaches the screen
/// from there.
final class LiveListener: Sendable {
  private let context: RepositoryContext
  private let network: NetworkState
  private let refresher: Refresher
  /// Feeds whose server tells what happens, now. A few: an array costs a process that never listens
  /// nothing.
  private let live = Mutex<[FeedID]>([])

  init(_ context: RepositoryContext, network: NetworkState, refresher: Refresher) {
    self.context = context
    self.network = network
    self.refresher = refresher
  }

  private var store: Store { context.store }

  /// Listens to all feeds that have something to tell, those that are subscribed to meanwhile
  /// included, until the task is cancelled.
  func listen() async {
    while !Task.isCancelled {
      await withDiscardingTaskGroup { group in
        var stops: [StoreView.Listened: AsyncStream<Void>.Continuation] = [:]
        do {
          let feeds = Snapshots(store: store) { [store] _ in
            try await store.view { try $0.feedsToListenTo() }
          }
          for try await wanted in feeds {
            for (feed, stop) in stops where !wanted.contains(feed) {
              stop.finish()
              stops[feed] = nil
            }
            for feed in wanted where stops[feed] == nil {
              let (end, stop) = AsyncStream.makeStream(of: Void.self)
              stops[feed] = stop
              group.addTask { await self.listen(to: feed.id, until: end) }
            }
          }
        } catch {
          // A store that is busy; what is wrong with it is told elsewhere.
        }
        group.cancelAll()
      }
      try? await Task.sleep(for: .seconds(5))
    }
  }

  /// Until the feed is not to be listened to any more, or its server has nothing to tell.
  private func listen(to id: FeedID, until end: AsyncStream<Void>) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.keepListening(to: id) }
      group.addTask { for await _ in end {} }
      await group.next()
      group.cancelAll()
    }
    setLive(id, false)
  }

  /// Comes back after what kept it from listening: at once when the network is back, else later and
  /// later.
  private func keepListening(to id: FeedID) async {
    var failures = 0
    while !Task.isCancelled {
      let isOver = (try? await hear(id)) ?? false
      setLive(id, false)
      if isOver || Task.isCancelled { return }
      failures += 1
      await network.wait(atMost: .seconds(min(30 << min(failures, 5), 900)), isGuessed: false)
    }
  }

  /// Listens once, as long as it lasts.
  ///
  /// - Returns: whether there is nothing more to be heard of this feed.
  private func hear(_ id: FeedID) async throws -> Bool {
    let known = try await store.view { view in (try view.feed(id), try view.liveEventID(of: id)) }
    guard let feed = known.0,
      let live = context.sources.source(of: feed.account).live(of: feed)
    else {
      return true
    }
    let news = live.news(after: known.1 ?? "")
    let pending = PendingNews()
    return try await withThrowingTaskGroup(of: Bool?.self) { group in
      group.addTask {
        defer { pending.finish() }
        for try await one in news {
          switch one {
          case .opened:
            self.setLive(id, true)
            // What has happened before is not told to one who has never listened.
            if known.1 == nil { pending.add(.missed, eventID: nil) }
          case .changed(let change, let eventID): pending.add(change, eventID: eventID)
          case .waiting: self.setLive(id, false)
          case .ended(let error): return error.map(\.isLastWord) ?? true
          }
        }
        return false
      }
      group.addTask {
        // All that has come meanwhile at once: a backlog is one refresh, not one for each event.
        for await _ in pending.rings { try await self.take(pending.take(), of: feed, from: live) }
        return nil
      }
      defer { group.cancelAll() }
      var isOver = false
      while let ended = try await group.next() { isOver = ended ?? isOver }
      return isOver
    }
  }

  /// - Throws: where not all of it could be taken; it is told again from the last event on that was.
  private func take(
    _ news: PendingNews.Burst, of feed: Feed, from live: any LiveSource
  ) async throws {
    guard !news.isEmpty else { return }
    // A refresh that was under way may have asked just before the article was there.
    for _ in 0..<2 where try await isMissing(news, of: feed) {
      let report = try await refresher.refresh(.told([feed.id]))
      if let error = report.outcomes.first(where: { $0.feed.id == feed.id })?.error { throw error }
      try Task.checkCancellation()
      if news.isMissed { break }
    }
    for entry in news.updated { try await update(entry, of: feed, from: live) }
    if let last = news.lastEventID {
      try await store.edit { try $0.setLiveEventID(of: feed.id, last) }
    }
  }

  private func isMissing(_ news: PendingNews.Burst, of feed: Feed) async throws -> Bool {
    if news.isMissed { return true }
    return try await store.view { view in
      try news.added.contains { try !view.hasEntry($0, of: feed.id) }
    }
  }

  /// Only what is here: an old one that was never fetched stays where it is.
  private func update(
    _ entry: String, of feed: Feed, from live: any LiveSource
  ) async throws {
    guard try await store.view({ try $0.hasEntry(entry, of: feed.id) }) else { return }
    let article: Entry
    do { article = try await live.entry(entry) } catch let error as SourceError {
      // Gone again since; what is cached is the user's.
      guard error.status == 404 || error.status == 410 else { throw error }
      return
    }
    let prepared = PreparedPage(Page(entries: [article]))
    let time = context.now()
    _ = try await store.edit { edit in
      guard try edit.view.hasEntry(entry, of: feed.id) else { return MergeResult() }
      return try edit.merge(prepared, into: feed.id, at: .pushed, now: time)
    }
  }

  /// Whether the server of a feed tells what happens, now.
  func isLive(_ feed: FeedID) -> Bool { live.withLock { $0.contains(feed) } }

  private func setLive(_ feed: FeedID, _ isLive: Bool) {
    let isNews = live.withLock { live in
      let place = live.firstIndex(of: feed)
      if let place, !isLive { live.remove(at: place) }
      if place == nil, isLive { live.append(feed) }
      return isLive == (place == nil)
    }
    if isNews { store.announce() }
  }
}

extension SourceError {
  /// Whether the server has said that it does not tell anything, rather than that something is in the
  /// way of listening.
  fileprivate var isLastWord: Bool {
    guard let status else { return false }
    return (400..<500).contains(status) && ![401, 408, 429].contains(status)
  }
}
