internal import Foundation
package import News
internal import Repository
internal import Store

/// Use case: what the feeds have brought over a time, and how much of it was read.
package struct ReadingReport: Sendable {
  private let composition: Composition

  package init(_ composition: Composition) { self.composition = composition }

  /// The statistics without sizes on the disk, from indexes alone.
  ///
  /// - Parameter span: seconds that end now.
  package func numbers(over span: Int64 = ReadingStatistics.usualSpan) async throws
    -> ReadingStatistics
  {
    try await composition.store.view { try $0.feeds.readingStatistics(over: span, now: Date()) }
  }

  /// Adds what each feed takes of the disk. Takes longer: the sizes of all texts are added up.
  package func adding(
    sizesTo statistics: ReadingStatistics
  ) async throws -> ReadingStatistics {
    try await addingRoom(to: statistics).statistics
  }

  /// The same, and what all that is kept takes.
  package func addingRoom(
    to statistics: ReadingStatistics
  ) async throws -> (statistics: ReadingStatistics, room: KeptRoom) {
    let room = try await StoreTrimming(composition).room()
    let sizes = Dictionary(room.feeds.map { ($0.feed, $0.bytes) }) { first, _ in first }
    var statistics = statistics
    for index in statistics.feeds.indices {
      statistics.feeds[index].bytes = sizes[statistics.feeds[index].id]
    }
    return (statistics, KeptRoom(room, pictures: composition.pictureFiles.room))
  }
}
