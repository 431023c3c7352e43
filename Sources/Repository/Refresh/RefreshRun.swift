internal import News

/// A refresh under way, as a value: which feeds to claim, fetch and store next.
///
/// It takes what has happened (`handle`) and returns what is to be done, in order; `Refresher` does
/// that and comes back with what came of it. It reads no clock, no store and no network.
///
/// A feed goes through these steps: it is asked for and becomes a member; it is claimed, so that no
/// other process fetches it too; it waits in the queue for its turn; it is fetched; what came waits in
/// the batch; it is stored, and its outcome is in the report. One that another process has claimed is
/// waited for, and is done when the other has fetched it.
struct RefreshRun {
  /// How feeds are wanted.
  struct Wish: Hashable, Sendable {
    var lane: FetchQueue<FeedID>.Lane
    /// Whether feeds that another process is fetching are waited for, or left to it.
    var waitsForOthers: Bool
    /// Whether older pages that are on their way are dropped, because the newest page may no longer
    /// reach what they follow. News that a server has told of comes above all that is here.
    var overtakesPaging: Bool
  }

  enum Event: Sendable {
    /// Feeds are wanted; those that are in the run already only move ahead.
    case asked([Feed], Wish)
    /// The answer to `Action.claim`: `free` are those that are this run's now.
    case claimed([Feed], free: Set<FeedID>, Wish)
    /// Nil where the fetch was cancelled.
    case fetched(Feed, FetchedFeed?)
    case stored([RefreshReport.Outcome])
    /// The first feed of a batch has waited for others as long as it may.
    case batchGrewOld(Int)
    /// Feeds that other processes have let go of, as they are now, and those that were removed.
    case released([Feed], removed: [FeedID])
    /// Other processes are not waited for any longer; who fetches which feed, where that is known.
    case gaveUp(holders: [FeedID: String])
    /// The address of a feed has changed: it may be asked for again while the old one is fetched.
    case moved(FeedID)
    case cancelled
  }

  enum Action: Sendable {
    case overtakePaging([Feed])
    /// Claims feeds for this process; answered by `.claimed`.
    case claim([Feed], Wish)
    /// Fetches a feed; answered by `.fetched`.
    case fetch(Feed)
    /// Stores what was fetched, together; answered by `.stored`.
    case store([FetchedFeed])
    /// Answered by `.batchGrewOld` after `FetchedBatch.patience`.
    case timeBatch(Int)
    /// Waits for other processes; answered by `.released` or `.gaveUp`.
    case awaitOthers([Feed])
  }

  /// What was done so far.
  private(set) var report = RefreshReport()
  /// Everything the run has been asked for.
  private(set) var members: Set<FeedID> = []
  /// Feeds that other processes have claimed.
  private(set) var claimedByOthers: [Feed] = []

  private var queue: RefreshQueue
  private var batch = FetchedBatch()
  /// Claims that are not answered yet: the run does not end before them.
  private var claiming = 0
  private var isAwaitingOthers = false
  private var isCancelled = false

  /// - Parameters:
  ///   - concurrent: feeds fetched at the same time.
  ///   - perHost: of those, at most this many from one host.
  init(concurrent: Int, perHost: Int) {
    queue = RefreshQueue(concurrent: concurrent, perHost: perHost)
  }

  /// Whether all that was asked for has been fetched, or is being fetched by nobody any more.
  var isDone: Bool { queue.isEmpty && claiming == 0 && claimedByOthers.isEmpty }

  /// Whether nothing is left to do or to wait for. A run that was cancelled is over when nothing of it
  /// is under way, which only who performs its actions can see.
  var isOver: Bool { isDone && batch.isEmpty && !isCancelled }

