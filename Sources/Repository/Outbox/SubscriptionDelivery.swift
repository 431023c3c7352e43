internal import News
internal import Store

/// Delivery of changes of subscriptions from the outbox to their server. The server's list decides
/// before a change and after a failure: an answer may be lost, and some servers refuse what they
/// have already.
struct SubscriptionDelivery: DeliveryPart {
  /// Failed changes in one delivery at most, at a server whose list can be read.
  private static let mostFailures = 5

  let context: RepositoryContext
  let isAsked: Bool
  private var store: Store { context.store }

  /// Sends the changes of an account. A failure holds back later changes of the same feed; so does
  /// a refused addition, as nothing else can be sent for that feed.
  func deliver(to account: Account) async throws {
    guard !account.needsSignIn else { return }
    let items = try await store.view { try $0.subscriptions.waiting(of: account.id) }
    guard items.contains(where: isToBeSent),
      let source = context.sources.source(of: account).subscriptions
    else { return }
    try await deliver(items, of: account.id, to: source)
  }

  private func isToBeSent(_ item: OutboxItem) -> Bool { isAsked || !item.isRefused }

  private func deliver(
    _ items: [OutboxItem], of account: AccountID, to source: any SubscriptionSource
  ) async throws {
    var list: [Subscription]
    do { list = try await source.subscriptions() } catch let error as SourceError
      where error.kind != .cancelled
    {
      guard let first = items.first(where: isToBeSent) else { return }
      return try await record(error, instead: error, of: first, account)
    }
    var failures = 0
    for feed in FeedChanges.all(in: items) {
      changes: for item in feed.items {
        guard case .subscription(_, let change) = item.change else { continue }
        let isAddition = change.kind == .add
        guard isToBeSent(item) else {
          if isAddition { break changes }
          continue
        }
        try Task.checkCancellation()
        do {
          try await send(change, item, to: source, &list)
        } catch let failure as ListFailure {
          return try await record(failure.error, instead: failure.cause, of: item, account)
        } catch let error as SourceError where error.kind != .cancelled {
          try await store.edit { try $0.outbox.recordFailure(item, error) }
          guard !error.isRefusal else {
            if isAddition { break changes }
            continue
          }
          failures += 1
          if error.concernsAccount || failures == Self.mostFailures { return }
          break changes
        }
        try await finish(item, change.subject(in: list), with: feed.superseded(by: item))
      }
    }
  }

  private func finish(
    _ item: OutboxItem, _ subject: Subscription?, with superseded: [OutboxItem]
  ) async throws {
    try await store.finish { edit in
      if case .subscription(let feed?, let change) = item.change, change.kind == .add, let subject {
        try edit.subscriptions.link(feed, to: subject, in: item.account)
      }
      try edit.outbox.remove(superseded + [item])
    }
  }

  /// Records why the server's list cannot be read: if that is refused, no change is to blame.
  ///
  /// - Parameter cause: the failure of the change before.
  private func record(
    _ error: SourceError, instead cause: SourceError, of item: OutboxItem, _ account: AccountID
  ) async throws {
    try await store.edit { edit in
      if error.isRefusal { return try edit.outbox.recordError(error, of: account) }
      try edit.outbox.recordFailure(item, cause.isRefusal ? error : cause)
    }
  }

  /// Sends one change, unless the list shows that it is made.
  ///
  /// - Parameter list: read anew where the change may have altered it.
  /// - Throws: `ListFailure`, `SourceError`.
  private func send(
    _ change: SubscriptionChange, _ item: OutboxItem, to source: any SubscriptionSource,
    _ list: inout [Subscription]
  ) async throws {
    guard !change.isMade(in: list) else { return }
    try await store.edit { try $0.subscriptions.beginSending(item) }
    do {
      try await source.perform(change, on: change.subject(in: list))
    } catch let error as SourceError where error.kind != .cancelled {
      list = try await self.list(of: source, after: error)
      guard change.isMade(in: list) else { throw error }
      return
    }
    guard case .add = change.kind else { return list.apply(change) }
    let before = Set(list.map(\.id))
    list = try await self.list(of: source, after: nil)
    // A server may keep a feed under the address that it was led to: it is the one that is new.
    guard change.subject(in: list) == nil else { return }
    let new = list.indices.filter { !before.contains(list[$0].id) }
    if new.count == 1 { list[new[0]].url = change.url }
  }

  private func list(
    of source: any SubscriptionSource, after cause: SourceError?
  ) async throws -> [Subscription] {
    do { return try await source.subscriptions() } catch let error as SourceError
      where error.kind != .cancelled
    {
      throw ListFailure(error: error, cause: cause ?? error)
    }
  }
}

/// Failure of a server's list after a change, which concerns the whole account.
private struct ListFailure: Error {
  let error: SourceError
  /// The failure of the change, else that of the list.
  let cause: SourceError
}

extension SourceError {
  /// Whether other changes would fail too.
  fileprivate var concernsAccount: Bool {
    status == 401 || status == 429 || isUnasked
  }
}

extension [Subscription] {
  /// Notes a change of a subscription that its server has accepted.
  fileprivate mutating func apply(_ change: SubscriptionChange) {
    guard let subject = change.subject(in: self), let index = firstIndex(of: subject) else {
      return
    }
    switch change.kind {
    case .add: break
    case .remove: remove(at: index)
    case .rename(let title): self[index].title = title
    case .file(let folders): self[index].folders = folders
    }
  }
}
