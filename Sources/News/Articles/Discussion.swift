package import struct Foundation.Date

/// Comment on an article.
package struct Comment: Hashable, Sendable, Codable {
  package var id: String
  /// The id of the answered comment; nil for an answer to the article, or where it is unknown.
  package var parent: String?
  package var author: String?
  package var published: Date?
  package var updated: Date?
  /// Plain text of several paragraphs; empty where the comment is HTML.
  package var text: String
  /// From a feed of comments; nil for plain text.
  package var html: String?
  package var url: String?
  /// The server's opaque name for this version; nil where the comment cannot be edited.
  package var version: String?
  /// Nil where the server does not say.
  package var attachments: [Attachment]?

  package init(
    id: String, parent: String? = nil, author: String? = nil, published: Date? = nil,
    updated: Date? = nil, text: String, version: String? = nil, attachments: [Attachment]? = nil,
    html: String? = nil, url: String? = nil
  ) {
    self.id = id
    self.parent = parent
    self.author = author
    self.published = published
    self.updated = updated
    self.text = text
    self.version = version
    self.attachments = attachments
    self.html = html
    self.url = url
  }
}

/// File attached to a comment.
package struct Attachment: Hashable, Sendable, Codable {
  package var id: String
  package var name: String
  package var type: String?
  /// Bytes.
  package var length: Int64?

  package init(id: String, name: String, type: String? = nil, length: Int64? = nil) {
    self.id = id
    self.name = name
    self.type = type
    self.length = length
  }
}

/// Consecutive comments, oldest first, with the cursor to the next; nil at the end.
package struct CommentPage: Hashable, Sendable {
  package var comments: [Comment]
  package var nextCursor: Cursor?
  /// Whether comments may be missing from all pages: feeds of comments list the newest.
  package var isExcerpt: Bool
  /// For a conditional request of the first page; nil where the server gives no validators.
  package var known: KnownPage?

  package init(
    comments: [Comment], nextCursor: Cursor? = nil, isExcerpt: Bool = false, known: KnownPage? = nil
  ) {
    self.comments = comments
    self.nextCursor = nextCursor
    self.isExcerpt = isExcerpt
    self.known = known
  }
}

/// Answer of a server to a comment or an edit.
package enum CommentAnswer: Hashable, Sendable {
  case kept(Comment)
  /// The server has the text but does not return the comment.
  case accepted
  /// The server keeps another text, or none.
  case conflict(CommentConflict)
}

/// State at the server that differs from the text the user wrote.
package enum CommentConflict: Hashable, Sendable, Codable {
  case changed(Comment)
  case deleted

  /// The comment at the server; nil for a deleted one.
  package var comment: Comment? { if case .changed(let comment) = self { comment } else { nil } }
}

/// Edit of a comment that its server has.
package struct CommentEdit: Hashable, Sendable, Codable {
  package var comment: String
  /// The edited version; nil where the server gives none.
  package var version: String?
  package var text: String
  /// A newer state at the server, for the user to decide on; nothing is sent until then.
  package var conflict: CommentConflict?

  package init(comment: String, version: String?, text: String, conflict: CommentConflict? = nil) {
    self.comment = comment
    self.version = version
    self.text = text
    self.conflict = conflict
  }
}

/// Decision of the user about a comment that was changed here and at its server.
package enum ConflictAnswer: String, Hashable, Sendable, CaseIterable {
  /// The text from here replaces the server's.
  case mine
  /// The server's text stays; the one from here is dropped.
  case theirs
  /// The server's text stays; the one from here becomes a new comment.
  case both
}
