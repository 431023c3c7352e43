// Repository: articles from the store first, then from the network.
//
// The front door is `FeedRepository`. Its snapshots are read from the store only; its methods refresh
// feeds, load older articles and change marks. What a server answers is stored, and reaches the screen
// from there. Each part that has a state of its own is a type: `Refresher` performs a `RefreshRun`,
// `OlderPageLoader` walks older pages, `OutboxDelivery` sends the user's changes, `LiveListener`
// receives live events, and `NetworkState` knows whether there is a network.

package import Foundation
package import News
package import Store
internal import Synchronization

/// Coordinates the store and the sources of articles. Never blocks its caller; caches no article.
package final class FeedRepository: Sendable {
  let context: RepositoryContext
  let network: NetworkState
  let pages: OlderPageLoader
  let outbox: OutboxDelivery
  package let sending: OutboxSending
  let secrets: FeedCredentials
  let refresher: Refresher
  let syncer: AccountSyncer
  let listener: LiveListener
  let threads: CommentThreads
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
    sending = OutboxSending(context, outbox, network, calm: settings.outboxCalm)
    secrets = FeedCredentials(context: context)
    syncer = AccountSyncer(context, outbox: outbox, network: network)
    refresher = Refresher(
      context, network: network, pages: pages, secrets: secrets, outbox: outbox, syncer: syncer)
    threads = CommentThreads(context)
    listener = LiveListener(context, network: network, refresher: refresher, threads: threads)
  }

  var store: Store { context.store }
}

// MARK: - Changes by the user

extension FeedRepository {
  /// Applies a change that the user has made. The change, and the outbox entry for a server where one
  /// is needed, are stored before this returns.
  ///
  /// - Returns: how many articles a batch, a tag or a deletion changed, and 0 for marks; or what was taken back.
  @discardableResult
  package func apply(_ intent: Intent) async throws -> IntentOutcome {
    let time = context.now()
    let outcome = try await store.edit { edit -> IntentOutcome in
      switch intent {
      case .mark(let articles, let mark, isUndoable: true):
        try edit.marks.setByKey(mark, of: articles, now: time)
      case .mark(let articles, .read(true), isUndoable: false):
        try edit.marks.markOpened(articles, now: time)
      case .mark(let articles, let mark, isUndoable: false):
        try edit.marks.set(mark, of: articles, now: time)
      case .setTag(let articles, let name, let isSet):
        return .count(try edit.actions.tag(articles, name, isSet, now: time))
      case .changeTags(let articles, let added, let removed):
        return .count(
          try edit.actions.tag(articles, adding: added, removing: removed, now: time))
      case .delete(let articles):
        return .count(try edit.actions.delete(articles, now: time).count)
      case .saveForLater(let articles):
        for article in articles { try edit.outbox.saveForLater(article, now: time) }
        try edit.journal.note(.saveForLater, of: articles, now: time)
      case .markAllRead(let timeline, let position, let arrivals, let floor):
        return .count(
          try edit.marks.markAllRead(
            timeline, notNewerThan: position, except: arrivals, newerThan: floor, now: time))
      case .undo: return .turned(try edit.journal.undo(now: time))
      case .undoAsking(let agreed):
        return .turned(try edit.journal.undo(agreedTo: agreed, now: time))
      case .undoLast(let kind, let article):
        return .turned(try edit.journal.undoLast(kind, of: article, now: time))
      case .redo: return .turned(try edit.journal.redo(now: time))
      }
      return .count(0)
    }
    if case .turned(let entry?) = outcome, entry.refusal == nil, !entry.kind.isOfArticles {
      // What is on its way to a feed that has gone or come back is not waited for.
      for feed in [entry.feed].compactMap(\.self) + entry.feeds {
        await pages.overtake([feed])
        await refresher.forget(feed)
      }
    }
    return outcome
  }

  /// Stores the reading position in an article; nil for its top.
  package func keepPlace(_ place: ReadingPosition?, in article: ArticleID) async throws {
    try await store.edit { try $0.marks.setReadingPosition(article, place) }
  }

  /// Stores how far a file of an article has been played.
  package func keepPlayback(
    _ playback: Playback, of file: String, in article: ArticleID
  ) async throws {
    try await store.edit { try $0.playback.set(playback, of: file, in: article) }
  }

  /// Where a step from an article of a timeline leads; nil for nowhere.
  package func find(
    _ step: ArticleStep, in timeline: Timeline, _ order: ListOrder = .newest,
    from position: TimelinePosition?
  ) async throws -> TimelinePosition? {
    try await store.view { try $0.timeline.find(step, in: timeline, order, from: position) }
  }

