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
}

/// Keys that several panes share.
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
  static let download = KeyBinding(
    .download, [.character("D")], "download its file", .read)

  static let saveForLater = KeyBinding(
    .saveForLater, [.character("B")], "save it for later at its server", .read)

  static let refresh = KeyBinding(
    .refresh, [.character("r"), .function(5)], "refresh this list", .feeds)
  static let refreshAll = KeyBinding(.refreshAll, [.character("R")], "refresh all feeds", .feeds)
  static let addFeed = KeyBinding(
    .addFeed, [.character("a")], "add a feed by its address", .feeds)
  static let search = KeyBinding(
    .search, [.character("/"), .character("\\")], "search everything", .feeds)
  static let searchBesideFind = KeyBinding(
    .search, [.character("\\")], "search everything", .feeds)
}

/// The commands that several panes share.
extension ReaderState {
  mutating func performInPanes(_ command: Command) -> ScreenResponse {
    if let effects = performOnPicked(command) { return .done(effects) }
    switch command {
    case .growPane: return .done(resizePane(1))
    case .shrinkPane: return .done(resizePane(-1))
    case .nextPane: changePane(1)
    case .previousPane: changePane(-1)
    case .nextUnread: return .done(goToNext(1))
    case .previousUnread: return .done(goToNext(-1))
    case .nextUnreadFeed: return .done(goToUnreadFeed(1))
    case .previousUnreadFeed: return .done(goToUnreadFeed(-1))
    case .nextStarred: return .done(find(.nextStarred))
    case .previousStarred: return .done(find(.previousStarred))
    case .today: return .done(showToday())
    case .randomUnread: return .done(find(.randomUnread))
    case .goToFeed: return .done(goToFeedOfCurrent())
    case .openComments: return .done(openComments())
    case .markAboveRead: return .done(markRead(.above))
    case .markBelowRead: return .done(markRead(.below))
    case .markOlderRead: return .done(askToMarkOlderRead())
    case .nextArticle: return .done(goToArticle(1))
    case .previousArticle: return .done(goToArticle(-1))
    case .toggleRead:
      guard let (id, status) = current else { return .done(notify("no article is selected")) }
      return .done(setRead(id, !status.isRead, isUndoable: true))
    case .markRead, .markUnread:
      guard let (id, status) = current else { return .done(notify("no article is selected")) }
      guard status.isRead != (command == .markRead) else { return .done([]) }
      return .done(setRead(id, !status.isRead, isUndoable: true))
    case .toggleStar:
      guard let (id, status) = current else { return .done(notify("no article is selected")) }
      return .done(setStarred(id, !status.isStarred))
    case .tagArticle: return .done(focus == .list ? askForTagsOfRow() : askForTags())
    case .saveForLater: return .done(saveForLater())
    case .pipeArticle: return .done(askForProgram())
    case .saveArticle: return .done(askForFile())
    case .readAloud: return .done(toggleReadingAloud())
    case .copyAddress: return .done(copyAddress())
    case .fullText: return .done(toggleFullText())
    case .markAllRead: return .done(askToMarkAllRead())
    case .markAllFeedsRead: return .done(askToMarkAllFeedsRead())
    case .openAndMarkRead: return .done(openAndMarkRead())
    case .clearLimit:
      return .done(list.isLimited ? leaveSearch() : notify("nothing limits this list"))
    case .undo: return .done([apply(.undoAsking(agreedTo: nil))])
    case .redo: return .done([apply(.redo)])
    case .deleteArticle: return .done(deleteArticle())
    case .toggleUnreadOnly: return .done(toggleUnreadOnly())
    case .changeOrder: return .done(changeOrder())
    case .toggleGroups: return .done(toggleGroups())
    case .openInBrowser: return .done(openInBrowser())
    case .openInBackground: return .done(openInBackground())
    case .openFile: return .done(openFile())
    case .queueFile: return .done(queueFile())
    case .download: return .done(downloadCurrent())
    case .refresh: return .done(askRefresh(shownTimeline))
    case .refreshAll: return .done(askRefresh(.all))
    case .addFeed: return .done(askForAddress())
    case .addRule: return .done(askForRule())
    case .skim: return .done(skim())
    case .takeOver: return .done(takeOver())
    case .removeFeed: return .done(askToRemove())
    case .renameFeed: return .done(askForTitle())
    case .fileFeed: return .done(askForFolders())
    case .feedForm: return .done(openFeedForm())
    case .signIn: return .done(askToSignIn())
    case .search:
      ask(.search(LineEditor(), SearchPrompt()))
      return .done([.preferences(.recallSearches)])
    case .limit: askForLimit()
    case .keepQuery: return .done(askForSmartName())
    default: return .ignored
    }
    return .done([])
  }

  /// Where the server of the feed does not do that, nothing is queued.
  private mutating func saveForLater() -> [Effect] {
    guard let (id, _) = current else { return notify("no article is selected") }
    let place = list.row(of: id)?.feedID ?? article?.page?.article.feedID
    guard let place, feed(place)?.account.capabilities.contains(.later) == true else {
      return notify("the server of this feed saves nothing for later")
    }
    return [.apply(.saveForLater([id]))]
  }

  private mutating func changePane(_ delta: Int) {
    let panes: [Pane] = article == nil ? [.sidebar, .list] : [.sidebar, .list, .article]
    let index = panes.firstIndex(of: focus) ?? 0
    focus = panes[(index + delta + panes.count) % panes.count]
  }
}
