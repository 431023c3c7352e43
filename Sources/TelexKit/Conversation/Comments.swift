package import News
internal import Repository
internal import Store
internal import Synchronization

/// The comments under articles: read from the server, written through the outbox.
package struct Comments: Sendable {
  private let composition: Composition

  package init(_ composition: Composition) { self.composition = composition }

  /// Reads the comments under an article, oldest first, page by page.
  ///
  /// - Parameter body: called for each comment as it comes, once.
  /// - Throws: `SourceError`, or `CancellationError`.
  package func forEach(
    on article: ArticleID, _ body: @Sendable (Comment) -> Void
  ) async throws {
    var walk = CommentWalk()
    repeat {
      let page = try await composition.repository.threads.comments(
        on: article, after: walk.cursor, from: walk.known.count)
      for comment in walk.take(page) { body(comment) }
    } while !walk.isOver
  }

  /// All comments on an article, as a conversation.
  ///
  /// - Throws: `SourceError`, or `CancellationError`.
  package func thread(on article: ArticleID) async throws -> CommentThread {
    let comments = Mutex<[Comment]>([])
    try await forEach(on: article) { comment in comments.withLock { $0.append(comment) } }
    return CommentThread(comments.withLock { $0 })
  }

  /// Stores a comment, then sends it.
  ///
  /// - Parameters:
  ///   - parent: the id of the comment that it answers; nil where it answers the article.
  ///   - noteKept: called as soon as it is stored.
  /// - Returns: the comment where it still waits to be sent; nil where the server has it.
  package func send(
    _ text: String, answering parent: String? = nil, on article: ArticleID,
    noteKept: @Sendable () -> Void = {}
  ) async throws -> WaitingComment? {
    let before = try await composition.store.view { try $0.outbox.lastNumber() }
    try await composition.repository.threads.comment(
      text, answering: parent, on: article, noteKept: noteKept)
    return try await waiting().first { $0.id > before && $0.article == article && $0.text == text }
  }

  /// Stores another text for a comment that the server has, then sends it.
  ///
  /// - Parameters:
  ///   - version: the one that the user has changed; nil for the one that was shown last, else the newest.
  ///   - noteKept: called as soon as it is stored.
  /// - Returns: the change where it still waits; nil where the server has it.
  package func edit(
    _ comment: String, on article: ArticleID, to text: String, from version: String? = nil,
    noteKept: @Sendable () -> Void = {}
  ) async throws -> WaitingComment? {
    try await composition.repository.threads.edit(
      comment, on: article, to: text, from: version, noteKept: noteKept)
    return try await waiting().first { $0.article == article && $0.text == text }
  }

  /// Stores another text for a comment that waits to be sent, then sends it.
  ///
  /// - Parameter noteKept: called as soon as it is stored.
  /// - Returns: the comment where it still waits; nil where the server has it.
  /// - Throws: `SourceError` of stage `.arguments` where no comment of this number waits.
  package func rewrite(
    _ number: WaitingChange.ID, to text: String, noteKept: @Sendable () -> Void = {}
  ) async throws -> WaitingComment? {
    guard try await composition.repository.threads.rewrite(number, text, noteKept: noteKept) else {
      throw SourceError(
        .address, stage: .arguments, subject: "\(number)",
        message: "no comment of this number waits", next: "telex outbox shows what waits")
    }
    return try await waiting().first { $0.id == number }
  }

  private func waiting() async throws -> [WaitingComment] {
    try await composition.store.view { try $0.outbox.waitingComments() }.compactMap(
      WaitingComment.init)
  }
}
