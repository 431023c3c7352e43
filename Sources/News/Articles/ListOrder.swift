/// What rules have raised or lowered an article by, for lists that are sorted by it.
package enum ArticleScore {
  /// What rules come to beyond these counts as the nearer of them.
  package static let bounds = -1_000...1_000

  /// - Returns: the score after an amount was added to it.
  package static func raised(_ score: Int, by amount: Int) -> Int {
    min(bounds.upperBound, max(bounds.lowerBound, score + amount))
  }
}

/// The order of the articles in a list.
package enum ListOrder: String, Hashable, Sendable, CaseIterable {
  case newest, oldest
  /// By the names of their feeds, and of each feed the newest first.
  case feed
  /// By their titles, and of equal ones the newest first.
  case title
  /// By their scores, the highest first, and of equal ones the newest first.
  case score
  /// What was opened last comes first; only what was.
  case opened
  /// What fits the words best that the list was made by. A list without words is newest first instead.
  case relevance

  /// Whether it follows the dates alone, one way or the other.
  package var isByDate: Bool { self == .newest || self == .oldest }
}
