internal import News
internal import Screen

extension [Command] {
  /// Those of all panes.
  static let ofPanes: [Command] = [
    .next, .nextUnreadFeed, .previousUnreadFeed, .today, .randomUnread, .markAllRead,
    .markAllFeedsRead, .undo, .redo, .refresh, .refreshAll, .add, .addRule, .change, .rename,
    .cards, .search, .find, .zoom, .growPane, .shrinkPane, .nextFocus, .previousFocus, .number,
    .back, .leave,
  ]
  /// Those of the list and the article.
  static let ofArticles =
    [.previous, .nextArticle, .previousArticle, .nextStarred, .previousStarred] + ofSelected
  /// Those about the selected article.
  static let ofSelected: [Command] = [
    .toggleRead, .markRead, .markUnread, .toggleStar, .later, .tag, .remove, .openInBrowser,
    .openAndMarkRead, .openInBackground, .play, .queueFile, .download, .pipe, .save, .readAloud,
    .copyAddress, .fullText, .comments, .parent,
  ]
  /// Those of the sidebar and the list.
  static let ofLists: [Command] = [
    .filter, .clearFilter, .keepQuery, .select, .selectRange, .hideRead, .sort, .group, .fold,
    .markOlderRead, .importFeeds, .signIn, .remove,
  ]
}

extension ReadingPane {
  func performInPanes(_ command: Command, in state: inout ReaderState) -> ScreenResponse {
    if let effects = Marking.performOnPicked(command, in: &state) { return .done(effects) }
    switch command {
    case .growPane: return .done(PaneResizing.resizePane(1, in: &state))
    case .shrinkPane: return .done(PaneResizing.resizePane(-1, in: &state))
    case .nextFocus: changePane(1, in: &state)
    case .previousFocus: changePane(-1, in: &state)
    case .next: return .done(Stepping.goToNext(1, in: &state))
    case .previous: return .done(Stepping.goToNext(-1, in: &state))
    case .nextUnreadFeed: return .done(Stepping.goToUnreadFeed(1, in: &state))
    case .previousUnreadFeed: return .done(Stepping.goToUnreadFeed(-1, in: &state))
    case .nextStarred: return .done(Stepping.find(.nextStarred, in: &state))
    case .previousStarred: return .done(Stepping.find(.previousStarred, in: &state))
    case .today: return .done(Stepping.showToday(in: &state))
    case .randomUnread: return .done(Stepping.find(.randomUnread, in: &state))
    case .parent: return .done(Stepping.goToFeedOfCurrent(in: &state))
    case .comments: return .done(Stepping.openComments(in: &state))
    case .markAboveRead: return .done(Marking.markRead(.above, in: &state))
    case .markBelowRead: return .done(Marking.markRead(.below, in: &state))
    case .markOlderRead: return .done(CommandDrafts.askToMarkOlderRead(in: &state))
    case .nextArticle: return .done(Stepping.goToArticle(1, in: &state))
    case .previousArticle: return .done(Stepping.goToArticle(-1, in: &state))
    case .toggleRead:
      guard let (id, status) = state.current else {
        return .done(state.notify(CoreStrings.noArticleSelected))
      }
      return .done(Marking.setRead(id, !status.isRead, isUndoable: true, in: &state))
    case .markRead, .markUnread:
      guard let (id, status) = state.current else {
        return .done(state.notify(CoreStrings.noArticleSelected))
      }
      guard status.isRead != (command == .markRead) else { return .done([]) }
      return .done(Marking.setRead(id, !status.isRead, isUndoable: true, in: &state))
    case .toggleStar:
      guard let (id, status) = state.current else {
        return .done(state.notify(CoreStrings.noArticleSelected))
      }
      return .done(Marking.setStarred(id, !status.isStarred, in: &state))
    case .tag:
      return .done(
        state.focus == .list ? Marking.askForTagsOfRow(in: &state) : Marking.askForTags(in: &state))
    case .later:
      guard let (id, _) = state.current else {
        return .done(state.notify(CoreStrings.noArticleSelected))
      }
      return .done([state.apply(.setLater([id], nil))])
    case .pipe: return .done(ArticleExport.askForProgram(in: &state))
    case .save: return .done(ArticleExport.askForFile(in: &state))
    case .readAloud: return .done(ReadingAloud.toggleReadingAloud(in: &state))
    case .copyAddress: return .done(ArticleExport.copyAddress(in: &state))
    case .fullText: return .done(ArticleTexts.toggleFullText(in: &state))
    case .markAllRead: return .done(Marking.askToMarkAllRead(in: &state))
    case .markAllFeedsRead: return .done(Marking.askToMarkAllFeedsRead(in: &state))
    case .openAndMarkRead: return .done(LinkOpening.openAndMarkRead(in: &state))
    case .clearFilter:
      return .done(state.list.isLimited ? state.leaveSearch() : state.notify(PanesStrings.noFilter))
    case .undo: return .done([state.apply(.undoAsking(agreedTo: nil))])
    case .redo: return .done([state.apply(.redo)])
    case .remove:
      return .done(
        state.focus == .sidebar
          ? FeedEditing.askToRemove(in: &state) : Marking.deleteArticle(in: &state))
    case .hideRead: return .done(Ordering.toggleUnreadOnly(in: &state))
    case .sort: return .done(Ordering.changeOrder(in: &state))
    case .group: return .done(Ordering.toggleGroups(in: &state))
    case .openInBrowser: return .done(LinkOpening.openInBrowser(in: &state))
    case .openInBackground: return .done(LinkOpening.openInBackground(in: &state))
    case .play: return .done(LinkOpening.openFile(in: &state))
    case .queueFile: return .done(LinkOpening.queueFile(in: &state))
    case .download: return .done(LinkOpening.downloadCurrent(in: &state))
    case .refresh: return .done(FeedEditing.askRefresh(state.shownTimeline, in: &state))
    case .refreshAll: return .done(FeedEditing.askRefresh(.all, in: &state))
    case .add: return .done(AddressSearches.askForAddress(in: &state))
    case .addRule: return .done(CommandDrafts.askForRule(in: &state))
    case .cards: return .done(Skimming.skim(in: &state))
    case .importFeeds: return .done(CommandDrafts.importLibrary(in: &state))
    case .moveToFolder: return .done(FeedEditing.askForFolders(in: &state))
    case .change: return .done(FeedEditing.changeSelected(in: &state))
    case .rename: return .done(FeedEditing.askForTitle(in: &state))
    case .zoom: return .done(PaneResizing.zoom(in: &state))
    case .signIn: return .done(FeedEditing.askToSignIn(in: &state))
    case .search, .find:
      state.ask(.search(command == .find ? SearchPrompt(in: state) : SearchPrompt()))
      return .done([.preferences(.recallSearches)])
    case .filter: Limiting.askForLimit(in: &state)
    case .keepQuery: return .done(Limiting.askForSmartName(in: &state))
    default: return .ignored
    }
    return .done([])
  }

