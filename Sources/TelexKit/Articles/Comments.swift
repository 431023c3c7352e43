package import News
internal import Repository
internal import Store

/// The comments under articles: read from the server, written through the outbox.
package struct Comments: Sendable {
  private let composition: Composition

  package init(_ composition: Composition) { self.composition = composition }

  /// Reads the comments under an article, oldest first, page by page.
  ///
  /// - Parameter body: called for each comment as it comes.
  /// - Throws: `SourceError`, or `CancellationError`.
  package func forEach(
    on article: ArticleID, _ body: @Sendable (Comment) -> Void
  ) async throws {
    var cursor: Cursor?
    var walked: Set<Cursor> = []
    repeat {
      let page = try await composition.repository.comments(on: article, after: cursor)
      for comment in page.comments { body(comment) }
      // A cursor that repeats would lead round for ever.
      cursor = page.nextCursor.flatMap { walked.insert($0).inserted ? $0 : nil }
    } while cursor != nil
  }

  /// Stores a comment, then sends it.
  ///
  /// - Returns: the comment where it still waits to be sent; nil where the server has it.
  package func send(_ text: String, on article: ArticleID) async throws -> WaitingComment? {
    let before = try composition.store.viewNow { try $0.lastOutboxNumber() }
    try await composition.repository.comment(text, on: article)
    return try waiting().first { $0.id > before && $0.article == article && $0.text == text }
  }

  private func waiting() throws -> [WaitingComment] {
    try composition.store.viewNow { try $0.waitingComments() }.compactMap(WaitingComment.init)
  }
}
