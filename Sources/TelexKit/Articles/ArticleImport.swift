internal import Foundation
internal import HTTP
package import News
internal import Repository
internal import Services
internal import Store
internal import Text

/// An import of articles: one JSON object a line, from a file, or from the export of a feed's own server.
package struct ArticleImport: Sendable {
  private let composition: Composition
  /// Nil where each line names its feed.
  private let feed: Feed?
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
      throw SourceError.argument(
        feed.displayTitle, "the server of this feed has no export",
        next: "name a file, or - for standard input")
    }
    self.composition = composition
    self.feed = feed
    self.file = file
    self.areRead = areRead
  }

  /// An import into the feeds that the lines of a file name, as `telex export --articles` writes
  /// them.
  ///
  /// - Parameter file: its path, `-` for standard input.
  package init(_ composition: Composition, from file: String, areRead: Bool = false) {
    self.composition = composition
    feed = nil
    self.file = file
    self.areRead = areRead
  }

  /// Stores batch after batch, each as a whole.
  ///
  /// - Parameter progress: called after each batch, which is stored then.
  package func run(progress: @Sendable (ArticleImportTally) -> Void) async throws {
    if let file {
      let file = InputFile(path: file, limit: .max)
      try await store(ArticleLines(in: file, base: feed?.url ?? ""), progress)
    } else if let feed {
      try await add(try await composition.sources.export(of: feed), to: feed, progress)
    }
  }

  package func tidy() async { try? await composition.store.tidy() }

  /// Marks of the server are ignored: marks are the user's.
  private func add<Chunks>(
    _ articles: ArticleLines<Chunks>, to feed: Feed,
    _ progress: @Sendable (ArticleImportTally) -> Void
  ) async throws {
    var tally = ArticleImportTally()
    for try await batch in articles {
      let result = try await composition.repository.importArticles(
        batch.entries, into: feed, areRead: areRead)
      tally.add(result, upTo: batch.report)
      progress(tally)
    }
  }

  private func store<Chunks>(
    _ articles: ArticleLines<Chunks>, _ progress: @Sendable (ArticleImportTally) -> Void
  ) async throws {
    var tally = ArticleImportTally()
    var places = FeedPlaces(composition, feed)
    for try await batch in articles {
      var parts: [ImportedLines] = []
      for line in batch.lines {
        guard let feed = try await places.feed(of: line) else {
          tally.leaveOut(line)
          continue
        }
        let isExported = line.feedURL != nil
        if parts.last?.feed == feed, parts.last?.areExported == isExported {
          parts[parts.count - 1].articles.append(line.article)
        } else {
          parts.append(
            ImportedLines(feed: feed, articles: [line.article], areExported: isExported))
        }
      }
      tally.add(
        try await composition.repository.restoreArticles(parts, areRead: areRead),
        upTo: batch.report)
      progress(tally)
    }
  }
}

private struct FeedPlaces {
  private struct Place: Hashable {
    var url: String
    var account: String?
  }

  private let composition: Composition
  private let all: FeedID?
  private var known: [Place: FeedID?] = [:]

  /// - Parameter feed: that of all lines; nil where each names its own.
  init(_ composition: Composition, _ feed: Feed?) {
    self.composition = composition
    all = feed?.id
  }

  /// The feed at the address of a line, in its account where several have it. The feed of saved
  /// pages always exists.
  mutating func feed(of line: ArticleLine) async throws -> FeedID? {
    if let all { return all }
    guard let url = line.feedURL else { return nil }
    if url == Feed.savedURL, known[Place(url: url)] == nil {
      let now = Date()
      known[Place(url: url)] = try await composition.store.edit {
        try $0.savedPages.feed(now: now)
      }
    }
    let place = Place(url: url, account: url == Feed.savedURL ? nil : line.account)
    if let known = known[place] { return known }
    let normal = (try? WebAddress.normalized(url)).map { WebAddress.withoutUser($0) }
    let feeds = try await composition.store.view { view in
      let feeds = try view.feeds.all(url: url)
      return try feeds.isEmpty ? normal.map { try view.feeds.all(url: $0) } ?? [] : feeds
    }
    let found =
      feeds.first { ($0.account.id == .local ? nil : $0.account.base) == place.account }
      ?? feeds.first
    known[place] = .some(found?.id)
    return found?.id
  }
}

package struct ArticleImportTally: Sendable {
  package struct Fault: Sendable {
    /// The number of the line, from 1.
    package let line: Int
    package let reason: String
  }

  package private(set) var inserted = 0
  package private(set) var updated = 0
  /// Lines that are not empty, bad ones included.
  package private(set) var lines = 0
  package private(set) var bad = 0
  package private(set) var faults: [Fault] = []

  /// Lines whose feeds are not subscribed to, by the addresses of these; the first addresses.
  package private(set) var missing: [String: Int] = [:]
  /// Lines that name no feed that is subscribed to.
  package private(set) var left = 0

  private static let mostMissing = 100

  package init() {}

  package var known: Int { lines - bad - left - inserted - updated }

  mutating func leaveOut(_ line: ArticleLine) {
    left += 1
    let name = line.feedURL.map { WebAddress.withoutUser(PlainText.sanitized($0)) } ?? ""
    if missing[name] != nil || missing.count < Self.mostMissing { missing[name, default: 0] += 1 }
  }

  mutating func add(_ result: MergeResult, upTo report: NDJSONReport) {
    inserted += result.inserted
    updated += result.updated
    lines = report.lines
    bad = report.bad
    faults = report.faults.map { Fault(line: $0.line, reason: $0.reason) }
  }
}
