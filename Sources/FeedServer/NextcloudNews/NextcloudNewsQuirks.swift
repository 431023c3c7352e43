/// The version of a Nextcloud News, as far as its API shows it.
package struct NextcloudNewsQuirks: Sendable, Hashable {
  /// Since News 18.1; without it only the routes of version 1.2 are there.
  package var hasVersion13 = true
  /// Articles of one page at most; nil for no bound.
  package var largestPage: Int?
  /// Adds this to its own count of unread articles.
  package var miscount = 0

  package init() {}
}
