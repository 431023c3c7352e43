package import News
package import Screen

/// An event that changes the state of the reader: input, a snapshot of the store, the end of an effect. Each capability
/// declares its own in its folder, beside the function that takes them.
package enum Action: Hashable, Sendable {
  /// The program has started and its first snapshots are in the state.
  case started
  /// Input by the user, with the milliseconds of a monotonic clock.
  case input(InputEvent, milliseconds: Int64)
  case resized(Size)
  case ticked(WallClock)
  /// The second that `Effect.moveClock` asked for is over.
  case clockMoved(WallClock)
  /// The time of an `Effect.remind` is over.
  case reminded(Reminder)
  /// The program has the terminal again after a suspension.
  case resumed
  /// Work has failed, and the message is all there is to show.
  case failed(SourceError)
  /// A damaged store was repaired; the error says what was lost.
  case storeHealed(SourceError)

  case list(List)
  case article(Article)
  case deck(Deck)
  case marks(Marks)
  case subscriptions(Subscriptions)
  case accounts(Accounts)
  case outbox(Outbox)
  case conversation(Conversation)
  case transfers(Transfers)
  case queue(Queue)
  case pictures(Pictures)
  case programs(Programs)
  case opening(Opening)
  case preferences(Preferences)
  case settings(Settings)
  case statistics(Statistics)
  case trip(Trip)
}

/// A part of the screen that disappears after a while.
package enum Reminder: Hashable, Sendable {
  case notice(serial: Int)
  case pull(since: Int64)
  /// The selected article has shown for the time after which it counts as read.
  case looked(ArticleID)
  /// A program that has no page yet.
  case program(ProgramID)
}
