internal import News

/// The unread articles that the user has seen in a list.
struct SeenUnread: Hashable, Sendable {
  var timeline: Timeline
  /// In articles: those of a story that stand behind its first one are marked with it.
  var count: Int
  /// The newest one; nil where the rows do not reach the top of the timeline.
  var notNewerThan: TimelinePosition?
  /// Where articles have arrived above the screen.
  var except: UnseenRegion?
}
