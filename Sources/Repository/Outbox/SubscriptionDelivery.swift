internal import News
internal import Store

/// Delivery of changes of subscriptions from the outbox to the servers of their accounts.
///
/// The server's list is the truth, before a change and after one that failed: an answer may be lost, and some
/// servers refuse what they have already.
struct SubscriptionDelivery {
  let context: RepositoryContext
  /// Whether what a server has refused is sent once more.
  let isAsked: Bool
  private var store: Store { context.store }

  init(context: RepositoryContext, isAsked: Bool) {
    self.context = context
    self.isAsked = isAsked
  }

  /// Sends the changes of each account in the order in which they were made. What cannot be sent stays, with
  /// its reason, and what follows it in its account; what is refused stays alone.
  func deliver() async throws {
    let waiting = try await store.view { view in
      try view.accounts().filter { !$0.needsSignIn }
        .map { ($0, try view.waitingSubscriptions(of: $0.id)) }
    }
    for (account, all) in waiting {
      let items = all.filter { isAsked || !$0.isRefused }
      guard !items.isEmpty, !account.needsSignIn,
        let source = context.sources.source(of: account).subscriptions
      else { continue }
      try await deliver(items, to: source)
    }
  }

  private func deliver(_ items: [OutboxItem], to source: any SubscriptionSource) async throws {
    var list: [Subscription]
    do { list = try await source.subscriptions() } catch let error as SourceError
      where error.kind != .cancelled
    {
      return try await store.edit { try $0.recordDeliveryFailure(items[0], error) }
    }
    for item in items {
      guard case .subscription(let feed, let change) = item.change else { continue }
      try Task.checkCancellation()
      do {
        try await send(change, item, to: source, &list)
      } catch let error as SourceError where error.kind != .cancelled {
        try await store.edit { try $0.recordDeliveryFailure(item, error) }
        if error.isRefusal { continue }
        return
      }
      let subject = change.subject(in: list)
      try await store.finish { edit in
        if case .add = change.kind, let feed, let subject {
          try edit.link(feed, to: subject, in: item.account)
        }
        try edit.removeFromOutbox([item])
      }
    }
  }

  /// Makes one change, unless the list shows that it is made.
  ///
  /// - Parameter list: what the server lists; read anew where the change may have altered it.
  private func send(
    _ change: SubscriptionChange, _ item: OutboxItem, to source: any SubscriptionSource,
    _ list: inout [Subscription]
  ) async throws {
    guard !change.isMade(in: list) else { return }
    try await store.edit { try $0.beginSending(item) }
    do {
      try await source.perform(change, on: change.subject(in: list))
    } catch let error as SourceError where error.kind != .cancelled {
      guard let now = try? await source.subscriptions() else { throw error }
      list = now
      guard change.isMade(in: list) else { throw error }
      return
    }
    guard case .add = change.kind else { return list.apply(change) }
    let before = Set(list.map(\.id))
    list = try await source.subscriptions()
    // A server may keep a feed under the address that it was led to: it is the one that is new.
    guard change.subject(in: list) == nil else { return }
    let new = list.indices.filter { !before.contains(list[$0].id) }
    if new.count == 1 { list[new[0]].url = change.url }
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
