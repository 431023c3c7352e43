/// Audio or video file in the play queue.
package struct QueuedFile: Hashable, Sendable, Identifiable {
  package let id: Int64
  package let article: ArticleID
  /// Of the article, else of its feed.
  package var title: String
  package var feedTitle: String
  package var file: Enclosure
  /// Nil where it was not started.
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

  /// In seconds; nil where it is unknown.
  package var duration: Int? { playback?.duration ?? file.duration }
}

package enum QueueChange: Hashable, Sendable {
  /// At the end, unless it is in the queue.
  case add(ArticleID, url: String)
  case remove([Int64])
  case up([Int64])
  case down([Int64])
  case clear
}
