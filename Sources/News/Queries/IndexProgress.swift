/// How far the making of a new search index is. It begins with the newest articles; older ones are not found yet.
package struct IndexProgress: Hashable, Sendable {
  /// Of the articles, 0 to 99.
  package var percent: Int

  package init(percent: Int) { self.percent = min(max(percent, 0), 99) }

  /// A sentence for the user.
  package var text: String {
    "the search index is being made anew: \(percent)%, older articles are not found yet"
  }
}
