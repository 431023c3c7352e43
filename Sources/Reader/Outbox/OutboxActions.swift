package import News

extension Action {
  package enum Outbox: Hashable, Sendable {
    case arrived(OutboxSnapshot)
    /// The end of an attempt to send the outbox, with the number of changes that still wait.
    case sent(waiting: Int)
    /// Changes were taken out of the outbox; fewer than `of` where some had been sent before.
    case dropped(Int, of: Int)
    /// The comments that were changed here and at their servers, and about which nothing is decided yet.
    case conflictsArrived([WaitingChange])
    /// The user's decision about one is stored; false where it is another one by now, or none.
    case conflictResolved(ConflictAnswer, wasOpen: Bool)
  }
}

extension Effect {
  package enum Outbox: Hashable, Sendable {
    /// Send snapshots of the outbox, now and after each change.
    case observe
    /// Try to send the whole outbox now.
    case send
    /// Take changes out of the outbox without sending them.
    case drop([WaitingChange.ID])
    /// Decide about a comment that was changed here and at its server, as the user has seen it.
    case resolve(WaitingChange.ID, ConflictAnswer, seeing: CommentConflict)

    package enum ID: Hashable, Sendable { case changes, sending }

    package var id: EffectID? {
      switch self {
      case .observe: .outbox(.changes)
      case .send: .outbox(.sending)
      case .drop, .resolve: nil
      }
    }
  }
}

extension Action.Outbox {
  func reduce(_ state: inout ReaderState) -> [Effect] {
    switch self {
    case .arrived: state.offer(.outbox(self)) ?? []
    case .sent(let waiting):
      state.notify(OutboxStrings.sent(waiting: waiting))
    case .dropped(let dropped, let count):
      state.notify(OutboxStrings.removed(dropped, of: count))
    case .conflictsArrived(let changes): state.receiveConflicts(changes)
    case .conflictResolved(let answer, let wasOpen): state.notifyDecision(answer, wasOpen: wasOpen)
    }
  }
}
