package import struct Foundation.Date

/// A comment on an article.
package struct Comment: Hashable, Sendable, Codable {
  package var id: String
  /// The id of the comment that it answers; nil where it answers the article, or nobody knows.
  package var parent: String?
  package var author: String?
  package var published: Date?
  /// When it was last changed; nil where that is not known.
  package var updated: Date?
  /// Plain text of several paragraphs; empty where it is HTML.
  package var text: String
  /// The text as a feed of comments has it; nil for plain text.
  package var html: String?
  /// The page that it is on; nil where it has none.
  package var url: String?
  /// What its server calls this version of it; nil where it cannot be changed. Opaque.
  package var version: String?
  /// The files that it has; nil where the server does not say.
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

/// File that a comment has, as its server tells of it.
package struct Attachment: Hashable, Sendable, Codable {
  package var id: String
  package var name: String
  /// The media type.
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

/// Comments in a row, oldest first, and where to go on; nil at the end.
package struct CommentPage: Hashable, Sendable {
  package var comments: [Comment]
  package var nextCursor: Cursor?
  /// Whether there may be comments that are on no page: feeds of comments list the newest.
  package var isExcerpt: Bool
  /// With which the next request asks whether the first page has changed; nil where the server gives none.
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

/// What a server says to a comment, or to a change of one.
package enum CommentAnswer: Hashable, Sendable {
  /// It has the text.
  case kept(Comment)
  /// It has the text, but does not say as which comment.
  case accepted
  /// It has another text, or none, and has changed nothing.
  case conflict(CommentConflict)
}

/// What a server has in the place of the text that the user wrote.
package enum CommentConflict: Hashable, Sendable, Codable {
  case changed(Comment)
  case deleted

  /// The comment as the server has it; nil where it was deleted.
  package var comment: Comment? { if case .changed(let comment) = self { comment } else { nil } }
}

/// Change of the text of a comment that its server has.
package struct CommentEdit: Hashable, Sendable, Codable {
  /// The id of the comment at its server.
  package var comment: String
  /// The version that the user has changed; nil where the server gives none.
  package var version: String?
  /// The new text.
  package var text: String
  /// What the server has got since, about which the user has to decide; until then nothing is sent.
  package var conflict: CommentConflict?

  package init(
    comment: String, version: String?, text: String, conflict: CommentConflict? = nil
  ) {
    self.comment = comment
    self.version = version
    self.text = text
    self.conflict = conflict
  }
}

/// What the user does about a comment that was changed here and at its server.
package enum ConflictAnswer: String, Hashable, Sendable, CaseIterable {
  /// The text from here takes the place of the server's.
  case mine
  /// The server's text stays, and the one from here is dropped.
  case theirs
  /// The server's text stays, and the one from here becomes a comment of its own.
  case both
}
