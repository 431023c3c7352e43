internal import News
internal import Screen

extension Command {
  static let openLink = Command("open-link")
  static let nextLink = Command("next-link")
  static let previousLink = Command("previous-link")
  static let linkNumber = Command("link-number")
}

/// The pane of the open article.
struct ArticlePane: ReadingPane {
  static let name = "article"
  static let bindings: [KeyBinding] =
    KeyBinding.motions + [
      KeyBinding(.openLink, [.enter], "open the picked link", .move),
      .back, .leave,
      .nextUnread, .nextArticle, .previousArticle, .toggleRead, .toggleStar, .markAllRead, .undo,
      .openInBrowser, .download,
      KeyBinding(.nextLink, [.tab], "pick the next link", .read),
      KeyBinding(.previousLink, [.backTab], "pick the link before", .read),
      KeyBinding(
        .linkNumber, (1...9).map { .character(Character("\($0)")) }, "open a link by its number",
        .read, range: "1 … 9"),
      .refresh, .refreshAll, .addFeed, .search,
    ]

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    if let motion = command.motion { return .done(state.moveInArticle(motion)) }
    switch command {
    case .openLink: return .done(state.openPickedLink())
    case .back, .leave: return .done(state.leaveArticlePane())
    case .nextLink: return .done(state.pickLink(1))
    case .previousLink: return .done(state.pickLink(-1))
    case .linkNumber:
      guard case .character(let digit) = press.key else { return .ignored }
      return .done(state.beginLinkNumber(digit))
    default: return state.performInPanes(command)
    }
  }

  func hints(in state: ReaderState) -> [KeyHint] {
    [
      KeyHint("?", "keys"), KeyHint("Space", "page"), KeyHint("n", "next unread"),
      KeyHint("o", "browser"), KeyHint("s", "star"), KeyHint("q", "back"),
    ]
  }
}

extension ReaderState {
  // MARK: Opening and leaving

  mutating func open(_ row: ArticleRow) -> [Effect] { open(row.id, row: row) }

  /// Opens an article, and marks it as read.
  ///
  /// - Parameter row: as it is in the list, where it is there.
  mutating func open(_ id: ArticleID, row: ArticleRow? = nil) -> [Effect] {
    var effects = leaveArticle()
    article = ArticleState(id: id, row: row)
    focus = .article
    if row?.status.isRead != true { effects += setRead(id, true) }
    return effects + [.open(id, width: articleWidth)]
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

  // MARK: Scrolling

  mutating func moveInArticle(_ motion: Motion) -> [Effect] {
    // A page past the end of an article goes on to the next: a whole feed is read with one key.
    if motion == .pageDown, isAtEndOfArticle { return goToNextUnread() }
    scrollArticle(motion.delta(height: articleHeight))
    return []
  }

  mutating func takeInArticle(_ mouse: MouseEvent) {
    switch mouse.kind {
    case .wheelDown: scrollArticle(3)
    case .wheelUp: scrollArticle(-3)
    case .click, .doubleClick: if article != nil { focus = .article }
    }
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
      // From where the user is: the first link that shows, or the first of all.
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

  func openPickedLink() -> [Effect] { article?.link.map(openLink) ?? [] }

  func openLink(_ number: Int) -> [Effect] {
    guard let url = article?.page?.link(number) else { return [] }
    return [.openLink(url)]
  }

  /// Opens a link by a digit, or asks for the others of its number.
  mutating func beginLinkNumber(_ digit: Character) -> [Effect] {
    guard let count = article?.page?.linkCount, count > 0 else {
      return tell("this article has no links")
    }
    // With fewer than ten links one digit says it all.
    if count < 10, let number = digit.wholeNumberValue {
      guard number <= count else { return tell("there is no link \(number)", .error) }
      return openLink(number)
    }
    ask(.link(LineEditor(String(digit))))
    return []
  }

  /// Opens the link whose number was typed.
  mutating func finishLinkNumber(_ text: String) -> [Effect] {
    guard let number = Int(text), number > 0, number <= article?.page?.linkCount ?? 0
    else { return tell("there is no link \(text)", .error) }
    return openLink(number)
  }
}
