package import News

/// What a refresh came to.
package struct RefreshReport: Hashable, Sendable {
  package struct Outcome: Hashable, Sendable {
    package var feed: Feed
    package var inserted: Int
    package var updated: Int
    package var isUnchanged: Bool
    package var warnings: [String]
    package var error: SourceError?
    /// Another process was fetching the feed already and has done it; what it found is in the
    /// store, and how much of it is new is not known here.
    package var isByAnother = false
  }

  /// In the order in which they were done.
  package var outcomes: [Outcome] = []

  /// Whether it was cancelled before all was done.
  package internal(set) var isCut = false

  package init() {}

  package var inserted: Int { outcomes.reduce(0) { $0 + $1.inserted } }
  package var failed: [Outcome] { outcomes.filter { $0.error != nil } }
}
