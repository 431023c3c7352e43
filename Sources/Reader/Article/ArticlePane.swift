internal import News
internal import Screen

struct ArticlePane: ReadingPane {
  static let name = "article"
  static let commands: [Command] =
    [
      .next, .find, .openInBrowser, .linkHints, .toggleStar, .later, .fullText, .comments,
      .nextFocus, .zoom, .toggleRead, .leave, .open, .findWord, .openAllLinks, .showAddresses,
      .copyLink, .changes, .width, .jumpBack, .showPicture, .togglePictures,
    ] + .ofPanes + .ofArticles + .motions
  static let help: [Command: String] = [
    .open: "Open the selected link or picture", .nextFocus: "Next link",
    .previousFocus: "Previous link", .find: "Find in this article",
    .number: "Open a link by its number", .remove: "Delete the article",
    .later: "Add to Later, or remove; on a link: its page", .zoom: "Hide or show the other panes",
  ]

  // MARK: Keys

  mutating func stop(in state: inout ReaderState) -> [Effect]? {
    guard state.fullTextWanted != nil else { return nil }
    return ArticleTexts.cancelFullText(in: &state)
      + state.notify(ReadingStrings.fullTextStopped(state.key(.fullText)))
  }

  mutating func perform(
    _ command: Command, _ press: KeyPress, in state: inout ReaderState
  ) -> ScreenResponse {
    if let motion = command.motion {
      // A page past the end of an article goes on to the next: a whole feed is read with one key.
      if motion == .pageDown, press.count == nil, state.article?.isAtEnd != false {
        return .done(Stepping.goToNextUnread(in: &state))
      }
      if motion == .first || motion == .last, let line = press.count {
        state.article?.scroll(toLine: line - 1)
      } else if let article = state.article {
        state.article?.scroll(
          by: motion.delta(height: article.height, times: press.count, from: article.top))
      }
      return .done([])
    }
    switch command {
    case .open:
      if state.article?.pickedPicture == true {
        return .done(ArticlePictures.showPicture(in: &state))
      }
      return .done(state.article?.link.map { LinkOpening.follow($0, in: &state) } ?? [])
    case .jumpBack: return .done(LinkOpening.jumpBack(in: &state))
    case .back, .leave: return .done(leave(in: &state))
    case .find: return .done(Finding.askToFind(in: &state))
    case .findWord: return .done(Finding.findWord(in: &state))
    case .openAllLinks: return .done(LinkOpening.openAllLinks(in: &state))
    case .showAddresses: return .done(LinkOpening.showAddresses(in: &state))
    case .width: return .done(PaneResizing.changeTextWidth(in: &state))
    case .linkHints: return .done(LinkOpening.showLinkHints(in: &state))
    case .copyLink: return .done(LinkOpening.copyLink(in: &state))
    case .changes: return .done(ArticleTexts.showChanges(in: &state))
    case .showPicture: return .done(ArticlePictures.showPicture(in: &state))
    case .togglePictures: return .done(ArticlePictures.togglePictures(in: &state))
    case .later where state.article?.link != nil:
      return .done(ArticleTexts.saveLink(in: &state))
    case .nextFocus: return .done(pickLink(1, in: &state))
    case .previousFocus: return .done(pickLink(-1, in: &state))
    case .number:
      guard case .character(let digit)? = press.key else { return .ignored }
      return .done(beginLinkNumber(digit, in: &state))
    default: return performInPanes(command, in: &state)
    }
  }

  private func leave(in state: inout ReaderState) -> [Effect] {
    state.notice = nil
    if state.article?.find != nil {
      state.article?.find = nil
      return []
    }
    if state.article?.link != nil {
      state.article?.link = nil
      return []
    }
    if let article = state.article, article.page?.other != nil {
      return [.article(.open(article.id, width: state.articleWidth))]
    }
    let left = state.article?.id
    let effects = state.leaveArticle() + Skimming.returnToDeck(from: left, in: &state)
    state.focus = .list
    // Beside the list the article stays; on a narrow screen it is gone from sight.
    guard state.layout.article == nil else { return effects }
    state.article = nil
    return effects + [.cancel(.article(.page))] + ArticleTexts.cancelFullText(in: &state)
  }

  private func pickLink(_ delta: Int, in state: inout ReaderState) -> [Effect] {
    let hasLinks = state.article?.pickLink(delta) ?? false
    return hasLinks ? [] : state.notify(CoreStrings.noLinks)
  }

  /// Asks for the other digits of a link, which a motion takes as a count.
  private func beginLinkNumber(_ digit: Character, in state: inout ReaderState) -> [Effect] {
    state.ask(.link, LineEditor(String(digit)))
    return []
  }

  // MARK: Mouse

  mutating func handle(_ mouse: MousePress, row: Int, in state: inout ReaderState) -> [Effect] {
    switch mouse.kind {
    case .wheelDown: state.article?.scroll(by: 3)
    case .wheelUp: state.article?.scroll(by: -3)
    case .click, .doubleClick:
      guard state.article != nil else { return [] }
      let wasFocused = state.focus == .article
      state.focus = .article
      // The first click on another pane only goes there.
      guard wasFocused, mouse.kind == .click,
        let link = LinkOpening.link(atX: mouse.x, y: mouse.y, in: state)
      else { return [] }
      state.article?.link = link
      return LinkOpening.follow(link, in: &state)
    }
    return []
  }

  // MARK: Drawing

  func draw(_ frame: inout Frame, _ pane: Rect, in state: ReaderState) {
    ArticleDrawing(
      article: state.article, theme: state.theme,
      highlights: state.highlights(of: [.text]),
      isFocused: state.focus == .article,
      download: state.article.flatMap { state.transfers.mark(of: $0.id, state.theme)?.text },
      openKey: state.key(.open), back: ReadingStrings.back(state.key(.leave)),
      icon: FeedIconBoard.icon(of: state.article?.page?.article.feedID, in: state)
    ).draw(&frame, pane)
  }
}
