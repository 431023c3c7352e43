internal import News
internal import Screen
internal import Text

extension Command {
  static let renameFeed = Command("rename-feed")
  static let fileFeed = Command("move-to-folder")
  static let addFolder = Command("add-folder")
}

extension KeyBinding {
  static let renameFeed = KeyBinding(.renameFeed, [.character("e")], "rename the feed", .feeds)
  static let fileFeed = KeyBinding(
    .fileFeed, [.character("M")], "move the feed to another folder", .feeds)
  static let addFolder = KeyBinding(
    .addFolder, [.character("F")], "make a folder, which stays without feeds", .feeds)
}

/// Names and folders of feeds, and the account that a new one belongs to.
extension ReaderState {
  /// Asks for the path of a new folder; one in the selected folder is begun with.
  mutating func askForFolder() -> [Effect] {
    let around = sidebar.selectedFolder.flatMap { $0.account == .local ? $0.path + "/" : nil } ?? ""
    ask(.newFolder(LineEditor(around)))
    return []
  }

  /// Shows a folder that was made, before a snapshot brings it.
  mutating func receiveAdded(_ folder: FolderID) -> [Effect] {
    var snapshot = subscriptions
    if !snapshot.folders.contains(folder) { snapshot.folders.append(folder) }
    let former = folds
    sidebar.closedFolders.subtract(folder.selfAndParents)
    var effects = receive(subscriptions: snapshot)
    if focus == .sidebar {
      effects += show(.folder(folder))
      sidebar.select(.folder(folder), among: subscriptions)
    }
    if folds != former { effects.append(.preferences(.keepFolds(folds))) }
    return effects
      + notify("made the folder \(folder.path); \(key(.fileFeed)) puts the selected feed into one")
  }

  private mutating func askForPath(of folder: FolderID) -> [Effect] {
    ask(.folderPath(folder, LineEditor(folder.path)))
    return []
  }

  /// Gives a folder the path that was typed; one that is there takes its feeds.
  func move(_ folder: FolderID, to typed: String) -> [Effect] {
    let path = typed.split(separator: "/").map { PlainText.sanitized(String($0)) }
      .filter { !$0.isEmpty }.joined(separator: "/")
    return path.isEmpty || path == folder.path
      ? [] : [.subscriptions(.moveFolder(folder, to: path))]
  }

  /// Shows a folder where it is now, before a snapshot brings it.
  ///
  /// - Parameter path: nil where it was removed.
  mutating func receiveMoved(_ folder: FolderID, to path: String?, feeds count: Int) -> [Effect] {
    let feeds = count == 1 ? "1 feed" : "\(count) feeds"
    guard let path else {
      guard count > 0 else { return notify("the folder is gone; \(key(.undo)) takes it back") }
      return notify(
        "the folder is gone, its \(feeds) \(count == 1 ? "stays" : "stay"); \(key(.undo)) takes it back"
      )
    }
    var snapshot = subscriptions
    for index in snapshot.feeds.indices {
      snapshot.feeds[index].folders = snapshot.feeds[index].folders(moving: folder, to: path)
    }
    snapshot.folders = snapshot.folders.map {
      FolderID($0.path(moving: folder, to: path), of: $0.account)
    }
    let former = folds
    sidebar.closedFolders = Set(
      sidebar.closedFolders.map {
        FolderID($0.path(moving: folder, to: path), of: $0.account)
      })
    var effects = receive(subscriptions: snapshot)
    if focus == .sidebar {
      let timeline = Timeline.folder(FolderID(path, of: folder.account))
      effects += show(timeline)
      sidebar.select(timeline, among: subscriptions)
    }
    if folds != former { effects.append(.preferences(.keepFolds(folds))) }
    guard count > 0 else {
      return effects + notify("the folder is \(path) now; \(key(.undo)) takes it back")
    }
    return effects + notify("\(feeds) in \(path) now; \(key(.undo)) takes it back")
  }

