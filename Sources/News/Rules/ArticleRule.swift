package import struct Foundation.Date

package struct RuleID: StoreID {
  package let rawValue: Int64

  package init(_ rawValue: Int64) { self.rawValue = rawValue }
}

/// Rule for new articles that match a query.
package struct ArticleRule: Hashable, Sendable, Identifiable {
  package let id: RuleID
  package var text: String
  /// Nil where this version cannot read it.
  package var query: ArticleQuery?
  package var action: RuleAction
  /// When it ends; nil for never.
  package var until: Date?

  package init(id: RuleID, text: String, action: RuleAction, until: Date?) {
    self.id = id
    self.text = text
    query = try? ArticleQuery(text)
    self.action = action
    self.until = until
  }

  /// The condition of its articles: for `keepOnly`, not its query. Nil where this version cannot
  /// read it.
  package var condition: ArticleQuery? {
    query.flatMap { try? action.condition($0) }
  }
}

package enum RuleAction: Hashable, Sendable {
  case read
  case star
  case tag(String)
  /// The article is not kept and does not come again. One of a sync server is marked as read
  /// instead.
  case hide
  /// Hides the articles of another query, as text, that the rule's does not match.
  case keepOnly(of: String)
  case replaceTitle(TextReplacement)
  /// Applies where the result is a web address.
  case replaceAddress(TextReplacement)
  /// Added to the score, within `ArticleScore.bounds`; not 0.
  case score(Int)

  /// As settings and commands name it.
  package var name: String {
    switch self {
    case .read: "read"
    case .star: "star"
    case .tag: "tag"
    case .hide: "hide"
    case .keepOnly: "keep-only"
    case .replaceTitle: "replace-title"
    case .replaceAddress: "replace-url"
    case .score: "score"
    }
  }

  package init?(name: String, argument: String?) {
    switch name {
    case "read": self = .read
    case "star": self = .star
    case "hide": self = .hide
    case "tag":
      guard let argument else { return nil }
      self = .tag(argument)
    case "keep-only":
      guard let argument, (try? ArticleQuery(argument)) != nil else { return nil }
      self = .keepOnly(of: argument)
    case "replace-title", "replace-url":
      guard let replacement = argument.flatMap(TextReplacement.init(text:)) else { return nil }
      self = name == "replace-title" ? .replaceTitle(replacement) : .replaceAddress(replacement)
    case "score":
      guard let amount = argument.flatMap({ Int($0) }), amount != 0,
        ArticleScore.bounds.contains(amount)
      else { return nil }
      self = .score(amount)
    default: return nil
    }
  }

  package var tag: String? { if case .tag(let name) = self { name } else { nil } }

  package var argument: String? {
    switch self {
    case .read, .star, .hide: nil
    case .tag(let name): name
    case .keepOnly(let scope): scope
    case .replaceTitle(let replacement), .replaceAddress(let replacement): replacement.text
    case .score(let amount): String(amount)
    }
  }

  package var title: String { argument.map { "\(name) \($0)" } ?? name }

  /// - Throws: `QueryError` where both queries together are too long.
  package func condition(_ query: ArticleQuery) throws -> ArticleQuery {
    guard case .keepOnly(let scope) = self else { return query }
    return try ArticleQuery("(\(scope)) -(\(query.text))")
  }
}
