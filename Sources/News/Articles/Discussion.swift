package import struct Foundation.Date

/// Something that a reader has written under an article.
package struct Comment: Hashable, Sendable {
  package var id: String
  package var author: String?
  package var published: Date?
  package var text: String

  package init(id: String, author: String? = nil, published: Date? = nil, text: String) {
    self.id = id
    self.author = author
    self.published = published
    self.text = text
  }
}

/// Comments in a row, oldest first, and where to go on; nil at the end.
package struct CommentPage: Hashable, Sendable {
  package var comments: [Comment]
  package var nextCursor: Cursor?

  package init(comments: [Comment], nextCursor: Cursor? = nil) {
    self.comments = comments
    self.nextCursor = nextCursor
  }
}

/// What stands under the articles of a feed, where its source keeps such a thing.
///
/// Throws `SourceError` or `CancellationError`.
package protocol Discussion: Sendable {
  func comments(on entry: String, after cursor: Cursor?) async throws -> CommentPage

  /// - Parameter key: one for each comment, however often it is sent, so that the server keeps it
  ///   once.
  func post(_ text: String, on entry: String, key: String) async throws -> Comment
}
