/// Request for a section of a timeline.
package struct TimelineQuery: Hashable, Sendable {
  /// Place of the section. “Newer” means above, in any order.
  package enum Anchor: Hashable, Sendable {
    /// The top of the list.
    case newest
    /// The end of the list.
    case oldest
    /// Around a row, which is included while it exists.
    case around(TimelinePosition)
    /// Around an article; the top of the list where it is missing.
    case article(ArticleID)
  }

  package var timeline: Timeline
  package var order = ListOrder.newest
  package var unreadOnly: Bool
  /// Read articles that stay in the list: those read since it was opened.
  package var keeping: Set<ArticleID>
  /// Whether duplicates and stories are one row in lists of several feeds.
  package var mergesDuplicates: Bool
  /// First articles of unfolded stories, whose others stand below them.
  package var unfolded: Set<ArticleID> = []
  package var anchor: Anchor
  /// Rows above the anchor, at most.
  package var newerCount: Int
  /// Rows from the anchor on, at most.
  package var olderCount: Int
  /// The highest article id when the user last saw the top: articles with higher ids are
  /// `Arrivals`. Nil asks for none.
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

  /// Whether an article leaves the list when it is read.
  package var hidesRead: Bool { unreadOnly || timeline.isAboutUnread }

  /// Whether duplicates are one row. Feeds, folders and queries within them show all of their
  /// articles.
  package var hidesDuplicates: Bool {
    switch timeline.unlimited {
    case .all, .unread, .starred, .search: mergesDuplicates
    case .folder, .feed, .matching: false
    }
  }

  /// Whether it is about all articles, or all unread ones.
  package var isWhole: Bool { timeline == .all || timeline == .unread }

  /// Whether a story is one row, that of its first article in the list.
  package var joinsStories: Bool {
    // A feed has one article of a story.
    if case .feed = timeline { false } else { mergesDuplicates }
  }
}

/// Section of a timeline, in the requested order.
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

/// Articles that have arrived in a timeline since the user last saw its top.
///
/// Arrived articles were stored since and are newer than everything that their feed had before.
/// Older pages, filled gaps and imported articles are stored later but lie below that.
package struct Arrivals: Hashable, Sendable {
  package struct Arrival: Hashable, Sendable {
    package var position: TimelinePosition
    /// Whether its feed had no article before, so that news and archive look alike, except where
    /// the timeline began.
    package var isFromNewFeed: Bool

    package init(_ position: TimelinePosition, isFromNewFeed: Bool = false) {
      self.position = position
      self.isFromNewFeed = isFromNewFeed
    }
  }

  /// The highest article id that counts as seen.
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
