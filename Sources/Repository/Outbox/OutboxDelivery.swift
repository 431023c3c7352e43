package import News
package import Store

/// What the reader has done and a server has to be told: stored with its effect, sent in order,
/// removed when the server has it.
extension FeedRepository {
  /// Writes a comment under an article. It is stored, with the key it will be sent with, before this
  /// returns, and sent as soon as its server can be reached.
  ///
  /// - Throws: `SourceError` where the article's feed takes none.
  package func comment(_ text: String, on article: ArticleID) async throws {
    let time = now()
    let feed = try await store.view { view in
      try view.article(article).flatMap { try view.feed($0.feedID) }
    }
    guard let feed, sources.discussion(of: feed) != nil else {
      throw SourceError(
        .address, stage: .arguments, subject: feed?.displayTitle ?? "article \(article.rawValue)",
        message: feed == nil
          ? "there is no such article" : "this feed takes no comments")
    }
    try await store.edit { try $0.queueComment(text, on: article, now: time) }
    try await deliverOutbox()
  }

  /// What stands under an article, from the server, oldest first.
  package func comments(on article: ArticleID, after cursor: Cursor?) async throws -> CommentPage {
    let found = try await store.view { view in
      try view.article(article).flatMap { article in
        try view.feed(article.feedID).map { ($0, article.entry.id) }
      }
    }
    guard let (feed, entry) = found, let discussion = sources.discussion(of: feed) else {
      throw SourceError(
        .address, stage: .arguments, subject: "article \(article.rawValue)",
        message: found == nil ? "there is no such article" : "its feed has no comments")
    }
    return try await discussion.comments(on: entry, after: cursor)
  }

  /// Sends what waits, in order. What a server refuses stays, with its reason, for the reader to
  /// decide about; what could not be sent stays for the next time.
  ///
  /// - Parameter isAsked: whether the reader wants what was refused to be tried again.
  package func deliverOutbox(isAsked: Bool = false) async throws {
    guard !isDelivering else {
      // Who is at it looks once more when he is done.
      hasMoreToDeliver = true
      return
    }
    isDelivering = true
    defer { isDelivering = false }
    repeat {
      hasMoreToDeliver = false
      try await deliverOnce(isAsked)
    } while hasMoreToDeliver
  }

  private func deliverOnce(_ isAsked: Bool) async throws {
    var unreachable: Set<FeedID> = []
    for item in try await store.view({ try $0.outbox() }) {
      guard case .comment(let article, let text) = item.change, isAsked || !item.isRefused else {
        continue
      }
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
    guard let (feed, entry) = found, let discussion = sources.discussion(of: feed),
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
  package var isRefused: Bool {
    guard let status = error?.status else { return false }
    return (400..<500).contains(status) && ![401, 408, 429].contains(status)
  }
}
