package import News

/// Outcome of a refresh, feed by feed.
package struct RefreshReport: Hashable, Sendable {
  /// Outcome of fetching one feed.
  package struct Outcome: Hashable, Sendable {
    package var feed: Feed
    /// New articles.
    package var inserted = 0
    /// Articles that were known and have changed.
    package var updated = 0
    /// Whether the source had nothing new (a 304, or the same bytes).
    package var isUnchanged = false
    /// What the parser had to repair in the document, as sentences.
    package var warnings: [String] = []
    /// What its server told beside the articles.
    package var remark: String?
    /// Why the feed could not be fetched, or only in part.
    package var error: SourceError?
    /// Whether another process fetched the feed. Its articles are in the store; how many of them
    /// are new is not known here.
    package var isByAnother = false
  }

  /// In the order in which the feeds were finished.
  package var outcomes: [Outcome] = []

  /// Of the accounts that were brought in line, each as a whole.
  package internal(set) var syncs: [SyncReport] = []

  /// Feeds that were left out because their servers want a pause.
  package internal(set) var resting: [Feed] = []

  /// Whether it was cancelled before all was done.
  package internal(set) var isCut = false

  package init() {}

  package var inserted: Int {
    outcomes.reduce(0) { $0 + $1.inserted } + syncs.reduce(0) { $0 + $1.inserted }
  }
  package var failed: [Outcome] { outcomes.filter { $0.error != nil } }
}
