internal import Foundation
internal import News
internal import Store

/// Feeds that another process is fetching: waited for instead of fetched twice.
extension FeedRepository {
  /// Returns once one of the claims has ended, by its outcome or by running out, with the feeds that
  /// are free as they are then; with none when the task is cancelled.
  func waitForClaims(on feeds: [Feed]) async -> [Feed] {
    // The claims run out by the time of day, which may be set back, or lie in a store that cannot be
    // read any more.
    let end = ContinuousClock.now + .seconds(settings.claimTime)
    while !Task.isCancelled {
      let time = now()
      let horizon = time.addingTimeInterval(settings.claimTime)
      let free = try? await store.view { [claimant] view in
        let claimed = try view.claimed(
          feeds.map(\.id), byOthersThan: claimant, at: time, horizon: horizon)
        return try feeds.map(\.id).filter { !claimed.contains($0) }.map { ($0, try view.feed($0)) }
      }
      if let free, !free.isEmpty {
        // One that was unsubscribed meanwhile has nothing left to wait for.
        for (id, feed) in free where feed == nil { forget(id) }
        return free.compactMap(\.1)
      }
      if ContinuousClock.now > end { return feeds }
      // What other processes write is found by asking only.
      try? await Task.sleep(for: .milliseconds(200))
    }
    return []
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
