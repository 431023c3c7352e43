/// Which stretch of a timeline is wanted.
package struct TimelineQuery: Hashable, Sendable {
  /// Where the stretch lies. What is newer here is above, whatever the order.
  package enum Anchor: Hashable, Sendable {
    /// The beginning of the list.
    case newest
    /// Its end.
    case oldest
    /// Around a row, which is part of the stretch where it still exists.
    case around(TimelinePosition)
    /// Around an article, whose place is looked up; the beginning where there is none.
    case article(ArticleID)
  }

  package var timeline: Timeline
  package var order = ListOrder.newest
  /// Leave out what is read.
  package var unreadOnly: Bool
  /// Articles that stay in the list though they are read by now: those read since it was opened.
  package var keeping: Set<ArticleID>
  /// Show an article that several feeds bring once in lists of all feeds, and a story that several tell as one row,
  /// where some do.
  package var mergesDuplicates: Bool
  /// First articles of stories that are unfolded: the others stand below them.
  package var unfolded: Set<ArticleID> = []
  package var anchor: Anchor
  /// Rows wanted above the anchor, at most.
  package var newerCount: Int
  /// Rows wanted from the anchor on, at most.
  package var olderCount: Int
  /// The highest article id that the store had when the user last saw the top: what has a higher one
  /// is told of as `Arrivals`. Nil asks for none.
  package var arrivedAfter: Int64?

  package init(
    _ timeline: Timeline, unreadOnly: Bool = false, keeping: Set<ArticleID> = [],
    mergesDuplicates: Bool = false, anchor: Anchor = .newest, newerCount: Int = 0,
    olderCount: Int = 100, arrivedAfter: Int64? = nil
  ) {
    self.timeline = timeline
    self.unreadOnly = unreadOnly
    self.keeping = keeping
    self.mergesDuplicates = mergesDuplicates
    self.anchor = anchor
    self.newerCount = newerCount
    self.olderCount = olderCount
    self.arrivedAfter = arrivedAfter
  }

  /// Whether reading an article takes it out of the list.
  package var hidesRead: Bool { unreadOnly || timeline.isAboutUnread }

  /// Whether an article that several feeds of the list bring is one row. A feed and a folder show all that is theirs,
  /// and so do queries within them.
  package var hidesDuplicates: Bool {
    switch timeline.unlimited {
    case .all, .unread, .starred, .search: mergesDuplicates
    case .folder, .feed, .matching: false
    }
  }

  /// Whether it is about all articles, or all unread ones.
  package var isWhole: Bool { timeline == .all || timeline == .unread }

  /// Whether a story is one row: that of its first article, or of the one that came first of those that the list has.
  package var joinsStories: Bool {
    // A feed tells a story once.
    if case .feed = timeline { false } else { mergesDuplicates }
  }
}

/// A stretch of a timeline, in the order that was asked for.
package struct TimelineSlice: Hashable, Sendable {
  package var rows: [TimelineRow]
  /// Whether the store has rows above the first.
  package var hasNewer: Bool
  /// Whether the store has rows below the last.
  package var hasOlder: Bool

  package init(rows: [TimelineRow] = [], hasNewer: Bool = false, hasOlder: Bool = false) {
    self.rows = rows
    self.hasNewer = hasNewer
    self.hasOlder = hasOlder
  }
}

/// The articles that have arrived in a timeline since its user last saw the top.
///
/// An article has arrived when it was stored since and is newer than everything that its feed had
/// before. Older pages, gaps that were filled and articles that somebody imported are stored later,
/// too, but lie below that.
package struct Arrivals: Hashable, Sendable {
  package struct Arrival: Hashable, Sendable {
    package var position: TimelinePosition
    /// Whether its feed had no article before: nothing tells its news from its archive then, except
    /// where the timeline began.
    package var isFromNewFeed: Bool

    package init(_ position: TimelinePosition, isFromNewFeed: Bool = false) {
      self.position = position
      self.isFromNewFeed = isFromNewFeed
    }
  }

  /// The highest article id of what counts as seen.
  package var since: Int64
  /// The highest article id of the store.
  package var lastID: Int64
  /// At most `limit` of each feed, in no order.
  package var articles: [Arrival]

  package static let limit = 1_000

  package init(since: Int64 = 0, lastID: Int64 = 0, articles: [Arrival] = []) {
    self.since = since
    self.lastID = lastID
    self.articles = articles
  }
}
