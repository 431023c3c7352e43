internal import Foundation
package import News
internal import Repository
internal import Store

/// Use case: what the store takes of the disk, and keeping that within bounds.
package struct StoreTrimming: Sendable {
  private let composition: Composition

  package init(_ composition: Composition) { self.composition = composition }

  /// Articles deleted in one transaction, which takes some hundredths of a second.
  private static let batch = 100

  package var retention: Retention { composition.settings.retention }

  package func isBounded() throws -> Bool {
    if retention.isBounded { return true }
    return try composition.store.viewNow { view in
      try view.feeds.all().contains { Retention().settings(of: $0.settings).isBounded }
    }
  }

  package func room() async throws -> StoreRoom {
    let room = try await composition.store.view { try $0.retention.room() }
    return StoreRoom(
      feeds: room.feeds, file: room.file, free: room.free, removed: room.removed,
      former: room.former, full: room.full, log: composition.store.logBytes)
  }

  /// The number of articles beyond the bounds.
  ///
  /// - Parameter feeds: nil for all.
  package func excess(
    _ retention: Retention, feeds: Set<FeedID>? = nil
  ) async throws -> Int {
    try await composition.store.view {
      try $0.retention.articles(beyond: retention, feeds: feeds, now: Date()).count
    }
  }

  /// Deletes articles beyond the bounds, in steps between which others write.
  ///
  /// - Returns: the number of deleted articles.
  @discardableResult
  package func trim(
    _ retention: Retention, feeds: Set<FeedID>? = nil, progress: ((Int, Int) -> Void)? = nil
  ) async throws -> Int {
    let store = composition.store
    let found = try await store.view {
      try $0.retention.articles(beyond: retention, feeds: feeds, now: Date())
    }
    var count = 0
    for start in stride(from: 0, to: found.count, by: Self.batch) {
      try Task.checkCancellation()
      let part = Array(found[start..<min(found.count, start + Self.batch)])
      count += try await store.edit { try $0.retention.trim(part, beyond: retention, now: Date()) }
      progress?(min(found.count, start + Self.batch), found.count)
    }
    return count
  }

  /// Gives free room of the database back to the disk.
  package func compact() async throws {
    try await composition.store.compact()
    composition.tellOfDamaged()
  }
}

extension Composition {
  /// Trims the store by the settings. What fails is done with the next refresh.
  func trim() async {
    await trimJournal()
    let trimming = StoreTrimming(self)
    guard (try? trimming.isBounded()) == true else { return }
    _ = try? await trimming.trim(trimming.retention)
  }
}
