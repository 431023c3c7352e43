package import News

/// Where the parts of a feed are in the answers of a GraphQL server: the connection, and what the fields of
/// its nodes mean.
package struct GraphQLMapping: Hashable, Sendable, Codable {
  /// A part of an article.
  package enum Field: String, Hashable, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
    case id, url, title, author, published, updated
    /// The text of the article, as HTML or as plain text.
    case html, text
    case summary, category, image, comments, enclosure, language
  }

  /// The connection, from the top of the answer: `data.repository.issues`.
  package let connection: GraphQLPath
  /// Paths in a node of the connection.
  package let fields: [Field: GraphQLPath]
  /// The title of the feed, from the top of the answer.
  package let title: GraphQLPath?
  /// The page of the feed, from the top of the answer.
  package let link: GraphQLPath?

  package init(
    connection: GraphQLPath, fields: [Field: GraphQLPath], title: GraphQLPath? = nil,
    link: GraphQLPath? = nil
  ) {
    self.connection = connection.fromTop
    self.fields = fields
    self.title = title?.fromTop
    self.link = link?.fromTop
  }
}

/// A page of a GraphQL connection.
package struct GraphQLPage: Sendable {
  /// The feed with the articles of the page and what was wrong with them.
  package var feed: ParsedFeed
  /// The cursor of the next page; nil where there is none, or where the server gives none.
  package var nextCursor: String?
  /// Whether the server says that a page follows.
  package var hasNextPage: Bool
  /// Errors beside the data, as sentences.
  package var errors: [String]
}
