package import News
internal import Text

extension SubscriptionText {
  /// Sorted, so that the same subscriptions give the same text.
  ///
  /// - Parameters:
  ///   - comment: lines at the top.
  ///   - namesFeeds: whether the name of a feed is in a comment after its address.
  package static func write(
    _ list: SubscriptionList, comment: [String] = [], namesFeeds: Bool = false
  ) -> String {
    var lines = comment.map { "# \(PlainText.sanitized($0))" }
    var owner: SubscriptionList.Owner?
    var folder = ""
    // Feeds without settings stand together.
    var isApart = true
    for feed in list.sorted.feeds {
      let first = feed.folders.first ?? ""
      let stanza = properties(of: feed)
      let isNew = feed.owner != owner || first != folder
      if isNew || isApart || !stanza.isEmpty, !lines.isEmpty { lines.append("") }
      if feed.owner != owner, let new = feed.owner {
        let user = PlainText.sanitized(new.user)
        lines.append("\(account) \(word(new.base))\(user.isEmpty ? "" : " \(user)")")
        folder = ""
      }
      if first != folder { lines.append("[\(first)]") }
      (owner, folder) = (feed.owner, first)
      let name = namesFeeds && feed.title == nil ? PlainText.sanitized(feed.name ?? "") : ""
      lines.append(word(feed.url) + (name.isEmpty ? "" : "  # \(name)"))
      lines += stanza
      isApart = !stanza.isEmpty
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func properties(of feed: SubscriptionList.Feed) -> [String] {
    var values: [(String, String)] = []
    if let title = feed.title { values.append((Self.title, title)) }
    values += feed.folders.dropFirst().map { (folder, $0) }
    for setting in FeedSetting.allCases {
      if let text = feed.settings[setting] { values.append((setting.rawValue, text)) }
    }
    if let proxy = feed.proxy { values.append((self.proxy, proxy.text)) }
    if feed.hasRecipe { values.append((recipe, own)) }
    return values.map { "    \($0) = \(PlainText.sanitized($1))" }
  }

  /// Encodes spaces, which end a word.
  private static func word(_ text: String) -> String {
    // Commands may contain spaces and percent signs.
    let isCommand = text.hasPrefix(Feed.commandScheme)
    return (isCommand ? text.replacing("%", with: "%25") : WebAddress.withoutUser(text))
      .unicodeScalars.reduce(into: "") { word, scalar in
        if scalar.properties.isWhitespace {
          word += "%20"
        } else {
          word.unicodeScalars.append(scalar)
        }
      }
  }
}
