internal import News
internal import Store
internal import Synchronization

/// What the store says of all subscriptions.
struct SubscriptionState: Sendable {
  /// By title, and then by id.
  var feeds: [Feed]
  /// Articles, each once where several feeds have it.
  var counts: ArticleCounts
}

/// The state of all subscriptions, read once for each change of the store and shared by all who
/// observe it: the sidebar and every list need it after each commit of a refresh.
final class SubscriptionReading: Sendable {
  private let last = Mutex<(change: UInt64, state: SubscriptionState)?>(nil)

  /// The state of the subscriptions.
  ///
  /// - Parameters:
  ///   - moment: what is looked at, taken before `view` was opened.
  func state(in view: StoreView, at moment: StoreMoment) throws -> SubscriptionState {
    // Whoever comes second waits for the first instead of reading the same.
    try last.withLock { last in
      if !moment.isFirst, let last, last.change >= moment.change { return last.state }
      let state = SubscriptionState(
        feeds: try view.feeds().sorted { a, b in
          let (x, y) = (a.displayTitle.lowercased(), b.displayTitle.lowercased())
          return x == y ? a.id < b.id : x < y
        },
        counts: try view.countsOfDistinct())
      last = (moment.change, state)
      return state
    }
  }
}

/// Which state of the store an observer looks at.
struct StoreMoment: Sendable {
  /// `Store.changeNumber`, before anything is read.
  var change: UInt64
  /// Whether the observer begins: another process may have written what nobody has noticed yet, so
  /// that nothing which was read before will do.
  var isFirst: Bool
}
