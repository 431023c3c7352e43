package import News

/// Something to be done.
package enum Effect: Hashable, Sendable {
  /// Show this stretch of a timeline from now on, and whatever it becomes.
  case observe(TimelineQuery)
  /// Read an article and lay it out for a width in columns.
  case open(ArticleID, width: Int)
  case refresh(Wish)
  case loadOlder(Timeline)
  case fill(Gap)
  case apply(Intent)
  case findNextUnread(Timeline, after: TimelinePosition?)
  /// Subscribe to the feed at an address, or say which there are. Cancelled before that, it subscribes
  /// to nothing and says nothing.
  case addFeed(String)
  /// Subscribe to one of the feeds that an address led to.
  case addFound(FeedLink, of: String)
  case signIn(String, name: String, TypedSecret)
  case removeFeed(FeedID, title: String)
  /// Ask a feed at another address from now on; `isTyped` if the user wrote that address.
  case moveFeed(FeedID, to: String, isTyped: Bool)
  case keepPlace(ArticleID, ReadingPosition?)
  case openLink(String)
  /// Open the page of an article whose address is not at hand.
  case openArticleLink(ArticleID)
  /// Report the words back once no other wish of this kind has come for 300 ms.
  case settleSearch(String)
  case remind(Reminder, afterMilliseconds: Int64)
  /// Report the time in a second: something on the screen counts down.
  case moveClock
  /// Show what waits to be sent from now on, and whatever becomes of it.
  case observeOutbox
  /// Try now to send all that waits.
  case sendOutbox
  /// Give up a change that has not been sent.
  case dropChange(WaitingChange.ID)
  case cancel(EffectID)
  case suspend
  case quit

  /// Which feeds to refresh.
  package enum Wish: Hashable, Sendable {
    /// Those of a timeline, because the user asked.
    case asked(Timeline)
    /// These, because the user asked.
    case askedFeeds([FeedID])
    /// Those that are due by themselves.
    case due
    /// Those that could not be reached last time.
    case unreachable
  }

  /// A new effect of the same id takes the place of the old one; nil runs beside all others.
  package var id: EffectID? {
    switch self {
    case .observe: .list
    case .open: .article
    case .refresh(let wish): .refresh(wish)
    case .loadOlder, .fill: .older
    case .findNextUnread: .nextUnread
    case .settleSearch: .search
    case .remind(.pull, _): .pull
    case .remind(.notice, _): .notice
    case .moveClock: .clock
    case .moveFeed(let id, _, _): .move(id)
    case .addFeed(let address), .addFound(_, let address): .add(address)
    case .observeOutbox: .outbox
    case .sendOutbox: .sending
    case .apply, .signIn, .removeFeed, .keepPlace, .openLink,
      .openArticleLink, .dropChange, .cancel, .suspend, .quit:
      nil
    }
  }
}

package enum EffectID: Hashable, Sendable {
  case list
  case article
  case refresh(Effect.Wish)
  case older
  case nextUnread
  case search
  case pull
  case notice
  case clock
  case move(FeedID)
  case outbox
  case sending
  /// By the address that was typed: several may be looked at side by side.
  case add(String)
}
