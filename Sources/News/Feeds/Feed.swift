internal import Text

package import struct Foundation.Date

/// Counts of articles. Those of feeds are updated with every write rather than counted.
package struct ArticleCounts: Hashable, Sendable {
  package var total: Int
  package var unread: Int
  package var starred: Int
  /// Unread articles that are not counted, because another one of their story is.
  package var unreadBehind = 0

  /// Unread articles including those of stories.
  package var unreadArticles: Int { unread + unreadBehind }

  /// The most articles that a search counts: a `total` that reaches it means that many or more.
  package static let searchLimit = 10_000

  package init(total: Int = 0, unread: Int = 0, starred: Int = 0) {
    self.total = total
    self.unread = unread
    self.starred = starred
  }

  package static func + (a: ArticleCounts, b: ArticleCounts) -> ArticleCounts {
    var sum = ArticleCounts(
      total: a.total + b.total, unread: a.unread + b.unread, starred: a.starred + b.starred)
    sum.unreadBehind = a.unreadBehind + b.unreadBehind
    return sum
  }
}

package enum Paging: Int, Hashable, Sendable, Codable {
  case notStarted
  /// The cursor to older pages is stored.
  case more
  /// The source has no older pages; it is not asked again.
  case end
  /// The last attempt failed and can be repeated.
  case failed
}

/// Subscription to a feed, with its description, counts and state.
package struct Feed: Hashable, Sendable, Identifiable {
  package let id: FeedID
  /// Addresses are unique within an account.
  package var account: Account
  /// The address that is fetched; updated after permanent redirects.
  package var url: String
  /// The user's own title, else that of the feed, else nil.
  package var title: String?
  package var link: String?
  package var description: String?
  package var language: String?
  package var format: FeedFormat?
  package var details: FeedDetails
  /// The paths of its folders, in the order they were given.
  package var folders: [String]
  /// Whether the user entered the address, so that it may lead to a private host.
  package var isUserEntered: Bool
  /// A sign-in of this feed alone.
  package var signIn: FeedSignIn?
  /// Nil for the proxy of the settings.
  package var proxy: FeedProxy?
  package var recipe: FeedRecipe?
  package var settings: FeedSettings
  package var counts: ArticleCounts
  package var state: FeedState

  package init(
    id: FeedID, account: Account = .local, url: String, title: String? = nil, link: String? = nil,
    description: String? = nil, language: String? = nil, format: FeedFormat? = nil,
    details: FeedDetails = FeedDetails(), folders: [String] = [], isUserEntered: Bool = true,
    signIn: FeedSignIn? = nil, proxy: FeedProxy? = nil, recipe: FeedRecipe? = nil,
    settings: FeedSettings = FeedSettings(), counts: ArticleCounts = ArticleCounts(),
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
    self.recipe = recipe
    self.settings = settings
    self.counts = counts
    self.state = state
  }

  /// The server of its articles: that of its account where a sync fetches them, else its own.
  package var serverURL: String { account.capabilities.contains(.items) ? account.base : url }

  /// The title, else the address without its scheme.
  package var displayTitle: String {
    if let title, !title.isEmpty { return title }
    return WebAddress.withoutScheme(WebAddress.withoutUser(url))
  }

  /// The scheme of feeds that are the output of a program. The address is a name only: the recipe
  /// has the program.
  package static let commandScheme = "exec:"

  package var isCommand: Bool { url.hasPrefix(Self.commandScheme) }

  /// The address of the feed of saved pages: a name only, which is never fetched.
  package static let savedURL = "saved:pages"

  package var isSaved: Bool { url == Self.savedURL }

  /// Whether lists of several feeds show its failures.
  package var showsFailure: Bool { state.isFailing && !settings.isSilent && !awaitsNetwork }

  /// Whether it fails until the user does something, or is gone for good.
  package var needsUser: Bool { state.isGone || showsFailure && state.error?.needsUser == true }

  /// Whether it was added without a network, and could not be looked up since.
  package var awaitsNetwork: Bool { settings.isSought && state.error?.isConnectivity == true }

  /// The new address that the feed states; nil for its present one.
  package var movedTo: String? {
    details.movedTo.flatMap { WebAddress.move(from: url, to: $0) }
  }
}

