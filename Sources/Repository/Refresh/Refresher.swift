package import Foundation
package import News
internal import Store
internal import Synchronization

/// Which feeds a refresh is about.
package enum RefreshScope: Hashable, Sendable {
  /// All but those that are gone for good (410): they are asked when they are named.
  case all
  case feeds([FeedID])
  /// Those of a timeline: a feed's, a folder's; of the others, all.
  case timeline(Timeline)
  /// Those that are older than the interval and that no server has asked to leave alone.
  case due
  /// Those whose last fetch failed for want of a connection; the longer they fail, the more seldom.
  case unreachable
  /// All of those, and those that were left alone: the network is back.
  case recovered
  /// Those whose server has said that there is something new.
  case told([FeedID])

  /// Whether somebody waits for just this.
  var isReadersWish: Bool {
    switch self {
    case .all, .feeds, .timeline: true
    case .due, .unreachable, .recovered, .told: false
    }
  }

  var isTold: Bool { if case .told = self { true } else { false } }

  /// Whether feeds that another process is fetching are waited for.
  var waitsForOthers: Bool { self != .due }

  var lane: FetchQueue<FeedID>.Lane { isReadersWish ? .asked : .ahead }
}

extension FeedRepository {
  /// Fetches the newest page of each feed in `scope`.
  ///
  /// Bounded in number and per host; a feed that fails is recorded with its error and stops no
  /// other. While a refresh is under way its feeds are not fetched twice: a second wish joins it.
  /// Feeds that another process is fetching are waited for, until it has fetched them, has ended, or
  /// has not moved for the time of a claim, and at most until the deadline; only `.due` leaves them to
  /// the other.
  /// Cancelling the task that began a refresh ends it; what was fetched is kept, and what others
  /// have asked for since goes on in their name.
  ///
  /// - Returns: what became of the feeds of this run.
  package func refresh(_ scope: RefreshScope) async throws -> RefreshReport {
    var feeds = try await feeds(in: scope)
    if scope == .due || scope == .unreachable, status.withLock({ $0.connectivity.isOffline }) {
      let far = feeds.filter { $0.needsNetwork(loopbackToo: settings.isLoopbackRemote) }
      let near = feeds.filter { !$0.needsNetwork(loopbackToo: settings.isLoopbackRemote) }
      if !far.isEmpty {
        if !near.isEmpty { _ = try await refresh(near, scope) }
        await awaitNetwork(atMost: settings.networkPatience)
        try Task.checkCancellation()
        // Somebody may have asked meanwhile.
        feeds = try await self.feeds(in: scope)
      }
    }
    return try await refresh(feeds, scope)
  }

  private func refresh(_ feeds: [Feed], _ scope: RefreshScope) async throws -> RefreshReport {
    if scope.isReadersWish { sources.reopen(feeds) }
    var report = RefreshReport()
    var rest = feeds
    while !rest.isEmpty {
      guard run != nil else {
        let own = await begin(rest, scope)
        report.outcomes += own.outcomes
        report.isCut = own.isCut
        return report
      }
      let joined = await join(rest, scope)
      report.outcomes += joined.outcomes
      report.isCut = joined.isCut
      // A run that was cancelled has left something over.
      let done = Set(joined.outcomes.map(\.feed.id))
      rest = joined.isCut && !Task.isCancelled ? rest.filter { !done.contains($0.id) } : []
    }
    return report
  }

  private func begin(_ feeds: [Feed], _ scope: RefreshScope) async -> RefreshReport {
    run = RefreshRun(concurrent: settings.concurrent, perHost: settings.perHost)
    announceProgress()
    await enqueue(feeds, scope)
    await fetchEverything()

    // A cancelled refresh gives its feeds back as well.
    if let claimant = run?.claimant {
      try? await store.finish { try $0.releaseClaims(of: claimant.name) }
    }

    var report = run?.report ?? RefreshReport()
    // A feed may have moved away from the server that knows its password.
    await forgetSignIns()
    // Without news too: what was removed may still have to leave the files.
    if report.inserted > 0 { try? await store.tidy() } else { try? await store.erase() }
    if run?.isDone == false { report.isCut = true }
    let total = (try? await store.view { try $0.feeds().count { $0.isOnNetwork } }) ?? 0
    let waiters = run?.waiters ?? []
    run?.bell.finish()
    run = nil
    status.withLock { status in
      status.activity = .idle
      status.waitingFor = nil
    }
    noteConnectivity(report, of: total)
    store.announce()
    for waiter in waiters { waiter.resume(returning: report) }
    // A server has answered: what waits may go.
    if report.outcomes.contains(where: { $0.error == nil }) { try? await deliverOutbox() }
    return report
  }

  private func join(_ feeds: [Feed], _ scope: RefreshScope) async -> RefreshReport {
    let id = run?.id
    await enqueue(feeds, scope)
    return await withCheckedContinuation { waiter in
      guard run?.id == id else {
        // It was cancelled while these were being taken in.
        var nothing = RefreshReport()
        nothing.isCut = true
        return waiter.resume(returning: nothing)
      }
      run?.waiters.append(waiter)
    }
  }

