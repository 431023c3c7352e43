/// The library of one user at a server of the Google Reader API: subscriptions, items and their states.
///
/// A value without I/O, a clock or a dialect: `GoogleReaderDesk` speaks for it, and a test compares what a
/// client believes with it. Every function is absolute: to apply it twice is to apply it once.
package struct GoogleReaderModel: Sendable, Hashable {
  /// A feed that the user is subscribed to.
  package struct Feed: Sendable, Hashable {
    /// As in `feed/12`.
    package var stream: String
    package var url: String
    package var title: String
    package var page: String
    /// Names of folders, in the order they were added.
    package var folders: [String] = []
    /// The feed's states cannot be changed for items that were published before (milliseconds).
    package var firstItemMilliseconds: Int64 = 0
  }

  /// A file that an item carries along.
  package struct File: Sendable, Hashable {
    package var url: String
    package var type: String
    package var length: Int64?

    package init(url: String, type: String, length: Int64? = nil) {
      self.url = url
      self.type = type
      self.length = length
    }
  }

  /// An item without its states.
  package struct Item: Sendable, Hashable {
    package var id: Int64
    /// The stream of its feed.
    package var feed: String
    package var title: String
    package var url: String
    package var author: String
    package var html: String
    /// Seconds since 1970, as the feed says.
    package var published: Int64
    /// Microseconds since 1970, when the server took it in.
    package var crawled: Int64
    package var files: [File]
    package var categories: [String]

    package init(
      id: Int64, feed: String, title: String, url: String = "", author: String = "",
      html: String = "", published: Int64, crawled: Int64, files: [File] = [],
      categories: [String] = []
    ) {
      self.id = id
      self.feed = feed
      self.title = title
      self.url = url
      self.author = author
      self.html = html
      self.published = published
      self.crawled = crawled
      self.files = files
      self.categories = categories
    }
  }

  /// How an item is marked.
  package struct State: Sendable, Hashable {
    package var isRead = false
    package var isStarred = false
    /// Labels of the item itself, not the folders of its feed.
    package var labels: Set<String> = []

    package init(isRead: Bool = false, isStarred: Bool = false, labels: Set<String> = []) {
      self.isRead = isRead
      self.isStarred = isStarred
      self.labels = labels
    }
  }

  package enum Mark: Sendable, Hashable {
    case read
    case starred
    case label(String)
  }

  /// A set of items that has a name on the wire.
  package enum Stream: Sendable, Hashable {
    case all
    case read
    case starred
    /// Items with the label, and those of feeds in the folder of that name.
    case label(String)
    case feed(String)
  }

  package private(set) var feeds: [Feed] = []
  package private(set) var states: [Int64: State] = [:]
  /// Oldest first, by the time of the crawl and then the id.
  package private(set) var items: [Item] = []
  /// Labels of items, in the order they were first used; one stays until it is disabled.
  package private(set) var labels: [String] = []
  private var places: [Int64: Int] = [:]
  private var lastFeed = 0

  package init() {}

  package subscript(id: Int64) -> Item? { places[id].map { items[$0] } }

  package func feed(_ stream: String) -> Feed? { feeds.first { $0.stream == stream } }

  /// Folders that a feed lies in, in the order of the feeds.
  package var folders: [String] {
    var seen: Set<String> = []
    return feeds.flatMap(\.folders).filter { seen.insert($0).inserted }
  }

  package var unread: Set<Int64> { ids { !$0.isRead } }
  package var starred: Set<Int64> { ids { $0.isStarred } }

  private func ids(where isIncluded: (State) -> Bool) -> Set<Int64> {
    Set(states.filter { isIncluded($0.value) }.map(\.key))
  }

  /// Items of a stream, newest first.
  package func items(in stream: Stream) -> [Item] {
    let inFolder: Set<String> =
      if case .label(let name) = stream {
        Set(feeds.filter { $0.folders.contains(name) }.map(\.stream))
      } else {
        []
      }
    return items.reversed().filter { item in
      let state = states[item.id] ?? State()
      return switch stream {
      case .all: true
      case .read: state.isRead
      case .starred: state.isStarred
      case .label(let name): state.labels.contains(name) || inFolder.contains(item.feed)
      case .feed(let stream): item.feed == stream
      }
    }
  }
}

