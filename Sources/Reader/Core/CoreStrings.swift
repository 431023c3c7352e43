enum CoreStrings {
  static let loading = "Loading …"
  static let noArticleSelected = "No article is selected."
  static let noLinks = "This article has no links."
  static let noVisibleLink = "No link is on the screen."
  static let online = "Online again."
  static let notPacking = "No trip is being packed."
  static let packingStopped = "Packing stopped. The packed articles are kept."
  static let wentOffline =
    "Offline: only cached articles show, and changes wait in the outbox. Run :offline to go online."
  static func unusedKey(_ key: String, help: String) -> String {
    "\(key) does not work on this page. Press \(help) to see the keys."
  }
  static func moreMistakes(_ first: String, more count: Int) -> String {
    count == 0 ? first : "\(first) (and \(count) more: telex config check)"
  }
  static let goOnline = ":offline goes online."
  static func retry(_ refresh: String) -> String { "\(refresh) tries again." }
  static func offline(for duration: String, advice: String) -> String {
    "Offline for \(duration). \(advice)"
  }
  static func offlineChosen(_ advice: String) -> String { "Offline (by choice). \(advice)" }
  static let offlineByChoice = "offline (by choice)"
  static func offline(for duration: String) -> String { "offline for \(duration)" }
  static func windowTitle(unread: Int) -> String { unread == 0 ? "Telex" : "Telex (\(unread))" }
  static let readLately = "Recently read"
  static let justNow = "just now"
  static func ago(_ duration: String) -> String { "\(duration) ago" }
  static let allKeys = "all keys"
  static let goTo = "Go to"
  static let noFeedHasLetters = "No feed or folder matches these letters."
  static let allCommands = "All commands of this page"
  static let noCommandHasLetters = "No command matches these letters."
  static let linkPrompt = "Open the link with these letters: "
  static func noLink(_ letters: String) -> String { "No link has the letters “\(letters)”." }
  static func feeds(of host: String) -> String { "Feeds of \(host)" }
  static func files(of article: String) -> String { "Files of \(article)" }
  static let escape = "Esc cancel"
  static let stop = KeyHint("Esc", "stop")
  static let stops = "Esc stops."
  static func refreshStopped(_ refresh: String) -> String {
    "Stopped refreshing. Articles that came are kept; \(refresh) refreshes again."
  }
  static let readingAloud = "reading aloud"
  static func waiting(for name: String) -> String { "waiting for \(name)" }
  static func retries(_ count: Int, in wait: String) -> String {
    "\(quantity(count, "feed")) to retry, first in \(wait)"
  }
  static func themesLookAlike(colors: Int) -> String {
    "With \(colors) colours themes look alike."
  }
  static func lastTime(isLongest: Bool) -> String {
    isLongest ? "This is the longest time." : "This is the shortest time."
  }
  static let noNetwork = "no network"
  static let notTrusted = "not trusted"
  static let neverFetched = "never fetched"
}
