internal import Foundation
package import News
internal import Store
internal import Synchronization

/// A value now, and again whenever it has changed: an async sequence that reads the store when it
/// is asked for its next element, so that a slow observer misses steps but never the latest.
///
/// The first element comes from the store as it is and waits for nobody else. Ends when its task is
/// cancelled; an observer that goes away leaves nothing behind.
package struct Snapshots<Value: Equatable & Sendable>: AsyncSequence {
  package typealias Element = Value
  package typealias Failure = any Error

  let store: Store
  let read: @Sendable () async throws -> Value

  package func makeAsyncIterator() -> Iterator {
    Iterator(changes: store.changes().makeAsyncIterator(), read: read)
  }

  package struct Iterator: AsyncIteratorProtocol {
    /// A burst of commits is one new value, not one each.
    private static var pause: Duration { .milliseconds(60) }

    var changes: AsyncStream<Void>.Iterator
    let read: @Sendable () async throws -> Value
    var last: Value?

    private var lastRead: ContinuousClock.Instant?

    init(changes: AsyncStream<Void>.Iterator, read: @escaping @Sendable () async throws -> Value) {
      self.changes = changes
      self.read = read
    }

    package mutating func next() async throws -> Value? {
      if lastRead == nil {
        let value = try await readNow()
        return value
      }
      while await changes.next() != nil {
        if let lastRead { try await Task.sleep(until: lastRead + Self.pause) }
        let old = last
        let value = try await readNow()
        if value != old { return value }
      }
      return nil
    }

    private mutating func readNow() async throws -> Value {
      let value = try await read()
      last = value
      lastRead = .now
      return value
    }
  }
}

extension FeedRepository {
  /// A stretch of a timeline, with its freshness.
  package nonisolated func snapshots(of query: TimelineQuery) -> Snapshots<TimelineSnapshot> {
    Snapshots(store: store) { [self] in
      try await store.view { try self.snapshot(of: query, in: $0) }
    }
  }

  /// All subscriptions with their counts.
  package nonisolated func sidebars() -> Snapshots<SidebarSnapshot> {
    Snapshots(store: store) { [self] in
      try await store.view { try self.sidebar(in: $0) }
    }
  }

  /// How a refresh is going.
  package nonisolated func activities() -> Snapshots<Activity> {
    Snapshots(store: store) { [self] in self.status.withLock { $0.activity } }
  }

  /// The process that a refresh waits for, as in "telex refresh (process 12)".
  package nonisolated func othersWaitedFor() -> Snapshots<String?> {
    Snapshots(store: store) { [self] in self.status.withLock { $0.waitingFor } }
  }

  /// One article; nil once it is gone.
  package nonisolated func article(_ id: ArticleID) async throws -> Article? {
    try await store.view { try $0.article(id) }
  }

  /// What the first screen shows, read by the calling thread: nothing else is there to wait for.
  package nonisolated func firstSnapshots(
    of query: TimelineQuery
  ) throws -> (SidebarSnapshot, TimelineSnapshot) {
    try store.viewNow { (try sidebar(in: $0), try snapshot(of: query, in: $0)) }
  }

  private nonisolated func sidebar(in view: StoreView) throws -> SidebarSnapshot {
    let status = status.withLock { $0 }
    let feeds = try view.feeds().sorted { a, b in
      let (x, y) = (a.displayTitle.lowercased(), b.displayTitle.lowercased())
      return x == y ? a.id < b.id : x < y
    }
    return SidebarSnapshot(
      feeds: feeds, counts: try view.countsOfDistinct(),
      activity: status.activity, offlineSince: status.offlineSince, waits: status.waits,
      waitingFor: status.waitingFor)
  }

  private nonisolated func snapshot(
    of query: TimelineQuery, in view: StoreView
  ) throws -> TimelineSnapshot {
    let status = status.withLock { $0 }
    let feeds = try view.feeds(in: query.timeline)
    return TimelineSnapshot(
      query: query, slice: try view.slice(query),
      counts: try view.counts(of: query.timeline, isMerged: query.hidesDuplicates),
      freshness: freshness(of: feeds, status), older: older(query.timeline, feeds, status),
      arrivals: try view.arrivals(query))
  }

  private nonisolated func freshness(
    of feeds: [Feed], _ status: RepositoryStatus
  ) -> Freshness {
    let failed = feeds.filter(\.state.isFailing)
    // A list of one feed says why that one is gone.
    let latest = (feeds.count == 1 ? feeds : failed).max {
      ($0.state.lastAttempt ?? .distantPast) < ($1.state.lastAttempt ?? .distantPast)
    }
    return Freshness(
      updated: feeds.compactMap(\.state.lastSuccess).max(), activity: status.activity,
      offlineSince: status.offlineSince, feedCount: feeds.count, failedCount: failed.count,
      goneCount: feeds.count(where: \.state.isGone),
      neverFetchedCount: feeds.count { $0.state.lastAttempt == nil },
      error: latest?.state.error,
      nextAttempt: feeds.count == 1 ? feeds[0].state.nextAttempt : nil,
      wait: feeds.count == 1 ? status.waits[feeds[0].id] : nil,
      savesData: settings.isLowData || status.connectivity.isMetered,
      isLive: feeds.count == 1 && status.live.contains(feeds[0].id))
  }

  private nonisolated func older(
    _ timeline: Timeline, _ feeds: [Feed], _ status: RepositoryStatus
  ) -> OlderArticles {
    // What is not cached can be neither starred nor found.
    if timeline == .starred { return .none }
    if case .search = timeline { return .none }
    if feeds.contains(where: { status.loadingOlder.contains($0.id) }) { return .loading }
    if let error = feeds.lazy.compactMap({ status.olderErrors[$0.id] }).first {
      return .failed(error)
    }
    if feeds.contains(where: { $0.state.paging == .more || $0.state.paging == .failed }) {
      return .more
    }
    if feeds.contains(where: { status.circular.contains($0.id) }) { return .circular }
    return feeds.contains { $0.state.paging == .end } ? .end : .none
  }
}

extension StoreView {
  /// The feeds whose articles a timeline shows.
  func feeds(in timeline: Timeline) throws -> [Feed] {
    switch timeline {
    case .all, .unread, .starred: try feeds()
    case .search: []
    case .feed(let id): try feed(id).map { [$0] } ?? []
    case .folder(let name):
      try feeds().filter { feed in
        feed.folders.contains { $0 == name || $0.hasPrefix(name + "/") }
      }
    }
  }
}
