package import struct Foundation.Date

/// Marks of an article by the user, apart from its contents, so that no refresh can touch them.
package struct ArticleStatus: Hashable, Sendable {
  package var isRead: Bool
  package var isStarred: Bool

  package init(isRead: Bool = false, isStarred: Bool = false) {
    self.isRead = isRead
    self.isStarred = isStarred
  }
}

/// Article with everything that is stored of it.
package struct Article: Hashable, Sendable, Identifiable {
  package let id: ArticleID
  package let feedID: FeedID
  package var feedTitle: String
  package var entry: Entry
  package var status: ArticleStatus
  package var position: TimelinePosition
  /// The titles of the other feeds with the same article.
  package var otherFeeds: [String]
  /// Where the user stopped reading; nil for an unread text.
  package var readingPosition: ReadingPosition?
  /// The names of its tags, in order.
  package var tags: [String]
  /// Until when it waits, or has waited, to come back to Later.
  package var laterUntil: Date?
  /// Playback of its audio and video, by address.
  package var playback: [String: Playback] = [:]
  /// Set by rules, within `ArticleScore.bounds`.
  package var score = 0
  /// Whether its feed has changed it since the user opened it.
  package var isChanged = false
  /// When its feed changed the text that the user had seen last (`FormerText`); nil for never.
  package var changed: Date?
  /// Fetched from the page of the article.
  package var fullText: FullText?
  /// The number of stored comments, with the user's own; it may exceed `comments.count` of the
  /// entry.
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

/// Playback of an audio or video file.
package struct Playback: Hashable, Sendable {
  /// From the beginning; 0 once it was played to the end.
  package var seconds: Int
  /// The length in seconds; nil where it is unknown.
  package var duration: Int?
  /// Whether it was played to the end and not started again.
  package var isHeard: Bool

  package init(seconds: Int = 0, duration: Int? = nil, isHeard: Bool = false) {
    self.seconds = seconds
    self.duration = duration
    self.isHeard = isHeard
  }
}

/// Place in an article's text, independent of the screen's width.
package struct ReadingPosition: Hashable, Sendable, Comparable, Codable {
  /// The index of the top-level block; the list of links counts as one after the last.
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

/// Article as a row of a list.
package struct ArticleRow: Hashable, Sendable, Identifiable {
  package let id: ArticleID
  package let feedID: FeedID
  package var feedTitle: String
  /// Its title, else the beginning of its text.
  package var title: String
  package var status: ArticleStatus
  package var position: TimelinePosition
  /// Seconds since 1970, as the feed writes its date; nil for none. The position differs for dates
  /// in the future and for dates that were corrected later.
  package var written: Int64?
  /// The earlier article of another feed that it duplicates.
  package var duplicateOf: ArticleID?
  /// The other articles of its story, in order of arrival, where a story is one row.
  package var tellings: [ArticleID] = []
  /// The first article of its story.
  package var storyOf: ArticleID?
  /// Whether it stands below the first article of its story, at the position of that one.
  package var isUnfolded = false
  /// Set by rules, within `ArticleScore.bounds`.
  package var score: Int
  /// Whether its feed has changed it since the user opened it.
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

/// Gap in the stored articles: a refresh did not reach back to those that were there before.
package struct Gap: Hashable, Sendable, Identifiable {
  package let id: Int64
  package let feedID: FeedID
  package var newer: TimelinePosition
  package var older: TimelinePosition
  /// Whether the source can be asked for the missing articles.
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

/// Row of a timeline.
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
