package import News
package import Syndication

/// How a connection of a GraphQL server is queried and read: the query with its variables, and the
/// place of the articles in the answer. Without secrets.
package struct GraphQLRecipe: Hashable, Sendable, Codable {
  /// Articles a page by default.
  package static let usualPageSize = 30

  package var query: String
  /// The operation of the query, where there are several.
  package var operation: String?
  package var variables: [String: GraphQLValue]
  /// The variable for the cursor; nil to fetch only the newest page.
  package var cursorVariable: String?
  /// The variable for the number of articles a page; nil where the query sets it.
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

  /// As stored with the feed: equal for equal recipes.
  package var stored: FeedRecipe { FeedRecipe(encoding: self) }

  /// Nil for another kind of recipe, or one of a newer version.
  package init?(_ stored: FeedRecipe) {
    guard let recipe: GraphQLRecipe = stored.decoded() else { return nil }
    self = recipe
  }
}

/// Value of a query's variable.
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
