package import News
internal import Store
internal import Synchronization

/// Loader of older pages of feeds, and of pages inside gaps. One load per feed at a time. A page
/// that arrives after a refresh of its feed has begun is dropped: the article that it follows may
/// be gone.
package actor OlderPageLoader {
  struct Status: Sendable {
    /// Feeds of which an older page is being fetched.
    var loading: Set<FeedID> = []
    /// Feeds whose pages led back to one that was fetched before.
    var circular: Set<FeedID> = []
    /// Why the last older page of a feed could not be fetched.
    var errors: [FeedID: SourceError] = [:]
  }

  /// A walk over pages: from the oldest stored article to the end, or through a gap.
  private struct Walk: Hashable {
    var feed: FeedID
    var place: PagePlace
  }

  package struct FetchedPage: Sendable {
    package var hasMore: Bool
    /// Whether it contained an article that was not stored before.
    var isNews: Bool
  }

  private let context: RepositoryContext
  nonisolated let status = Mutex(Status())

  /// The number of refreshes of each feed: a page requested before the last one is dropped.
  private var generations: [FeedID: Int] = [:]
  /// The cursors fetched since the start, to detect a source whose pages lead back to an earlier one.
  private var walked: [Walk: Set<Cursor>] = [:]

  init(_ context: RepositoryContext) { self.context = context }

  private var store: Store { context.store }

  /// Starts over with feeds whose newest page is being fetched, or whose address has changed.
  func overtake(_ feeds: [FeedID]) {
    for id in feeds { generations[id, default: 0] += 1 }
    let ids = Set(feeds)
    walked = walked.filter { !ids.contains($0.key.feed) }
    status.withLock { status in
      for id in ids { status.errors[id] = nil }
      status.circular.subtract(ids)
    }
  }

  /// Fetches the next older page of the feeds in a timeline that have one: of the four whose oldest
  /// stored articles are the newest. Cancelling the task closes the connections.
  package func load(_ timeline: Timeline) async throws {
    let feeds = try await store.view { view in
      try view.feeds(in: timeline)
        .filter { $0.state.paging == .more || $0.state.paging == .failed }
        .map { ($0, try view.articles.oldestPosition(of: $0.id)) }
        .sorted { a, b in
          guard let x = a.1 else { return false }
          guard let y = b.1 else { return true }
          return x > y
        }
        .prefix(4).map(\.0)
    }
    await withTaskGroup { group in
      for feed in feeds {
        group.addTask { _ = try? await self.olderPage(of: feed) }
      }
    }
  }

  /// The older pages of a feed, each fetched when the next element is asked for. The walk stops
  /// early where pages bring nothing new or their number reaches a limit (`OlderPages.Stop`);
  /// another walk continues there.
  package nonisolated func all(of feed: Feed) -> OlderPages {
    OlderPages(loader: self, feed: feed, maxCount: context.settings.maxOlderPages)
  }

  /// Whether the older pages of a feed have led back to a page that was fetched before.
  package nonisolated func isCircular(_ feed: FeedID) -> Bool {
    status.withLock { $0.circular.contains(feed) }
  }

  /// Fetches the next older page of one feed; nil where nothing was fetched.
  @discardableResult
  package func olderPage(of feed: Feed) async throws -> FetchedPage? {
    let isFree = status.withLock { status in
      status.errors[feed.id] = nil
      return status.loading.insert(feed.id).inserted
    }
    guard isFree else { return nil }
    store.announce()
    defer {
      status.withLock { _ = $0.loading.remove(feed.id) }
      store.announce()
    }
    guard let cursor = try await store.view({ try $0.feeds.olderCursor(of: feed.id) }) else {
      return nil
    }
    do {
      return try await fetchPage(of: feed, after: cursor, at: .older)
    } catch is CancellationError {
      return nil
    } catch {
      let problem = SourceError.describing(error, subject: feed.url)
      if problem.kind != .cancelled {
        status.withLock { $0.errors[feed.id] = problem }
        try? await store.edit { try $0.fetches.recordPagingFailure(feed.id) }
      }
      throw problem
    }
  }

  /// Fetches a page from inside a gap.
  package func fill(_ gap: Gap) async throws {
    guard let feed = try await store.view({ try $0.feeds.feed(gap.feedID) }),
      let cursor = try await store.view({ try $0.feeds.gap(gap.id)?.cursor })
    else { return }
    let isFree = status.withLock { $0.loading.insert(feed.id).inserted }
    guard isFree else { return }
    defer {
      status.withLock { _ = $0.loading.remove(feed.id) }
      store.announce()
    }
    _ = try await fetchPage(of: feed, after: cursor, at: .gap(gap.id))
  }

  private func fetchPage(
    of feed: Feed, after cursor: Cursor, at place: PagePlace
  ) async throws -> FetchedPage? {
    let generation = generations[feed.id, default: 0]
    let walk = Walk(feed: feed.id, place: place)
    walked[walk, default: []].insert(cursor)
    let limits = HostLimits()
    let source = context.sources.source(of: feed.account).pages(of: feed, report: limits.note)
    let rests = try await store.view { try $0.fetches.hostRests() }
    let answer = try await limits.keeping(in: store, knowing: rests, now: context.now) {
      try await source.page(after: cursor, known: KnownPage())
    }
    try Task.checkCancellation()
    // A refresh has begun since: the article that this page follows may be gone.
    guard generations[feed.id, default: 0] == generation else { return nil }
    guard case .page(var page) = answer.body else { return nil }
    if page.beginsToRepeat || page.nextCursor.map({ walked[walk]?.contains($0) == true }) == true {
      // The pages of the source form a circle.
      page.nextCursor = nil
      status.withLock { _ = $0.circular.insert(feed.id) }
    }
    let prepared = PreparedPage(page)
    let time = context.now()
    let result = try await store.edit { edit in
      try edit.articles.merge(prepared, into: feed.id, at: place, now: time)
    }
    return FetchedPage(hasMore: page.nextCursor != nil, isNews: result.inserted > 0)
  }
}
