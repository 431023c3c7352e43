internal import News
internal import Reader
internal import TelexKit

/// Loads and lays out articles, and stores their state.
struct ArticlePerformer: EffectPerformer {
  nonisolated let context: EffectContext
  nonisolated let look: ArticleLook

  func perform(_ effect: Effect.Article) {
    let id = effect.id
    switch effect {
    case .open(let article, let width):
      start(id, { .article(.failed(article, $0)) }) {
        try await page(of: article, width: width) { beginning in
          if !Task.isCancelled { inbox.send(.article(.arrived(beginning))) }
        }
      }
    case .preview(let article, let width):
      start(id, { .article(.failed(article, $0)) }) {
        try await Task.sleep(for: .milliseconds(ReaderState.previewDelay))
        return try await page(of: article, width: width)
      }
    case .layOut(let other, let article, let width):
      start(id, { .article(.failed(article, $0)) }) {
        try await page(of: article, width: width, with: other)
      }
    case .showChanges(let article, let width):
      start(id) {
        let existing = try await articles.existing(article)
        let other = OtherText(changes: try await articles.changes(in: article).html)
        return .article(.arrived(await look.page(of: existing, width: width, with: other)))
      }
    case .showFullText(let article, let width):
      start(id, { .article(.fullTextFailed(article, $0)) }) {
        _ = try await articles.existing(article)
        let whole = try await FullTexts(composition).show(article)
        return .article(.fullTextArrived(await look.page(of: whole, width: width)))
      }
    case .showFeedText(let article, let width):
      start(id) {
        let told = try await FullTexts(composition).showFeedText(of: article)
        return .article(.arrived(await look.page(of: told, width: width)))
      }
    case .clearChanged(let article):
      write { try await articles.clearChanged(article) }
    case .keepPlace(let article, let place):
      write { try await articles.keepPlace(place, in: article) }
    case .save(let article, let path):
      change {
        let file = ArticleFile(article: try await articles.existing(article), clock: look.clock)
        return .article(.saved(path: try await file.write(to: path, composition)))
      }
    case .savePage(let url):
      scheduler.startKeeping { noteKept in
        await inbox.report {
          let saved = try await FullTexts(composition).save(
            url, isTyped: false, noteKept: noteKept)
          return .article(.pageSaved(url, saved.error))
        }
      }
    case .readAloud(let article):
      start(id, { .article(.speechEnded(article, $0)) }) {
        let existing = try await articles.existing(article)
        let language = try await subscriptions.language(of: existing.feedID)
        try await place.speech.read(existing, language: language, variables: place.variables)
        return .article(.speechEnded(article, nil))
      }
    }
  }

  /// - Returns: nil for a deleted article.
  private nonisolated func page(
    of id: ArticleID, width: Int, with other: OtherText? = nil,
    begin: ((ArticlePage) -> Void)? = nil
  ) async throws -> Action? {
    guard let article = try await articles.find(id) else { return nil }
    return .article(
      .arrived(await look.page(of: article, width: width, with: other, begin: begin)))
  }
}

/// The layout of articles for this terminal at this time.
struct ArticleLook: Sendable {
  let clock: WallClock
  let show: PictureShow
  let theme: Theme

  /// Lays an article out off the main actor.
  ///
  /// - Parameter begin: called with the first lines of a long article.
  @concurrent
  func page(
    of article: Article, width: Int, with other: OtherText? = nil,
    begin: ((ArticlePage) -> Void)? = nil
  ) async -> ArticlePage {
    var setting = ArticleSetting(
      article, width: width, clock: clock, with: other,
      pictures: await show.room(in: article.feedID), theme: theme)
    if let begin, let beginning = setting.beginning() { begin(beginning) }
    return setting.whole()
  }

  /// Makes a card of an article off the main actor.
  @concurrent
  func card(of article: Article, for wish: CardWish) async -> ArticleCard {
    ArticleCard(
      article, width: wish.width, rows: wish.rows, clock: clock,
      pictures: await show.room(in: article.feedID))
  }
}
