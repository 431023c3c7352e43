internal import News
internal import Store

/// What has been fetched and waits to be stored, many feeds in one transaction.
///
/// A page and its cursor are in the same transaction by construction. Several pages share one
/// because the search index writes a segment for each transaction, and few large ones take half the
/// time of many small ones. So the batch waits until it is large, but not when there is nothing to
/// wait for, and never for long: what has come is to be seen.
struct FetchedBatch {
  /// So many feeds are worth a transaction.
  static let worthwhile = 16
  /// How long the first of a batch waits for others.
  static let patience: Duration = .milliseconds(200)

  private var feeds: [FetchedFeed] = []
  /// Tells one batch from the next.
  private(set) var number = 0
  private var isOverdue = false
  private(set) var isStoring = false

  /// Whether all that was fetched is stored.
  var isEmpty: Bool { feeds.isEmpty && !isStoring }
  /// Whether nothing more should be fetched until some of it is stored.
  var isFull: Bool { feeds.count >= Self.worthwhile }

  /// - Returns: whether it is the first of its batch.
  mutating func add(_ feed: FetchedFeed) -> Bool {
    feeds.append(feed)
    return feeds.count == 1
  }

  mutating func patienceRanOut(for number: Int) {
    if number == self.number { isOverdue = true }
  }

  /// What is to be stored now; nil where it is better to wait, or where the last batch is still
  /// being stored.
  mutating func next(isLast: Bool) -> [FetchedFeed]? {
    guard !isStoring, !feeds.isEmpty, isFull || isOverdue || isLast else { return nil }
    defer {
      feeds = []
      number += 1
      isOverdue = false
      isStoring = true
    }
    return feeds
  }

  mutating func stored() { isStoring = false }
}

extension Store {
  /// Stores what was fetched: in one transaction; if that fails, in one for each feed, so that the
  /// fault of one is not theirs. Done in a cancelled task as well: what has come is kept.
  ///
  /// - Returns: what became of each.
  func store(_ batch: [FetchedFeed]) async -> [RefreshReport.Outcome] {
    if batch.count > 1,
      let results = try? await finish({ edit in try batch.map { try $0.write(edit) } })
    {
      return zip(batch, results).map { $0.outcome($1) }
    }
    var outcomes: [RefreshReport.Outcome] = []
    for fetched in batch {
      do {
        outcomes.append(fetched.outcome(try await finish { try fetched.write($0) }))
      } catch {
        var outcome = fetched.outcome
        let problem = SourceError.describing(error, subject: outcome.feed.url)
        outcome.error = outcome.error ?? problem
        outcomes.append(outcome)
      }
    }
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
}
