internal import News
internal import Screen

struct EmptyList {
  let list: ListState
  let state: ReaderState

  private var theme: Theme { state.theme }

  private func key(_ command: Command) -> String { state.key(command) }

  func draw(_ frame: inout Frame, _ content: Rect) {
    var y = content.y + min(2, max(0, content.height - 6))
    for (text, style) in emptyLines {
      for line in TextWrapping.wrap(text, width: max(1, content.width - 4)) {
        guard y < content.maxY else { return }
        frame.put(line, x: content.x + 2, y: y, style: style, width: content.width - 2)
        y += 1
      }
    }
  }

  /// Ways to begin: the library of another reader on this machine, else a few feeds.
  private var offers: [(String, Style)] {
    guard !state.libraries.isEmpty else {
      return [("\(key(.importFeeds)) subscribes to a few feeds to start with.", theme.text)]
    }
    return state.libraries.enumerated().map { index, library in
      let (feeds, reader) = (quantity(library.feeds, "feed"), library.reader)
      return index == 0
        ? ("\(key(.importFeeds)) imports \(feeds) and their articles from \(reader).", theme.text)
        : (":import --from \(reader) imports \(feeds).", theme.dim)
    }
  }

  private var indexLines: [(String, Style)] {
    guard let progress = list.snapshot?.indexProgress else { return [] }
    return [
      ("Rebuilding the search index, newest articles first: \(progress.percent)% done.", theme.text)
    ]
  }

  private var emptyLines: [(String, Style)] {
    guard let snapshot = list.snapshot, state.isLoaded else {
      return [(CoreStrings.loading, theme.dim)]
    }
    let freshness = snapshot.freshness
    if case .search(let words) = snapshot.query.timeline {
      return [("No articles found for “\(words)”.", theme.text)] + indexLines
        + [(ReadingStrings.back(key(.back)), theme.dim)]
    }
    if [.later, .due].contains(snapshot.query.timeline), snapshot.counts.total == 0,
      !state.subscriptions.feeds.isEmpty
    {
      return [
        ("No articles in \(state.name(of: snapshot.query.timeline)).", theme.text),
        ("\(key(.later)) adds an article to Later.", theme.dim),
      ]
    }
    if case .matching(let query, _) = snapshot.query.timeline, snapshot.counts.total == 0,
      !state.subscriptions.feeds.isEmpty
    {
      let advice =
        list.isLimited
        ? "\(key(.filter)) changes the filter, \(key(.back)) shows the whole list again."
        : "\(key(.change)) in the sidebar changes the query."
      return [("No articles match “\(query.text)”.", theme.text)] + indexLines + [
        (advice, theme.dim)
      ]
    }
    if let account = state.subscriptions.firstSync(in: snapshot.query.timeline) {
      return account.firstSyncLines(theme)
        + (state.isRefreshing ? [(CoreStrings.stops, theme.dim)] : [])
    }
    if state.subscriptions.feeds.isEmpty, let lines = newAccountLines { return lines }
    if state.subscriptions.feeds.isEmpty {
      return [
        ("No feeds yet.", theme.header), ("", theme.text),
        ("Press \(key(.add)) and type the address of a feed or a page.", theme.text),
      ] + offers + [
        (":import FILE imports a list of feeds (OPML).", theme.dim),
        ("\(key(.help)) shows all keys.", theme.dim),
      ]
    }
    if case .folder(let folder) = snapshot.query.timeline, freshness.feedCount == 0,
      !folder.isAccount
    {
      return [
        ("No feeds in this folder.", theme.text),
        ("\(key(.moveToFolder)) in the sidebar moves a feed to a folder.", theme.dim),
      ]
    }
    let cached = state.cached(of: snapshot)
    if freshness.isLoading, cached == 0 {
      if case .refreshing(let done, let total, _) = state.subscriptions.activity {
        return [("Loading … \(done) of \(total)", theme.accent), (CoreStrings.stops, theme.dim)]
      }
      return [(CoreStrings.loading, theme.accent)]
    }
    if let feed = list.feed.flatMap(state.feed), feed.awaitsNetwork {
      return [
        ("Waiting for the network to find the feed.", theme.warning),
        (CoreStrings.retry(key(.refresh)), theme.dim),
      ]
    }
    if state.subscriptions.isOfflineByChoice, cached == 0 {
      return [
        ("Offline by choice, and no articles of this list are cached.", theme.warning),
        (CoreStrings.goOnline, theme.dim),
      ]
    }
    if freshness.offlineSince != nil, cached == 0 {
      let retry =
        state.settings.preferences.refreshesByItself
        ? "Telex tries again once there is a network; \(key(.refresh)) tries now."
        : CoreStrings.retry(key(.refresh))
      return [
        ("Offline, and no articles of this list are cached.", theme.warning),
        (retry, theme.dim),
      ]
    }
    if cached == 0, let error = freshness.error {
      return [
        (error.lineWithoutNext, theme.style(of: error, quiet: theme.warning)),
        (ListStrings.retry(key(.refresh), after: error.next), theme.dim),
      ]
    }
    if snapshot.query.hidesRead, snapshot.query.timeline != .unread, snapshot.counts.total > 0 {
      return [
        (ListStrings.allRead, theme.text),
        ("\(key(.hideRead)) shows \(quantity(snapshot.counts.total, "read article")).", theme.dim),
      ]
    }
    if snapshot.query.timeline == .unread {
      return [
        (ListStrings.allRead, theme.text), (ListStrings.lookForNew(key(.refresh)), theme.dim),
      ]
    }
    if snapshot.query.timeline == .starred {
      return [
        ("No starred articles yet.", theme.text),
        ("\(key(.toggleStar)) stars an article.", theme.dim),
      ]
    }
    if freshness.neverFetchedCount == freshness.feedCount {
      return [("Never fetched.", theme.text), (ListStrings.fetch(key(.refresh)), theme.dim)]
    }
    return [
      ("No articles in this list.", theme.text), (ListStrings.lookForNew(key(.refresh)), theme.dim),
    ]
  }
}

extension EmptyList {
  /// The lines for an account without feeds yet; nil where there is none.
  private var newAccountLines: [(String, Style)]? {
    let accounts = state.subscriptions.accounts
    guard let account = accounts.first(where: { $0.isNew || $0.error != nil }) else { return nil }
    if let error = account.error {
      return [
        (error.lineWithoutNext, theme.style(of: error, quiet: theme.warning)),
        (ListStrings.retry(key(.refresh), after: error.next), theme.dim),
      ]
    }
    if state.subscriptions.offlineSince != nil || !state.settings.preferences.refreshesByItself {
      return [
        ("\(account.account.displayName) has not been fetched yet.", theme.text),
        (ListStrings.fetch(key(.refresh)), theme.dim),
      ]
    }
    return account.firstSyncLines(theme)
  }
}

extension AccountSummary {
  /// The progress of the first sync.
  fileprivate func firstSyncLines(_ theme: Theme) -> [(String, Style)] {
    var lines = [("Fetching \(account.displayName) for the first time …", theme.accent)]
    if let count = firstSync?.words { lines.append((count, theme.dim)) }
    return lines
  }
}

extension SourceError {
  fileprivate var lineWithoutNext: String {
    var error = self
    error.next = nil
    return error.line
  }
}
