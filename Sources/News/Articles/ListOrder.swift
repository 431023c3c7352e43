/// Score of an article, which rules raise and lower.
package enum ArticleScore {
  /// Larger and smaller scores are clamped.
  package static let bounds = -1_000...1_000

  package static func raised(_ score: Int, by amount: Int) -> Int {
    min(bounds.upperBound, max(bounds.lowerBound, score + amount))
  }
}

package enum ListOrder: String, Hashable, Sendable, CaseIterable {
  case newest, oldest
  /// By feed title, then newest first.
  case feed
  /// By title, then newest first.
  case title
  /// Highest score first, then newest first.
  case score
  /// Opened articles only, the last opened first.
  case opened
  /// Best match of the list's words first; newest first without words.
  case relevance

  package var isByDate: Bool { self == .newest || self == .oldest }
}
