package import Markup

package struct PageMapping: Hashable, Sendable, Codable {
  package enum Field: String, Hashable, Sendable, CaseIterable, Codable, CodingKeyRepresentable {
    case title, link, date, text
  }

  /// Selects the articles.
  package let entries: Selector
  /// Select parts of an article. Others have defaults.
  package let fields: [Field: Selector]

  package init(entries: Selector, fields: [Field: Selector] = [:]) {
    self.entries = entries
    self.fields = fields
  }
}

extension PageMapping {
  package struct Mistake: Error, Hashable, Sendable {
    /// The part of an article; nil for the articles themselves.
    package var field: Field?
    /// Beginning of a sentence.
    package var message: String
    /// In characters, from 1.
    package var column: Int
  }

  package init(entries: String, fields: [Field: String] = [:]) throws(Mistake) {
    var read: [Field: Selector] = [:]
    for field in Field.allCases {
      if let text = fields[field] { read[field] = try Self.selector(text, of: field) }
    }
    self.init(entries: try Self.selector(entries, of: nil), fields: read)
  }

  static func selector(_ text: String, of field: Field?) throws(Mistake) -> Selector {
    do { return try Selector(text) } catch {
      throw Mistake(field: field, message: error.message, column: error.column)
    }
  }
}

/// Paths to the articles of a JSON document and to their parts.
package struct JSONMapping: Hashable, Sendable, Codable {
  /// From the top; nil for the document itself.
  package let items: GraphQLPath?
  package let fields: [GraphQLMapping.Field: GraphQLPath]

  package init(items: GraphQLPath?, fields: [GraphQLMapping.Field: GraphQLPath]) {
    self.items = items
    self.fields = fields
  }
}
