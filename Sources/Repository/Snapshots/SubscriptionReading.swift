internal import News
internal import Store
internal import Synchronization

/// All subscriptions with their counts, from the store.
struct SubscriptionState: Sendable {
  /// Sorted by title, then by id.
  var feeds: [Feed]
  /// Counts of all articles; one that several feeds contain counts once.
  var counts: ArticleCounts
  /// Those that keep subscriptions.
  var accounts: [AccountSummary]
  var smartFeeds: [SmartFeed]
  /// Those that stay without feeds.
  var folders: [FolderID]
  var tags: [String]
  var hasReadLately: Bool
}

/// Cache of the subscriptions: they are read once for each change of the store, and shared by all
/// observers. The sidebar and every list need them after each commit of a refresh.
final class SubscriptionReading: Sendable {
  private let last = Mutex<(change: UInt64, state: SubscriptionState)?>(nil)

  /// The subscriptions at a moment.
  ///
  /// - Parameter moment: taken before `view` was opened.
  func state(in view: StoreView, at moment: StoreMoment) throws -> SubscriptionState {
    // The lock is held while reading: a second observer waits for the result of the first.
    try last.withLock { last in
      if !moment.isFirst, let last, last.change >= moment.change { return last.state }
      let state = SubscriptionState(
        feeds: try view.feeds().sorted { a, b in
          let (x, y) = (a.displayTitle.lowercased(), b.displayTitle.lowercased())
          return x == y ? a.id < b.id : x < y
        },
        counts: try view.countsOfShown(), accounts: try view.accountSummaries(),
        smartFeeds: try view.smartFeeds(), folders: try view.keptFolders(),
        tags: try view.tagNames(),
        hasReadLately: try view.hasOpenedArticles())
      last = (moment.change, state)
      return state
    }
  }
}

/// The state of the store that an observer reads.
struct StoreMoment: Sendable {
  /// `Store.changeNumber`, before anything is read.
  var change: UInt64
  /// Whether it is the observer's first read: another process may have written without notice, so that
  /// no cached value may be used.
  var isFirst: Bool
}
