package import News

struct SidebarState: Hashable, Sendable {
  /// Lines of the pane below its heading.
  var height = 1
  var items: [SidebarItem] = []
  /// Columns of the widest row there has been: closed folders and read feeds move no pane.
  private(set) var namesWidth = 0
  /// A feed in several folders has several rows with the same timeline.
  var selection = ScrollingSelection<Timeline>(.all)
  var closedFolders: Set<FolderID> = []
  var areTagsClosed = false
  /// Whether feeds are left out that have nothing unread and do not fail.
  var hidesRead = false
  var order = FeedOrder.name
  /// The numbers of unread articles that feeds were last sorted by.
  var sortingCounts: [FeedID: Int] = [:]
  var picked = MultipleSelection<FeedID, Timeline>()

  var selected: Timeline { selection.id ?? .all }
  /// The selected folder; nil for an account.
  var selectedFolder: FolderID? {
    guard case .folder(let folder) = selected, !folder.path.isEmpty else { return nil }
    return folder
  }
  var selectedIndex: Int { selection.nearestIndex(in: items) ?? 0 }

  var firstVisible: Int { selection.firstVisible(in: items, height: height) }
}

// MARK: Moving and folding

extension SidebarState {
  /// Selects a row, and scrolls as needed.
  mutating func select(_ index: Int) {
    selection.selectInPlace(index, in: items)
    selection.settle(in: items, height: height)
  }

  /// Selects a row that shows.
  mutating func selectInPlace(_ index: Int) { selection.selectInPlace(index, in: items) }

  mutating func scroll(by delta: Int) { selection.scroll(by: delta, in: items, height: height) }

  /// Closes the folder that is selected, or opens it; the tags too.
  mutating func toggleFolder(of snapshot: SidebarSnapshot) {
    if case .folder(let folder) = selected { return toggle(folder, of: snapshot) }
    switch items.indices.contains(selectedIndex) ? items[selectedIndex].kind : .smart {
    case .tags, .tag: toggleTags(of: snapshot)
    case .smart, .folder, .account, .feed: break
    }
  }

  mutating func toggleTags(of snapshot: SidebarSnapshot) {
    areTagsClosed.toggle()
    if let tagged = ArticleQuery.tagged { selection.select(.matching(tagged, in: .all)) }
    rebuildItems(from: snapshot)
  }

  mutating func toggle(_ folder: FolderID, of snapshot: SidebarSnapshot) {
    closedFolders.formSymmetricDifference([folder])
    rebuildItems(from: snapshot)
  }

  /// Folds all folders, or unfolds them where none is open.
  mutating func toggleAllFolders(of snapshot: SidebarSnapshot) {
    var open = self
    open.closedFolders = []
    open.rebuildItems(from: snapshot)
    let folders = Set(
      open.items.compactMap { if case .folder(let folder) = $0.timeline { folder } else { nil } })
    closedFolders = folders.isSubset(of: closedFolders) ? [] : folders
    rebuildItems(from: snapshot)
  }

  /// The next feed after the selected row that has unread articles, in a closed folder too; nil for none.
  ///
  /// - Parameter delta: 1, or -1 for the one before.
  func unreadFeed(_ delta: Int, in snapshot: SidebarSnapshot) -> Timeline? {
    var open = self
    open.closedFolders = []
    open.rebuildItems(from: snapshot)
    // A feed in several folders has its turn once.
    var seen: Set<Timeline> = []
    let items = open.items.filter { seen.insert($0.timeline).inserted }
    guard !items.isEmpty else { return nil }
    let current = items.firstIndex { $0.timeline == selected } ?? 0
    for step in 1..<max(2, items.count) {
      let index = (current + delta * step + items.count * 2) % items.count
      guard items[index].kind == .feed, items[index].count > 0,
        items[index].timeline != selected
      else { continue }
      return items[index].timeline
    }
    return nil
  }
}

// MARK: Rows

