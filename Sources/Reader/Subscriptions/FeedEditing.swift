internal import News
internal import Screen
internal import Text

/// Names and folders of feeds, and the account that a new one belongs to.
enum FeedEditing {
  private static func selectedFeed(in state: ReaderState) -> Feed? {
    guard case .feed(let id) = state.sidebar.selected else { return nil }
    return state.feed(id)
  }

  private static func notifyNoFeed(in state: inout ReaderState) -> [Effect] {
    state.notify(SubscriptionsStrings.noFeedSelected)
  }

  // MARK: Folders

  /// Asks for the path of a new folder; one in the selected folder is begun with.
  static func askForFolder(in state: inout ReaderState) -> [Effect] {
    let around =
      state.sidebar.selectedFolder.flatMap { $0.account == .local ? $0.path + "/" : nil } ?? ""
    state.ask(.newFolder, LineEditor(around))
    return []
  }

  static func receiveAdded(_ folder: FolderID, in state: inout ReaderState) -> [Effect] {
    var snapshot = state.subscriptions
    if !snapshot.folders.contains(folder) { snapshot.folders.append(folder) }
    let closed = state.sidebar.closedFolders.subtracting(folder.selfAndParents)
    let effects = show(folder, of: snapshot, closing: closed, in: &state)
    return effects
      + state.notify(
        SubscriptionsStrings.addedFolder(folder.path, move: state.key(.moveToFolder)))
  }

  private static func askForPath(of folder: FolderID, in state: inout ReaderState) -> [Effect] {
    state.ask(.folderPath(folder), LineEditor(folder.path))
    return []
  }

  /// Gives a folder the path that was typed; one that is there takes its feeds.
  static func move(_ folder: FolderID, to typed: String) -> [Effect] {
    let path = FolderPath.typed(typed)
    return path.isEmpty || path == folder.path
      ? [] : [.subscriptions(.moveFolder(folder, to: path))]
  }

  /// Shows a folder where it is now, before a snapshot brings it.
  ///
  /// - Parameter path: nil where it was removed.
  static func receiveMoved(
    _ folder: FolderID, to path: String?, feeds count: Int, in state: inout ReaderState
  ) -> [Effect] {
    guard let path else {
      return state.notify(SubscriptionsStrings.removedFolder(feeds: count, undo: state.key(.undo)))
    }
    var snapshot = state.subscriptions
    for index in snapshot.feeds.indices {
      snapshot.feeds[index].folders = snapshot.feeds[index].folders(moving: folder, to: path)
    }
    snapshot.folders = snapshot.folders.map {
      FolderID($0.path(moving: folder, to: path), of: $0.account)
    }
    let closed = Set(
      state.sidebar.closedFolders.map {
        FolderID($0.path(moving: folder, to: path), of: $0.account)
      })
    let place = FolderID(path, of: folder.account)
    return show(place, of: snapshot, closing: closed, in: &state)
      + state.notify(
        SubscriptionsStrings.movedFolder(to: path, feeds: count, undo: state.key(.undo)))
  }

  /// Shows a folder before the snapshot of the store has it.
  private static func show(
    _ folder: FolderID, of snapshot: SidebarSnapshot, closing closed: Set<FolderID>,
    in state: inout ReaderState
  ) -> [Effect] {
    let former = state.folds
    state.sidebar.closedFolders = closed
    var effects = Action.Subscriptions.receive(snapshot, in: &state)
    if state.focus == .sidebar {
      effects += state.show(.folder(folder))
      state.sidebar.select(.folder(folder), among: state.subscriptions)
    }
    return state.folds == former ? effects : effects + [.preferences(.keepFolds(state.folds))]
  }

  static func askToRemove(_ folder: FolderID, in state: inout ReaderState) -> [Effect] {
    let hasFeeds = !state.subscriptions.feeds(of: .folder(folder)).isEmpty
    state.ask(
      .question(
        SubscriptionsStrings.removeFolder(folder.path, hasFeeds: hasFeeds),
        [.subscriptions(.removeFolder(folder))]))
    return []
  }

  static func askToRemove(_ feed: Feed, in state: inout ReaderState) -> [Effect] {
    let title = feed.displayTitle
    state.ask(
      .question(
        SubscriptionsStrings.unsubscribe(from: title),
        [.subscriptions(.remove([feed.id], title: title))]))
    return []
  }

  static func askToRemove(_ feeds: [FeedID], in state: inout ReaderState) -> [Effect] {
    if feeds.count == 1, let feed = state.feed(feeds[0]) { return askToRemove(feed, in: &state) }
    state.ask(
      .question(
        SubscriptionsStrings.unsubscribe(from: feeds.count), [.subscriptions(.remove(feeds))]))
    return []
  }

  static func askForTitle(in state: inout ReaderState) -> [Effect] {
    if let smart = state.smartFeed(of: state.sidebar.selected) {
      state.ask(.smartName(smart.id), LineEditor(selected: smart.name))
      return []
    }
    if let folder = state.sidebar.selectedFolder { return askForPath(of: folder, in: &state) }
    guard let feed = selectedFeed(in: state) else { return notifyNoFeed(in: &state) }
    askForTitle(of: feed, in: &state)
    return []
  }

