/// List of articles.
package indirect enum Timeline: Hashable, Sendable {
  case all
  case unread
  case starred
  case folder(FolderID)
  case feed(FeedID)
  /// Articles whose title or text match the words.
  case search(String)
  /// The articles of another timeline that match a query.
  case matching(ArticleQuery, in: Timeline)
}

extension Timeline {
  /// The timeline without its queries.
  package var unlimited: Timeline {
    if case .matching(_, let whole) = self { whole.unlimited } else { self }
  }

  /// Whether it is a list, or filters over it.
  package func isWithin(_ whole: Timeline) -> Bool {
    if self == whole { return true }
    if case .matching(_, let inner) = self { return inner.isWithin(whole) }
    return false
  }

  /// Whether it has unread articles alone.
  package var isAboutUnread: Bool {
    switch self {
    case .unread: true
    case .all, .starred, .folder, .feed, .search: false
    case .matching(let query, let whole): query.isAboutUnread || whole.isAboutUnread
    }
  }

  /// The order without a choice of the user.
  package var ownOrder: ListOrder { limit?.order ?? .newest }

  /// The filtering query; nil for none.
  package var limit: ArticleQuery? {
    if case .matching(let query, _) = self { query } else { nil }
  }
}

/// Step from one article of a timeline to another.
package enum ArticleStep: Hashable, Sendable {
  case nextStarred, previousStarred
  case randomUnread
}

/// Part of a timeline that the user has not seen: articles that arrived above the screen.
package struct UnseenRegion: Hashable, Sendable {
  /// The first row on the screen.
  package var above: TimelinePosition
  /// Their ids are higher than this.
  package var since: Int64

  package init(above: TimelinePosition, since: Int64) {
    self.above = above
    self.since = since
  }
}

/// Place in a list of articles. The greater one comes first: with the newest first, that of the
/// later date, then of the higher id.
package struct TimelinePosition: Hashable, Sendable, Comparable {
  /// The sort key before the date; empty for lists by date.
  package var text: String
  /// The sort date in seconds since 1970; negative, as the id is, with the oldest first.
  package var date: Int64
  package var id: Int64

  package init(date: Int64, id: Int64, text: String = "") {
    self.text = text
    self.date = date
    self.id = id
  }

  package var article: ArticleID { ArticleID(Int64(clamping: id.magnitude)) }

  /// The sort date in seconds since 1970, for both directions.
  package var time: Int64 { id < 0 ? mirrored.date : date }

  /// The place in the list by date in the other direction.
  package var mirrored: TimelinePosition {
    func negated(_ number: Int64) -> Int64 { number == .min ? .max : -number }
    return TimelinePosition(date: negated(date), id: negated(id))
  }

  package static func < (a: TimelinePosition, b: TimelinePosition) -> Bool {
    a.text == b.text ? (a.date, a.id) < (b.date, b.id) : a.text > b.text
  }
}
