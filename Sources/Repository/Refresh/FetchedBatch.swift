internal import News
internal import Store
internal import Synchronization

/// Batch of fetched feeds that are stored in one transaction.
///
/// The search index writes a segment for each transaction: a few large ones take half the time of
/// many small ones. A batch is stored when it is large enough, when no more feeds are being
/// fetched, or after `patience`. The first batches of a run are small: an empty list has its first
/// rows after a few feeds. The page of a feed and its cursor are always in the same transaction.
struct FetchedBatch {
  /// The number of feeds at which a batch is stored. With half of it a first refresh of 500 feeds takes 5 MB less memory
  /// and about 7 % more processor time.
  static let worthwhile = 64
  /// The size in bytes at which a batch is stored: larger transactions would delay marks and other
  /// processes.
  static let heavy = 4 << 20
  /// How long the first feed of a batch waits for others.
  static let patience: Duration = .milliseconds(200)

  private var feeds: [FetchedFeed] = []
  private var weight = 0
  private(set) var number = 0
  private var isOverdue = false
  private(set) var isStoring = false
  /// The number of feeds at which the next batch is stored: four times as many as at the last one.
  private var enough = 4

  /// Whether all fetched feeds are stored.
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

  /// Removes and returns the feeds to store now; nil to wait for more, or for the last batch.
  ///
  /// - Parameter isLast: whether no further feed is being fetched.
  mutating func next(isLast: Bool) -> [FetchedFeed]? {
    let isWorthwhile = feeds.count >= enough || isFull
    guard !isStoring, !feeds.isEmpty, isWorthwhile || isOverdue || isLast else { return nil }
    enough = min(4 * enough, Self.worthwhile)
    // At least one, whatever its size.
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
    // The feeds that are left have waited as long as those that were taken.
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
  /// Stores fetched feeds in one transaction, or in several where the user waits for a change; if
  /// one of them cannot be written, each in its own. Also in a cancelled task.
  func store(_ batch: [FetchedFeed]) async -> [RefreshReport.Outcome] {
    var outcomes: [RefreshReport.Outcome] = []
    while outcomes.count < batch.count {
      outcomes += await storeFirst(of: Array(batch[outcomes.count...]))
    }
    return outcomes
  }

  /// - Returns: the outcomes of the first feeds, at least one: of all, unless the user waits for a
  ///   change.
  private func storeFirst(of batch: [FetchedFeed]) async -> [RefreshReport.Outcome] {
    let isFaultOfOne = Mutex(false)
    do {
      let results = try await finish { [self] edit in
        var results: [MergeResult] = []
        for fetched in batch {
          if !results.isEmpty, isChangeAwaited { break }
          do { results.append(try fetched.write(edit)) } catch {
            isFaultOfOne.withLock { $0 = true }
            throw error
          }
        }
        return results
      }
      return zip(batch, results).map { $0.outcome($1) }
    } catch {
      // A full disk or a locked database concerns every transaction: there is no point in trying more.
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
