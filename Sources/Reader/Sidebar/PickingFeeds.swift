internal import News
internal import Screen

extension SidebarSnapshot {
  /// The feeds that a row stands for: those of a folder or an account in the order of their titles; none for a list
  /// of articles.
  func feeds(of row: Timeline) -> [FeedID] {
    switch row {
    case .feed(let id): [id]
    case .folder(let folder):
      feeds.filter { $0.folderIDs.contains(where: folder.contains) }.map(\.id)
    case .all, .unread, .starred, .search, .matching: []
    }
  }
}

extension SidebarState {
  /// Selects the feeds of the present row, or deselects them.
  ///
  /// - Returns: false where it is no row of feeds.
  mutating func pickSelected(of snapshot: SidebarSnapshot) -> Bool {
    let feeds = snapshot.feeds(of: selected)
    guard !feeds.isEmpty else { return false }
    picked.toggle(feeds, of: selected)
    return true
  }

  /// Selects the feeds from the row that was selected last to the present one; without one, those of the present one
  /// alone. An open folder between the two is a heading of rows that are selected anyway, or lie outside.
  ///
  /// - Returns: false where the row that was selected last does not show.
  mutating func pickRange(of snapshot: SidebarSnapshot) -> Bool {
    let range = picked.range(to: selectedIndex) { last in
      items.firstIndex { $0.timeline == last }
    }
    guard let range else { return false }
    for place in range where items.indices.contains(place) {
      let isHeading =
        switch items[place].kind {
        case .folder(isOpen: true), .account(isOpen: true):
          place != range.first && place != range.last
        default: false
        }
      let feeds = snapshot.feeds(of: items[place].timeline)
      if !isHeading, !feeds.isEmpty { picked.add(feeds, of: items[place].timeline) }
    }
    return true
  }
}

extension SidebarPane {
  /// - Returns: nil where no feed is selected, or the command is about one feed at a time.
  func performOnPickedFeeds(_ command: Command, in state: inout ReaderState) -> [Effect]? {
    let ids = state.sidebar.picked.ids
    guard !ids.isEmpty else { return nil }
    switch command {
    case .markAllRead:
      let effects = Marking.markRead(feeds: ids, in: &state)
      FeedEditing.deselectFeeds(in: &state)
      return effects
    case .refresh:
      FeedEditing.deselectFeeds(in: &state)
      return FeedEditing.askRefresh(feeds: ids, in: &state)
    case .remove:
      // They are deselected with the snapshot that has them no more.
      return FeedEditing.askToRemove(ids, in: &state)
    case .moveToFolder:
      guard let feed = ids.count == 1 ? state.feed(ids[0]) : nil else {
        FeedEditing.askForFolders(ofSeveral: ids, in: &state)
        return []
      }
      FeedEditing.deselectFeeds(in: &state)
      FeedEditing.askForFolders(of: feed, in: &state)
      return []
    case .change: return FeedEditing.openFeedForm(of: ids, in: &state)
    case .markOlderRead: return CommandDrafts.askToMarkOlderRead(within: ids.queryText, in: &state)
    case .addRule: return CommandDrafts.askForRule(about: ids.queryText, in: &state)
    default: return nil
    }
  }
}
