internal import News

enum FeedFormStrings {
  static let settings = "Feed settings"
  static let differing = "different values"
  static let changeProxy = "Change the proxy with telex set FEED --proxy ADDRESS."
  static func isStandard(_ field: String) -> String { "“\(field)” already has its default." }
  static func changeAddress(health: String, change: String) -> String {
    "Change the address on the Health page: press \(health), then \(change)."
  }
}

extension FeedForm.Field {
  var meaning: String {
    switch self {
    case .title: "Title of this feed in Telex."
    case .folders:
      "Folders of this feed, separated by semicolons. A slash separates a folder from one inside it."
    case .setting(let setting): "\(setting.meaning) Values: \(setting.values)."
    case .proxy: "Proxy for requests to this feed. \(FeedFormStrings.changeProxy)"
    case .address: "Address of this feed."
    }
  }
}

extension FeedSetting {
  fileprivate var meaning: String {
    switch self {
    case .interval: "How often to fetch this feed."
    case .paused: "Skip this feed unless you refresh it alone."
    case .hidden: "Hide its articles from All and Unread."
    case .silent: "Show its failures only in its own list."
    case .pictures: "Show the pictures of its articles, or only their descriptions."
    case .update: "What to do when the feed changes an article."
    case .browser: "Program that opens its pages."
    case .userAgent: "User agent to send with each request."
    case .headers: "Headers to send with each request."
    case .keepFor: "How long to keep its articles."
    case .keepAtMost: "How many of its articles to keep."
    case .stories: "Group its articles with those of other feeds on the same story."
    case .metered: "What to fetch automatically on a metered connection."
    case .fullText: "Fetch the full text of its unread articles at each refresh."
    }
  }
}
