package import News
package import Syndication

/// How a connection of a GraphQL server is asked for and read: the query with its variables, and where the
/// articles are in the answer. Holds no secret.
package struct GraphQLRecipe: Hashable, Sendable, Codable {
  /// The articles of a page, where the recipe does not say.
  package static let usualPageSize = 30

  package var query: String
  /// Which operation of the query is meant, where there are several.
  package var operation: String?
  package var variables: [String: GraphQLValue]
  /// The variable that takes the cursor; nil where only the newest page is asked for.
  package var cursorVariable: String?
  /// The variable that takes the number of articles of a page; nil where the query says it.
  package var sizeVariable: String?
  package var pageSize: Int
  package var mapping: GraphQLMapping

  package init(
    query: String, operation: String? = nil, variables: [String: GraphQLValue] = [:],
    cursorVariable: String? = "after", sizeVariable: String? = "first",
    pageSize: Int = GraphQLRecipe.usualPageSize, mapping: GraphQLMapping
  ) {
    self.query = query
    self.operation = operation
    self.variables = variables
    self.cursorVariable = cursorVariable
    self.sizeVariable = sizeVariable
    self.pageSize = pageSize
    self.mapping = mapping
  }

  /// As it is kept with the feed: the same text for the same recipe.
  package var stored: FeedRecipe { FeedRecipe(encoding: self) }

  /// Nil for a recipe of another kind, or one that a newer version has written.
  package init?(_ stored: FeedRecipe) {
    guard let recipe: GraphQLRecipe = stored.decoded() else { return nil }
    self = recipe
  }
}

/// Value of a variable of a query.
package enum GraphQLValue: Hashable, Sendable, Codable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case list([GraphQLValue])
  case object([String: GraphQLValue])

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([GraphQLValue].self) {
      self = .list(value)
    } else {
      self = .object(try container.decode([String: GraphQLValue].self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .list(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }
}
