/// The order of the articles in a list.
package enum ListOrder: String, Hashable, Sendable, CaseIterable {
  case newest, oldest
  /// By the names of their feeds, and of each feed the newest first.
  case feed
  /// By their titles, and of equal ones the newest first.
  case title
  /// What was opened last comes first; only what was.
  case opened
  /// What fits the words best that the list was made by. A list without words is newest first instead.
  case relevance

  /// Whether it follows the dates alone, one way or the other.
  package var isByDate: Bool { self == .newest || self == .oldest }
}
