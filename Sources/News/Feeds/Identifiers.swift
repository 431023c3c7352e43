/// Number of a row in the store.
package protocol StoreID: Hashable, Sendable, Codable, Comparable {
  var rawValue: Int64 { get }

  init(_ rawValue: Int64)
}

extension StoreID {
  package init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(Int64.self))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// Stable while the feed is subscribed, also when its address changes.
package struct FeedID: StoreID {
  package let rawValue: Int64

  package init(_ rawValue: Int64) { self.rawValue = rawValue }
}

/// Stable between runs and across refreshes.
package struct ArticleID: StoreID {
  package let rawValue: Int64

  package init(_ rawValue: Int64) { self.rawValue = rawValue }
}

/// Position in a source. Opaque: only the source that made it can read it.
package struct Cursor: Hashable, Sendable {
  package let rawValue: String

  package init(_ rawValue: String) { self.rawValue = rawValue }
}
