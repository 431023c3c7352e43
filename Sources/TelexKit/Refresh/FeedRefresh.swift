package import News
internal import Repository
internal import Store

/// A refresh that a user waits for: the newest page of each feed, and the older pages where asked for.
package struct FeedRefresh: Sendable {
  private let composition: Composition

  package init(_ composition: Composition) { self.composition = composition }

  /// What a refresh has come to.
  package struct Report: Sendable {
    /// Those that have answered.
    package var reached: [Feed] = []
    package var failed: [(feed: Feed, error: SourceError)] = []
    /// How many articles are new.
    package var inserted = 0
    /// How many feeds had nothing new to send.
    package var unchanged = 0
    /// How many feeds another process has fetched.
    package var byAnother = 0

    package var feedCount: Int { reached.count + failed.count }
  }

  /// Which feeds a refresh is about that nobody waits for at a command line.
  package enum Scope: Hashable, Sendable {
    /// Those of a timeline: a feed's, a folder's; of the others, all.
    case timeline(Timeline)
    case feeds([FeedID])
    /// Those that are older than the interval of the settings and that no server has asked to leave alone.
    case due
    /// Those whose last fetch failed for want of a connection; the longer they fail, the more seldom.
    case unreachable
  }

  /// Fetches the newest page of each feed of a scope. One that fails stops no other. Cancelling the task
  /// ends it; what was fetched is kept.
  ///
  /// - Throws: `SourceError`, or `CancellationError`.
  package func run(_ scope: Scope) async throws -> Report {
    let scope: RefreshScope =
      switch scope {
      case .timeline(let timeline): .timeline(timeline)
      case .feeds(let feeds): .feeds(feeds)
      case .due: .due
      case .unreachable: .unreachable
      }
    return Report(try await composition.repository.refresh(scope))
  }

  /// Fetches the newest page of each feed. One that fails stops no other.
  ///
  /// - Parameters:
  ///   - feeds: which; nil for all.
  ///   - progress: told how many feeds have answered; nil where nobody looks.
  ///   - waits: told once of each other process that fetches the same feeds, as in
  ///     "telex (process 12)"; nil where nobody looks.
  /// - Throws: `SourceError`, or `CancellationError`.
  package func run(
    _ feeds: [FeedID]? = nil, progress: (@Sendable (Activity) -> Void)? = nil,
    waits: (@Sendable (String) -> Void)? = nil
  ) async throws -> Report {
    let repository = composition.repository
    return try await withThrowingTaskGroup(of: Report?.self) { group in
      group.addTask { Report(try await repository.refresh(feeds.map { .feeds($0) } ?? .all)) }
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

  /// Walks the older pages of the feeds that a refresh has reached to their end, four feeds at once.
  /// One that fails stops no other.
  package func walkOlderPages(after report: Report) async throws -> OlderWalk {
    let repository = composition.repository
    let before = try await composition.store.view { try $0.counts().total }
    let walks = try await report.reached.parallelMap(atMost: 4) { feed in
      var walk = OlderWalk()
      do {
        for try await page in repository.allOlderPages(of: feed) {
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
      if repository.pagesRepeat(of: feed.id) { walk.stops.append((feed, .repetition)) }
      return walk
    }
    var walk = OlderWalk()
    for one in walks {
      walk.pages += one.pages
      walk.failed += one.failed
      walk.stops += one.stops
    }
    walk.articles = max(0, try await composition.store.view { try $0.counts().total } - before)
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
    }
    inserted = report.inserted
    unchanged = report.outcomes.count(where: \.isUnchanged)
    byAnother = report.outcomes.count(where: \.isByAnother)
  }
}

/// A walk through the older pages of several feeds.
package struct OlderWalk: Sendable {
  /// Why a walk has ended before its feed did.
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
  /// How many articles are new.
  package var articles = 0
  package var failed: [(feed: Feed, error: SourceError)] = []
  package var stops: [(feed: Feed, stop: Stop)] = []

  package init() {}
}
