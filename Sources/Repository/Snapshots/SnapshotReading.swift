internal import Foundation
package import News
package import Store
internal import Synchronization

extension FeedRepository {
  /// A section of a timeline with its counts and freshness, now and after each change.
  ///
  /// - Parameter highlights: queries whose articles stand out in it.
  package func snapshots(
    of query: TimelineQuery, highlighting highlights: [ArticleQuery] = []
  ) -> Snapshots<TimelineSnapshot> {
    Snapshots(store: store) { [self] moment in
      try await store.view { try self.snapshot(of: query, highlights, in: $0, at: moment) }
    }
  }

  /// All subscriptions with their counts, now and after each change.
  package func sidebars() -> Snapshots<SidebarSnapshot> {
    Snapshots(store: store) { [self] moment in
      try await store.view { try self.sidebar(in: $0, at: moment) }
    }
  }

  /// The progress of the current refresh, now and after each change.
  package func activities() -> Snapshots<Activity> {
    Snapshots(store: store) { [self] _ in activity }
  }

  /// The process that a refresh waits for, as in "telex refresh (process 12)".
  package func othersWaitedFor() -> Snapshots<String?> {
    Snapshots(store: store) { [self] _ in waitingFor }
  }

  /// The progress of feeds, and of accounts that are synchronised as a whole.
  private var activity: Activity {
    let (feeds, accounts) = (refresher.status.withLock { $0.activity }, syncer.activity)
    guard case .refreshing(let done, let total, let failed) = accounts else { return feeds }
    guard case .refreshing(let others, let of, let failures) = feeds else { return accounts }
    return .refreshing(done: done + others, total: total + of, failed: failed + failures)
  }

  private var waitingFor: String? {
    refresher.status.withLock { $0.waitingFor } ?? syncer.status.withLock { $0.waitingFor }
  }

  /// The contents of the first screen, read on the calling thread.
  package func firstSnapshots(
    of query: TimelineQuery, highlighting highlights: [ArticleQuery] = []
  ) throws -> (SidebarSnapshot, TimelineSnapshot) {
    let first = StoreMoment(change: store.changeNumber, isFirst: true)
    return try store.firstView { view in
      let sidebar = try sidebar(in: view, at: first)
      // Both are of one transaction.
      let same = StoreMoment(change: first.change, isFirst: false)
      return (sidebar, try snapshot(of: query, highlights, in: view, at: same))
    }
  }

  private func sidebar(in view: StoreView, at moment: StoreMoment) throws -> SidebarSnapshot {
    let subscribed = try subscribed.state(in: view, at: moment)
    let refresh = refresher.status.withLock { $0 }
    var snapshot = SidebarSnapshot(
      feeds: subscribed.feeds, counts: subscribed.counts, activity: activity,
      offlineSince: network.status.withLock { $0.offlineSince }, waits: refresh.waits,
      waitingFor: waitingFor, accounts: subscribed.accounts,
      smartFeeds: subscribed.smartFeeds)
    for index in snapshot.accounts.indices where snapshot.accounts[index].isNew {
      snapshot.accounts[index].firstSync = try firstSync(
        of: snapshot.accounts[index].account, subscribed.feeds, in: view)
    }
    snapshot.isOfflineByChoice = network.isOfflineByChoice
    snapshot.tags = subscribed.tags
    snapshot.folders = subscribed.folders
    snapshot.hasReadLately = subscribed.hasReadLately
    // Times come without a change of the store.
    if subscribed.tags.contains(where: Later.isTag) {
      snapshot.later = try view.timeline.counts(of: .later, isMerged: true).total
      snapshot.due = try view.timeline.counts(of: .due, isMerged: true).total
    }
    return snapshot
  }

  /// - Parameter feeds: of all accounts.
  private func firstSync(
    of account: Account, _ feeds: [Feed], in view: StoreView
  ) throws -> AccountSummary.FirstSync? {
    guard syncer.isSyncing(account.id) else { return nil }
    let articles = feeds.reduce(0) { $0 + ($1.account.id == account.id ? $1.counts.total : 0) }
    let missing = try view.items.missingCount(of: account.id)
    return AccountSummary.FirstSync(
      articles: articles,
      total: account.capabilities.contains(.items) && articles + missing > 0
        ? articles + missing : nil)
  }

