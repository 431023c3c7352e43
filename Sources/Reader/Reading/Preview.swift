internal import News
internal import Screen

/// The selected article in its pane beside or below the list, before it is opened.
extension ReaderState {
  /// Milliseconds for which the selection rests before its article is read: a held key does not draw every one.
  package static let previewDelay: Int64 = 80

  /// Whether the selected article has a place to show in.
  private var hasPreview: Bool {
    settings.previews && PaneLayout(size: size, focus: .list, sharing: sharing).article != nil
  }

  /// Keeps the article in its pane in step with the selected one, and the panes with their sizes. Follows each action.
  mutating func settlePanes() -> [Effect] {
    fitPanes()
    let effects = layOutAnew()
    if focus == .article { return effects + adoptPreview() }
    guard hasPreview else {
      if article?.isPreview == true { article = nil }
      previewed = nil
      return effects
    }
    // The rows are not there yet.
    guard list.snapshot != nil else { return effects }
    let selected = list.selectedArticle?.id
    if selected == nil, article?.isPreview == true { article = nil }
    guard let selected, article?.id != selected else {
      defer { previewed = nil }
      // What was asked for another one has ended the laying out of the rest.
      guard previewed != nil, let article, article.page?.isBeginning == true else { return effects }
      return effects + [article.layOut(width: articleWidth)]
    }
    guard previewed != selected else { return effects }
    previewed = selected
    return effects + [.article(.preview(selected, width: articleWidth))]
  }

  /// Lays the article out for another width of its pane.
  private mutating func layOutAnew() -> [Effect] {
    guard articleWidth != laidOutWidth else { return [] }
    laidOutWidth = articleWidth
    // What is under way has the old width.
    previewed = nil
    return article.map { [$0.layOut(width: articleWidth)] } ?? []
  }

  /// Opens the article that shows already: it has the focus.
  private mutating func adoptPreview() -> [Effect] {
    previewed = nil
    guard let article, article.isPreview else { return [] }
    self.article?.isPreview = false
    return article.status?.isRead == true ? [] : setRead(article.id, true)
  }

  /// Shows the article that was asked for to be looked at.
  ///
  /// - Returns: nil where it is another one.
  mutating func showPreview(_ id: ArticleID, _ show: (inout ArticleState) -> Void) -> [Effect]? {
    guard previewed == id, let row = list.row(of: id) else { return nil }
    previewed = nil
    let left = leaveArticle()
    var preview = ArticleState(id: id, height: lines(of: .article), row: row)
    preview.isPreview = true
    show(&preview)
    article = preview
    guard let seconds = settings.secondsUntilRead else { return left }
    return left + [.remind(.looked(id), afterMilliseconds: Int64(seconds) * 1000)]
  }

  /// Marks an article as read that has been looked at for the time of the setting.
  mutating func markLookedAt(_ id: ArticleID) -> [Effect] {
    guard let article, article.id == id, article.isPreview, article.status?.isRead == false,
      stack.count == 0
    else { return [] }
    return setRead(id, true)
  }
}
