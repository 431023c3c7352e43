internal import News

enum ListStrings {
  static let hints = [
    KeyHint.keys, KeyHint(.open, "open"), KeyHint(.next, "next unread"),
    KeyHint(.refresh, "refresh"), KeyHint(.toggleStar, "star"), KeyHint(.find, "find"),
    KeyHint.back,
  ]
  static let notInFeed = "These articles were no longer in the feed when it was last fetched."
  static let loadingMissing = "Loading the missing articles …"
  static let noStory = "No other feed has an article on this story."
  static let unreadOnly = "unread only"
  static let neverFetched = "never fetched"
  static let offlineByChoice = "offline (by choice)"
  static let notTrusted = "not trusted"
  static func unread(_ count: String) -> String { "\(count) unread" }
  static let manyFound = "10,000 or more found"
  static let pullAgain = "↓ pull again to refresh"
  static let pullAgainShort = "↓ pull again"
  static func arrived(_ number: String, first: String) -> [String] {
    ["\(number) new · \(first)", "\(number) new", number]
  }
  static func age(_ age: String, isCached: Bool) -> String {
    "\(isCached ? "cached" : "updated") \(age)"
  }
  static let moreOlder = "· older articles: scroll on to load them"
  static let loadingOlder = "… loading older articles"
  static let end = "— the end —"
  static let circular = "— the end: the feed repeats its pages —"
  static func savingData(down: String) -> String {
    "· older articles: \(down) loads them (saving data)"
  }
  static func olderFailed(_ reason: String, down: String) -> String {
    "! older articles failed, \(down) tries again: \(reason)"
  }
  static func missing(from: some StringProtocol, to: some StringProtocol, load: String) -> String {
    "missing \(from) – \(to) · \(load) loads"
  }
  static func lost(from: some StringProtocol, to: some StringProtocol) -> String {
    "\(from) – \(to) not in the feed"
  }
  static let noFeeds = "No feeds yet."
  static let noFeedsInFolder = "No feeds in this folder."
  static let noArticles = "No articles in this list."
  static let noStarred = "No starred articles yet."
  static let allRead = "All articles are read."
  static let neverFetchedYet = "Never fetched."
  static let awaitsNetwork = "Waiting for the network to find the feed."
  static let emptyOffline = "Offline, and no articles of this list are cached yet."
  static let emptyOfflineByChoice =
    "Offline by your choice, and no articles of this list are cached."
  static let goOnline = ":offline goes online."
  static let importFile = ":import FILE imports a list of feeds (OPML)."
  static func loading(_ done: Int, of total: Int) -> String { "Loading … \(done) of \(total)" }
  static func noneFound(_ words: String) -> String { "No articles found for “\(words)”." }
  static func noneMatch(_ query: String) -> String { "No articles match “\(query)”." }
  static func noArticles(in list: String) -> String { "No articles in \(list)." }
  static func indexing(_ percent: Int) -> String {
    "Rebuilding the search index, newest articles first: \(percent)% done."
  }
  static func addToLater(_ later: String) -> String { "\(later) adds an article to Later." }
  static func changeFilter(_ filter: String, back: String) -> String {
    "\(filter) changes the filter, \(back) shows the whole list again."
  }
  static func changeQuery(_ change: String) -> String {
    "\(change) in the sidebar changes the query."
  }
  static func subscribe(_ add: String) -> String {
    "Press \(add) and type the address of a feed or a page."
  }
  static func subscribeToStarters(_ key: String) -> String {
    "\(key) subscribes to a few feeds to start with."
  }
  static func importFeeds(_ key: String, _ library: FoundLibrary) -> String {
    "\(key) imports \(quantity(library.feeds, "feed")) and their articles from \(library.reader)."
  }
  static func importOthers(_ library: FoundLibrary) -> String {
    ":import --from \(library.reader) imports \(quantity(library.feeds, "feed"))."
  }
  static func showKeys(_ help: String) -> String { "\(help) shows all keys." }
  static func moveFeed(_ move: String) -> String {
    "\(move) in the sidebar moves a feed to a folder."
  }
  static func retry(_ refresh: String) -> String { "\(refresh) tries again." }
  static func retry(_ refresh: String, after advice: String?) -> String {
    (advice.map { "\($0); " } ?? "") + retry(refresh)
  }
  static func retryOnline(_ refresh: String) -> String {
    "Telex tries again once there is a network; \(refresh) tries now."
  }
  static func showRead(_ key: String, _ count: Int) -> String {
    "\(key) shows \(quantity(count, "read article"))."
  }
  static func lookForNew(_ refresh: String) -> String { "\(refresh) looks for new articles." }
  static func star(_ key: String) -> String { "\(key) stars an article." }
  static func fetch(_ refresh: String) -> String { "\(refresh) fetches articles." }
  static func neverFetched(_ account: String) -> String { "\(account) was never fetched." }
  static func firstFetch(_ account: String) -> String { "Fetching \(account) for the first time …" }
  static let offlineHint = "Offline (by choice). \(goOnline)"
  static func offline(for duration: String, refresh: String) -> String {
    "Offline for \(duration). \(retry(refresh))"
  }
  static func attempt(_ number: Int, of most: Int, in wait: String) -> String {
    "Attempt \(number) of \(most) in \(wait)."
  }
  static func pause(_ wait: String) -> String { again("The server asked for a pause.", wait) }
  static func again(_ reason: String, _ wait: String) -> String { "\(reason) Next try in \(wait)." }
  static func signIn(_ reason: String, _ signIn: String) -> String {
    "\(reason) \(signIn) signs in."
  }
  static func retry(_ reason: String, _ refresh: String) -> String { "\(reason) \(retry(refresh))" }
}
