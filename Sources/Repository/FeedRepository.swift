// Repository: the cache first, then the network, and one place that knows about both.
//
// The front door is `FeedRepository`. Snapshots come out of it, always from the store; wishes go
// into it: refresh, load what is older, change a mark. The network's answers go into the store and
// reach the screen from there. Each part that has a state of its own is a type: `Refresher` performs a
// `RefreshRun`, `OlderPageLoader` walks older pages, `OutboxDelivery` sends what the user has done,
// `LiveListener` hears what servers tell, and `NetworkState` knows whether there is a network.

package import Foundation
package import News
package import Store
internal import Synchronization

/// Orchestrates the store and the sources. Never blocks; holds no article.
package final class FeedRepository: Sendable {
  let context: RepositoryContext
  let network: NetworkState
  let pages: OlderPageLoader
  let outbox: OutboxDelivery
  let secrets: FeedSecrets
  let refresher: Refresher
  let listener: LiveListener
  let subscribed = SubscriptionReading()

  /// - Parameter now: the time of day.
  package init(
    store: Store, sources: any NewsSources, settings: RefreshSettings = RefreshSettings(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    context = RepositoryContext(store: store, sources: sources, settings: settings, now: now)
    network = NetworkState(context)
    pages = OlderPageLoader(context)
    outbox = OutboxDelivery(context)
    secrets = FeedSecrets(context: context)
    refresher = Refresher(
      context, network: network, pages: pages, secrets: secrets, outbox: outbox)
    listener = LiveListener(context, network: network, refresher: refresher)
  }

  var store: Store { context.store }
}

// MARK: - What the user changes

extension FeedRepository {
  /// Makes a change of the user's: it is stored, with what has to be sent for it, before this
  /// returns.
  ///
  /// - Returns: how many articles a batch changed; 0 for single marks.
  @discardableResult
  package func apply(_ intent: Intent) async throws -> Int {
    let time = context.now()
    return try await store.edit { edit in
      switch intent {
      case .setRead(let articles, let isRead):
        try edit.setRead(articles, isRead, now: time)
        return 0
      case .setStarred(let articles, let isStarred):
        try edit.setStarred(articles, isStarred, now: time)
        return 0
      case .markAllRead(let timeline, let position, let arrivals):
        return try edit.markAllRead(
          timeline, notNewerThan: position, except: arrivals, now: time)
      case .undo:
        return try edit.undoMarkAllRead(now: time)
      }
    }
  }

  /// Keeps how far an article was read.
  package func keepPlace(_ place: ReadingPosition?, in article: ArticleID) async throws {
    try await store.edit { try $0.setReadingPosition(article, place) }
  }

  /// The next unread article below `position` in a timeline; where that has none left, the newest
  /// unread of the timeline, and then of all.
  package func nextUnread(
    in timeline: Timeline, after position: TimelinePosition?
  ) async throws -> (timeline: Timeline, position: TimelinePosition)? {
    try await store.view { view in
      if let found = try view.nextUnread(in: timeline, after: position) {
        return (timeline, found)
      }
      if let found = try view.nextUnread(in: timeline, after: nil) { return (timeline, found) }
      return try view.nextUnread(in: .all, after: nil).map { (.unread, $0) }
    }
  }
}

// MARK: - What is asked of servers

extension FeedRepository {
  /// Fetches the newest page of each feed in `scope`.
  ///
  /// Bounded in number and per host; a feed that fails is recorded with its error and stops no
  /// other. While a refresh is under way its feeds are not fetched twice: a second wish joins it.
  /// Feeds that another process is fetching are waited for, until it has fetched them, has ended, or
  /// has not moved for the time of a claim, and at most until the deadline; only `.due` leaves them to
  /// the other.
  /// Cancelling the task that began a refresh ends it; what was fetched is kept, and what others
  /// have asked for since goes on in their name.
  ///
  /// - Returns: what became of the feeds of this run.
  package func refresh(_ scope: RefreshScope) async throws -> RefreshReport {
    try await refresher.refresh(scope)
  }

  /// Fetches the next older page of the feeds in a timeline that have one.
  ///
  /// One load per feed at a time: a second wish for the same returns at once. Of many feeds those
  /// are taken whose cached articles end soonest, four at once. What a refresh has overtaken is
  /// dropped. Cancelling the task closes the connections.
  package func loadOlder(_ timeline: Timeline) async throws { try await pages.load(timeline) }

  /// Fetches the next older page of one feed.
  ///
  /// - Returns: whether there is more after it; nil when nothing was fetched.
  @discardableResult
  package func loadOlderPage(of feed: Feed) async throws -> Bool? {
    try await pages.olderPage(of: feed)?.hasMore
  }

  /// Fetches a page from inside a gap.
  package func fill(_ gap: Gap) async throws { try await pages.fill(gap) }

  /// Walks the older pages of a feed to their end, a page each time the next element is asked for.
  /// Nothing is fetched ahead, so that whoever stops asking has stopped the walk. It stops by itself
  /// before the end where the pages bring nothing new, or are more than anybody wants
  /// (`OlderPages.Stop`); the next walk goes on from there.
  package func allOlderPages(of feed: Feed) -> OlderPages {
    OlderPages(loader: pages, feed: feed, maxCount: context.settings.maxOlderPages)
  }

  /// Whether the walk through a feed's pages has ended because they begin to repeat.
  package func pagesRepeat(of feed: FeedID) -> Bool {
    pages.status.withLock { $0.circular.contains(feed) }
  }

  /// Sends what waits in the outbox, in order (`OutboxDelivery.deliver`).
  ///
  /// - Parameter isAsked: whether the user wants what was refused to be tried again.
  package func deliverOutbox(isAsked: Bool = false) async throws {
    try await outbox.deliver(isAsked: isAsked)
  }

  /// Listens to all feeds that have something to tell, those that are subscribed to meanwhile
  /// included, until the task is cancelled.
  package func listen() async { await listener.listen() }
}

// MARK: - The network comes and goes

extension FeedRepository {
  /// Follows the network until the task is cancelled or the sequence ends.
  package func follow(_ states: some AsyncSequence<Connectivity, Never> & Sendable) async {
    await withDiscardingTaskGroup { group in
      for await state in states {
        guard await network.take(state) else { continue }
        group.addTask { await self.recover() }
      }
      group.cancelAll()
    }
  }

  /// What has failed for want of a network goes again, without a key: feeds, what waits in the outbox,
  /// and the older pages that did not come.
  private func recover() async {
    let failedOlder = pages.status.withLock { status in
      status.errors.filter(\.value.isConnectivity).map(\.key)
    }
    await withDiscardingTaskGroup { group in
      group.addTask { _ = try? await self.refresh(.recovered) }
      group.addTask { try? await self.deliverOutbox() }
      for id in failedOlder {
        group.addTask {
          guard let feed = try? await self.store.view({ try $0.feed(id) }) else { return }
          _ = try? await self.loadOlderPage(of: feed)
        }
      }
    }
  }
}