  /// The next unread article below `position` in a timeline; else the first unread article of the
  /// timeline, else the newest of all feeds.
  package func nextUnread(
    in timeline: Timeline, _ order: ListOrder = .newest, after position: TimelinePosition?
  ) async throws -> (timeline: Timeline, position: TimelinePosition)? {
    try await store.view { view in
      if let found = try view.timeline.nextUnread(in: timeline, order, after: position) {
        return (timeline, found)
      }
      if let found = try view.timeline.nextUnread(in: timeline, order, after: nil) {
        return (timeline, found)
      }
      return try view.timeline.nextUnread(in: .all, after: nil).map { (.unread, $0) }
    }
  }
}

// MARK: - Requests to servers

extension FeedRepository {
  /// Fetches the newest page of each feed in `scope`.
  ///
  /// The number of requests is limited in total and per host. A feed that fails is recorded with its
  /// error, and does not stop the others. A call during a refresh joins it: no feed is fetched twice.
  ///
  /// A feed that another process is fetching is waited for until that process has fetched it, has
  /// ended, or has let its claim expire, and at most until the deadline. Only `.due` leaves such feeds
  /// to the other process.
  ///
  /// Cancelling the task that began a refresh ends it. What was fetched stays stored, and feeds that
  /// other calls have asked for are fetched on their behalf.
  ///
  /// - Returns: the outcomes of the feeds in `scope`.
  package func refresh(_ scope: RefreshScope) async throws -> RefreshReport {
    let beginning = context.now()
    let report = try await refresher.refresh(scope)
    if report.inserted > 0 {
      // What was brought counts, also where the rest was cancelled and nothing can be written any more.
      try? await store.edit { try $0.smartFeeds.keepMoment(.refresh, beginning) }
    }
    return report
  }

  /// Fetches the next older page of the feeds in a timeline that have one.
  ///
  /// One load per feed at a time: a second call for the same feed returns at once. Of several feeds the
  /// four are taken whose oldest stored articles are the newest. A page that arrives after a refresh of
  /// its feed has begun is dropped. Cancelling the task closes the connections.
  package func loadOlder(_ timeline: Timeline) async throws { try await pages.load(timeline) }

  /// Fetches the next older page of one feed.
  ///
  /// - Returns: whether another page follows; nil where none was fetched.
  @discardableResult
  package func loadOlderPage(of feed: Feed) async throws -> Bool? {
    try await pages.olderPage(of: feed)?.hasMore
  }

  /// Fetches a page from inside a gap.
  package func fill(_ gap: Gap) async throws { try await pages.fill(gap) }

  /// All older pages of a feed, one fetched each time the next element is asked for. The walk stops
  /// before the last page where the pages bring nothing new or their number reaches a limit
  /// (`OlderPages.Stop`); another walk continues there.
  package func allOlderPages(of feed: Feed) -> OlderPages {
    OlderPages(loader: pages, feed: feed, maxCount: context.settings.maxOlderPages)
  }

  /// Whether the older pages of a feed have led back to a page that was fetched before.
  package func pagesRepeat(of feed: FeedID) -> Bool {
    pages.status.withLock { $0.circular.contains(feed) }
  }

  /// Sends the changes in the outbox, in the order of each account (`OutboxDelivery.deliver`).
  ///
  /// - Parameter isAsked: whether the user asked for it: changes that a server refused are then sent
  ///   again.
  package func deliverOutbox(isAsked: Bool = false) async throws {
    try await outbox.deliver(isAsked: isAsked)
  }

  /// Sends the changes for the servers of some accounts.
  package func deliverOutbox(to accounts: Set<AccountID>) async throws {
    try await outbox.deliver(to: accounts)
  }

  /// Receives the live events of all feeds that offer them, those added meanwhile included, until the
  /// task is cancelled.
  package func listen() async { await listener.listen() }
}

// MARK: - State of the network

extension FeedRepository {
  /// Whether no server can be reached, as far as the system and refreshes have told.
  package var isOffline: Bool { network.status.withLock { $0.offlineSince } != nil }

  /// Follows the state of the network until the task is cancelled or the sequence ends, and repeats
  /// what has failed when the network is back.
  package func follow(_ states: some AsyncSequence<Connectivity, Never> & Sendable) async {
    await withDiscardingTaskGroup { group in
      for await state in states {
        guard await network.take(state) else { continue }
        group.addTask { await self.recover() }
      }
      group.cancelAll()
    }
  }

  /// Repeats what has failed without a network: refreshes, the delivery of the outbox and older pages.
  private func recover() async {
    let failedOlder = pages.status.withLock { status in
      status.errors.filter(\.value.isConnectivity).map(\.key)
    }
    await withDiscardingTaskGroup { group in
      group.addTask { _ = try? await self.refresh(.recovered) }
      group.addTask { try? await self.deliverOutbox() }
      for id in failedOlder {
        group.addTask {
          guard let feed = try? await self.store.view({ try $0.feeds.feed(id) }) else { return }
          _ = try? await self.loadOlderPage(of: feed)
        }
      }
    }
  }
}
