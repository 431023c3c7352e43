internal import News
internal import Screen

/// The open article: opening, scrolling, links, and going on to the next.
extension ReaderState {
  mutating func openSelected() -> [Effect] {
    guard let index = list.selectedIndex else { return [] }
    switch list.rows[index] {
    case .article(let row):
      return open(row)
    case .gap(let gap):
      guard gap.canLoad else {
        return tell("these articles were not in the feed when it was last read")
      }
      return [.fill(gap)] + tell("loading what is missing")
    }
  }

  mutating func open(_ row: ArticleRow) -> [Effect] {
    var effects = leaveArticle()
    article = ArticleState(id: row.id, row: row)
    focus = .article
    if !row.status.isRead { effects += setRead(row.id, true) }
    return effects + [.open(row.id, width: articleWidth)]
  }

  /// Keeps how far the open article was read. One that was read to its end is finished, and opens at
  /// its top the next time.
  mutating func leaveArticle() -> [Effect] {
    guard let article, article.page != nil else { return [] }
    let place = isAtEndOfArticle ? nil : article.place
    leftArticle = LeftArticle(id: article.id, place: place)
    return [.keepPlace(article.id, place)]
  }

  mutating func takeArticle(_ page: ArticlePage) -> [Effect] {
    guard var article, article.id == page.article.id else { return [] }
    var page = page
    if let old = article.page {
      // The same text at another width.
      page.article.status = old.article.status
      if page.width != old.width { article.top = page.line(at: article.place) }
    } else {
      // It may have been read before its mark was stored.
      page.article.status =
        article.row?.status
        ?? ArticleStatus(isRead: true, isStarred: page.article.status.isStarred)
      // The store may have been read before it was written.
      let left = leftArticle.flatMap { $0.id == article.id ? $0 : nil }
      article.place = left == nil ? page.article.readingPosition : left?.place
      article.top = page.openingLine(at: article.place)
    }
    article.page = page
    article.error = nil
    self.article = article
    scrollArticle(0)
    return []
  }

  mutating func scrollArticle(_ delta: Int) {
    guard let article, let page = article.page else { return }
    let top = scrolled(article.top, by: delta, count: page.lines.count, height: articleHeight)
    self.article?.top = top
    if delta != 0 { self.article?.place = page.position(ofLine: top) }
  }

  /// Whether the end of the article shows.
  var isAtEndOfArticle: Bool {
    guard let article, article.error == nil else { return true }
    // What has not come yet has not been read.
    guard let page = article.page else { return false }
    return article.top + articleHeight >= page.lines.count
  }

  mutating func moveToArticle(_ delta: Int) -> [Effect] {
    let rows = list.rows
    guard article != nil, focus == .article else {
      let isEnd = delta > 0 ? list.selectedIndex == rows.count - 1 : list.selectedIndex == 0
      let hasMore = delta > 0 ? list.snapshot?.slice.hasOlder : list.snapshot?.slice.hasNewer
      let effects = moveInList(delta)
      guard isEnd, hasMore == false, !rows.isEmpty else { return effects }
      return effects + tellOfEnd(delta)
    }
    guard var index = list.selectedIndex else { return [] }
    repeat { index += delta } while rows.indices.contains(index) && rows[index].isGap
    guard rows.indices.contains(index), case .article(let row) = rows[index] else {
      return tellOfEnd(delta)
    }
    let old = list.selectedIndex ?? index
    return moveInList(index - old) + open(row)
  }

  private mutating func tellOfEnd(_ delta: Int) -> [Effect] {
    tell(delta > 0 ? "this is the last article" : "this is the first article")
  }

  // MARK: The next unread

  /// The next unread article below this one; where the list has none left, the next feed's.
  mutating func goToNextUnread() -> [Effect] {
    let rows = list.rows
    let start = list.selectedIndex.map { isOnUnread && focus != .article ? $0 : $0 + 1 } ?? 0
    if start <= rows.count,
      let index = rows[start...].firstIndex(where: \.isUnread), case .article(let row) = rows[index]
    {
      let old = list.selectedIndex ?? index
      return moveInList(index - old) + open(row)
    }
    return [.findNextUnread(list.query.timeline, after: list.selectedPosition)]
  }

  private var isOnUnread: Bool { list.selectedArticle?.status.isRead == false }

  mutating func goToUnread(_ position: TimelinePosition?, in timeline: Timeline) -> [Effect] {
    guard let position else { return tell("nothing is unread") }
    var effects: [Effect] = []
    if timeline != list.query.timeline {
      effects = show(timeline).filter { if case .observe = $0 { false } else { true } }
    }
    list.goal = nil
    list.selection.select(.article(ArticleID(position.id)))
    list.selectedPosition = position
    list.selection.line = min(listHeight / 3, list.selection.line)
    list.query.anchor = .around(position)
    list.query.newerCount = ListState.window
    list.query.olderCount = ListState.window
    effects.append(.observe(list.query))
    let id = ArticleID(position.id)
    effects += leaveArticle()
    article = ArticleState(id: id)
    focus = .article
    return effects + setRead(id, true) + [.open(id, width: articleWidth)]
  }

  // MARK: Links

  mutating func pickLink(_ delta: Int) -> [Effect] {
    guard let article, let page = article.page, page.linkCount > 0 else {
      return tell("this article has no links")
    }
    let count = page.linkCount
    let next: Int
    if let link = article.link {
      next = (link - 1 + delta + count) % count + 1
    } else {
      // From where the reader is: the first link that shows, or the first of all.
      next =
        (1...count).first { page.firstLine(ofLink: $0).map { $0 >= article.top } ?? false } ?? 1
    }
    self.article?.link = next
    if let line = page.firstLine(ofLink: next),
      line < article.top || line >= article.top + articleHeight
    {
      scrollArticle(line - article.top - articleHeight / 3)
    }
    return []
  }

  func openLink(_ number: Int) -> [Effect] {
    guard let url = article?.page?.link(number) else { return [] }
    return [.openLink(url)]
  }
}

extension TimelineRow {
  var isGap: Bool { if case .gap = self { true } else { false } }

  var isUnread: Bool {
    if case .article(let row) = self { !row.status.isRead } else { false }
  }
}
