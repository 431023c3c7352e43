package import struct Foundation.Date

/// The wire formats a feed can arrive in.
package enum FeedFormat: String, Hashable, Sendable, Codable {
  /// RSS 0.9x and 2.0.
  case rss
  /// RSS 0.90 and 1.0, which are RDF.
  case rdf
  /// Atom 0.3 and 1.0 (RFC 4287).
  case atom
  /// JSON Feed 1.0 and 1.1.
  case json
  /// The cursor-paged JSON API that `Docs/FeedAPI.md` describes.
  case api
}

/// What a feed says of itself. Text is plain, addresses are absolute.
package struct FeedDescription: Hashable, Sendable {
  package var format: FeedFormat
  package var title: String?
  /// The page the feed belongs to.
  package var link: String?
  package var description: String?
  /// A BCP 47 tag as the feed wrote it, but for hyphens.
  package var language: String?
  /// A picture of the feed's own, several hundred pixels wide if it is as it should be.
  package var image: String?
  /// A small square picture.
  package var icon: String?
  /// Who writes the feed.
  package var authors: [Author]
  package var categories: [Category]
  /// Plain text.
  package var rights: String?
  /// When the feed says that it last changed.
  package var updated: Date?
  /// The address that the feed gives as its own.
  package var feedURL: String?
  /// Where the feed says that it lies from now on (`itunes:new-feed-url`).
  package var movedTo: String?
  /// The next older page of the feed: JSON Feed's `next_url`, RFC 5005's `rel="next"`, else its
  /// `rel="prev-archive"`.
  package var nextURL: String?
  /// The program that wrote the feed, by its name or address.
  package var generator: String?
  /// Entries in the whole list of which the feed shows a part (OpenSearch 1.1, `totalResults`).
  package var listTotal: Int?
  /// All there is is in this document (RFC 5005 §2).
  package var isComplete: Bool
  /// An archive page, which does not change any more (RFC 5005 §4).
  package var isArchive: Bool
  /// Minutes that the feed asks to be left alone (`ttl`); nil where it does not say.
  package var minutesToLive: Int?

  package init(
    format: FeedFormat, title: String? = nil, link: String? = nil, description: String? = nil,
    language: String? = nil, image: String? = nil, icon: String? = nil, authors: [Author] = [],
    categories: [Category] = [], rights: String? = nil, updated: Date? = nil,
    feedURL: String? = nil, movedTo: String? = nil, nextURL: String? = nil,
    generator: String? = nil, listTotal: Int? = nil, isComplete: Bool = false,
    isArchive: Bool = false,
    minutesToLive: Int? = nil
  ) {
    self.format = format
    self.title = title
    self.link = link
    self.description = description
    self.language = language
    self.image = image
    self.icon = icon
    self.authors = authors
    self.categories = categories
    self.rights = rights
    self.updated = updated
    self.feedURL = feedURL
    self.movedTo = movedTo
    self.nextURL = nextURL
    self.generator = generator
    self.listTotal = listTotal
    self.isComplete = isComplete
    self.isArchive = isArchive
    self.minutesToLive = minutesToLive
  }
}

/// A feed document, read: what it says of itself, its entries in the document's order, and what was
/// wrong with it that did not keep it from being read.
package struct ParsedFeed: Hashable, Sendable {
  package var description: FeedDescription
  package var entries: [Entry]
  package var warnings: [String]
  /// Whether it ended before its end.
  package var isCut = false

  package init(description: FeedDescription, entries: [Entry] = [], warnings: [String] = []) {
    self.description = description
    self.entries = entries
    self.warnings = warnings
  }
}
