package import News

/// Work that the state asks the program to do: reading, fetching, storing, waiting. Each capability declares its own in its
/// folder.
package enum Effect: Hashable, Sendable {
  case list(List)
  case article(Article)
  case deck(Deck)
  /// Store a change of marks, or take one back.
  case apply(Intent)
  case subscriptions(Subscriptions)
  case refresh(Refresh)
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

  /// Turn the network off by the choice of the user, or on again.
  case setOffline(Bool)
  case remind(Reminder, afterMilliseconds: Int64)
  /// Report the time after a second: something on the screen counts down.
  case moveClock
  case cancel(EffectID)
  case suspend
  case quit

  /// Identifies work that is done once at a time: a new effect of the same id cancels the old one. Nil for
  /// work that runs beside all other.
  package var id: EffectID? {
    switch self {
    case .list(let effect): effect.id
    case .article(let effect): effect.id
    case .deck(let effect): effect.id
    case .subscriptions(let effect): effect.id
    case .refresh(let feeds): .refresh(feeds)
    case .accounts(let effect): effect.id
    case .outbox(let effect): effect.id
    case .conversation(let effect): effect.id
    case .queue(let effect): effect.id
    case .pictures(let effect): effect.id
    case .programs(let effect): effect.id
    case .settings(.read): .settings
    case .statistics: .statistics
    case .trip: .trip
    case .remind(.pull, _): .pull
    case .remind(.notice, _): .notice
    case .remind(.looked, _): .looked
    case .remind(.program(let id), _): .slowProgram(id)
    case .moveClock: .clock
    case .apply, .transfers, .opening, .preferences, .setOffline, .settings(.set), .cancel,
      .suspend,
      .quit:
      nil
    }
  }
}

/// Identity of a running effect: a new one with the same id cancels the old one, and
/// `Effect.cancel` names it.
package enum EffectID: Hashable, Sendable {
  case list(Effect.List.ID)
  case article(Effect.Article.ID)
  case deck(Effect.Deck.ID)
  case subscriptions(Effect.Subscriptions.ID)
  case refresh(Effect.Refresh)
  case signIn
  case outbox(Effect.Outbox.ID)
  case conversation(Effect.Conversation.ID)
  case queue
  case pictures(Effect.Pictures.ID)
  case programs(Effect.Programs.ID)
  case settings
  case statistics
  case trip
  case pull
  case notice
  case looked
  case slowProgram(ProgramID)
  case clock
}