/// Proxy of a single feed, instead of that of the settings.
package enum FeedProxy: Hashable, Sendable {
  case direct
  /// The address of a proxy with the user; the password is kept with the secrets.
  case via(String)

  /// As stored and typed.
  package var text: String {
    switch self {
    case .direct: "direct"
    case .via(let address): address
    }
  }

  package init(text: String) { self = text == "direct" ? .direct : .via(text) }
}

/// How articles of a feed are requested and read, where its address does not tell. Opaque: only the
/// source that made it can read it.
package struct FeedRecipe: Hashable, Sendable {
  package let rawValue: String

  package init(_ rawValue: String) { self.rawValue = rawValue }
}

/// Further properties from the description of a feed.
package struct FeedDetails: Hashable, Sendable {
  package var image: String?
  /// A small square icon.
  package var icon: String?
  package var authors: [Author]
  package var rights: String?
  /// The new address that the feed states, which may be its present one.
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

package struct FeedState: Hashable, Sendable {
  package var lastAttempt: Date?
  package var lastSuccess: Date?
  /// The time before which only the user's requests are sent.
  package var nextAttempt: Date?
  /// The end of the pause that its host asks for automatic requests; part of `nextAttempt`.
  package var restsUntil: Date?
  /// Nil after a success.
  package var error: SourceError?
  /// Whether the server answered 410, so that automatic refreshes skip the feed.
  package var isGone: Bool
  package var paging: Paging
  /// The shortest interval between two refreshes that the feed asks for, in minutes.
  package var minutesToLive: Int?
  package var skips: SkippedTimes?
  /// Nil where no article has a publishing time.
  package var pace: PublishingPace?
  /// The server's remark with its last answer.
  package var remark: String?
  /// The HTTP exchange of the last attempt.
  package var exchange: ExchangeSummary?
  /// Nil after a success.
  package var failing: FailureRun?

  package init(
    lastAttempt: Date? = nil, lastSuccess: Date? = nil, nextAttempt: Date? = nil,
    restsUntil: Date? = nil, error: SourceError? = nil, isGone: Bool = false,
    paging: Paging = .notStarted, minutesToLive: Int? = nil, skips: SkippedTimes? = nil,
    pace: PublishingPace? = nil, remark: String? = nil,
    exchange: ExchangeSummary? = nil, failing: FailureRun? = nil
  ) {
    self.lastAttempt = lastAttempt
    self.lastSuccess = lastSuccess
    self.nextAttempt = nextAttempt
    self.restsUntil = restsUntil
    self.error = error
    self.isGone = isGone
    self.paging = paging
    self.minutesToLive = minutesToLive
    self.skips = skips
    self.pace = pace
    self.remark = remark
    self.exchange = exchange
    self.failing = failing
  }

  /// Whether the last attempt failed and another may succeed: not for a feed that is gone.
  package var isFailing: Bool { error != nil && !isGone }
}

package struct ExchangeSummary: Hashable, Sendable, Codable {
  /// Of the last response; nil without one.
  package var status: Int?
  package var attempts: Int
  /// The target of a redirect that does not change the address by itself: a temporary one, or one
  /// to another server for a feed whose headers stay at its own.
  package var redirectedTo: String?

  package init(status: Int? = nil, attempts: Int = 1, redirectedTo: String? = nil) {
    self.status = status
    self.attempts = attempts
    self.redirectedTo = redirectedTo
  }
}

/// Failures since the last success.
package struct FailureRun: Hashable, Sendable {
  package var since: Date
  package var count: Int

  package init(since: Date, count: Int) {
    self.since = since
    self.count = count
  }
}
