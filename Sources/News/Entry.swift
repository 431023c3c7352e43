package import struct Foundation.Date

/// A file that an entry carries along: a podcast episode, a picture, a document.
package struct Enclosure: Hashable, Sendable {
  /// Absolute.
  package var url: String
  /// The media type as the feed names it.
  package var type: String?
  /// Bytes, where the feed names them; never negative.
  package var length: Int64?

  package init(url: String, type: String? = nil, length: Int64? = nil) {
    self.url = url
    self.type = type
    self.length = length
  }
}

/// One article as a source hands it over: before the store has given it an id and a status.
///
/// Text has passed `PlainText`; addresses are absolute. Absent values are nil, never made up.
package struct Entry: Hashable, Sendable {
  /// Unique within its feed: the feed's own `guid`/`id`, else its address, else derived from its
  /// text. Stable between fetches of the same entry.
  package var id: String
  /// The page of the article.
  package var url: String?
  /// Plain text.
  package var title: String?
  package var authors: [String]
  package var published: Date?
  package var updated: Date?
  /// The fullest body the feed carries, as HTML with absolute addresses.
  package var contentHTML: String?
  /// A shorter text beside the body, as plain text.
  package var summary: String?
  package var enclosures: [Enclosure]
  package var categories: [String]

  package init(
    id: String, url: String? = nil, title: String? = nil, authors: [String] = [],
    published: Date? = nil, updated: Date? = nil, contentHTML: String? = nil,
    summary: String? = nil, enclosures: [Enclosure] = [], categories: [String] = []
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
  }
}