// MARK: - Items and their marks

extension GoogleReaderModel {
  /// Takes an item in, or replaces the one of the same id, whose marks stay. An item of no feed that the
  /// user has is left out.
  package mutating func insert(_ item: Item) {
    guard feed(item.feed) != nil else { return }
    if let place = places[item.id] {
      items[place] = item
    } else {
      items.append(item)
      states[item.id] = State()
    }
    arrange()
  }

  package mutating func insert(_ new: [Item]) {
    for item in new where feed(item.feed) != nil {
      guard places[item.id] == nil else {
        insert(item)
        continue
      }
      places[item.id] = items.count
      items.append(item)
      states[item.id] = State()
    }
    arrange()
  }

  /// What a server purges by itself.
  package mutating func remove(_ id: Int64) { remove { $0.id == id } }

  private mutating func remove(where isRemoved: (Item) -> Bool) {
    for item in items where isRemoved(item) { states[item.id] = nil }
    items.removeAll(where: isRemoved)
    arrange()
  }

  private mutating func arrange() {
    items.sort { ($0.crawled, $0.id) < ($1.crawled, $1.id) }
    places = Dictionary(uniqueKeysWithValues: items.enumerated().map { ($1.id, $0) })
  }

  /// Sets marks and takes others away. Ids that are not there are passed over.
  package mutating func mark(_ ids: [Int64], adding: [Mark], removing: [Mark] = []) {
    for id in ids where states[id] != nil {
      for mark in adding { set(mark, true, of: id) }
      for mark in removing { set(mark, false, of: id) }
    }
  }

  private mutating func set(_ mark: Mark, _ isSet: Bool, of id: Int64) {
    switch mark {
    case .read: states[id]?.isRead = isSet
    case .starred: states[id]?.isStarred = isSet
    case .label(let name):
      if isSet {
        if !labels.contains(name) { labels.append(name) }
        states[id]?.labels.insert(name)
      } else {
        states[id]?.labels.remove(name)
      }
    }
  }

  /// Marks what a stream holds as read, as far as it had been taken in by then.
  ///
  /// - Parameter crawled: microseconds since 1970; nil for all.
  package mutating func markAllAsRead(in stream: Stream, until crawled: Int64?) {
    let ids = items(in: stream).filter { item in crawled.map { item.crawled <= $0 } ?? true }
    mark(ids.map(\.id), adding: [.read])
  }
}

// MARK: - Subscriptions

extension GoogleReaderModel {
  /// The feed, as it is already where the user has it.
  @discardableResult
  package mutating func subscribe(
    to url: String, title: String? = nil, page: String = "", folders: [String] = []
  ) -> Feed {
    if let known = feeds.first(where: { $0.url == url }) { return known }
    lastFeed += 1
    let feed = Feed(
      stream: "feed/\(lastFeed)", url: url, title: title ?? url, page: page, folders: folders)
    feeds.append(feed)
    return feed
  }

  /// Takes the items along, the starred ones too: another subscription makes new ids.
  package mutating func unsubscribe(from stream: String) {
    feeds.removeAll { $0.stream == stream }
    remove { $0.feed == stream }
  }

  package mutating func change(_ stream: String, _ body: (inout Feed) -> Void) {
    guard let index = feeds.firstIndex(where: { $0.stream == stream }) else { return }
    body(&feeds[index])
  }

  /// Whether a folder or a label has the name.
  package func has(label name: String) -> Bool {
    labels.contains(name) || feeds.contains { $0.folders.contains(name) }
  }

  package mutating func renameLabel(_ name: String, to other: String) {
    replaceLabel(name, by: other)
  }

  /// Feeds stay, without the folder.
  package mutating func disableLabel(_ name: String) { replaceLabel(name, by: nil) }

  private mutating func replaceLabel(_ name: String, by other: String?) {
    func replaced(_ names: [String]) -> [String] {
      var seen: Set<String> = []
      return names.compactMap { $0 == name ? other : $0 }.filter { seen.insert($0).inserted }
    }
    for index in feeds.indices { feeds[index].folders = replaced(feeds[index].folders) }
    labels = replaced(labels)
    for (id, state) in states where state.labels.contains(name) {
      states[id]?.labels = Set(replaced(Array(state.labels)))
    }
  }
}
