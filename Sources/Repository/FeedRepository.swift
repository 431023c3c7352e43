// Repository: articles from the store first, then from the network.
//
// The front door is `FeedRepository`. Its snapshots are read from the store only; its methods refresh
// feeds and change marks and subscriptions. Answers of servers are stored, and reach the screen from
// there. A change that concerns the store alone is made with `Store.edit`; a value of the store is
// followed with `Snapshots(of:)`. Each part that has a state of its own is a type: `Refresher` performs
// a `RefreshRun`, `OlderPageLoader` (`pages`) walks older pages, `CommentThreads` (`threads`) has the
// comments, `OutboxDelivery` sends the user's changes, `LiveListener` receives live events, and
// `NetworkState` knows whether there is a network.
//
// Where a comment says nothing else, errors are `SourceError` or `CancellationError`.

package import Foundation
package import News
package import Store
internal import Synchronization

/// Coordinates the store and the sources of articles. Never blocks its caller; caches no article.
package final class FeedRepository: Sendable {
  let context: RepositoryContext
  let network: NetworkState
  package let pages: OlderPageLoader
  let outbox: OutboxDelivery
  package let sending: OutboxSending
  package let secrets: FeedCredentials
  let refresher: Refresher
  let syncer: AccountSyncer
  let listener: LiveListener
  package let threads: CommentThreads
  let subscribed = SubscriptionReading()
  /// Until when observers know of articles of Later whose time has come.
  private let dueSeen: Mutex<Date>

  /// - Parameter now: the time of day.
  package init(
    store: Store, sources: any NewsSources, settings: RefreshSettings = RefreshSettings(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    context = RepositoryContext(store: store, sources: sources, settings: settings, now: now)
    dueSeen = Mutex(now())
    network = NetworkState(context)
    pages = OlderPageLoader(context)
    outbox = OutboxDelivery(context)
    sending = OutboxSending(context, outbox, network, calm: settings.outboxCalm)
    secrets = FeedCredentials(context: context)
    syncer = AccountSyncer(context, outbox: outbox, network: network)
    refresher = Refresher(
      context, network: network, pages: pages, secrets: secrets, outbox: outbox, syncer: syncer)
    threads = CommentThreads(context, outbox)
    listener = LiveListener(context, network: network, refresher: refresher, threads: threads)
  }

  var store: Store { context.store }
}

// MARK: - Changes by the user

extension FeedRepository {
  /// Stores a change by the user, with the outbox entry for a server where one is needed.
  ///
  /// - Returns: the number of articles that a batch, a tag or a deletion changed, 0 for marks; the
  ///   action that was undone or redone; or what changed in Later.
  @discardableResult
  package func apply(_ intent: Intent) async throws -> IntentOutcome {
    let time = context.now()
    let outcome = try await store.change { try $0.apply(intent, now: time) }
    if case .turned(let entry?) = outcome, entry.refusal == nil, !entry.kind.isOfArticles {
      // What is on its way to a feed that has gone or come back is not waited for.
      for feed in [entry.feed].compactMap(\.self) + entry.feeds {
        await pages.overtake([feed])
        await refresher.forget(feed)
      }
    }
    return outcome
  }
}

extension StoreEdit {
  fileprivate func apply(_ intent: Intent, now: Date) throws -> IntentOutcome {
    switch intent {
    case .mark(let articles, let mark, isUndoable: true):
      try marks.setByKey(mark, of: articles, now: now)
    case .mark(let articles, .read(true), isUndoable: false):
      try marks.markOpened(articles, now: now)
    case .mark(let articles, let mark, isUndoable: false):
      try marks.set(mark, of: articles, now: now)
    case .setTag(let articles, let name, let isSet):
      return .count(try actions.tag(articles, name, isSet, now: now))
    case .changeTags(let articles, let added, let removed):
      return .count(try actions.tag(articles, adding: added, removing: removed, now: now))
    case .delete(let articles):
      return .count(try actions.delete(articles, now: now).count)
    case .setLater(let articles, let isAdded, let due):
      return .later(try actions.setLater(articles, isAdded, until: due, now: now))
    case .markAllRead(let timeline, let position, let arrivals, let floor):
      return .count(
        try marks.markAllRead(
          timeline, notNewerThan: position, except: arrivals, newerThan: floor, now: now))
    case .undo: return .turned(try journal.undo(now: now))
    case .undoAsking(let agreed): return .turned(try journal.undo(agreedTo: agreed, now: now))
    case .undoLast(let kind, let article):
      return .turned(try journal.undoLast(kind, of: article, now: now))
    case .redo: return .turned(try journal.redo(now: now))
    }
    return .count(0)
  }
}

// MARK: - Requests to servers

extension FeedRepository {
  /// Fetches the newest page of each feed in `scope`, a limited number at once, in total and per
  /// host.
  ///
  /// A feed that fails is recorded with its error. A call during a refresh joins it: no feed is
  /// fetched twice. A feed that another process is fetching is waited for until that process has
  /// fetched it, has ended, or its claim expires, at most until the deadline; `.due` leaves such
  /// feeds to it.
  ///
  /// Cancelling the task that began a refresh ends it; feeds that other calls asked for are fetched
  /// on their behalf.
  ///
  /// - Returns: the outcomes of the feeds in `scope`.
  package func refresh(_ scope: RefreshScope) async throws -> RefreshReport {
    let beginning = context.now()
    await announceDue(beginning)
    let report = try await refresher.refresh(scope)
    if report.inserted > 0 {
      // What was brought counts, also where the rest was cancelled and nothing can be written any more.
      try? await store.edit { try $0.smartFeeds.keepMoment(.refresh, beginning) }
    }
    return report
  }

  /// Lets observers read the store again where the time of an article in Later has come.
  private func announceDue(_ now: Date) async {
    let start = dueSeen.withLock { seen in
      defer { seen = now }
      return seen
    }
    let hasNew = try? await store.view { try $0.tags.hasBecomeDue(after: start, until: now) }
    if hasNew == true { store.announce() }
  }

  /// Sends the changes in the outbox (`OutboxDelivery.deliver`).
  ///
  /// - Parameter isAsked: whether the user asked for it: refused changes are then sent again.
  package func deliverOutbox(isAsked: Bool = false) async throws {
    try await outbox.deliver(isAsked: isAsked)
  }

  package func deliverOutbox(to accounts: Set<AccountID>) async throws {
    try await outbox.deliver(to: accounts)
  }

  /// Receives the live events of all feeds that offer them, until the task is cancelled.
  package func listen() async { await listener.listen() }
}

// MARK: - State of the network

extension FeedRepository {
  /// Whether no server can be reached, as far as the system and refreshes have told.
  package var isOffline: Bool { network.status.withLock { $0.offlineSince } != nil }

  /// Follows the state of the network until the task is cancelled or the sequence ends, and repeats
  /// what failed when the network is back.
  package func follow(_ states: some AsyncSequence<Connectivity, Never> & Sendable) async {
    await withDiscardingTaskGroup { group in
      group.addTask {
        await withDiscardingTaskGroup { recoveries in
          for await _ in self.network.returns { recoveries.addTask { await self.recover() } }
          recoveries.cancelAll()
        }
      }
      for await state in states { await network.receive(state) }
      group.cancelAll()
    }
  }

  /// Notes that the connection is metered, for a command that does not follow the network.
  package func noteMetered() async { await network.receive(.online(isMetered: true)) }

  /// Turns the network off by the choice of the user, or on again. What waits then goes on while `follow` runs.
  package func setOffline(_ isOffline: Bool) async { await network.setOffline(isOffline) }

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
          _ = try? await self.pages.olderPage(of: feed)
        }
      }
    }
  }
}

/// The dependencies that all parts of the repository share.
struct RepositoryContext: Sendable {
  let store: Store
  let sources: any NewsSources
  let settings: RefreshSettings
  /// The time of day.
  let now: @Sendable () -> Date

  func feedsOnNetwork() async -> [Feed] {
    let feeds = (try? await store.view { try $0.feeds.all() }) ?? []
    return feeds.filter { $0.needsNetwork(loopbackToo: settings.isLoopbackRemote) }
  }
}
