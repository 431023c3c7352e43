internal import News
internal import Store

/// Delivery of comments, and of changes of comments, from the outbox to the server of their account.
struct CommentDelivery: DeliveryPart {
  let context: RepositoryContext
  let isAsked: Bool
  private var store: Store { context.store }

  /// Sends comments in the order in which they were written. A failure holds back later ones for
  /// the same feed; conflicts wait for the user.
  func deliver(to account: Account) async throws {
    let waiting = try await store.view { try $0.outbox.waitingComments(of: account.id) }
    var unreachable: Set<FeedID> = []
    for item in waiting where !item.change.isUndecided && (isAsked || !item.isRefused) {
      guard let article = item.change.articleOfText else { continue }
      try Task.checkCancellation()
      try await send(item, on: article, &unreachable)
    }
  }

  private func send(
    _ item: OutboxItem, on article: ArticleID, _ unreachable: inout Set<FeedID>
  ) async throws {
    let found = try await store.view { view in
      try view.articles.article(article).flatMap { article in
        try view.feeds.feed(article.feedID).map { ($0, article.entry.id) }
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
          try edit.outbox.finishSending(item, as: comment)
          try edit.comments.keepOwn(comment, of: article)
        }
      case .accepted: try await store.finish { try $0.outbox.finishSending(item, as: nil) }
      case .conflict(let conflict):
        let error = SourceError(conflict, at: feed)
        try await store.finish { try $0.outbox.recordConflict(item, conflict, error) }
      }
    } catch let error as SourceError where error.kind != .cancelled {
      unreachable.insert(feed.id)
      try await store.edit { try $0.outbox.recordFailure(item, error) }
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
  /// The article of a comment or of its new text; nil for any other change.
  fileprivate var articleOfText: ArticleID? {
    switch self {
    case .comment(let article, _), .edit(let article, _): article
    case .mark, .readBatch, .tag, .later, .subscription: nil
    }
  }
}

extension SourceError {
  /// The error of a comment that waits for the user's decision.
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
