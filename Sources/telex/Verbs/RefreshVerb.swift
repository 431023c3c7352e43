internal import ArgumentParser
internal import News
internal import TelexKit

struct RefreshVerb: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "refresh", abstract: "Fetch what is new.",
    discussion: """
      Exits with 1 when a feed failed; the others are fetched all the same. With --quiet only failures are printed, as \
      cron wants it.

      All feeds are asked that are not paused, at once. Feeds of a server that has said that it is asked too often wait \
      for the end of the pause that it wants; one that is named is asked all the same. A job that a clock runs is better \
      with --due: it leaves alone what was asked within its interval (that of the settings, or of telex set FEED \
      --interval), and feeds that want a longer one.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var talk: QuietOptions
  @Argument(help: "Feeds by their number or address; all without any.", completion: .feeds)
  var feed: [String] = []
  @Option(
    help: ArgumentHelp(
      "Bring only the account at this server in line.", valueName: "URL"),
    completion: .servers)
  var account: String?
  @Option(help: ArgumentHelp("The account's user, where there are several.", valueName: "NAME"))
  var user: String?
  @Flag(help: "Only those whose time has come, as the reader does by itself.")
  var due = false
  @Flag(help: "Walk the older pages of the feeds to their end as well.")
  var allPages = false
  @OptionGroup var limit: TimeLimitOptions

  func validate() throws {
    try talk.check(form)
    if account != nil, !feed.isEmpty || allPages {
      throw ValidationError("Give --account or feeds, not both.")
    }
    if due, account != nil || !feed.isEmpty {
      throw ValidationError("--due picks the feeds itself: no --account, and no names of feeds.")
    }
    if user != nil, account == nil { throw ValidationError("--user goes with --account.") }
  }

  func perform() async throws {
    let composition = try await common.compose(
      program: "telex refresh", deadline: limit.deadline(), isDue: due)
    let subscriptions = Subscriptions(composition)
    let feeds = feed.isEmpty ? nil : try feed.map { try subscriptions.feed(named: $0).id }
    if feeds == nil, account == nil {
      do {
        for list in try await ListFollowing(composition).updateAll(isForced: false) {
          if !form.json { list.complain() }
          if !form.json, !list.isEmpty { Output.complain(list.line) }
        }
      } catch let error as SourceError {
        // Feeds are refreshed all the same.
        if !form.json { Output.complain(error) }
      }
    }
    let refresh = FeedRefresh(composition)
    let (allPages, due) = (allPages, due)
    let (isQuiet, showsProgress) = (form.json || talk.quiet, !talk.quiet)
    let (report, older) = try await untilInterrupted {
      if let account {
        return (try await refresh.run(accountAt: account, user: user), OlderWalk())
      }
      let report = try await withProgress(
        of: refresh, feeds, isDue: due, shows: showsProgress, isQuiet: isQuiet)
      return (
        report, allPages ? try await refresh.walkOlderPages(after: report) : OlderWalk()
      )
    }
    let syncs = report.syncs
    let failedSyncs = syncs.filter { $0.error != nil }
    // An account that could not be reached at all has its own line.
    let unsent = syncs.filter { $0.error == nil }
      .compactMap { sync in sync.unsent.map { (sync.account, $0) } }
    let othersSyncs = syncs.count { $0.isByAnother }
    if !form.json {
      Output.complain(
        alike: failedSyncs.compactMap { sync in
          sync.error.map { AlikeError(sync.account.displayName, $0) }
        }, of: "account")
      for (account, changes) in unsent {
        Output.complain("telex: fetch: \(account.displayName): \(changes.line)")
      }
    }
    for sync in syncs where !talk.quiet {
      for text in sync.warnings {
        Output.complain("warning: \(sync.account.displayName): \(text)")
      }
    }
    let warnings =
      report.remarks.map { AlikeLine(name: $0.feed.displayTitle, key: $0.text, text: $0.text) }
      + older.stops.map { $0.stop.warning(of: $0.feed) }
    let failed = report.failed + older.failed
    // What the user has silenced is told only where it is named.
    let told = feed.isEmpty ? failed.filter { !$0.feed.settings.isSilent } : failed
    if !form.json {
      Output.complain(
        alike: told.map { AlikeError($0.feed.displayTitle, $0.error) }, of: "feed")
    }
    if !talk.quiet {
      for line in AlikeLine.told(warnings, of: "feed") { Output.complain("warning: \(line)") }
      if let rest = report.restLine { Output.complain("warning: \(rest)") }
    }
    let fullTexts = report.fullTexts
    if let problem = fullTexts.problem, !form.json { Output.complain(problem) }
    let isFailed =
      fullTexts.problem != nil || !told.isEmpty || !failedSyncs.isEmpty || !unsent.isEmpty
    if talk.quiet {
      if isFailed { throw ExitCode(1) }
      return
    }
    form.print(
      [
        "feeds": .number(report.feedCount), "new": .number(report.inserted),
        "unchanged": .number(report.unchanged), "byAnother": .number(report.byAnother),
        "olderPages": .number(older.pages), "older": .number(older.articles),
        "fullTexts": .number(fullTexts.fetched), "fullTextsFailed": .number(fullTexts.failed),
        "warnings": .strings(
          warnings.map { "\($0.name): \($0.text)" } + [report.restLine].compactMap(\.self)),
        "accounts": .array(syncs.map(JSONOutput.sync)),
        "failed": .array(
          failed.map { feed, error in
            ["feed": .number(feed.id.rawValue), "error": .error(error)]
          }),
      ],
      text: Measures.counted(report.feedCount, "feed") + ", "
        + (syncs.isEmpty ? "" : Measures.counted(syncs.count, "account") + ", ")
        + Measures.counted(report.inserted, "new article")
        + (report.byAnother > 0
          ? ", \(Measures.counted(report.byAnother, "feed")) fetched by another Telex" : "")
        + (older.pages > 0 ? ", \(Measures.counted(older.articles, "older article"))" : "")
        + (fullTexts.fetched > 0 ? ", \(Measures.counted(fullTexts.fetched, "full text"))" : "")
        + (fullTexts.failed > 0
          ? ", \(Measures.counted(fullTexts.failed, "page")) not read" : "")
        + (othersSyncs == 0
          ? "" : ", \(Measures.counted(othersSyncs, "account")) brought in line by another Telex")
        + (told.isEmpty ? "" : ", \(told.count) failed"))
    if isFailed { throw ExitCode(1) }
  }
}

extension JSONOutput {
  /// What bringing an account in line has come to.
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
        + "configuration raises the bound"
    case .insecure(let error): return AlikeError(feed.displayTitle, error).line
    case .repetition: text = "its pages begin to repeat; the walk ended there"
    }
    return AlikeLine(name: feed.displayTitle, key: text, text: text)
  }
}

/// Progress bar of a refresh, with the other processes that it waits for.
private func withProgress(
  of refresh: FeedRefresh, _ feeds: [FeedID]?, isDue: Bool, shows: Bool, isQuiet: Bool
) async throws -> FeedRefresh.Report {
  defer { if shows { Output.endProgress() } }
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
    feeds, isDue: isDue, progress: shows && Output.showsProgress ? progress : nil,
    waits: isQuiet ? nil : waits)
}
