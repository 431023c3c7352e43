package import struct Foundation.Date

/// An article of another program's store, with what its user has said of it.
package struct ImportedArticle: Hashable, Sendable {
  package var entry: Entry
  package var isRead: Bool
  package var isStarred: Bool
  /// Names of tags.
  package var tags: [String]
  /// Whether the user has deleted it: only its id is kept, so that it does not come again.
  package var isDeleted: Bool
  /// Its place in lists, where the other store has told it; nil for that which its own date gives it.
  package var place: Date?
  /// When the other store has first had it; nil for now.
  package var arrived: Date?
  /// What rules have raised it by, within `ArticleScore.bounds`.
  package var score: Int

  package init(
    _ entry: Entry, isRead: Bool = false, isStarred: Bool = false, tags: [String] = [],
    isDeleted: Bool = false, place: Date? = nil, arrived: Date? = nil, score: Int = 0
  ) {
    self.entry = entry
    self.isRead = isRead
    self.isStarred = isStarred
    self.tags = tags
    self.isDeleted = isDeleted
    self.place = place
    self.arrived = arrived
    self.score = score
  }
}

/// Counts of an import so far.
package struct ArticleImportCounts: Hashable, Sendable {
  /// New articles.
  package var inserted = 0
  /// Articles that were here.
  package var known = 0
  /// Articles that were here unread, and are read now.
  package var read = 0
  /// Articles that were starred here by the import.
  package var starred = 0
  /// Tags that articles have got.
  package var tagged = 0
  /// Deleted articles that stay away.
  package var deleted = 0

  package init() {}

  package static func += (counts: inout ArticleImportCounts, more: ArticleImportCounts) {
    counts.inserted += more.inserted
    counts.known += more.known
    counts.read += more.read
    counts.starred += more.starred
    counts.tagged += more.tagged
    counts.deleted += more.deleted
  }
}
