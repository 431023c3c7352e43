internal import News
internal import Store

/// Delivery of the outbox: changes are sent in the order in which they were made, and removed when the
/// server has accepted them.
actor OutboxDelivery {
  private let context: RepositoryContext
  /// Whether a delivery is under way.
  private var isDelivering = false
  /// Whether another delivery was requested meanwhile (not nil), and whether it includes refused changes.
  private var next: Bool?

  init(_ context: RepositoryContext) { self.context = context }

  private var store: Store { context.store }

  /// Sends all waiting changes. A change that the server refuses stays with the reason until the user
  /// sends it again or drops it; one that cannot be sent stays for the next delivery.
  ///
  /// - Parameter isAsked: whether the user asked for it: refused changes are then sent again.
  func deliver(isAsked: Bool = false) async throws {
    guard !isDelivering else {
      // The running delivery reads the outbox once more when it is done.
      next = isAsked || next == true
      return
    }
    isDelivering = true
    defer { isDelivering = false }
    next = isAsked
    while let isAsked = next {
      next = nil
      try await deliverOnce(isAsked)
    }
  }

  private func deliverOnce(_ isAsked: Bool) async throws {
    var unreachable: Set<FeedID> = []
    let (comments, hasMarks) = try await store.view { view in
      (try view.waitingComments().filter { isAsked || !$0.isRefused }, try view.hasWaitingMarks())
    }
    try await LogDelivery(context: context).deliver()
    try await SubscriptionDelivery(context: context, isAsked: isAsked).deliver()
    if hasMarks {
      try await MarkDelivery(context: context, isAsked: isAsked).deliver()
    }
    for item in comments {
      guard case .comment(let article, let text) = item.change else { continue }
      try Task.checkCancellation()
      try await send(text, on: article, item, &unreachable)
    }
  }

  private func send(
    _ text: String, on article: ArticleID, _ item: OutboxItem, _ unreachable: inout Set<FeedID>
  ) async throws {
    let found = try await store.view { view in
      try view.article(article).flatMap { article in
        try view.feed(article.feedID).map { ($0, article.entry.id) }
      }
    }
    guard let (feed, entry) = found,
      let discussion = context.sources.source(of: feed.account).discussion(of: feed),
      // After a repair of the database the id is missing until the feed delivers the article again.
      !entry.isEmpty,
      // An earlier comment on this feed could not be sent: the order must hold.
      !unreachable.contains(feed.id)
    else { return }
    do {
      _ = try await discussion.post(text, on: entry, key: item.key)
      try await store.finish { try $0.removeFromOutbox([item]) }
    } catch let error as SourceError where error.kind == .decoding && error.stage == .parse {
      // The server has accepted the comment; only its answer is malformed.
      try await store.finish { try $0.removeFromOutbox([item]) }
    } catch let error as SourceError where error.kind != .cancelled {
      unreachable.insert(feed.id)
      try await store.edit { try $0.recordDeliveryFailure(item, error) }
    }
  }
}
