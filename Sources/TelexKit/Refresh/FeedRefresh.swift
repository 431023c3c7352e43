package import News
internal import Repository
internal import Store
internal import Text

/// Use case: a refresh that the user waits for, of the newest pages and of older ones on demand.
package struct FeedRefresh: Sendable {
  private let composition: Composition

  package init(_ composition: Composition) { self.composition = composition }

  package struct Report: Sendable {
    /// Feeds that were fetched without an error.
    package var reached: [Feed] = []
    package var failed: [(feed: Feed, error: SourceError)] = []
    /// What servers told beside the articles.
    package var remarks: [(feed: Feed, text: String)] = []
    /// Feeds that were left out because their servers want a pause.
    package var resting: [Feed] = []
    package var inserted = 0
    /// Feeds without anything new.
    package var unchanged = 0
    /// Feeds that another process has fetched.
    package var byAnother = 0
    package var syncs: [SyncReport] = []
    /// Of the pages of articles, for feeds that are set to it.
    package var fullTexts = FullTexts.Report()

    /// Failed feeds, those of failed accounts included, without those that are gone.
    package var failedCount: Int {
      syncs.reduce(failed.count - goneCount) { $1.error == nil ? $0 : $0 + max(1, $1.feeds) }
    }

    /// Feeds whose servers have said that they are gone for good.
    package var goneCount: Int { failed.count { $0.error.status == 410 } }

    /// Says until when the last of `resting` is left out; nil where none is.
    package var restLine: String? {
      guard let end = resting.compactMap(\.state.restsUntil).max() else { return nil }
      let feeds =
        resting.count == 1 ? "1 feed waits for its" : "\(resting.count) feeds wait for their"
      return "\(feeds) server until \(end.timeOfDay)"
    }

    package var feedCount: Int { reached.count + failed.count }

    /// Whether nothing was to be fetched.
    package var isEmpty: Bool { feedCount + unchanged + byAnother + syncs.count == 0 }
  }

  /// The feeds of a refresh that nobody waits for at a command line.
  package enum Scope: Hashable, Sendable {
    /// Those of a timeline: a feed's, a folder's; of the others, all.
    case timeline(Timeline)
    case feeds([FeedID])
    /// Feeds older than the interval of the settings that no server asked to leave alone.
    case due
    /// Those whose last fetch failed for want of a connection; the longer they fail, the more seldom.
    case unreachable
  }

  /// Fetches the newest page of each feed of a scope. A failure does not stop the others.
  /// Cancelling the task ends it; fetched articles are kept.
  package func run(_ scope: Scope) async throws -> Report {
    let scope: RefreshScope =
      switch scope {
      case .timeline(let timeline): .timeline(timeline)
      case .feeds(let feeds): .feeds(feeds)
      case .due: .due
      case .unreachable: .unreachable
      }
    return try await whole { Report(try await composition.repository.refresh(scope)) }
  }

  /// Synchronises an account.
  ///
  /// - Parameter address: of its server, as the user enters it.
  /// - Throws: `SourceError` of stage `.arguments` where there is no such account, or no single
  ///   one.
  package func run(accountAt address: String, user: String? = nil) async throws -> Report {
    await composition.expireRemovals()
    let signIn = try Logins(composition).signIn(
      at: try Logins.entered(address), user: user)
    guard let account = signIn.account else {
      throw SourceError.argument(
        signIn.origin, "this is a sign-in for feeds, not an account",
        next: "telex refresh fetches all feeds")
    }
    var report = Report()
    let state = try await composition.store.view { view in
      try view.accounts.account(account).map {
        ($0, try view.feeds.all().filter { $0.account.id == account })
      }
    }
    guard let (found, feeds) = state else { return report }
    guard !found.capabilities.isDisjoint(with: [.items, .logs]) else {
      return try await run(feeds.map(\.id))
    }
    let downloads = AutomaticDownloads(composition)
    try downloads.prepare()
    report.syncs = [await composition.repository.sync(found)]
    if found.capabilities.contains(.logs) {
      let fetched = Report(try await composition.repository.refresh(.feeds(feeds.map(\.id))))
      (report.reached, report.failed) = (fetched.reached, fetched.failed)
      (report.unchanged, report.byAnother) = (fetched.unchanged, fetched.byAnother)
      report.inserted = fetched.inserted
    }
    try downloads.ask()
    await fetchFullTexts(after: &report)
    if report.syncs[0].error?.kind == .cancelled { throw CancellationError() }
    report.inserted += report.syncs[0].inserted
    return report
  }

  /// Fetches the newest page of each feed. A failure does not stop the others.
  ///
  /// - Parameters:
  ///   - feeds: nil for all.
  ///   - isDue: without `feeds`, only those that are due (`Scope.due`).
  ///   - waits: called once for each other process that fetches the same feeds, as in "telex
  ///     (process 12)".
  package func run(
    _ feeds: [FeedID]? = nil, isDue: Bool = false, progress: (@Sendable (Activity) -> Void)? = nil,
    waits: (@Sendable (String) -> Void)? = nil
  ) async throws -> Report {
    let scope = feeds.map { RefreshScope.feeds($0) } ?? (isDue ? .due : .all)
    if scope == .due { try await noteMetered() }
    return try await whole { try await refresh(scope, progress: progress, waits: waits) }
  }

  /// Asks the system whether the connection is metered, where a feed is not fetched on one.
  private func noteMetered() async throws {
    let usual = composition.settings.refresh.metered
    let isNeeded = try await composition.store.view { view in
      try view.feeds.all().contains { ($0.settings.metered ?? usual) == .nothing }
    }
    guard isNeeded, await Composition.connectivity().isMetered else { return }
    await composition.repository.noteMetered()
  }

  /// A refresh with what comes before and after the requests.
  private func whole(_ fetch: () async throws -> Report) async throws -> Report {
    await composition.expireRemovals()
    let downloads = AutomaticDownloads(composition)
    try downloads.prepare()
    var report = try await fetch()
    try downloads.ask()
    await fetchFullTexts(after: &report)
    await composition.trim()
    await composition.completeIndex()
    return report
  }

  /// The pages of articles of the feeds that were fetched, or brought in line with their server.
  private func fetchFullTexts(after report: inout Report) async {
    let reached = Set(report.reached.map(\.id))
    let synced = Set(report.syncs.filter { $0.error == nil }.map(\.account.id))
    let feeds = try? await composition.store.view { view in
      try view.feeds.all().filter {
        $0.isSaved || reached.contains($0.id) || synced.contains($0.account.id)
      }
    }
    report.fullTexts = await FullTexts(composition).fetchWanted(of: feeds ?? [])
  }

  private func refresh(
    _ scope: RefreshScope, progress: (@Sendable (Activity) -> Void)?,
    waits: (@Sendable (String) -> Void)?
  ) async throws -> Report {
    let repository = composition.repository
    return try await withThrowingTaskGroup(of: Report?.self) { group in
      group.addTask { Report(try await repository.refresh(scope)) }
      if let progress {
        group.addTask {
          for try await activity in repository.activities() { progress(activity) }
          return nil
        }
      }
      if let waits {
        group.addTask {
          var told: Set<String> = []
          for try await other in repository.othersWaitedFor() {
            if let other, told.insert(other).inserted { waits(other) }
          }
          return nil
        }
      }
      while let report = try await group.next() {
        if let report {
          group.cancelAll()
          return report
        }
      }
      throw CancellationError()
    }
  }

  /// Fetches all older pages of the feeds that a refresh has reached, four feeds at once.
  package func walkOlderPages(after report: Report) async throws -> OlderWalk {
    let repository = composition.repository
    let before = try await composition.store.view { try $0.articles.counts().total }
    let walks = try await report.reached.parallelMap(atMost: 4) { feed in
      var walk = OlderWalk()
      do {
        for try await page in repository.pages.all(of: feed) {
          walk.pages = page.number
          switch page.stop {
          case .nothingNew(let pages): walk.stops.append((feed, .nothingNew(pages: pages)))
          case .bound(let pages): walk.stops.append((feed, .bound(pages: pages)))
          case nil: break
          }
        }
      } catch let error as SourceError where error.kind == .insecure {
        walk.stops.append((feed, .insecure(error)))
      } catch let error as SourceError where error.kind != .cancelled {
        walk.failed.append((feed, error))
      }
      if repository.pages.isCircular(feed.id) { walk.stops.append((feed, .repetition)) }
      return walk
    }
    var walk = OlderWalk()
    for one in walks {
      walk.pages += one.pages
      walk.failed += one.failed
      walk.stops += one.stops
    }
    walk.articles = max(
      0, try await composition.store.view { try $0.articles.counts().total } - before)
    return walk
  }
}

