internal import News
internal import Screen

/// Queries over the list on the screen, and those that are kept as smart feeds.
enum Limiting {
  /// Asks for a query over the list.
  static func askForLimit(in state: inout ReaderState) {
    let limit = state.list.isLimited ? state.shownTimeline.limit?.text : nil
    state.ask(.limit(of: nil), LineEditor(selected: limit ?? ""))
  }

  static func finishLimit(
    _ text: String, of smart: SmartFeedID?, in state: inout ReaderState
  ) -> [Effect] {
    guard let query = try? ArticleQuery(text) else { return [] }
    if let smart {
      guard let feed = state.subscriptions.smartFeeds.first(where: { $0.id == smart }) else {
        return []
      }
      guard !query.isEmpty, query != feed.query else { return [] }
      return keep(query, as: feed.name, in: &state)
    }
    guard !query.isEmpty else { return state.list.isLimited ? state.leaveSearch() : [] }
    var whole = state.shownTimeline
    if state.list.isLimited, case .matching(_, let inner) = state.shownTimeline { whole = inner }
    state.focus = .list
    return state.show(.matching(query, in: whole), isLimited: true)
  }

  /// Asks for the name of a smart feed with what limits the list.
  static func askForSmartName(in state: inout ReaderState) -> [Effect] {
    guard let query = keepableQuery(in: state) else {
      return state.notify(
        FindingStrings.noFilter(filter: state.key(.filter), search: state.key(.search)))
    }
    state.ask(.newSmartName(query), LineEditor(selected: query.text))
    return []
  }

  /// Keeps a query by a name that no other smart feed has, and shows it.
  static func keep(
    _ query: ArticleQuery, asNew name: String, in state: inout ReaderState
  ) -> [Effect] {
    if let known = state.subscriptions.smartFeeds.first(where: { $0.isNamed(name) }) {
      return state.notify(FindingStrings.nameTaken(known.name, change: state.key(.change)), .error)
    }
    if let known = state.subscriptions.smartFeeds.first(where: { $0.query == query }) {
      return state.notify(FindingStrings.known(known.name), .error)
    }
    return keep(query, as: name, in: &state)
  }

  static func keep(_ query: ArticleQuery, as name: String, in state: inout ReaderState) -> [Effect]
  {
    var snapshot = state.subscriptions
    let known = snapshot.smartFeeds.firstIndex { $0.name.lowercased() == name.lowercased() }
    let wasShown = known.map { snapshot.smartFeeds[$0].timeline == state.sidebar.selected } ?? true
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
    state.list.isLimited = false
    state.listBeforeSearch = nil
    _ = Action.Subscriptions.receive(snapshot, in: &state)
    let effects: [Effect] = [.subscriptions(.saveSmartFeed(name, query))]
    return effects + (wasShown ? state.show(.matching(query, in: .all)) : [])
      + state.notify(FindingStrings.kept(name))
  }

  /// The query that finds what the list shows, wherever it is asked; nil where nothing limits the list.
  private static func keepableQuery(in state: ReaderState) -> ArticleQuery? {
    guard state.list.isPassing else { return nil }
    let order = state.shownTimeline.limit?.order.map { " sort:\($0.rawValue)" } ?? ""
    return state.subscriptions.queryText(of: state.shownTimeline).flatMap {
      try? ArticleQuery($0 + order)
    }
  }
}
