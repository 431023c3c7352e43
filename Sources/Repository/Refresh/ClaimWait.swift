internal import Foundation
internal import News
internal import Store
internal import Synchronization

/// Feeds that another process is fetching: waited for instead of fetched twice.
extension FeedRepository {
  /// Returns once one of the claims has ended, by its outcome, with its process or by running out,
  /// with the feeds that are free as they are then; with none when the task is cancelled, and with nil
  /// at the deadline.
  func waitForClaims(on feeds: [Feed]) async -> [Feed]? {
    defer { told(isWaitingFor: nil) }
    // The claims run out by the time of day, which may be set back, or lie in a store that cannot be
    // read any more.
    let end = ContinuousClock.now + .seconds(settings.claimTime)
    while !Task.isCancelled {
      let time = now()
      let horizon = time.addingTimeInterval(settings.claimTime)
      let name = run?.claimant?.name ?? ""
      let looked = try? await store.view { view in
        let claimed = try view.claimed(
          feeds.map(\.id), byOthersThan: name, at: time, horizon: horizon)
        let free = try feeds.map(\.id).filter { !claimed.contains($0) }
          .map { ($0, try view.feed($0)) }
        return (free, try claimed.min().flatMap(view.claimant))
      }
      if let (free, other) = looked {
        if !free.isEmpty {
          // One that was unsubscribed meanwhile has nothing left to wait for.
          for (id, feed) in free where feed == nil { forget(id) }
          return free.compactMap(\.1)
        }
        told(isWaitingFor: other.map(store.holder))
      }
      if let deadline = settings.deadline, ContinuousClock.now >= deadline { return nil }
      if ContinuousClock.now > end { return feeds }
      // What other processes write is found by asking only.
      let next = ContinuousClock.now + .milliseconds(200)
      try? await Task.sleep(until: min(next, settings.deadline ?? next))
    }
    return []
  }

  private func told(isWaitingFor holder: String?) {
    let isNews = status.withLock { status in
      defer { status.waitingFor = holder }
      return status.waitingFor != holder
    }
    if isNews { store.announce() }
  }

  /// Ends the wait for what others are still fetching.
  func giveUpOnOthers() async {
    let feeds = run?.claimedByOthers ?? []
    run?.claimedByOthers = []
    let ids = feeds.map(\.id)
    let claimants = try? await store.view { view in
      try ids.reduce(into: [:]) { $0[$1] = try view.claimant(of: $1) }
    }
    for feed in feeds {
      let holder = claimants?[feed.id].map(store.holder) ?? "another Telex"
      run?.report.outcomes.append(
        RefreshReport.Outcome(
          feed: feed, inserted: 0, updated: 0, isUnchanged: false, warnings: [],
          error: SourceError(
            .store, stage: .fetch, subject: feed.displayTitle,
            message: "\(holder) is still fetching it", next: "wait for it, or end it"),
          isByAnother: true))
    }
  }

  private func forget(_ feed: FeedID) {
    run?.claimedByOthers.removeAll { $0.id == feed }
    run?.members.remove(feed)
  }

  /// Takes what others have let go of: as done where they have fetched it, else into the queue.
  func take(_ feeds: [Feed]) async {
    var left: [Feed] = []
    for feed in feeds {
      guard let index = run?.claimedByOthers.firstIndex(where: { $0.id == feed.id }),
        let before = run?.claimedByOthers.remove(at: index)
      else { continue }
      if feed.state.lastAttempt == before.state.lastAttempt {
        left.append(feed)
      } else {
        run?.report.outcomes.append(
          RefreshReport.Outcome(
            feed: feed, inserted: 0, updated: 0, isUnchanged: false, warnings: [],
            error: feed.state.error, isByAnother: true))
      }
    }
    guard !left.isEmpty else { return }
    let mine = await claim(left)
    run?.queue.add(left.filter { mine.contains($0.id) }, in: .asked)
    run?.claimedByOthers += left.filter { !mine.contains($0.id) }
  }
}
