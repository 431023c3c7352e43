package import News
internal import Text

extension Action {
  package enum Article: Hashable, Sendable {
    case arrived(ArticlePage)
    case failed(ArticleID, SourceError)
    /// The full text of an article is there.
    case fullTextArrived(ArticlePage)
    case fullTextFailed(ArticleID, SourceError)
    /// A page is among those that are saved; with an error where its text is not there yet.
    case pageSaved(String, SourceError?)
    /// The text of an article is in a file.
    case saved(path: String)
    /// Reading an article aloud has ended, with an error where it failed.
    case speechEnded(ArticleID, SourceError?)
  }
}

extension Effect {
  package enum Article: Hashable, Sendable {
    /// Read an article and lay it out for a width in columns.
    case open(ArticleID, width: Int)
    /// Read and lay out the selected article once the selection has rested for a moment.
    case preview(ArticleID, width: Int)
    /// Lay out another text in the place of the article’s own.
    case layOut(OtherText, ArticleID, width: Int)
    /// Lay out the changes of an article by its feed.
    case showChanges(ArticleID, width: Int)
    /// Lay out the full text of an article, which is fetched where it is not stored.
    case showFullText(ArticleID, width: Int)
    /// Lay out the text of the feed.
    case showFeedText(ArticleID, width: Int)
    /// The user has seen the change of an article.
    case clearChanged(ArticleID)
    case keepPlace(ArticleID, ReadingPosition?)
    /// Write an article to a file that is not there yet: its text, or a page, a book or Markdown where its name says so.
    case save(ArticleID, path: String)
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

extension Action.Article {
  func reduce(_ state: inout ReaderState) -> [Effect] {
    switch self {
    case .arrived(let page):
      return Previewing.receive(page, in: &state)
        + (page.isBeginning ? [] : ArticleTexts.continueToFullText(page, in: &state))
    case .failed(let id, let error):
      let preview = Previewing.showPreview(id, in: &state) { $0.error = error }
      if preview == nil, state.article?.id == id { state.article?.error = error }
      return preview ?? []
    case .fullTextArrived(let page): return ArticleTexts.receiveFullText(page, in: &state)
    case .fullTextFailed(let id, let error):
      return ArticleTexts.endFullText(of: id, error, in: &state)
    case .pageSaved(let url, let error):
      let name = WebAddress.withoutScheme(url)
      guard let error else { return state.notify(ArticleStrings.inLater(name)) }
      return state.notify(ArticleStrings.inLaterWithoutText(name, error.line), .error)
    case .saved(let path): return state.notify(ArticleStrings.saved(path))
    case .speechEnded(let id, let error): return ReadingAloud.endSpeech(id, error, in: &state)
    }
  }
}