extension FeedRefresh.Report {
  fileprivate init(_ report: RefreshReport) {
    for outcome in report.outcomes {
      if let error = outcome.error {
        failed.append((outcome.feed, error))
      } else {
        reached.append(outcome.feed)
      }
      if let remark = outcome.remark { remarks.append((outcome.feed, remark)) }
    }
    inserted = report.inserted
    unchanged = report.outcomes.count(where: \.isUnchanged)
    byAnother = report.outcomes.count(where: \.isByAnother)
    syncs = report.syncs
    resting = report.resting
  }
}

/// Result of fetching the older pages of several feeds.
package struct OlderWalk: Sendable {
  /// Why a walk has ended before the feed had no more pages.
  package enum Stop: Sendable {
    /// So many pages in a row had nothing new.
    case nothingNew(pages: Int)
    /// The feed has more pages than the bound of the settings.
    case bound(pages: Int)
    /// The older pages are to be had over plain http only.
    case insecure(SourceError)
    /// The pages begin to repeat.
    case repetition
  }

  package var pages = 0
  package var articles = 0
  package var failed: [(feed: Feed, error: SourceError)] = []
  package var stops: [(feed: Feed, stop: Stop)] = []

  package init() {}
}

extension Sequence where Self: Sendable, Element: Sendable {
  /// The values of `transform` in the order of the elements, at most `limit` calls at once.
  ///
  /// Elements are taken as calls end, so that a sequence may be long. When a call throws or the
  /// task is cancelled, running calls are cancelled and awaited, and one of the errors is thrown.
  func parallelMap<Value: Sendable>(
    atMost limit: Int, _ transform: @escaping @Sendable (Element) async throws -> Value
  ) async throws -> [Value] {
    try await withThrowingTaskGroup(of: (Int, Value).self) { group in
      var values: [Value?] = []
      var elements = makeIterator()
      func begin() throws -> Bool {
        try Task.checkCancellation()
        guard let element = elements.next() else { return false }
        let index = values.count
        values.append(nil)
        group.addTask { (index, try await transform(element)) }
        return true
      }
      for _ in 0..<Swift.max(1, limit) { guard try begin() else { break } }
      while let (index, value) = try await group.next() {
        values[index] = value
        _ = try begin()
      }
      return values.compactMap { $0 }
    }
  }
}
