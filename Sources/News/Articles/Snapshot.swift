package import struct Foundation.Date

/// Progress of a refresh.
package enum Activity: Hashable, Sendable {
  case idle
  /// `done` of `total` feeds are finished, `failed` of them with an error.
  case refreshing(done: Int, total: Int, failed: Int)
}

/// Age of a list and state of its feeds.
package struct Freshness: Hashable, Sendable {
  /// The time of the last successful fetch, of several feeds the latest; nil if there was none.
  package var updated: Date?
  /// Whether feeds of the list are being fetched, or are still to be by a refresh that is under way.
  package var isLoading: Bool
  /// Since when no server can be reached; nil while one can.
  package var offlineSince: Date?
  /// The number of feeds in the list; of them, those whose last fetch failed, those that are gone for
  /// good (which do not count as failed), and those that were never fetched.
  package var feedCount: Int
  package var failedCount: Int
  package var goneCount: Int
  package var neverFetchedCount: Int
  /// The error of the list's only feed, or the most recent one of several.
  package var error: SourceError?
  /// The time before which the server does not want to be asked again.
  package var nextAttempt: Date?
  /// The next attempt of the list's only feed, while it waits for one.
  package var wait: RetryWait?
  /// Whether automatic requests are avoided: the connection is metered, or the settings say so.
  package var savesData: Bool
  /// Whether the list's only feed has an open live connection.
  package var isLive: Bool

  package init(
    updated: Date? = nil, isLoading: Bool = false, offlineSince: Date? = nil,
    feedCount: Int = 0, failedCount: Int = 0, goneCount: Int = 0, neverFetchedCount: Int = 0,
    error: SourceError? = nil, nextAttempt: Date? = nil, wait: RetryWait? = nil,
    savesData: Bool = false, isLive: Bool = false
  ) {
    self.updated = updated
    self.isLoading = isLoading
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

/// State of loading older articles of a list.
package enum OlderArticles: Hashable, Sendable {
  /// No older articles can be loaded: of starred articles, of a search, or of feeds never fetched.
  case none
  /// The source has more.
  case more
  case loading
  /// The source has no older articles.
  case end
  /// The pages of the source repeat, so that no more are loaded.
  case circular
  case failed(SourceError)
}

/// Section of a timeline with all that the screen shows about it.
package struct TimelineSnapshot: Hashable, Sendable {
  package var query: TimelineQuery
  package var slice: TimelineSlice
  /// The counts of the whole timeline, not of `slice` only. Those of a search stop at
  /// `ArticleCounts.searchLimit`.
  package var counts: ArticleCounts
  package var freshness: Freshness
  package var older: OlderArticles
  package var arrivals: Arrivals
  /// The articles of the slice that match each of the queries which rows stand out by.
  package var highlighted: [ArticleQuery: Set<ArticleID>] = [:]
  /// For a list that was made by words: where they stand in the texts of the articles around the anchor.
  package var snippets: [ArticleID: Snippet] = [:]
  /// For a list that was made by words, while the search index lacks articles.
  package var indexProgress: IndexProgress?

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
  /// Accounts that keep subscriptions, in no order; those without a feed too.
  package var accounts: [AccountSummary]
  /// In the order of their titles.
  package var feeds: [Feed]
  /// In the order of their names.
  package var smartFeeds: [SmartFeed]
  /// Folders that stay without feeds.
  package var folders: [FolderID] = []
  /// The names of the tags that any article has, each once, in their order.
  package var tags: [String] = []
  /// Whether the journal knows of articles that were opened.
  package var hasReadLately = false
  /// How many unread articles smart feeds and tags have; those that were not counted yet are missing.
  package var unread = ListCounts()
  package var counts: ArticleCounts
  package var activity: Activity
  package var offlineSince: Date?
  /// The feeds that wait for another attempt.
  package var waits: [FeedID: RetryWait]
  /// The other process that a refresh waits for, in words.
  package var waitingFor: String?

  package init(
    feeds: [Feed] = [], counts: ArticleCounts = ArticleCounts(), activity: Activity = .idle,
    offlineSince: Date? = nil, waits: [FeedID: RetryWait] = [:], waitingFor: String? = nil,
    accounts: [AccountSummary] = [], smartFeeds: [SmartFeed] = []
  ) {
    self.accounts = accounts
    self.smartFeeds = smartFeeds
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
  /// `isUndoable` where the user marks this one by its key, so that `undo` takes it back.
  case mark([ArticleID], Mark, isUndoable: Bool = false)
  /// By the name of the tag, which is one of the article's account where that takes tags, else one of this
  /// machine's.
  case setTag([ArticleID], String, Bool)
  /// Several tags, as one step of `undo`.
  case changeTags([ArticleID], added: [String], removed: [String])
  /// Have the servers of their accounts hand these on to a service for reading later.
  case saveForLater([ArticleID])
  /// Marks the articles of a timeline at or below a position as read, so that those that arrive
  /// meanwhile stay unread. `except` are articles that have arrived above the screen.
  case markAllRead(
    Timeline, notNewerThan: TimelinePosition?, except: UnseenRegion? = nil,
    newerThan: TimelinePosition? = nil)
  /// Articles of feeds that are fetched from here; `undo` brings them back.
  case delete([ArticleID])
  /// Takes back what the user did last, what was done before it with each repetition.
  case undo
  /// The same by a key, which may be meant for something else: a subscription is ended only where it is the action of
  /// this number, to which the user has agreed.
  case undoAsking(agreedTo: JournalEntry.ID?)
  /// Takes back the last action of a kind, whatever was done since: the last one with this article, or nil for any.
  case undoLast(UserActionKind, of: ArticleID?)
  /// Does again what was taken back last.
  case redo
}

/// What has come of an `Intent`.
package enum IntentOutcome: Hashable, Sendable {
  /// Articles that were changed.
  case count(Int)
  /// What was taken back or done again, or was not for its `refusal`; nil for nothing.
  case turned(JournalEntry?)

  /// How many articles or feeds have changed.
  package var count: Int {
    switch self {
    case .count(let count): count
    case .turned(let entry): entry?.refusal == nil ? entry?.count ?? 0 : 0
    }
  }
}
