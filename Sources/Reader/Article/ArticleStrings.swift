internal import News

enum ArticleStrings {
  static func alsoIn(_ feeds: String) -> String { "also in \(feeds)" }
  static func changedByFeed(_ date: String) -> String { "changed by its feed, \(date)" }
  static func commentFeed(_ address: String) -> String { "feed of the comments: \(address)" }
  static func fullText(host: String, pages: Int) -> String {
    "full text · \(host)" + (pages == 1 ? "" : " · \(pages) pages")
  }
  static func playedUpTo(_ time: String) -> String { "played up to \(time)" }
  static let noText = "This article has no text."
  static let noTextHere = "The feed has no text for this article. Open its page in the browser."
  static func image(_ text: String) -> String { text.isEmpty ? "[image]" : "[image: \(text)]" }
  static func text(by name: String) -> String {
    "Output of \(name). Go back to see the article’s own text."
  }
  static func changesHeading(hasKeys: Bool) -> String {
    "Changes to the article: − before, + now." + (hasKeys ? " Go back to see the article." : "")
  }
  static func openHere(_ key: String) -> String { "Press \(key) to open the article here." }
  static func inLater(_ page: String) -> String { "\(page) is in Later." }
  static func inLaterWithoutText(_ page: String, _ reason: String) -> String {
    "\(page) is in Later without its text: \(reason)"
  }
  static func saved(_ path: String) -> String { "Saved to \(path)." }
}

extension ArticlePane {
  func hints(in state: ReaderState) -> [KeyHint] {
    if let find = state.article?.find {
      if find.hits.isEmpty {
        return [KeyHint(.find, "find again (no “\(find.words)”)"), KeyHint(.leave, "done")]
      }
      let place = find.current.map { "\($0 + 1)/\(find.hits.count)" } ?? ""
      return [
        KeyHint(.next, "next “\(find.words)” \(place)"), KeyHint(.previous, "previous"),
        KeyHint(.findWord, "whole word"), KeyHint(.leave, "done"),
      ]
    }
    let page = state.article?.page
    let changes = page?.other?.isDifference == true ? "article" : "changes"
    return [KeyHint.keys]
      + (page?.article.changed == nil ? [] : [KeyHint(.changes, changes)]) + [
        KeyHint(Command(.pageDown), "page"), KeyHint(.next, "next unread"), KeyHint(.find, "find"),
        KeyHint(.openInBrowser, "browser"), KeyHint(.toggleStar, "star"), KeyHint.back,
      ]
  }
}
