package import struct Foundation.Date

/// A feed that was removed and can come back.
package struct RemovedFeed: Hashable, Sendable {
  /// The number of the removal.
  package let removal: Int64
  package let feed: FeedID
  package let url: String
  package let title: String?
  package let proxy: FeedProxy?
  package let removedAt: Date
  /// How many articles come back with it.
  package let articles: Int

  package init(
    removal: Int64, feed: FeedID, url: String, title: String?, proxy: FeedProxy?, removedAt: Date,
    articles: Int
  ) {
    self.removal = removal
    self.feed = feed
    self.url = url
    self.title = title
    self.proxy = proxy
    self.removedAt = removedAt
    self.articles = articles
  }
}
