internal import News
internal import Screen

extension Command {
  static let limit = Command("limit")
  static let clearLimit = Command("clear-limit")
  static let keepQuery = Command("keep-query")
}

extension KeyBinding {
  static let limit = KeyBinding(
    .limit, [.character("&")], "limit the list to a query; of a smart feed, change it", .read)
  static let clearLimit = KeyBinding(.clearLimit, [], "show all of the list again", .read)
  static let keepQuery = KeyBinding(
    .keepQuery, [.character("=")], "keep the limit or the search as a smart feed", .feeds)
}

/// Queries over the list on the screen, and those that are kept as smart feeds.
extension ReaderState {
  /// Asks for the query of the smart feed that is picked in the sidebar, else for one over the list.
  mutating func askForLimit() {
    if focus == .sidebar, let smart = smartFeed(of: sidebar.selected) {
      return ask(.limit(LineEditor(smart.text), of: smart.id))
    }
    let limit = list.isLimited ? shownTimeline.limit?.text : nil
    ask(.limit(LineEditor(selected: limit ?? ""), of: nil))
  }

  /// Limits the list to a query; nothing takes the limit away.
  mutating func finishLimit(_ text: String, of smart: SmartFeedID?) -> [Effect] {
    guard let query = try? ArticleQuery(text) else { return [] }
    if let smart {
      guard let feed = subscriptions.smartFeeds.first(where: { $0.id == smart }) else { return [] }
      guard !query.isEmpty, query != feed.query else { return [] }
      return keep(query, as: feed.name)
    }
    guard !query.isEmpty else { return list.isLimited ? leaveSearch() : [] }
    var whole = shownTimeline
    if list.isLimited, case .matching(_, let inner) = shownTimeline { whole = inner }
    focus = .list
    return show(.matching(query, in: whole), isLimited: true)
  }

  /// Asks for the name of a smart feed with what limits the list.
  mutating func askForSmartName() -> [Effect] {
    guard let query = keepableQuery else {
      return notify("\(key(.limit)) limits the list to a query first, \(key(.search)) searches")
    }
    ask(.newSmartName(query, LineEditor(selected: query.text)))
    return []
  }

  /// Keeps a query by a name that no other smart feed has, and shows it.
  mutating func keep(_ query: ArticleQuery, asNew name: String) -> [Effect] {
    if let known = subscriptions.smartFeeds.first(where: { $0.isNamed(name) }) {
      return notify(
        "there is a smart feed \(known.name) already; \(key(.limit, on: SidebarPane.self)) on it in the sidebar changes its query",
        .error)
    }
    if let known = subscriptions.smartFeeds.first(where: { $0.query == query }) {
      return notify("\(known.name) has this query already", .error)
    }
    return keep(query, as: name)
  }

  /// Keeps a query, and shows it.
  mutating func keep(_ query: ArticleQuery, as name: String) -> [Effect] {
    var snapshot = subscriptions
    let known = snapshot.smartFeeds.firstIndex { $0.name.lowercased() == name.lowercased() }
    let wasShown = known.map { snapshot.smartFeeds[$0].timeline == sidebar.selected } ?? true
    if let known {
      let former = snapshot.smartFeeds[known]
      snapshot.smartFeeds[known] = SmartFeed(id: former.id, name: name, text: query.text)
    }
    if known == nil {
      // The store gives it another number, which a snapshot brings.
      snapshot.smartFeeds.append(SmartFeed(id: SmartFeedID(-1), name: name, text: query.text))
      snapshot.smartFeeds.sort { $0.name.lowercased() < $1.name.lowercased() }
    }
    // The list stays what it is once the limit is its own.
    list.isLimited = false
    listBeforeSearch = nil
    _ = receive(subscriptions: snapshot)
    let effects: [Effect] = [.subscriptions(.saveSmartFeed(name, query))]
    return effects + (wasShown ? show(.matching(query, in: .all)) : [])
      + notify("kept as \(name)")
  }

  /// The query that finds what the list shows, wherever it is asked; nil where nothing limits the list.
  private var keepableQuery: ArticleQuery? {
    guard list.isPassing else { return nil }
    let order = shownTimeline.limit?.order.map { " sort:\($0.rawValue)" } ?? ""
    return subscriptions.queryText(of: shownTimeline).flatMap { try? ArticleQuery($0 + order) }
  }
}
