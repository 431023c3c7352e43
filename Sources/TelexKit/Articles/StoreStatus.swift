internal import News
internal import Repository
internal import Store

package struct StoreStatus: Hashable, Sendable {
  /// An article that several feeds bring counts once.
  package let unread: Int
  package let total: Int
  package let starred: Int
  package let feeds: Int
  /// Feeds whose last fetch has failed, but for those whose failures are not to be told.
  package let failing: Int
  package let waiting: Int

  package init(_ composition: Composition) throws {
    let (counts, feeds, outbox) = try composition.store.firstView { view in
      (try view.articles.countsOfShown(), try view.feeds.all(), try view.outbox.snapshot())
    }
    unread = counts.unread
    total = counts.total
    starred = counts.starred
    self.feeds = feeds.count
    failing = feeds.count(where: \.showsFailure)
    waiting = outbox.changes.count
  }

  /// By their names, in the order in which they are told.
  package var values: [(name: String, value: Int)] {
    [
      ("unread", unread), ("total", total), ("starred", starred), ("feeds", feeds),
      ("failing", failing), ("waiting", waiting),
    ]
  }
}
