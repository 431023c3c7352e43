/// The order of the feeds in the sidebar, in their folders as outside of them.
enum FeedOrder: String, Hashable, Sendable, CaseIterable {
  case name
  /// By the number of unread articles, the largest first, then by name; folders too.
  case unread
  /// By the time of subscription, the oldest first; folders by name.
  case added
}
