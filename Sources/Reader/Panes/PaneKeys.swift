internal import News
internal import Screen

extension Command {
  static let nextPane = Command("next-pane")
  static let previousPane = Command("previous-pane")
  static let nextUnread = Command("next-unread")
  static let previousUnread = Command("previous-unread")
  static let nextArticle = Command("next-article")
  static let previousArticle = Command("previous-article")
  static let toggleRead = Command("toggle-read")
  static let toggleStar = Command("toggle-star")
  static let markAllRead = Command("mark-all-read")
  static let markRead = Command("mark-read")
  static let markUnread = Command("mark-unread")
  static let markAllFeedsRead = Command("mark-all-feeds-read")
  static let openAndMarkRead = Command("open-in-browser-and-mark-read")
  static let undo = Command("undo")
  static let toggleUnreadOnly = Command("toggle-unread-only")
  static let refresh = Command("refresh")
  static let refreshAll = Command("refresh-all")
  static let addFeed = Command("add-feed")
  static let search = Command("search")
  static let download = Command("download")
  static let saveForLater = Command("save-for-later")
  static let pick = Command("pick")
  static let pickRange = Command("pick-range")
}

extension KeyBinding {
  static let nextPane = KeyBinding(.nextPane, [.tab], "the next pane", .move)
  static let previousPane = KeyBinding(.previousPane, [.backTab], "the pane before", .move)

  static let nextUnread = KeyBinding(
    .nextUnread, [.character("n")], "next unread, in any feed; of what is found the next", .read)
  static let previousUnread = KeyBinding(
    .previousUnread, [.character("N")], "unread before; of what is found the one before", .read)
  static let nextArticle = KeyBinding(
    .nextArticle, [.character("J"), .character("]")], "next article", .read)
  static let previousArticle = KeyBinding(
    .previousArticle, [.character("K"), .character("[")], "article before", .read)
  static let toggleRead = KeyBinding(.toggleRead, [.character("m")], "read or unread", .read)
  static let toggleStar = KeyBinding(.toggleStar, [.character("s")], "star", .read)
  static let markAllRead = KeyBinding(
    .markAllRead, [.character("A")], "mark all of this list read", .read)
  // Sets of keys of other readers, or macros, ask for these.
  static let markRead = KeyBinding(.markRead, [], "mark it read", .read)
  static let markUnread = KeyBinding(.markUnread, [], "mark it unread", .read)
  static let markAllFeedsRead = KeyBinding(
    .markAllFeedsRead, [], "mark all of every feed read", .read)
  static let openAndMarkRead = KeyBinding(
    .openAndMarkRead, [], "open in the browser and mark read", .read)
  static let undo = KeyBinding(.undo, [.character("u")], "take back what was done last", .read)
  static let toggleUnreadOnly = KeyBinding(
    .toggleUnreadOnly, [.character("U")], "hide what is read, or show it", .read)
  static let openInBrowser = KeyBinding(
    .openInBrowser, [.character("o")], "open in the browser", .read)
  static let download = KeyBinding(.download, [.character("D")], "download its file", .read)

  static let saveForLater = KeyBinding(
    .saveForLater, [.character("B")], "save it for later at its server", .read)

  static let refresh = KeyBinding(
    .refresh, [.character("r"), .function(5)], "refresh this list", .feeds)
  static let refreshAll = KeyBinding(.refreshAll, [.character("R")], "refresh all feeds", .feeds)
  static let addFeed = KeyBinding(.addFeed, [.character("a")], "add a feed by its address", .feeds)
  static let search = KeyBinding(
    .search, [.character("/"), .character("\\")], "search everything", .feeds)
  static let searchBesideFind = KeyBinding(.search, [.character("\\")], "search everything", .feeds)

  static let pick = KeyBinding(
    .pick, [.character("v")], "pick this one for what is done next, or let it go", .read)
  static let pickRange = KeyBinding(
    .pickRange, [.character("V")], "pick all from the last picked one to this one", .read)
}