extension SidebarState {
  /// Makes the rows from a snapshot: the smart timelines, the folders, the feeds without a folder, then each
  /// account that keeps subscriptions, with its own.
  mutating func rebuildItems(from snapshot: SidebarSnapshot) {
    var snapshot = snapshot
    snapshot.feeds = sorted(snapshot.feeds)
    let counts = snapshot.counts
    func smart(_ timeline: Timeline, _ title: String, _ count: Int) -> SidebarItem {
      SidebarItem(
        kind: .smart, timeline: timeline, title: title, count: count, depth: 0, hasError: false)
    }
    items = [smart(.all, "All", counts.unread), smart(.unread, "Unread", counts.unread)]
    // All of Later may wait.
    if snapshot.tags.contains(where: Later.isTag) || selected == .later {
      items.append(smart(.later, "Later", snapshot.later))
    }
    if snapshot.due > 0 || selected == .due { items.append(smart(.due, "Due", snapshot.due)) }
    items.append(smart(.starred, "Starred", counts.starred))
    if snapshot.hasReadLately, let lately = ArticleQuery.readLately {
      items.append(smart(.matching(lately, in: .all), CoreStrings.readLately, 0))
    }
    for feed in snapshot.smartFeeds {
      guard let timeline = feed.timeline else { continue }
      let count = snapshot.unread.smart[feed.id]
      var item = smart(timeline, feed.name, count ?? 0)
      item.isCounting = count == nil
      items.append(item)
    }
    appendTags(of: snapshot)
    let tree = FolderTree(
      snapshot.feeds, accounts: snapshot.accounts.map(\.id), kept: snapshot.folders,
      sortedBy: order == .unread ? sortingCounts : [:])
    let top = tree.folders[0].folders
    append(top.filter { !tree.folders[$0].id.isAccount }, of: tree, snapshot)
    for feed in snapshot.feeds
    where feed.folders.isEmpty && feed.account.folderOwner == .local && isShown(feed) {
      append(feed, depth: 0, snapshot.waits)
    }
    append(
      accounts(top.filter { tree.folders[$0].id.isAccount }, tree, snapshot), of: tree, snapshot)
    if selection.index(in: items) == nil {
      // The folder around it was closed, or the feed is gone.
      selection.select(closedParent(of: selected, in: snapshot) ?? .all)
    }
    selection.settleInPlace(in: items)
    namesWidth = items.reduce(namesWidth) { max($0, SidebarDrawing.columns(of: $1)) }
  }

  /// Selects the row of a timeline. The folders around a feed, and the tags, are opened where it has no visible row.
  mutating func select(_ timeline: Timeline, among snapshot: SidebarSnapshot) {
    selection.select(timeline)
    if selection.index(in: items) != nil { return selection.settleInPlace(in: items) }
    if areTagsClosed, case .matching(let query, in: .all) = timeline,
      snapshot.tags.contains(where: { ArticleQuery.tag(named: $0) == query })
    {
      areTagsClosed = false
      return rebuildItems(from: snapshot)
    }
    switch timeline {
    case .feed(let id):
      guard let feed = snapshot.feeds.first(where: { $0.id == id }) else { return }
      if let folder = feed.folderIDs.first { closedFolders.subtract(folder.selfAndParents) }
    // It may have been left out because all of it is read.
    case .folder where hidesRead: break
    default: return
    }
    rebuildItems(from: snapshot)
  }

  /// Appends the tags, below a heading that shows what has any.
  private mutating func appendTags(of snapshot: SidebarSnapshot) {
    // Later has a row of its own.
    let tags = snapshot.tags.filter { !Later.isTag($0) }
    guard !tags.isEmpty, let tagged = ArticleQuery.tagged else { return }
    items.append(
      SidebarItem(
        kind: .tags(isOpen: !areTagsClosed), timeline: .matching(tagged, in: .all),
        title: "Tags", count: 0, depth: 0, hasError: false))
    guard !areTagsClosed else { return }
    for tag in tags {
      guard let query = ArticleQuery.tag(named: tag) else { continue }
      items.append(
        SidebarItem(
          kind: .tag, timeline: .matching(query, in: .all), title: tag,
          count: snapshot.unread.tags[tag] ?? 0, depth: 1, hasError: false))
    }
  }

  private func accounts(_ places: [Int], _ tree: FolderTree, _ snapshot: SidebarSnapshot) -> [Int] {
    places.map { ($0, snapshot.title(ofAccount: tree.folders[$0].id.account)) }
      .sorted { ($0.1.lowercased(), $0.0) < ($1.1.lowercased(), $1.0) }.map(\.0)
  }

  /// Appends folders, each with its folders and then its feeds. Iterative: an imported list may nest to any
  /// depth.
  private mutating func append(_ places: [Int], of tree: FolderTree, _ snapshot: SidebarSnapshot) {
    // From here on, the last one first.
    var waiting = places.reversed().map { (index: $0, depth: 0, isDone: false) }
    while let (index, depth, isDone) = waiting.popLast() {
      let folder = tree.folders[index]
      if isDone {
        for feed in folder.feeds where isShown(snapshot.feeds[feed]) {
          append(snapshot.feeds[feed], depth: depth + 1, snapshot.waits)
        }
        continue
      }
      guard isShown(folder, in: snapshot) else { continue }
      let isOpen = !closedFolders.contains(folder.id)
      if folder.id.isAccount {
        append(folder, isOpen: isOpen, snapshot)
      } else {
        var item = SidebarItem(
          kind: .folder(isOpen: isOpen), timeline: .folder(folder.id), title: folder.name,
          count: folder.unread, depth: depth, hasError: !isOpen && folder.hasError)
        item.isEmpty = folder.count == 0
        item.needsUser = !isOpen && folder.needsUser
        items.append(item)
      }
      guard isOpen else { continue }
      waiting.append((index, depth, true))
      waiting += folder.folders.reversed().map { ($0, depth + 1, false) }
    }
  }

