internal import News
internal import Store

/// Delivery of articles for later to the server of their account.
struct LaterDelivery: DeliveryPart {
  let context: RepositoryContext
  let isAsked: Bool
  private var store: Store { context.store }

  /// Sends the articles of an account in order. A failure holds back the later ones; a refused one
  /// stays alone.
  func deliver(to account: Account) async throws {
    guard account.capabilities.contains(.later), !account.needsSignIn else { return }
    let source = context.sources.source(of: account)
    guard let service = source.later else { return }
    let all = try await store.edit { try $0.outbox.beginSavingForLater(of: account.id) }
    let judge = RefusalJudge(store: store, account: account, subscriptions: source.subscriptions)
    try await deliver(all.filter { isAsked || !$0.item.isRefused }, to: service, judge)
  }

  private func deliver(
    _ waiting: [(item: OutboxItem, id: String)], to service: any LaterService, _ judge: RefusalJudge
  ) async throws {
    var judge = judge
    for (place, (item, id)) in waiting.enumerated() where item.id != judge.taken {
      try Task.checkCancellation()
      do {
        try await save(item, id, at: service)
        judge.hasTaken = true
      } catch let error as SourceError where error.kind != .cancelled {
        guard error.isRefusal else {
          try await judge.settle()
          return try await store.edit { try $0.outbox.recordFailure(item, error) }
        }
        let rest = Array(waiting[(place + 1)...])
        let goesOn = try await judge.refuse(item, error) { round in
          try await takenOfAny(rest, at: service, round: round)
        }
        guard goesOn else { return }
      }
    }
    try await judge.settle()
  }

  private func save(_ item: OutboxItem, _ id: String, at service: any LaterService) async throws {
    try await service.saveForLater(id)
    try await store.finish { try $0.outbox.remove([item]) }
  }

  private func takenOfAny(
    _ rest: [(item: OutboxItem, id: String)], at service: any LaterService, round: Int
  ) async throws -> Int64? {
    for place in RefusalSample.places(of: rest.count, round: round) {
      try Task.checkCancellation()
      do {
        try await save(rest[place].item, rest[place].id, at: service)
        return rest[place].item.id
      } catch let error as SourceError where error.kind != .cancelled {
        guard error.isRefusal else { return nil }
      }
    }
    return nil
  }
}
