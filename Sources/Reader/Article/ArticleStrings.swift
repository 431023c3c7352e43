enum ArticleStrings {
  static func alsoIn(_ feeds: String) -> String { "also in \(feeds)" }
  static func changedByFeed(_ date: String) -> String { "changed by its feed, \(date)" }
  static func commentFeed(_ address: String) -> String { "feed of the comments: \(address)" }
  static func fullText(host: String, pages: Int) -> String {
    "full text · \(host)" + (pages == 1 ? "" : " · \(pages) pages")
  }
  static func playedUpTo(_ time: String) -> String { "played up to \(time)" }
  static let noText = "This article has no text."
  static let noTextHere = "This article has no text here. Open its page in the browser to read it."
  static func image(_ text: String) -> String { text.isEmpty ? "[image]" : "[image: \(text)]" }
  static func text(by name: String) -> String {
    "Text by \(name). Go back to see the article’s own text."
  }
  static func changesHeading(hasKeys: Bool) -> String {
    "Changes of the article: − before, + now." + (hasKeys ? " Go back to see the article." : "")
  }
  static func openHere(_ key: String) -> String { "Press \(key) to open the article here." }
  static let nextUnread = "next unread"
  static let wholeWord = "whole word"
  static func findOther(_ words: String) -> String { "find other words than “\(words)”" }
  static func next(_ words: String, _ place: String) -> String { "next of “\(words)” \(place)" }
  static func inLater(_ page: String) -> String { "\(page) is in Later." }
  static func inLaterWithoutText(_ page: String, _ reason: String) -> String {
    "\(page) is in Later without its text: \(reason)"
  }
  static func saved(_ path: String) -> String { "Saved to \(path)." }
}
