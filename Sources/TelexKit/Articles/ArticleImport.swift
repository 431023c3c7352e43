internal import HTTP
package import News
internal import Repository
internal import Services
internal import Store

/// An import of articles into a feed: one JSON object a line, from a file, or from the export of the
/// feed's own server.
package struct ArticleImport: Sendable {
  private let composition: Composition
  private let feed: Feed
  private let file: String?
  private let areRead: Bool

  /// - Parameters:
  ///   - file: its path, `-` for standard input; nil for the export of the feed's server.
  ///   - areRead: whether the new articles are marked read.
  /// - Throws: `SourceError` where the feed's server has no export.
  package init(
    _ composition: Composition, into feed: Feed, from file: String?, areRead: Bool = false
  ) throws {
    guard file != nil || feed.account.capabilities.contains(.export) else {
      throw SourceError(
        .address, stage: .arguments, subject: feed.displayTitle,
        message: "the server of this feed has no export",
        next: "name a file, or - for standard input")
    }
    self.composition = composition
    self.feed = feed
    self.file = file
    self.areRead = areRead
  }

  /// Stores batch after batch, each as a whole; the next one is read when the one before is stored.
  ///
  /// - Parameter progress: told after each batch. What it was told last is stored, however this ends.
  /// - Throws: `SourceError`, or `CancellationError`.
  package func run(progress: @Sendable (ArticleImportTally) -> Void) async throws {
    if let file {
      let file = InputFile(path: file, limit: .max)
      try await add(ArticleLines(in: file, base: feed.url), progress)
    } else {
      try await add(try await composition.sources.export(of: feed), progress)
    }
  }

  /// Puts the files of the store in order after an import, whole or not.
  package func tidy() async { try? await composition.store.tidy() }

  private func add<Chunks>(
    _ articles: ArticleLines<Chunks>, _ progress: @Sendable (ArticleImportTally) -> Void
  ) async throws {
    var tally = ArticleImportTally()
    for try await batch in articles {
      let result = try await composition.repository.importArticles(
        batch.entries, into: feed, areRead: areRead)
      tally.add(result, upTo: batch.report)
      progress(tally)
    }
  }
}

/// Counts of an import of articles so far.
package struct ArticleImportTally: Sendable {
  /// A line that is no article.
  package struct Fault: Sendable {
    /// The number of the line, from 1.
    package let line: Int
    /// A plain phrase.
    package let reason: String
  }

  /// New articles.
  package private(set) var inserted = 0
  /// Articles that were stored and have changed.
  package private(set) var updated = 0
  /// Lines that are not empty, bad ones included.
  package private(set) var lines = 0
  /// Lines that are no articles.
  package private(set) var bad = 0
  /// The first of the bad lines.
  package private(set) var faults: [Fault] = []

  package init() {}

  /// Articles that were stored already and have not changed.
  package var known: Int { lines - bad - inserted - updated }

  mutating func add(_ result: MergeResult, upTo report: NDJSONReport) {
    inserted += result.inserted
    updated += result.updated
    lines = report.lines
    bad = report.bad
    faults = report.faults.map { Fault(line: $0.line, reason: $0.reason) }
  }
}
