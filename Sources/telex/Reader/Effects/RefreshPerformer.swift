internal import Reader
internal import TelexKit

/// Refreshes feeds.
struct RefreshPerformer: EffectPerformer {
  nonisolated let context: EffectContext

  func perform(_ feeds: Effect.Refresh) {
    // A running refresh does the same.
    guard !scheduler.isRunning(.refresh(feeds)) else { return }
    // The latest marks are sent with it. Each priority has threads of its own: an article that a key opens does not
    // wait until the feeds that have come are parsed.
    scheduler.start(.refresh(feeds), afterChanges: true, priority: .utility) {
      await inbox.report {
        let report = try await FeedRefresh(composition).run(feeds.scope)
        return .subscriptions(
          .refreshEnded(
            failed: report.failedCount, gone: report.goneCount, inserted: report.inserted,
            wasAsked: feeds.isAsked, wasDue: !report.isEmpty, resting: report.restLine))
      }
    }
  }
}

extension Effect.Refresh {
  fileprivate var scope: FeedRefresh.Scope {
    switch self {
    case .asked(let timeline): .timeline(timeline)
    case .askedFeeds(let feeds): .feeds(feeds)
    case .due: .due
    case .unreachable: .unreachable
    }
  }
}