  private func feeds(in scope: RefreshScope) async throws -> [Feed] {
    let time = now()
    let interval = settings.interval
    return try await store.view { view in
      switch scope {
      case .all, .timeline(.search):
        try view.feeds().filter { !$0.state.isGone }
      case .feeds(let ids), .told(let ids):
        try ids.compactMap(view.feed)
      case .timeline(.feed(let id)):
        try view.feed(id).map { [$0] } ?? []
      case .timeline(let timeline):
        try view.feeds(in: timeline).filter { !$0.state.isGone }
      case .due:
        try view.feeds().filter { $0.isDue(at: time, interval: interval) }
      case .unreachable:
        try view.feeds().filter { $0.isWorthAnotherTry(at: time) }
      case .recovered:
        try view.feeds().filter {
          $0.state.error?.isConnectivity == true || $0.state.error?.kind == .paused
        }
      }
    }
  }

  /// Takes feeds into the run, but those that are in it already.
  private func enqueue(_ feeds: [Feed], _ scope: RefreshScope) async {
    if scope.lane == .asked { for feed in feeds { run?.queue.promote(feed) } }
    let fresh = feeds.filter { run?.members.insert($0.id).inserted == true }
    guard !fresh.isEmpty else { return }
    let id = run?.id
    run?.arriving += 1
    // What a server tells of comes above all that is here, and overtakes nothing.
    if !scope.isTold { overtakePaging(of: fresh) }
    let mine = await claim(fresh)
    // A run that was cancelled meanwhile has let go of its claims; another may have begun.
    guard run?.id == id else { return }
    run?.arriving -= 1
    run?.queue.add(fresh.filter { mine.contains($0.id) }, in: scope.lane)
    let others = fresh.filter { !mine.contains($0.id) }
    if scope.waitsForOthers {
      run?.claimedByOthers += others
    } else {
      run?.members.subtract(others.map(\.id))
    }
    run?.bell.yield()
    announceProgress()
  }

  /// What is being loaded at the older end follows what may not be there any more: it begins anew.
  private func overtakePaging(of feeds: [Feed]) {
    for feed in feeds { generations[feed.id, default: 0] += 1 }
    let ids = Set(feeds.map(\.id))
    walked = walked.filter { !ids.contains($0.key.feed) }
    status.withLock { status in
      for id in ids { status.olderErrors[id] = nil }
      status.circular.subtract(ids)
    }
  }

  /// Claims feeds for fetching.
  ///
  /// - Returns: those that no other process has claimed.
  func claim(_ feeds: [Feed]) async -> Set<FeedID> {
    let time = now()
    guard let claimant = await claimant() else { return [] }
    let claimed = try? await store.edit { [claimTime = settings.claimTime] edit in
      try edit.claim(
        feeds.map(\.id), by: claimant.name, until: time.addingTimeInterval(claimTime), now: time)
    }
    // A store that cannot be written says so with the first page; until then nothing is lost.
    return claimed ?? Set(feeds.map(\.id))
  }

  /// The owner of this run's claims; nil where the run has ended meanwhile.
  private func claimant() async -> Claimant? {
    if let claimant = run?.claimant { return claimant }
    guard let id = run?.id else { return nil }
    let new = await store.claimant(program: settings.program)
    guard run?.id == id else { return nil }
    // A wish that came at the same moment may have been quicker.
    if run?.claimant == nil { run?.claimant = new }
    return run?.claimant
  }

  private enum Event: Sendable {
    /// Nil when it was cancelled.
    case fetched(Feed, FetchedFeed?)
    case stored([RefreshReport.Outcome])
    case patienceRanOut(batch: Int)
    case claimsGrewOld
    case rang
    /// These are no longer claimed by others; as they are now.
    case released([Feed])
    /// The deadline has come while others were waited for.
    case gaveUp
  }

