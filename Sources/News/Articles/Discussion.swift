package import struct Foundation.Date

/// A comment on an article.
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
