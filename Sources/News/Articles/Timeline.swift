/// A list of articles, newest first.
package enum Timeline: Hashable, Sendable {
  case all
  case unread
  case starred
  case folder(FolderID)
  case feed(FeedID)
  /// The articles whose title or text match the words.
  case search(String)
}

/// The part of a timeline that the user has not looked at yet: articles that arrived above the first
/// row on the screen.
package struct UnseenRegion: Hashable, Sendable {
  /// The first row that shows: they lie above it.
  package var above: TimelinePosition
  /// Their ids are higher than this.
  package var since: Int64

  package init(above: TimelinePosition, since: Int64) {
    self.above = above
    self.since = since
  }
}

/// A place in a timeline: timelines are ordered by date and then id, newest first.
package struct TimelinePosition: Hashable, Sendable, Comparable {
  /// Seconds since 1970, as the article sorts.
  package var date: Int64
  package var id: Int64

  package init(date: Int64, id: Int64) {
    self.date = date
    self.id = id
  }

  /// Whether `a` is older than `b`.
  package static func < (a: TimelinePosition, b: TimelinePosition) -> Bool {
    (a.date, a.id) < (b.date, b.id)
  }
}
