package import News
internal import Repository
internal import Store

/// Snapshots of the store for the screen: now, and again after each change by any process
/// (`Composition.watchOtherProcesses`).
///
/// A slow observer misses steps but never the latest. Each sequence ends with its task, and throws
/// `SourceError` where the store cannot be read.
package struct LiveSnapshots: Sendable {
  private let composition: Composition

  package init(_ composition: Composition) { self.composition = composition }

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

  package func sidebar() -> some AsyncSequence<SidebarSnapshot, any Error> {
    composition.repository.sidebars()
  }

  /// Unread articles of each smart feed and tag, once a second at most: some queries look at every
  /// article.
  package func listCounts() -> some AsyncSequence<ListCounts, any Error> {
    Snapshots(of: composition.store, pause: .seconds(1)) {
      ListCounts(smart: try $0.smartFeeds.unread(), tags: try $0.tags.unread())
    }
  }

  package func outbox() -> some AsyncSequence<OutboxSnapshot, any Error> {
    Snapshots(of: composition.store) { try $0.outbox.snapshot() }
  }

  /// Comments in conflict that the user has not decided on.
  package func conflicts() -> some AsyncSequence<[WaitingChange], any Error> {
    Snapshots(of: composition.store) { try $0.outbox.conflicts() }
  }
}
