package import struct Foundation.Date

package enum Activity: Hashable, Sendable {
  case idle
  /// `done` of `total` feeds are finished, `failed` of them with an error.
  case refreshing(done: Int, total: Int, failed: Int)
}

/// Age of a list and state of its feeds.
package struct Freshness: Hashable, Sendable {
  /// The last successful fetch of any feed; nil for none.
  package var updated: Date?
  /// Whether feeds of the list are being fetched or are still to be in the current refresh.
  package var isLoading: Bool
  /// Since when no server can be reached; nil while one can.
  package var offlineSince: Date?
  /// The number of feeds; of them, those whose last fetch failed, those that are gone for good (not
  /// counted as failed), and those never fetched.
  package var feedCount: Int
  package var failedCount: Int
  package var goneCount: Int
  package var neverFetchedCount: Int
  /// The error of the only feed, or of several the most recent one that needs the user, else the most recent.
  package var error: SourceError?
  /// The time before which the server refuses requests.
  package var nextAttempt: Date?
  /// The wait of the only feed for its next attempt.
  package var wait: RetryWait?
  /// Whether automatic requests are avoided: the connection is metered, or the settings say so.
  package var savesData: Bool
  /// Whether the only feed has an open live connection.
  package var isLive: Bool

  package init(
    updated: Date? = nil, isLoading: Bool = false, offlineSince: Date? = nil, feedCount: Int = 0,
    failedCount: Int = 0, goneCount: Int = 0, neverFetchedCount: Int = 0, error: SourceError? = nil,
    nextAttempt: Date? = nil, wait: RetryWait? = nil, savesData: Bool = false, isLive: Bool = false
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
  /// No source of older articles: starred articles, searches, and feeds never fetched.
  case none
  /// The source has more.
  case more
  case loading
  /// The source has no older articles.
  case end
  /// The pages of the source repeat.
  case circular
  case failed(SourceError)
}

/// Section of a timeline with everything that the screen shows about it.
package struct TimelineSnapshot: Hashable, Sendable {
  package var query: TimelineQuery
  package var slice: TimelineSlice
  /// Of the whole timeline. Those of a search stop at `ArticleCounts.searchLimit`.
  package var counts: ArticleCounts
  package var freshness: Freshness
  package var older: OlderArticles
  package var arrivals: Arrivals
  /// The articles of the slice that match each highlighting query.
  package var highlighted: [ArticleQuery: Set<ArticleID>] = [:]
  /// For a search: matches in the texts of the articles around the anchor.
  package var snippets: [ArticleID: Snippet] = [:]
  /// For a search, while the index is incomplete.
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
  /// Accounts that keep subscriptions, in no order; those without feeds too.
  package var accounts: [AccountSummary]
  /// Sorted by title.
  package var feeds: [Feed]
  /// Sorted by name.
  package var smartFeeds: [SmartFeed]
  /// Folders kept without feeds.
  package var folders: [FolderID] = []
  /// The names of tags in use, each once, in order.
  package var tags: [String] = []
  /// Whether the journal has opened articles.
  package var hasReadLately = false
  /// The numbers of articles in Later that do not wait, and of those whose time has come.
  package var (later, due) = (0, 0)
  /// Unread counts of smart feeds and tags; those not yet counted are missing.
  package var unread = ListCounts()
  package var counts: ArticleCounts
  package var activity: Activity
  package var offlineSince: Date?
  /// Whether the user has turned the network off.
  package var isOfflineByChoice = false
  /// Feeds that wait for another attempt.
  package var waits: [FeedID: RetryWait]
  /// Description of the other process that a refresh waits for.
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

/// Change requested by the user.
package enum Intent: Hashable, Sendable {
  /// `isUndoable` for a mark by its key.
  case mark([ArticleID], Mark, isUndoable: Bool = false)
  /// By tag name: of the article's account where that keeps tags, else of this device.
  case setTag([ArticleID], String, Bool)
  /// As one step of `undo`.
  case changeTags([ArticleID], added: [String], removed: [String])
  /// Adds articles to Later, or removes them; nil removes them where all are in Later. Those with a
  /// time wait for it.
  case setLater([ArticleID], Bool?, until: Date? = nil)
  /// Marks the articles at or below a position as read, so that later arrivals stay unread.
  /// `except` are articles that arrived above the screen.
  case markAllRead(
    Timeline, notNewerThan: TimelinePosition?, except: UnseenRegion? = nil,
    newerThan: TimelinePosition? = nil)
  /// Of feeds that are fetched from here.
  case delete([ArticleID])
  /// Undoes the last action, and with each repetition the one before.
  case undo
  /// Undo by key, which may be pressed by mistake: a subscription ends only with the user's
  /// agreement to the action of this number.
  case undoAsking(agreedTo: JournalEntry.ID?)
  /// Undoes the last action of a kind, of this article or of any.
  case undoLast(UserActionKind, of: ArticleID?)
  case redo
}

/// Outcome of an `Intent`.
package enum IntentOutcome: Hashable, Sendable {
  /// Changed articles.
  case count(Int)
  /// The undone or redone action, or one that was not for its `refusal`; nil for none.
  case turned(JournalEntry?)
  case later(Later.Change)

  /// The number of changed articles or feeds.
  package var count: Int {
    switch self {
    case .count(let count): count
    case .turned(let entry): entry?.refusal == nil ? entry?.count ?? 0 : 0
    case .later(let change): change.articles.count
    }
  }
}
