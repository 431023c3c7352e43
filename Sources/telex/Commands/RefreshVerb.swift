internal import ArgumentParser
internal import News
internal import TelexKit

struct RefreshVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "refresh", abstract: "Fetch new articles.",
    discussion: """
      Fetches all feeds that are not paused. Feeds whose server asked for a pause are skipped \
      until then, unless named. The exit status is 1 if a feed failed; the others are fetched.

      For cron and timers: --due skips feeds that were fetched within their interval, and \
      --quiet prints only failures. A feed without an interval is asked as often as it publishes.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var talk: QuietOptions
  @Argument(help: "Feeds by number or address. Default: all.", completion: .feeds)
  var feed: [String] = []
  @Option(
    help: .value("URL", "Sync only the account at this server."), completion: .servers)
  var account: String?
  @Option(help: .value("NAME", "The user of the account, if there are several."))
  var user: String?
  @Flag(help: "Fetch only feeds that are due, as the reader does.")
  var due = false
  @Flag(help: "Fetch all older pages of the feeds too.")
  var allPages = false
  @OptionGroup var limit: TimeLimitOptions

  func validate() throws {
    try talk.check(form)
    try refuse(account != nil && (!feed.isEmpty || allPages), "Give --account or feeds, not both.")
    try refuse(
      due && (account != nil || !feed.isEmpty),
      "--due picks the feeds itself: no --account, and no names of feeds.")
    try refuse(user != nil && account == nil, "--user goes with --account.")
  }

  func perform() async throws {
    let composition = try await common.compose(
      program: "telex refresh", deadline: limit.deadline(), isDue: due)
    let subscriptions = Subscriptions(composition)
    let feeds = feed.isEmpty ? nil : try feed.map { try subscriptions.feed(named: $0).id }
    if feeds == nil, account == nil { try await updateLists(ListFollowing(composition)) }
    let refresh = FeedRefresh(composition)
    let outcome = try await untilInterrupted {
      if let account {
        return RefreshOutcome(report: try await refresh.run(accountAt: account, user: user))
      }
      let report = try await fetch(feeds, refresh)
      guard allPages else { return RefreshOutcome(report: report) }
      return RefreshOutcome(report: report, older: try await refresh.walkOlderPages(after: report))
    }
    // A silenced feed that fails is reported only where it is named.
    let failed =
      feed.isEmpty ? outcome.failed.filter { !$0.feed.settings.isSilent } : outcome.failed
    complain(of: outcome, failed)
    if !talk.quiet { form.print(outcome.json, text: outcome.text(failed: failed.count)) }
    if !failed.isEmpty || outcome.hasFailedBesideFeeds { throw ExitCode(1) }
  }

  /// Updates followed lists. A failure does not stop the refresh.
  private func updateLists(_ following: ListFollowing) async throws {
    do {
      for list in try await following.updateAll(isForced: false) where !form.json {
        list.complain()
        if !list.isEmpty { Output.complain(list.line) }
      }
    } catch let error as SourceError {
      form.complain(error)
    }
  }

  /// Fetches feeds with a progress bar, and names other processes that it waits for.
  private func fetch(_ feeds: [FeedID]?, _ refresh: FeedRefresh) async throws -> FeedRefresh.Report
  {
    defer { if !talk.quiet { Output.endProgress() } }
    let progress = { @Sendable (activity: Activity) in
      if case .refreshing(let done, let total, let failed) = activity {
        Output.progress(done: done, total: total, failed: failed)
      }
    }
    let waits = { @Sendable (other: String) in
      Output.endProgress()
      Output.complain("telex: fetch: waiting for \(other), which fetches the same feeds")
    }
    return try await refresh.run(
      feeds, isDue: due, progress: !talk.quiet && Output.showsProgress ? progress : nil,
      waits: form.json || talk.quiet ? nil : waits)
  }

  private func complain(of outcome: RefreshOutcome, _ failed: [(feed: Feed, error: SourceError)]) {
    if !form.json {
      Output.complain(
        alike: outcome.failedSyncs.map { AlikeLine($0.account.displayName, $0.error) },
        of: "account")
      for (account, changes) in outcome.unsent {
        Output.complain("telex: fetch: \(account.displayName): \(changes.line)")
      }
    }
    if !talk.quiet {
      for sync in outcome.report.syncs {
        for text in sync.warnings {
          Output.complain("warning: \(sync.account.displayName): \(text)")
        }
      }
    }
    if !form.json { Output.complain(alike: failed) }
    if !talk.quiet {
      for line in AlikeLine.told(outcome.warnings, of: "feed") + outcome.rest {
        Output.complain("warning: \(line)")
      }
    }
    form.complain(outcome.report.fullTexts.problem)
  }
}

/// The result of a refresh and of the walk over older pages.
private struct RefreshOutcome: Sendable {
  let report: FeedRefresh.Report
  var older = OlderWalk()

  var failed: [(feed: Feed, error: SourceError)] { report.failed + older.failed }

  var failedSyncs: [(account: Account, error: SourceError)] {
    report.syncs.compactMap { sync in sync.error.map { (sync.account, $0) } }
  }

  /// Changes that reached accounts did not get; unreachable accounts are in `failedSyncs`.
  var unsent: [(account: Account, changes: UnsentChanges)] {
    report.syncs.filter { $0.error == nil }
      .compactMap { sync in sync.unsent.map { (sync.account, $0) } }
  }

  var hasFailedBesideFeeds: Bool {
    report.fullTexts.problem != nil || !failedSyncs.isEmpty || !unsent.isEmpty
  }

  var warnings: [AlikeLine] {
    report.remarks.map { AlikeLine($0.feed.displayTitle, $0.text) }
      + older.stops.map { $0.stop.warning(of: $0.feed) }
  }

  var rest: [String] { [report.restLine].compactMap(\.self) }

  var json: JSONOutput {
    [
      "feeds": .number(report.feedCount), "new": .number(report.inserted),
      "unchanged": .number(report.unchanged), "byAnother": .number(report.byAnother),
      "olderPages": .number(older.pages), "older": .number(older.articles),
      "fullTexts": .number(report.fullTexts.fetched),
      "fullTextsFailed": .number(report.fullTexts.failed),
      "warnings": .strings(warnings.map { "\($0.name): \($0.text)" } + rest),
      "accounts": .array(report.syncs.map(JSONOutput.sync)),
      "failed": .array(
        failed.map { ["feed": .number($0.feed.id.rawValue), "error": .error($0.error)] }),
    ]
  }

  func text(failed: Int) -> String {
    func part(_ count: Int, _ thing: String, _ rest: String = "") -> String? {
      count > 0 ? Measures.counted(count, thing) + rest : nil
    }
    let othersSyncs = report.syncs.count { $0.isByAnother }
    return [
      Measures.counted(report.feedCount, "feed"), part(report.syncs.count, "account"),
      Measures.counted(report.inserted, "new article"),
      part(report.byAnother, "feed", " fetched by another Telex"),
      older.pages > 0 ? Measures.counted(older.articles, "older article") : nil,
      part(report.fullTexts.fetched, "full text"),
      part(report.fullTexts.failed, "page", " not read"),
      part(othersSyncs, "account", " brought in line by another Telex"),
      failed > 0 ? "\(failed) failed" : nil,
    ].compactMap(\.self).joined(separator: ", ")
  }
}

extension JSONOutput {
  fileprivate static func sync(_ sync: SyncReport) -> JSONOutput {
    [
      "account": .number(sync.account.id.rawValue), "new": .number(sync.inserted),
      "marked": .number(sync.marked), "missing": .number(sync.missing),
      "byAnother": .bool(sync.isByAnother),
      "warnings": .strings(sync.warnings + (sync.unsent.map { [$0.line] } ?? [])),
      "error": .error(sync.error ?? sync.unsent?.error),
    ]
  }
}

extension OlderWalk.Stop {
  fileprivate func warning(of feed: Feed) -> AlikeLine {
    let text: String
    switch self {
    case .nothingNew(let pages):
      text = "\(pages) pages in a row had nothing new; the walk ended there"
    case .bound(let pages):
      text =
        "it has more than \(pages) pages; the next refresh --all-pages goes on, and max_pages in the "
        + "settings raises the limit"
    case .insecure(let error): return AlikeLine(feed.displayTitle, error)
    case .repetition: text = "its pages begin to repeat; the walk ended there"
    }
    return AlikeLine(feed.displayTitle, text)
  }
}
