internal import ArgumentParser
internal import HTTP
internal import News
internal import Repository
internal import Services
internal import Store
internal import Synchronization
internal import TelexKit

struct ImportArticlesVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import-articles", abstract: "Add articles to a feed, one JSON object a line.",
    discussion: """
      Each line is an article as the Feed API has it. Without a file they come from the feed's own
      server, where that offers an export. What is no article is skipped and counted. Articles that
      are there already are not added again: an import that was stopped can be run once more.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var form: OutputOptions
  @Argument(help: "A feed by its number or its address.")
  var feed: String
  @Argument(help: "The file; - for standard input; all that the feed's server has without it.")
  var file: String?
  @Flag(help: "Mark the new articles read.")
  var read = false

  func run() async throws {
    try await form.reporting {
      let composition = try await common.compose()
      let feed = try composition.store.feed(named: feed)
      let (file, read) = (file, read)
      guard file != nil || feed.account.capabilities.contains(.export) else {
        throw SourceError(
          .address, stage: .arguments, subject: feed.displayTitle,
          message: "the server of this feed has no export",
          next: "name a file, or - for standard input")
      }
      let tally = Mutex(ImportTally())
      // What was stored is told, however it ends.
      var problem: (any Error)?
      do {
        try await untilInterrupted {
          if let file {
            let file = InputFile(path: file, limit: .max)
            try await add(
              ArticleLines(in: file, base: feed.url), to: feed, areRead: read, composition, tally)
          } else {
            let export = try await composition.sources.export(of: feed)
            try await add(export, to: feed, areRead: read, composition, tally)
          }
        }
      } catch {
        problem = error
      }
      Output.endProgress()
      try? await composition.store.tidy()
      report(tally.withLock { $0 }, on: feed, problem)
      if let status = problem as? ExitCode { throw status }
      if problem != nil { throw ExitCode(1) }
    }
  }

  private func report(_ tally: ImportTally, on feed: Feed, _ problem: (any Error)?) {
    let error = problem.map { problem in
      problem is ExitCode
        ? SourceError(
          .cancelled, stage: .fetch, subject: feed.displayTitle, message: "the import was stopped",
          next: "run it again: what is there is not added twice")
        : SourceError(describing: problem)
    }
    for fault in tally.lines.faults {
      Output.complain("warning: line \(fault.line) \(fault.reason)")
    }
    let untold = tally.lines.bad - tally.lines.faults.count
    if untold > 0 { Output.complain("warning: \(untold) more lines are no articles") }
    if let error, !form.json { Output.complain(error) }
    form.print(
      .object([
        ("inserted", .number(tally.inserted)), ("updated", .number(tally.updated)),
        ("known", .number(tally.known)), ("lines", .number(tally.lines.lines)),
        ("bad", .number(tally.lines.bad)), ("error", .error(error)),
      ]),
      text: tally.text)
  }
}

/// What an import has come to so far; the numbers of articles and of bad lines are that of lines.
private struct ImportTally {
  var inserted = 0
  var updated = 0
  var lines = NDJSONReport()

  /// There already, as they are in the import.
  var known: Int { lines.lines - lines.bad - inserted - updated }

  mutating func add(_ result: MergeResult, upTo report: NDJSONReport) {
    inserted += result.inserted
    updated += result.updated
    lines = report
  }

  var text: String {
    "\(inserted) articles added"
      + (updated > 0 ? ", \(updated) changed" : "")
      + (known > 0 ? ", \(known) were there already" : "")
      + (lines.bad > 0 ? ", \(lines.bad) lines skipped" : "")
  }
}

/// Stores batch after batch, each as a whole; the next one is read when the one before is stored.
private func add<Chunks>(
  _ articles: ArticleLines<Chunks>, to feed: Feed, areRead: Bool, _ composition: Composition,
  _ tally: borrowing Mutex<ImportTally>
) async throws {
  for try await batch in articles {
    let result = try await composition.repository.importArticles(
      batch.entries, into: feed, areRead: areRead)
    let text = tally.withLock { tally in
      tally.add(result, upTo: batch.report)
      return tally.text
    }
    Output.progress(text)
  }
}
