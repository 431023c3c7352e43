package import struct Foundation.Date

/// Wire format of a feed.
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
  case graphQL = "graphql"
  case grpc
  /// A page or another document that a recipe reads.
  case page
}

/// A feed's description of itself, with plain text and absolute addresses.
package struct FeedDescription: Hashable, Sendable {
  package var format: FeedFormat
  package var title: String?
  package var link: String?
  package var description: String?
  /// A BCP 47 tag as the feed wrote it, but for hyphens.
  package var language: String?
  /// Usually several hundred pixels wide.
  package var image: String?
  /// A small square icon.
  package var icon: String?
  package var authors: [Author]
  package var categories: [Category]
  package var rights: String?
  /// When the feed says that it last changed.
  package var updated: Date?
  /// The address that the feed gives as its own.
  package var feedURL: String?
  /// The new address that the feed states (`itunes:new-feed-url`).
  package var movedTo: String?
  /// The next older page: JSON Feed's `next_url`, RFC 5005's `next`, else its `prev-archive`.
  package var nextURL: String?
  /// The program that wrote the feed, by name or address.
  package var generator: String?
  /// Entries of the whole list, of which the feed contains a part (OpenSearch 1.1, `totalResults`).
  package var listTotal: Int?
  /// Whether the document contains all entries of the feed (RFC 5005 §2).
  package var isComplete: Bool
  /// Whether it is an archive page, which no longer changes (RFC 5005 §4).
  package var isArchive: Bool
  /// The shortest interval between two requests that the feed asks for, in minutes (`ttl`).
  package var minutesToLive: Int?
  package var skips: SkippedTimes?

  /// In minutes: a year.
  package static let longestMinutesToLive = 60 * 24 * 366

  package init(
    format: FeedFormat, title: String? = nil, link: String? = nil, description: String? = nil,
    language: String? = nil, image: String? = nil, icon: String? = nil, authors: [Author] = [],
    categories: [Category] = [], rights: String? = nil, updated: Date? = nil,
    feedURL: String? = nil, movedTo: String? = nil, nextURL: String? = nil,
    generator: String? = nil, listTotal: Int? = nil, isComplete: Bool = false,
    isArchive: Bool = false, minutesToLive: Int? = nil, skips: SkippedTimes? = nil
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
    self.skips = skips
  }
}

/// Parsed feed document, with its entries in order and warnings about malformed parts.
package struct ParsedFeed: Hashable, Sendable {
  package var description: FeedDescription
  package var entries: [Entry] = []
  package var warnings: [String] = []
  /// Whether the end of the document is missing.
  package var isCut = false

  package init(description: FeedDescription) { self.description = description }
}