  /// Whether a feed has a row where what is read is left out: the selected one has, one that is picked, and one that
  /// fails.
  private func isShown(_ feed: Feed) -> Bool {
    !hidesRead || feed.counts.unread > 0 || feed.showsFailure || feed.awaitsNetwork
      || selected == .feed(feed.id) || picked.contains(feed.id)
  }

  private func isShown(_ folder: FolderTree.Folder, in snapshot: SidebarSnapshot) -> Bool {
    guard hidesRead, !folder.id.isAccount, folder.unread == 0, !folder.hasError else { return true }
    if case .folder(let id) = selected, folder.id.contains(id) { return true }
    if !picked.isEmpty, snapshot.feeds(of: .folder(folder.id)).contains(where: picked.contains) {
      return true
    }
    guard case .feed(let id) = selected, let feed = snapshot.feeds.first(where: { $0.id == id })
    else { return false }
    return feed.folderIDs.contains(where: folder.id.contains)
  }

  /// Appends the row of an account, with what it waits for.
  private mutating func append(
    _ folder: FolderTree.Folder, isOpen: Bool, _ snapshot: SidebarSnapshot
  ) {
    let summary = snapshot.accounts.first { $0.id == folder.id.account }
    var item = SidebarItem(
      kind: .account(isOpen: isOpen), timeline: .folder(folder.id),
      title: snapshot.title(ofAccount: folder.id.account), count: folder.unread, depth: 0,
      hasError: summary.map { $0.error != nil || $0.refused > 0 } == true
        || (!isOpen && folder.hasError))
    item.needsUser = !isOpen && folder.needsUser
    if let summary {
      item.needsUser = item.needsUser || summary.refused > 0 || summary.error?.needsUser == true
      if let sync = summary.firstSync {
        item.wait = .firstSync(sync)
      } else if summary.error != nil, let date = summary.nextAttempt {
        item.wait = .next(date)
      } else if summary.waiting > 0 {
        item.wait = .unsent(summary.waiting)
      }
    }
    items.append(item)
  }

  private mutating func append(_ feed: Feed, depth: Int, _ waits: [FeedID: RetryWait]) {
    items.append(
      SidebarItem(
        kind: .feed, timeline: .feed(feed.id), title: feed.displayTitle,
        count: feed.counts.unread, depth: depth, hasError: feed.showsFailure,
        needsUser: feed.needsUser, isGone: feed.state.isGone,
        isUntrusted: feed.showsFailure && feed.state.error?.kind == .tls,
        wait: waits[feed.id].map(SidebarWait.retry)
          ?? (feed.awaitsNetwork ? .network : nil)
          ?? (!feed.showsFailure ? nil : feed.state.nextAttempt.map(SidebarWait.next))))
  }

  private func closedParent(of timeline: Timeline, in snapshot: SidebarSnapshot) -> Timeline? {
    var folders: [FolderID] = []
    if case .folder(let folder) = timeline { folders = [folder] }
    if case .feed(let id) = timeline {
      folders = snapshot.feeds.first { $0.id == id }?.folderIDs ?? []
    }
    return folders.flatMap(\.selfAndParents).map(Timeline.folder).first { timeline in
      items.contains { $0.timeline == timeline }
    }
  }
}

extension SidebarSnapshot {
  /// An account that keeps subscriptions.
  fileprivate func account(_ id: AccountID) -> Account? {
    accounts.first { $0.id == id }?.account ?? feeds.first { $0.account.id == id }?.account
  }

  /// The name of an account in a narrow column: that of its server, with the user's where several have it.
  fileprivate func title(ofAccount id: AccountID) -> String {
    guard let account = account(id) else { return "Account" }
    let short = account.shortName
    let isShared = accounts.contains { $0.id != id && $0.account.shortName == short }
    return isShared ? account.displayName : short
  }
}

/// Folders, and the tags, that are closed in the sidebar.
package struct Folds: Hashable, Sendable {
  package var folders: Set<FolderID>
  package var areTagsClosed: Bool

  package init(folders: Set<FolderID> = [], areTagsClosed: Bool = false) {
    self.folders = folders
    self.areTagsClosed = areTagsClosed
  }
}

extension ReaderState {
  package var folds: Folds {
    get { Folds(folders: sidebar.closedFolders, areTagsClosed: sidebar.areTagsClosed) }
    set {
      (sidebar.closedFolders, sidebar.areTagsClosed) = (newValue.folders, newValue.areTagsClosed)
    }
  }
}
