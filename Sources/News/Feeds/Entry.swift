package import struct Foundation.Date

/// Article as a source delivers it, before it is stored. Text is sanitised (`PlainText`), addresses
/// are absolute, and missing values are nil.
@dynamicMemberLookup
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
  package var extras = EntryExtras()
  /// The id or page of the entry that it answers, in a feed of comments (RFC 4685 §3). Not stored
  /// with articles.
  package var inReplyTo: String?

  package init(
    id: String, url: String? = nil, title: String? = nil, authors: [Author] = [],
    published: Date? = nil, updated: Date? = nil, contentHTML: String? = nil,
    summary: String? = nil, enclosures: [Enclosure] = [], categories: [Category] = []
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

  package subscript<Value>(dynamicMember path: WritableKeyPath<EntryExtras, Value>) -> Value {
    get { extras[keyPath: path] }
    set { extras[keyPath: path] = newValue }
  }
}

/// Parts of an entry that few feeds have. Their names are those in the store and in exports.
package struct EntryExtras: Hashable, Sendable, Codable {
  /// A BCP 47 tag as the feed wrote it, where this entry has one.
  package var language: String?
  /// A thumbnail, or the cover of an episode.
  package var image: String?
  package var comments: CommentLinks?
  /// The original feed of the article, where this one collects articles of others.
  package var source: EntrySource?
  /// Plain text.
  package var rights: String?

  package init() {}

  /// - Parameters:
  ///   - line: sanitises a line of text.
  ///   - address: sanitises an address; nil for none.
  package func sanitized(
    line: (String?) -> String?, address: (String?) -> String?
  ) -> EntryExtras {
    var extras = EntryExtras()
    extras.language = line(language)
    extras.image = address(image)
    extras.comments = comments.map {
      CommentLinks(
        page: address($0.page), feed: address($0.feed),
        count: $0.count.flatMap { $0 >= 0 ? $0 : nil })
    }
    extras.source = source.map {
      EntrySource(title: line($0.title), url: address($0.url), feedURL: address($0.feedURL))
    }
    extras.rights = line(rights)
    return extras
  }
}
