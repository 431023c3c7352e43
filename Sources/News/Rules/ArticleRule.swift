package import struct Foundation.Date

/// Identifies a rule in the store. Never given twice.
package struct RuleID: Hashable, Sendable, Comparable {
  package let rawValue: Int64

  package init(_ rawValue: Int64) { self.rawValue = rawValue }

  package static func < (a: RuleID, b: RuleID) -> Bool { a.rawValue < b.rawValue }
}

/// What is done with each new article that a query is true of.
package struct ArticleRule: Hashable, Sendable, Identifiable {
  package let id: RuleID
  /// The query as it was written.
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
}

package enum RuleAction: Hashable, Sendable {
  case read
  case star
  /// A name.
  case tag(String)
  /// The article is not kept, and does not come again. One of an account's server is marked as read instead.
  case hide

  /// As settings and verbs name it.
  package var name: String {
    switch self {
    case .read: "read"
    case .star: "star"
    case .tag: "tag"
    case .hide: "hide"
    }
  }

  package init?(name: String, tag: String?) {
    switch name {
    case "read": self = .read
    case "star": self = .star
    case "hide": self = .hide
    case "tag":
      guard let tag else { return nil }
      self = .tag(tag)
    default: return nil
    }
  }

  package var tag: String? { if case .tag(let name) = self { name } else { nil } }

  /// What it does, for a list.
  package var title: String {
    if case .tag(let tag) = self { "tag \(tag)" } else { name }
  }
}
