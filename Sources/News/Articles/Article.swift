package import struct Foundation.Date

/// What the user has done with an article. Kept apart from its contents, so that no refresh can
/// touch it.
package struct ArticleStatus: Hashable, Sendable {
  package var isRead: Bool
  package var isStarred: Bool

  package init(isRead: Bool = false, isStarred: Bool = false) {
    self.isRead = isRead
    self.isStarred = isStarred
  }
}

/// An article with everything that is stored of it.
package struct Article: Hashable, Sendable, Identifiable {
  package let id: ArticleID
  package let feedID: FeedID
  package var feedTitle: String
  package var entry: Entry
  package var status: ArticleStatus
  package var position: TimelinePosition
  /// The titles of the other feeds that bring the same article.
  package var otherFeeds: [String]
  /// How far it was read last time, as a place in its text; nil if it was not.
  package var readingPosition: ReadingPosition?
  /// The names of the tags that the user or another of the account's programs has given it, in their order.
  package var tags: [String]
  /// How far its sounds and films were played, by their addresses.
  package var playback: [String: Playback] = [:]
  /// What rules have raised it by, within `ArticleScore.bounds`.
  package var score = 0
  /// Whether its feed has changed it, and the user has not opened it since.
  package var isChanged = false
  /// When its feed changed what the user had seen last, of which `FormerText` is kept; nil for none.
  package var changed: Date?
  /// The article of its page, where that was fetched.
  package var fullText: FullText?
  /// How many comments are stored, where its feed has told a number: with the user's own, and with what was fetched
  /// since, these may be more.
  package var keptComments = 0

  package init(
    id: ArticleID, feedID: FeedID, feedTitle: String, entry: Entry, status: ArticleStatus,
    position: TimelinePosition, otherFeeds: [String] = [],
    readingPosition: ReadingPosition? = nil, tags: [String] = []
  ) {
    self.id = id
    self.feedID = feedID
    self.feedTitle = feedTitle
    self.entry = entry
    self.status = status
    self.position = position
    self.otherFeeds = otherFeeds
    self.readingPosition = readingPosition
    self.tags = tags
  }
}

/// How far a sound or a film was played.
package struct Playback: Hashable, Sendable {
  /// Since its beginning; 0 once it was played to its end.
  package var seconds: Int
  /// Of the whole, in seconds; nil where nobody has said.
  package var duration: Int?
  /// Whether it was played to its end, and not begun again.
  package var isHeard: Bool

  package init(seconds: Int = 0, duration: Int? = nil, isHeard: Bool = false) {
    self.seconds = seconds
    self.duration = duration
    self.isHeard = isHeard
  }
}

/// A place in an article's text that means the same at every width of the screen.
package struct ReadingPosition: Hashable, Sendable, Comparable, Codable {
  /// Counts the top-level blocks of the text; the list of links counts as one behind the last.
  package var block: Int
  /// Bytes of text before the place, within the block.
  package var offset: Int

  package init(block: Int = 0, offset: Int = 0) {
    self.block = block
    self.offset = offset
  }

  package static func < (a: ReadingPosition, b: ReadingPosition) -> Bool {
    (a.block, a.offset) < (b.block, b.offset)
  }
}

/// An article as a line of a list shows it.
package struct ArticleRow: Hashable, Sendable, Identifiable {
  package let id: ArticleID
  package let feedID: FeedID
  package var feedTitle: String
  /// Its title, else the beginning of its text.
  package var title: String
  package var status: ArticleStatus
  package var position: TimelinePosition
  /// Seconds since 1970, as the feed writes its date; nil where it writes none. The position differs for
  /// one from the future, and where the date was corrected later.
  package var written: Int64?
  /// The article of another feed that this one is the same as, and came later than.
  package var duplicateOf: ArticleID?
  /// The other articles of its story, in the order in which they came, where the list shows a story as one row.
  package var tellings: [ArticleID] = []
  /// The first article of the story that this one tells as well.
  package var storyOf: ArticleID?
  /// Whether it stands below the first article of its story, at the position of that.
  package var isUnfolded = false
  /// What rules have raised it by, within `ArticleScore.bounds`.
  package var score: Int
  /// Whether its feed has changed it, and the user has not opened it since.
  package var isChanged: Bool

  package init(
    id: ArticleID, feedID: FeedID, feedTitle: String, title: String,
    status: ArticleStatus, position: TimelinePosition, written: Int64? = nil,
    duplicateOf: ArticleID? = nil, score: Int = 0, isChanged: Bool = false
  ) {
    self.id = id
    self.feedID = feedID
    self.feedTitle = feedTitle
    self.title = title
    self.status = status
    self.position = position
    self.written = written
    self.duplicateOf = duplicateOf
    self.score = score
    self.isChanged = isChanged
  }
}

extension ArticleRow {
  /// The date to show, in seconds since 1970.
  package var date: Int64 { written ?? position.time }
}

/// A gap in what is stored: a refresh did not reach back to the articles that were there before.
package struct Gap: Hashable, Sendable, Identifiable {
  package let id: Int64
  package let feedID: FeedID
  /// The article above the gap.
  package var newer: TimelinePosition
  /// The article below it.
  package var older: TimelinePosition
  /// Whether the source can be asked for what is missing.
  package var canLoad: Bool

  package init(
    id: Int64, feedID: FeedID, newer: TimelinePosition, older: TimelinePosition, canLoad: Bool
  ) {
    self.id = id
    self.feedID = feedID
    self.newer = newer
    self.older = older
    self.canLoad = canLoad
  }
}

/// One line of a timeline.
package enum TimelineRow: Hashable, Sendable {
  case article(ArticleRow)
  case gap(Gap)

  package var position: TimelinePosition {
    switch self {
    case .article(let row): row.position
    // Directly below the article above the gap.
    case .gap(let gap): TimelinePosition(date: gap.newer.date, id: gap.newer.id - 1)
    }
  }
}