  private func snapshot(
    of query: TimelineQuery, _ highlights: [ArticleQuery], in view: StoreView,
    at moment: StoreMoment
  ) throws -> TimelineSnapshot {
    let feeds = try view.feeds(in: query.timeline) {
      try subscribed.state(in: view, at: moment).feeds
    }
    let slice = try view.timeline.slice(query)
    var snapshot = TimelineSnapshot(
      query: query, slice: slice,
      counts: try view.timeline.counts(of: query.timeline, isMerged: query.hidesDuplicates),
      freshness: freshness(of: feeds), older: older(query.timeline, feeds),
      arrivals: try view.timeline.arrivals(query))
    // A text that cannot be read takes no list away.
    snapshot.snippets = (try? view.search.snippets(of: slice, for: query)) ?? [:]
    if !query.timeline.soughtWords.isEmpty {
      snapshot.indexProgress = try view.search.indexProgress()
    }
    for highlight in highlights {
      // One that cannot be asked takes no list away.
      snapshot.highlighted[highlight] = try? view.queries.articles(of: slice, matching: highlight)
    }
    return snapshot
  }

  private func freshness(of feeds: [Feed]) -> Freshness {
    let refresh = refresher.status.withLock { $0 }
    let syncing = syncer.status.withLock { $0.active }
    let failed = feeds.filter { feeds.count == 1 ? $0.state.isFailing : $0.showsFailure }
    // The list of a single feed also shows the error of one that is gone (410).
    func rank(_ feed: Feed) -> (Int, Date) {
      (feed.needsUser ? 1 : 0, feed.state.lastAttempt ?? .distantPast)
    }
    let latest = (feeds.count == 1 ? feeds : failed).max { rank($0) < rank($1) }
    return Freshness(
      updated: feeds.compactMap(\.state.lastSuccess).max(),
      isLoading: feeds.contains {
        refresh.unfinished.contains($0.id) || syncing.contains($0.account.id)
      },
      offlineSince: network.status.withLock { $0.offlineSince }, feedCount: feeds.count,
      failedCount: failed.count,
      goneCount: feeds.count(where: \.state.isGone),
      neverFetchedCount: feeds.count { $0.state.lastAttempt == nil },
      error: latest?.state.error,
      nextAttempt: feeds.count == 1 ? feeds[0].state.nextAttempt : nil,
      wait: feeds.count == 1 ? refresh.waits[feeds[0].id] : nil,
      savesData: network.savesData,
      isLive: feeds.count == 1 && listener.isLive(feeds[0].id))
  }

  private func older(_ timeline: Timeline, _ feeds: [Feed]) -> OlderArticles {
    let status = pages.status.withLock { $0 }
    // Older pages add nothing to starred articles, and a search covers stored articles only.
    if timeline == .starred { return .none }
    if case .search = timeline.unlimited { return .none }
    // Of what comes the query may pick nothing, and more would be asked for on and on.
    if timeline.limit != nil { return .none }
    if feeds.contains(where: { status.loading.contains($0.id) }) { return .loading }
    if let error = feeds.lazy.compactMap({ status.errors[$0.id] }).first {
      return .failed(error)
    }
    if feeds.contains(where: { $0.state.paging == .more || $0.state.paging == .failed }) {
      return .more
    }
    if feeds.contains(where: { status.circular.contains($0.id) }) { return .circular }
    return feeds.contains { $0.state.paging == .end } ? .end : .none
  }
}

extension StoreView {
  func feeds(in timeline: Timeline) throws -> [Feed] {
    try feeds(in: timeline) { try feeds.all() }
  }

  /// - Parameter all: reads all feeds; reading one is quicker.
  func feeds(in timeline: Timeline, outOf all: () throws -> [Feed]) throws -> [Feed] {
    switch timeline.unlimited {
    case .search, .matching: []
    case .feed(let id): try feeds.feed(id).map { [$0] } ?? []
    case .all, .unread, .starred: try all()
    case .folder(let folder): try all().filter { $0.folderIDs.contains(where: folder.contains) }
    }
  }

  /// The next unread article below `position` in a timeline; else its first unread article, else
  /// the newest of all feeds.
  package func nextUnread(
    in list: Timeline, _ order: ListOrder = .newest, after position: TimelinePosition?
  ) throws -> (timeline: Timeline, position: TimelinePosition)? {
    let found =
      try timeline.nextUnread(in: list, order, after: position)
      ?? timeline.nextUnread(in: list, order, after: nil)
    if let found { return (list, found) }
    return try timeline.nextUnread(in: .all, after: nil).map { (.unread, $0) }
  }
}
