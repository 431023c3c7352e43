package import News
internal import Repository
internal import Store

/// Snapshots for the screen of a front end, read from the store: now, and again whenever it has changed, by
/// this process or by another (`Composition.watchOtherProcesses`).
///
/// An observer that is slow misses steps but never the latest. Each sequence ends with its task, and throws
/// `SourceError` where the store cannot be read.
package struct LiveSnapshots: Sendable {
  private let composition: Composition

  package init(_ composition: Composition) { self.composition = composition }

  /// The first screen, read by the calling thread.
  package func first(
    of query: TimelineQuery, highlighting highlights: [ArticleQuery] = []
  ) throws -> (SidebarSnapshot, TimelineSnapshot) {
    try composition.repository.firstSnapshots(of: query, highlighting: highlights)
  }

  /// A stretch of a timeline, with its freshness, and which of its rows match queries.
  package func timeline(
    _ query: TimelineQuery, highlighting highlights: [ArticleQuery] = []
  ) -> some AsyncSequence<TimelineSnapshot, any Error> {
    composition.repository.snapshots(of: query, highlighting: highlights)
  }

  /// All subscriptions with their counts.
  package func sidebar() -> some AsyncSequence<SidebarSnapshot, any Error> {
    composition.repository.sidebars()
  }

  /// How many unread articles each smart feed and each tag has, once a second at most: some queries
  /// look at every article.
  package func listCounts() -> some AsyncSequence<ListCounts, any Error> {
    Snapshots(of: composition.store, pause: .seconds(1)) {
      ListCounts(smart: try $0.smartFeeds.unread(), tags: try $0.tags.unread())
    }
  }

  /// Changes waiting to be sent.
  package func outbox() -> some AsyncSequence<OutboxSnapshot, any Error> {
    Snapshots(of: composition.store) { try $0.outbox.snapshot() }
  }

  /// The comments that were changed here and at their servers, as long as the user has not decided.
  package func conflicts() -> some AsyncSequence<[WaitingChange], any Error> {
    Snapshots(of: composition.store) { try $0.outbox.conflicts() }
  }
}