  /// Takes what has happened.
  ///
  /// - Returns: what is to be done because of it, in this order.
  mutating func handle(_ event: Event) -> [Action] {
    var actions: [Action] = []
    switch event {
    case .asked(let feeds, let wish):
      actions += ask(for: feeds, wish)
    case .claimed(let feeds, let free, let wish):
      claiming -= 1
      queue.add(feeds.filter { free.contains($0.id) }, in: wish.lane)
      let others = feeds.filter { !free.contains($0.id) }
      if wish.waitsForOthers {
        claimedByOthers += others
      } else {
        members.subtract(others.map(\.id))
      }
    case .fetched(let feed, let fetched):
      queue.finished(feed)
      if let fetched {
        if batch.add(fetched) { actions.append(.timeBatch(batch.number)) }
      } else {
        report.isCut = true
      }
    case .stored(let outcomes):
      batch.stored()
      report.outcomes += outcomes
    case .batchGrewOld(let number):
      batch.patienceRanOut(for: number)
    case .released(let feeds, let removed):
      isAwaitingOthers = false
      claimedByOthers.removeAll { removed.contains($0.id) }
      members.subtract(removed)
      actions += take(feeds)
    case .gaveUp(let holders):
      isAwaitingOthers = false
      giveUp(on: claimedByOthers, holders)
      claimedByOthers = []
    case .moved(let feed):
      members.remove(feed)
    case .cancelled:
      isCancelled = true
    }
    return actions + next()
  }

  /// What can be begun now, within the bounds of the queue and of the batch.
  private mutating func next() -> [Action] {
    var actions: [Action] = []
    while !isCancelled, !batch.isFull, let feed = queue.next() { actions.append(.fetch(feed)) }
    if !isAwaitingOthers, !isCancelled, !claimedByOthers.isEmpty {
      isAwaitingOthers = true
      actions.append(.awaitOthers(claimedByOthers))
    }
    // What has come is kept, after the run was cancelled too.
    if let feeds = batch.next(isLast: queue.isEmpty || isCancelled) {
      actions.append(.store(feeds))
    }
    return actions
  }

  private mutating func ask(for feeds: [Feed], _ wish: Wish) -> [Action] {
    if wish.lane == .asked { for feed in feeds { queue.promote(feed) } }
    let fresh = feeds.filter { members.insert($0.id).inserted }
    guard !fresh.isEmpty else { return [] }
    guard !isCancelled else {
      report.isCut = true
      return []
    }
    claiming += 1
    return (wish.overtakesPaging ? [.overtakePaging(fresh)] : []) + [.claim(fresh, wish)]
  }

  /// Takes what others have let go of: as done where they have fetched it, else into the queue.
  private mutating func take(_ feeds: [Feed]) -> [Action] {
    var left: [Feed] = []
    for feed in feeds {
      guard let index = claimedByOthers.firstIndex(where: { $0.id == feed.id }) else { continue }
      let before = claimedByOthers.remove(at: index)
      if feed.state.lastAttempt == before.state.lastAttempt {
        left.append(feed)
      } else {
        report.outcomes.append(.byAnother(feed, error: feed.state.error))
      }
    }
    guard !left.isEmpty else { return [] }
    guard !isCancelled else {
      report.isCut = true
      return []
    }
    claiming += 1
    let wish = Wish(lane: .asked, waitsForOthers: true, overtakesPaging: false)
    return [.claim(left, wish)]
  }

  private mutating func giveUp(on feeds: [Feed], _ holders: [FeedID: String]) {
    for feed in feeds {
      let holder = holders[feed.id] ?? "another Telex"
      let error = SourceError(
        .store, stage: .fetch, subject: feed.displayTitle,
        message: "\(holder) is still fetching it", next: "wait for it, or end it")
      report.outcomes.append(.byAnother(feed, error: error))
    }
  }
}

extension RefreshReport.Outcome {
  fileprivate static func byAnother(_ feed: Feed, error: SourceError?) -> Self {
    RefreshReport.Outcome(
      feed: feed, inserted: 0, updated: 0, isUnchanged: false, warnings: [], error: error,
      isByAnother: true)
  }
}
