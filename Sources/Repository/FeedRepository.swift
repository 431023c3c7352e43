// Repository: the cache first, then the network, and one place that knows about both.
//
// The front door is `FeedRepository`. Snapshots come out of it, always from the store; wishes go
// into it: refresh, load what is older, change a mark. The network's answers go into the store and
// reach the screen from there.

package import Foundation
package import News
package import Store
internal import Synchronization

/// Orchestrates the store and the sources. Never blocks; holds no article.
package actor FeedRepository {
  nonisolated let store: Store
  let sources: any NewsSources
  nonisolated let settings: RefreshSettings
  let now: @Sendable () -> Date
  /// What observers see besides the store's own contents.
  nonisolated let status = Mutex(RepositoryStatus())

  /// The refresh under way, if there is one.
  var run: RefreshRun?
  /// Counts the refreshes of each feed, so that an older page that was asked for before one is
  /// dropped when it comes in after it.
  var generations: [FeedID: Int] = [:]
  /// The cursors walked since the start, so that a source that goes in a circle is found out.
  var walked: [Walk: Set<Cursor>] = [:]
  /// Whether somebody is sending what waits.
  var isDelivering = false
  var hasMoreToDeliver = false

  /// Those who wait for a network, by their tickets.
  var networkWaiters: [Int: CheckedContinuation<Void, Never>] = [:]
  var networkTickets = 0

  package init(
    store: Store, sources: any NewsSources, settings: RefreshSettings = RefreshSettings(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.store = store
    self.sources = sources
    self.settings = settings
    self.now = now
  }

  /// Makes a change of the reader's: it is stored, with what has to be sent for it, before this
  /// returns.
  ///
  /// - Returns: how many articles a batch changed; 0 for single marks.
  @discardableResult
  package func apply(_ intent: Intent) async throws -> Int {
    let time = now()
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

}

/// How much is asked of the network at once.
package struct RefreshSettings: Sendable {
  /// Feeds fetched at the same time.
  package var concurrent = 16
  /// Of those, at most this many from one host.
  package var perHost = 2
  /// Feeds younger than this are not fetched unless the reader asks; nil fetches only when asked.
  package var interval: Duration? = .seconds(3600)
  /// What other processes are told that wait for this one.
  package var program = "telex"
  /// When a command has to be done: other processes are waited for until then at most.
  package var deadline: ContinuousClock.Instant?
  /// Seconds after which a feed is free again that a process has claimed and that neither fetches it
  /// nor ends, as one that was stopped.
  package var claimTime = 120.0
  /// Whether to leave alone what nobody asked for, as on a connection that costs.
  package var isLowData = false
  /// Older pages of a feed that one walk fetches at most (`OlderPages`).
  package var maxOlderPages = 1_000
  /// How long what nobody asked for waits for a network before it is tried all the same.
  package var networkPatience: Duration = .seconds(300)
  /// Whether this machine's own servers are out of reach without a network: never, but in a test.
  package var isLoopbackRemote = false

  package init() {}
}

/// A way through the pages of a feed: from what is cached to the end, or through a hole.
struct Walk: Hashable {
  var feed: FeedID
  var place: PagePlace
}

/// The part of the state that lies in no database: what is going on at this moment.
struct RepositoryStatus: Sendable {
  var activity = Activity.idle
  /// The process that fetches what is waited for here.
  var waitingFor: String?
  var offlineSince: Date?
  /// What the machine says of its network.
  var connectivity = Connectivity.unknown
  /// Feeds whose older page is being fetched.
  var loadingOlder: Set<FeedID> = []
  /// Feeds whose pages led back to one that had been walked.
  var circular: Set<FeedID> = []
  /// Why the last older page of a feed did not come.
  var olderErrors: [FeedID: SourceError] = [:]
  /// Feeds whose server tells what happens, now.
  var live: Set<FeedID> = []
  /// Feeds whose last attempt failed and whose next one follows.
  var waits: [FeedID: RetryWait] = [:]
}

extension FeedRepository {
  /// The next unread article below `position` in a timeline; where that has none left, the newest
  /// unread of the timeline, and then of all.
  package nonisolated func nextUnread(
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

  /// Keeps how far an article was read.
  package nonisolated func keepPlace(
    _ place: ReadingPosition?, in article: ArticleID
  ) async throws {
    try await store.edit { try $0.setReadingPosition(article, place) }
  }
}
