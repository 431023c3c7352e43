internal import News

internal import struct Foundation.Date

/// One line of the sidebar.
struct SidebarItem: Hashable, Sendable {
  enum Kind: Hashable {
    case smart
    case folder(isOpen: Bool)
    case feed
  }

  var kind: Kind
  var timeline: Timeline
  var title: String
  /// Unread articles; of the starred, all.
  var count: Int
  var depth: Int
  /// Whether the last fetch failed: its own, or that of a feed inside a closed folder.
  var hasError: Bool
  /// Whether the feed is gone for good.
  var isGone = false
  /// Whether it failed because the connection cannot be trusted.
  var isUntrusted = false
  /// What is being waited for, for the right end of the line; nil for nothing.
  var wait: SidebarWait?
}

extension SidebarItem: SelectableRow {
  var selectionID: Timeline { timeline }
}

/// What a feed waits for.
enum SidebarWait: Hashable, Sendable {
  /// Another attempt of a fetch that is under way.
  case retry(RetryWait)
  /// The next fetch, until then left alone.
  case next(Date)
}

extension SidebarState {
  /// Makes the lines anew from the snapshot: what is always there, the folders, then the feeds that
  /// lie in none.
  mutating func rebuildItems() {
    let counts = snapshot.counts
    func smart(_ timeline: Timeline, _ title: String, _ count: Int) -> SidebarItem {
      SidebarItem(
        kind: .smart, timeline: timeline, title: title, count: count, depth: 0, hasError: false)
    }
    items = [
      smart(.all, "All", counts.unread), smart(.unread, "Unread", counts.unread),
      smart(.starred, "Starred", counts.starred),
    ]
    appendFolders()
    for feed in snapshot.feeds where feed.folders.isEmpty { append(feed, depth: 0) }
    if selection.index(in: items) == nil {
      // The folder around it was closed, or the feed is gone.
      selection.select(closedParent(of: selected) ?? .all)
    }
    selection.settleInPlace(in: items)
  }

  /// Goes to the line of a timeline, and opens the folders around a feed that is in none that is
  /// open.
  mutating func select(_ timeline: Timeline) {
    selection.select(timeline)
    if selection.index(in: items) != nil { return selection.settleInPlace(in: items) }
    guard case .feed(let id) = timeline,
      let folder = snapshot.feeds.first(where: { $0.id == id })?.folders.first
    else { return }
    closedFolders.subtract(Self.pathAndParents(folder))
    rebuildItems()
  }

  /// The folders, each with those in it and then its feeds. By loops alone: an imported list nests
  /// as deep as it likes.
  private mutating func appendFolders() {
    let tree = FolderTree(snapshot.feeds)
    // From here on, the last one first.
    var waiting = tree.folders[0].folders.reversed().map { (index: $0, depth: 0, isDone: false) }
    while let (index, depth, isDone) = waiting.popLast() {
      let folder = tree.folders[index]
      if isDone {
        for feed in folder.feeds { append(snapshot.feeds[feed], depth: depth + 1) }
        continue
      }
      let isOpen = !closedFolders.contains(folder.path)
      items.append(
        SidebarItem(
          kind: .folder(isOpen: isOpen), timeline: .folder(folder.path), title: folder.name,
          count: folder.unread, depth: depth, hasError: !isOpen && folder.hasError))
      guard isOpen else { continue }
      waiting.append((index, depth, true))
      waiting += folder.folders.reversed().map { ($0, depth + 1, false) }
    }
  }

  private mutating func append(_ feed: Feed, depth: Int) {
    items.append(
      SidebarItem(
        kind: .feed, timeline: .feed(feed.id), title: feed.displayTitle,
        count: feed.counts.unread, depth: depth, hasError: feed.state.isFailing,
        isGone: feed.state.isGone,
        isUntrusted: feed.state.error?.kind == .tls,
        wait: snapshot.waits[feed.id].map(SidebarWait.retry)
          ?? (!feed.state.isFailing ? nil : feed.state.nextAttempt.map(SidebarWait.next))))
  }

  private func closedParent(of timeline: Timeline) -> Timeline? {
    var paths: [String] = []
    if case .folder(let path) = timeline { paths = [path] }
    if case .feed(let id) = timeline {
      paths = snapshot.feeds.first { $0.id == id }?.folders ?? []
    }
    return paths.flatMap(Self.pathAndParents).map(Timeline.folder).first { timeline in
      items.contains { $0.timeline == timeline }
    }
  }

  /// `a/b/c` lies in `a/b`, and that in `a`.
  private static func pathAndParents(_ path: String) -> [String] {
    var result: [String] = []
    var current: String? = path
    while let folder = current {
      result.append(folder)
      current = parent(of: folder)
    }
    return result
  }

  private static func parent(of folder: String) -> String? {
    folder.lastIndex(of: "/").map { String(folder[..<$0]) }
  }
}

/// The folders that feeds lie in.
private struct FolderTree {
  struct Folder {
    var name: String
    var path: String
    var parent: Int?
    /// In the order of their names.
    var folders: [Int] = []
    /// Those that lie in it themselves, in the order of the feeds.
    var feeds: [Int] = []
    /// Of all feeds inside, each counted once.
    var unread = 0
    var hasError = false
    var places: [Substring: Int] = [:]
    /// The feed that was counted last.
    var lastFeed = -1
  }

  /// The first one is around them all.
  private(set) var folders = [Folder(name: "", path: "")]

  init(_ feeds: [Feed]) {
    for (number, feed) in feeds.enumerated() {
      for path in feed.folders {
        let place = place(of: path)
        folders[place].feeds.append(number)
        var around: Int? = place
        while let index = around, folders[index].lastFeed != number {
          folders[index].lastFeed = number
          folders[index].unread += feed.counts.unread
          if feed.state.isFailing { folders[index].hasError = true }
          around = folders[index].parent
        }
      }
    }
    let names = folders.map { $0.name.lowercased() }
    for index in folders.indices { folders[index].folders.sort { names[$0] < names[$1] } }
  }

  private mutating func place(of path: String) -> Int {
    var index = 0
    for name in path.split(separator: "/") {
      if let next = folders[index].places[name] {
        index = next
        continue
      }
      let around = folders[index].path
      folders.append(
        Folder(
          name: String(name), path: around.isEmpty ? String(name) : around + "/" + name,
          parent: index))
      folders[index].places[name] = folders.count - 1
      folders[index].folders.append(folders.count - 1)
      index = folders.count - 1
    }
    return index
  }
}