  mutating func askToRemove(_ folder: FolderID) -> [Effect] {
    let feeds = subscriptions.feeds(of: .folder(folder)).isEmpty ? "" : ", not its feeds"
    ask(
      .question("Remove the folder \(folder.path)\(feeds)", [.subscriptions(.removeFolder(folder))])
    )
    return []
  }

  mutating func askToRemove(_ feed: Feed) -> [Effect] {
    let title = feed.displayTitle
    ask(
      .question(
        "Remove \(title) and its articles", [.subscriptions(.remove([feed.id], title: title))]))
    return []
  }

  mutating func askForTitle() -> [Effect] {
    if let smart = smartFeed(of: sidebar.selected) {
      ask(.smartName(smart.id, LineEditor(selected: smart.name)))
      return []
    }
    if let folder = sidebar.selectedFolder { return askForPath(of: folder) }
    guard case .feed(let id) = sidebar.selected, let feed = feed(id) else {
      return notify("pick a feed in the sidebar first")
    }
    askForTitle(of: feed)
    return []
  }

  mutating func askForTitle(of feed: Feed) {
    ask(.feedTitle(feed.id, LineEditor(selected: feed.displayTitle)))
  }

  mutating func askForFolders() -> [Effect] {
    if let folder = sidebar.selectedFolder { return askForPath(of: folder) }
    guard case .feed(let id) = sidebar.selected, let feed = feed(id) else {
      return notify("pick a feed in the sidebar first")
    }
    askForFolders(of: feed)
    return []
  }

  mutating func askForFolders(of feed: Feed) {
    let folders = LineEditor(selected: feed.folders.joined(separator: "; "))
    ask(.feedFolders(feed.id, folders, in: subscriptions.accountOfServer(of: feed)))
  }

  func rename(_ feed: FeedID, to typed: String) -> [Effect] {
    let title = PlainText.sanitized(typed)
    guard !title.isEmpty, title != self.feed(feed)?.displayTitle else { return [] }
    return [.subscriptions(.rename(feed, to: title))]
  }

  /// The paths of folders that were typed, with semicolons between them.
  func folders(_ typed: String) -> [String] {
    typed.split(separator: ";").map(String.init).filter { !$0.allSatisfy(\.isWhitespace) }
  }

  /// - Parameter account: where the feed is to be; nil where it is to be fetched from here.
  func file(_ id: FeedID, into typed: String, account: Account?) -> [Effect] {
    let folders = folders(typed)
    guard let feed = feed(id), subscriptions.accountOfServer(of: feed)?.id != account?.id else {
      return [.subscriptions(.file([id], into: folders))]
    }
    return [.subscriptions(.transfer(id, to: account, into: folders))]
  }

  /// Shows a feed in the account that it has moved to. Where that has had the feed before, a snapshot brings it.
  mutating func receiveTransferred(_ id: FeedID, _ feed: Feed) -> [Effect] {
    let effects = id == feed.id ? change(id) { $0 = feed } : []
    let name = feed.account.id == .local ? "no account" : feed.account.displayName
    return effects + notify("\(feed.displayTitle) is in \(name) now")
  }

  // MARK: What has come of it

  /// Shows a change of a feed before a snapshot brings it.
  mutating func change(_ id: FeedID, _ body: (inout Feed) -> Void) -> [Effect] {
    var snapshot = subscriptions
    guard let index = snapshot.feeds.firstIndex(where: { $0.id == id }) else { return [] }
    body(&snapshot.feeds[index])
    return receive(subscriptions: snapshot)
  }

  /// Says that the server of an account has not heard of a change yet, and why.
  mutating func notify(_ change: WaitingChange) -> [Effect] {
    guard let error = change.error else {
      return notify("waits to be sent; \(key(.outbox)) shows it")
    }
    return change.isRefused
      ? notify(error) : notify("waits to be sent, \(key(.outbox)) shows it: \(error.message)")
  }
}
