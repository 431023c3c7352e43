package import News
internal import Repository

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

  /// How many unread articles smart feeds and tags have.
  package func listCounts() -> some AsyncSequence<ListCounts, any Error> {
    composition.repository.listCounts()
  }

  /// Changes waiting to be sent.
  package func outbox() -> some AsyncSequence<OutboxSnapshot, any Error> {
    composition.repository.outboxes()
  }

  /// The comments that were changed here and at their servers, as long as the user has not decided.
  package func conflicts() -> some AsyncSequence<[WaitingChange], any Error> {
    composition.repository.conflicts()
  }
}
