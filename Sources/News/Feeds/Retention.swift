/// Bounds of the articles that are kept; nil for none. Starred, tagged, queued and unsent ones
/// always stay.
package struct Retention: Hashable, Sendable {
  /// Seconds since an article was written or came here, whichever is later.
  package var age: Int64?
  /// Of one feed; the newest stay.
  package var articlesPerFeed: Int?
  /// Bytes of the whole store; the oldest articles of all feeds go first.
  package var bytes: Int64?
  /// Whether unread articles go too.
  package var includesUnread: Bool

  package init(
    age: Int64? = nil, articlesPerFeed: Int? = nil, bytes: Int64? = nil,
    includesUnread: Bool = false
  ) {
    self.age = age
    self.articlesPerFeed = articlesPerFeed
    self.bytes = bytes
    self.includesUnread = includesUnread
  }

  /// Whether there is any bound: a difference from the retention without one.
  package var isBounded: Bool { self != Retention(includesUnread: includesUnread) }

  /// With the feed's own bounds.
  package func settings(of feed: FeedSettings) -> Retention {
    var retention = self
    if let age = feed.keepFor { retention.age = age == FeedSettings.unbounded ? nil : age }
    if let count = feed.keepAtMost {
      retention.articlesPerFeed = count == Int(FeedSettings.unbounded) ? nil : count
    }
    return retention
  }
}

/// Size of a feed's articles in the store.
package struct FeedRoom: Hashable, Sendable {
  package let feed: FeedID
  package var title: String
  package var articles: Int
  package var unread: Int
  package var starred: Int
  /// The size of their texts in the database.
  package var bytes: Int64
  /// The oldest date in seconds since 1970; nil without articles.
  package var oldest: Int64?

  package init(
    feed: FeedID, title: String, articles: Int, unread: Int, starred: Int, bytes: Int64,
    oldest: Int64?
  ) {
    self.feed = feed
    self.title = title
    self.articles = articles
    self.unread = unread
    self.starred = starred
    self.bytes = bytes
    self.oldest = oldest
  }
}

/// Size of a store on the disk, in bytes.
package struct StoreRoom: Hashable, Sendable {
  /// The largest first.
  package var feeds: [FeedRoom]
  /// The database.
  package var file: Int64
  /// Free space in it, which new articles fill first.
  package var free: Int64
  /// In it, removed articles and feeds that can be restored.
  package var removed: Int64
  /// In it, former texts of changed articles.
  package var former: Int64
  /// In it, full texts of articles.
  package var full: Int64
  /// The write-ahead log beside it.
  package var log: Int64

  package init(
    feeds: [FeedRoom], file: Int64, free: Int64, removed: Int64, former: Int64, full: Int64,
    log: Int64
  ) {
    self.feeds = feeds
    self.file = file
    self.free = free
    self.removed = removed
    self.former = former
    self.full = full
    self.log = log
  }
}

/// Disk usage in disjoint parts, in bytes.
package struct KeptRoom: Hashable, Sendable {
  package var texts: Int64
  package var fullTexts: Int64
  /// Beside the database.
  package var pictures: Int64
  /// Former texts of changed articles.
  package var former: Int64
  /// Removed articles and feeds that can be restored.
  package var removed: Int64
  /// The search index, marks, and everything else in the database.
  package var indexes: Int64
  /// Free space of the database, and its write-ahead log.
  package var free: Int64

  package init(_ room: StoreRoom, pictures: Int64) {
    texts = room.feeds.reduce(0) { $0 + $1.bytes }
    (fullTexts, former, removed) = (room.full, room.former, room.removed)
    self.pictures = pictures
    free = room.free + room.log
    // The texts are estimated and may exceed the database.
    indexes = max(0, room.file - room.free - texts - room.full - room.former - room.removed)
  }

  package var all: Int64 {
    texts + fullTexts + pictures + former + removed + indexes + free
  }
}