  static func askForTitle(of feed: Feed, in state: inout ReaderState) {
    state.ask(.feedTitle(feed.id), LineEditor(selected: feed.displayTitle))
  }

  static func askForFolders(in state: inout ReaderState) -> [Effect] {
    if let folder = state.sidebar.selectedFolder { return askForPath(of: folder, in: &state) }
    guard let feed = selectedFeed(in: state) else { return notifyNoFeed(in: &state) }
    askForFolders(of: feed, in: &state)
    return []
  }

  static func askForFolders(of feed: Feed, in state: inout ReaderState) {
    let folders = LineEditor(selected: feed.folders.joined(separator: "; "))
    state.ask(.feedFolders(feed.id, in: state.subscriptions.accountOfServer(of: feed)), folders)
  }

  static func rename(_ feed: FeedID, to typed: String, in state: ReaderState) -> [Effect] {
    let title = PlainText.sanitized(typed)
    guard !title.isEmpty, title != state.feed(feed)?.displayTitle else { return [] }
    return [.subscriptions(.rename(feed, to: title))]
  }

  /// The paths of folders that were typed, with semicolons between them.
  static func folders(_ typed: String) -> [String] {
    typed.split(separator: ";").map(String.init).filter { !$0.allSatisfy(\.isWhitespace) }
  }

  static func file(
    _ id: FeedID, into typed: String, account: Account?, in state: ReaderState
  ) -> [Effect] {
    let folders = folders(typed)
    guard let feed = state.feed(id),
      state.subscriptions.accountOfServer(of: feed)?.id != account?.id
    else {
      return [.subscriptions(.file([id], into: folders))]
    }
    return [.subscriptions(.transfer(id, to: account, into: folders))]
  }

  /// Shows a feed in the account that it has moved to. Where that has had the feed before, a snapshot brings it.
  static func receiveTransferred(
    _ id: FeedID, _ feed: Feed, in state: inout ReaderState
  ) -> [Effect] {
    let effects = id == feed.id ? change([feed], in: &state) { $0 = $1 } : []
    let account = feed.account.id == .local ? nil : feed.account.displayName
    return effects + state.notify(SubscriptionsStrings.transferred(feed.displayTitle, to: account))
  }

  // MARK: Refreshing, removing, signing in

  static func askRefresh(_ timeline: Timeline, in state: inout ReaderState) -> [Effect] {
    guard !state.subscriptions.feeds.isEmpty else {
      return state.notify(SubscriptionsStrings.noFeeds(state.key(.add)))
    }
    state.list.endPull()
    if case .feed(let id) = timeline, let effects = AddressSearches.findSought(id, in: &state) {
      return effects
    }
    return [.cancel(.list(.older)), .refresh(.asked(timeline))]
  }

  static func askRefresh(feeds: [FeedID], in state: inout ReaderState) -> [Effect] {
    state.list.endPull()
    return [.cancel(.list(.older)), .refresh(.askedFeeds(feeds))]
  }

  static func openFeedForm(of ids: [FeedID], in state: inout ReaderState) -> [Effect] {
    state.stack.push(FeedForm(ids: ids))
    return [.subscriptions(.readDefaults(ids))]
  }

  /// Changes the selected feed on its form, the query of a smart feed, or the path of a folder.
  static func changeSelected(in state: inout ReaderState) -> [Effect] {
    if let smart = state.smartFeed(of: state.sidebar.selected) {
      state.ask(.limit(of: smart.id), LineEditor(smart.text))
      return []
    }
    if let folder = state.sidebar.selectedFolder { return askForPath(of: folder, in: &state) }
    guard let feed = selectedFeed(in: state) else { return notifyNoFeed(in: &state) }
    return openFeedForm(of: [feed.id], in: &state)
  }

  static func askToRemove(in state: inout ReaderState) -> [Effect] {
    if let smart = state.smartFeed(of: state.sidebar.selected) {
      state.ask(
        .question(
          SubscriptionsStrings.removeSmartFeed(smart.name),
          [.subscriptions(.removeSmartFeed(smart.id))]))
      return []
    }
    if let folder = state.sidebar.selectedFolder { return askToRemove(folder, in: &state) }
    guard let feed = selectedFeed(in: state) else { return notifyNoFeed(in: &state) }
    return askToRemove(feed, in: &state)
  }

  /// The selected feed, where its server wants a sign-in; else any that does.
  static func askToSignIn(in state: inout ReaderState) -> [Effect] {
    var picked = state.shownFeed
    if state.focus == .sidebar, case .feed(let id) = state.sidebar.selected { picked = id }
    let feeds = state.subscriptions.feeds
    let feed =
      feeds.first { $0.id == picked } ?? feeds.first { $0.state.error?.wantsSignIn == true }
    guard let feed else {
      state.ask(.signInAddress)
      return []
    }
    return AddressSearches.beginSignIn(at: feed.serverURL, in: &state)
  }

  // MARK: Several feeds