extension ReadingPane {
  func performInPanes(_ command: Command, in state: inout ReaderState) -> ScreenResponse {
    if let effects = Marking.performOnPicked(command, in: &state) { return .done(effects) }
    switch command {
    case .growPane: return .done(PaneResizing.resizePane(1, in: &state))
    case .shrinkPane: return .done(PaneResizing.resizePane(-1, in: &state))
    case .nextPane: changePane(1, in: &state)
    case .previousPane: changePane(-1, in: &state)
    case .nextUnread: return .done(Stepping.goToNext(1, in: &state))
    case .previousUnread: return .done(Stepping.goToNext(-1, in: &state))
    case .nextUnreadFeed: return .done(Stepping.goToUnreadFeed(1, in: &state))
    case .previousUnreadFeed: return .done(Stepping.goToUnreadFeed(-1, in: &state))
    case .nextStarred: return .done(Stepping.find(.nextStarred, in: &state))
    case .previousStarred: return .done(Stepping.find(.previousStarred, in: &state))
    case .today: return .done(Stepping.showToday(in: &state))
    case .randomUnread: return .done(Stepping.find(.randomUnread, in: &state))
    case .goToFeed: return .done(Stepping.goToFeedOfCurrent(in: &state))
    case .openComments: return .done(Stepping.openComments(in: &state))
    case .markAboveRead: return .done(Marking.markRead(.above, in: &state))
    case .markBelowRead: return .done(Marking.markRead(.below, in: &state))
    case .markOlderRead: return .done(CommandDrafts.askToMarkOlderRead(in: &state))
    case .nextArticle: return .done(Stepping.goToArticle(1, in: &state))
    case .previousArticle: return .done(Stepping.goToArticle(-1, in: &state))
    case .toggleRead:
      guard let (id, status) = state.current else {
        return .done(state.notify("no article is selected"))
      }
      return .done(Marking.setRead(id, !status.isRead, isUndoable: true, in: &state))
    case .markRead, .markUnread:
      guard let (id, status) = state.current else {
        return .done(state.notify("no article is selected"))
      }
      guard status.isRead != (command == .markRead) else { return .done([]) }
      return .done(Marking.setRead(id, !status.isRead, isUndoable: true, in: &state))
    case .toggleStar:
      guard let (id, status) = state.current else {
        return .done(state.notify("no article is selected"))
      }
      return .done(Marking.setStarred(id, !status.isStarred, in: &state))
    case .tagArticle:
      return .done(
        state.focus == .list ? Marking.askForTagsOfRow(in: &state) : Marking.askForTags(in: &state))
    case .saveForLater: return .done(saveForLater(in: &state))
    case .pipeArticle: return .done(ArticleExport.askForProgram(in: &state))
    case .saveArticle: return .done(ArticleExport.askForFile(in: &state))
    case .readAloud: return .done(ReadingAloud.toggleReadingAloud(in: &state))
    case .copyAddress: return .done(ArticleExport.copyAddress(in: &state))
    case .fullText: return .done(ArticleTexts.toggleFullText(in: &state))
    case .markAllRead: return .done(Marking.askToMarkAllRead(in: &state))
    case .markAllFeedsRead: return .done(Marking.askToMarkAllFeedsRead(in: &state))
    case .openAndMarkRead: return .done(LinkOpening.openAndMarkRead(in: &state))
    case .clearLimit:
      return .done(
        state.list.isLimited ? state.leaveSearch() : state.notify("nothing limits this list"))
    case .undo: return .done([state.apply(.undoAsking(agreedTo: nil))])
    case .redo: return .done([state.apply(.redo)])
    case .deleteArticle: return .done(Marking.deleteArticle(in: &state))
    case .toggleUnreadOnly: return .done(Ordering.toggleUnreadOnly(in: &state))
    case .changeOrder: return .done(Ordering.changeOrder(in: &state))
    case .toggleGroups: return .done(Ordering.toggleGroups(in: &state))
    case .openInBrowser: return .done(LinkOpening.openInBrowser(in: &state))
    case .openInBackground: return .done(LinkOpening.openInBackground(in: &state))
    case .openFile: return .done(LinkOpening.openFile(in: &state))
    case .queueFile: return .done(LinkOpening.queueFile(in: &state))
    case .download: return .done(LinkOpening.downloadCurrent(in: &state))
    case .refresh: return .done(FeedEditing.askRefresh(state.shownTimeline, in: &state))
    case .refreshAll: return .done(FeedEditing.askRefresh(.all, in: &state))
    case .addFeed: return .done(AddressSearches.askForAddress(in: &state))
    case .addRule: return .done(CommandDrafts.askForRule(in: &state))
    case .skim: return .done(Skimming.skim(in: &state))
    case .takeOver: return .done(CommandDrafts.importLibrary(in: &state))
    case .removeFeed: return .done(FeedEditing.askToRemove(in: &state))
    case .renameFeed: return .done(FeedEditing.askForTitle(in: &state))
    case .fileFeed: return .done(FeedEditing.askForFolders(in: &state))
    case .feedForm: return .done(FeedEditing.openFeedForm(in: &state))
    case .signIn: return .done(FeedEditing.askToSignIn(in: &state))
    case .search:
      state.ask(.search(SearchPrompt()))
      return .done([.preferences(.recallSearches)])
    case .limit: Limiting.askForLimit(in: &state)
    case .keepQuery: return .done(Limiting.askForSmartName(in: &state))
    default: return .ignored
    }
    return .done([])
  }

  /// Where the server of the feed does not do that, nothing is queued.
  private func saveForLater(in state: inout ReaderState) -> [Effect] {
    guard let (id, _) = state.current else { return state.notify("no article is selected") }
    let place = state.list.row(of: id)?.feedID ?? state.article?.page?.article.feedID
    guard let place, state.feed(place)?.account.capabilities.contains(.later) == true else {
      return state.notify("the server of this feed saves nothing for later")
    }
    return [.apply(.saveForLater([id]))]
  }

  private func changePane(_ delta: Int, in state: inout ReaderState) {
    let panes: [Pane] = state.article == nil ? [.sidebar, .list] : [.sidebar, .list, .article]
    let index = panes.firstIndex(of: state.focus) ?? 0
    state.focus = panes[(index + delta + panes.count) % panes.count]
  }

  // MARK: The status line

  // MARK: The status line

  /// The key that shows why the list is not fresher, where a feed of it has failed.
  func paneHints(in state: ReaderState) -> [KeyHint] {
    refusalHints(in: state) + (state.list.freshness?.hints(width: state.size.width) ?? [])
  }

  /// The key that shows the changes refused by the server of the shown account.
  private func refusalHints(in state: ReaderState) -> [KeyHint] {
    guard case .folder(let folder) = state.shownTimeline, folder.isAccount,
      let account = state.subscriptions.accounts.first(where: { $0.id == folder.account }),
      account.refused > 0
    else { return [] }
    let text = account.refused == 1 ? "why 1 was refused" : "why \(account.refused) were refused"
    return [KeyHint(state.key(.outbox), state.size.width < 60 ? "why" : text, isKept: true)]
  }

  func paneTrouble(in state: ReaderState) -> StatusTrouble? {
    state.list.freshness?.trouble(in: state)
  }
}

/// Messages of all selections.
extension ReaderState {
  mutating func notifyNothingSelected() -> [Effect] { notify("nothing is picked any more") }

  mutating func notifyTooFarToSelect() -> [Effect] {
    notify("the one that was picked last is too far away; pick one nearer")
  }
}
