/// How long articles are kept; without a bound for ever. Starred and tagged articles always stay, and so does what
/// waits to be played or sent.
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

  /// The bounds of one feed, which has some of its own.
  package func settings(of feed: FeedSettings) -> Retention {
    var retention = self
    if let age = feed.keepFor { retention.age = age == FeedSettings.unbounded ? nil : age }
    if let count = feed.keepAtMost {
      retention.articlesPerFeed = count == Int(FeedSettings.unbounded) ? nil : count
    }
    return retention
  }
}

/// What the articles of a feed take of the store.
package struct FeedRoom: Hashable, Sendable {
  package let feed: FeedID
  package var title: String
  package var articles: Int
  package var unread: Int
  package var starred: Int
  /// Their texts as they lie in the database, in bytes.
  package var bytes: Int64
  /// When the oldest was written, in seconds since 1970; nil where there are no articles.
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

/// What a store takes of the disk, in bytes.
package struct StoreRoom: Hashable, Sendable {
  /// The largest first.
  package var feeds: [FeedRoom]
  /// The database.
  package var file: Int64
  /// Of that, what is free inside it: new articles take that first.
  package var free: Int64
  /// Of that, the texts of articles and feeds that were removed and can come back.
  package var removed: Int64
  /// Of that, what changed articles said before.
  package var former: Int64
  /// Of that, the full texts of articles.
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

/// What is kept on the disk, in parts that do not overlap. All in bytes.
package struct KeptRoom: Hashable, Sendable {
  /// The texts of articles.
  package var texts: Int64
  /// The articles of pages that feeds only lead to.
  package var fullTexts: Int64
  /// Pictures of articles, beside the database.
  package var pictures: Int64
  /// What changed articles said before.
  package var former: Int64
  /// What was removed and can come back.
  package var removed: Int64
  /// The search index, marks, and all else in the database.
  package var indexes: Int64
  /// Free room of the database, and its write-ahead log.
  package var free: Int64

  package init(_ room: StoreRoom, pictures: Int64) {
    texts = room.feeds.reduce(0) { $0 + $1.bytes }
    (fullTexts, former, removed) = (room.full, room.former, room.removed)
    self.pictures = pictures
    free = room.free + room.log
    // The texts are estimated: they may seem to be more than all of the database.
    indexes = max(0, room.file - room.free - texts - room.full - room.former - room.removed)
  }

  package var all: Int64 {
    texts + fullTexts + pictures + former + removed + indexes + free
  }
}
