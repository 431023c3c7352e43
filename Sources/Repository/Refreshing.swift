package import Foundation
package import News
internal import Store
internal import Synchronization

/// Which feeds a refresh is about.
package enum RefreshScope: Hashable, Sendable {
  case all
  case feeds([FeedID])
  /// Those of a timeline: a feed's, a folder's; of the others, all.
  case timeline(Timeline)
  /// Those that are older than the interval and that no server has asked to leave alone.
  case due
  /// Those whose last fetch failed for want of a connection.
  case unreachable
}

/// What a refresh came to.
package struct RefreshReport: Hashable, Sendable {
  package struct Outcome: Hashable, Sendable {
    package var feed: Feed
    package var inserted: Int
    package var updated: Int
    package var isUnchanged: Bool
    package var warnings: [String]
    package var error: SourceError?
  }

  /// In the order in which they were done.
  package var outcomes: [Outcome] = []

  package init() {}

  package var inserted: Int { outcomes.reduce(0) { $0 + $1.inserted } }
  package var failed: [Outcome] { outcomes.filter { $0.error != nil } }
}

/// A refresh under way, which later wishes can join.
struct RefreshRun {
  var queue: RefreshQueue
  /// Everything the run has been asked for.
  var members: Set<FeedID>
  var report = RefreshReport()
  var total: Int
  /// Those who wait for the end besides the one who began.
  var waiters: [CheckedContinuation<RefreshReport, Never>] = []
}

extension FeedRepository {
  /// Fetches the newest page of each feed in `scope`.
  ///
  /// Bounded in number and per host; a feed that fails is recorded with its error and stops no
  /// other. While a refresh is under way its feeds are not fetched twice: a second wish joins it.
  /// Cancelling the task that began a refresh ends it; what was fetched is kept.
  ///
  /// - Returns: what became of the feeds of this run.
  package func refresh(_ scope: RefreshScope) async throws -> RefreshReport {
    let feeds = try await feeds(in: scope)
    guard !feeds.isEmpty else { return RefreshReport() }
    if run != nil { return await join(feeds) }

    run = RefreshRun(
      queue: RefreshQueue([], concurrent: settings.concurrent, perHost: settings.perHost),
      members: [], total: 0)
    announceProgress()
    await enqueue(feeds)
    await fetchEverything()

    let report = run?.report ?? RefreshReport()
    let waiters = run?.waiters ?? []
    run = nil
    status.withLock { $0.activity = .idle }
    noteConnectivity(report, isFinal: true)
    store.announce()
    try? await store.edit { [claimant] in try $0.releaseClaims(of: claimant) }
    for waiter in waiters { waiter.resume(returning: report) }
    return report
  }

  private func join(_ feeds: [Feed]) async -> RefreshReport {
    await enqueue(feeds)
    return await withCheckedContinuation { waiter in
      guard run != nil else { return waiter.resume(returning: RefreshReport()) }
      run?.waiters.append(waiter)
    }
  }

  private func feeds(in scope: RefreshScope) async throws -> [Feed] {
    let time = now()
    let interval = settings.interval
    return try await store.view { view in
      switch scope {
      case .all:
        try view.feeds()
      case .feeds(let ids):
        try ids.compactMap(view.feed)
      case .timeline(.search):
        try view.feeds()
      case .timeline(let timeline):
        try view.feeds(in: timeline)
      case .due:
        try view.feeds().filter { $0.isDue(at: time, interval: interval) }
      case .unreachable:
        try view.feeds().filter { $0.state.error?.isConnectivity == true }
      }
    }
  }

  /// Takes feeds into the run, but those that are in it or that another process is fetching.
  private func enqueue(_ feeds: [Feed]) async {
    let fresh = feeds.filter { run?.members.contains($0.id) == false }
    guard !fresh.isEmpty else { return }
    for feed in fresh {
      run?.members.insert(feed.id)
      generations[feed.id, default: 0] += 1
      walked[feed.id] = nil
    }
    let time = now()
    let claimed = try? await store.edit { [claimant] edit in
      try edit.claim(
        fresh.map(\.id), by: claimant, until: time.addingTimeInterval(120), now: time)
    }
    // A store that cannot be written says so with the first page; until then nothing is lost.
    let mine = fresh.filter { claimed?.contains($0.id) ?? true }
    run?.total += mine.count
    run?.queue.add(mine)
    status.withLock { status in
      for feed in mine { status.olderErrors[feed.id] = nil }
    }
    announceProgress()
  }

