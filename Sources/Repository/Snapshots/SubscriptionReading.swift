internal import News
internal import Store
internal import Synchronization

struct SubscriptionState: Equatable, Sendable {
  /// Sorted by title, then by id.
  var feeds: [Feed]
  /// Counts of all articles; one that several feeds contain counts once.
  var counts: ArticleCounts
  /// Accounts that keep subscriptions.
  var accounts: [AccountSummary]
  var smartFeeds: [SmartFeed]
  /// Folders that stay without feeds.
  var folders: [FolderID]
  var tags: [String]
  var hasReadLately: Bool
}

/// Cache of the subscriptions: read once for each change of the store, for all observers. The
/// sidebar and every list need them after each commit of a refresh.
final class SubscriptionReading: Sendable {
  private struct Last {
    var change: UInt64
    var state: SubscriptionState
    /// Connections through which this state was read, or would be.
    var stamps: [ViewStamp] = []
  }

  private let last = Mutex<Last?>(nil)
  private let readAll: @Sendable (StoreView) throws -> SubscriptionState

  /// - Parameter readAll: what reads them.
  init(_ readAll: @escaping @Sendable (StoreView) throws -> SubscriptionState = read) {
    self.readAll = readAll
  }

  /// - Parameter moment: taken before `view` was opened.
  func state(in view: StoreView, at moment: StoreMoment) throws -> SubscriptionState {
    // The lock is held while reading: a second observer waits for the result of the first.
    try last.withLock { last in
      if let known = last {
        if known.change >= moment.change, !moment.isFirst { return known.state }
        // The connections of views commit nothing, so that theirs tell of all commits.
        if known.stamps.contains(where: view.isUnchanged(since:)) {
          last?.change = max(known.change, moment.change)
          return known.state
        }
      }
      let state = try readAll(view)
      // What another connection has seen stays true where this one sees the same.
      var stamps = last?.state == state ? last?.stamps ?? [] : []
      if let stamp = view.stamp {
        stamps.removeAll { $0.isOver || $0.isOfSameConnection(as: stamp) }
        stamps.append(stamp)
      }
      last = Last(change: moment.change, state: state, stamps: stamps)
      return state
    }
  }

  static func read(_ view: StoreView) throws -> SubscriptionState {
    let feeds = try view.feeds.all()
    let titles = feeds.map { $0.displayTitle.lowercased() }
    // Feeds come by their ids.
    let order = feeds.indices.sorted { a, b in
      titles[a] == titles[b] ? a < b : titles[a] < titles[b]
    }
    return SubscriptionState(
      feeds: order.map { feeds[$0] },
      counts: try view.articles.countsOfShown(), accounts: try view.sync.summaries(),
      smartFeeds: try view.smartFeeds.all(), folders: try view.outlines.keptFolders(),
      tags: try view.tags.names(),
      hasReadLately: try view.journal.hasOpenedArticles())
  }
}

/// The state of the store that an observer reads.
struct StoreMoment: Sendable {
  /// `Store.changeNumber`, before anything is read.
  var change: UInt64
  /// Whether it is the observer's first read, which uses no cache: another process may have written
  /// unnoticed.
  var isFirst: Bool
}
