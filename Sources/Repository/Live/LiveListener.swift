internal import News
internal import Store
internal import Synchronization

/// Receiver of the live events of all feeds that offer them; articles go into the store.
final class LiveListener: Sendable {
  private let context: RepositoryContext
  private let network: NetworkState
  private let refresher: Refresher
  private let threads: CommentThreads
  /// Feeds with an open live connection. An array, since they are few and an empty one costs nothing.
  private let live = Mutex<[FeedID]>([])
  private let pauses = Mutex<[FeedID: ReconnectPause]>([:])

  init(
    _ context: RepositoryContext, network: NetworkState, refresher: Refresher,
    threads: CommentThreads
  ) {
    self.context = context
    self.network = network
    self.refresher = refresher
    self.threads = threads
  }

  private var store: Store { context.store }

  /// Receives events until the task is cancelled, also of feeds that are added meanwhile.
  func listen() async {
    while !Task.isCancelled {
      await withDiscardingTaskGroup { group in
        var stops: [FeedsView.Listened: AsyncStream<Void>.Continuation] = [:]
        do {
          let network = network
          let feeds = Snapshots(of: store) {
            network.isOfflineByChoice ? [] : try $0.feeds.toListenTo()
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
          // The store is busy. Anything else that is wrong with it is reported by what reads articles.
        }
        group.cancelAll()
      }
      try? await Task.sleep(for: .seconds(5))
    }
  }

  /// Listens to a feed until `end` does, or its server offers no live events.
  private func listen(to id: FeedID, until end: AsyncStream<Void>) async {
    let commented = PendingNews()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.keepListening(to: id, commented) }
      group.addTask { for await _ in end {} }
      group.addTask {
        // Comments hold no articles up, and a connection that ends does not end their fetch. What comes while one is
        // under way is fetched together. Those that cannot be had now come when the thread is opened.
        for await _ in commented.rings {
          let news = commented.removeAll()
          try? await self.threads.refresh(news.isMissed ? nil : news.commented, of: id)
        }
      }
      await group.next()
      group.cancelAll()
    }
    setLive(id, false)
    pauses.withLock { $0[id] = nil }
  }

  /// Listens to a feed and reconnects after failures: when the network is back, or after growing
  /// pauses.
  ///
  /// - Parameter commented: gets the articles with new comments.
  private func keepListening(to id: FeedID, _ commented: PendingNews) async {
    while !Task.isCancelled {
      let isOver = (try? await hear(id, commented)) ?? false
      setLive(id, false)
      if isOver || Task.isCancelled { return }
      let now = context.now()
      let pause = pauses.withLock { $0[id, default: ReconnectPause()].fail(at: now) }
      await network.wait(atMost: pause, isGuessed: false)
    }
  }

  /// - Returns: whether the server offers no live events of this feed, so that it is not asked
  ///   again.
  private func hear(_ id: FeedID, _ commented: PendingNews) async throws -> Bool {
    let known = try await store.view { view in
      (try view.feeds.feed(id), try view.feeds.liveEventID(of: id))
    }
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
            self.note(id) { [now = self.context.now()] in $0.noteOpening(at: now) }
            // A first connection delivers no earlier events.
            if known.1 == nil { pending.add(.missed, eventID: nil) }
          case .changed(let change, let eventID): pending.add(change, eventID: eventID)
          case .waiting:
            self.setLive(id, false)
            self.note(id) { $0.noteClosing() }
          case .ended(let error): return error.map(\.isLastWord) ?? true
          }
        }
        return false
      }
      group.addTask {
        // All pending events at once: a backlog costs one refresh, not one an event.
        for await _ in pending.rings {
          let news = pending.removeAll()
          try await self.store(news, of: feed, from: live)
          if !news.isEmpty { self.note(id) { $0.noteNews() } }
          commented.add(commentsOf: news)
        }
        return nil
      }
      defer { group.cancelAll() }
      var isOver = false
      while let ended = try await group.next() { isOver = ended ?? isOver }
      return isOver
    }
  }

  /// Stores the articles of events.
  ///
  /// - Throws: if some could not be fetched: the server then repeats the events after the last
  ///   stored one.
  private func store(
    _ news: PendingNews.Burst, of feed: Feed, from live: any LiveSource
  ) async throws {
    guard !news.isEmpty else { return }
    // A refresh that this one joins may have requested the page before the article was published.
    for _ in 0..<2 where try await isMissing(news, of: feed) {
      let report = try await refresher.refresh(.told([feed.id]))
      if let error = report.outcomes.first(where: { $0.feed.id == feed.id })?.error { throw error }
      try Task.checkCancellation()
      if news.isMissed { break }
    }
    for entry in news.updated { try await update(entry, of: feed, from: live) }
    if let last = news.lastEventID {
      try await store.edit { try $0.fetches.setLiveEventID(of: feed.id, last) }
    }
  }

  private func isMissing(_ news: PendingNews.Burst, of feed: Feed) async throws -> Bool {
    if news.isMissed { return true }
    return try await store.view { view in
      try news.added.contains { try !view.feeds.hasEntry($0, of: feed.id) }
    }
  }

  /// Fetches a changed entry that is stored; one that is not stored is left alone.
  private func update(
    _ entry: String, of feed: Feed, from live: any LiveSource
  ) async throws {
    guard try await store.view({ try $0.feeds.hasEntry(entry, of: feed.id) }) else { return }
    let article: Entry
    do { article = try await live.entry(entry) } catch let error as SourceError {
      // Removed from the server since: the stored article stays.
      guard error.status == 404 || error.status == 410 else { throw error }
      return
    }
    let prepared = PreparedPage(Page(entries: [article]))
    let time = context.now()
    _ = try await store.edit { edit in
      guard try edit.view.feeds.hasEntry(entry, of: feed.id) else { return MergeResult() }
      return try edit.articles.merge(prepared, into: feed.id, at: .pushed, now: time)
    }
  }

  /// Whether a live connection for a feed is open.
  func isLive(_ feed: FeedID) -> Bool { live.withLock { $0.contains(feed) } }

  func failures(of feed: FeedID) -> Int { pauses.withLock { $0[feed]?.failures ?? 0 } }

  private func note(_ feed: FeedID, _ change: (inout ReconnectPause) -> Void) {
    pauses.withLock { change(&$0[feed, default: ReconnectPause()]) }
  }

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
  /// Whether the server refuses live events for good.
  fileprivate var isLastWord: Bool {
    guard let status else { return false }
    return (400..<500).contains(status) && ![401, 408, 429].contains(status)
  }
}
