package import News
package import Store

extension FeedRepository {
  /// Adds articles that somebody has brought along to a feed, all in one transaction. How far the
  /// feed has been fetched and walked stays as it is; marks of articles that are there already do
  /// so too.
  ///
  /// - Parameter areRead: whether those that are new are marked read.
  /// - Throws: `SourceError` where the feed is not subscribed to any more.
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
      return try edit.merge(prepared, into: feed.id, at: .imported(areRead: areRead), now: time)
    }
  }
}