  /// Selects these feeds in place of others, and goes to the first of them in the sidebar.
  static func goToPicked(_ ids: [FeedID], in state: inout ReaderState) -> [Effect] {
    deselectFeeds(in: &state)
    guard let first = ids.first else { return [] }
    // Feeds without unread articles may be hidden, and the folders around them closed.
    state.sidebar.hidesRead = false
    for id in ids {
      guard let feed = state.feed(id) else { continue }
      state.sidebar.picked.add([id], of: .feed(id))
      for folder in feed.folderIDs.prefix(1) {
        state.sidebar.closedFolders.subtract(folder.selfAndParents)
      }
    }
    state.sidebar.rebuildItems(from: state.subscriptions)
    let effects = state.show(.feed(first))
    state.focus = .sidebar
    return effects
  }

  static func deselectFeeds(in state: inout ReaderState) {
    state.sidebar.picked = MultipleSelection()
  }

  static func askForFolders(ofSeveral ids: [FeedID], in state: inout ReaderState) {
    state.ask(.foldersOfSeveral(ids), LineEditor(selected: foldersOfAll(ids, in: state)))
  }

  /// The folders that all of some feeds are in, with semicolons between them; empty where they differ.
  private static func foldersOfAll(_ ids: [FeedID], in state: ReaderState) -> String {
    let folders = ids.compactMap(state.feed).map(\.folders)
    guard let first = folders.first, folders.allSatisfy({ Set($0) == Set(first) }) else {
      return ""
    }
    return first.joined(separator: "; ")
  }

  static func file(_ ids: [FeedID], into typed: String, in state: inout ReaderState) -> [Effect] {
    deselectFeeds(in: &state)
    return [.subscriptions(.file(ids, into: folders(typed)))]
  }

  // MARK: What has come of it

  static func receiveRemoved(
    _ ids: [FeedID], title: String?, count: Int, in state: inout ReaderState
  ) -> [Effect] {
    AddressSearches.receiveRemoval(
      of: ids,
      saying: title.map(SubscriptionsStrings.unsubscribed(from:))
        ?? SubscriptionsStrings.unsubscribed(from: count, undo: state.key(.undo)), in: &state)
  }

  static func receiveFiled(_ feeds: [Feed], in state: inout ReaderState) -> [Effect] {
    let effects = change(feeds, in: &state) { $0.folders = $1.folders }
    let folders = feeds.map(\.folders).max { $0.count < $1.count } ?? []
    return effects
      + state.notify(SubscriptionsStrings.filed(feeds, in: folders, undo: state.key(.undo)))
  }

  static func receiveSet(_ feeds: [Feed], in state: inout ReaderState) -> [Effect] {
    let effects = change(feeds, in: &state) { $0.settings = $1.settings }
    guard feeds.count != 1 || !isFeedFormOpen(in: state) else { return effects }
    return effects + state.notify(SubscriptionsStrings.set(feeds, undo: state.key(.undo)))
  }

  /// Shows changes of feeds before a snapshot brings them.
  static func change(
    _ feeds: [Feed], in state: inout ReaderState, _ update: (inout Feed, Feed) -> Void
  ) -> [Effect] {
    let changed = Dictionary(feeds.map { ($0.id, $0) }) { first, _ in first }
    var snapshot = state.subscriptions
    for index in snapshot.feeds.indices {
      if let feed = changed[snapshot.feeds[index].id] { update(&snapshot.feeds[index], feed) }
    }
    return Action.Subscriptions.receive(snapshot, in: &state)
  }

  // MARK: Settings

  static func isFeedFormOpen(in state: ReaderState) -> Bool { state.stack.contains(FeedForm.self) }

  /// Sets something for feeds; several are deselected then.
  static func set(
    _ setting: FeedSetting, to text: String, for ids: [FeedID], in state: inout ReaderState
  ) -> [Effect] {
    if ids.count > 1 { deselectFeeds(in: &state) }
    return [.subscriptions(.set(ids, setting, to: text))]
  }

  /// Takes the value that was typed for a setting. One that is none is told with what it takes, and the line stays
  /// open.
  static func finishSetting(
    _ ids: [FeedID], _ setting: FeedSetting, _ text: String, in state: inout ReaderState
  ) -> ScreenResponse {
    let feeds = ids.compactMap(state.feed)
    guard !feeds.isEmpty else { return .closed(state.notify(SubscriptionsStrings.removed(1))) }
    var isOther = false
    do {
      for feed in feeds {
        var settings = feed.settings
        try setting.set(text, in: &settings)
        if settings != feed.settings { isOther = true }
      }
    } catch {
      let error = error as? SourceError
      // A header that must not be given here is named.
      let isOfValue = error.map { $0.subject.hasPrefix(setting.rawValue) } ?? true
      return .done(
        state.notify(
          isOfValue
            ? SubscriptionsStrings.takes(setting)
            : "\(error?.subject ?? ""): \(error?.message ?? "")", .error))
    }
    state.forgetError()
    return .closed(isOther ? set(setting, to: text, for: ids, in: &state) : [])
  }
}
