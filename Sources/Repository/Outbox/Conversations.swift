package import News
internal import Store

/// The comments on articles as they are stored, and their fetches.
extension FeedRepository {
  /// The comments on an article, now and after each change of them or of what waits to be sent.
  package func conversations(on article: ArticleID) -> Snapshots<ConversationStamp> {
    Snapshots(store: store) { [store] _ in
      try await store.view { view in
        ConversationStamp(
          changes: try view.comments.changes(on: article),
          error: try view.comments.record(of: article)?.error,
          waiting: try view.outbox.waitingComments(on: article).map(\.waitingText))
      }
    }
  }

  /// The comments on an article as they are stored; nil where there is no such article.
  package func conversation(on article: ArticleID) async throws -> Conversation? {
    let sources = context.sources
    return try await store.view { view in
      guard let found = try view.articles.article(article),
        let feed = try view.feeds.feed(found.feedID)
      else {
        return nil
      }
      let links = found.entry.comments
      let source: Conversation.Source =
        if let server = sources.source(of: feed.account).discussion(of: feed) {
          server.takesComments ? .server : .feed
        } else if let url = links?.feed, sources.comments(at: url, of: feed) != nil {
          .feed
        } else {
          .none
        }
      let stored = try view.comments.all(on: article)
      return Conversation(
        article: article, title: found.entry.title ?? found.feedTitle, source: source,
        page: links?.page, announced: links?.count, comments: stored.map(\.comment),
        arrivals: Dictionary(stored.map { ($0.comment.id, $0.arrival) }) { first, _ in first },
        waiting: try view.outbox.waitingComments(on: article).map(\.waitingText),
        record: try view.comments.record(of: article) ?? ConversationRecord())
    }
  }

  /// Fetches the comments on an article and keeps them. What came before a failure is kept, too.
  ///
  /// - Returns: how many there are at their server, as far as they were fetched; nil where it says that nothing has
  ///   changed.
  /// - Throws: `SourceError`, which is noted as the reason; `CancellationError`.
  @discardableResult
  package func fetchConversation(on article: ArticleID) async throws -> Int? {
    try await threads.fetch(article)
  }

  /// Keeps the comments on an article fresh while the body runs: where its server tells of a new one, they are fetched.
  package func whileOpen(
    _ article: ArticleID, _ body: nonisolated(nonsending) () async throws -> Void
  ) async throws {
    threads.open(article)
    defer { threads.close(article) }
    try await body()
  }

  /// The user has looked at the comments on an article, up to those of a fetch.
  package func noteVisit(of article: ArticleID, upTo arrival: Int) async throws {
    try await store.edit { try $0.comments.noteVisit(of: article, upTo: arrival) }
  }
}

/// What changes with the comments on an article. Cheap to read, however many there are.
package struct ConversationStamp: Equatable, Sendable {
  var changes: Int
  var error: SourceError?
  var waiting: [WaitingText]
}

extension OutboxItem {
  fileprivate var waitingText: WaitingText {
    var changed: String?
    if case .edit(_, let edit) = change { changed = edit.comment }
    return WaitingText(
      id: id, changed: changed, parent: parent, text: change.text ?? "", created: created,
      error: error)
  }
}
