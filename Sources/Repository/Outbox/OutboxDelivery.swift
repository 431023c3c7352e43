internal import News
internal import Store

/// Delivery of the outbox: the changes of each account are sent in order and removed when its
/// server has accepted them. Accounts are delivered side by side, so that a server that hangs holds
/// up no other.
actor OutboxDelivery {
  /// Outcome of the wait for other processes.
  enum Turn: Hashable {
    /// At once, or there was nothing to send.
    case free
    /// Another process was sending to the same account first.
    case waited
    /// Another process is sending still, and nothing was sent here.
    case taken
  }

  private let context: RepositoryContext
  /// The accounts to which a delivery is under way.
  private var delivering: Set<AccountID> = []
  /// Those of them to which another was requested meanwhile, and whether it includes refused changes.
  private var next: [AccountID: Bool] = [:]
  /// Accounts that another process sends to now.
  private(set) var waiting: Set<AccountID> = []

  init(_ context: RepositoryContext) { self.context = context }

  private var store: Store { context.store }

  /// Sends all waiting changes, to all accounts at once. A refused change stays with its reason
  /// until the user sends it again or drops it; a failed one stays for the next delivery.
  ///
  /// - Parameter isAsked: whether the user asked for it: refused changes are then sent again, also
  ///   to an account whose sign-in was refused.
  func deliver(isAsked: Bool = false) async throws {
    guard try await store.view({ try $0.outbox.hasItems() }) else { return }
    let accounts = try await store.view { view in
      try view.outbox.waitingNumbers().keys.filter {
        try isAsked || view.sync.error(of: $0)?.status != 401
      }
    }
    try await deliver(to: accounts, isAsked: isAsked)
  }

  /// Sends the waiting changes of some accounts, to all of them at the same time.
  func deliver(to accounts: some Sequence<AccountID>, isAsked: Bool = false) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for account in accounts {
        group.addTask { try await self.deliver(to: account, isAsked: isAsked) }
      }
      // What fails in one of them, as the store may, does not end the others.
      var failure: (any Error)?
      while let result = await group.nextResult() {
        if case .failure(let error) = result { failure = failure ?? error }
      }
      if let failure { throw failure }
    }
  }

  /// Sends the waiting changes of one account.
  @discardableResult
  func deliver(to account: AccountID, isAsked: Bool = false) async throws -> Turn {
    guard delivering.insert(account).inserted else {
      // The running delivery reads the outbox once more when it is done.
      next[account] = isAsked || next[account] == true
      return .free
    }
    next[account] = nil
    do {
      var turn = try await pass(account, isAsked)
      while let asked = next.removeValue(forKey: account) {
        do {
          let again = try await pass(account, asked)
          if again != .free { turn = again }
        } catch {
          next[account] = asked || next[account] == true
          throw error
        }
      }
      delivering.remove(account)
      return turn
    } catch {
      delivering.remove(account)
      // Whoever has asked for another pass meanwhile relies on it.
      if let next = next[account] {
        Task { try? await deliver(to: account, isAsked: next) }
      }
      throw error
    }
  }

  private func pass(_ account: AccountID, _ isAsked: Bool) async throws -> Turn {
    guard try await store.view({ try $0.outbox.waitingNumbers()[account] }) != nil else {
      return .free
    }
    let (turn, hasWaited) = try await turn(of: account)
    guard let turn else { return .taken }
    try await repeating(every: .seconds(Store.turnTime / 3)) {
      turn.renew()
    } during: {
      try await deliverOnce(account, isAsked)
    }
    return hasWaited ? .waited : .free
  }

  /// Waits for another process that delivers to the same account: a minute, and at most until the
  /// deadline.
  ///
  /// - Returns: nil where that takes longer. The changes stay for the next delivery.
  private func turn(
    of account: AccountID
  ) async throws -> (turn: DeliveryTurn?, hasWaited: Bool) {
    let end = ContinuousClock.now + .seconds(60)
    var hasWaited = false
    defer { waiting.remove(account) }
    while true {
      if let turn = await store.deliveryTurn(of: account) { return (turn, hasWaited) }
      hasWaited = true
      waiting.insert(account)
      guard ContinuousClock.now < min(end, context.settings.deadline ?? end) else {
        return (nil, true)
      }
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  private func deliverOnce(_ id: AccountID, _ isAsked: Bool) async throws {
    let parts: [any DeliveryPart] = [
      LogDelivery(context: context),
      SubscriptionDelivery(context: context, isAsked: isAsked),
      MarkDelivery(context: context, isAsked: isAsked),
      LabelDelivery(context: context, isAsked: isAsked),
      LaterDelivery(context: context, isAsked: isAsked),
      CommentDelivery(context: context, isAsked: isAsked),
    ]
    for part in parts {
      // As it is now: a part before may have found that it needs a sign-in.
      guard let account = try await store.view({ try $0.accounts.account(id) }) else { return }
      try await part.deliver(to: account)
    }
  }
}

protocol DeliveryPart: Sendable {
  /// Sends the changes for an account that its server takes. Failed ones stay, with their reasons.
  ///
  /// - Throws: errors of the store, `CancellationError`.
  func deliver(to account: Account) async throws
}
