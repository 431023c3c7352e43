/// Number of a feed in the store. Stable while the feed is subscribed, also when its address changes.
package struct FeedID: Hashable, Sendable, Codable, Comparable {
  package let rawValue: Int64

  package init(_ rawValue: Int64) { self.rawValue = rawValue }

  package init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(Int64.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }

  package static func < (a: FeedID, b: FeedID) -> Bool { a.rawValue < b.rawValue }
}

/// Number of an article in the store. Stable between runs and across refreshes.
package struct ArticleID: Hashable, Sendable, Codable, Comparable {
  package let rawValue: Int64

  package init(_ rawValue: Int64) { self.rawValue = rawValue }

  package init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(Int64.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }

  package static func < (a: ArticleID, b: ArticleID) -> Bool { a.rawValue < b.rawValue }
}

/// Position from which a source continues. Opaque: only the source that made it can read it.
package struct Cursor: Hashable, Sendable {
  package let rawValue: String

  package init(_ rawValue: String) { self.rawValue = rawValue }
}
