package import News
package import Screen

/// Something that happened.
package enum Action: Hashable, Sendable {
  /// The program has started and its first snapshots are in the state.
  case started
  /// The user did something; the time is of a clock that never goes back, in milliseconds.
  case input(InputEvent, milliseconds: Int64)
  case resized(Size)
  case ticked(WallClock)
  /// A second has passed for which the screen has waited.
  case clockMoved(WallClock)

  case sidebarArrived(SidebarSnapshot)
  case timelineArrived(TimelineSnapshot)
  case storeFailed(SourceError)
  /// What has become of a damaged store.
  case storeHealed(SourceError)
  case articleArrived(ArticlePage)
  case articleFailed(ArticleID, SourceError)
  /// The search for the next unread article came to an end; nil when there is none.
  case nextUnreadFound(Timeline, TimelinePosition?)

  case refreshEnded(failed: Int, inserted: Int, wasAsked: Bool)
  case refreshFailed(SourceError)
  case olderFailed(SourceError)
  /// - Parameters:
  ///   - foundAt: the first page of the site, where that has led to the feed and nothing was at the
  ///     address that was typed.
  ///   - address: what was typed.
  case feedAdded(Feed, isNew: Bool, foundAt: String? = nil, address: String? = nil)
  case feedNotAdded(String, SourceError)
  /// The page at an address has several feeds.
  case feedsFound(String, [FeedLink])
  /// The server at an address has taken the password.
  case signedIn(String)
  case notSignedIn(String, SourceError)
  case feedRemoved(FeedID, title: String)
  /// With the address that was asked for.
  case feedMoved(FeedID, to: String)
  case feedNotMoved(FeedID, to: String, SourceError)
  /// A mark of these articles has been written.
  case marksEnded([ArticleID])
  /// A change could not be written.
  case notKept(Intent)
  case markedAllRead(Int)
  case markingUndone(Int)
  case linkNotOpened(SourceError)
  case outboxArrived(OutboxSnapshot)
  /// What waited has been sent, as far as that could be; so many changes still wait.
  case outboxSent(waiting: Int)
  /// A change is not to be sent any more, unless it has been sent meanwhile.
  case changeDropped(wasWaiting: Bool)
  case searchSettled(String)
  /// A reminder came due.
  case reminded(Reminder)
  /// The terminal was given back after a suspension.
  case resumed
}

/// Something to be forgotten after a while.
package enum Reminder: Hashable, Sendable {
  case notice(serial: Int)
  case pull(since: Int64)
}
