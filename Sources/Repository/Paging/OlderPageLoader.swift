package import News
internal import Store
internal import Synchronization

extension FeedRepository {
  /// Fetches the next older page of the feeds in a timeline that have one.
  ///
  /// One load per feed at a time: a second wish for the same returns at once. Of many feeds those
  /// are taken whose cached articles end soonest, four at once. What a refresh has overtaken is
  /// dropped. Cancelling the task closes the connections.
  package func loadOlder(_ timeline: Timeline) async throws {
    let feeds = try await store.view { view in
      try view.feeds(in: timeline)
        .filter { $0.state.paging == .more || $0.state.paging == .failed }
        .map { ($0, try view.oldestPosition(of: $0.id)) }
        .sorted { a, b in
          guard let x = a.1 else { return false }
          guard let y = b.1 else { return true }
          return x > y
        }
        .prefix(4).map(\.0)
    }
    await withTaskGroup { group in
      for feed in feeds {
        group.addTask { _ = try? await self.loadOlderPage(of: feed) }
      }
    }
  }

  /// Fetches the next older page of one feed.
  ///
  /// - Returns: whether there is more after it; nil when nothing was fetched.
  @discardableResult
  package func loadOlderPage(of feed: Feed) async throws -> Bool? {
    try await olderPage(of: feed)?.hasMore
  }

  /// What a page brought.
  struct FetchedPage {
    var hasMore: Bool
    /// Whether there was an article in it that was not there before.
    var isNews: Bool
  }

  fileprivate func olderPage(of feed: Feed) async throws -> FetchedPage? {
    let isFree = status.withLock { status in
      status.olderErrors[feed.id] = nil
      return status.loadingOlder.insert(feed.id).inserted
    }
    guard isFree else { return nil }
    store.announce()
    defer {
      status.withLock { _ = $0.loadingOlder.remove(feed.id) }
      store.announce()
    }
    guard let cursor = try await store.view({ try $0.olderCursor(of: feed.id) }) else {
      return nil
    }
    do {
      return try await fetchPage(of: feed, after: cursor, at: .older)
    } catch is CancellationError {
      return nil
    } catch {
      let problem = SourceError.describing(error, subject: feed.url)
      if problem.kind != .cancelled {
        status.withLock { $0.olderErrors[feed.id] = problem }
        try? await store.edit { try $0.recordPagingFailure(feed.id) }
      }
      throw problem
    }
  }

  /// Fetches a page from inside a hole.
  package func fill(_ gap: Gap) async throws {
    guard let feed = try await store.view({ try $0.feed(gap.feedID) }),
      let cursor = try await store.view({ try $0.gap(gap.id)?.cursor })
    else { return }
    let isFree = status.withLock { $0.loadingOlder.insert(feed.id).inserted }
    guard isFree else { return }
    defer {
      status.withLock { _ = $0.loadingOlder.remove(feed.id) }
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
    let answer = try await sources.source(for: feed).page(after: cursor, known: KnownPage())
    try Task.checkCancellation()
    // A refresh has begun since: what this page follows may not be there any more.
    guard generations[feed.id, default: 0] == generation else { return nil }
    guard case .page(var page) = answer.body else { return nil }
    if let next = page.nextCursor, walked[walk]?.contains(next) == true {
      // The source goes in a circle; following it would never end.
      page.nextCursor = nil
      status.withLock { _ = $0.circular.insert(feed.id) }
    }
    let prepared = PreparedPage(page)
    let time = now()
    let result = try await store.edit { edit in
      try edit.merge(prepared, into: feed.id, at: place, now: time)
    }
    return FetchedPage(hasMore: page.nextCursor != nil, isNews: result.inserted > 0)
  }

  /// Whether the walk through a feed's pages has ended because they begin to repeat.
  package nonisolated func pagesRepeat(of feed: FeedID) -> Bool {
    status.withLock { $0.circular.contains(feed) }
  }

  /// Walks the older pages of a feed to their end, a page each time the next element is asked for.
  /// Nothing is fetched ahead, so that whoever stops asking has stopped the walk. It stops by itself
  /// before the end where the pages bring nothing new, or are more than anybody wants
  /// (`OlderPages.Stop`); the next walk goes on from there.
  package nonisolated func allOlderPages(of feed: Feed) -> OlderPages {
    OlderPages(repository: self, feed: feed)
  }
}

/// The older pages of a feed, each stored by the time it is an element.
package struct OlderPages: AsyncSequence, Sendable {
  package struct Element: Hashable, Sendable {
    /// From 1 on.
    package var number: Int
    /// Why no page follows although the source has more; nil for any other page.
    package var stop: Stop?

    package init(number: Int, stop: Stop? = nil) {
      self.number = number
      self.stop = stop
    }
  }

  /// Why a walk ends before the source does.
  package enum Stop: Hashable, Sendable {
    /// So many pages in a row had nothing new.
    case nothingNew(pages: Int)
    /// The bound for one walk (`RefreshSettings.maxOlderPages`).
    case bound(pages: Int)
  }

  /// So many pages in a row without anything new end a walk: some servers have no last page.
  package static let patience = 3

  let repository: FeedRepository
  let feed: Feed

  package func makeAsyncIterator() -> Iterator { Iterator(pages: self) }

  package struct Iterator: AsyncIteratorProtocol {
    let pages: OlderPages
    var count = 0
    var countWithoutNews = 0
    var isAtEnd = false

    package mutating func next() async throws -> Element? {
      guard !isAtEnd else { return nil }
      try Task.checkCancellation()
      guard let page = try await pages.repository.olderPage(of: pages.feed) else { return nil }
      count += 1
      countWithoutNews = page.isNews ? 0 : countWithoutNews + 1
      var element = Element(number: count)
      let most = pages.repository.settings.maxOlderPages
      if page.hasMore, countWithoutNews >= OlderPages.patience {
        element.stop = .nothingNew(pages: countWithoutNews)
      } else if page.hasMore, count >= most {
        element.stop = .bound(pages: count)
      }
      isAtEnd = !page.hasMore || element.stop != nil
      return element
    }
  }
}
