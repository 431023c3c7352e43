internal import ArgumentParser
internal import News
internal import Synchronization
internal import TelexKit

/// `telex import --articles`: adds articles to one feed, or each to the feed that its line names.
struct ArticleImportRun {
  let common: CommonOptions
  let form: OutputOptions
  let talk: QuietOptions
  /// The feed that gets all articles.
  let feed: String?
  /// Nil for what the server of the feed exports.
  let file: String?
  let areRead: Bool

  func run() async throws {
    let composition = try await common.compose()
    let target = try feed.map { try Subscriptions(composition).feed(named: $0) }
    let articles =
      try target.map {
        try ArticleImport(composition, into: $0, from: file, areRead: areRead)
      } ?? ArticleImport(composition, from: file ?? "-", areRead: areRead)
    let isQuiet = talk.quiet
    let tally = Mutex(ArticleImportTally())
    // The counts are printed after a failure, too.
    var problem: (any Error)?
    do {
      try await untilInterrupted {
        try await articles.run { now in
          tally.withLock { $0 = now }
          if !isQuiet { Output.progress(now.text) }
        }
      }
    } catch {
      problem = error
    }
    Output.endProgress()
    await articles.tidy()
    report(tally.withLock { $0 }, on: target?.displayTitle ?? file ?? "-", problem)
    if let problem { throw problem as? ExitCode ?? ExitCode(1) }
    try complain(of: tally.withLock { $0 })
  }

  /// Reports a file without an article that could be imported.
  private func complain(of tally: ArticleImportTally) throws {
    let isEmpty = tally.inserted + tally.updated + tally.known == 0
    guard isEmpty, let file else { return }
    form.complain(
      SourceError(
        .decoding, stage: .parse, subject: file == "-" ? "standard input" : file,
        message: tally.left > 0
          ? "none of its articles is of a feed that is subscribed to"
          : "there is no article in it",
        next: "each line is one, as telex export --articles writes them"))
    throw ExitCode(1)
  }

  private func report(_ tally: ArticleImportTally, on subject: String, _ problem: (any Error)?) {
    let error = problem.map { SourceError(endOfImport: $0, stage: .fetch, subject: subject) }
    for fault in tally.faults {
      Output.complain("warning: line \(fault.line) \(fault.reason)")
    }
    let untold = tally.bad - tally.faults.count
    if untold > 0 { Output.complain("warning: \(untold) more lines are no articles") }
    for (address, count) in tally.missing.sorted(by: { $0.key < $1.key }) {
      let feed = address.isEmpty ? "lines without a feed" : "\(address) is not subscribed to"
      Output.complain("warning: \(feed): \(Measures.counted(count, "article")) left out")
    }
    form.complain(error)
    let left: JSONOutput =
      feed == nil
      ? ["left": .number(tally.left), "missing": .strings(tally.missing.keys.sorted())] : [:]
    if talk.quiet { return }
    form.print(
      .joined(
        [
          "inserted": .number(tally.inserted), "updated": .number(tally.updated),
          "known": .number(tally.known), "lines": .number(tally.lines), "bad": .number(tally.bad),
          "error": .error(error),
        ], left),
      text: tally.text)
  }
}

extension ArticleImportTally {
  fileprivate var text: String {
    "\(inserted) articles added"
      + (updated > 0 ? ", \(updated) changed" : "")
      + (known > 0 ? ", \(known) were already there" : "")
      + (bad > 0 ? ", \(bad) lines skipped" : "")
      + (left > 0 ? ", \(left) left out" : "")
  }
}

extension SourceError {
  /// The end of an import: by a signal (`ExitCode`), or by a failure.
  init(endOfImport problem: any Error, stage: Stage, subject: String) {
    guard problem is ExitCode else {
      self.init(describing: problem)
      return
    }
    self.init(
      .cancelled, stage: stage, subject: subject, message: "the import was stopped",
      next: "run it again: what is there is not added twice")
  }
}
