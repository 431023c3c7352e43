/// Which stretch of a timeline is wanted.
package struct TimelineQuery: Hashable, Sendable {
  /// Where the stretch lies.
  package enum Anchor: Hashable, Sendable {
    case newest
    case oldest
    /// Around a row, which is part of the stretch where it still exists.
    case around(TimelinePosition)
  }

  package var timeline: Timeline
  /// Leave out what is read.
  package var unreadOnly: Bool
  /// Articles that stay in the list though they are read by now: those read since it was opened.
  package var keeping: Set<ArticleID>
  /// Show an article that several feeds bring once, where they lie together.
  package var mergesDuplicates: Bool
  package var anchor: Anchor
  /// Rows wanted above the anchor, at most.
  package var newerCount: Int
  /// Rows wanted from the anchor on, at most.
  package var olderCount: Int

  package init(
    _ timeline: Timeline, unreadOnly: Bool = false, keeping: Set<ArticleID> = [],
    mergesDuplicates: Bool = false, anchor: Anchor = .newest, newerCount: Int = 0,
    olderCount: Int = 100
  ) {
    self.timeline = timeline
    self.unreadOnly = unreadOnly
    self.keeping = keeping
    self.mergesDuplicates = mergesDuplicates
    self.anchor = anchor
    self.newerCount = newerCount
    self.olderCount = olderCount
  }

  /// Whether reading an article takes it out of the list.
  package var hidesRead: Bool { unreadOnly || timeline == .unread }

  /// Whether duplicates are left out. A feed and a folder show all that is theirs.
  package var hidesDuplicates: Bool {
    switch timeline {
    case .all, .unread: mergesDuplicates
    // What is found may stand in one of them only.
    case .starred, .folder, .feed, .search: false
    }
  }
}

/// A stretch of a timeline, newest first.
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
