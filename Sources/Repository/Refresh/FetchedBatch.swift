internal import News
internal import Store
internal import Synchronization

/// What has been fetched and waits to be stored, many feeds in one transaction.
///
/// A page and its cursor are in the same transaction by construction. Several pages share one
/// because the search index writes a segment for each transaction, and few large ones take half the
/// time of many small ones. So the batch waits until it is large, but not when there is nothing to
/// wait for, and never for long: what has come is to be seen.
struct FetchedBatch {
  /// So many feeds are worth a transaction,
  static let worthwhile = 16
  /// or so many bytes: a transaction of a hundred megabytes would keep marks and other processes
  /// waiting for seconds.
  static let heavy = 4 << 20
  /// How long the first of a batch waits for others.
  static let patience: Duration = .milliseconds(200)

  private var feeds: [FetchedFeed] = []
  private var weight = 0
  /// Tells one batch from the next.
  private(set) var number = 0
  private var isOverdue = false
  private(set) var isStoring = false

  /// Whether all that was fetched is stored.
  var isEmpty: Bool { feeds.isEmpty && !isStoring }
  /// Whether nothing more should be fetched until some of it is stored.
  var isFull: Bool { feeds.count >= Self.worthwhile || weight >= Self.heavy }

  /// - Returns: whether it is the first of its batch.
  mutating func add(_ feed: FetchedFeed) -> Bool {
    feeds.append(feed)
    weight += feed.weight
    return feeds.count == 1
  }

  mutating func patienceRanOut(for number: Int) {
    if number == self.number { isOverdue = true }
  }

  /// What is to be stored now; nil where it is better to wait, or where the last batch is still
  /// being stored.
  mutating func next(isLast: Bool) -> [FetchedFeed]? {
    guard !isStoring, !feeds.isEmpty, isFull || isOverdue || isLast else { return nil }
    // One at least, however heavy.
    var taken = 1
    var load = feeds[0].weight
    while taken < feeds.count, load + feeds[taken].weight <= Self.heavy {
      load += feeds[taken].weight
      taken += 1
    }
    let batch = Array(feeds[..<taken])
    feeds.removeFirst(taken)
    weight -= load
    isStoring = true
    // What is left has waited as well.
    if feeds.isEmpty {
      number += 1
      isOverdue = false
    } else {
      isOverdue = true
    }
    return batch
  }

  mutating func stored() { isStoring = false }
}

extension Store {
  /// Stores what was fetched: in one transaction; if one of them cannot be written, in one for each
  /// feed, so that its fault is not the others'. Done in a cancelled task as well: what has come is
  /// kept.
  ///
  /// - Returns: what became of each.
  func store(_ batch: [FetchedFeed]) async -> [RefreshReport.Outcome] {
    let isFaultOfOne = Mutex(false)
    do {
      let results = try await finish { edit in
        try batch.map { fetched in
          do { return try fetched.write(edit) } catch {
            isFaultOfOne.withLock { $0 = true }
            throw error
          }
        }
      }
      return zip(batch, results).map { $0.outcome($1) }
    } catch {
      // A full disk, or a process that does not let go of the store, would meet each alone as well.
      guard batch.count > 1, isFaultOfOne.withLock({ $0 }) else {
        return batch.map { $0.outcome(error) }
      }
    }
    var outcomes: [RefreshReport.Outcome] = []
    for fetched in batch { outcomes += await store([fetched]) }
    return outcomes
  }
}

extension FetchedFeed {
  fileprivate func outcome(_ result: MergeResult) -> RefreshReport.Outcome {
    var outcome = outcome
    outcome.inserted = result.inserted
    outcome.updated = result.updated
    return outcome
  }

  fileprivate func outcome(_ error: any Error) -> RefreshReport.Outcome {
    var outcome = outcome
    outcome.error = outcome.error ?? .describing(error, subject: outcome.feed.url)
    return outcome
  }
}
