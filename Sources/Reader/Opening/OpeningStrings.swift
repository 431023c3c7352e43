enum OpeningStrings {
  static let noAddress = "This article has no address."
  static func noLink(_ number: String) -> String { "This article has no link \(number)." }
  static func noLinkOnPage(_ number: String) -> String { "This page has no link \(number)." }
  static let emptyPlace = "This link leads to an empty part of the article."
  static let noJump = "You have not followed a link within this article."
  static func linkWithinArticle(open key: String) -> String {
    "This link leads to another part of this article. \(key) goes there."
  }
  static func openLinks(_ count: Int) -> String { "Open \(count) links" }
  static func opened(_ name: String) -> String { "Opened \(name)." }
  static func openedLinks(_ count: Int) -> String { "Opened \(quantity(count, "link"))." }
  static func copied(_ text: String, by way: CopyWay) -> String {
    switch way {
    case .terminal: "Copied \(text)."
    case .tmux: "Copied \(text) with tmux."
    case .terminalBehindTmux: "Copied \(text), if set-clipboard is on in tmux."
    }
  }
}
