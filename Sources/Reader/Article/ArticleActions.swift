package import News
internal import Text

extension Action {
  /// Events of the article that shows.
  package enum Article: Hashable, Sendable {
    case arrived(ArticlePage)
    case failed(ArticleID, SourceError)
    /// The page of an article is there, or why it is not.
    case fullTextArrived(ArticlePage)
    case fullTextFailed(ArticleID, SourceError)
    /// A page is among those that are saved; with an error where its text is not there yet.
    case pageSaved(String, SourceError?)
    /// The text of an article is in a file.
    case saved(path: String)
    /// An article was read aloud to its end, or could not be.
    case speechEnded(ArticleID, SourceError?)
  }
}

extension Effect {
  /// Reading an article, and keeping what belongs to it.
  package enum Article: Hashable, Sendable {
    /// Read an article and lay it out for a width in columns.
    case open(ArticleID, width: Int)
    /// The same once the selection has rested for a moment: it is to be looked at.
    case preview(ArticleID, width: Int)
    /// Lay an article out anew with a text in the place of its own.
    case layOut(OtherText, ArticleID, width: Int)
    /// Lay an article out anew with what its feed has changed in the place of its text.
    case showChanges(ArticleID, width: Int)
    /// Lay an article out anew with the article of its page, which is fetched where it is not stored.
    case showFullText(ArticleID, width: Int)
    /// Lay an article out anew with what its feed says.
    case showFeedText(ArticleID, width: Int)
    /// The change that an article is marked with has been seen.
    case clearChanged(ArticleID)
    case keepPlace(ArticleID, ReadingPosition?)
    /// Write an article to a file that is not there yet: its text, or a page, a book or Markdown where its name says so.
    case save(ArticleID, path: String)
    /// Save the page that a link leads to.
    case savePage(String)
    /// Read an article aloud by a program, and report when it is done.
    case readAloud(ArticleID)

    package enum ID: Hashable, Sendable { case page, fullText, speech }

    package var id: EffectID? {
      switch self {
      case .open, .preview, .layOut, .showChanges, .showFeedText: .article(.page)
      case .showFullText: .article(.fullText)
      case .readAloud: .article(.speech)
      case .clearChanged, .keepPlace, .save, .savePage: nil
      }
    }
  }
}

extension ReaderState {
  mutating func receive(_ action: Action.Article) -> [Effect] {
    switch action {
    case .arrived(let page):
      return receive(page) + (page.isBeginning ? [] : continueToFullText(page))
    case .failed(let id, let error):
      let preview = showPreview(id) { $0.error = error }
      if preview == nil, article?.id == id { article?.error = error }
      return preview ?? []
    case .fullTextArrived(let page): return receiveFullText(page)
    case .fullTextFailed(let id, let error): return endFullText(of: id, error)
    case .pageSaved(let url, let error):
      let name = WebAddress.withoutScheme(url)
      guard let error else { return notify("saved \(name)") }
      return notify("saved \(name), without its text: \(error.line)", .error)
    case .saved(let path): return notify("saved to \(path)")
    case .speechEnded(let id, let error): return endSpeech(id, error)
    }
  }

  mutating func receive(_ page: ArticlePage) -> [Effect] {
    let left = leftArticle
    let preview = showPreview(page.article.id) { $0.receive(page, left: left) }
    if let preview { return preview }
    article?.receive(page, left: left)
    // A program has taken so long that the pane has another width by now.
    guard let article, !page.isBeginning, article.page == page, page.width != articleWidth
    else { return [] }
    return [article.layOut(width: articleWidth)]
  }
}
