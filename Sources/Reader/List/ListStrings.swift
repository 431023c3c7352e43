internal import News
internal import Screen

enum ListStrings {
  static let hints = [
    KeyHint.keys, KeyHint(.open, "open"), KeyHint(.next, "next unread"),
    KeyHint(.refresh, "refresh"), KeyHint(.toggleStar, "star"), KeyHint(.find, "find"),
    KeyHint.back,
  ]
  static let notInFeed = "These articles were no longer in the feed when it was last fetched."
  static let loadingMissing = "Loading the missing articles …"
  static func olderStopped(_ down: String) -> String {
    "Stopped loading older articles. At the end of the list \(down) loads them."
  }
  static let noStory = "No other feed has an article on this story."
  static let unreadOnly = "unread only"
  static let manyFound = "10,000 or more found"
  static let pullAgain = "↓ pull again to refresh"
  static let pullAgainShort = "↓ pull again"
  static func gap(_ from: Substring, _ to: Substring, load: String?) -> String {
    load.map { "missing \(from) – \(to) · \($0) loads" } ?? "\(from) – \(to) not in the feed"
  }
  static let allRead = "All articles are read."
  static func retry(_ refresh: String, after advice: String?) -> String {
    (advice.map { "\($0); " } ?? "") + CoreStrings.retry(refresh)
  }
  static func lookForNew(_ refresh: String) -> String { "\(refresh) looks for new articles." }
  static func fetch(_ refresh: String) -> String { "\(refresh) fetches articles." }
}

extension ListDrawing {
  var footer: (String, Style)? {
    guard let snapshot = list.snapshot, !snapshot.slice.hasOlder else { return nil }
    switch snapshot.older {
    case .none: return nil
    case .more where snapshot.freshness.savesData:
      return (
        "· older articles: \(state.key(Command(.down))) loads them (saving data)", state.theme.dim
      )
    case .more: return ("· older articles: scroll on to load them", state.theme.dim)
    case .loading:
      return ("… loading older articles · \(CoreStrings.stops)", state.theme.accent)
    case .end: return ("— the end —", state.theme.dim)
    case .circular: return ("— the end: the feed repeats its pages —", state.theme.warning)
    case .failed(let error):
      return (
        "! older articles failed, \(state.key(Command(.down))) tries again: \(error.message)",
        state.theme.style(of: error, quiet: state.theme.warning)
      )
    }
  }
}
