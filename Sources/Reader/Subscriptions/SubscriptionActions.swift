package import News

extension Action {
  package enum Subscriptions: Hashable, Sendable {
    case arrived(SidebarSnapshot)
    /// How many unread articles each smart feed has.
    case counted(ListCounts)
    /// - Parameters:
    ///   - failed: feeds, without those that are gone for good.
    ///   - wasDue: whether anything was to be fetched.
    ///   - resting: says which feeds were left out because their servers want a pause.
    case refreshEnded(
      failed: Int, gone: Int = 0, inserted: Int, wasAsked: Bool, wasDue: Bool = true,
      resting: String? = nil)
    /// - Parameters:
    ///   - foundAt: the first page of the site, where that has led to the feed and nothing was at the
    ///     address that was typed.
    ///   - address: what was typed.
    case added(Feed, isNew: Bool, foundAt: String? = nil, address: String? = nil)
    case notAdded(String, SourceError)
    /// The feeds of the page at an address, two or more.
    case found(String, [FeedLink])
    /// So many of these feeds were there to be removed.
    ///
    /// - Parameter title: of a single one, which may be gone from the list by now.
    case removed([FeedID], title: String? = nil, count: Int = 1)
    /// A subscription has become one with another.
    case merged(FeedID, into: FeedID)
    case renamed(FeedID, to: String)
    case filed([Feed])
    case set([Feed])
    case defaultsRead(FeedDefaults, of: [FeedID])
    /// A folder was made, which stays without feeds.
    case folderAdded(FolderID)
    /// With the number of its feeds; nil for one that was removed.
    case folderMoved(FolderID, to: String?, feeds: Int)
    /// A feed has moved to another account, where it may be one that was there already.
    case transferred(FeedID, Feed)
    /// A change of a feed waits for the server of its account.
    case waits(WaitingChange)
    /// A feed has another address now: the one that was asked for.
    case moved(FeedID, to: String)
    case notMoved(FeedID, to: String, SourceError)
  }
}

extension Effect {
  package enum Refresh: Hashable, Sendable {
    /// The feeds of a timeline, at the request of the user.
    case asked(Timeline)
    /// At the request of the user.
    case askedFeeds([FeedID])
    /// Feeds whose interval is over.
    case due
    /// Feeds that could not be reached last time.
    case unreachable
  }

  package enum Subscriptions: Hashable, Sendable {
    /// Subscribe to the feed at an address, or report the feeds there. No action follows once it is
    /// cancelled.
    case add(String)
    /// Subscribe to one of the feeds that an address led to.
    case addFound(FeedLink, of: String)
    /// Subscribe in an account whose server keeps the subscriptions, after a search where it has no server. No action
    /// follows once it is cancelled.
    case addToAccount(String, Account)
    /// Give a feed another name; at the server of its account too.
    case rename(FeedID, to: String)
    /// Put feeds into these folders and out of all others, as one change; at the servers of their accounts too.
    case file([FeedID], into: [String])
    /// Put all feeds of a folder into another one, or take the folder away: its feeds stay.
    case moveFolder(FolderID, to: String)
    case removeFolder(FolderID)
    /// Make a folder, by its path as it was typed, that stays without feeds.
    case addFolder(String)
    /// Set something for feeds, in the words of a user, as one change.
    case set([FeedID], FeedSetting, to: String)
    /// Report the values in force where these feeds have none of their own.
    case readDefaults([FeedID])
    /// Move a feed with its articles and marks to an account, nil for none, and put it into these folders there.
    case transfer(FeedID, to: Account?, into: [String])
    /// Remove feeds, as one change.
    ///
    /// - Parameter title: of a single one, for the message.
    case remove([FeedID], title: String? = nil)
    /// Keep a query by a name; one that has the name takes the query.
    case saveSmartFeed(String, ArticleQuery)
    case renameSmartFeed(SmartFeedID, to: String)
    case removeSmartFeed(SmartFeedID)
    /// Fetch a feed from another address from now on. An address that the user entered may lead to a
    /// private host.
    case move(FeedID, to: String, isUserEntered: Bool)
    /// Make one subscription of two that lead to one feed; the second one stays.
    case merge(FeedID, into: FeedID)

    package enum ID: Hashable, Sendable {
      case move(FeedID)
      /// By the address that the user typed: several searches may run at the same time.
      case add(String)
    }

    package var id: EffectID? {
      switch self {
      case .add(let address), .addFound(_, let address), .addToAccount(let address, _):
        .subscriptions(.add(address))
      case .move(let id, _, _): .subscriptions(.move(id))
      default: nil
      }
    }
  }
}

