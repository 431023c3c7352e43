internal import News
internal import Store

/// Synchronisation of an account with a server that keeps subscriptions or the states of articles.
struct AccountSync {
  let context: RepositoryContext
  let refresher: Refresher
  let outbox: OutboxDelivery

  private var store: Store { context.store }

  /// Sends the outbox, takes over the subscriptions, fetches their newest pages, and applies the states
  /// of articles last, when the articles are stored. Steps that the service does not offer are skipped.
  func run(_ id: AccountID) async throws {
    guard let account = try await store.view({ try $0.account(id) }) else { return }
    let source = context.sources.source(of: account)
    try await outbox.deliver()
    if let subscriptions = source.subscriptions {
      try await take(try await subscriptions.subscriptions(), of: id)
    }
    let feeds = try await store.view { try $0.feeds() }.filter { $0.account.id == id }
    _ = try await refresher.refresh(.feeds(feeds.map(\.id)))
    if let states = source.states { try await takeStates(from: states, of: id) }
  }

  /// Subscribes to the feeds that the server lists, and ends the subscriptions that it no longer lists.
  private func take(_ subscriptions: [Subscription], of account: AccountID) async throws {
    let time = context.now()
    try await store.edit { edit in
      var listed: Set<FeedID> = []
      for subscription in subscriptions {
        listed.insert(
          try edit.subscribe(
            url: subscription.url, of: account, foundTitle: subscription.title,
            folders: subscription.folders, isUserEntered: false, now: time
          ).feed)
      }
      for feed in try edit.view.feeds()
      where feed.account.id == account && !listed.contains(feed.id) {
        try edit.unsubscribe(feed.id)
      }
    }
  }

  /// Attempts at a page of states, while the user marks something during each.
  private static let attempts = 5

  /// Applies the states of articles page by page, each in one transaction with the cursor after it.
  ///
  /// A mark that was made and sent while a page was requested is neither in that page nor in the outbox
  /// any more. Such a page is requested again, so that it does not undo the mark.
  private func takeStates(from source: any StateSource, of account: AccountID) async throws {
    var walked: Set<Cursor> = []
    var attempt = 1
    while attempt <= Self.attempts {
      let (cursor, number) = try await store.view {
        (try $0.stateCursor(of: account), try $0.lastOutboxNumber())
      }
      // The pages of the server form a circle.
      if let cursor, walked.contains(cursor) { return }
      let page = try await source.states(after: cursor)
      try Task.checkCancellation()
      let isApplied = try await store.edit { edit in
        guard try edit.view.lastOutboxNumber() == number else { return false }
        try edit.apply(page.states, of: account)
        if let next = page.cursor { try edit.setStateCursor(next, of: account) }
        return true
      }
      guard isApplied else {
        attempt += 1
        continue
      }
      guard page.hasMore, page.cursor != nil else { return }
      if let cursor { walked.insert(cursor) }
      attempt = 1
    }
  }
}
