internal import News
internal import Screen

/// Feeds of the sidebar that are picked, so that the next command is about all of them. A folder stands for its
/// feeds.
struct PickedFeeds: Hashable, Sendable {
  /// In the order in which they were picked.
  private(set) var ids: [FeedID] = []
  private var known: Set<FeedID> = []
  /// The row that was picked last, from which a range goes.
  private(set) var last: Timeline?

  var isEmpty: Bool { ids.isEmpty }

  func contains(_ id: FeedID) -> Bool { known.contains(id) }

  /// Whether all of some feeds are picked; false for none.
  func contains(all feeds: [FeedID]) -> Bool {
    !feeds.isEmpty && feeds.allSatisfy(known.contains)
  }

  /// Picks the feeds of a row, or lets them go where all of them are picked.
  mutating func toggle(_ feeds: [FeedID], of row: Timeline) {
    if contains(all: feeds) {
      keep { !feeds.contains($0) }
    } else {
      add(feeds, of: row)
    }
  }

  mutating func add(_ feeds: [FeedID], of row: Timeline) {
    for id in feeds where known.insert(id).inserted { ids.append(id) }
    last = row
  }

  /// Keeps those that are still there.
  mutating func keep(_ isKept: (FeedID) -> Bool) {
    guard !isEmpty else { return }
    ids = ids.filter(isKept)
    known = Set(ids)
    if ids.isEmpty { last = nil }
  }
}

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
  /// Picks the feeds of the selected row, or lets them go.
  ///
  /// - Returns: false where it is no row of feeds.
  mutating func pickSelected(of snapshot: SidebarSnapshot) -> Bool {
    let feeds = snapshot.feeds(of: selected)
    guard !feeds.isEmpty else { return false }
    picked.toggle(feeds, of: selected)
    return true
  }

  /// Picks the feeds from the row that was picked last to the selected one; without one, those of the selected one
  /// alone. An open folder between the two is a heading of rows that are picked anyway, or lie outside.
  ///
  /// - Returns: false where the row that was picked last does not show.
  mutating func pickRange(of snapshot: SidebarSnapshot) -> Bool {
    let index = selectedIndex
    let from = picked.last.flatMap { last in items.firstIndex { $0.timeline == last } }
    if picked.last != nil, from == nil { return false }
    let range = min(from ?? index, index)...max(from ?? index, index)
    guard items.indices.contains(range.upperBound) else { return true }
    let places = (from ?? index) > index ? range.reversed() : Array(range)
    for place in places {
      let isHeading =
        switch items[place].kind {
        case .folder(isOpen: true), .account(isOpen: true): place != index && place != from
        default: false
        }
      let feeds = snapshot.feeds(of: items[place].timeline)
      if !isHeading, !feeds.isEmpty { picked.add(feeds, of: items[place].timeline) }
    }
    return true
  }
}

extension SidebarPane {
  /// - Returns: nil where nothing is picked, or the command is about one feed at a time.
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
      // They are let go with the snapshot that has them no more.
      guard let feed = ids.count == 1 ? state.feed(ids[0]) : nil else {
        state.ask(
          .question(
            SubscriptionsStrings.unsubscribe(from: ids.count), [.subscriptions(.remove(ids))]))
        return []
      }
      return FeedEditing.askToRemove(feed, in: &state)
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