  /// Works the queue down, and what joins it meanwhile.
  private func fetchEverything() async {
    let writer = PageWriter(store: store)
    await withTaskGroup(of: (Feed, RefreshReport.Outcome?).self) { group in
      func fill() {
        while !Task.isCancelled, let feed = run?.queue.next() {
          let source = sources.source(for: feed)
          let now = now
          group.addTask { (feed, await fetch(feed, from: source, into: writer, now: now)) }
        }
      }
      fill()
      while let (feed, outcome) = await group.next() {
        run?.queue.finished(feed)
        if let outcome { run?.report.outcomes.append(outcome) }
        if let report = run?.report { noteConnectivity(report, isFinal: false) }
        announceProgress()
        fill()
      }
    }
  }

  private func announceProgress() {
    guard let run else { return }
    let activity = Activity.refreshing(
      done: run.report.outcomes.count, total: run.total, failed: run.report.failed.count)
    status.withLock { $0.activity = activity }
    store.announce()
  }

  /// Offline is what it looks like: several feeds were tried and none could be reached. The first
  /// answer of any server ends it.
  private func noteConnectivity(_ report: RefreshReport, isFinal: Bool) {
    let tried = report.outcomes.filter { !$0.feed.url.hasPrefix("file:") }
    guard !tried.isEmpty else { return }
    let isOffline = tried.allSatisfy { $0.error?.isConnectivity == true }
    let time = now()
    status.withLock { status in
      if !isOffline {
        status.offlineSince = nil
      } else if status.offlineSince == nil, isFinal || tried.count >= 3 {
        status.offlineSince = time
      }
    }
  }
}

extension Feed {
  /// Whether it is time to ask again without being told to.
  package func isDue(at time: Date, interval: Duration?) -> Bool {
    guard let interval, !state.isGone else { return false }
    if let next = state.nextAttempt, next > time { return false }
    guard let last = state.lastAttempt else { return true }
    let wanted = max(
      Double(interval.components.seconds), Double(state.minutesToLive ?? 0) * 60)
    // A clock that was set back must not silence a feed for years.
    return time.timeIntervalSince(last) >= wanted || last > time.addingTimeInterval(60)
  }
}

/// Fetches one feed, prepares its page off the writer, and waits until it is stored.
///
/// - Returns: nil when it was cancelled.
private func fetch(
  _ feed: Feed, from source: any NewsSource, into writer: PageWriter,
  now: @escaping @Sendable () -> Date
) async -> RefreshReport.Outcome? {
  var outcome = RefreshReport.Outcome(
    feed: feed, inserted: 0, updated: 0, isUnchanged: false, warnings: [])
  do {
    let known = try await writer.store.view { try $0.knownPage(of: feed.id) }
    let answer = try await source.page(after: nil, known: known)
    let movedTo = answer.movedTo
    switch answer.body {
    case .unchanged(let validators):
      outcome.isUnchanged = true
      _ = try await writer.write { edit in
        if let movedTo { try edit.move(feed.id, to: movedTo) }
        try edit.recordUnchanged(feed.id, validators, now: now())
        return MergeResult()
      }
    case .page(let page):
      outcome.warnings = page.warnings
      let prepared = PreparedPage(page)
      let result = try await writer.write { edit in
        if let movedTo { try edit.move(feed.id, to: movedTo) }
        return try edit.merge(prepared, into: feed.id, at: .newest, now: now())
      }
      outcome.inserted = result.inserted
      outcome.updated = result.updated
    }
    return outcome
  } catch is CancellationError {
    return nil
  } catch {
    let problem = SourceError.describing(error, subject: feed.url)
    if problem.kind == .cancelled || Task.isCancelled { return nil }
    outcome.error = problem
    // An error of the store itself cannot be stored; it is reported all the same.
    _ = try? await writer.write { edit in
      try edit.recordFailure(feed.id, problem, now: now())
      return MergeResult()
    }
    return outcome
  }
}

extension SourceError {
  /// What any error comes to for the reader.
  static func describing(_ error: any Error, subject: String) -> SourceError {
    if let error = error as? SourceError { return error }
    if error is CancellationError {
      return SourceError(.cancelled, stage: .fetch, subject: subject, message: "cancelled")
    }
    return SourceError(.store, stage: .store, subject: subject, message: "\(error)")
  }
}
