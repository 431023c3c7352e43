internal import News
internal import Reader
internal import TelexKit

/// Observes and sends the outbox.
struct OutboxPerformer: EffectPerformer {
  nonisolated let context: EffectContext

  func perform(_ effect: Effect.Outbox) {
    let id = effect.id
    let outbox = Outbox(composition)
    switch effect {
    case .observe:
      scheduler.start(id) {
        await inbox.follow(snapshots.outbox) { inbox.send(.outbox(.arrived($0))) }
      }
    case .send:
      // A running delivery sends later changes, too.
      guard !scheduler.isRunning(.outbox(.sending)) else { return }
      start(id) { .outbox(.sent(waiting: try await outbox.send())) }
    case .drop(let changes):
      self.change {
        .outbox(.dropped(try await outbox.dropWaiting(changes), of: changes.count))
      }
    case .resolve(let change, let answer, let conflict):
      self.change {
        let wasOpen = try await outbox.resolve(change, answer, seeing: conflict)
        inbox.send(.outbox(.conflictResolved(answer, wasOpen: wasOpen)))
        if wasOpen { await deliver() }
        return nil
      }
    }
  }
}
