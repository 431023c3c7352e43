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
  /// A connection of a GraphQL server.
  case graphQL = "graphql"
  /// What a gRPC server streams.
  case grpc
  /// A page or another document of which a recipe says what its articles are.
  case page
}

/// Description of a feed by itself, with plain text and absolute addresses.
package struct FeedDescription: Hashable, Sendable {
  package var format: FeedFormat
  package var title: String?
  /// The page the feed belongs to.
  package var link: String?
  package var description: String?
  /// A BCP 47 tag as the feed wrote it, but for hyphens.
  package var language: String?
  /// The image of the feed, usually several hundred pixels wide.
  package var image: String?
  /// A small square icon.
  package var icon: String?
  /// The authors of the feed.
  package var authors: [Author]
  package var categories: [Category]
  /// Plain text.
  package var rights: String?
  /// When the feed says that it last changed.
  package var updated: Date?
  /// The address that the feed gives as its own.
  package var feedURL: String?
  /// The address that the feed says it has moved to (`itunes:new-feed-url`).
  package var movedTo: String?
  /// The next older page of the feed: JSON Feed's `next_url`, RFC 5005's `rel="next"`, else its
  /// `rel="prev-archive"`.
  package var nextURL: String?
  /// The program that wrote the feed, by its name or address.
  package var generator: String?
  /// The number of entries in the whole list, of which the feed contains a part (OpenSearch 1.1,
  /// `totalResults`).
  package var listTotal: Int?
  /// Whether the document contains all entries of the feed (RFC 5005 §2).
  package var isComplete: Bool
  /// Whether it is an archive page, which no longer changes (RFC 5005 §4).
  package var isArchive: Bool
  /// The shortest interval between two requests that the feed asks for, in minutes (`ttl`).
  package var minutesToLive: Int?

  /// The most that a feed's own document can ask for, in minutes: a year.
  package static let longestMinutesToLive = 60 * 24 * 366

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

/// Parsed feed document: its description, its entries in the order of the document, and warnings about
/// what was malformed.
package struct ParsedFeed: Hashable, Sendable {
  package var description: FeedDescription
  package var entries: [Entry] = []
  package var warnings: [String] = []
  /// Whether the end of the document is missing.
  package var isCut = false

  package init(description: FeedDescription) { self.description = description }
}
