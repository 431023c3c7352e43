/// A list of articles.
package indirect enum Timeline: Hashable, Sendable {
  case all
  case unread
  case starred
  case folder(FolderID)
  case feed(FeedID)
  /// The articles whose title or text match the words.
  case search(String)
  /// The articles of another timeline that a query is true of.
  case matching(ArticleQuery, in: Timeline)
}

extension Timeline {
  /// The timeline whose articles the query of this one picks; itself where it has none.
  package var unlimited: Timeline {
    if case .matching(_, let whole) = self { whole.unlimited } else { self }
  }

  /// Whether it has unread articles alone.
  package var isAboutUnread: Bool {
    switch self {
    case .unread: true
    case .all, .starred, .folder, .feed, .search: false
    case .matching(let query, let whole): query.isAboutUnread || whole.isAboutUnread
    }
  }

  /// The order that it is shown in where the user has chosen none for the list.
  package var ownOrder: ListOrder { limit?.order ?? .newest }

  /// The query that limits it; nil for none.
  package var limit: ArticleQuery? {
    if case .matching(let query, _) = self { query } else { nil }
  }
}

/// A way from one article of a timeline to another.
package enum ArticleStep: Hashable, Sendable {
  /// The starred article below, above.
  case nextStarred, previousStarred
  /// Any of the unread ones.
  case randomUnread
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

/// A place in a list of articles. What comes first in the list is the greater: in one with the newest articles first, the
/// later date, and of one date the higher id.
package struct TimelinePosition: Hashable, Sendable, Comparable {
  /// What the list is ordered by before the date, empty where that is the date alone.
  package var text: String
  /// Seconds since 1970, as the article sorts; negative, as the id is, where the oldest come first.
  package var date: Int64
  package var id: Int64

  package init(date: Int64, id: Int64, text: String = "") {
    self.text = text
    self.date = date
    self.id = id
  }

  /// The article that is there.
  package var article: ArticleID { ArticleID(Int64(clamping: id.magnitude)) }

  /// Seconds since 1970, as the article sorts, whichever end comes first.
  package var time: Int64 { id < 0 ? mirrored.date : date }

  /// The same place in a list by date with the other end first.
  package var mirrored: TimelinePosition {
    func negated(_ number: Int64) -> Int64 { number == .min ? .max : -number }
    return TimelinePosition(date: negated(date), id: negated(id))
  }

  /// Whether `a` comes after `b` in the list.
  package static func < (a: TimelinePosition, b: TimelinePosition) -> Bool {
    a.text == b.text ? (a.date, a.id) < (b.date, b.id) : a.text > b.text
  }
}
