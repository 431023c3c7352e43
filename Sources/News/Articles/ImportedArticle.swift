package import struct Foundation.Date

/// Article of another program's store, with its marks.
package struct ImportedArticle: Hashable, Sendable {
  package var entry: Entry
  package var isRead: Bool
  package var isStarred: Bool
  package var tags: [String]
  /// Whether the user has deleted it: only its id is kept, so that it does not come again.
  package var isDeleted: Bool
  /// The date it sorts by; nil for its own.
  package var place: Date?
  /// When the other store first had it; nil for now.
  package var arrived: Date?
  /// Set by rules, within `ArticleScore.bounds`.
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

package struct ArticleImportCounts: Hashable, Sendable {
  package var inserted = 0
  /// Articles that were here already.
  package var known = 0
  /// Unread articles that the import marked as read.
  package var read = 0
  /// Articles that the import starred.
  package var starred = 0
  /// Tags that the import set.
  package var tagged = 0
  /// Deleted articles, which stay away.
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
