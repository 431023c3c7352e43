internal import News
internal import Store

/// Delivery of changes of tags from the outbox to servers that keep labels of articles.
struct LabelDelivery {
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
    for account in try await store.view({ try $0.accounts() })
    where account.capabilities.contains(.labels) && !account.needsSignIn {
      guard let labels = context.sources.source(of: account).labels else { continue }
      try await deliver(to: labels, of: account.id)
    }
  }

  private func deliver(to labels: any LabelSource, of account: AccountID) async throws {
    var last: Int64 = 0
    while true {
      try Task.checkCancellation()
      let (after, limit, isAsked) = (last, max(1, labels.limit), isAsked)
      let call = try await store.edit {
        try $0.beginSendingLabels(
          of: account, after: after, limit: limit, refusedToo: isAsked)
      }
      guard let call, let end = call.items.last?.id else { return }
      last = end
      guard try await send(call, to: labels, of: account) else { return }
    }
  }

  /// - Returns: whether the delivery goes on.
  private func send(
    _ call: LabelCall, to labels: any LabelSource, of account: AccountID
  ) async throws -> Bool {
    do {
      try await labels.set(call.label, call.isSet, on: call.ids)
      try await store.finish { try $0.finishSendingLabels(call.items, of: account) }
      return true
    } catch let error as SourceError where error.kind != .cancelled {
      guard error.isRefusal, call.items.count > 1 else {
        try await store.edit { try $0.recordDeliveryFailure(call.items[0], error) }
        return error.isRefusal
      }
    }
    // One of them may be to blame.
    for single in call.alone {
      guard try await send(single, to: labels, of: account) else { return false }
    }
    return true
  }
}
