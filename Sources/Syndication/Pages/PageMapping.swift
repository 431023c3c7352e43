package import Markup

/// Selectors for the articles of a web page and for their parts.
package struct PageMapping: Hashable, Sendable, Codable {
  /// A part of an article.
  package enum Field: String, Hashable, Sendable, CaseIterable, Codable, CodingKeyRepresentable {
    case title, link, date, text
  }

  /// Each element that it finds is an article.
  package let entries: Selector
  /// Within that element. What is not here is looked for where pages have it.
  package let fields: [Field: Selector]

  package init(entries: Selector, fields: [Field: Selector] = [:]) {
    self.entries = entries
    self.fields = fields
  }
}

extension PageMapping {
  /// Why a text is no selector.
  package struct Mistake: Error, Hashable, Sendable {
    /// The part of an article that it was meant for; nil for the articles themselves.
    package var field: Field?
    /// The beginning of a sentence.
    package var message: String
    /// In characters of the text, from 1.
    package var column: Int
  }

  /// Reads selectors as a user writes them.
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

/// Where the articles of a JSON document are, and what their members mean.
package struct JSONMapping: Hashable, Sendable, Codable {
  /// The list of articles, from the top of the document; nil for the document itself.
  package let items: GraphQLPath?
  /// Paths in an article.
  package let fields: [GraphQLMapping.Field: GraphQLPath]

  package init(items: GraphQLPath?, fields: [GraphQLMapping.Field: GraphQLPath]) {
    self.items = items
    self.fields = fields
  }
}
