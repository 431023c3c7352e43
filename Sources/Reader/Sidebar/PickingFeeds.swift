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

  /// Lets go of all others, such as those that are gone.
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

/// Commands about all feeds that are picked. They are let go when one has been done.
extension ReaderState {
  /// Picks these feeds in place of others, and goes to the first of them in the sidebar.
  mutating func goToPicked(_ ids: [FeedID]) -> [Effect] {
    deselectFeeds()
    guard let first = ids.first else { return [] }
    // Those with nothing unread may be hidden, and the folders around them closed.
    sidebar.hidesRead = false
    for id in ids {
      guard let feed = feed(id) else { continue }
      sidebar.picked.add([id], of: .feed(id))
      for folder in feed.folderIDs.prefix(1) {
        sidebar.closedFolders.subtract(folder.selfAndParents)
      }
    }
    sidebar.rebuildItems(from: subscriptions)
    let effects = show(.feed(first))
    focus = .sidebar
    return effects
  }

  mutating func deselectFeeds() { sidebar.picked = PickedFeeds() }

  /// - Returns: nil where nothing is picked, or the command is about one feed at a time.
  mutating func performOnPickedFeeds(_ command: Command) -> [Effect]? {
    let ids = sidebar.picked.ids
    guard !ids.isEmpty else { return nil }
    switch command {
    case .markAllRead:
      let effects = markRead(feeds: ids)
      deselectFeeds()
      return effects
    case .refresh:
      deselectFeeds()
      return askRefresh(feeds: ids)
    case .removeFeed:
      // They are let go with the snapshot that has them no more.
      guard let feed = ids.count == 1 ? feed(ids[0]) : nil else {
        ask(
          .question(
            "Remove \(ids.count) feeds and their articles", [.subscriptions(.remove(ids))]))
        return []
      }
      return askToRemove(feed)
    case .fileFeed:
      guard let feed = ids.count == 1 ? feed(ids[0]) : nil else {
        askForFolders(ofSeveral: ids)
        return []
      }
      deselectFeeds()
      askForFolders(of: feed)
      return []
    case .feedForm: return openFeedForm(of: ids)
    case .markOlderRead: return askToMarkOlderRead(within: ids.queryText)
    case .addRule: return askForRule(about: ids.queryText)
    default: return nil
    }
  }

  mutating func askForFolders(ofSeveral ids: [FeedID]) {
    ask(.foldersOfSeveral(ids, LineEditor(selected: foldersOfAll(ids))))
  }

  /// The folders that all of some feeds are in, with semicolons between them; empty where they differ.
  private func foldersOfAll(_ ids: [FeedID]) -> String {
    let folders = ids.compactMap(feed).map(\.folders)
    guard let first = folders.first, folders.allSatisfy({ Set($0) == Set(first) }) else {
      return ""
    }
    return first.joined(separator: "; ")
  }

  /// Puts several feeds into folders as they were typed.
  mutating func file(_ ids: [FeedID], into typed: String) -> [Effect] {
    deselectFeeds()
    return [.subscriptions(.file(ids, into: folders(typed)))]
  }

  // MARK: What has come of it

  mutating func receiveRemoved(_ ids: [FeedID], title: String?, count: Int) -> [Effect] {
    receiveRemoval(
      of: ids,
      saying: title.map { "removed \($0)" }
        ?? "removed \(Self.counted(count)); \(key(.undo)) brings them back")
  }

  mutating func receiveFiled(_ feeds: [Feed]) -> [Effect] {
    let effects = change(feeds) { $0.folders = $1.folders }
    let folders = feeds.map(\.folders).max { $0.count < $1.count } ?? []
    let places = "in \(folders.isEmpty ? "no folder" : folders.joined(separator: "; "))"
    guard feeds.count != 1 else { return effects + notify(places) }
    return effects + notify("\(Self.counted(feeds.count)) \(places); \(key(.undo)) takes it back")
  }

  /// A change of a single feed shows in its form, and needs a message only where that is not open.
  mutating func receiveSet(_ feeds: [Feed]) -> [Effect] {
    let effects = change(feeds) { $0.settings = $1.settings }
    guard feeds.count != 1 || !isFeedFormOpen else { return effects }
    return effects + notify("set for \(Self.counted(feeds.count)); \(key(.undo)) takes it back")
  }

  private static func counted(_ count: Int) -> String { count == 1 ? "1 feed" : "\(count) feeds" }

  /// Shows changes of several feeds before a snapshot brings them.
  ///
  /// - Parameter update: takes over what has changed of the second one.
  private mutating func change(_ feeds: [Feed], _ update: (inout Feed, Feed) -> Void) -> [Effect] {
    let changed = Dictionary(feeds.map { ($0.id, $0) }) { first, _ in first }
    var snapshot = subscriptions
    for index in snapshot.feeds.indices {
      if let feed = changed[snapshot.feeds[index].id] { update(&snapshot.feeds[index], feed) }
    }
    return receive(subscriptions: snapshot)
  }
}
