internal import News

/// State machine of a refresh: which feeds to claim, fetch and store next. `Refresher` performs the
/// actions and reports their results as events. Pure.
///
/// A feed is asked for and becomes a member; is claimed, so that no other process fetches it too;
/// waits in the queue; is fetched; waits in the batch; is stored, with its outcome in the report. A
/// feed that another process has claimed is done when that process has fetched it.
struct RefreshRun {
  /// The options of a request for feeds.
  struct Request: Hashable, Sendable {
    var lane: FetchQueue<FeedID>.Lane
    /// Whether feeds that another process is fetching are waited for, or left to it.
    var waitsForOthers: Bool
    /// Whether older pages that are being loaded are dropped: there may be a gap below the newest
    /// page. Entries of live events are above all stored ones.
    var overtakesPaging: Bool
  }

  enum Event: Sendable {
    /// Feeds were asked for; those that are in the run already move ahead in the queue.
    case asked([Feed], Request)
    /// The result of `Action.claim`: `free` are the feeds that this run has claimed.
    case claimed([Feed], free: Set<FeedID>, Request)
    /// Nil where the fetch was cancelled.
    case fetched(Feed, FetchedFeed?)
    case stored([RefreshReport.Outcome])
    /// The first feed of a batch has waited for `FetchedBatch.patience`.
    case batchGrewOld(Int)
    /// Feeds that other processes no longer claim, in their current state, and those that were removed.
    case released([Feed], removed: [FeedID])
    /// The wait for other processes was given up; with the process that claims each feed, if known.
    case gaveUp(holders: [FeedID: String])
    /// The address of a feed has changed: it may be asked for again in this run.
    case moved(FeedID)
    case cancelled
  }

  enum Action: Sendable {
    case overtakePaging([Feed])
    case claim([Feed], Request)
    case fetch(Feed)
    case store([FetchedFeed])
    /// Answered by `.batchGrewOld` after `FetchedBatch.patience`.
    case timeBatch(Int)
    /// Waits for other processes; answered by `.released` or `.gaveUp`.
    case awaitOthers([Feed])
  }

  private(set) var report = RefreshReport()
  private(set) var members: Set<FeedID> = []
  /// Members without an outcome yet.
  var unfinished: Set<FeedID> { members.subtracting(report.outcomes.lazy.map(\.feed.id)) }
  private(set) var claimedByOthers: [Feed] = []

  private var queue: RefreshQueue
  private var batch = FetchedBatch()
  /// `claim` actions without a result yet: the run does not end before them.
  private var claiming = 0
  private var isAwaitingOthers = false
  private var isCancelled = false

  /// - Parameters:
  ///   - concurrent: feeds fetched at the same time.
  ///   - perHost: of those, at most this many from one host.
  init(concurrent: Int, perHost: Int) {
    queue = RefreshQueue(concurrent: concurrent, perHost: perHost)
  }

  /// Whether no feed waits to be claimed or fetched, here or by another process.
  var isDone: Bool { queue.isEmpty && claiming == 0 && claimedByOthers.isEmpty }

  /// Whether nothing is left to do. After a cancellation the run is over when no action runs any
  /// more, which only the performer knows.
  var isOver: Bool { isDone && batch.isEmpty && !isCancelled }

  /// - Returns: the actions to perform, in this order.
  mutating func handle(_ event: Event) -> [Action] {
    var actions: [Action] = []
    switch event {
    case .asked(let feeds, let request):
      actions += ask(for: feeds, request)
    case .claimed(let feeds, let free, let request):
      claiming -= 1
      queue.add(feeds.filter { free.contains($0.id) }, in: request.lane)
      let others = feeds.filter { !free.contains($0.id) }
      if request.waitsForOthers {
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
      actions += receive(feeds)
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

  /// The actions that can start now, within the limits of the queue and the batch.
  private mutating func next() -> [Action] {
    var actions: [Action] = []
    while !isCancelled, !batch.isFull, let feed = queue.next() { actions.append(.fetch(feed)) }
    if !isAwaitingOthers, !isCancelled, !claimedByOthers.isEmpty {
      isAwaitingOthers = true
      actions.append(.awaitOthers(claimedByOthers))
    }
    // Also after a cancellation: what was fetched is stored.
    if let feeds = batch.next(isLast: queue.isEmpty || isCancelled) {
      actions.append(.store(feeds))
    }
    return actions
  }

  private mutating func ask(for feeds: [Feed], _ request: Request) -> [Action] {
    if request.lane == .asked { for feed in feeds { queue.promote(feed) } }
    let fresh = feeds.filter { members.insert($0.id).inserted }
    let claims = claim(fresh, request)
    return request.overtakesPaging && !claims.isEmpty ? [.overtakePaging(fresh)] + claims : claims
  }

  private mutating func claim(_ feeds: [Feed], _ request: Request) -> [Action] {
    guard !feeds.isEmpty else { return [] }
    guard !isCancelled else {
      report.isCut = true
      return []
    }
    claiming += 1
    return [.claim(feeds, request)]
  }

  /// Feeds that other processes no longer claim: done if they were fetched, else claimed by this
  /// run.
  private mutating func receive(_ feeds: [Feed]) -> [Action] {
    var left: [Feed] = []
    for feed in feeds {
      guard let index = claimedByOthers.firstIndex(where: { $0.id == feed.id }) else { continue }
      let before = claimedByOthers.remove(at: index)
      if feed.state.lastAttempt == before.state.lastAttempt {
        var feed = feed
        // Whether it is asked while its host rests was decided when it was asked for.
        feed.state.restsUntil = before.state.restsUntil
        left.append(feed)
      } else {
        report.outcomes.append(.byAnother(feed, error: feed.state.error))
      }
    }
    return claim(left, Request(lane: .asked, waitsForOthers: true, overtakesPaging: false))
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
    RefreshReport.Outcome(feed: feed, error: error, isByAnother: true)
  }
}
