package import News

/// How the user has lists shown: their order, whether what is read shows, and whether lines part days or feeds. Kept for
/// each list by itself.
package struct ListHabits: Hashable, Sendable {
  struct Habit: Hashable, Sendable {
    /// Nil for that of the list itself.
    var order: ListOrder?
    var hidesRead = false
    var isGrouped = false
  }

  private(set) var lists: [Timeline: Habit] = [:]
  var hidesReadFeeds = false
  var feedOrder = FeedOrder.name

  /// The order of lists that were given no other. It is a setting, and not kept.
  package var usual = ListOrder.newest

  package init() {}

  /// The order of a list that was given no other: its own, where it has one.
  func usualOrder(of timeline: Timeline) -> ListOrder {
    if let own = timeline.limit?.order { return own }
    if case .feed = timeline, usual == .feed { return .newest }
    return usual
  }

  /// How a list is shown, its order included.
  func shown(_ timeline: Timeline) -> Habit {
    var habit = self[timeline]
    habit.order = habit.order ?? usualOrder(of: timeline)
    return habit
  }

  /// The habits of one list.
  subscript(_ timeline: Timeline) -> Habit {
    get { lists[timeline] ?? Habit() }
    set { lists[timeline] = newValue == Habit() ? nil : newValue }
  }

  // MARK: Lines of a file

  private static let feeds = "feeds unread"
  private static let sorted = "feeds by "
  private static let grouped = "+groups"
  /// More lists than this are not kept: a query over a list is one of its own.
  private static let most = 2_000

  /// A line for each list that is not shown as the program does by itself.
  package var lines: [String] {
    let lists = lists.compactMap { timeline, habit in
      timeline.key.map {
        let shown = (habit.hidesRead ? "unread" : "all") + (habit.isGrouped ? Self.grouped : "")
        return "\(habit.order?.rawValue ?? "-") \(shown) \($0)"
      }
    }
    return (hidesReadFeeds ? [Self.feeds] : [])
      + (feedOrder == .name ? [] : [Self.sorted + feedOrder.rawValue])
      + lists.sorted().prefix(Self.most)
  }

  /// The subject of a line: a list, or a part of the sidebar.
  package static func subject(ofLine line: String) -> String {
    if line == feeds { return line }
    if line.hasPrefix(sorted) { return sorted }
    return line.split(separator: " ", maxSplits: 2).dropFirst(2).joined()
  }

  /// - Parameter lines: as `lines` has them; others are passed over.
  package init(lines: [String]) {
    for line in lines.prefix(Self.most) {
      if line == Self.feeds { hidesReadFeeds = true }
      if line.hasPrefix(Self.sorted) {
        feedOrder = FeedOrder(rawValue: String(line.dropFirst(Self.sorted.count))) ?? feedOrder
        continue
      }
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      guard words.count == 3, let timeline = Timeline(key: words[2]) else { continue }
      self[timeline] = Habit(
        order: ListOrder(rawValue: words[0]), hidesRead: words[1].hasPrefix("unread"),
        isGrouped: words[1].hasSuffix(Self.grouped))
    }
  }
}

extension Timeline {
  /// A line that names it over restarts; nil for what is no list of its own.
  var key: String? {
    switch self {
    case .all: "all"
    case .unread: "unread"
    case .starred: "starred"
    case .feed(let id): "feed \(id.rawValue)"
    case .folder(let folder) where !folder.path.contains("\n"):
      "folder \(folder.account.rawValue) \(folder.path)"
    case .matching(let query, in: .all) where !query.text.contains("\n"): "query \(query.text)"
    case .folder, .search, .matching: nil
    }
  }

  init?(key: String) {
    let (kind, rest) = Self.halves(key)
    switch kind {
    case "all": self = .all
    case "unread": self = .unread
    case "starred": self = .starred
    case "feed":
      guard let id = Int64(rest) else { return nil }
      self = .feed(FeedID(id))
    case "folder":
      let (account, path) = Self.halves(rest)
      guard let account = Int64(account) else { return nil }
      self = .folder(FolderID(path, of: AccountID(account)))
    case "query":
      guard let query = try? ArticleQuery(rest) else { return nil }
      self = .matching(query, in: .all)
    default: return nil
    }
  }

  /// The text before the first space, and the rest.
  private static func halves(_ text: String) -> (String, String) {
    let halves = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(halves.first ?? ""), halves.count > 1 ? String(halves[1]) : "")
  }
}
