/// The order of the feeds in the sidebar, in their folders as outside of them.
enum FeedOrder: String, Hashable, Sendable, CaseIterable {
  case name
  /// Those with the most unread articles first, and those of one number by name; folders too.
  case unread
  /// Those that were subscribed first first; folders by name.
  case added

  /// In words, for a message.
  var name: String {
    switch self {
    case .name: "feeds by name"
    case .unread: "feeds with the most unread first"
    case .added: "feeds as they were added"
    }
  }
}