extension Action.Subscriptions {
  func reduce(_ state: inout ReaderState) -> [Effect] {
    switch self {
    case .arrived(let snapshot):
      var snapshot = snapshot
      snapshot.unread = state.subscriptions.unread
      return Self.receive(snapshot, in: &state)
    case .counted(let counts):
      state.subscriptions.unread = counts
      state.sidebar.rebuildItems(from: state.subscriptions)
      return []
    case .refreshEnded(let failed, let gone, let inserted, let wasAsked, let wasDue, let resting):
      if wasAsked { state.askedRefreshes.running = [] }
      return
        (wasAsked
        ? Self.reportRefresh(
          failed: failed, gone: gone, inserted: inserted, resting: resting, in: &state)
        : [])
        + (inserted > 0 ? ProgramRuns.findNew(in: state) : [])
        + (wasDue
          ? ProgramRuns.react(state.settings.events.onRefresh, count: inserted, in: &state) : [])
    case .added(let feed, let isNew, let page, let address):
      // Its articles are not news.
      return AddressSearches.receiveAdded(
        feed, isNew: isNew, foundAt: page, address: address, in: &state)
        + ProgramRuns.findNew(in: state)
    case .notAdded(let address, let error):
      return AddressSearches.receiveFailure(address, error, in: &state)
    case .found(let address, let links): return state.offer(links, of: address)
    case .removed(let ids, let title, let count):
      return FeedEditing.receiveRemoved(ids, title: title, count: count, in: &state)
    case .merged(let id, let other):
      let titles = [id, other].map { state.feed($0)?.displayTitle ?? SubscriptionsStrings.theFeed }
      return AddressSearches.receiveRemoval(
        of: [id], saying: SubscriptionsStrings.merged(titles[0], titles[1]), in: &state)
    case .renamed(let id, let title):
      var feed = state.feed(id)
      feed?.title = title
      return FeedEditing.change([feed].compactMap(\.self), in: &state) { $0.title = $1.title }
        + state.notify(SubscriptionsStrings.renamed(to: title))
    case .folderAdded(let folder): return FeedEditing.receiveAdded(folder, in: &state)
    case .folderMoved(let folder, let path, let count):
      return FeedEditing.receiveMoved(folder, to: path, feeds: count, in: &state)
    case .set(let feeds): return FeedEditing.receiveSet(feeds, in: &state)
    case .defaultsRead: return state.offer(.subscriptions(self)) ?? []
    case .filed(let feeds): return FeedEditing.receiveFiled(feeds, in: &state)
    case .transferred(let id, let feed): return FeedEditing.receiveTransferred(id, feed, in: &state)
    case .waits(let change): return state.notify(change)
    case .moved(let id, let address):
      return AddressSearches.receiveMoved(Move(feed: id, address: address), in: &state)
    case .notMoved(let id, let address, let error):
      return AddressSearches.receiveMoveFailure(Move(feed: id, address: address), error, in: &state)
    }
  }

  private static func reportRefresh(
    failed: Int, gone: Int, inserted: Int, resting: String?, in state: inout ReaderState
  ) -> [Effect] {
    guard failed + gone > 0 else {
      return state.notify(SubscriptionsStrings.refreshed(new: inserted, resting: resting))
    }
    let key = state.stack.contains(HealthState.self) ? nil : state.key(.health)
    let text = SubscriptionsStrings.refreshFailed(failed, gone: gone, health: key)
    // Failures may end by themselves.
    return state.notify(text, gone > 0 ? .error : .plain, atLeast: 8_000)
  }
}

extension Action.Subscriptions {
  static func receive(_ snapshot: SidebarSnapshot, in state: inout ReaderState) -> [Effect] {
    // The snapshot of the first screen comes again when it is observed. Hidden rows depend on more than subscriptions.
    if state.isLoaded, !state.sidebar.hidesRead, snapshot == state.subscriptions { return [] }
    let shown = state.smartFeed(of: state.sidebar.selected)
    // By what is unread they are sorted when they are there first, and when a refresh is over.
    let hasEnded = state.isRefreshing && snapshot.activity == .idle
    if hasEnded { state.askedRefreshes.running = [] }
    let isNews = !state.isLoaded || hasEnded
    state.subscriptions = snapshot
    state.isLoaded = true
    if !state.sidebar.picked.isEmpty {
      let known = Set(snapshot.feeds.map(\.id))
      state.sidebar.picked.keep(known.contains)
    }
    // A smart feed that was given another query elsewhere stays the one that is shown.
    var changed: Timeline?
    if let shown, let now = snapshot.smartFeeds.first(where: { $0.id == shown.id }),
      let timeline = now.timeline, timeline != shown.timeline
    {
      changed = state.list.query.timeline == shown.timeline ? timeline : nil
      state.sidebar.selection.select(timeline)
    }
    let selected = state.sidebar.selected
    if isNews, state.sidebar.order == .unread {
      state.sidebar.sortAnew(snapshot)
    } else {
      state.sidebar.rebuildItems(from: snapshot)
    }
    state.settleScreens()
    if let changed { return state.show(changed) }
    // The feed that was shown is gone: another list takes its place.
    guard state.sidebar.selected != selected, state.list.query.timeline.isWithin(selected) else {
      return []
    }
    return state.show(state.sidebar.selected)
  }
}
