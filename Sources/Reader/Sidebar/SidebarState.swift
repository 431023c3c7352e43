internal import News

/// The state of the list of subscriptions at the left.
struct SidebarState: Hashable, Sendable {
  /// Lines of the pane below its heading.
  var height = 1
  var items: [SidebarItem] = []
  /// A feed in several folders has several rows with the same timeline.
  var selection = ScrollingSelection<Timeline>(.all)
  var closedFolders: Set<FolderID> = []

  var selected: Timeline { selection.id ?? .all }
  var selectedIndex: Int { selection.nearestIndex(in: items) ?? 0 }

  /// The index of the first visible item.
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

  /// Closes the folder that is selected, or opens it.
  mutating func toggleFolder(of snapshot: SidebarSnapshot) {
    guard case .folder(let folder) = selected else { return }
    toggle(folder, of: snapshot)
  }

  mutating func toggle(_ folder: FolderID, of snapshot: SidebarSnapshot) {
    closedFolders.formSymmetricDifference([folder])
    rebuildItems(from: snapshot)
  }
}

// MARK: Rows

extension SidebarState {
  /// Makes the rows from a snapshot: the smart timelines, the folders, then the feeds without a folder.
  mutating func rebuildItems(from snapshot: SidebarSnapshot) {
    let counts = snapshot.counts
    func smart(_ timeline: Timeline, _ title: String, _ count: Int) -> SidebarItem {
      SidebarItem(
        kind: .smart, timeline: timeline, title: title, count: count, depth: 0, hasError: false)
    }
    items = [
      smart(.all, "All", counts.unread), smart(.unread, "Unread", counts.unread),
      smart(.starred, "Starred", counts.starred),
    ]
    appendFolders(of: snapshot)
    for feed in snapshot.feeds where feed.folders.isEmpty { append(feed, depth: 0, snapshot.waits) }
    if selection.index(in: items) == nil {
      // The folder around it was closed, or the feed is gone.
      selection.select(closedParent(of: selected, in: snapshot) ?? .all)
    }
    selection.settleInPlace(in: items)
  }

  /// Selects the row of a timeline. The folders around a feed are opened where it has no visible row.
  mutating func select(_ timeline: Timeline, among snapshot: SidebarSnapshot) {
    selection.select(timeline)
    if selection.index(in: items) != nil { return selection.settleInPlace(in: items) }
    guard case .feed(let id) = timeline,
      let folder = snapshot.feeds.first(where: { $0.id == id })?.folderIDs.first
    else { return }
    closedFolders.subtract(folder.selfAndParents)
    rebuildItems(from: snapshot)
  }

  /// Appends the folders, each with its folders and then its feeds. Iterative: an imported list may nest
  /// to any depth.
  private mutating func appendFolders(of snapshot: SidebarSnapshot) {
    let tree = FolderTree(snapshot.feeds)
    // From here on, the last one first.
    var waiting = tree.folders[0].folders.reversed().map { (index: $0, depth: 0, isDone: false) }
    while let (index, depth, isDone) = waiting.popLast() {
      let folder = tree.folders[index]
      if isDone {
        for feed in folder.feeds { append(snapshot.feeds[feed], depth: depth + 1, snapshot.waits) }
        continue
      }
      let isOpen = !closedFolders.contains(folder.id)
      items.append(
        SidebarItem(
          kind: .folder(isOpen: isOpen), timeline: .folder(folder.id), title: folder.name,
          count: folder.unread, depth: depth, hasError: !isOpen && folder.hasError))
      guard isOpen else { continue }
      waiting.append((index, depth, true))
      waiting += folder.folders.reversed().map { ($0, depth + 1, false) }
    }
  }

  private mutating func append(
    _ feed: Feed, depth: Int, _ waits: [FeedID: RetryWait]
  ) {
    items.append(
      SidebarItem(
        kind: .feed, timeline: .feed(feed.id), title: feed.displayTitle,
        count: feed.counts.unread, depth: depth, hasError: feed.state.isFailing,
        isGone: feed.state.isGone,
        isUntrusted: feed.state.error?.kind == .tls,
        wait: waits[feed.id].map(SidebarWait.retry)
          ?? (!feed.state.isFailing ? nil : feed.state.nextAttempt.map(SidebarWait.next))))
  }

  private func closedParent(
    of timeline: Timeline, in snapshot: SidebarSnapshot
  ) -> Timeline? {
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
