internal import News
internal import Screen
internal import Text

extension Command {
  static let fullText = Command("full-text")
  static let saveLink = Command("save-link")
}

extension KeyBinding {
  static let fullText = KeyBinding(
    .fullText, [.character("F")], "its full text from its page, or the feed's text again", .read)
}

extension KeyBinding {
  static let saveLink = KeyBinding(
    .saveLink, [.character("P")], "keep the page of the picked link in Saved, else its own", .read)
}

/// An article whose full text is to be shown.
struct FullTextWish: Hashable, Sendable {
  var article: ArticleID
  /// Whether it has been asked for; else what the feed says is to come first.
  var isAsked = false
}

/// The article of an article's page in the place of what its feed says.
extension ReaderState {
  private static let progress = "fetching the full text from "

  /// Shows the full text of the open article, or of the selected one, which is opened; or what the feed says again.
  mutating func toggleFullText() -> [Effect] {
    if focus == .list {
      guard let row = list.selectedArticle else { return notify("no article is selected") }
      if article?.id != row.id || article?.page == nil {
        let effects = cancelFullText()
        fullTextWanted = FullTextWish(article: row.id)
        return effects + open(row)
      }
    }
    guard let article, let page = article.page else { return notify("no article is open") }
    if page.isFullText { return [.article(.showFeedText(article.id, width: articleWidth))] }
    return askForFullText(page.article)
  }

  private mutating func askForFullText(_ article: Article) -> [Effect] {
    let isStored = article.fullText != nil
    guard let url = article.entry.url ?? article.fullText?.url else {
      fullTextWanted = nil
      return notify("this article leads to no page; its feed says all that there is")
    }
    fullTextWanted = FullTextWish(article: article.id, isAsked: true)
    let host = WebAddress.host(of: url) ?? "its page"
    return [.article(.showFullText(article.id, width: articleWidth))]
      + (isStored ? [] : notify(Self.progress + host))
  }

  /// Asks for the full text of an article that has just opened for it.
  mutating func continueToFullText(_ page: ArticlePage) -> [Effect] {
    guard fullTextWanted == FullTextWish(article: page.article.id) else { return [] }
    guard !page.isFullText else {
      fullTextWanted = nil
      return []
    }
    return askForFullText(page.article)
  }

  mutating func receiveFullText(_ page: ArticlePage) -> [Effect] {
    guard endFullText(of: page.article.id), article?.id == page.article.id else { return [] }
    return receive(page)
  }

  mutating func endFullText(of id: ArticleID, _ error: SourceError) -> [Effect] {
    endFullText(of: id) ? notify(error) : []
  }

  /// - Returns: whether it was wanted.
  private mutating func endFullText(of id: ArticleID) -> Bool {
    guard fullTextWanted?.article == id else { return false }
    fullTextWanted = nil
    if notice?.text.hasPrefix(Self.progress) == true { notice = nil }
    return true
  }

  /// Ends what is on its way for an article that is left.
  mutating func cancelFullText() -> [Effect] {
    guard let wish = fullTextWanted else { return [] }
    _ = endFullText(of: wish.article)
    return wish.isAsked ? [.cancel(.article(.fullText))] : []
  }

  /// Saves the page of the link that is picked, else that of the article.
  mutating func saveLink() -> [Effect] {
    guard let article, let page = article.page else { return notify("no article is open") }
    let url = article.link.map(page.link) ?? page.article.entry.url
    guard let url, WebAddress.isWeb(url) else { return notify("that leads to no page") }
    return [.article(.savePage(url))] + notify("saving \(WebAddress.withoutScheme(url))")
  }
}
