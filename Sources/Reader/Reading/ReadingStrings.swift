enum ReadingStrings {
  static let noArticleOpen = "No article is open."
  static func back(_ key: String) -> String { "\(key) goes back." }
  static let fullTextPrefix = "Fetching the full text from "
  static func fetchingFullText(from host: String?) -> String {
    "\(fullTextPrefix)\(host ?? "the article’s page") … \(CoreStrings.stops)"
  }
  static func fullTextStopped(_ key: String) -> String {
    "Stopped fetching the full text. \(key) fetches it again."
  }
  static let noFullText = "No full text: this article has no link to a page."
  static let noPageToSave = "No web page to save here."
  static func savingPage(_ address: String) -> String { "Saving \(address) …" }
  static let noEarlierVersion =
    "No earlier version of this article is kept. Set “update” of this feed to “changed” to keep them from now on."
  static func picture(_ alt: String) -> String { alt.isEmpty ? "picture" : "picture: \(alt)" }
  static let showingPictures = "Pictures are shown."
  static let showingDescriptions = "Pictures are hidden; their descriptions are shown."
  static let pictureGone = "The article no longer has this picture."
  static func pictureInBrowser(_ key: String) -> String {
    "\(key) opens the picture in the browser."
  }
  static let noPictures = "This article has no pictures."
  static func picturesOff(_ key: String) -> String { "Pictures are hidden. \(key) shows pictures." }
  static func readingAloud(stop key: String) -> String { "Started reading aloud. \(key) stops." }
  static let stoppedReadingAloud = "Stopped reading aloud."
  static let noOtherUnreadFeed = "No other feed has unread articles."
  static let feedShown = "The feed of this article is already shown."
  static let noStarredBelow = "No starred article below."
  static let noStarredAbove = "No starred article above."
  static let noUnreadAbove = "No unread article above."
  static let lastArticle = "This is the last article."
  static let firstArticle = "This is the first article."
  static let continuedFromTop = "Continued from the top."
  static let continuedFromEnd = "Continued from the end."
  static let lastPicture = "This is the last picture."
  static let firstPicture = "This is the first picture."
}
