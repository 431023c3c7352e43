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
  static let allRead = "All articles are read."
  static let goOnline = ":offline goes online."
  static func retry(_ refresh: String) -> String { "\(refresh) tries again." }
  static func retry(_ refresh: String, after advice: String?) -> String {
    (advice.map { "\($0); " } ?? "") + retry(refresh)
  }
  static func lookForNew(_ refresh: String) -> String { "\(refresh) looks for new articles." }
  static func fetch(_ refresh: String) -> String { "\(refresh) fetches articles." }
  static func again(_ reason: String, _ wait: String) -> String { "\(reason) Next try in \(wait)." }
  static func retry(_ reason: String, _ refresh: String) -> String { "\(reason) \(retry(refresh))" }
}
