package import News
internal import Repository
internal import Store

/// The sounds and films of a store that wait to be played.
package struct PlayQueue: Sendable {
  private let composition: Composition

  package init(_ composition: Composition) { self.composition = composition }

  /// In their order.
  package func files() throws -> [QueuedFile] {
    try composition.store.viewNow { try $0.playback.queue() }
  }

  package func snapshots() -> some AsyncSequence<[QueuedFile], any Error> {
    Snapshots(of: composition.store) { try $0.playback.queue() }
  }

  package func change(_ change: QueueChange) async throws {
    try await composition.store.edit { try $0.playback.changeQueue(change) }
  }

  /// Adds a file of an article to the end, or removes it from the queue.
  ///
  /// - Returns: the number of waiting files, and whether it is one of them.
  package func toggle(
    _ url: String, of article: ArticleID
  ) async throws -> (count: Int, isAdded: Bool) {
    try await composition.store.edit { edit in
      let queue = try edit.view.playback.queue()
      if let known = queue.first(where: { $0.article == article && $0.file.url == url }) {
        try edit.playback.changeQueue(.remove([known.id]))
        return (queue.count - 1, false)
      }
      try edit.playback.changeQueue(.add(article, url: url))
      return (queue.count + 1, true)
    }
  }
}