  private func changePane(_ delta: Int, in state: inout ReaderState) {
    let panes: [Pane] = state.article == nil ? [.sidebar, .list] : [.sidebar, .list, .article]
    let index = panes.firstIndex(of: state.focus) ?? 0
    state.focus = panes[(index + delta + panes.count) % panes.count]
  }

  // MARK: The status line

  /// The key that shows why the list is not fresher, where a feed of it has failed.
  func paneHints(in state: ReaderState) -> [KeyHint] {
    (state.askedRefreshes.running.isEmpty || state.focus == .article ? [] : [CoreStrings.stop])
      + refusalHints(in: state) + (state.list.freshness?.hints(width: state.size.width) ?? [])
  }

  /// The key that shows the changes refused by the server of the shown account.
  private func refusalHints(in state: ReaderState) -> [KeyHint] {
    guard case .folder(let folder) = state.shownTimeline, folder.isAccount,
      let account = state.subscriptions.accounts.first(where: { $0.id == folder.account }),
      account.refused > 0
    else { return [] }
    let text = PanesStrings.refused(account.refused, isNarrow: state.size.width < 60)
    return [KeyHint(.outbox, text, isKept: true)]
  }

  func paneTrouble(in state: ReaderState) -> StatusTrouble? {
    state.list.freshness?.trouble(in: state)
  }
}

/// Messages of all selections.
extension ReaderState {
  mutating func notifyNothingSelected() -> [Effect] { notify(PanesStrings.selectionCleared) }

  mutating func notifyTooFarToSelect() -> [Effect] { notify(PanesStrings.selectionTooFar) }
}
