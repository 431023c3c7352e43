package struct SmartFeedID: StoreID {
  package let rawValue: Int64

  package init(_ rawValue: Int64) { self.rawValue = rawValue }
}

/// Unread counts of lists whose counts are not kept with each write.
package struct ListCounts: Hashable, Sendable {
  package var smart: [SmartFeedID: Int]
  /// By the names of tags.
  package var tags: [String: Int]

  package init(smart: [SmartFeedID: Int] = [:], tags: [String: Int] = [:]) {
    self.smart = smart
    self.tags = tags
  }
}

/// Named query, shown like a feed.
package struct SmartFeed: Hashable, Sendable, Identifiable {
  package let id: SmartFeedID
  /// Unique, regardless of case.
  package var name: String
  package var text: String
  /// Nil where this version cannot read it.
  package var query: ArticleQuery?

  package init(id: SmartFeedID, name: String, text: String) {
    self.id = id
    self.name = name
    self.text = text
    query = try? ArticleQuery(text)
  }

  /// Regardless of case.
  package func isNamed(_ other: String) -> Bool { name.lowercased() == other.lowercased() }

  /// Nil where its query cannot be read.
  package var timeline: Timeline? { query.map { .matching($0, in: .all) } }
}
