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
  /// What is being waited for, for the right end of the line; nil for nothing.
  var wait: SidebarWait?
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
    let folders = Set(snapshot.feeds.flatMap(\.folders).flatMap(Self.pathAndParents))
    appendFolders(in: nil, of: folders.sorted { $0.lowercased() < $1.lowercased() })
    for feed in snapshot.feeds where feed.folders.isEmpty { append(feed, depth: 0) }
    if !items.contains(where: { $0.timeline == selected }) {
      // The folder around it was closed, or the feed is gone.
      selected = closedParent(of: selected) ?? .all
    }
  }

  /// Goes to the line of a timeline, and opens the folders around a feed that is in none that is
  /// open.
  mutating func select(_ timeline: Timeline) {
    selected = timeline
    guard case .feed(let id) = timeline, !items.contains(where: { $0.timeline == timeline }),
      let folder = snapshot.feeds.first(where: { $0.id == id })?.folders.first
    else { return }
    closedFolders.subtract(Self.pathAndParents(folder))
    rebuildItems()
  }

  private mutating func appendFolders(in parent: String?, of folders: [String]) {
    for folder in folders where Self.parent(of: folder) == parent {
      let inside = snapshot.feeds.filter { feed in
        feed.folders.contains { $0 == folder || $0.hasPrefix(folder + "/") }
      }
      let isOpen = !closedFolders.contains(folder)
      let depth = folder.utf8.count { $0 == UInt8(ascii: "/") }
      items.append(
        SidebarItem(
          kind: .folder(isOpen: isOpen), timeline: .folder(folder),
          title: String(folder.split(separator: "/").last ?? ""),
          count: inside.reduce(0) { $0 + $1.counts.unread }, depth: depth,
          hasError: !isOpen && inside.contains { $0.state.error != nil }))
      guard isOpen else { continue }
      appendFolders(in: folder, of: folders)
      for feed in inside where feed.folders.contains(folder) { append(feed, depth: depth + 1) }
    }
  }

  private mutating func append(_ feed: Feed, depth: Int) {
    items.append(
      SidebarItem(
        kind: .feed, timeline: .feed(feed.id), title: feed.displayTitle,
        count: feed.counts.unread, depth: depth, hasError: feed.state.error != nil,
        wait: snapshot.waits[feed.id].map(SidebarWait.retry)
          ?? (feed.state.error == nil ? nil : feed.state.nextAttempt.map(SidebarWait.next))))
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
