package import struct Foundation.Date

/// Article as a source delivers it, before it is stored. Text is sanitised (`PlainText`), addresses
/// are absolute, and missing values are nil.
package struct Entry: Hashable, Sendable {
  /// Unique within its feed and stable between fetches: the feed's own `guid`/`id`, else its
  /// address, else derived from its text.
  package var id: String
  package var url: String?
  /// Plain text.
  package var title: String?
  package var authors: [Author]
  package var published: Date?
  package var updated: Date?
  /// The longest body in the feed, as HTML with absolute addresses.
  package var contentHTML: String?
  /// A shorter text beside the body, as plain text.
  package var summary: String?
  package var enclosures: [Enclosure]
  package var categories: [Category]
  /// A BCP 47 tag as the feed wrote it, where this entry has one.
  package var language: String?
  /// A thumbnail, or the cover of an episode.
  package var image: String?
  package var comments: CommentLinks?
  /// The id or page of the entry that it answers, in a feed of comments (RFC 4685 §3). Not stored
  /// with articles.
  package var inReplyTo: String?
  /// The original feed of the article, where this one collects articles of others.
  package var source: EntrySource?
  /// Plain text.
  package var rights: String?

  package init(
    id: String, url: String? = nil, title: String? = nil, authors: [Author] = [],
    published: Date? = nil, updated: Date? = nil, contentHTML: String? = nil,
    summary: String? = nil, enclosures: [Enclosure] = [], categories: [Category] = [],
    language: String? = nil, image: String? = nil, comments: CommentLinks? = nil,
    source: EntrySource? = nil, rights: String? = nil
  ) {
    self.id = id
    self.url = url
    self.title = title
    self.authors = authors
    self.published = published
    self.updated = updated
    self.contentHTML = contentHTML
    self.summary = summary
    self.enclosures = enclosures
    self.categories = categories
    self.language = language
    self.image = image
    self.comments = comments
    self.source = source
    self.rights = rights
  }
}
