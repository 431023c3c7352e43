package import News
internal import Store

/// Comments on articles.
extension FeedRepository {
  /// Comments on an article. The comment is stored in the outbox, with its idempotency key, before this
  /// returns, and sent as soon as the server can be reached.
  ///
  /// - Throws: `SourceError` where the article's feed takes no comments.
  package func comment(_ text: String, on article: ArticleID) async throws {
    let time = context.now()
    let feed = try await store.view { view in
      try view.article(article).flatMap { try view.feed($0.feedID) }
    }
    guard let feed, context.sources.source(of: feed.account).discussion(of: feed) != nil else {
      throw SourceError(
        .address, stage: .arguments, subject: feed?.displayTitle ?? "article \(article.rawValue)",
        message: feed == nil
          ? "there is no such article" : "this feed takes no comments")
    }
    try await store.edit { try $0.queueComment(text, on: article, now: time) }
    try await outbox.deliver()
  }

  /// A page of the comments on an article from its server, oldest first.
  package func comments(on article: ArticleID, after cursor: Cursor?) async throws -> CommentPage {
    let found = try await store.view { view in
      try view.article(article).flatMap { article in
        try view.feed(article.feedID).map { ($0, article.entry.id) }
      }
    }
    guard let (feed, entry) = found,
      let discussion = context.sources.source(of: feed.account).discussion(of: feed)
    else {
      throw SourceError(
        .address, stage: .arguments, subject: "article \(article.rawValue)",
        message: found == nil ? "there is no such article" : "its feed has no comments")
    }
    return try await discussion.comments(on: entry, after: cursor)
  }
}
