internal import Text

package import struct Foundation.Date

/// Counts of articles. Those of feeds are updated with every write rather than counted.
package struct ArticleCounts: Hashable, Sendable {
  package var total: Int
  package var unread: Int
  package var starred: Int
  /// Unread articles that are not counted, because they stand behind another one of their story.
  package var unreadBehind = 0

  /// Unread articles, each for itself.
  package var unreadArticles: Int { unread + unreadBehind }

  /// Articles of a search that are counted at most: a `total` that reaches it stands for that many or
  /// more.
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

/// Progress of loading the older pages of a feed.
package enum Paging: Int, Hashable, Sendable, Codable {
  case notStarted
  /// The source has more, and the cursor to it is stored.
  case more
  /// The source has no older pages; it is not asked again.
  case end
  /// The last attempt failed and can be repeated.
  case failed
}

/// Subscription to a feed, with its description, counts and state.
package struct Feed: Hashable, Sendable, Identifiable {
  package let id: FeedID
  /// The account of the feed. Addresses are unique within an account.
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
  /// The paths of its folders, in the order in which they were given.
  package var folders: [String]
  /// Whether the user entered the address, so that it may lead to a private host.
  package var isUserEntered: Bool
  /// The name for this feed alone; its password is kept with the secrets.
  package var signIn: FeedSignIn?
  /// The proxy of this feed; nil for that of the settings.
  package var proxy: FeedProxy?
  /// How its articles are asked for and read, where the address does not tell.
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

  /// The address of the server that is asked for its articles: that of its account, where they come with a sync of
  /// the account as a whole; else its own.
  package var serverURL: String { account.capabilities.contains(.items) ? account.base : url }

  /// The title, else the address without its scheme.
  package var displayTitle: String {
    if let title, !title.isEmpty { return title }
    return WebAddress.withoutScheme(WebAddress.withoutUser(url))
  }

  /// The scheme of the addresses of feeds that are a program's output. Such an address is a name only: which program
  /// is run says the recipe.
  package static let commandScheme = "exec:"

  /// Whether it is a program's output.
  package var isCommand: Bool { url.hasPrefix(Self.commandScheme) }

  /// The address of the feed that holds the pages the user has saved. It is a name only: nothing is fetched from it.
  package static let savedURL = "saved:pages"

  /// Whether its articles are pages that the user has saved.
  package var isSaved: Bool { url == Self.savedURL }

  /// Whether its failures are told of where it is one of several feeds.
  package var showsFailure: Bool { state.isFailing && !settings.isSilent && !awaitsNetwork }

  /// Whether it was added without a network, and there was none since to look for the feed at its address.
  package var awaitsNetwork: Bool { settings.isSought && state.error?.isConnectivity == true }

  /// The address that the feed says it has moved to; nil where that is its address.
  package var movedTo: String? {
    details.movedTo.flatMap { WebAddress.move(from: url, to: $0) }
  }
}

/// Proxy of a single feed, instead of that of the settings.
package enum FeedProxy: Hashable, Sendable {
  case direct
  /// The address of a proxy with the user; the password is kept with the secrets.
  case via(String)

  /// The text form for the store and the command line.
  package var text: String {
    switch self {
    case .direct: "direct"
    case .via(let address): address
    }
  }

  package init(text: String) { self = text == "direct" ? .direct : .via(text) }
}

/// How the articles of a feed are asked for and what they are read from, where its address does not tell.
/// Opaque: only the source that made it can read it.
package struct FeedRecipe: Hashable, Sendable {
  package let rawValue: String

  package init(_ rawValue: String) { self.rawValue = rawValue }
}

/// Further properties from the description of a feed.
package struct FeedDetails: Hashable, Sendable {
  /// The address of the feed's image.
  package var image: String?
  /// The address of the feed's small square icon.
  package var icon: String?
  /// The authors of the feed.
  package var authors: [Author]
  package var rights: String?
  /// The address that the feed says it has moved to, which may be the one it has.
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

/// State of fetching a feed.
package struct FeedState: Hashable, Sendable {
  package var lastAttempt: Date?
  package var lastSuccess: Date?
  /// The time before which the server does not want to be asked, except by the user.
  package var nextAttempt: Date?
  /// The end of the pause that its host wants from all that is fetched without being named; part of `nextAttempt`.
  package var restsUntil: Date?
  /// Why the last attempt failed; nil after a success.
  package var error: SourceError?
  /// Whether the server answered 410, so that automatic refreshes skip the feed.
  package var isGone: Bool
  package var paging: Paging
  /// The shortest interval between two refreshes that the feed asks for, in minutes.
  package var minutesToLive: Int?
  /// What the server told beside its last answer; nil for nothing.
  package var remark: String?
  /// The HTTP exchange of the last attempt.
  package var exchange: ExchangeSummary?
  /// The current run of failures; nil after a success.
  package var failing: FailureRun?

  package init(
    lastAttempt: Date? = nil, lastSuccess: Date? = nil, nextAttempt: Date? = nil,
    restsUntil: Date? = nil, error: SourceError? = nil, isGone: Bool = false,
    paging: Paging = .notStarted, minutesToLive: Int? = nil, remark: String? = nil,
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
    self.remark = remark
    self.exchange = exchange
    self.failing = failing
  }

  /// Whether the last attempt failed and another may succeed: not for a feed that is gone for good.
  package var isFailing: Bool { error != nil && !isGone }
}

/// Summary of the HTTP exchange of a refresh.
package struct ExchangeSummary: Hashable, Sendable, Codable {
  /// The HTTP status of the last response; nil without one.
  package var status: Int?
  /// The number of attempts.
  package var attempts: Int
  /// The target of a redirect that does not change the address by itself: a temporary one, or one to another server
  /// for a feed whose headers stay at its own; nil for none.
  package var redirectedTo: String?

  package init(status: Int? = nil, attempts: Int = 1, redirectedTo: String? = nil) {
    self.status = status
    self.attempts = attempts
    self.redirectedTo = redirectedTo
  }
}

/// Run of failures since the last success.
package struct FailureRun: Hashable, Sendable {
  package var since: Date
  package var count: Int

  package init(since: Date, count: Int) {
    self.since = since
    self.count = count
  }
}
