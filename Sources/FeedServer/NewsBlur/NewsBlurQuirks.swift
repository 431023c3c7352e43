/// What the API of NewsBlur does beyond its routes.
package struct NewsBlurQuirks: Sendable, Hashable {
  /// A session ends after so many calls; nil for none.
  package var callsPerSession: Int?
  /// Unread is refused for stories that are older than this, in seconds; nil for none.
  package var unreadTime: Int64?
  /// Routes that this user may not use, as in `add_url`.
  package var forbiddenRoutes: Set<String> = []
  /// Feeds and folders in nested lists, as without `flat`.
  package var nestsFolders = false
  /// Stories that the user has trained the server to hide.
  package var hiddenStories: Set<Int64> = []

  package init() {}
}
