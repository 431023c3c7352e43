package import struct Foundation.Date

/// What the network is being used for at this moment.
package enum Activity: Hashable, Sendable {
  case idle
  /// `done` of `total` feeds have answered; `failed` of those with an error.
  case refreshing(done: Int, total: Int, failed: Int)
}

/// How fresh a list is, and why it is not fresher.
package struct Freshness: Hashable, Sendable {
  /// When what is shown was last confirmed by its source; nil if it never was. For a list of several
  /// feeds, when the last of them was.
  package var updated: Date?
  package var activity: Activity
  /// Set while nothing can be reached: since when.
  package var offlineSince: Date?
  /// The feeds of this list, those whose last fetch failed, those that are gone for good, which do
  /// not count as failed, and those never fetched.
  package var feedCount: Int
  package var failedCount: Int
  package var goneCount: Int
  package var neverFetchedCount: Int
  /// The error of the list's only feed, or the most recent one of several.
  package var error: SourceError?
  /// Not asked again before then, by the server's wish.
  package var nextAttempt: Date?
  /// Set while the list's only feed waits for another attempt.
  package var wait: RetryWait?
  /// Whether nothing is fetched that nobody asked for: the connection costs, or the user said so.
  package var savesData: Bool
  /// Whether the list's only feed tells what is new by itself, now.
  package var isLive: Bool

  package init(
    updated: Date? = nil, activity: Activity = .idle, offlineSince: Date? = nil,
    feedCount: Int = 0, failedCount: Int = 0, goneCount: Int = 0, neverFetchedCount: Int = 0,
    error: SourceError? = nil, nextAttempt: Date? = nil, wait: RetryWait? = nil,
    savesData: Bool = false, isLive: Bool = false
  ) {
    self.updated = updated
    self.activity = activity
    self.offlineSince = offlineSince
    self.feedCount = feedCount
    self.failedCount = failedCount
    self.goneCount = goneCount
    self.neverFetchedCount = neverFetchedCount
    self.error = error
    self.nextAttempt = nextAttempt
    self.wait = wait
    self.savesData = savesData
    self.isLive = isLive
  }
}

/// How the loading of older articles stands in a list.
package enum OlderArticles: Hashable, Sendable {
  /// Nothing older can be asked for here: the list spans several feeds, or is a search.
  case none
  /// The source has more.
  case more
  case loading
  /// The source has said that there is no more.
  case end
  /// There may be more, but the source's pages begin to repeat.
  case circular
  case failed(SourceError)
}

/// A stretch of a timeline as it is now, with all that the screen says about it.
package struct TimelineSnapshot: Hashable, Sendable {
  package var query: TimelineQuery
  package var slice: TimelineSlice
  /// Of the whole timeline, not of the stretch. For a search, `total` is nil in effect: zero.
  package var counts: ArticleCounts
  package var freshness: Freshness
  package var older: OlderArticles
  package var arrivals: Arrivals

  package init(
    query: TimelineQuery, slice: TimelineSlice, counts: ArticleCounts = ArticleCounts(),
    freshness: Freshness = Freshness(), older: OlderArticles = .none,
    arrivals: Arrivals = Arrivals()
  ) {
    self.query = query
    self.slice = slice
    self.counts = counts
    self.freshness = freshness
    self.older = older
    self.arrivals = arrivals
  }
}

/// All subscriptions with their counts, as the sidebar shows them.
package struct SidebarSnapshot: Hashable, Sendable {
  /// In the order of their titles.
  package var feeds: [Feed]
  package var counts: ArticleCounts
  package var activity: Activity
  package var offlineSince: Date?
  /// The feeds that wait for another attempt.
  package var waits: [FeedID: RetryWait]
  /// The process that fetches what a refresh here waits for, in words.
  package var waitingFor: String?

  package init(
    feeds: [Feed] = [], counts: ArticleCounts = ArticleCounts(), activity: Activity = .idle,
    offlineSince: Date? = nil, waits: [FeedID: RetryWait] = [:], waitingFor: String? = nil
  ) {
    self.feeds = feeds
    self.counts = counts
    self.activity = activity
    self.offlineSince = offlineSince
    self.waits = waits
    self.waitingFor = waitingFor
  }
}

/// A change that the user makes.
package enum Intent: Hashable, Sendable {
  case setRead([ArticleID], Bool)
  case setStarred([ArticleID], Bool)
  /// Marks what the timeline holds at or below a position, so that articles that arrive meanwhile
  /// stay unread; and those that have arrived above the screen.
  case markAllRead(Timeline, notNewerThan: TimelinePosition?, except: UnseenRegion? = nil)
  /// Takes the newest batch of read marks back.
  case undo
}
