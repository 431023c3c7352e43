internal import News
internal import Screen

extension ReaderState {
  /// Milliseconds for which the selection rests before its article is read: a held key does not draw every one.
  package static let previewDelay: Int64 = 80
}

/// The selected article in its pane beside or below the list, before it is opened.
enum Previewing {
  /// Whether the selected article has a place to show in.
  private static func hasPreview(in state: ReaderState) -> Bool {
    state.settings.previews
      && PaneLayout(size: state.size, focus: .list, sharing: state.sharing).article != nil
  }

  /// Keeps the article in its pane in step with the selected one, and the panes with their sizes. Follows each action.
  static func settlePanes(in state: inout ReaderState) -> [Effect] {
    state.fitPanes()
    let effects = layOutAnew(in: &state)
    if state.focus == .article { return effects + adoptPreview(in: &state) }
    guard hasPreview(in: state) else {
      if state.article?.isPreview == true { state.article = nil }
      state.previewed = nil
      return effects
    }
    // The rows are not there yet.
    guard state.list.snapshot != nil else { return effects }
    let selected = state.list.selectedArticle?.id
    if selected == nil, state.article?.isPreview == true { state.article = nil }
    guard let selected, state.article?.id != selected else {
      defer { state.previewed = nil }
      // The request for another article has cancelled the layout of the rest.
      guard state.previewed != nil, let article = state.article, article.page?.isBeginning == true
      else { return effects }
      return effects + [article.layOut(width: state.articleWidth)]
    }
    guard state.previewed != selected else { return effects }
    state.previewed = selected
    return effects + [.article(.preview(selected, width: state.articleWidth))]
  }

  /// Lays the article out for another width of its pane.
  private static func layOutAnew(in state: inout ReaderState) -> [Effect] {
    guard state.articleWidth != state.laidOutWidth else { return [] }
    state.laidOutWidth = state.articleWidth
    // The layout that is under way has the old width.
    state.previewed = nil
    return state.article.map { [$0.layOut(width: state.articleWidth)] } ?? []
  }

  /// Opens the article that shows already: it has the focus.
  private static func adoptPreview(in state: inout ReaderState) -> [Effect] {
    state.previewed = nil
    guard let article = state.article, article.isPreview else { return [] }
    state.article?.isPreview = false
    return article.status?.isRead == true ? [] : Marking.setRead(article.id, true, in: &state)
  }

  /// Shows the article that was asked for to be looked at.
  static func showPreview(
    _ id: ArticleID, in state: inout ReaderState, _ show: (inout ArticleState) -> Void
  ) -> [Effect]? {
    guard state.previewed == id, let row = state.list.row(of: id) else { return nil }
    state.previewed = nil
    let left = state.leaveArticle()
    var preview = ArticleState(id: id, height: state.lines(of: .article), row: row)
    preview.isPreview = true
    show(&preview)
    state.article = preview
    guard let seconds = state.settings.secondsUntilRead else { return left }
    return left + [.remind(.looked(id), afterMilliseconds: Int64(seconds) * 1000)]
  }

  /// Shows the text of an article: of the open one, or of the selected one that was asked for.
  static func receive(_ page: ArticlePage, in state: inout ReaderState) -> [Effect] {
    let left = state.leftArticle
    if let effects = showPreview(page.article.id, in: &state, { $0.receive(page, left: left) }) {
      return effects
    }
    state.article?.receive(page, left: left)
    // A program has taken so long that the pane has another width by now.
    guard let article = state.article, !page.isBeginning, article.page == page,
      page.width != state.articleWidth
    else { return [] }
    return [article.layOut(width: state.articleWidth)]
  }

  /// Marks an article as read that was selected for the time of the setting.
  static func markLookedAt(_ id: ArticleID, in state: inout ReaderState) -> [Effect] {
    guard let article = state.article, article.id == id, article.isPreview,
      article.status?.isRead == false,
      state.stack.count == 0
    else { return [] }
    return Marking.setRead(id, true, in: &state)
  }
}