  /// Works the queue down, and what joins it meanwhile.
  private func fetchEverything() async {
    guard let rings = run?.rings else { return }
    let store = store
    await withTaskGroup(of: Event.self) { group in
      var isWaitingForOthers = false
      var batch = FetchedBatch()
      func fill() {
        while !Task.isCancelled, !batch.isFull, let feed = run?.queue.next() {
          let (sources, now) = (sources, now)
          group.addTask(priority: .utility) {
            let fetched = await fetch(feed, from: sources, into: store, now: now) { wait in
              self.note(wait, of: feed.id)
            }
            self.note(nil, of: feed.id)
            return .fetched(feed, fetched)
          }
        }
        if !isWaitingForOthers, !Task.isCancelled, let feeds = run?.claimedByOthers, !feeds.isEmpty
        {
          isWaitingForOthers = true
          group.addTask {
            await self.waitForClaims(on: feeds).map { .released($0) } ?? .gaveUp
          }
        }
        let nothingFollows = run?.queue.isEmpty != false
        if let feeds = batch.next(isLast: nothingFollows || Task.isCancelled) {
          group.addTask { .stored(await store.store(feeds)) }
        }
      }
      func listen() {
        group.addTask {
          for await _ in rings { break }
          return .rang
        }
      }
      func renewClaims(_ isFirst: Bool = false) {
        let (now, claimant, time) = (now, run?.claimant, settings.claimTime)
        group.addTask {
          if !isFirst, let claimant {
            try? await store.finish {
              try $0.renewClaims(of: claimant.name, until: now().addingTimeInterval(time))
            }
          }
          try? await Task.sleep(for: .seconds(time / 3))
          return .claimsGrewOld
        }
      }
      listen()
      renewClaims(true)
      fill()
      while run?.isDone == false || !batch.isEmpty, let event = await group.next() {
        switch event {
        case .fetched(let feed, let fetched):
          run?.queue.finished(feed)
          guard let fetched else {
            run?.report.isCut = true
            break
          }
          if batch.add(fetched) {
            group.addTask { [number = batch.number] in
              try? await Task.sleep(for: FetchedBatch.patience)
              return .patienceRanOut(batch: number)
            }
          }
        case .stored(let outcomes):
          batch.stored()
          run?.report.outcomes += outcomes
          if let report = run?.report { noteConnectivity(report) }
          announceProgress()
        case .patienceRanOut(let number):
          batch.patienceRanOut(for: number)
        case .claimsGrewOld:
          if !Task.isCancelled { renewClaims() }
        case .rang:
          if !Task.isCancelled { listen() }
        case .released(let feeds):
          isWaitingForOthers = false
          await take(feeds)
          announceProgress()
        case .gaveUp:
          isWaitingForOthers = false
          await giveUpOnOthers()
          announceProgress()
        }
        fill()
      }
      group.cancelAll()
    }
  }

  /// - Parameter wait: nil when the feed waits no longer.
  private nonisolated func note(_ wait: RetryWait?, of feed: FeedID) {
    let isNews = status.withLock { status in
      defer { status.waits[feed] = wait }
      return status.waits[feed] != wait
    }
    if isNews { store.announce() }
  }

  private func announceProgress() {
    guard let run else { return }
    let activity = Activity.refreshing(
      done: run.report.outcomes.count, total: run.members.count, failed: run.report.failed.count)
    status.withLock { $0.activity = activity }
    store.announce()
  }

  /// Offline is what it looks like: several hosts were tried, or all feeds there are, and none could
  /// be reached. One that is down among others says nothing. The first answer of any server ends it.
  ///
  /// - Parameter total: how many feeds there are, where all that was asked for is done.
  private func noteConnectivity(_ report: RefreshReport, of total: Int? = nil) {
    // Where the machine says that it has no network, its own servers prove nothing; and one that was
    // not asked says nothing either.
    let isSaidOffline = status.withLock { $0.connectivity.isOffline }
    let tried = report.outcomes.filter { outcome in
      outcome.error?.kind != .paused
        && outcome.feed.needsNetwork(loopbackToo: settings.isLoopbackRemote || !isSaidOffline)
    }
    guard !tried.isEmpty else { return }
    // A proxy that fails is told as such, and says nothing of the network.
    let isOffline = tried.allSatisfy {
      $0.error?.isConnectivity == true && $0.error?.kind != .proxy
    }
    let hosts = Set(tried.compactMap { WebAddress.host(of: $0.feed.url) })
    let isTelling = hosts.count >= 3 || total.map { tried.count >= $0 } == true
    let time = now()
    status.withLock { status in
      if !isOffline {
        status.offlineSince = nil
      } else if status.offlineSince == nil, isTelling {
        status.offlineSince = time
      }
    }
  }
}

extension Feed {
  /// Whether one that could not be reached is asked again without anybody's wish: after ten seconds,
  /// and then after twice as long each time, up to a quarter of an hour.
  fileprivate func isWorthAnotherTry(at time: Date) -> Bool {
    guard state.error?.isConnectivity == true, let last = state.lastAttempt else { return false }
    let wait = min(10 << min(max(0, (state.failing?.count ?? 1) - 1), 10), 900)
    return abs(time.timeIntervalSince(last)) >= Double(wait)
  }

  /// Not a file of this machine.
  var isOnNetwork: Bool { !url.hasPrefix("file:") }

  /// Whether it is time to ask again without being told to.
  package func isDue(at time: Date, interval: Duration?) -> Bool {
    guard let interval, !state.isGone else { return false }
    if let next = state.nextAttempt {
      if next > time { return false }
      // A failure that named the time of the next attempt, which is now.
      if state.error != nil { return true }
    }
    guard let last = state.lastAttempt else { return true }
    let wanted = max(
      Double(interval.components.seconds), Double(state.minutesToLive ?? 0) * 60)
    // A clock that was set back must not silence a feed for years.
    return time.timeIntervalSince(last) >= wanted || last > time.addingTimeInterval(60)
  }
}
