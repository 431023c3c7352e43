/// What the API of Feedbin does beyond its routes.
package struct FeedbinQuirks: Sendable, Hashable {
  /// Addresses at which several feeds are found.
  package var pagesWithFeeds: Set<String> = []
  /// Entries that this user may not mark: they are left out of the answer.
  package var foreignEntries: Set<Int64> = []
  /// Leaves the body of a DELETE away, as some proxies do.
  package var dropsBodiesOfDelete = true

  package init() {}
}
