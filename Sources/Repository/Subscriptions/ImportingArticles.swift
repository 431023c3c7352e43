package import News
package import Store

extension FeedRepository {
  /// Adds imported articles to a feed in one transaction. The cursors and validators of the feed and
  /// the marks of stored articles do not change.
  ///
  /// - Parameter areRead: whether new articles are marked read.
  /// - Throws: `SourceError` where the feed was removed.
  package func importArticles(
    _ entries: [Entry], into feed: Feed, areRead: Bool = false
  ) async throws -> MergeResult {
    guard !entries.isEmpty else { return MergeResult() }
    let prepared = PreparedPage(Page(entries: entries))
    let time = context.now()
    return try await store.edit { edit in
      guard try edit.view.hasFeed(feed.id) else {
        throw SourceError(
          .store, stage: .store, subject: feed.displayTitle,
          message: "the feed was removed meanwhile")
      }
      return try edit.merge(
        prepared, into: feed.id, at: .imported(areRead: areRead), now: time)
    }
  }
}
