package import News

/// Paths to a feed in the responses of a GraphQL server.
package struct GraphQLMapping: Hashable, Sendable, Codable {
  package enum Field: String, Hashable, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
    case id, url, title, author, published, updated
    /// Body as HTML or as plain text.
    case html, text
    case summary, category, image, comments, enclosure, language
  }

  /// Path of the connection from the top of the response: `data.repository.issues`.
  package let connection: GraphQLPath
  package let fields: [Field: GraphQLPath]
  /// Path of the feed's title from the top of the response.
  package let title: GraphQLPath?
  /// Path of the feed's page from the top of the response.
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

package struct GraphQLPage: Sendable {
  package var feed: ParsedFeed
  /// Nil without another page, or if the server sends none.
  package var nextCursor: String?
  package var hasNextPage: Bool
  package var errors: [String]
}
