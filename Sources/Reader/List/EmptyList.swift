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
      return [(ListStrings.subscribeToStarters(key(.importFeeds)), theme.text)]
    }
    return state.libraries.enumerated().map { index, library in
      index == 0
        ? (ListStrings.importFeeds(key(.importFeeds), library), theme.text)
        : (ListStrings.importOthers(library), theme.dim)
    }
  }

  private var indexLines: [(String, Style)] {
    guard let progress = list.snapshot?.indexProgress else { return [] }
    return [(ListStrings.indexing(progress.percent), theme.text)]
  }

  private var emptyLines: [(String, Style)] {
    guard let snapshot = list.snapshot, state.isLoaded else {
      return [(CoreStrings.loading, theme.dim)]
    }
    let freshness = snapshot.freshness
    if case .search(let words) = snapshot.query.timeline {
      return [(ListStrings.noneFound(words), theme.text)] + indexLines
        + [(ReadingStrings.back(key(.back)), theme.dim)]
    }
    if [.later, .due].contains(snapshot.query.timeline), snapshot.counts.total == 0,
      !state.subscriptions.feeds.isEmpty
    {
      return [
        (ListStrings.noArticles(in: state.name(of: snapshot.query.timeline)), theme.text),
        (ListStrings.addToLater(key(.later)), theme.dim),
      ]
    }
    if case .matching(let query, _) = snapshot.query.timeline, snapshot.counts.total == 0,
      !state.subscriptions.feeds.isEmpty
    {
      let advice =
        list.isLimited
        ? ListStrings.changeFilter(key(.filter), back: key(.back))
        : ListStrings.changeQuery(key(.change))
      return [(ListStrings.noneMatch(query.text), theme.text)] + indexLines + [(advice, theme.dim)]
    }
    if let account = state.subscriptions.firstSync(in: snapshot.query.timeline) {
      return account.firstSyncLines(theme)
    }
    if state.subscriptions.feeds.isEmpty, let lines = newAccountLines { return lines }
    if state.subscriptions.feeds.isEmpty {
      return [
        (ListStrings.noFeeds, theme.header), ("", theme.text),
        (ListStrings.subscribe(key(.add)), theme.text),
      ] + offers + [
        (ListStrings.importFile, theme.dim), (ListStrings.showKeys(key(.help)), theme.dim),
      ]
    }
    if case .folder(let folder) = snapshot.query.timeline, freshness.feedCount == 0,
      !folder.isAccount
    {
      return [
        (ListStrings.noFeedsInFolder, theme.text),
        (ListStrings.moveFeed(key(.moveToFolder)), theme.dim),
      ]
    }
    // As long as something is cached, no failure explains that nothing is unread or starred.
    let cached =
      switch snapshot.query.timeline {
      case .unread, .starred: state.subscriptions.counts.total
      case .all, .folder, .feed, .search, .matching: snapshot.counts.total
      }
    if freshness.isLoading, cached == 0 {
      if case .refreshing(let done, let total, _) = state.subscriptions.activity {
        return [(ListStrings.loading(done, of: total), theme.accent)]
      }
      return [(CoreStrings.loading, theme.accent)]
    }
    if let feed = list.feed.flatMap(state.feed), feed.awaitsNetwork {
      return [
        (ListStrings.awaitsNetwork, theme.warning), (ListStrings.retry(key(.refresh)), theme.dim),
      ]
    }
    if state.subscriptions.isOfflineByChoice, cached == 0 {
      return [(ListStrings.emptyOfflineByChoice, theme.warning), (ListStrings.goOnline, theme.dim)]
    }
    if freshness.offlineSince != nil, cached == 0 {
      let retry =
        state.settings.preferences.refreshesByItself
        ? ListStrings.retryOnline(key(.refresh)) : ListStrings.retry(key(.refresh))
      return [(ListStrings.emptyOffline, theme.warning), (retry, theme.dim)]
    }
    if cached == 0, let error = freshness.error {
      return [
        (error.lineWithoutNext, error.kind == .tls ? theme.alarm : theme.error),
        (ListStrings.retry(key(.refresh), after: error.next), theme.dim),
      ]
    }
    if snapshot.query.hidesRead, snapshot.query.timeline != .unread, snapshot.counts.total > 0 {
      return [
        (ListStrings.allRead, theme.text),
        (ListStrings.showRead(key(.hideRead), snapshot.counts.total), theme.dim),
      ]
    }
    if snapshot.query.timeline == .unread {
      return [
        (ListStrings.allRead, theme.text), (ListStrings.lookForNew(key(.refresh)), theme.dim),
      ]
    }
    if snapshot.query.timeline == .starred {
      return [(ListStrings.noStarred, theme.text), (ListStrings.star(key(.toggleStar)), theme.dim)]
    }
    if freshness.neverFetchedCount == freshness.feedCount {
      return [
        (ListStrings.neverFetchedYet, theme.text), (ListStrings.fetch(key(.refresh)), theme.dim),
      ]
    }
    return [
      (ListStrings.noArticles, theme.text), (ListStrings.lookForNew(key(.refresh)), theme.dim),
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
        (error.lineWithoutNext, error.kind == .tls ? theme.alarm : theme.error),
        (ListStrings.retry(key(.refresh), after: error.next), theme.dim),
      ]
    }
    if state.subscriptions.offlineSince != nil || !state.settings.preferences.refreshesByItself {
      return [
        (ListStrings.neverFetched(account.account.displayName), theme.text),
        (ListStrings.fetch(key(.refresh)), theme.dim),
      ]
    }
    return account.firstSyncLines(theme)
  }
}

extension AccountSummary {
  /// The progress of the first sync.
  fileprivate func firstSyncLines(_ theme: Theme) -> [(String, Style)] {
    var lines = [(ListStrings.firstFetch(account.displayName), theme.accent)]
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
