internal import Text

package import struct Foundation.Date

/// Counts of articles. Those of feeds are updated with every write rather than counted.
package struct ArticleCounts: Hashable, Sendable {
  package var total: Int
  package var unread: Int
  package var starred: Int

  /// Articles of a search that are counted at most: a `total` that reaches it stands for that many or
  /// more.
  package static let searchLimit = 10_000

  package init(total: Int = 0, unread: Int = 0, starred: Int = 0) {
    self.total = total
    self.unread = unread
    self.starred = starred
  }

  package static func + (a: ArticleCounts, b: ArticleCounts) -> ArticleCounts {
    ArticleCounts(
      total: a.total + b.total, unread: a.unread + b.unread, starred: a.starred + b.starred)
  }
}

/// How far the older pages of a feed have been walked.
package enum Paging: Int, Hashable, Sendable, Codable {
  case notStarted
  /// The source has more, and the cursor to it is stored.
  case more
  /// The source said that there is nothing older; it is not asked again.
  case end
  /// The last attempt failed; what was there stays, and it can be tried again.
  case failed
}

/// A subscription, with what is known of it.
package struct Feed: Hashable, Sendable, Identifiable {
  package let id: FeedID
  /// What it belongs to; within it, no other feed has its address.
  package var account: Account
  /// The address that is asked; follows permanent redirects.
  package var url: String
  /// The user's own name for it, else the feed's, else nil.
  package var title: String?
  package var link: String?
  package var description: String?
  package var language: String?
  package var format: FeedFormat?
  package var details: FeedDetails
  /// The folders it lies in, in the order they were given.
  package var folders: [String]
  /// Whether the user typed the address, so that it may lead to a private host.
  package var isUserEntered: Bool
  /// Who signs in for this feed alone; its password lies with the secrets.
  package var signIn: FeedSignIn?
  /// The way to it; nil for that of the settings.
  package var proxy: FeedProxy?
  package var counts: ArticleCounts
  package var state: FeedState

  package init(
    id: FeedID, account: Account = .local, url: String, title: String? = nil, link: String? = nil,
    description: String? = nil, language: String? = nil, format: FeedFormat? = nil,
    details: FeedDetails = FeedDetails(), folders: [String] = [], isUserEntered: Bool = true,
    signIn: FeedSignIn? = nil, proxy: FeedProxy? = nil,
    counts: ArticleCounts = ArticleCounts(),
    state: FeedState = FeedState()
  ) {
    self.id = id
    self.account = account
    self.url = url
    self.title = title
    self.link = link
    self.description = description
    self.language = language
    self.format = format
    self.details = details
    self.folders = folders
    self.isUserEntered = isUserEntered
    self.signIn = signIn
    self.proxy = proxy
    self.counts = counts
    self.state = state
  }

  /// What to call it: its title, else its address without the scheme.
  package var displayTitle: String {
    if let title, !title.isEmpty { return title }
    let url = WebAddress.withoutUser(url)
    if let scheme = url.firstRange(of: "://") { return String(url[scheme.upperBound...]) }
    return url
  }

  /// Where the feed says that it has moved to; nil where it is asked there already.
  package var movedTo: String? {
    details.movedTo.flatMap { WebAddress.move(from: url, to: $0) }
  }
}

/// The way to one feed, where it is not that of the settings.
package enum FeedProxy: Hashable, Sendable {
  case direct
  /// The address of a proxy, with the user and without the password, which lies with the secrets.
  case via(String)

  /// As it is stored, and as it is typed.
  package var text: String {
    switch self {
    case .direct: "direct"
    case .via(let address): address
    }
  }

  package init(text: String) { self = text == "direct" ? .direct : .via(text) }
}

/// What a feed says of itself beside its title, its page and its text.
package struct FeedDetails: Hashable, Sendable {
  /// The address of a picture of the feed's own.
  package var image: String?
  /// The address of a small square picture.
  package var icon: String?
  /// Who writes the feed.
  package var authors: [Author]
  package var rights: String?
  /// Where the feed says that it lies from now on, be that its address already or not.
  package var movedTo: String?

  package init(
    image: String? = nil, icon: String? = nil, authors: [Author] = [], rights: String? = nil,
    movedTo: String? = nil
  ) {
    self.image = image
    self.icon = icon
    self.authors = authors
    self.rights = rights
    self.movedTo = movedTo
  }
}

/// How the fetching of a feed stands.
package struct FeedState: Hashable, Sendable {
  package var lastAttempt: Date?
  package var lastSuccess: Date?
  /// Not to be asked before then, by the server's wish, unless the user asks.
  package var nextAttempt: Date?
  /// Why the last attempt failed; nil after a success.
  package var error: SourceError?
  /// Answered 410: not polled any more.
  package var isGone: Bool
  package var paging: Paging
  /// Minutes that the feed asks to be left alone between two polls.
  package var minutesToLive: Int?
  /// Of the last attempt.
  package var exchange: ExchangeSummary?
  /// When the first of the failures in a row was, and how many there are; nil after a success.
  package var failing: FailureRun?

  package init(
    lastAttempt: Date? = nil, lastSuccess: Date? = nil, nextAttempt: Date? = nil,
    error: SourceError? = nil, isGone: Bool = false, paging: Paging = .notStarted,
    minutesToLive: Int? = nil, exchange: ExchangeSummary? = nil, failing: FailureRun? = nil
  ) {
    self.lastAttempt = lastAttempt
    self.lastSuccess = lastSuccess
    self.nextAttempt = nextAttempt
    self.error = error
    self.isGone = isGone
    self.paging = paging
    self.minutesToLive = minutesToLive
    self.exchange = exchange
    self.failing = failing
  }

  /// Whether the last attempt failed and another may succeed. A feed that is gone for good is not
  /// asked any more, and fails no longer.
  package var isFailing: Bool { error != nil && !isGone }
}

/// How asking a feed went on the wire.
package struct ExchangeSummary: Hashable, Sendable, Codable {
  /// The HTTP status of the last answer; nil if none came.
  package var status: Int?
  /// How often it was asked before the answer, or before it was given up.
  package var attempts: Int
  /// Where the request was redirected to for the time being, where the feed's own address is another.
  package var redirectedTo: String?

  package init(status: Int? = nil, attempts: Int = 1, redirectedTo: String? = nil) {
    self.status = status
    self.attempts = attempts
    self.redirectedTo = redirectedTo
  }
}

/// Failures in a row.
package struct FailureRun: Hashable, Sendable {
  package var since: Date
  package var count: Int

  package init(since: Date, count: Int) {
    self.since = since
    self.count = count
  }
}
