internal import News
internal import Store

/// Delivery of articles that are to be read later to the servers that hand them on.
struct LaterDelivery {
  let context: RepositoryContext
  /// Whether what a server has refused is sent once more.
  let isAsked: Bool
  private var store: Store { context.store }

  init(context: RepositoryContext, isAsked: Bool) {
    self.context = context
    self.isAsked = isAsked
  }

  /// Sends the articles of each account in order. What cannot be sent stays, with its reason, and what follows it
  /// in its account; what is refused stays alone.
  func deliver() async throws {
    for account in try await store.view({ try $0.accounts() })
    where account.capabilities.contains(.later) && !account.needsSignIn {
      guard let service = context.sources.source(of: account).later else { continue }
      let waiting = try await store.edit { try $0.beginSavingForLater(of: account.id) }
      for (item, id) in waiting where isAsked || !item.isRefused {
        try Task.checkCancellation()
        do {
          try await service.saveForLater(id)
          try await store.finish { try $0.removeFromOutbox([item]) }
        } catch let error as SourceError where error.kind != .cancelled {
          try await store.edit { try $0.recordDeliveryFailure(item, error) }
          guard error.isRefusal else { break }
        }
      }
    }
  }
}
