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
    next = nil
    do {
      try await pass(isAsked)
      while let asked = next {
        next = nil
        do { try await pass(asked) } catch {
          next = asked || next == true
          throw error
        }
      }
      isDelivering = false
    } catch {
      isDelivering = false
      // Whoever has asked for another pass meanwhile relies on it.
      if let next { Task { try? await deliver(isAsked: next) } }
      throw error
    }
  }

  private func pass(_ isAsked: Bool) async throws {
    guard try await store.view({ try $0.hasOutbox() }), let turn = try await turn() else { return }
    try await renewing(turn) { try await deliverOnce(isAsked) }
  }

  /// Waits while another process delivers: until it has finished or was stopped, for a minute, and at most
  /// until the deadline.
  ///
  /// - Returns: nil where it takes longer than that. What waits stays for the next delivery.
  private func turn() async throws -> DeliveryTurn? {
    let end = ContinuousClock.now + .seconds(60)
    while true {
      if let turn = await store.deliveryTurn() { return turn }
      guard ContinuousClock.now < min(end, context.settings.deadline ?? end) else { return nil }
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  /// Keeps a turn while changes are sent.
  private func renewing(_ turn: DeliveryTurn, _ work: () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        while (try? await Task.sleep(for: .seconds(Store.turnTime / 3))) != nil { turn.renew() }
      }
      defer { group.cancelAll() }
      try await work()
    }
  }

  private func deliverOnce(_ isAsked: Bool) async throws {
    var unreachable: Set<FeedID> = []
    let (comments, hasMarks) = try await store.view { view in
      (
        try view.waitingComments().filter {
          !$0.change.isUndecided && (isAsked || !$0.isRefused)
        }, try view.hasWaitingMarks()
      )
    }
    try await LogDelivery(context: context).deliver()
    try await SubscriptionDelivery(context: context, isAsked: isAsked).deliver()
    if hasMarks {
      try await MarkDelivery(context: context, isAsked: isAsked).deliver()
    }
    try await LabelDelivery(context: context, isAsked: isAsked).deliver()
    try await LaterDelivery(context: context, isAsked: isAsked).deliver()
    for item in comments {
      guard let article = item.change.articleOfText else { continue }
      try Task.checkCancellation()
      try await send(item, on: article, &unreachable)
    }
  }

  private func send(
    _ item: OutboxItem, on article: ArticleID, _ unreachable: inout Set<FeedID>
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
      switch try await send(item, on: entry, to: discussion) {
      case .kept(let comment):
        try await store.finish { edit in
          try edit.finishSending(item, as: comment)
          try edit.keepOwn(comment, of: article)
        }
      case .accepted: try await store.finish { try $0.finishSending(item, as: nil) }
      case .conflict(let conflict):
        let error = SourceError(conflict, at: feed)
        try await store.finish { try $0.recordConflict(item, conflict, error) }
      }
    } catch let error as SourceError where error.kind != .cancelled {
      unreachable.insert(feed.id)
      try await store.edit { try $0.recordDeliveryFailure(item, error) }
    }
  }

  private func send(
    _ item: OutboxItem, on entry: String, to discussion: any DiscussionSource
  ) async throws -> CommentAnswer {
    guard case .edit(_, let edit) = item.change else {
      return try await discussion.post(
        item.change.text ?? "", answering: item.parent, on: entry, key: item.key)
    }
    if let version = edit.version {
      return try await discussion.edit(edit.comment, on: entry, to: edit.text, from: version)
    }
    return .conflict(.changed(try await discussion.comment(edit.comment, on: entry)))
  }
}

extension OutboxItem.Change {
  /// The article that something was written about; nil for any other change.
  fileprivate var articleOfText: ArticleID? {
    switch self {
    case .comment(let article, _), .edit(let article, _): article
    case .read, .starred, .readBatch, .tag, .later, .subscription: nil
    }
  }
}

extension SourceError {
  /// Why a change of a comment waits for the user.
  init(_ conflict: CommentConflict, at feed: Feed) {
    self.init(
      .status, stage: .fetch, subject: feed.displayTitle,
      message: conflict == .deleted
        ? "this comment was deleted at the server" : "this comment was changed at the server too",
      next:
        "decide which text stays: Enter in the outbox of the reader, or telex outbox --keep-mine, "
        + "--keep-theirs or --keep-both", status: 409)
  }
}
