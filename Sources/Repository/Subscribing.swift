package import News
internal import Store
internal import Synchronization

extension FeedRepository {
  /// Subscribes to the feed at an address as a person types it, and stores its newest page.
  ///
  /// - Throws: `SourceError` when no feed could be found there; nothing is stored then.
  package func subscribe(
    _ address: String, folders: [String] = [], title: String? = nil
  ) async throws -> (feed: Feed, isNew: Bool) {
    let located = try await sources.locate(address)
    try Task.checkCancellation()
    let prepared = PreparedPage(located.page)
    let time = now()
    let subscribed = try await store.edit { edit in
      let (id, isNew) = try edit.subscribe(
        url: located.url, title: title, folders: folders, isTyped: located.isTyped, now: time)
      try edit.merge(prepared, into: id, at: .newest, now: time)
      return (try edit.view.feed(id), isNew)
    }
    guard let feed = subscribed.0 else {
      throw SourceError(
        .store, stage: .store, subject: address, message: "the feed was removed meanwhile")
    }
    status.withLock { $0.offlineSince = nil }
    return (feed, subscribed.1)
  }

  /// Ends a subscription. Its articles go with it.
  package func unsubscribe(_ feed: FeedID) async throws {
    generations[feed, default: 0] += 1
    try await store.edit { try $0.unsubscribe(feed) }
  }
}
