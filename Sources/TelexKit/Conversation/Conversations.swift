package import News
internal import Repository
internal import Store

/// Use case: the comments on an article as a conversation, which is kept for reading without a network.
package struct Conversations: Sendable {
  private let composition: Composition

  package init(_ composition: Composition) { self.composition = composition }

  /// The comments on an article as they are stored; nil where there is no such article.
  package func find(_ article: ArticleID) async throws -> Conversation? {
    try await composition.repository.threads.conversation(on: article)
  }

  /// The comments on an article as they are stored, now and after each change of them or of what waits to be sent. Where
  /// the server tells of new ones meanwhile, they are fetched.
  ///
  /// - Parameter body: called in order. The sequence ends with its task, or with the article.
  package func follow(
    _ article: ArticleID, _ body: @Sendable (Conversation) -> Void
  ) async throws {
    try await composition.repository.threads.whileOpen(article) {
      for try await _ in composition.repository.threads.conversations(on: article) {
        guard let conversation = try await find(article) else { return }
        body(conversation)
      }
    }
  }

  /// Fetches the comments on an article.
  ///
  /// - Throws: `SourceError`; what is stored stays. `CancellationError`.
  package func fetch(_ article: ArticleID) async throws {
    try await composition.repository.threads.fetch(article)
  }

  /// The user has looked at the comments on an article, up to those of a fetch.
  package func noteVisit(of article: ArticleID, upTo arrival: Int) async throws {
    try await composition.store.edit { try $0.comments.noteVisit(of: article, upTo: arrival) }
  }
}
