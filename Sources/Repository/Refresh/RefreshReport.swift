package import News

package struct RefreshReport: Hashable, Sendable {
  package struct Outcome: Hashable, Sendable {
    package var feed: Feed
    /// New articles.
    package var inserted = 0
    /// Articles that were known and have changed.
    package var updated = 0
    /// Whether the source had nothing new (a 304, or the same bytes).
    package var isUnchanged = false
    /// Repairs of the document by the parser, as sentences.
    package var warnings: [String] = []
    /// Message of the server beside the articles.
    package var remark: String?
    /// Why the feed could not be fetched, or only in part.
    package var error: SourceError?
    /// Whether another process fetched the feed; the number of new articles is not known.
    package var isByAnother = false
  }

  /// In the order in which the feeds were finished.
  package var outcomes: [Outcome] = []

  /// Syncs of accounts as a whole.
  package internal(set) var syncs: [SyncReport] = []

  package internal(set) var resting: [Feed] = []

  package internal(set) var isCut = false

  package init() {}

  package var inserted: Int {
    outcomes.reduce(0) { $0 + $1.inserted } + syncs.reduce(0) { $0 + $1.inserted }
  }
  package var failed: [Outcome] { outcomes.filter { $0.error != nil } }
}
