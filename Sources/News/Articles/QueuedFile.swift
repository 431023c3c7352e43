/// A sound or a film of an article that waits to be played, in the user's order.
package struct QueuedFile: Hashable, Sendable, Identifiable {
  package let id: Int64
  package let article: ArticleID
  /// Of the article, else of its feed.
  package var title: String
  package var feedTitle: String
  package var file: Enclosure
  /// How far it was played; nil where it was not begun.
  package var playback: Playback?

  package init(
    id: Int64, article: ArticleID, title: String, feedTitle: String, file: Enclosure,
    playback: Playback? = nil
  ) {
    self.id = id
    self.article = article
    self.title = title
    self.feedTitle = feedTitle
    self.file = file
    self.playback = playback
  }

  /// Of the whole, in seconds; nil where nobody has said.
  package var duration: Int? { playback?.duration ?? file.duration }
}

/// A change of the queue.
package enum QueueChange: Hashable, Sendable {
  /// At the end, where it is not in the queue.
  case add(ArticleID, url: String)
  case remove(Int64)
  /// Before the one above it, after the one below it.
  case up(Int64)
  case down(Int64)
  case clear
}
