internal import News
internal import Screen
internal import Text

/// An article whose full text is to be shown.
struct FullTextWish: Hashable, Sendable {
  var article: ArticleID
  /// Whether it has been asked for; else what the feed says is to come first.
  var isAsked = false
}

/// Texts in the place of the feed’s own: the full text, and the changes.
enum ArticleTexts {
  /// Shows the full text of the open article, or of the selected one, which is opened; or what the feed says again.
  static func toggleFullText(in state: inout ReaderState) -> [Effect] {
    if state.focus == .list {
      guard let row = state.list.selectedArticle else {
        return state.notify(CoreStrings.noArticleSelected)
      }
      if state.article?.id != row.id || state.article?.page == nil {
        let effects = cancelFullText(in: &state)
        state.fullTextWanted = FullTextWish(article: row.id)
        return effects + state.open(row)
      }
    }
    guard let article = state.article, let page = article.page else {
      return state.notify(ReadingStrings.noArticleOpen)
    }
    if page.isFullText { return [.article(.showFeedText(article.id, width: state.articleWidth))] }
    return askForFullText(page.article, in: &state)
  }

  private static func askForFullText(_ article: Article, in state: inout ReaderState) -> [Effect] {
    let isStored = article.fullText != nil
    guard let url = article.entry.url ?? article.fullText?.url else {
      state.fullTextWanted = nil
      return state.notify(ReadingStrings.noFullText)
    }
    state.fullTextWanted = FullTextWish(article: article.id, isAsked: true)
    let progress = ReadingStrings.fetchingFullText(from: WebAddress.host(of: url))
    return [.article(.showFullText(article.id, width: state.articleWidth))]
      + (isStored ? [] : state.notify(progress))
  }

  /// Asks for the full text of an article that has just opened for it.
  static func continueToFullText(_ page: ArticlePage, in state: inout ReaderState) -> [Effect] {
    guard state.fullTextWanted == FullTextWish(article: page.article.id) else { return [] }
    guard !page.isFullText else {
      state.fullTextWanted = nil
      return []
    }
    return askForFullText(page.article, in: &state)
  }

  static func receiveFullText(_ page: ArticlePage, in state: inout ReaderState) -> [Effect] {
    guard endFullText(of: page.article.id, in: &state), state.article?.id == page.article.id else {
      return []
    }
    return Previewing.receive(page, in: &state)
  }

  static func endFullText(
    of id: ArticleID, _ error: SourceError, in state: inout ReaderState
  ) -> [Effect] {
    endFullText(of: id, in: &state) ? state.notify(error) : []
  }

  private static func endFullText(of id: ArticleID, in state: inout ReaderState) -> Bool {
    guard state.fullTextWanted?.article == id else { return false }
    state.fullTextWanted = nil
    if state.notice?.text.hasPrefix(ReadingStrings.fullTextPrefix) == true { state.notice = nil }
    return true
  }

  /// Cancels the full text of an article that is left.
  static func cancelFullText(in state: inout ReaderState) -> [Effect] {
    guard let wish = state.fullTextWanted else { return [] }
    _ = endFullText(of: wish.article, in: &state)
    return wish.isAsked ? [.cancel(.article(.fullText))] : []
  }

  /// Saves the page of the selected link, else that of the article.
  static func saveLink(in state: inout ReaderState) -> [Effect] {
    guard let article = state.article, let page = article.page else {
      return state.notify(ReadingStrings.noArticleOpen)
    }
    let url = article.link.map(page.link) ?? page.article.entry.url
    guard let url, WebAddress.isWeb(url) else { return state.notify(ReadingStrings.noPageToSave) }
    return [.article(.savePage(url))]
      + state.notify(ReadingStrings.savingPage(WebAddress.withoutScheme(url)))
  }

  static func showChanges(in state: inout ReaderState) -> [Effect] {
    guard let article = state.article, let page = article.page else {
      return state.notify(ReadingStrings.noArticleOpen)
    }
    if page.other?.isDifference == true {
      return [.article(.open(article.id, width: state.articleWidth))]
    }
    guard page.article.changed != nil || article.row?.isChanged == true else {
      return state.notify(ReadingStrings.noEarlierVersion)
    }
    return [.article(.showChanges(article.id, width: state.articleWidth))]
  }
}
