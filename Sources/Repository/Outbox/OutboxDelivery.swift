internal import News
internal import Store

/// Sends what the user has done to the servers that take it: stored with its effect, sent in order,
/// removed when the server has it.
actor OutboxDelivery {
  private let context: RepositoryContext
  /// Whether a delivery is under way.
  private var isDelivering = false
  /// Whether another delivery was asked for meanwhile, and whether for what was refused, too.
  private var next: Bool?

  init(_ context: RepositoryContext) { self.context = context }

  private var store: Store { context.store }

  /// Sends what waits, in order. What a server refuses stays, with its reason, for the user to
  /// decide about; what could not be sent stays for the next time.
  ///
  /// - Parameter isAsked: whether the user wants what was refused to be tried again.
  func deliver(isAsked: Bool = false) async throws {
    guard !isDelivering else {
      // The delivery under way goes through the outbox once more when it is done.
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
    let items = try await store.view { try $0.outbox() }.filter { isAsked || !$0.isRefused }
    let marks = items.filter(\.change.isMark)
    if !marks.isEmpty { try await MarkDelivery(context: context).deliver(marks) }
    for item in items {
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
      // One that was lost with a damaged database is known again when its feed brings it.
      !entry.isEmpty,
      // What follows would overtake it.
      !unreachable.contains(feed.id)
    else { return }
    do {
      _ = try await discussion.post(text, on: entry, key: item.key)
      try await store.finish { try $0.removeFromOutbox([item]) }
    } catch let error as SourceError where error.kind == .decoding && error.stage == .parse {
      // The server has it; what it says about that is beside the point.
      try await store.finish { try $0.removeFromOutbox([item]) }
    } catch let error as SourceError where error.kind != .cancelled {
      unreachable.insert(feed.id)
      try await store.edit { try $0.recordDeliveryFailure(item, error) }
    }
  }
}

extension OutboxItem {
  /// Trying again by itself would not help.
  package var isRefused: Bool { error?.isRefusal ?? false }
}
