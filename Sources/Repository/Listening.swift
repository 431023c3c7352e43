internal import News
internal import Store
internal import Synchronization

/// News that servers tell by themselves: it goes into the store, and reaches the screen from there.
extension FeedRepository {
  /// Listens to all feeds that have something to tell, those that are subscribed to meanwhile
  /// included, until the task is cancelled.
  package func listen() async {
    await withDiscardingTaskGroup { group in
      var heard: Set<FeedID> = []
      do {
        for try await sidebar in sidebars() {
          let feeds = sidebar.feeds.filter { $0.format == .api && !$0.state.isGone }
          heard.formIntersection(feeds.map(\.id))
          for feed in feeds where heard.insert(feed.id).inserted {
            group.addTask { await self.listen(to: feed) }
          }
        }
      } catch {
        // A store that cannot be read says so elsewhere.
      }
      group.cancelAll()
    }
  }

  /// Until the feed is removed, or its server has nothing more to tell.
  private func listen(to feed: Feed) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.takeNews(of: feed) }
      group.addTask { await self.untilRemoved(feed) }
      await group.next()
      group.cancelAll()
    }
    setLive(feed.id, false)
  }

  private func untilRemoved(_ feed: Feed) async {
    for await _ in store.changes() {
      let present = try? await store.view { try $0.feed(feed.id) }
      if present.flatMap({ $0 })?.url != feed.url { return }
    }
  }

  private func takeNews(of feed: Feed) async {
    do {
      let last = try await store.view { try $0.liveEventID(of: feed.id) } ?? ""
      guard let news = sources.live(for: feed, after: last) else { return }
      for try await one in news {
        switch one {
        case .opened:
          setLive(feed.id, true)
          // What has happened before is not told to one who has never listened.
          if last.isEmpty { _ = try await refresh(.told([feed.id])) }
        case .changed(let change, let eventID):
          try await take(change, of: feed)
          try await store.edit { try $0.setLiveEventID(of: feed.id, eventID) }
        case .waiting: setLive(feed.id, false)
        case .ended: return
        }
      }
    } catch {
      // It is an addition: what the feed says when it is asked is told there.
    }
  }

  private func take(_ change: LiveChange, of feed: Feed) async throws {
    switch change {
    case .added(let entry):
      // The page that was fetched for the one before may have brought it.
      let isKnown = try await store.view { try $0.hasEntry(entry, of: feed.id) }
      if !isKnown { _ = try await refresh(.told([feed.id])) }
    case .missed:
      _ = try await refresh(.told([feed.id]))
    case .updated(let entry):
      guard let article = try? await sources.entry(entry, of: feed) else { return }
      let prepared = PreparedPage(Page(entries: [article]))
      let time = now()
      _ = try await store.edit { edit in
        // Only what is here: an old one that was never fetched stays where it is.
        guard try edit.view.hasEntry(entry, of: feed.id) else { return MergeResult() }
        return try edit.merge(prepared, into: feed.id, at: .apart, now: time)
      }
    // What is cached is the reader's; comments are fetched when they are looked at.
    case .removed, .commented: break
    }
  }

  private nonisolated func setLive(_ feed: FeedID, _ isLive: Bool) {
    let isNews = status.withLock { status in
      isLive ? status.live.insert(feed).inserted : status.live.remove(feed) != nil
    }
    if isNews { store.announce() }
  }
}
